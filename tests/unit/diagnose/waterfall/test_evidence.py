"""Depths of a recall: in items, and in what the engine's context maker lets a reader read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.diagnose.records.join import read_run
from recollect.diagnose.waterfall.evidence import Trail
from recollect.domain.exchange import Recall, RecallItem
from recollect.domain.ids import MessageId, SessionId
from recollect.domain.messages import Message
from recollect.engine.feeding.wording import ContextMaker
from recollect.records.tables.cells import CellOutcome, ReadDepth, Recalled, RecalledItem
from recollect.text.tokens import count

from tests.fakes.run_builder import BENCHMARK, RowSpec, build, right

COVERS = {MessageId("a"): (MessageId("m1"), MessageId("m2")), MessageId("b"): (MessageId("m2"),)}


def covered_by(source: MessageId) -> tuple[MessageId, ...]:
    return COVERS.get(source, (source,))


def items(*sources: Sequence[str]) -> tuple[RecalledItem, ...]:
    return tuple(RecalledItem(text="x", sources=tuple(MessageId(s) for s in one)) for one in sources)


@pytest.mark.parametrize(
    ("depth", "recall", "precision"),
    [
        pytest.param(0, 0.0, None, id="nothing-read"),
        pytest.param(1, 0.0, 0.0, id="one-that-holds-none"),
        pytest.param(2, 2 / 3, 1 / 2, id="one-shown-message-holds-two-of-the-history"),
        pytest.param(3, 2 / 3, 2 / 3, id="a-second-shown-message-holds-nothing-new"),
        pytest.param(4, 2 / 3, 2 / 3, id="the-same-again-is-counted-once"),
        pytest.param(99, 2 / 3, 2 / 3, id="deeper-than-the-recall"),
    ],
)
def test_recall_counts_messages_of_the_history_and_precision_shown_ones(
    depth: int, recall: float, precision: float | None
) -> None:
    """Found are z, a (holding m1 and m2), b (holding m2) and a again; wanted are m1, m2 and m3."""
    trail = Trail(Recalled(items=items("z", "a", "b", "a")), covered_by)
    met = trail.met({MessageId("m1"), MessageId("m2"), MessageId("m3")}, [depth])[0]
    assert met.recall == pytest.approx(recall)
    assert met.precision == (None if precision is None else pytest.approx(precision))


def test_counting_recall_in_shown_messages_would_be_caught() -> None:
    """A broken twin: covers that are ignored find nothing of the history."""
    trail = Trail(Recalled(items=items("a")), lambda source: (source,))
    assert trail.met({MessageId("m1")}, [1])[0].recall == 0.0


def test_a_recall_in_time_is_read_from_its_end() -> None:
    trail = Trail(Recalled(items=items(["m1"], ["m9"]), order="time"), covered_by)
    assert [met.recall for met in trail.met({MessageId("m1")}, [1, 2])] == [0.0, 1.0]


def test_without_evidence_nothing_can_be_met() -> None:
    assert Trail(Recalled(items=items("a")), covered_by).met(set(), [1]) == [(None, None)]


TEXT = st.text(alphabet="ab [.", max_size=12)


def message(at: int, text: str, *, said_at: str | None, speaker: str, channel: str) -> RecallItem:
    whole = Message(
        message_id=MessageId(f"m{at}"),
        session_id=SessionId("s"),
        text=text,
        said_at=said_at,
        speaker=speaker,
        channel=channel,
    )
    return Recall.of_messages([whole]).items[0]


RAW = st.builds(
    message,
    st.integers(0, 10**6),
    TEXT,
    said_at=st.sampled_from([None, "2024-03-01T09:30"]),
    speaker=st.sampled_from(["", "Ann"]),
    channel=st.sampled_from(["", "ops"]),
)
WORDED = st.builds(
    RecallItem, text=TEXT, sources=st.just((MessageId("m"),)), said_at=st.sampled_from([None, "2024-03-01T09:30"])
)


@given(
    found=st.lists(st.one_of(RAW, WORDED), max_size=6, unique_by=lambda item: item.message and item.sources),
    order=st.sampled_from(["ranked", "time"]),
    limit=st.integers(0, 60),
)
def test_items_are_worded_and_cut_as_the_engine_does(
    found: Sequence[RecallItem], order: Literal["ranked", "time"], limit: int
) -> None:
    """The engine may show a part of one more item; that one is not counted as read."""
    shown = {item.message.message_id: item.message for item in found if item.message}
    context = ContextMaker(shown).make(Recall(items=tuple(found), order=order), limit=limit)
    recall = Recalled(items=tuple(_as_recalled(item) for item in found), order=order)
    number = ReadDepth(count=count).items(
        replace(_cell(), recall=recall, context_tokens=context.tokens, truncated=True)
    )
    whole = [item.worded() for item in recall.items]
    kept = context.text.split("\n") if context.items else []
    assert number is not None
    assert len(context.items) - 1 <= number
    if context.truncated:
        assert number <= len(context.items)
        read = whole[len(whole) - number :] if order == "time" else whole[:number]
        assert (kept[len(kept) - number :] if order == "time" else kept[:number]) == read


def _as_recalled(item: RecallItem) -> RecalledItem:
    if item.message is None:
        return RecalledItem(text=item.text, sources=item.sources, said_at=item.said_at)
    said = item.message
    return RecalledItem(
        text=said.text,
        sources=item.sources,
        raw=True,
        said_at=said.said_at,
        speaker=said.speaker,
        channel=said.channel,
    )


_CELLS: list[CellOutcome] = []


def _cell() -> CellOutcome:
    return _CELLS[0]


@pytest.fixture(autouse=True, scope="module")
def _one_cell(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = build(tmp_path_factory.mktemp("reach") / "run", [RowSpec(label="bm25", says=right)])
    _CELLS.append(read_run(folder, BENCHMARK).cells[0])


def test_what_was_not_cut_was_read_whole() -> None:
    recall = Recalled(items=items("a", "b"))
    assert ReadDepth(count=count).items(replace(_cell(), recall=recall, context_tokens=0)) == 2


def test_a_context_in_the_systems_own_words_that_was_cut_cannot_be_told(tmp_path: Path) -> None:
    recall = Recalled(items=items("a", "b"), rendered="a and b")
    cell = replace(_cell(), recall=recall, context_tokens=1, truncated=True)
    assert ReadDepth(count=count).items(cell) is None
    assert ReadDepth(count=count).items(replace(cell, truncated=False)) == 2


def test_an_agents_context_cannot_be_told() -> None:
    cell = replace(_cell(), recall=Recalled(items=items("a")), context_tokens=None)
    assert ReadDepth(count=count).items(cell) is None
