"""Validates a system's methods when it is opened, and every value that a system, reader or judge returns."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from contextlib import suppress
from math import isfinite
from typing import Literal

from recollect.contracts.traits import Capability
from recollect.domain.errors import CallError, MalformedError, UsageError
from recollect.domain.exchange import Recall, RecallItem, Receipt, Reply, Unit
from recollect.domain.messages import Message
from recollect.domain.outcomes import Judgement, Verdict
from recollect.engine.rows import Row
from recollect.text.tokens import count

OTHER_TOKENIZER = 1.5
"""Tolerance for systems with a tokenizer of their own; what is over the limit is cut."""


def validate_recall(recall: Recall) -> Recall:
    """*recall*, if it can be recorded."""
    if not isinstance(recall, Recall):
        raise MalformedError(f"a recall was expected, got {type(recall).__name__}")
    if not isinstance(recall.items, tuple) or recall.order not in {"ranked", "time"}:
        raise MalformedError(f"a recall has a tuple of items in order `ranked` or `time`, got {recall!r:.80}")
    for number, item in enumerate(recall.items):
        _check_item(item, f"item {number}")
    if recall.rendered is not None:
        validate_text(recall.rendered, "the rendered text")
    return recall


def within(recall: Recall, limit: int, meaning: Literal["items", "tokens", "fixed"]) -> Recall:
    """*recall*, if it keeps to the limit of its cue.

    Raises:
        CallError: It does not: the limit was ignored, and other settings may be, too.
    """
    if meaning == "items" and len(recall.items) > limit:
        raise CallError(f"{len(recall.items)} items were found with a limit of {limit}", cause="limit_ignored")
    if meaning == "tokens":
        texts = [item.text for item in recall.items] if recall.rendered is None else [recall.rendered]
        if sum(map(len, texts)) > limit and (tokens := sum(map(count, texts))) > OTHER_TOKENIZER * limit:
            raise CallError(f"{tokens} tokens were found with a limit of {limit}", cause="limit_ignored")
    return recall


def validate_units(units: Iterable[Unit]) -> list[Unit]:
    """*units*, if their sources are several ids and not the letters of one."""
    listed = list(units)
    for unit in listed:
        sources: object = unit.sources
        if isinstance(sources, str):
            raise MalformedError(f"the sources of a unit are {sources!r:.80}, not a tuple of ids")
    return listed


def validate_reply(reply: Reply) -> Reply:
    """*reply*, if it can be recorded."""
    if not isinstance(reply, Reply):
        raise MalformedError(f"a reply was expected, got {type(reply).__name__}")
    validate_text(reply.text, "the reply's text")
    if not isinstance(reply.abstained, bool):
        raise MalformedError(f"`abstained` of a reply is {reply.abstained!r}, neither true nor false")
    if reply.recall is not None:
        validate_recall(reply.recall)
    return reply


def validate_receipt(receipt: Receipt) -> Receipt:
    """*receipt*, if it has one of the three statuses."""
    if not isinstance(receipt, Receipt) or receipt.status not in {"stored", "queued", "nothing_to_store"}:
        raise MalformedError(f"a receipt was expected, got {receipt!r:.80}")
    if not isinstance(receipt.unit_ids, tuple):
        raise MalformedError(f"the unit ids of a receipt are {receipt.unit_ids!r:.80}, not a tuple")
    for name in receipt.unit_ids:
        validate_text(name, "a unit id of a receipt")
    return receipt


def validate_verdict(verdict: Verdict) -> Verdict:
    """*verdict*, if its parts lie in [0, 1] or are undecided."""
    if not isinstance(verdict, Verdict):
        raise MalformedError(f"a verdict was expected, got {type(verdict).__name__}")
    validate_text(verdict.judge, "the judge of a verdict")
    if not isinstance(verdict.parts, tuple) or not all(isinstance(part, Judgement) for part in verdict.parts):
        raise MalformedError(f"the parts of a verdict are {verdict.parts!r:.80}, not a tuple of judgements")
    for part in verdict.parts:
        validate_text(part.name, "the name of a part")
        validate_text(part.why, f"the reason of part {part.name!r}")
        if part.value is not None and not (isinstance(part.value, int | float) and 0 <= part.value <= 1):
            raise MalformedError(f"part {part.name!r} of a verdict is {part.value!r}, not a number in [0, 1]")
    return verdict


def validate_text(text: str, what: str) -> str:
    """*text*, if it is text that can be stored."""
    if not isinstance(text, str):
        raise MalformedError(f"{what} is {type(text).__name__}, not text")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise MalformedError(f"{what} holds half a character (a lone surrogate)") from None
    return text


def _check_item(item: RecallItem, where: str) -> None:
    if not isinstance(item, RecallItem) or not isinstance(item.sources, tuple):
        raise MalformedError(f"{where} is {item!r:.80}, not an item with a tuple of sources")
    if item.message is not None and not isinstance(item.message, Message):
        raise MalformedError(f"the message of {where} is a {type(item.message).__name__}")
    validate_text(item.text, f"the text of {where}")
    for name in (*item.sources, item.unit_id, item.said_at):
        if name is not None:
            validate_text(name, f"an id or time of {where}")
    if item.score is not None and not (isinstance(item.score, int | float) and isfinite(item.score)):
        raise MalformedError(f"the score of {where} is {item.score!r}, not a finite number")


REQUIRED_METHODS: Mapping[str, tuple[str, ...]] = {
    "memory": ("write", "settle", "search", "close"),
    "agent": ("observe", "reply", "answer", "settle", "close"),
}
CAPABILITY_METHODS: Mapping[Capability, tuple[str, ...]] = {
    Capability.LISTING: ("units",),
    Capability.READBACK: ("stored_from",),
    Capability.SNAPSHOT: ("save", "load"),
    Capability.FORGET: ("forget",),
    Capability.POLICY: ("policy", "adopt"),
}


def check_methods(row: Row, system: object) -> None:
    """Refuse a system that lacks a method: each of its questions would be a fault, or an empty cell."""
    if system is None:
        raise UsageError(f"row `{row.label}`: `open` returned nothing. It must return the {row.kind}.")
    wanted = [(name, f"which every {row.kind} has") for name in REQUIRED_METHODS.get(row.kind, ())]
    for can in sorted(row.traits.can):
        wanted += [(name, f"though its traits say that it can {can.value}") for name in CAPABILITY_METHODS[can]]
    lacking = [f"the method `{name}`, {why}" for name, why in wanted if not callable(getattr(system, name, None))]
    if lacking:
        where = ""
        with suppress(TypeError, OSError):  # made while running: it has no file
            where = f"{inspect.getsourcefile(type(system))}: "
        raise UsageError(
            f"{where}`{type(system).__name__}` lacks {'; '.join(lacking)}. "
            "Write what is missing, or leave the capability out of `Traits.can`."
        )
