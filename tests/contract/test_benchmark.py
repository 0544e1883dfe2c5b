"""What every registered benchmark must do; a new one is tested by its line in the registry."""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from recollect import registry
from recollect.contracts.benchmark import Benchmark, Dataset
from recollect.domain.exchange import Reply
from recollect.domain.histories import Asking, Keyed
from recollect.domain.outcomes import Judgement, Outcome, Verdict
from recollect.domain.questions import Key, Question
from recollect.domain.steps import Ask, Converse, Observe
from recollect.records.codec import encode
from recollect.records.digests import digest

from tests.unit.benchmarks.locomo.talks import folder_of_two

EXAMPLES = Path(__file__).parents[2] / "examples"
OPAQUE = re.compile(r"[a-z]{1,2}[0-9a-f]{16}")


@pytest.fixture(params=sorted(registry.BENCHMARKS), scope="module")
def benchmark(request: pytest.FixtureRequest) -> Benchmark:
    return registry.benchmark(request.param)


@pytest.fixture(scope="module")
def dataset(benchmark: Benchmark) -> Dataset:
    return made(benchmark)


def made(benchmark: Benchmark, seed: int = 3) -> Dataset:
    """Generated data; an invented example where data are never generated."""
    if benchmark.card.name == "own":
        return benchmark.load(EXAMPLES / "own_data")
    if benchmark.card.name == "locomo":
        with TemporaryDirectory() as folder:
            return benchmark.load(folder_of_two(Path(folder)))
    return benchmark.generate("small", seed)


def asked(dataset: Dataset) -> list[tuple[Keyed, Question, Key]]:
    return [(k, q, k.keys[q.question_id]) for k in dataset.histories for q in k.history.questions]


def weigh(benchmark: Benchmark, dataset: Dataset, keyed: Keyed, question: Question, text: str, right: float) -> Outcome:
    judged = benchmark.card.tasks[keyed.task].judged
    verdict = Verdict(parts=(Judgement(name="right", value=right, why="by hand"),), judge="hand") if judged else None
    key = keyed.keys[question.question_id]
    return benchmark.score(question, key, Reply(text=text), verdict, dataset.shared.get(keyed.task, {}))


def test_the_card_names_every_task_with_its_measure(benchmark: Benchmark, dataset: Dataset) -> None:
    card = benchmark.card
    assert card.name in registry.BENCHMARKS
    assert {keyed.task for keyed in dataset.histories} <= set(card.tasks)
    for task in card.tasks.values():
        assert task.measure
        assert task.floor in {*card.references, "chance"}
        assert task.ceiling in card.references
        assert task.chance is None or 0 <= task.chance <= 1
    assert card.licences


def test_every_question_has_a_prompt_in_both_presets(benchmark: Benchmark, dataset: Dataset) -> None:
    for _, question, _ in asked(dataset):
        assert question.prompt in benchmark.card.standard.prompts
        assert question.prompt in benchmark.card.paper.prompts


def test_the_gold_answer_scores_one(benchmark: Benchmark, dataset: Dataset) -> None:
    for keyed, question, key in asked(dataset):
        if key.gold:
            assert weigh(benchmark, dataset, keyed, question, key.gold[0], 1.0).value == 1.0, key.original_id


def test_the_empty_answer_scores_nothing(benchmark: Benchmark, dataset: Dataset) -> None:
    for keyed, question, key in asked(dataset):
        if not key.abstain:
            assert weigh(benchmark, dataset, keyed, question, "", 0.0).value == 0.0


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(benchmark: Benchmark, dataset: Dataset) -> None:
    again = made(benchmark)
    assert digest([encode(k) for k in again.histories]) == digest([encode(k) for k in dataset.histories])
    if benchmark.sizes:
        assert digest([encode(k) for k in made(benchmark, 4).histories]) != digest([encode(k) for k in again.histories])


def test_every_id_a_system_sees_is_opaque(benchmark: Benchmark, dataset: Dataset) -> None:
    for keyed in dataset.histories:
        preset = benchmark.card.standard.steps_for(keyed.task)
        for step in benchmark.steps(keyed.history, preset):
            if isinstance(step, Observe):
                assert OPAQUE.fullmatch(step.session.session_id)
                assert all(OPAQUE.fullmatch(m.message_id) for m in step.session.messages)
            if isinstance(step, Ask):
                assert all(OPAQUE.fullmatch(q.question_id) for q in step.questions)


def test_all_questions_are_asked_as_often_as_the_history_says(benchmark: Benchmark, dataset: Dataset) -> None:
    """Those that only tell how far a score can go are no part of the history."""
    for keyed in dataset.histories:
        wanted = [q for e in keyed.history.timeline if isinstance(e, Asking) for q in e.question_ids]
        for preset in (benchmark.card.standard, benchmark.card.paper):
            steps = benchmark.steps(keyed.history, preset.steps_for(keyed.task))
            asked = [q for step in steps if isinstance(step, Ask) for q in step.questions]
            assert [q.question_id for q in asked if q.purpose != "bound"] == wanted


def test_everything_shown_covers_messages_of_the_history_and_all_of_them(
    benchmark: Benchmark, dataset: Dataset
) -> None:
    for keyed in dataset.histories:
        known = {m.message_id for m in keyed.history.messages()}
        for preset in (benchmark.card.standard, benchmark.card.paper):
            covered: set[str] = set()
            for step in benchmark.steps(keyed.history, preset.steps_for(keyed.task)):
                if isinstance(step, Observe):
                    for m in step.session.messages:
                        covered |= set(step.covers.get(m.message_id, (m.message_id,)))
                elif isinstance(step, Converse):
                    covered.add(step.script.opening.message_id)
            assert covered == known


def test_evidence_names_messages_of_the_history(dataset: Dataset) -> None:
    for keyed, _, key in asked(dataset):
        known = {m.message_id for m in keyed.history.messages()}
        assert set(key.evidence) <= known


def test_writing_and_loading_gives_the_same(benchmark: Benchmark, dataset: Dataset, tmp_path: Path) -> None:
    benchmark.write(dataset, tmp_path / "data")
    again = benchmark.load(tmp_path / "data")
    benchmark.write(again, tmp_path / "again")
    first = {f.relative_to(tmp_path / "data"): f.read_bytes() for f in files(tmp_path / "data")}
    second = {f.relative_to(tmp_path / "again"): f.read_bytes() for f in files(tmp_path / "again")}
    assert first == second
    assert [k.history.questions for k in again.histories if benchmark.card.name != "own"] == [
        k.history.questions for k in dataset.histories if benchmark.card.name != "own"
    ]


def files(path: Path) -> list[Path]:
    return [path] if path.is_file() else sorted(f for f in path.rglob("*") if f.is_file())


@pytest.mark.parametrize("junk", [b"", b"\x00\xff", b"{}", b"[1,2", b"null\n", b'{"context": 3}\n'], ids=repr)
def test_a_file_that_is_not_its_data_is_a_data_error_that_names_it(
    benchmark: Benchmark, junk: bytes, tmp_path: Path
) -> None:
    from recollect.domain.errors import RecollectError

    file = tmp_path / "junk.jsonl"
    file.write_bytes(junk)
    with pytest.raises(RecollectError, match="junk") as caught:
        benchmark.load(file)
    assert caught.value.exit_code == 2
