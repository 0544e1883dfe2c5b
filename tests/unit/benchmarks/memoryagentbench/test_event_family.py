"""EventQA's rows: contexts kept byte for byte, questions taken apart, options chosen by letter or by text."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.benchmarks.memoryagentbench.families import SOURCES, events
from recollect.benchmarks.memoryagentbench.families.events import commitment
from recollect.benchmarks.memoryagentbench.histories import keyed
from recollect.benchmarks.memoryagentbench.load import load
from recollect.benchmarks.memoryagentbench.score import score
from recollect.benchmarks.memoryagentbench.write import write
from recollect.domain.errors import DataError
from recollect.domain.exchange import Reply
from recollect.domain.histories import Keyed
from recollect.domain.outcomes import Outcome, Status
from recollect.domain.questions import AnswerFormat
from recollect.offline.judge.rule_judge import RuleJudge

CONTEXT = "CHAPTER I\n\nTam Rusk rowed\nout at dawn.\n\n\n   Indented: Una saw it.\r\n\r\nThe end"
OPTIONS = ["Una's dog barked.", "Tam sold the boat.", 'He said "no".', "Una sold the boat.", "Tam wept.", "Una left."]
HEAD = "What has happened so far:\n\n1. Tam rowed out [alone].\n2. Una saw it.\n\nWhat may come next:\n\n"
QUESTION = f"{HEAD}{OPTIONS!r}\n\nTell which is next."
ROW: dict[str, Any] = {
    "context": CONTEXT,
    "questions": [QUESTION, f"{HEAD}{OPTIONS!r}\n\nTell which is next!"],
    "answers": [["Una sold the boat."], ["Tam wept."]],
    "metadata": {
        "demo": None,
        "haystack_sessions": None,
        "keypoints": None,
        "previous_events": ["1. Tam rowed out [alone].\n2. Una saw it."] * 2,
        "qa_pair_ids": ["eventqa_65536_no0", "eventqa_65536_no1"],
        "question_dates": None,
        "question_ids": None,
        "question_types": None,
        "source": "eventqa_65536",
    },
}
"""Invented, in the published layout."""


def _file(folder: Path, row: dict[str, Any], **metadata: Any) -> Path:
    path = folder / "rows.jsonl"
    path.write_text(f"{json.dumps({**row, 'metadata': {**row['metadata'], **metadata}})}\n", encoding="utf-8")
    return path


def _loaded(folder: Path, row: dict[str, Any] = ROW, **metadata: Any) -> Keyed:
    (one,) = load(_file(folder, row, **metadata)).histories
    return one


def test_paragraphs_keep_the_blank_lines_behind_them() -> None:
    assert events.texts_of(CONTEXT) == [
        "CHAPTER I\n\n",
        "Tam Rusk rowed\nout at dawn.\n\n\n",
        "   Indented: Una saw it.\r\n\r\n",
        "The end",
    ]


@given(st.text(alphabet="aB. \n\r\t", min_size=1).filter(lambda text: bool(text.strip())))
def test_any_context_comes_back_byte_for_byte_and_no_passage_is_blank(context: str) -> None:
    texts = events.texts_of(context)
    assert events.context_of(texts) == context
    assert all(text.strip() for text in texts)


@pytest.mark.parametrize("sentence", ["Tam rowed out to the far rocks.\n", "x" * 9_000])
def test_a_paragraph_without_end_falls_into_shorter_passages(sentence: str) -> None:
    context = sentence * 400
    texts = events.texts_of(context)
    assert events.context_of(texts) == context
    assert max(map(len, texts)) <= events.LONGEST
    assert len(texts) <= 2 * len(context) // events.LONGEST + 2


def test_a_published_question_becomes_one_for_a_letter(tmp_path: Path) -> None:
    one = _loaded(tmp_path)
    question = one.history.questions[0]
    key = one.keys[question.question_id]
    assert (question.text, question.answer_format) == (QUESTION, AnswerFormat.LETTER)
    assert [(option.letter, option.text) for option in question.options] == list(zip("ABCDEF", OPTIONS, strict=True))
    assert key.gold == ("D", "Una sold the boat.")
    assert question.variables == {"previous_events": "1. Tam rowed out [alone].\n2. Una saw it."}
    assert question.cue == "\n".join([question.variables["previous_events"], *OPTIONS])
    assert (question.prompt, question.output_tokens) == ("eventqa", 40)


def test_previous_events_are_read_from_the_question_where_the_row_does_not_list_them(tmp_path: Path) -> None:
    bare, listed = _loaded(tmp_path, previous_events=None), _loaded(tmp_path)
    assert bare.history.questions == listed.history.questions


def test_what_is_written_is_what_was_loaded_and_published(tmp_path: Path) -> None:
    once = load(_file(tmp_path, ROW))
    write(once, tmp_path / "again.jsonl")
    assert replace(load(tmp_path / "again.jsonl"), origin=once.origin) == once
    row = json.loads((tmp_path / "again.jsonl").read_text())
    assert {name: row[name] for name in ROW} == ROW


def test_parquet_keeps_a_row_too(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    once = load(_file(tmp_path, ROW))
    write(once, tmp_path / "again.parquet")
    assert load(tmp_path / "again.parquet") == once


@pytest.mark.parametrize(
    ("answer", "letter"),
    [
        pytest.param("tam  WEPT.", "E", id="but-for-case-and-space"),
        pytest.param("Tam wept", None, id="another-text"),
    ],
)
def test_an_answer_that_is_no_option_is_asked_for_by_its_text(answer: str, letter: str | None, tmp_path: Path) -> None:
    one = _loaded(tmp_path, {**ROW, "answers": [[answer], ["Tam wept."]]})
    question = one.history.questions[0]
    key = one.keys[question.question_id]
    if letter:
        assert key.gold == (letter, answer)
        return
    assert (question.answer_format, key.gold) == (AnswerFormat.TEXT, (answer,))
    assert key.labels["choice"] == "none_fits"
    assert score(question, key, Reply(text=f"It is: {answer}"), None, {}).value == 1
    assert score(question, key, Reply(text="E"), None, {}).value == 0


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        pytest.param(
            {"questions": ["What is next?", QUESTION]}, r"questions\.0.*no list of possible events", id="no-list"
        ),
        pytest.param({"questions": [HEAD + "['one']", QUESTION]}, r"questions\.0.*no list", id="one-option"),
        pytest.param({"questions": [HEAD + "['a', print('b')]", QUESTION]}, r"questions\.0.*no list", id="no-literal"),
    ],
)
def test_a_question_without_a_list_of_strings_is_refused(change: dict[str, Any], problem: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=problem):
        _loaded(tmp_path, {**ROW, **change})


def test_previous_events_that_do_not_match_the_questions_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="previous_events` has 1 entries for 2 questions"):
        _loaded(tmp_path, previous_events=["1. a"])


def _scored(folder: Path, said: str, *, abstained: bool = False) -> Outcome:
    one = _loaded(folder)
    question = one.history.questions[0]
    return score(question, one.keys[question.question_id], Reply(text=said, abstained=abstained), None, {})


@pytest.mark.parametrize(
    ("said", "choice", "substring", "recall"),
    [
        pytest.param("D", 1, 0, 0, id="letter"),
        pytest.param("(d)", 1, 0, 0, id="letter-in-brackets"),
        pytest.param("The answer is D.", 1, 0, 0, id="letter-in-words"),
        pytest.param("Una sold the boat.", 1, 1, 1, id="text"),
        pytest.param("una sold the boat", 1, 1, 0, id="text-without-its-stop"),
        pytest.param("D. Una sold the boat.", 1, 1, 1, id="both"),
        pytest.param("Well:\nUna sold the boat.", 1, 0, 1, id="text-behind-the-first-line"),
        pytest.param("B", 0, 0, 0, id="another-letter"),
        pytest.param("Tam sold the boat.", 0, 0, 0, id="another-text"),
        pytest.param("Tam sold the boat. Una sold the boat.", 0, 1, 1, id="two-texts"),
        pytest.param(f"{OPTIONS} Answer: D", 1, 0, 1, id="all-texts-and-one-letter"),
        pytest.param("A or D", 0, 0, 0, id="two-letters"),
        pytest.param("", 0, 0, 0, id="empty"),
    ],
)
def test_the_option_chosen_decides_and_the_papers_measures_stand_beside(
    said: str, choice: float, substring: float, recall: float, tmp_path: Path
) -> None:
    outcome = _scored(tmp_path, said)
    parts = {part.name: part.value for part in outcome.parts}
    assert (outcome.status, outcome.value) == (Status.SCORED, choice)
    assert (parts["choice"], parts["substring_exact_match"], parts["eventqa_recall"]) == (choice, substring, recall)
    assert outcome.parts[0].name == "choice"


def test_a_declined_question_is_abstained_with_nothing(tmp_path: Path) -> None:
    outcome = _scored(tmp_path, "D", abstained=True)
    assert (outcome.status, outcome.value) == (Status.ABSTAINED, 0)


def test_a_text_cut_off_by_the_limit_is_told_by_its_beginning() -> None:
    options = events.lettered(
        ["Una walked to the old mill and wept.", "Una walked to the old mill and sang.", "Tam left."]
    )
    assert commitment("Una walked to the old mill and w", options) == ("A", "read: beginning of the text")
    assert commitment("Una walked to the old mill and", options) == (None, "names several options")
    assert commitment("Una walked", options) == (None, "names no option")


def test_an_option_within_another_is_not_what_the_reply_says() -> None:
    options = events.lettered(["Una left.", "Una left the mill.", "Tam left."])
    assert commitment("Una left the mill.", options)[0] == "B"
    assert commitment("Una left.", options)[0] == "A"


def test_the_rule_judge_takes_the_letter_for_right(tmp_path: Path) -> None:
    one = _loaded(tmp_path)
    question = one.history.questions[0]
    key = one.keys[question.question_id]
    verdicts = [RuleJudge().judge(question, key, Reply(text=said)).parts[0].value for said in ("D", "B")]
    assert verdicts == [1, 0]


@pytest.mark.real
def test_the_papers_measures_are_those_of_the_reference_program(data: Path) -> None:
    """Frozen output of MemoryAgentBench's `post_process`; a bare string as answer is a fault of the reference's."""
    cases = json.loads((data / "parity" / "mab_metrics.json").read_text())["cases"]
    tried = 0
    for case in cases:
        said, expected = case["input"], case["expected"].get("value")
        if not said.get("sub_dataset", "").startswith("eventqa") or expected is None or isinstance(said["answer"], str):
            continue
        asked = events.asked_of(text="?", previous="", options=["Another.", "One."], answers=said["answer"])
        one = keyed(SOURCES["eventqa_full"], 0, ["a text"], [asked])
        question = one.history.questions[0]
        outcome = score(question, one.keys[question.question_id], Reply(text=said["output"]), None, {})
        parts = {part.name: part.value for part in outcome.parts}
        shared = parts.keys() & expected["metrics"].keys()
        assert shared == {"exact_match", "f1", "substring_exact_match", "eventqa_recall"}
        assert {n: parts[n] for n in shared} == pytest.approx({n: float(expected["metrics"][n]) for n in shared})
        tried += 1
    assert tried >= 3
