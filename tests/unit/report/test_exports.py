"""What exports are made of: folders that are whole or not there, names that fit, types that a script knows."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import pytest

from recollect.domain.errors import UsageError
from recollect.domain.ids import MessageId, QuestionId, SessionId
from recollect.domain.messages import Message, Role, Session
from recollect.domain.questions import Key
from recollect.domain.repeats import Take
from recollect.records.calls import CallLine
from recollect.report.exports.folders import FileNames, write_folder
from recollect.report.exports.longmemeval import question_type
from recollect.report.exports.material import Material, Written
from recollect.report.text import question_names

from tests.fakes.run_builder import BENCHMARK, RowSpec, build, make_history, right


def test_a_folder_is_whole_or_not_there(tmp_path: Path) -> None:
    """A write that breaks off leaves nothing behind, not even what it had begun aside."""

    def broken(aside: Path) -> NoReturn:
        (aside / "half").write_text("half")
        raise RuntimeError("the power went")

    with pytest.raises(RuntimeError):
        write_folder(tmp_path / "deep" / "out", broken)
    assert not [file for file in tmp_path.rglob("*") if file.is_file() or file.name == "out"]


def test_a_folder_that_is_there_is_not_even_written_beside(tmp_path: Path) -> None:
    """Refused before anything is done."""
    (tmp_path / "out").mkdir()
    with pytest.raises(UsageError, match="there is something already"):
        write_folder(tmp_path / "out", lambda aside: [Written("x", 1)])
    assert [file.name for file in tmp_path.iterdir()] == ["out"]


def test_names_of_files_are_plain_and_never_the_same() -> None:
    """Rows may be called anything; some file systems take large and small letters for one."""
    names = FileNames()
    made = [names.of(name, ".jsonl") for name in ("bm25(k=3)", "a/b", "a b", "A_B", "../..", "", "über")]
    assert made == [
        "bm25(k=3).jsonl",
        "a_b.jsonl",
        "a_b_2.jsonl",
        "A_B_3.jsonl",
        "row.jsonl",
        "row_2.jsonl",
        "über.jsonl",
    ]


def session(name: str, role: Role, *messages: str) -> Session:
    """A session of messages by their ids."""
    said = (Message(message_id=MessageId(m), session_id=SessionId(name), text="x", role=role) for m in messages)
    return Session(session_id=SessionId(name), messages=tuple(said))


@pytest.mark.parametrize(
    ("key", "kind"),
    [
        ({"labels": {"type": "temporal-reasoning"}, "rejected": ("old",)}, "temporal-reasoning"),
        ({"rejected": ("old",), "evidence": ("u1",)}, "knowledge-update"),
        ({"evidence": ("u1", "u2")}, "single-session-user"),
        ({"evidence": ("a1",)}, "single-session-assistant"),
        ({"evidence": ("u1", "a1")}, "multi-session"),
        ({"evidence": ()}, "multi-session"),
        ({"evidence": ("gone",)}, "multi-session"),
    ],
)
def test_a_question_gets_a_type_that_longmemevals_script_knows(key: dict[str, object], kind: str) -> None:
    """By its own label, else by what its key shows."""
    sessions = {
        m.message_id: s for s in (session("s", "user", "u1", "u2"), session("t", "assistant", "a1")) for m in s.messages
    }
    made = Key(question_id=QuestionId("q"), **key)  # type: ignore[arg-type]
    assert question_type(made, sessions) == kind


def test_questions_asked_again_get_longer_names() -> None:
    """Only where they must."""
    asked = [("h", "c1", "q"), ("h", "c2", "q"), ("h", "c1", "p"), ("g", "c1", "q")]
    assert question_names(asked) == ["q@c1@h", "q@c2", "p", "q@c1@g"]


def call(name: str, *, replicate: int, status: str = "paid", stage: str = "answer", trial: str = "") -> CallLine:
    """A call for the first question of the built run."""
    return CallLine(
        call=name,
        kind="chat",
        role="reader",
        status=status,  # type: ignore[arg-type]
        model="m",
        stage=stage,
        trial=trial,
        question="q-facts-0-0",
        checkpoint="end",
        arm="system",
        replicate=replicate,
    )


def test_a_cell_has_the_calls_of_its_own_take_each_once(tmp_path: Path) -> None:
    """Of a call that was made and later found again, the one that was paid; those of other takes are not its own."""
    from recollect.diagnose.summary import findings

    takes = (Take(), Take(answer=1), Take(judge=1))
    rows = [RowSpec(label="bm25", says=right, takes=takes)]
    folder = build(tmp_path, rows, [make_history(0, questions=1)])
    summary, cells, _ = findings(folder, BENCHMARK)
    trial = cells[0].trial
    other = Take(answer=1).replicate_id(0)
    again = Take(judge=1).replicate_id(0)
    material = Material(
        run="r",
        identity="i",
        made_at="2026-01-01T00:00:00+00:00",
        ended_at="2026-01-01T00:00:00+00:00",
        summary=summary,
        cells=cells,
        histories={keyed.history.history_id: keyed for keyed in folder.histories()},
        calls=(
            call("a", replicate=0, status="cached", trial=trial),
            call("a", replicate=0, trial=trial),
            call("b", replicate=other, trial=trial),
            call("c", replicate=0, status="failed", trial=trial),
            call("d", replicate=again, stage="judge", trial=trial),
            call("e", replicate=0, trial="another"),
        ),
    )
    found = {cell.take: [(line.call, line.status) for line in material.calls_of(cell)] for cell in cells}
    assert found == {
        Take(): [("a", "paid")],
        Take(answer=1): [("b", "paid")],
        Take(judge=1): [("a", "paid"), ("d", "paid")],
    }
