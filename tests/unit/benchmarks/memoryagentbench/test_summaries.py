"""Novel summaries: published rows, points for each question, the judge's F1, and the generated stories."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from recollect.benchmarks.memoryagentbench.families.summary import TASK
from recollect.benchmarks.memoryagentbench.generate.event_words import story_words
from recollect.benchmarks.memoryagentbench.generate.summary_histories import SIZES, make
from recollect.benchmarks.memoryagentbench.generate.summary_telling import ledger_words, short_name
from recollect.benchmarks.memoryagentbench.load import load
from recollect.benchmarks.memoryagentbench.score import score
from recollect.benchmarks.memoryagentbench.write import write
from recollect.contracts.benchmark import Dataset
from recollect.contracts.reading import Prompt
from recollect.domain.errors import DataError
from recollect.domain.exchange import Context, ContextItem, Reply
from recollect.domain.histories import Keyed
from recollect.domain.outcomes import Judgement, Outcome, Status, Verdict
from recollect.domain.questions import AnswerFormat, Key, Question
from recollect.memories.window import WindowConfig
from recollect.offline.judge.rule_judge import RuleJudge
from recollect.offline.reading.reader import RuleReader
from recollect.text.tokens import count

ROW: dict[str, Any] = {
    "context": "Ansa Vane came to Orm by night.\n\nShe sold the mill to Pell.\n\nIn spring the mill burned down.",
    "questions": ["Write a summary of about 20 words."],
    "answers": [["Ansa Vane comes to Orm and sells the mill to Pell. The mill burns down."]],
    "metadata": {
        "demo": "Example 1: A man goes out. He comes back.",
        "haystack_sessions": None,
        "keypoints": ["Ansa Vane came to Orm.", "Ansa sold the mill to Pell.", "The mill burned down."],
        "previous_events": None,
        "qa_pair_ids": ["infbench_sum_eng_shots2_no0"],
        "question_dates": None,
        "question_ids": None,
        "question_types": None,
        "source": TASK,
    },
}


def _file(folder: Path, *rows: Any) -> Path:
    path = folder / "rows.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def _pairs(one: Keyed) -> list[tuple[Question, Key]]:
    return [(question, one.keys[question.question_id]) for question in one.history.questions]


@pytest.fixture(params=[False, True], ids=["usual", "held-out"], scope="module")
def made(request: pytest.FixtureRequest) -> Sequence[Keyed]:
    return list(make("small", 5, request.param))


def test_a_published_row_asks_for_a_summary_and_keeps_its_points_and_examples(tmp_path: Path) -> None:
    (one,) = load(_file(tmp_path, ROW)).histories
    ((question, key),) = _pairs(one)
    assert [message.text for message in one.history.messages()][1] == "She sold the mill to Pell.\n\n"
    assert (question.answer_format, question.cue) == (AnswerFormat.SUMMARY, None)
    assert question.variables == {"demo": ROW["metadata"]["demo"]}
    assert key.gold == tuple(ROW["answers"][0])
    assert key.field_gold == {str(n): (point,) for n, point in enumerate(ROW["metadata"]["keypoints"], start=1)}
    assert not key.evidence


def test_two_published_rows_may_share_one_context(tmp_path: Path) -> None:
    """Rows 5 and 44 of the published data do."""
    other = {**ROW, "answers": [["Ansa sells a mill that later burns."]]}
    data = load(_file(tmp_path, ROW, other))
    assert len({one.history.history_id for one in data.histories}) == 2
    write(data, tmp_path / "again.jsonl")
    assert load(tmp_path / "again.jsonl").histories == data.histories


@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
def test_written_rows_load_as_they_were(made: Sequence[Keyed], ending: str, tmp_path: Path) -> None:
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    data = Dataset(benchmark="memoryagentbench", histories=tuple(made), origin="a test")
    write(data, tmp_path / f"rows.{ending}")
    assert load(tmp_path / f"rows.{ending}") == data


def test_several_questions_on_one_list_of_points_are_refused(tmp_path: Path) -> None:
    row = {**ROW, "questions": ["One?", "Two?"], "answers": [["A."], ["B."]]}
    row["metadata"] = {**ROW["metadata"], "qa_pair_ids": None}
    with pytest.raises(DataError, match=r"metadata.keypoints.*Give each question a row of its own"):
        load(_file(tmp_path, row))


@pytest.mark.parametrize("points", [None, [], [" "]], ids=["null", "none", "blank"])
def test_a_row_without_points_loads_and_stays_undecided(points: object, tmp_path: Path) -> None:
    row = {**ROW, "metadata": {**ROW["metadata"], "keypoints": points}}
    (one,) = load(_file(tmp_path, row)).histories
    ((question, key),) = _pairs(one)
    reply = Reply(text=key.gold[0])
    outcome = score(question, key, reply, RuleJudge().judge(question, key, reply), {})
    assert outcome.status is Status.UNDECIDED
    assert {part.name: part.value for part in outcome.parts}["rouge_l"] == 1.0


def _scored(verdict: Verdict | None, said: str, tmp_path: Path, *, abstained: bool = False) -> Outcome:
    (one,) = load(_file(tmp_path, ROW)).histories
    ((question, key),) = _pairs(one)
    return score(question, key, Reply(text=said, abstained=abstained), verdict, {})


def _verdict(**parts: float | None) -> Verdict:
    found = tuple(Judgement(name=name, value=value, why="by hand") for name, value in parts.items())
    return Verdict(parts=found, judge="hand")


def test_the_judges_f1_is_the_score_and_its_parts_stand_beside(tmp_path: Path) -> None:
    outcome = _scored(_verdict(right=None, fluency=1.0, recall=0.5, precision=1.0, f1_summary=2 / 3), "Ansa.", tmp_path)
    assert (outcome.status, outcome.value) == (Status.SCORED, 2 / 3)
    values = {part.name: part.value for part in outcome.parts}
    assert values.pop("rouge_l") == pytest.approx(2 / 16)  # 1 of 1 and of 15 words
    assert values == {"f1_summary": 2 / 3, "fluency": 1.0, "recall": 0.5, "precision": 1.0}


def test_what_the_judge_left_open_stays_undecided(tmp_path: Path) -> None:
    outcome = _scored(_verdict(right=1.0, f1_summary=None), "Ansa came.", tmp_path)
    assert (outcome.status, outcome.value) == (Status.UNDECIDED, None)
    assert _scored(None, "Ansa came.", tmp_path).status is Status.UNDECIDED


def test_a_declined_summary_is_abstained_with_nothing(tmp_path: Path) -> None:
    outcome = _scored(_verdict(f1_summary=0.0), "I do not know.", tmp_path, abstained=True)
    assert (outcome.status, outcome.value) == (Status.ABSTAINED, 0.0)


def test_counts_are_those_of_the_size_and_a_window_does_not_hold_the_story(made: Sequence[Keyed]) -> None:
    size = SIZES["small"]
    assert len(made) == size.histories
    for one in made:
        assert len(one.history.questions) == size.questions
        assert count("".join(message.text for message in one.history.messages())) > WindowConfig().tokens


def test_points_follow_the_story_and_each_is_told_where_the_evidence_says(made: Sequence[Keyed]) -> None:
    for one in made:
        places = {message.message_id: n for n, message in enumerate(one.history.messages())}
        texts = {message.message_id: message.text.lower() for message in one.history.messages()}
        for question, key in _pairs(one):
            assert len(key.evidence) == len(key.field_gold) == int(key.labels["points"])
            assert [places[name] for name in key.evidence] == sorted(places[name] for name in key.evidence)
            points = [values[0] for values in key.field_gold.values()]
            assert len(set(points)) == len(points)
            for name, point in zip(key.evidence, points, strict=True):
                assert key.labels["about"] in texts[name]
                assert key.labels["about"] in point.lower()
                who = next(word for word in point.split() if word[0].isupper() and word != "The")
                assert who.strip(".,").lower() in texts[name]
            assert question.cue == f"what happens to {key.labels['about']}"
            assert key.labels["about"] in question.text


def test_the_evidence_is_enough_for_the_rules_and_nothing_is_not(made: Sequence[Keyed]) -> None:
    """The rule reader copies sentences, so its precision stays low; what it leaves out is what the text leaves out."""
    judge, reader, prompt = RuleJudge(), RuleReader(), Prompt(name="x", text="$context")
    reached: list[float] = []
    bare: list[float] = []
    gold: list[float] = []
    for one in made:
        texts = {message.message_id: message.text for message in one.history.messages()}
        for question, key in _pairs(one):
            for found, names in ((reached, key.evidence), (bare, ())):
                items = tuple(ContextItem(text=texts[name]) for name in names)
                reply = reader.read(Context(items=items, text="", tokens=0), question, prompt)
                found.append(score(question, key, reply, judge.judge(question, key, reply), {}).value or 0.0)
            said = Reply(text=key.gold[0])
            gold.append(judge.judge(question, key, said).value("f1_summary") or 0.0)
    assert sum(bare) == 0
    assert sum(reached) / len(reached) > 0.45
    assert sum(gold) / len(gold) > 0.75


def test_the_same_seed_gives_the_same_story_and_another_seed_another() -> None:
    first, again, other = (next(make("small", seed, False)) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_held_out_words_are_in_no_usual_story() -> None:
    usual, held = (ledger_words(held_out=half) for half in (False, True))
    for kind, wordings in usual.entries.items():
        for mine, theirs in zip(wordings, held.entries[kind], strict=True):
            assert not set(mine) & set(theirs)
    assert not set(usual.asks) & set(held.asks)


@pytest.mark.parametrize("held_out", [False, True])
def test_short_names_tell_all_things_apart(held_out: bool) -> None:
    things = story_words(held_out=held_out).things
    assert len({short_name(thing) for thing in things}) == len(things)
