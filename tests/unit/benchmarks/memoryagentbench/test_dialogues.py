"""LME(S*)'s rows: a context that is a Python list, gold marks beside it, and the judged score."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

from recollect.benchmarks.memoryagentbench import BENCHMARK
from recollect.benchmarks.memoryagentbench.families import SOURCES
from recollect.benchmarks.memoryagentbench.families.dialogue_layout import (
    chat_time,
    context_of,
    iso_time,
    passages_of,
    whole_of,
)
from recollect.benchmarks.memoryagentbench.families.dialogues import (
    FAMILY,
    MADE,
    PUBLISHED_TYPES,
    TASK,
    TYPES,
    guidance_of,
)
from recollect.benchmarks.memoryagentbench.load import load
from recollect.benchmarks.memoryagentbench.write import write
from recollect.contracts.benchmark import Dataset
from recollect.domain.errors import DataError
from recollect.domain.exchange import Reply
from recollect.domain.histories import Keyed
from recollect.domain.outcomes import Judgement, Status, Verdict
from recollect.domain.questions import Key
from recollect.domain.steps import Observe

CHATS: list[Any] = [
    "Chat Time: 2023/02/03 (Fri) 10:05",
    [
        {"role": "user", "content": 'My cat is called Pim, and she\'s "mad".'},
        {"role": "assistant", "content": "Nice name.\nHow old is she?"},
    ],
    "Chat Time: 2023/02/20 (Mon) 21:40",
    [
        {"role": "user", "content": "Pim's new name is Ōlo."},
        {"role": "assistant", "content": "Nice name.\nHow old is she?"},
    ],
]


def _turn(chat: int, turn: int, *, marked: bool) -> dict[str, Any]:
    return {**CHATS[2 * chat + 1][turn], "has_answer": marked}


PUBLISHED: dict[str, Any] = {
    "context": repr(CHATS),
    "questions": ["What is my cat called now?", "What is my dog called?"],
    "answers": [["Ōlo"], ["You did not mention a dog."]],
    "metadata": {
        "demo": None,
        "haystack_sessions": [
            [
                [_turn(0, 0, marked=True), _turn(0, 1, marked=False)],
                [_turn(1, 0, marked=True), _turn(1, 1, marked=False)],
            ],
            [],
        ],
        "keypoints": None,
        "previous_events": None,
        "qa_pair_ids": ["longmemeval_s*_no0", "longmemeval_s*_no1"],
        "question_dates": ["2023/03/01 (Wed) 09:00", "2023/03/02 (Thu) 18:30"],
        "question_ids": ["6a1e", "7c1e_abs"],
        "question_types": ["knowledge-update", "single-session-user"],
        "source": TASK,
    },
}
"""Invented, in the published layout."""


def _file(folder: Path, row: dict[str, Any]) -> Path:
    path = folder / "rows.jsonl"
    path.write_text(f"{json.dumps(row)}\n", encoding="utf-8")
    return path


def _changed(**changes: Any) -> dict[str, Any]:
    metadata = {**PUBLISHED["metadata"], **changes.pop("metadata", {})}
    return {**PUBLISHED, **changes, "metadata": metadata}


def _loaded(folder: Path, row: dict[str, Any]) -> Keyed:
    (one,) = load(_file(folder, row)).histories
    return one


def test_a_published_row_becomes_dated_chats_with_marked_evidence(tmp_path: Path) -> None:
    one = _loaded(tmp_path, PUBLISHED)
    messages = list(one.history.messages())
    assert [m.text for m in messages] == [turn["content"] for chat in CHATS[1::2] for turn in chat]
    assert [m.role for m in messages] == ["user", "assistant"] * 2
    assert [m.speaker for m in messages] == ["User", "Assistant"] * 2
    assert [m.said_at for m in messages] == ["2023-02-03T10:05"] * 2 + ["2023-02-20T21:40"] * 2
    assert len({m.session_id for m in messages}) == 2
    first, second = one.history.questions
    assert (first.asked_at, second.asked_at) == ("2023-03-01T09:00", "2023-03-02T18:30")
    known, unknown = one.keys[first.question_id], one.keys[second.question_id]
    assert known.evidence == (messages[0].message_id, messages[2].message_id)
    assert (known.abstain, known.labels["question_type"], known.labels["abstain"]) == (False, "knowledge-update", "no")
    assert (unknown.abstain, unknown.evidence, unknown.labels["abstain"]) == (True, (), "yes")


def test_what_counts_as_right_goes_by_the_type_and_not_for_the_unanswerable(tmp_path: Path) -> None:
    one = _loaded(tmp_path, PUBLISHED)
    first, second = (one.keys[question.question_id] for question in one.history.questions)
    assert first.guidance == guidance_of("knowledge-update", False)
    assert second.guidance == guidance_of("single-session-user", True)


def test_a_published_row_comes_back_word_for_word_with_the_sessions_of_its_evidence(tmp_path: Path) -> None:
    write(load(_file(tmp_path, PUBLISHED)), tmp_path / "again.jsonl")
    again = json.loads((tmp_path / "again.jsonl").read_text())
    assert {name: again[name] for name in PUBLISHED} == PUBLISHED
    assert load(tmp_path / "again.jsonl") == load(_file(tmp_path, PUBLISHED))


def test_a_marked_turn_is_found_in_its_own_session_where_two_say_the_same(tmp_path: Path) -> None:
    marks = [[[_turn(1, 0, marked=False), _turn(1, 1, marked=True)]], []]
    one = _loaded(tmp_path, _changed(metadata={"haystack_sessions": marks}))
    key = one.keys[one.history.questions[0].question_id]
    assert key.evidence == (list(one.history.messages())[3].message_id,)


def test_a_turn_of_a_session_that_was_cut_is_found_by_its_words_and_a_lost_one_is_counted(tmp_path: Path) -> None:
    gone = {"role": "user", "content": "Nowhere else.", "has_answer": True}
    one = _loaded(tmp_path, _changed(metadata={"haystack_sessions": [[[_turn(1, 0, marked=True), gone]], []]}))
    key = one.keys[one.history.questions[0].question_id]
    assert key.evidence == (list(one.history.messages())[2].message_id,)
    assert key.labels["evidence_lost"] == "1"


def test_without_haystacks_there_is_no_evidence(tmp_path: Path) -> None:
    one = _loaded(tmp_path, _changed(metadata={"haystack_sessions": None}))
    assert all(not key.evidence for key in one.keys.values())


@pytest.mark.parametrize(
    ("row", "said"),
    [
        pytest.param(_changed(context="__import__('os').getcwd()"), "it is not a Python list", id="code"),
        pytest.param(_changed(context="[" * 9_999), "it is not a Python list", id="nested"),
        pytest.param(_changed(context="-" * 99_999 + "1"), "it is not a Python list", id="deep"),
        pytest.param(_changed(context="{'a': 1}"), "it is a dict, not a Python list", id="dict"),
        pytest.param(_changed(context="[]"), "there is no turn with words in it", id="empty"),
        pytest.param(_changed(context="['Hello', []]"), "entry 0 is a text that does not begin with", id="header"),
        pytest.param(_changed(context="['Chat Time: 2023/02/30 (Thu) 10:05', []]"), "is no chat time", id="date"),
        pytest.param(_changed(context=repr(CHATS[1:])), "entry 0 is a session without a time", id="no-time"),
        pytest.param(_changed(context=repr([CHATS[0], 7])), "entry 1 is neither a chat time", id="number"),
        pytest.param(_changed(context=repr([CHATS[0], [{"role": "cat", "content": "x"}]])), "turn 0 has no", id="role"),
        pytest.param(_changed(context=repr([CHATS[0], [{"role": [], "content": "x"}]])), "turn 0 has no", id="list"),
        pytest.param(_changed(context=repr([CHATS[0], ["x"]])), "entry 1, turn 0 has no `content`", id="no-turn"),
        pytest.param(
            _changed(metadata={"question_types": ["trivia", "multi-session"]}), "'trivia' is none of", id="type"
        ),
        pytest.param(_changed(metadata={"question_dates": ["soon", "later"]}), "'soon' is no chat time", id="asked"),
        pytest.param(_changed(metadata={"question_ids": ["a"]}), "`metadata.question_ids`: it has 1 entries", id="ids"),
        pytest.param(_changed(metadata={"question_dates": None}), "`metadata.question_dates`: it has nothing", id="no"),
        pytest.param(_changed(metadata={"haystack_sessions": [[]]}), "`metadata.haystack_sessions`", id="haystacks"),
    ],
)
def test_a_faulty_row_is_refused_and_never_run(row: dict[str, Any], said: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"rows\.jsonl:1: |problems") as caught:
        load(_file(tmp_path, row))
    assert said in str(caught.value)


def test_times_are_local_and_have_no_place_for_more() -> None:
    assert iso_time("2024/02/29 (Thu) 00:07") == "2024-02-29T00:07"
    assert chat_time("2024-02-29T00:07") == "2024/02/29 (Thu) 00:07"
    for said_at in ("2024-02-29T00:07:30", "2024-02-29T00:07+01:00"):
        with pytest.raises(ValueError, match="not of minutes"):
            chat_time(said_at)
    with pytest.raises(ValueError, match="no time"):
        chat_time(None)


def test_the_context_is_what_repr_gives_and_every_span_is_the_turn_of_its_message(tmp_path: Path) -> None:
    passages = passages_of(PUBLISHED["context"])
    assert context_of(passages) == repr(CHATS)
    messages = list(_loaded(tmp_path, PUBLISHED).history.messages())
    text, spans = whole_of(messages)
    assert text == repr(CHATS)
    turns = [ast.literal_eval(text[start:end]) for start, end in spans]
    assert [turn["content"] for turn in turns] == [message.text for message in messages]


def test_a_turn_without_words_is_passed_over() -> None:
    context = repr([CHATS[0], [{"role": "user", "content": " "}], CHATS[2], CHATS[3]])
    passages = passages_of(context)
    assert [(one.session, one.said_at) for one in passages] == [(0, "2023-02-20T21:40")] * 2


def test_the_standard_track_shows_chats_as_they_are_and_the_papers_cuts_their_published_text(tmp_path: Path) -> None:
    one = _loaded(tmp_path, PUBLISHED)
    standard = BENCHMARK.steps(one.history, BENCHMARK.card.standard.steps_for(TASK))
    shown = [step.session.messages for step in standard if isinstance(step, Observe)]
    assert [[m.message_id for m in session] for session in shown] == [
        [m.message_id for m in one.history.messages()][:2],
        [m.message_id for m in one.history.messages()][2:],
    ]
    paper = BENCHMARK.steps(one.history, BENCHMARK.card.paper.steps_for(TASK))
    (chunk,) = [step for step in paper if isinstance(step, Observe)]
    assert "Chat Time: 2023/02/03 (Fri) 10:05" in chunk.session.messages[0].text
    assert set(*chunk.covers.values()) == {m.message_id for m in one.history.messages()}


def test_the_card_says_what_the_paper_does() -> None:
    """MemoryAgentBench, tables 5, 13 and 14; 50 tokens in the authors' configuration."""
    source, card = SOURCES[TASK], BENCHMARK.card.tasks[TASK]
    assert (source.questions, source.rows, source.chunk_tokens) == (300, 5, 512)
    assert (FAMILY.split, FAMILY.output_tokens, FAMILY.code_output_tokens) == ("Accurate_Retrieval", 100, 50)
    assert sum(PUBLISHED_TYPES.values()) == 300
    assert (card.judged, card.binary, card.floor, card.ceiling) == (True, True, "none", "oracle")
    assert "position" in card.meaning
    assert SOURCES[MADE].made


def _key(**more: Any) -> Key:
    labels = {"question_type": TYPES[0]}
    return Key(**{"question_id": "q", "gold": ("Ōlo",), "rejected": ("Pim",), "labels": labels, **more})


def _verdict(value: float | None) -> Verdict:
    return Verdict(parts=(Judgement(name="right", value=value, why="by hand"),), judge="hand")


def _scored(key: Key, reply: Reply, verdict: Verdict | None, folder: Path) -> Any:
    question = _loaded(folder, PUBLISHED).history.questions[0]
    return BENCHMARK.score(question, key, reply, verdict, {})


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_the_judge_decides_whatever_the_words_are(value: float, tmp_path: Path) -> None:
    outcome = _scored(_key(), Reply(text="it is Ōlo, not Pim"), _verdict(value), tmp_path)
    parts = {part.name: part.value for part in outcome.parts}
    assert outcome.value == value
    assert (parts["right"], parts["substring_exact_match"], parts["stale"]) == (value, 1.0, 0.0)
    assert parts["f1"] == pytest.approx(2 * (1 / 5) * 1 / (1 / 5 + 1))


def test_a_stale_answer_is_told_beside(tmp_path: Path) -> None:
    outcome = _scored(_key(), Reply(text="Pim"), _verdict(0.0), tmp_path)
    assert {part.name: part.value for part in outcome.parts}["stale"] == 1.0


@pytest.mark.parametrize("verdict", [None, _verdict(None)])
def test_without_a_decision_the_outcome_is_undecided_and_no_zero(verdict: Verdict | None, tmp_path: Path) -> None:
    outcome = _scored(_key(), Reply(text="Ōlo"), verdict, tmp_path)
    assert (outcome.status, outcome.value) == (Status.UNDECIDED, None)
    assert {part.name: part.value for part in outcome.parts}["substring_exact_match"] == 1.0


@pytest.mark.parametrize(("abstain", "value"), [(True, 1.0), (False, 0.0)])
def test_declining_is_right_only_where_nothing_is_told(abstain: bool, value: float, tmp_path: Path) -> None:
    reply = Reply(text="I do not know.", abstained=True)
    outcome = _scored(_key(abstain=abstain), reply, _verdict(value), tmp_path)
    assert (outcome.status, outcome.value) == (Status.ABSTAINED, value)
    words = {part.name: part.value for part in outcome.parts}["substring_exact_match"]
    assert words == (None if abstain else 0.0)


def test_parquet_keeps_the_rows_too(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    data: Dataset = load(_file(tmp_path, PUBLISHED))
    write(data, tmp_path / "rows.parquet")
    assert load(tmp_path / "rows.parquet") == data
