"""Makes the rows of a table from names and settings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from recollect import registry
from recollect.cli.config import RunConfig, SystemChoice
from recollect.cli.gateways import chatting_of
from recollect.cli.inner import row_over
from recollect.cli.models import Supplies
from recollect.contracts.systems import MAY_EMBED, AgentKind, MemoryKind, needs_of
from recollect.contracts.traits import Capability
from recollect.domain.errors import ConfigError, UsageError
from recollect.domain.steps import Arm
from recollect.engine.rows import ORACLE, Row, oracle_row
from recollect.records.codec import encode, read
from recollect.records.digests import canonical, digest
from recollect.records.provenance import ABSENT, Ran, provenance_of

USUAL = ("bm25", "dense", "hybrid", "files")
"""The memories of a run that names none."""
USUAL_AGENTS = ("rag", "awe", "awi")
"""The agents of such a run, where the benchmark converses."""
OVER = "rag"
"""The agent that a memory becomes where the benchmark converses: raw messages are written, and found by search."""
AT_ONCE = {"freq": 2, "ns": 0}
"""Each round is then written at once and none stays local: what is known is what the memory finds."""
ALL = "all"
"""Stands for every registered memory; those that this machine cannot run are rows that say so."""
GATEWAY = "gateway"
"""Need of a system that calls models over HTTP."""


Made = Callable[[SystemChoice, Sequence[Arm], Supplies], Row]
"""How a memory becomes a row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The rows of a run, and those that it could not have."""

    rows: tuple[Row, ...]
    left_out: Mapping[str, str]
    """Rows that are the system of another one."""
    absent: Mapping[str, str]
    """Rows that this machine cannot run, with the reason and how to get them."""

    def standings(self) -> dict[str, Ran]:
        """How each row stands, those among them that are not run here."""
        absent = {row: Ran(word=ABSENT, why=why) for row, why in self.absent.items()}
        return {**{row.label: provenance_of(row.stands_in) for row in self.rows}, **absent}


def rows_of(references: Sequence[str], config: RunConfig, supplies: Supplies, *, converses: bool = False) -> Table:
    """The rows asked for, then the reference rows that are not among them; and what was left out, with the reason.

    Where the benchmark *converses*, which memories cannot, each memory becomes an agent over it.

    Raises:
        MissingExtraError: A row that was asked for by name cannot be opened on this machine.
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
            rows.append(replace(_unasked_row(name, arms, supplies, made), reference=reference))
        except UsageError as error:
            absent[name] = str(error)
    if not rows:
        raise UsageError("nothing to run: name a memory with `--memory`, or leave the reference rows in.")
    return Table(rows=tuple(_distinct(rows, left_out)), left_out=left_out, absent=absent)


def memory_row(choice: SystemChoice, arms: Sequence[Arm], supplies: Supplies) -> Row:
    """The row of a memory."""
    kind = registry.memory(choice.name)
    settings = _settings(kind, choice)
    supplies.check(kind, settings)
    traits = kind.traits(settings)
    return Row(
        label=choice.row_of(kind.name),
        kind="memory",
        fingerprint={**_fingerprint(kind, settings, supplies), **_source(choice.name)},
        traits=traits,
        arms=_memory_arms(arms, traits.can),
        open_memory=lambda room: kind.open(settings, room),
        gateway=GATEWAY in kind.needs,
        stands_in=_in_its_place(choice.name, kind) or (kind.stands_in(settings) if kind.stands_in else ""),
    )


def talking_row(choice: SystemChoice, arms: Sequence[Arm], supplies: Supplies) -> Row:
    """The row of a memory as an agent: it goes by the memory's name."""
    inner = {"memory": choice.name, **({"settings": dict(choice.settings)} if choice.settings else {})}
    label = choice.row_of(registry.memory(choice.name).name)
    return agent_row(SystemChoice(name=OVER, settings={**inner, **AT_ONCE}, label=label), arms, supplies)


def _in_its_place(said: str, kind: MemoryKind) -> str:
    """A file that goes by the name of a registered system is not that system."""
    taken = kind.name in {**registry.MEMORIES, **registry.SYSTEMS}
    return f"`{Path(said).name}` goes by the name of `{kind.name}`" if taken and said != kind.name else ""


def agent_row(choice: SystemChoice, arms: Sequence[Arm], supplies: Supplies) -> Row:
    """The row of an agent."""
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

    Where the oracle alone is asked for, memories have nothing to answer: it is the only one.
    """
    if set(config.arms) == {Arm.ORACLE} and usual is USUAL:
        yield from ((name, (Arm.SYSTEM,), True) for name in references if name == ORACLE and config.references)
        return
    if not config.memories and not config.agents:
        yield from ((name, config.arms, False) for name in usual)
    for choice in config.memories:
        if choice.name == ALL:
            yield from ((name, config.arms, False) for name in _all(choice, references if config.references else ()))
    if config.references:
        yield from ((name, (Arm.SYSTEM,), True) for name in references)


def _all(choice: SystemChoice, references: Sequence[str]) -> list[str]:
    """Every memory that is registered, but those that are there as *references*."""
    if choice.settings or choice.label:
        raise UsageError(f"`{ALL}` stands for every registered memory and takes no settings; name the one you mean.")
    return [name for name in (*registry.MEMORIES, *registry.SYSTEMS) if name not in references]


def _unasked_row(name: str, arms: Sequence[Arm], supplies: Supplies, made: Made) -> Row:
    if name == ORACLE:
        return oracle_row()
    return (agent_row if name in registry.AGENTS else made)(SystemChoice(name=name), arms, supplies)


def _memory_arms(arms: Sequence[Arm], can: frozenset[Capability]) -> tuple[Arm, ...]:
    """The oracle is a row of its own; readback comes with its pure variant, which costs little."""
    kept = [arm for arm in arms if arm is not Arm.ORACLE]
    if Arm.READBACK in kept and Arm.READBACK_PURE not in kept and Capability.READBACK in can:
        kept.append(Arm.READBACK_PURE)
    return tuple(kept)


def _check_labels(rows: Sequence[Row]) -> None:
    """Two rows need two labels and two systems, and no row may go by the name of another system."""
    labels, systems = [row.label for row in rows], [canonical(dict(row.fingerprint)) for row in rows]
    problems = [
        f"`{label}` stands twice; give one a `label`" for label in sorted(set(labels)) if labels.count(label) > 1
    ]
    problems += [
        f"`{row.label}` is the very system of another row; leave one out"
        for row, system in zip(rows, systems, strict=True)
        if systems.index(system) < labels.index(row.label)
    ]
    taken = {*registry.MEMORIES, *registry.SYSTEMS, *registry.AGENTS, ORACLE}
    problems += [f"`{row.label}` is the name of another system" for row in rows if row.label in taken - _names(row)]
    if problems:
        raise ConfigError("rows", problems)


def _names(row: Row) -> set[str]:
    """What a row may go by: its system, and the memory that this is over."""
    return {str(one["name"]) for one in (row.fingerprint, row.fingerprint.get("memory")) if one}


def _distinct(rows: Sequence[Row], left_out: dict[str, str]) -> Iterator[Row]:
    """A row that nobody named is left out where a named one is the same system."""
    seen: dict[str, str] = {}
    for row in rows:
        system = canonical(dict(row.fingerprint))
        if system in seen:
            left_out[row.label] = f"it is the system of row `{seen[system]}`"
            continue
        seen[system] = row.label
        yield row


def _settings(kind: MemoryKind | AgentKind, choice: SystemChoice) -> Any:
    settings, problems = read(kind.config, dict(choice.settings))
    if problems:
        raise ConfigError(f"settings of `{choice.name}`", problems)
    return settings


def _source(name: str) -> Mapping[str, str]:
    """A memory of the user's own is named by what its file says, too; what a YAML file names is among its inputs."""
    return {"source": digest(Path(name).read_text(encoding="utf-8"))} if name.endswith(".py") else {}


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
