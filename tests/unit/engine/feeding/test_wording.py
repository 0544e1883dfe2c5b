"""Contexts: worded alike for all, cut at the right end, within the limit."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from recollect.domain.exchange import Recall, RecallItem
from recollect.domain.ids import MessageId, SessionId
from recollect.domain.messages import Message
from recollect.engine.feeding.wording import ContextMaker, word_message
from recollect.text.tokens import count


def message(number: int, text: str) -> Message:
    return Message(message_id=MessageId(f"m{number}"), session_id=SessionId("s"), text=text, speaker="Ann")


SAID = [message(n, f"this is line {n} of some") for n in range(6)]
MAKER = ContextMaker({m.message_id: m for m in SAID})


def test_a_raw_item_is_worded_like_the_oracle_whatever_the_system_made_of_it() -> None:
    rewritten = message(2, "[2024] Ann: THIS IS LINE 2")
    context = MAKER.make(Recall.of_messages([rewritten]), limit=100)
    assert context.text == MAKER.make(Recall.of_messages([SAID[2]]), limit=100).text == "Ann: this is line 2 of some"
    assert context.items[0].text == "this is line 2 of some"


def test_ranked_recalls_are_cut_at_the_end_and_timed_ones_in_front() -> None:
    ranked = MAKER.make(Recall.of_messages(SAID), limit=25)
    timed = MAKER.make(Recall.of_messages(SAID, order="time"), limit=25)
    assert ranked.truncated
    assert timed.truncated
    assert ranked.items[0].sources == ("m0",)
    assert timed.items[-1].sources == ("m5",)
    assert [item.sources for item in timed.items] == sorted(item.sources for item in timed.items)


def test_words_of_the_system_itself_are_one_item_with_all_sources() -> None:
    recall = Recall(items=Recall.of_messages(SAID[:2]).items, rendered="they spoke of lines")
    context = MAKER.make(recall, limit=100)
    assert context.text == "they spoke of lines"
    assert context.items[0].sources == ("m0", "m1")


def test_an_item_that_is_no_message_keeps_its_time() -> None:
    item = RecallItem(text="Ann likes tea", sources=(MessageId("m1"),), said_at="2024-03-01")
    assert MAKER.make(Recall(items=(item,)), limit=100).text == "[2024-03-01] Ann likes tea"


def test_nothing_found_is_an_empty_context() -> None:
    context = MAKER.make(Recall(), limit=100)
    assert (context.text, context.tokens, context.truncated, context.items) == ("", 0, False, ())


@given(st.lists(st.text(max_size=80), max_size=12), st.integers(0, 60), st.sampled_from(["ranked", "time"]))
def test_no_context_is_over_its_limit(texts: list[str], limit: int, order: str) -> None:
    said = [message(n, text) for n, text in enumerate(texts)]
    recall = Recall.of_messages(said, order=order)  # type: ignore[arg-type]
    context = ContextMaker({m.message_id: m for m in said}).make(recall, limit=limit)
    assert context.tokens <= limit
    assert count(context.text) <= limit
    assert context.truncated or len(context.items) == len(texts)


def test_time_channel_and_speaker_are_worded_in_this_order_and_only_if_known() -> None:
    full = Message(
        message_id=MessageId("m"),
        session_id=SessionId("s"),
        text="hi",
        speaker="Ann",
        channel="ops",
        said_at="2024-03-01",
    )
    assert word_message(full) == "[2024-03-01] #ops Ann: hi"
    assert word_message(message(1, "hi"), speaker=False) == "hi"
