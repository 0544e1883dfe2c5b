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


def refused(folder: Path) -> list[str]:
    """The lines of the message with which a folder is refused."""
    with pytest.raises(DataError) as caught:
        BENCHMARK.load(folder)
    return str(caught.value).splitlines()


def test_both_missing_files_are_named_and_nothing_else(tmp_path: Path) -> None:
    head, *problems, _ = refused(tmp_path)
    assert head.endswith(": 2 problems:")
    assert problems == ["  the file sessions.jsonl is missing", "  the file questions.jsonl is missing"]


def test_a_file_where_a_folder_should_be_is_named_with_what_own_data_are(tmp_path: Path) -> None:
    put(tmp_path, SESSIONS, QUESTIONS)
    (line,) = refused(tmp_path / "sessions.jsonl")
    assert "it is a file. Own data are a folder" in line


UNREADABLE = {
    "array": (json.dumps(SESSIONS).encode(), "it is a JSON array. Write one object a line"),
    "array over lines": (json.dumps(SESSIONS, indent=1).encode(), "it is a JSON array. Write one object a line"),
    "torn array": (b"[\n" + json.dumps(SESSIONS[0]).encode() + b",\n", "it is a JSON array"),
    "object over lines": (json.dumps(SESSIONS[0], indent=1).encode(), "it is one JSON object over"),
    "objects over lines": (json.dumps(SESSIONS[0], indent=1).encode() * 2, "sessions.jsonl:1: not JSON"),
    "UTF-16": (json.dumps(SESSIONS[0]).encode("utf-16"), "it is UTF-16. Save it as UTF-8"),
    "nothing": (b" \n", "it holds no line"),
    "prose": (b"Dear all,\nthe data.\n", "no line of it is JSON in UTF-8"),
}


@pytest.mark.parametrize(("data", "said"), UNREADABLE.values(), ids=UNREADABLE.keys())
def test_a_file_that_cannot_be_read_is_one_problem_and_no_other_follows_from_it(
    data: bytes, said: str, tmp_path: Path
) -> None:
    """The questions name sessions and messages of the file; none of that is a problem of theirs."""
    put(tmp_path, SESSIONS, QUESTIONS)
    (tmp_path / "sessions.jsonl").write_bytes(data)
    (line,) = refused(tmp_path)
    assert "sessions.jsonl: " in line
    assert said in line


def test_a_session_that_cannot_be_read_is_not_missed_by_questions_of_its_history_alone(tmp_path: Path) -> None:
    sessions = [{**one, "history": name} for name in ("broken", "whole") for one in SESSIONS]
    sessions[0] = {**sessions[0], "messages": 7}
    asked = {"question": "Q", "answers": ["a"], "evidence": ["a", "zz"]}
    put(tmp_path, sessions, [{**asked, "history": "broken"}, {**asked, "history": "whole"}])
    _, *problems, _ = refused(tmp_path)
    assert problems == [
        "  sessions.jsonl:1: `messages` must be a list in brackets, got 7",
        "  questions.jsonl:2: `evidence` names no message of `whole`, got 'zz'",
    ]


def test_a_mark_before_utf8_is_passed_over(tmp_path: Path) -> None:
    plain = BENCHMARK.load(put(tmp_path, SESSIONS, QUESTIONS)).histories
    for name in ("sessions.jsonl", "questions.jsonl"):
        (tmp_path / name).write_bytes(b"\xef\xbb\xbf" + (tmp_path / name).read_bytes())
    assert BENCHMARK.load(tmp_path).histories == plain


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        pytest.param({"session": 3}, "`session` must be a text in quotes, got 3", id="text"),
        pytest.param({"session": None}, "`session` must be a text in quotes, got null", id="null"),
        pytest.param({"messages": {"text": "a"}}, "`messages` must be a list in brackets, got {'text'", id="list"),
        pytest.param({"messages": ["hi"]}, "`messages.0` must be an object that has at least `text`", id="message"),
        pytest.param({"messages": [{"txt": "a"}]}, "`messages.0.text` is missing", id="missing"),
        pytest.param(
            {"messages": [{"text": "a", "role": "usr"}]}, "`messages.0.role` must be 'user', 'assistant',", id="role"
        ),
    ],
)
def test_a_mistyped_field_is_told_in_words_of_the_format(changes: dict[str, Any], said: str, tmp_path: Path) -> None:
    (line,) = refused(put(tmp_path, [SESSIONS[0], {**SESSIONS[1], **changes}], QUESTIONS[2:]))
    assert f"sessions.jsonl:2: {said}" in line


@pytest.mark.parametrize(
    ("question", "said"),
    [
        pytest.param(7, "the line must be an object, got 7", id="no object"),
        pytest.param({"question": "Q", "answers": "a"}, "`answers` must be a list in brackets, got 'a'", id="answers"),
        pytest.param(
            {"question": "Q", "options": ["a"], "abstain": True}, "`options` must be an object of names", id="options"
        ),
        pytest.param({"question": "Q", "abstain": "maybe"}, "`abstain` must be true or false, got 'maybe'", id="bool"),
        pytest.param({"question": "Q", "answers": [True]}, "`answers.0` must be a text in quotes, got true", id="true"),
    ],
)
def test_a_mistyped_question_is_told_in_words_of_the_format(question: Any, said: str, tmp_path: Path) -> None:
    (line,) = refused(put(tmp_path, SESSIONS, [*QUESTIONS, question]))
    assert f"questions.jsonl:5: {said}" in line


def test_an_id_that_stands_twice_is_named_with_both_lines(tmp_path: Path) -> None:
    again = {"session": "mon", "messages": [{"id": "b", "text": "x"}]}
    asked = {"id": "q1", "question": "Q", "answers": ["a"]}
    _, *problems, _ = refused(put(tmp_path, [*SESSIONS, again], [*QUESTIONS, asked]))
    assert problems == [
        "  sessions.jsonl:3: session `mon` stands twice in history `history`, first in line 1",
        "  sessions.jsonl:3: message id `b` stands twice in history `history`, first in line 2",
        "  questions.jsonl:5: question id `q1` stands twice in history `history`, first in line 1",
    ]


def test_a_key_that_stands_twice_in_an_object_is_refused(tmp_path: Path) -> None:
    put(tmp_path, SESSIONS, QUESTIONS)
    with (tmp_path / "questions.jsonl").open("a") as file:
        file.write('{"question": "Q", "answers": ["a"], "answers": ["b"]}')
    assert "questions.jsonl:5: not JSON in UTF-8 (`answers` stands twice in one object)" in refused(tmp_path)[0]


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
