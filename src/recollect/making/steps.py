"""A pipeline as values: items go through its steps in order. Definitions only; `run` does the work.

A step asks a model for each of an item's parts, a rule works out what needs no model, and a loop has a draft checked by
a model and mended until it holds. All functions of a step are pure: what a step asks depends on its `given` alone, and
so does the key of what comes of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from string import Template
from typing import Any, NamedTuple, TypeAlias

from recollect.contracts.reading import Prompt
from recollect.making.schema import Schema, unknown_words

Given: TypeAlias = Mapping[str, Any]
"""What a prompt and the checks of a reply may see: JSON values by name. Those that the prompt has a place for are
strings."""

WHOLE = ""
"""The one part of an item that is not divided."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """What goes through a pipeline: a book, a user, a case."""

    key: str
    """Unique in a pipeline, and the order of what comes out."""
    data: Any
    """What it starts from."""
    take: int = 0
    """Another number makes all of it anew, beside what was made before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """What the functions of a step see: an item, and what came of the steps before."""

    item: Item
    results: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Step -> part -> what came of it, parts in their order; a part that was rejected is missing."""
    draft: Any = None
    """In a loop: what is looked at."""
    verdict: Any = None
    """In a loop, when it is mended: what was said of it."""

    def of(self, step: str, part: str = WHOLE) -> Any:
        """What came of a part of *step*."""
        return self.results[step][part]

    def parts(self, step: str) -> Mapping[str, Any]:
        """What came of all parts of *step*; empty where it had none."""
        return self.results.get(step, {})


class Check(NamedTuple):
    """A rule that a reply must keep."""

    name: str
    find: Callable[[Any, Given], Iterable[str]]
    """(reply, given) -> everything that is wrong, in words that the model is told."""


def undivided(_: Sight) -> Sequence[str]:
    """One part."""
    return (WHOLE,)


def once(_: Item) -> int:
    """At most one part."""
    return 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One kind of call of a model."""

    name: str
    version: int
    """Goes up when its functions may give something else for the same input."""
    prompt: Prompt
    shape: Schema | Callable[[Given], Schema]
    """Of the reply."""
    given: Callable[[Sight, str], Given]
    """(what there is, part) -> what the prompt and the checks see."""
    checks: tuple[Check, ...] = ()
    temperature: float | None = None
    """`None`: that of the model's settings."""
    max_tokens: int | None = None
    repairs: int = 3
    """How often a reply that cannot be used is asked for again, with what is wrong."""
    parts: Callable[[Sight], Sequence[str]] = undivided
    """One call a part; none, and the step is passed over."""
    chained: bool = False
    """Parts are made one after the other, and each sees those before it among the results."""
    needed: bool = True
    """A rejected part costs the whole item; else the part alone is missing."""
    bound: Callable[[Item], int] = once
    """Most parts that an item can have."""

    def __post_init__(self) -> None:
        problems = [] if callable(self.shape) else list(unknown_words(self.shape))
        names = [check.name for check in self.checks]
        if len(set(names)) < len(names):
            problems.append(f"two checks have one name: {', '.join(names)}")
        if self.repairs < 0:
            problems.append(f"`repairs` starts at 0, got {self.repairs}")
        if problems:
            raise ValueError(f"step `{self.name}`: {'; '.join(problems)}")

    def shape_for(self, given: Given) -> Schema:
        """The shape of a reply to *given*."""
        return self.shape(given) if callable(self.shape) else self.shape

    def text(self, given: Given) -> str:
        """The prompt, filled in.

        Raises:
            ValueError: A place of the prompt has no string.
        """
        template = Template(self.prompt.text)
        missing = [name for name in template.get_identifiers() if not isinstance(given.get(name), str)]
        if missing:
            raise ValueError(f"step `{self.name}`: prompt `{self.prompt.name}` wants strings for {', '.join(missing)}")
        return template.substitute({name: given[name] for name in template.get_identifiers()})


class Drop(NamedTuple):
    """Something that a rule left out, and why."""

    part: str
    check: str
    problem: str


class Ruled(NamedTuple):
    """What a rule made."""

    value: Any
    drops: tuple[Drop, ...] = ()


class DroppedError(Exception):
    """Raised by a rule: the item cannot be made."""

    def __init__(self, check: str, problem: str) -> None:
        super().__init__(check, problem)
        self.check, self.problem = check, problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A step without a model; worked out anew each time."""

    name: str
    make: Callable[[Sight], Ruled]
    """May raise `DroppedError`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loop:
    """A draft is checked by a model and mended by a model, until it holds or too many rounds were needed."""

    name: str
    start: Callable[[Sight, str], Any]
    """(what there is, part) -> the first draft."""
    check: Step
    """Sees the draft."""
    faults: Callable[[Any, Any], Sequence[str]]
    """(verdict, draft) -> what is wrong with the draft; nothing, and it holds."""
    mend: Step
    """Sees the draft and the verdict."""
    mended: Callable[[Any, Any, Any], Any]
    """(draft, verdict, reply) -> the next draft."""
    rounds: int = 3
    """How often it is mended."""
    parts: Callable[[Sight], Sequence[str]] = undivided
    needed: bool = True
    bound: Callable[[Item], int] = once


Stage: TypeAlias = Step | Rule | Loop


@dataclass(frozen=True, slots=True, kw_only=True)
class Pipeline:
    """Steps in order."""

    name: str
    stages: tuple[Stage, ...]

    def __post_init__(self) -> None:
        names = self.names
        doubled = sorted({name for name in names if names.count(name) > 1})
        if doubled:
            raise ValueError(f"pipeline `{self.name}`: {', '.join(doubled)} stands twice")

    @property
    def names(self) -> list[str]:
        """Of all steps, those inside loops behind their loop."""
        return [name for stage in self.stages for name in _names(stage)]


def _names(stage: Stage) -> tuple[str, ...]:
    return (stage.name, stage.check.name, stage.mend.name) if isinstance(stage, Loop) else (stage.name,)
