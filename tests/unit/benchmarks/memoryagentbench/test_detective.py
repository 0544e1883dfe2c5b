"""Detective questions: options read from the text, the choice and the paper's measure, and the generated cases."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from recollect.benchmarks.memoryagentbench.families import SOURCES
from recollect.benchmarks.memoryagentbench.families.detective import TASK, asked_of, parsed, question_text
from recollect.benchmarks.memoryagentbench.generate import detective, detective_cases
from recollect.benchmarks.memoryagentbench.generate.detective import SIZES, SPECS, case_words
from recollect.benchmarks.memoryagentbench.generate.detective_cases import (
    Case,
    Clue,
    Query,
    draw_case,
    draw_queries,
    problems,
)
from recollect.benchmarks.memoryagentbench.histories import keyed
from recollect.benchmarks.memoryagentbench.load import load
from recollect.benchmarks.memoryagentbench.score import score
from recollect.benchmarks.memoryagentbench.write import write
from recollect.contracts.benchmark import Dataset
from recollect.contracts.reading import Prompt
from recollect.domain.exchange import Context, ContextItem, Reply
from recollect.domain.histories import Keyed
from recollect.domain.outcomes import Status
from recollect.domain.questions import AnswerFormat, Key, Option, Question
from recollect.memories.window import WindowConfig
from recollect.offline.reading.reader import RuleReader
from recollect.text.tokens import count

from tests.unit.benchmarks.memoryagentbench.generated import generated

TEXT = (
    "Who had the key to the mill?\nA. Old Rusk\nB. The miller\nC. The Brandt couple\nD. Nobody\n"
    'Answer in one line of JSON: {"answer": "x. text", "reasoning": "y"}'
)
GOLD = "C. The Brandt couple"
ROW: dict[str, Any] = {
    "context": "The mill stood empty.\n\nThe Brandts came every night.",
    "questions": [TEXT, "Is it true?\n(A) Yes\n(B) No"],
    "answers": [[GOLD], ["B. No"]],
    "metadata": {
        "demo": None,
        "haystack_sessions": None,
        "keypoints": None,
        "previous_events": None,
        "qa_pair_ids": ["detective_qa_no0", "detective_qa_no1"],
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
    return [one for seed in range(3) for one in generated(SPECS, "small", seed, request.param)]


@pytest.mark.parametrize(
    ("text", "head", "options"),
    [
        pytest.param(TEXT, "Who had the key to the mill?", ("Old Rusk", "The miller", GOLD[3:], "Nobody"), id="lines"),
        pytest.param("Who?\n(A) Rusk\n(B) Pell", "Who?", ("Rusk", "Pell"), id="brackets"),
        pytest.param("Who? A. Mr. Rusk B. Mrs. Pell C. I", "Who?", ("Mr. Rusk", "Mrs. Pell", "I"), id="one-line"),
        pytest.param("Who?\nOptions:\nA: Rusk\nB: Pell", "Who?", ("Rusk", "Pell"), id="heading"),
        pytest.param("Who? {'A': 'Rusk', 'B': 'Pell'} Say it.", "Who?", ("Rusk", "Pell"), id="literal"),
        pytest.param("A. Rusk was seen.\nA. Pell\nB. Orm", "A. Rusk was seen.", ("Pell", "Orm"), id="last-run"),
        pytest.param("Who killed B. Rusk?", "Who killed B. Rusk?", (), id="none"),
        pytest.param('Who?\n{"answer": "A. x"}\nA. Rusk\nC. Pell', "Who?\nA. Rusk\nC. Pell", (), id="gap"),
    ],
)  # fmt: skip
def test_options_are_read_however_they_stand(text: str, head: str, options: tuple[str, ...]) -> None:
    assert parsed(text) == (head, options)


def fits_alone(case: Case) -> Iterator[int]:
    """Guests that fit all marks: the thief and nobody else."""
    marks = dict(enumerate(case.marks))
    for guest in range(case.guests):
        if all(Clue(f"trait {trait}", guest, value) in case.told for trait, value in marks.items()):
            yield guest


def test_a_question_of_ours_is_read_back() -> None:
    options = ["in the well", "under the sundial", "Mr. B. Rusk's room", "nowhere"]
    assert parsed(question_text("Where was it?", options)) == ("Where was it?", tuple(options))


def test_a_published_row_wants_the_letter_and_keeps_the_published_answer(tmp_path: Path) -> None:
    (one,) = load(_file(tmp_path, ROW)).histories
    (first, key), (second, other) = _pairs(one)
    assert (first.text, first.cue) == (TEXT, "Who had the key to the mill?")
    assert first.answer_format is AnswerFormat.LETTER
    assert first.options[2] == Option(letter="C", text="The Brandt couple")
    assert (key.gold, other.gold) == (("C", GOLD), ("B", "B. No"))
    assert second.variables == {"asked": "Is it true?"}
    assert key.labels == {"task": TASK}


@pytest.mark.parametrize(
    ("answers", "gold", "fit"),
    [
        ([GOLD], ("C", GOLD), None),
        (["C"], ("C", "C"), None),
        (["the brandt couple"], ("C", "the brandt couple"), None),
        (["C. The Brandts"], ("C", "C. The Brandts"), "words_differ"),
        (["The vicar"], ("The vicar",), "none_fits"),
    ],
)
def test_the_gold_option_is_found_by_letter_or_words(
    answers: list[str], gold: tuple[str, ...], fit: str | None
) -> None:
    found = asked_of(TEXT, answers)
    assert found.gold == gold
    assert found.labels.get("fit") == fit
    assert (found.answer_format is AnswerFormat.LETTER) == (len(gold) > 1)


@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
def test_written_rows_load_as_they_were(made: Sequence[Keyed], ending: str, tmp_path: Path) -> None:
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    data = Dataset(benchmark="memoryagentbench", histories=tuple(made[:4]), origin="a test")
    write(data, tmp_path / f"rows.{ending}")
    assert load(tmp_path / f"rows.{ending}") == data


def test_published_rows_come_back_as_they_were(tmp_path: Path) -> None:
    rows = [ROW, {**ROW, "questions": [TEXT, "Who killed B. Rusk?"], "answers": [["The vicar"], ["Pell"]]}]
    data = load(_file(tmp_path, *rows))
    write(data, tmp_path / "again.jsonl")
    assert load(tmp_path / "again.jsonl").histories == data.histories
    for line, row in zip((tmp_path / "again.jsonl").read_text().splitlines(), rows, strict=True):
        assert {name: json.loads(line)[name] for name in row} == row


JSON = json.dumps({"answer": GOLD, "reasoning": "Old Rusk and the miller were away, and D. Nobody is absurd."})


@pytest.mark.parametrize(
    ("said", "parts"),
    [
        pytest.param("C", (1, 0, 0, 0), id="letter"),
        pytest.param(GOLD, (1, 1, 1, 1), id="as-published"),
        pytest.param(f"Answer: {GOLD}", (1, 1, 1, 1), id="behind-answer"),
        pytest.param(JSON, (1, 0, 1, 1), id="json"),
        pytest.param('{"answer": "C", "reasoning": "Old Rusk cannot"}', (1, 0, 0, 0), id="json-letter"),
        pytest.param("The Brandt couple", (1, 0, 1, 0), id="words"),
        pytest.param("B. The miller", (0, 0, 0, 0), id="wrong"),
        pytest.param('{"answer": "B", "reasoning": "not the Brandt couple"}', (0, 0, 0, 0), id="json-wrong"),
        pytest.param("Old Rusk or the Brandt couple", (0, 0, 0, 0), id="two"),
        pytest.param("", (0, 0, 0, 0), id="empty"),
    ],
)
def test_the_choice_is_kinder_than_the_papers_exact_match(said: str, parts: tuple[int, ...]) -> None:
    one = keyed(SOURCES[TASK], 0, ["The mill."], [asked_of(TEXT, [GOLD])])
    ((question, key),) = _pairs(one)
    outcome = score(question, key, Reply(text=said), None, {})
    values = {part.name: part.value for part in outcome.parts}
    names = ("choice", "exact_match", "lenient_exact_match", "substring_exact_match")
    assert tuple(values[name] for name in names) == parts
    assert outcome.value == parts[0]


def test_where_no_option_fits_the_words_count() -> None:
    one = keyed(SOURCES[TASK], 0, ["The mill."], [asked_of(TEXT, ["The vicar"])])
    ((question, key),) = _pairs(one)
    assert score(question, key, Reply(text="It was the vicar."), None, {}).value == 1
    assert score(question, key, Reply(text="C"), None, {}).value == 0
    assert score(question, key, Reply(text="", abstained=True), None, {}).status is Status.ABSTAINED


def _drawn(seed: int) -> tuple[Case, list[Query]]:
    return detective.solvable_case(SIZES["small"], Random(seed))


@pytest.mark.parametrize("seed", range(10))
def test_every_answer_follows_and_no_needed_clue_can_be_left_out(seed: int) -> None:
    case, queries = _drawn(seed)
    for query in queries:
        assert not list(problems(query, case))
        assert query.answer == query.options[0]
    assert list(fits_alone(case)) == [case.suspects[0]]


def _lost(case: Case, query: Query) -> Case:
    return replace(case, told=case.told - {query.needs[0]})


def _told_twice(case: Case, query: Query) -> Query:
    return query._replace(needs=(*query.needs, Clue("place", 0, 99)))


@pytest.mark.parametrize("kind", ["cell", "chain", "tool", "spot", "who"])
def test_the_solver_sees_a_lost_clue_and_a_needless_one(kind: str) -> None:
    case, queries = _drawn(1)
    query = next(one for one in queries if one.kind == kind)
    assert list(problems(query, _lost(case, query)))
    assert any("without" in found for found in problems(_told_twice(case, query), case))


def test_the_solver_sees_a_second_suspect_who_fits() -> None:
    case, queries = _drawn(1)
    query = next(one for one in queries if one.kind == "who")
    failed = next(clue for clue in query.needs if clue.kind.startswith("trait"))
    freed = replace(case, told=case.told - {failed} | {failed._replace(value=1 - failed.value)})
    assert any("all clues leave" in found for found in problems(query, freed))


def test_a_case_that_gives_too_few_questions_is_refused() -> None:
    case = draw_case(6, Random(1))
    with pytest.raises(ValueError, match="of 9 questions by place"):
        draw_queries(case, 9, Random(1))


def test_counts_are_those_of_the_size_and_a_window_does_not_hold_the_story(made: Sequence[Keyed]) -> None:
    assert len(made) == 3 * SIZES["small"].histories
    for one in made:
        labels = [key.labels["clues"] for _, key in _pairs(one)]
        assert len(labels) == 10
        assert set(labels) == {"1", "2", "3+"}
        assert count("".join(message.text for message in one.history.messages())) > WindowConfig().tokens


def test_evidence_is_as_many_passages_as_clues_and_tells_the_answer_unless_it_is_eliminated(
    made: Sequence[Keyed],
) -> None:
    for one in made:
        texts = {message.message_id: message.text.lower() for message in one.history.messages()}
        for question, key in _pairs(one):
            assert str(min(len(key.evidence), 3)) == key.labels["clues"].rstrip("+")
            words = key.gold[1].partition(" ")[2]
            within = any(words.lower() in texts[name] for name in key.evidence)
            assert within == (key.labels["reasoning"] != "elimination")
            assert next(option.text for option in question.options if option.letter == key.gold[0]) == words


def test_no_paragraph_comes_twice_in_a_short_story(made: Sequence[Keyed]) -> None:
    for one in made:
        texts = [message.text for message in one.history.messages()]
        assert len(set(texts)) == len(texts)
        assert not any("{" in text or "  " in text.strip() for text in texts)


BLIND: dict[str, Callable[[Option, str], Any]] = {
    "length": lambda option, _: len(option.text),
    "place": lambda option, _: option.letter,
    "mentions": lambda option, story: story.count(option.text.lower()),
    "first": lambda option, story: story.find(option.text.lower()),
    "last": lambda option, story: story.rfind(option.text.lower()),
    "alphabet": lambda option, _: option.text,
}


def test_who_goes_by_place_length_or_mentions_is_at_chance() -> None:
    """1,800 questions; where some option is mentioned less than others, it is right a little more often: 0.29."""
    found: dict[tuple[str, bool], list[float]] = defaultdict(list)
    for one in (one for seed in range(30) for half in (False, True) for one in generated(SPECS, "small", seed, half)):
        story = "".join(message.text for message in one.history.messages()).lower()
        for question, key in _pairs(one):
            for name, of in BLIND.items():
                values = {option.letter: of(option, story) for option in question.options}
                for best in (max(values.values()), min(values.values())):
                    held = [letter for letter, value in values.items() if value == best]
                    found[name, best == max(values.values())].append((key.gold[0] in held) / len(held))
    rates = {name: sum(hits) / len(hits) for name, hits in found.items()}
    assert all(abs(rate - 0.25) < 0.06 for rate in rates.values()), {
        name: round(rate, 3) for name, rate in rates.items()
    }


def test_rules_that_read_the_evidence_are_right_unless_they_must_eliminate(made: Sequence[Keyed]) -> None:
    """The rule reader takes what is said of an option for its support; the excluded are spoken of, the thief is not."""
    reader, prompt = RuleReader(), Prompt(name="x", text="$context")
    right: dict[tuple[str, bool], list[float]] = defaultdict(list)
    for one in made:
        texts = {message.message_id: message.text for message in one.history.messages()}
        for question, key in _pairs(one):
            for with_evidence in (True, False):
                items = tuple(ContextItem(text=texts[name]) for name in key.evidence if with_evidence)
                reply = reader.read(Context(items=items, text="", tokens=0), question, prompt)
                value = score(question, key, reply, None, {}).value or 0.0
                right[key.labels["reasoning"], with_evidence].append(value)
                right["all", with_evidence].append(value)
    rates = {name: sum(values) / len(values) for name, values in right.items()}
    assert rates["stated", True] > 0.8
    assert rates["chain", True] > 0.8
    assert abs(rates["all", False] - 0.25) < 0.12  # 120 questions, three standard errors


def test_the_same_seed_gives_the_same_case_and_another_seed_another() -> None:
    first, again, other = (next(generated(SPECS, "small", seed, False)) for seed in (1, 1, 2))
    assert first == again
    assert first != other


@pytest.mark.parametrize("size", ["medium", "large"])
def test_larger_cases_have_more_guests_and_the_catalogue_is_large_enough(size: str) -> None:
    one = next(generated(SPECS, size, 1, True))
    assert len(one.history.questions) == 16
    assert detective_cases.CHOICES == 4


def test_held_out_words_are_in_no_usual_case() -> None:
    usual, held = (case_words(held_out=half) for half in (False, True))
    for name in ("trades", "loot", "things", "hours", "filler", "filler_after", "place", "thing", "hour", "searched"):
        assert not set(usual[name]) & set(held[name]), name
    assert not set(usual["ask"].values()) & set(held["ask"].values()) - {usual["ask"]["spot"]}
