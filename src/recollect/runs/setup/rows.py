"""Rows of a run from names and settings; an agent may write to a registered memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any, cast

from recollect import registry
from recollect.contracts.memory import Forget, Listing, Memory, Readback, Room, Snapshot
from recollect.contracts.systems import MAY_EMBED, AgentKind, MemoryKind, needs_of, over
from recollect.contracts.traits import Capability, Traits, WriteUnit
from recollect.domain.errors import ConfigError, UsageError
from recollect.domain.exchange import Batch, Cue, Recall, Receipt, Unit
from recollect.domain.ids import MessageId
from recollect.domain.messages import Session
from recollect.domain.steps import Arm
from recollect.engine.feeding.feeder import feed
from recollect.engine.rows import ORACLE, Row, oracle_row
from recollect.engine.systems.validation import check_methods
from recollect.records.codec import encode, read
from recollect.records.digests import canonical, digest
from recollect.records.provenance import ABSENT, Ran, provenance_of
from recollect.runs.setup.calls import chatting_of
from recollect.runs.setup.config import RunConfig, SystemChoice
from recollect.runs.setup.models import Supplies

USUAL = ("bm25", "dense", "hybrid", "files")
"""The memories of a run that names no system."""
USUAL_AGENTS = ("rag", "awe", "awi")
"""The agents of such a run, if the benchmark converses."""
OVER = "rag"
"""The agent around a memory if the benchmark converses: it writes raw messages and finds them by search."""
AT_ONCE = {"freq": 2, "ns": 0}
"""Writes each round immediately and keeps none local, so that answers depend on the memory alone."""
ALL = "all"
"""Selects every registered memory; rows that this machine cannot run say so."""
GATEWAY = "gateway"
"""Need of a system that calls models over HTTP."""

Made = Callable[[SystemChoice, Sequence[Arm], Supplies], Row]
"""Makes the row of a memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The rows of a run, and those that it leaves out."""

    rows: tuple[Row, ...]
    left_out: Mapping[str, str]
    """Rows whose system is that of another one."""
    absent: Mapping[str, str]
    """Rows that this machine cannot run, with the reason and how to get them."""

    def standings(self) -> dict[str, Ran]:
        """What ran for each row, including those that cannot run here."""
        absent = {row: Ran(word=ABSENT, why=why) for row, why in self.absent.items()}
        return {**{row.label: provenance_of(row.stands_in) for row in self.rows}, **absent}


def rows_of(references: Sequence[str], config: RunConfig, supplies: Supplies, *, converses: bool = False) -> Table:
    """The rows asked for, then the reference rows that are not among them; and those left out, with the reason.

    Where the benchmark *converses*, which memories cannot, each memory becomes an agent around it.

    Raises:
        MissingExtraError: If a row that was asked for by name cannot be opened on this machine.
    """
    made = talking_row if converses else memory_row
    rows = [made(choice, config.arms, supplies) for choice in config.memories if choice.name != ALL]
    rows += [agent_row(choice, config.arms, supplies) for choice in config.agents]
    _check_labels(rows)
    left_out: dict[str, str] = {}
    absent: dict[str, str] = {}
    usual = USUAL_AGENTS if converses else USUAL
    for name, arms, reference in _unasked(references, config, usual):
        if name in {row.label for row in rows}:
            continue
        try:
            if name == ORACLE:
                row = oracle_row()
            else:
                row = (agent_row if name in registry.AGENTS else made)(SystemChoice(name=name), arms, supplies)
            rows.append(replace(row, reference=reference))
        except UsageError as error:
            absent[name] = str(error)
    if not rows:
        raise UsageError("nothing to run: name a memory with `--memory`, or leave the reference rows in.")
    # A row that nobody named is left out where a named one is the same system.
    distinct: dict[str, Row] = {}
    for row in rows:
        first = distinct.setdefault(canonical(dict(row.fingerprint)), row)
        if first is not row:
            left_out[row.label] = f"it is the system of row `{first.label}`"
    return Table(rows=tuple(distinct.values()), left_out=left_out, absent=absent)


def memory_row(choice: SystemChoice, arms: Sequence[Arm], supplies: Supplies) -> Row:
    kind = registry.memory(choice.name)
    settings = _settings(kind, choice)
    supplies.check(kind, settings)
    traits = kind.traits(settings)
    kept = [arm for arm in arms if arm is not Arm.ORACLE]  # the oracle is a row of its own
    if Arm.READBACK in kept and Arm.READBACK_PURE not in kept and Capability.READBACK in traits.can:
        kept.append(Arm.READBACK_PURE)  # costs little more
    fingerprint = dict(_fingerprint(kind, settings, supplies))
    if choice.name.endswith(".py"):
        fingerprint["source"] = digest(Path(choice.name).read_text(encoding="utf-8"))
    stands_in = kind.stands_in(settings) if kind.stands_in else ""
    if kind.name != choice.name and kind.name in {**registry.MEMORIES, **registry.SYSTEMS}:
        stands_in = f"`{Path(choice.name).name}` goes by the name of `{kind.name}`"
    return Row(
        label=choice.row_of(kind.name),
        kind="memory",
        fingerprint=fingerprint,
        traits=traits,
        arms=tuple(kept),
        open_memory=lambda room: kind.open(settings, room),
        gateway=GATEWAY in kind.needs,
        stands_in=stands_in,
    )


def talking_row(choice: SystemChoice, arms: Sequence[Arm], supplies: Supplies) -> Row:
    """The row of a memory as an agent, under the memory's name."""
    inner = {"memory": choice.name, **({"settings": dict(choice.settings)} if choice.settings else {})}
    label = choice.row_of(registry.memory(choice.name).name)
    return agent_row(SystemChoice(name=OVER, settings={**inner, **AT_ONCE}, label=label), arms, supplies)


def agent_row(choice: SystemChoice, arms: Sequence[Arm], supplies: Supplies) -> Row:
    kind = registry.agent(choice.name)
    settings = _settings(kind, choice)
    supplies.check(kind, settings)
    maker = kind.policy_maker
    row = Row(
        label=choice.row_of(kind.name),
        kind="agent",
        fingerprint=_fingerprint(kind, settings, supplies),
        traits=kind.traits(settings),
        arms=tuple(arms) if kind.reads else (Arm.SYSTEM,),
        open_agent=lambda room: kind.open(settings, room),
        policy_maker=None if maker is None else lambda room: maker(settings, room),
        gateway=GATEWAY in kind.needs,
    )
    if kind.inner is None:
        return row
    inner = kind.inner(settings)
    return row_over(row, memory_row(SystemChoice(name=inner.name, settings=inner.settings), (), supplies))


def _unasked(
    references: Sequence[str], config: RunConfig, usual: Sequence[str]
) -> Iterator[tuple[str, Sequence[Arm], bool]]:
    """Rows that nobody named: the usual ones where no system was named, all of them, and the card's references.

    If only the oracle arm is asked for, the oracle is the only row: memories answer nothing.
    """
    if set(config.arms) == {Arm.ORACLE} and usual is USUAL:
        yield from ((name, (Arm.SYSTEM,), True) for name in references if name == ORACLE and config.references)
        return
    if not config.memories and not config.agents:
        yield from ((name, config.arms, False) for name in usual)
    for choice in config.memories:
        if choice.name == ALL:
            if choice.settings or choice.label:
                raise UsageError(f"`{ALL}` selects every registered memory and takes no settings. Name a single one.")
            left_out = references if config.references else ()
            every = (*registry.MEMORIES, *registry.SYSTEMS)
            yield from ((name, config.arms, False) for name in every if name not in left_out)
    if config.references:
        yield from ((name, (Arm.SYSTEM,), True) for name in references)


def _check_labels(rows: Sequence[Row]) -> None:
    """Refuse repeated labels and systems, and a label that is the name of another system."""
    labels, systems = [row.label for row in rows], [canonical(dict(row.fingerprint)) for row in rows]
    problems = [
        f"`{label}` is the label of two rows; give one a `label`"
        for label in sorted(set(labels))
        if labels.count(label) > 1
    ]
    problems += [
        f"`{row.label}` is the same system as another row; leave one out"
        for row, system in zip(rows, systems, strict=True)
        if systems.index(system) < labels.index(row.label)
    ]
    taken = {*registry.MEMORIES, *registry.SYSTEMS, *registry.AGENTS, ORACLE}
    for row in rows:
        own = {str(one["name"]) for one in (row.fingerprint, row.fingerprint.get("memory")) if one}
        if row.label in taken - own:
            problems.append(f"`{row.label}` is the name of another system")
    if problems:
        raise ConfigError("rows", problems)


def _settings(kind: MemoryKind | AgentKind, choice: SystemChoice) -> Any:
    settings, problems = read(kind.config, dict(choice.settings))
    if problems:
        raise ConfigError(f"settings of `{choice.name}`", problems)
    return settings


def _fingerprint(kind: MemoryKind | AgentKind, settings: Any, supplies: Supplies) -> Mapping[str, Any]:
    made = {"name": kind.name, "version": kind.version, "config": encode(settings)}
    if kind.inputs is not None:
        made["inputs"] = dict(sorted(kind.inputs(settings).items()))
    needs = needs_of(kind, settings)
    if {"embedder", MAY_EMBED, GATEWAY}.intersection(needs) and supplies.embedder is not None:
        made["embedder"] = supplies.embedder.fingerprint
    if GATEWAY in needs:
        made["model"] = chatting_of(supplies.model).fingerprint
    elif "model" in needs and supplies.model is not None:
        made["model"] = supplies.model.fingerprint
    return made


TAKES_FEW = (WriteUnit.MESSAGE, WriteUnit.PAIR, WriteUnit.MESSAGES)
"""What a memory must accept for an agent to write to it, a few messages at a time."""
TAKES_MORE: Mapping[WriteUnit, str] = {
    WriteUnit.SESSION: "takes sessions as a whole",
    WriteUnit.DOCUMENT: "takes documents",
    WriteUnit.TOKENS: "takes chunks of a fixed number of tokens",
    WriteUnit.WHOLE_HISTORY: "takes whole histories",
}
"""What the others accept, for the error message."""


def row_over(agent: Row, memory: Row) -> Row:
    """The row of an *agent* that writes to the system of *memory*."""
    traits, opened, opens = memory.traits, memory.open_memory, agent.open_agent
    if traits.takes not in TAKES_FEW or traits.limit == "tokens":
        why = TAKES_MORE.get(traits.takes, "counts its limit in tokens")
        raise UsageError(
            f"`{agent.label}`: `{memory.label}` {why}; an agent writes a few messages at a time and asks for a number "
            "of memories. Name another `memory`, such as `bm25` or `dense`."
        )
    if opened is None or opens is None:
        raise ValueError(f"rows {agent.label!r} and {memory.label!r} are not an agent and its memory")

    def open_memory(room: Room) -> Memory:
        folder = room.folder / "memory"
        folder.mkdir()
        inner = opened(replace(room, folder=folder, memory=None))
        check_methods(memory, inner)
        return FedMemory(inner, traits)

    return replace(
        agent,
        fingerprint={**agent.fingerprint, "memory": memory.fingerprint},
        traits=over(agent.traits, traits),
        open_agent=lambda room: opens(replace(room, memory=open_memory)),
        gateway=agent.gateway or memory.gateway,
        stands_in=agent.stands_in or memory.stands_in,
    )


@dataclass(frozen=True, slots=True)
class FedMemory:
    """A memory whose writes are grouped as its traits require, as the engine does for a row of its own."""

    memory: Memory
    traits: Traits

    def write(self, batch: Batch) -> Receipt:
        """Write session by session and return the last receipt."""
        receipt = Receipt.nothing()
        for name, messages in groupby(batch.messages, key=lambda message: message.session_id):
            for fed in feed(Session(session_id=name, messages=tuple(messages)), self.traits):
                receipt = self.memory.write(fed.batch)
        return receipt

    def settle(self) -> None:
        self.memory.settle()

    def search(self, cue: Cue) -> Recall:
        return self.memory.search(cue)

    def close(self) -> None:
        self.memory.close()

    def units(self) -> Iterator[Unit]:
        return cast("Listing", self.memory).units()

    def stored_from(self, sources: Set[MessageId]) -> Recall:
        return cast("Readback", self.memory).stored_from(sources)

    def save(self, folder: Path) -> None:
        cast("Snapshot", self.memory).save(folder)

    def load(self, folder: Path) -> None:
        cast("Snapshot", self.memory).load(folder)

    def forget(self, sources: Set[MessageId]) -> None:
        cast("Forget", self.memory).forget(sources)
