"""Memories that break one promise each, for the doctor: `doctor_memories.py:twin=NAME` on a command line.

`TWINS` says which check must fail; the honest one passes all that can be told of it.
"""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, cast

from recollect.contracts.memory import Memory, Room
from recollect.contracts.models import ChatRequest, Tool, ToolModel, Turn
from recollect.contracts.systems import MemoryKind
from recollect.contracts.traits import Traits, WriteUnit
from recollect.domain.errors import MalformedError
from recollect.domain.exchange import Batch, Cue, Recall, RecallItem, Receipt, Unit
from recollect.domain.ids import MessageId, UnitId

from tests.fakes import broken_memories as broken
from tests.fakes.broken_memories import KEEPS_ALL, HonestTwin

KEEPS_SOME = replace(KEEPS_ALL, keeps="some")
TELLS_MODELS = replace(KEEPS_ALL, models_on_write=True)
LATE_S = 0.3
_TOOL = Tool(name="keep", description="Whether to keep what was said.", parameters={"type": "object"})


@dataclass
class Roomy(HonestTwin):
    """Knows its whole room."""

    given: Room = field(default_factory=lambda: Room(folder=Path(), namespace="", seed=0))


class NoForget(HonestTwin):
    """Promises to forget, and has no method for it."""

    forget = None  # type: ignore[assignment]


@dataclass
class EmptiesAllOnClose(HonestTwin):
    """Whoever closes takes along what all others hold."""

    everybody: ClassVar[list[EmptiesAllOnClose]] = []

    def __post_init__(self) -> None:
        self.everybody.append(self)

    def close(self) -> None:
        for one in self.everybody:
            one.messages = []


class SettlesLate(HonestTwin):
    """The newest session is found a moment after `settle` has returned."""

    settled = 0.0

    def settle(self) -> None:
        self.settled = time.monotonic()

    def search(self, cue: Cue) -> Recall:
        found = super().search(cue)
        if time.monotonic() - self.settled > LATE_S:
            return found
        newest = {m.message_id for m in self.messages[-3:]}
        return replace(found, items=tuple(item for item in found.items if not newest & set(item.sources)))


class MergesEqualTexts(HonestTwin):
    """Says the same once, and forgets who else said it."""

    def write(self, batch: Batch) -> Receipt:
        known = {m.text for m in self.messages}
        return super().write(replace(batch, messages=tuple(m for m in batch.messages if m.text not in known)))


class RefusesTheEmpty(HonestTwin):
    """Breaks on an empty text."""

    def write(self, batch: Batch) -> Receipt:
        if not all(m.text.strip() for m in batch.messages):
            raise ValueError("nothing to embed")
        return super().write(batch)


class TakesTheFirst(HonestTwin):
    """Of each write the first message only."""

    def write(self, batch: Batch) -> Receipt:
        super().write(replace(batch, messages=batch.messages[:1]))
        return Receipt.stored()


class NamesOtherUnits(HonestTwin):
    """Its receipts name units that are listed under other names."""

    def write(self, batch: Batch) -> Receipt:
        super().write(batch)
        return Receipt.stored(f"unit-{m.message_id}" for m in batch.messages)


class ListsInTurns(HonestTwin):
    """Every other listing is backwards."""

    turn = 0

    def units(self) -> Iterator[Unit]:
        self.turn += 1
        listed = list(super().units())
        return iter(listed if self.turn % 2 else listed[::-1])


class Bare(HonestTwin):
    """Shows texts alone: no time, no speaker, no channel."""

    def search(self, cue: Cue) -> Recall:
        found = super().search(cue)
        return replace(found, items=tuple(replace(i, message=None, said_at=None) for i in found.items))


class WorstFirst(HonestTwin):
    """Scores rise from item to item."""

    def search(self, cue: Cue) -> Recall:
        found = super().search(cue)
        return (
            replace(found, items=tuple(replace(i, score=float(n)) for n, i in enumerate(found.items)))
            if (len(found.items) > 1)
            else replace(found, items=tuple(replace(i, score=-1.0) for i in found.items) * 2)
        )


class AsksQuietly(Roomy):
    """Calls a model on each write, of which its traits say nothing."""

    def write(self, batch: Batch) -> Receipt:
        if self.given.model is not None:
            self.given.model.complete([Turn(role="user", text=batch.text)])
        return super().write(batch)


class SearchesQuietly(Roomy):
    """Calls a model on each search, of which its traits say nothing."""

    def search(self, cue: Cue) -> Recall:
        if self.given.model is not None:
            self.given.model.complete([Turn(role="user", text=cue.text)])
        return super().search(cue)


class PutsTheClockIntoPrompts(AsksQuietly):
    """No two of its prompts are the same."""

    def write(self, batch: Batch) -> Receipt:
        return super().write(replace(batch, text=f"{time.monotonic_ns()}: {batch.text}"))


class Extractor(Roomy):
    """Keeps what its model says is worth keeping; says so where the model says nothing that can be read."""

    def write(self, batch: Batch) -> Receipt:
        return super().write(batch) if self.is_kept(batch) else Receipt.nothing()

    def is_kept(self, batch: Batch) -> bool:
        return bool(json.loads(self.asked(batch))["keep"])

    def asked(self, batch: Batch) -> str:
        if self.given.model is None:
            return '{"keep": true}'
        return self.given.model.complete([Turn(role="user", text=f"Answer in JSON: keep this? {batch.text}")])


class TakesProseForNo(Extractor):
    """A reply that is no JSON means that there is nothing to keep."""

    def is_kept(self, batch: Batch) -> bool:
        try:
            return super().is_kept(batch)
        except ValueError:
            return False


class ToolExtractor(Extractor):
    """The same by a tool."""

    def asked(self, batch: Batch) -> str:
        if self.given.model is None:
            return '{"keep": true}'
        request = ChatRequest(turns=(Turn(role="user", text=batch.text),), tools=(_TOOL,))
        reply = cast("ToolModel", self.given.model).chat(request)
        if not reply.calls:
            raise MalformedError("the model called no tool")
        return reply.calls[0].arguments


class TakesEmptyCallsForNo(ToolExtractor):
    """Arguments that cannot be read mean that there is nothing to keep."""

    def is_kept(self, batch: Batch) -> bool:
        try:
            return super().is_kept(batch)
        except ValueError:
            return False


class SwallowsErrors(Extractor):
    """A model that fails means that there is nothing to keep; a run sees the failed call all the same."""

    def is_kept(self, batch: Batch) -> bool:
        try:
            return super().is_kept(batch)
        except Exception:  # noqa: BLE001
            return False


class SwallowsErrorsUnseen(SwallowsErrors):
    """The same, by calls that go past the room from a thread of its own: no run can see them."""

    def asked(self, batch: Batch) -> str:
        replies: list[str] = []
        bare: Any = getattr(self.given.model, "model", None)
        prompt = [Turn(role="user", text=f"Answer in JSON: keep this? {batch.text}")]

        def ask() -> None:
            try:
                replies.append(bare.complete(prompt))
            except Exception:  # noqa: BLE001
                replies.append("")

        thread = threading.Thread(target=ask)
        thread.start()
        thread.join()
        return replies[0]


class CallsHome(HonestTwin):
    """Tells somebody elsewhere that it was opened, and does not mind if nobody listens."""

    def settle(self) -> None:
        try:
            socket.create_connection(("192.0.2.1", 443), timeout=0.1).close()
        except OSError:
            return


class LeavesThings(HonestTwin):
    """Keeps a note of its own at home."""

    def settle(self) -> None:
        (Path.home() / ".twin").mkdir(exist_ok=True)
        (Path.home() / ".twin" / "seen").write_text("yes")


class GoesByTheDay(HonestTwin):
    """What is older than a year is found last."""

    def search(self, cue: Cue) -> Recall:
        from datetime import datetime

        found = super().search(replace(cue, limit=10**6))
        is_late = datetime.now().year % 100 > 30  # noqa: DTZ005
        return replace(found, items=(found.items[::-1] if is_late else found.items)[: cue.limit])


class FindsOthers(HonestTwin):
    """Its items name a message that nobody showed it."""

    def search(self, cue: Cue) -> Recall:
        found = super().search(cue)
        other = RecallItem(text="My router is a Nimbus 9.", sources=(MessageId("m" + "0" * 16),), unit_id=UnitId("x"))
        return replace(found, items=(*found.items, replace(other, score=0.0))[: cue.limit])


TWINS: dict[str, tuple[type[HonestTwin], Traits, str]] = {
    "NoForget": (NoForget, KEEPS_ALL, "opens"),
    "SharesAStoreWithAll": (broken.SharesAStoreWithAll, KEEPS_ALL, "isolation"),
    "EmptiesAllOnClose": (EmptiesAllOnClose, KEEPS_ALL, "reset"),
    "NeverIndexes": (broken.NeverIndexes, KEEPS_ALL, "planted"),
    "SettlesLate": (SettlesLate, KEEPS_ALL, "visible"),
    "NeverSettles": (broken.NeverSettles, KEEPS_ALL, "visible"),
    "PassesTheLimit": (broken.PassesTheLimit, KEEPS_ALL, "limits"),
    "NotFixed": (HonestTwin, replace(KEEPS_ALL, limit="fixed"), "limits"),
    "RendersEverything": (broken.RendersEverything, replace(KEEPS_ALL, limit="tokens"), "limits"),
    "MergesEqualTexts": (MergesEqualTexts, KEEPS_SOME, "same_text"),
    "RefusesTheEmpty": (RefusesTheEmpty, KEEPS_ALL, "odd_texts"),
    "TrimsTexts": (broken.TrimsTexts, KEEPS_ALL, "odd_texts"),
    "TakesTheFirst": (TakesTheFirst, replace(KEEPS_SOME, takes=WriteUnit.SESSION), "takes"),
    "DropsTheSecond": (TakesTheFirst, replace(KEEPS_ALL, takes=WriteUnit.PAIR), "takes"),
    "SilentReceipts": (broken.SilentReceipts, KEEPS_ALL, "receipts"),
    "NamesOtherUnits": (NamesOtherUnits, KEEPS_ALL, "receipts"),
    "SkipsOnWrite": (broken.SkipsOnWrite, KEEPS_ALL, "keeps"),
    "ShowsNothing": (broken.NeverIndexes, replace(KEEPS_SOME, can=frozenset()), "holds_nothing"),
    "HoldsSomething": (HonestTwin, replace(KEEPS_SOME, holds_nothing=True), "holds_nothing"),
    "ListsInTurns": (ListsInTurns, KEEPS_ALL, "can_list"),
    "GenerousReadback": (broken.GenerousReadback, KEEPS_ALL, "can_read_back"),
    "ForgetsInTheListingOnly": (broken.ForgetsInTheListingOnly, KEEPS_ALL, "can_forget"),
    "ForgetsAll": (broken.ForgetsAll, KEEPS_ALL, "can_forget"),
    "LoadsHalf": (broken.LoadsHalf, KEEPS_ALL, "can_save"),
    "WritesIntoTheSnapshot": (broken.WritesIntoTheSnapshot, KEEPS_ALL, "can_save"),
    "SignsItsSnapshots": (broken.SignsItsSnapshots, KEEPS_ALL, "snapshot_deterministic"),
    "WritesOnSearch": (broken.WritesOnSearch, KEEPS_SOME, "writes_when_asked"),
    "StampsWhatItFinds": (broken.StampsWhatItFinds, KEEPS_ALL, "time"),
    "LosesTheTime": (Bare, KEEPS_ALL, "time"),
    "LosesTheSpeaker": (Bare, KEEPS_ALL, "speaker"),
    "LosesTheChannel": (Bare, KEEPS_ALL, "channel"),
    "WorstFirst": (WorstFirst, KEEPS_ALL, "score"),
    "ScoresUnasked": (HonestTwin, replace(KEEPS_ALL, score="none"), "score"),
    "LosesProvenance": (broken.LosesProvenance, KEEPS_ALL, "provenance"),
    "WrongProvenance": (broken.WrongProvenance, KEEPS_ALL, "provenance"),
    "FindsOthers": (FindsOthers, KEEPS_ALL, "provenance"),
    "ShowsAPart": (HonestTwin, replace(KEEPS_ALL, bound="window"), "bound"),
    "AsksQuietly": (AsksQuietly, KEEPS_ALL, "models_on_write"),
    "BoastsOfModels": (HonestTwin, TELLS_MODELS, "models_on_write"),
    "SearchesQuietly": (SearchesQuietly, KEEPS_ALL, "models_on_search"),
    "PutsTheClockIntoPrompts": (PutsTheClockIntoPrompts, TELLS_MODELS, "paid_once"),
    "SwallowsErrorsUnseen": (SwallowsErrorsUnseen, TELLS_MODELS, "server_errors"),
    "TakesProseForNo": (TakesProseForNo, TELLS_MODELS, "prose"),
    "TakesEmptyCallsForNo": (TakesEmptyCallsForNo, TELLS_MODELS, "empty_calls"),
    "CallsHome": (CallsHome, KEEPS_ALL, "sockets"),
    "LeavesThings": (LeavesThings, KEEPS_ALL, "files"),
    "GoesByTheDay": (GoesByTheDay, KEEPS_ALL, "clock"),
}
"""Name -> what it is, what it says of itself, and the check that must fail."""
SOUND: dict[str, tuple[type[HonestTwin], Traits, str]] = {
    "honest": (HonestTwin, KEEPS_ALL, ""),
    "extractor": (Extractor, TELLS_MODELS, ""),
    "tools": (ToolExtractor, TELLS_MODELS, ""),
}
HALF_SOUND: dict[str, tuple[type[HonestTwin], Traits, str]] = {
    "SwallowsErrors": (SwallowsErrors, TELLS_MODELS, "prose")
}
"""Fails where a run cannot see what it swallows, passes where a run can."""
ALL = {**SOUND, **HALF_SOUND, **TWINS}


@dataclass(frozen=True, slots=True)
class TwinConfig:
    """Which one."""

    twin: str = "honest"


def opened(config: TwinConfig, room: Room) -> Memory:
    """The twin in its room."""
    kind: Callable[[Path], HonestTwin] = ALL[config.twin][0]
    made = kind(room.folder)
    if isinstance(made, Roomy):
        made.given = room
    return made


KIND = MemoryKind(
    name="twin",
    version=1,
    summary="honest, or broken in one way",
    config=TwinConfig,
    traits=lambda config: ALL[config.twin][1],
    open=opened,
    needs=(),
)
