"""LME(S*) merged from a small invented file in LongMemEval's own layout."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from recollect.benchmarks.memoryagentbench.build import build
from recollect.benchmarks.memoryagentbench.build.dialogues import (
    FILE,
    QUOTAS,
    ROWS,
    Candidate,
    clash,
    merge,
    read_items,
)
from recollect.benchmarks.memoryagentbench.families.dialogues import CONTEXT_TOKENS, TASK, TYPES
from recollect.benchmarks.memoryagentbench.load import load
from recollect.benchmarks.memoryagentbench.write import write
from recollect.contracts.benchmark import Dataset
from recollect.domain.errors import DataError
from recollect.domain.histories import Keyed

ITEMS = 336
CYCLE = [kind for kind, parts in zip(TYPES, (3, 2, 2, 5, 5, 3), strict=True) for _ in range(parts)]
FILLERS = 6


def _chat(user: str, *, marked: bool = False) -> list[dict[str, Any]]:
    return [
        {"role": "user", "content": user, **({"has_answer": True} if marked else {})},
        {"role": "assistant", "content": f"About {user.rpartition(' ')[2]} I can say a lot."},
    ]


def _item(number: int, **changes: Any) -> dict[str, Any]:
    """A question about a thing of its own, in a haystack with fillers that others share."""
    month, fillers = number % 12 + 1, [(number + place) % (2 * FILLERS) for place in range(FILLERS)]
    return {
        "question_id": f"q{number:03}{'_abs' if number % 8 == 7 else ''}",
        "question_type": CYCLE[number % len(CYCLE)],
        "question": f"Which thing{number} do I keep in drawer{number}, box{number}?",
        "answer": number if number % 2 else f"thing {number}",
        "question_date": f"2023/{month:02}/28 (Tue) 23:40",
        "haystack_session_ids": [f"answer_{number}", *(f"filler_{place}" for place in fillers)],
        "haystack_dates": [
            f"2023/{month:02}/14 (Tue) 08:30",
            *(f"2023/{month:02}/{place + 1:02} (Mon) 10:00" for place in fillers),
        ],
        "haystack_sessions": [
            _chat(f"I put thing{number} away.", marked=number % 8 != 7),
            *(_chat(f"How do I cook dish{place}") for place in fillers),
        ],
        "answer_session_ids": [f"answer_{number}"],
        **changes,
    }


def _folder(where: Path, items: list[dict[str, Any]]) -> Path:
    path = where / FILE
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(items))
    return where


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _folder(tmp_path_factory.mktemp("lme"), [_item(number) for number in range(ITEMS)])


@pytest.fixture(scope="module")
def built(folder: Path) -> Dataset:
    return build(folder, [TASK], 1)


def _types(one: Keyed) -> Counter[str]:
    return Counter(key.labels["question_type"] for key in one.keys.values())


def test_five_histories_have_sixty_questions_each_and_the_types_their_quota(built: Dataset) -> None:
    """MemoryAgentBench, table 5, and the published counts by type: 45, 30, 30, 75, 75, 45 over five rows."""
    assert len(built.histories) == ROWS
    for one in built.histories:
        assert _types(one) == QUOTAS
        assert sum(QUOTAS.values()) == len(one.history.questions) == 60
    names = [key.labels["question_id"] for one in built.histories for key in one.keys.values()]
    assert len(set(names)) == len(names) == 300


def test_what_was_reached_is_said(built: Dataset) -> None:
    assert f"{TASK} ({ITEMS} questions; row 0: 60 of 60 questions, 72 chats, " in built.origin
    assert f" of {CONTEXT_TOKENS:,} tokens; row 1: " in built.origin


def test_chats_stand_in_order_of_time_and_each_once(built: Dataset) -> None:
    for one in built.histories:
        messages = list(one.history.messages())
        times = [message.said_at or "" for message in messages]
        assert times == sorted(times)
        openings = Counter(message.text for message in messages if message.role == "user")
        assert set(openings.values()) == {1}


def test_evidence_is_the_marked_turn_and_an_unanswerable_question_has_none(built: Dataset) -> None:
    for one in built.histories:
        texts = {message.message_id: message.text for message in one.history.messages()}
        for question in one.history.questions:
            key = one.keys[question.question_id]
            thing = question.text.split()[1]
            assert [texts[name] for name in key.evidence] == ([] if key.abstain else [f"I put {thing} away."])
            assert key.abstain == ("_abs" in key.labels["question_id"])
            assert key.guidance
            assert question.asked_at is not None
            assert question.asked_at.endswith("T23:40")


def test_the_same_seed_gives_the_same_and_another_another(built: Dataset, folder: Path) -> None:
    assert build(folder, [TASK], 1) == built
    assert build(folder, [TASK], 2).histories != built.histories


def test_a_built_data_set_survives_the_disk(built: Dataset, tmp_path: Path) -> None:
    write(built, tmp_path / "a.jsonl")
    assert load(tmp_path / "a.jsonl") == built


def test_fewer_questions_than_wanted_are_said_by_type(tmp_path: Path) -> None:
    made = build(_folder(tmp_path, [_item(number) for number in range(100)]), [TASK], 1)
    assert [len(one.history.questions) for one in made.histories] == [20] * ROWS
    assert "row 1: 20 of 60 questions (3 of 9 single-session-user, " in made.origin


def test_too_few_for_five_histories_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="its 4 questions do not reach for 5 histories"):
        build(_folder(tmp_path, [_item(number) for number in range(4)]), [TASK], 1)


def _candidates(folder: Path, *items: dict[str, Any]) -> list[Candidate]:
    return [Candidate(item) for item in read_items(_folder(folder, list(items)))]


def test_questions_that_agree_do_not_clash(tmp_path: Path) -> None:
    one, other = _candidates(tmp_path, _item(0), _item(1))
    assert not clash(one, other)


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"question_id": "q000_abs"}, id="twin-without-an-answer"),
        pytest.param({"question": "Which thing0 do I keep in my drawer0 or box0 now?"}, id="same-question"),
        pytest.param(
            {
                "haystack_session_ids": ["answer_0"],
                "haystack_dates": ["2023/05/05 (Fri) 05:05"],
                "haystack_sessions": [_chat("I put thing0 away.", marked=True)],
                "answer_session_ids": ["answer_0"],
            },
            id="shared-chat-on-another-day",
        ),
        pytest.param(
            {
                "haystack_session_ids": ["answer_x"],
                "haystack_dates": ["2023/05/05 (Fri) 05:05"],
                "haystack_sessions": [_chat("In drawer0 I keep thing0 in box0.", marked=True)],
                "answer_session_ids": ["answer_x"],
            },
            id="told-by-the-others-evidence",
        ),
    ],
)
def test_questions_that_contradict_each_other_are_never_in_one_history(changes: dict[str, Any], tmp_path: Path) -> None:
    one, other = _candidates(tmp_path, _item(0), _item(1, **changes))
    assert clash(one, other)
    assert clash(other, one)


def test_fillers_give_way_to_the_budget_and_evidence_never_does(tmp_path: Path) -> None:
    chosen = _candidates(tmp_path, *(_item(number) for number in range(6)))
    least = merge(chosen, 1, Random(1))
    assert [chat.session_id for chat in least] == [f"answer_{number}" for number in range(6)]
    some, every = merge(chosen, 700, Random(1)), merge(chosen, 100_000, Random(1))
    assert len(least) < len(some) < len(every) == 6 + 11


@pytest.mark.parametrize(
    ("items", "said"),
    [
        pytest.param([_item(0, question_type="trivia")], "item 0: `question_type`: 'trivia' is none of", id="type"),
        pytest.param([_item(0, question_date="soon")], "item 0: 'soon' is no chat time", id="date"),
        pytest.param([_item(0, haystack_dates=[])], "not of one length: [0, 7]", id="lengths"),
        pytest.param([_item(0, question=" ")], "`question` or `answer` is empty", id="empty"),
        pytest.param([_item(0), _item(0)], "`question_id` 'q000' occurs twice", id="twice"),
        pytest.param([{"question_id": 3}], "item 0: ", id="fields"),
        pytest.param([7], "item 0: ", id="no-object"),
        pytest.param(
            [_item(0, haystack_sessions=[[{"role": "cat", "content": "x"}]] * 7)], "role 'cat' is none of", id="role"
        ),
    ],
)
def test_a_faulty_item_is_named_with_its_number(items: list[Any], said: str, tmp_path: Path) -> None:
    with pytest.raises(DataError) as caught:
        build(_folder(tmp_path, items), [TASK], 1)
    assert said in str(caught.value)


def test_fields_that_other_versions_of_the_file_add_are_passed_over(tmp_path: Path) -> None:
    assert len(read_items(_folder(tmp_path, [{**_item(0), "difficulty": 3}]))) == 1


@pytest.mark.parametrize(
    ("data", "said"),
    [(None, "cannot be read"), ("{", "it is not JSON"), ("{}", "no array of questions"), ("[]", "no array")],
)
def test_the_expected_file_is_named_where_it_is_missing_or_another(data: str | None, said: str, tmp_path: Path) -> None:
    if data is not None:
        _folder(tmp_path, [])
        (tmp_path / FILE).write_text(data)
    with pytest.raises(DataError, match=said) as caught:
        build(tmp_path, [TASK], 1)
    assert "longmemeval/longmemeval_s.json" in str(caught.value)
