"""Your own two files: read, refused with every problem at once, written back the same."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.benchmarks.own import BENCHMARK
from recollect.contracts.benchmark import StepSettings
from recollect.domain.errors import DataError, UsageError
from recollect.domain.exchange import Reply
from recollect.domain.outcomes import Judgement, Status, Verdict
from recollect.domain.questions import AnswerFormat
from recollect.domain.steps import Ask, Observe

SESSIONS: list[dict[str, Any]] = [
    {
        "session": "mon",
        "messages": [{"id": "a", "speaker": "Ann", "text": "The cat is Pim.", "time": "2024-03-01T09:00"}],
    },
    {"session": "tue", "messages": [{"id": "b", "speaker": "Ann", "text": "The cat is now Tom."}, {"text": "Bye."}]},
]
QUESTIONS: list[dict[str, Any]] = [
    {"id": "q1", "question": "What is the cat called?", "answers": ["Pim"], "after": "mon", "evidence": ["a"]},
    {"question": "What is the cat called?", "answers": ["Tom"], "rejected": ["Pim"], "labels": {"kind": "update"}},
    {"question": "Which one?", "answers": ["B"], "options": {"A": "Pim", "B": "Tom"}},
    {"question": "And the dog?", "abstain": True},
]


def put(folder: Path, sessions: list[Any], questions: list[Any]) -> Path:
    for name, rows in (("sessions.jsonl", sessions), ("questions.jsonl", questions)):
        (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def test_questions_are_asked_where_they_stand(tmp_path: Path) -> None:
    (keyed,) = BENCHMARK.load(put(tmp_path, SESSIONS, QUESTIONS)).histories
    steps = list(BENCHMARK.steps(keyed.history, StepSettings()))
    assert [type(step) for step in steps] == [Observe, Ask, Observe, Ask]
    assert [len(step.questions) for step in steps if isinstance(step, Ask)] == [1, 3]
    assert keyed.history.questions[2].answer_format is AnswerFormat.LETTER


def test_no_name_of_yours_reaches_a_system(tmp_path: Path) -> None:
    (keyed,) = BENCHMARK.load(put(tmp_path, SESSIONS, QUESTIONS)).histories
    shown = {m.message_id for m in keyed.history.messages()} | {m.session_id for m in keyed.history.messages()}
    assert not shown & {"a", "b", "mon", "tue"}
    assert "q1" not in {q.question_id for q in keyed.history.questions}


def test_writing_and_loading_gives_the_same(tmp_path: Path) -> None:
    first = BENCHMARK.load(put(tmp_path, SESSIONS, QUESTIONS))
    BENCHMARK.write(first, tmp_path / "again")
    second = BENCHMARK.load(tmp_path / "again")
    BENCHMARK.write(second, tmp_path / "third")
    third = BENCHMARK.load(tmp_path / "third")
    assert second.histories == third.histories
    assert [k.history.messages for k in first.histories]
    assert (tmp_path / "again" / "questions.jsonl").read_text() == (tmp_path / "third" / "questions.jsonl").read_text()


def test_every_problem_of_both_files_is_named_at_once(tmp_path: Path) -> None:
    sessions = [
        *SESSIONS,
        SESSIONS[0],
        {"session": "x", "messages": [{"text": "hi", "time": "yesterday"}], "sesion": 1},
    ]
    questions = [{"question": "Why?"}, {"question": "Q", "answers": ["a"], "evidence": ["zz"], "after": "nowhere"}, 7]
    with pytest.raises(DataError) as caught:
        BENCHMARK.load(put(tmp_path, sessions, questions))
    said = str(caught.value)
    for problem in (
        "sessions.jsonl:4: unknown key `sesion` (did you mean `session`?)",
        "sessions.jsonl:3: session `mon` stands twice",
        "questions.jsonl:1: `answers` is empty",
        "questions.jsonl:2: `evidence` names no message",
        "questions.jsonl:2: `after` names no session",
        "questions.jsonl:3:",
    ):
        assert problem in said


@pytest.mark.parametrize(
    "line",
    [b"{", b"\xff\xfe", b"[" * 5000, b"null", b'{"session": 3}', b'"text"', b'{"session":"s","messages":[]}'],
    ids=["torn", "not UTF-8", "deep", "null", "mistyped", "string", "empty session"],
)
def test_a_bad_line_is_a_data_error_with_its_number(line: bytes, tmp_path: Path) -> None:
    put(tmp_path, SESSIONS, QUESTIONS)
    with (tmp_path / "sessions.jsonl").open("ab") as file:
        file.write(line)
    with pytest.raises(DataError, match=r"sessions\.jsonl:3"):
        BENCHMARK.load(tmp_path)


@given(st.binary(max_size=200))
def test_no_bytes_crash_the_parser(tmp_path_factory: pytest.TempPathFactory, junk: bytes) -> None:
    folder = put(tmp_path_factory.mktemp("own"), SESSIONS, QUESTIONS)
    with (folder / "questions.jsonl").open("ab") as file:
        file.write(junk)
    with suppress(DataError):
        BENCHMARK.load(folder)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"sessions\.jsonl is missing"):
        BENCHMARK.load(tmp_path)


def test_own_data_are_not_generated() -> None:
    with pytest.raises(UsageError, match="--data"):
        BENCHMARK.generate("small", 0)


def _verdict(value: float | None) -> Verdict:
    return Verdict(parts=(Judgement(name="right", value=value, why="exact"),), judge="j")


@pytest.mark.parametrize(
    ("number", "text", "abstained", "verdict", "status", "value"),
    [
        pytest.param(1, "Tom", False, 1.0, Status.SCORED, 1.0, id="right"),
        pytest.param(1, "Pim", False, 0.0, Status.SCORED, 0.0, id="stale"),
        pytest.param(1, "no idea", True, 0.0, Status.ABSTAINED, 0.0, id="declined-though-it-was-said"),
        pytest.param(3, "no idea", True, 1.0, Status.ABSTAINED, 1.0, id="declined-rightly"),
        pytest.param(1, "Tom", False, None, Status.UNDECIDED, None, id="judge-undecided"),
    ],
)
def test_scores(
    tmp_path: Path, number: int, text: str, abstained: bool, verdict: float | None, status: Status, value: float | None
) -> None:
    (keyed,) = BENCHMARK.load(put(tmp_path, SESSIONS, QUESTIONS)).histories
    question = keyed.history.questions[number]
    reply = Reply(text=text, abstained=abstained)
    outcome = BENCHMARK.score(question, keyed.keys[question.question_id], reply, _verdict(verdict), {})
    assert (outcome.status, outcome.value) == (status, value)
    stale = [part.value for part in outcome.parts if part.name == "stale"]
    assert stale == ([float(text == "Pim")] if number == 1 else [])
