"""A memory that calls models over HTTP, as a system in any language would: facts by chat, likeness by vectors.

Run it: recollect run own --data examples/own_data --memory examples/gateway_memory.py --name facts
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from recollect.contracts.memory import Access, Memory, Room
from recollect.contracts.systems import MemoryKind
from recollect.contracts.traits import Capability, Traits
from recollect.domain.exchange import Batch, Cue, Recall, RecallItem, Receipt, Unit
from recollect.domain.ids import MessageId, UnitId

ORDERS = "List the facts in the text as a JSON object with a key `facts`, a list of texts."
FACTS = {"type": "object", "properties": {"facts": {"type": "array", "items": {"type": "string"}}}}


@dataclass(frozen=True, slots=True)
class FactsConfig:
    model: str = "any"
    """The gateway puts the model of the run in its place."""


@dataclass
class FactsMemory:
    config: FactsConfig
    access: Access
    _units: list[Unit] = field(default_factory=list, init=False)
    _vectors: list[list[float]] = field(default_factory=list, init=False)

    def write(self, batch: Batch) -> Receipt:
        turns = [{"role": "system", "content": ORDERS}, {"role": "user", "content": f"Text:\n{batch.text}"}]
        wanted = {"type": "json_schema", "json_schema": {"name": "facts", "schema": FACTS}}
        said = self._post("/chat/completions", messages=turns, response_format=wanted, temperature=0)
        facts: list[str] = json.loads(said["choices"][0]["message"]["content"])["facts"]
        if not facts:
            return Receipt.nothing()
        new = [self._unit(number, fact, batch) for number, fact in enumerate(facts, len(self._units))]
        self._vectors += self._embedded(facts)
        self._units += new
        return Receipt.stored(unit.unit_id for unit in new)

    def settle(self) -> None: ...

    def search(self, cue: Cue) -> Recall:
        if not self._units:
            return Recall()
        (wanted,) = self._embedded([cue.text])
        scores = [sum(a * b for a, b in zip(wanted, vector, strict=True)) for vector in self._vectors]
        ranked = sorted(range(len(scores)), key=lambda i: (-scores[i], i))[: cue.limit]
        return Recall(items=tuple(self._item(self._units[i], scores[i]) for i in ranked))

    def close(self) -> None: ...

    def units(self) -> Iterator[Unit]:
        yield from self._units

    def stored_from(self, sources: Set[MessageId]) -> Recall:
        return Recall(items=tuple(self._item(unit) for unit in self._units if sources & set(unit.sources)))

    def _unit(self, number: int, fact: str, batch: Batch) -> Unit:
        return Unit(unit_id=UnitId(f"u{number}"), text=fact, sources=batch.sources, said_at=batch.messages[0].said_at)

    def _item(self, unit: Unit, score: float | None = None) -> RecallItem:
        return RecallItem(text=unit.text, sources=unit.sources, unit_id=unit.unit_id, said_at=unit.said_at, score=score)

    def _embedded(self, texts: Sequence[str]) -> list[list[float]]:
        return [one["embedding"] for one in self._post("/embeddings", input=list(texts))["data"]]

    def _post(self, path: str, **body: Any) -> Any:
        sent = json.dumps({"model": self.config.model, **body}).encode()
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self.access.token}"}
        try:
            with urlopen(Request(self.access.base_url + path, sent, headers), timeout=300) as reply:  # noqa: S310
                return json.load(reply)
        except HTTPError as error:  # its message says what the model could not do
            with error:
                raise RuntimeError(json.load(error)["error"]["message"]) from None


def _open(config: FactsConfig, room: Room) -> Memory:
    if room.access is None:
        raise ValueError("this memory needs the gateway")
    return FactsMemory(config, room.access)


KIND = MemoryKind(
    name="facts",
    version=1,
    summary="facts that a model lists, found by likeness",
    config=FactsConfig,
    traits=lambda config: Traits(
        can=frozenset({Capability.LISTING, Capability.READBACK}),
        score="similarity",
        models_on_write=True,
        models_on_search=True,
    ),
    open=_open,
    needs=("gateway",),
)
