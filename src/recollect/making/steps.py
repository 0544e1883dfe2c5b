"""Pipelines as values: items go through the stages in order. Definitions only; see `run`.

A step calls a model for each of an item's parts, a rule computes what needs no model, and a loop has a draft checked by
a model and rewritten until it passes. All functions of a step are pure: a call depends on its `given` alone, and so
does the key of its result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from string import Template
from typing import Any, NamedTuple, TypeAlias

from recollect.contracts.reading import Prompt
from recollect.making.schema import Schema, unknown_words

Given: TypeAlias = Mapping[str, Any]
"""What a prompt and the checks of a reply see: JSON values by name, strings where the prompt has a placeholder."""

WHOLE = ""
"""The one part of an item that is not divided."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One input of a pipeline: a book, a user, a case."""

    key: str
    """Unique in a pipeline; the results are sorted by it."""
    data: Any
    take: int = 0
    """Another number makes all of it again, beside the earlier results."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """What the functions of a step see: an item, and the results of earlier steps."""

    item: Item
    results: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Step -> part -> result, parts in order; a rejected part is missing."""
    draft: Any = None
    """In a loop: what is checked."""
    verdict: Any = None
    """In a loop, when the draft is rewritten: the reply of the check."""

    def of(self, step: str, part: str = WHOLE) -> Any:
        """The result of a part of *step*."""
        return self.results[step][part]

    def parts(self, step: str) -> Mapping[str, Any]:
        """The results of all parts of *step*; empty where it had none."""
        return self.results.get(step, {})


class Check(NamedTuple):
    """A rule that a reply must keep."""

    name: str
    find: Callable[[Any, Given], Iterable[str]]
    """(reply, given) -> every problem, in words for the model."""


def whole(_: Sight) -> Sequence[str]:
    """One part."""
    return (WHOLE,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One kind of model call."""

    name: str
    version: int
    """Goes up when its functions may give something else for the same input."""
    prompt: Prompt
    shape: Schema | Callable[[Given], Schema]
    given: Callable[[Sight, str], Given]
    """(results so far, part) -> what the prompt and the checks see."""
    checks: tuple[Check, ...] = ()
    temperature: float | None = None
    """`None`: that of the model's settings."""
    max_tokens: int | None = None
    repairs: int = 3
    """How often an unusable reply is requested again, with its problems."""
    parts: Callable[[Sight], Sequence[str]] = whole
    """One call each; the step is skipped where there are none."""
    chained: bool = False
    """Parts are made one after another, each with the results of those before it."""
    needed: bool = True
    """A rejected part costs the whole item; else the part alone is missing."""
    bound: Callable[[Item], int] = lambda _: 1

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
            ValueError: A placeholder has no string.
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
    """The result of a rule."""

    value: Any
    drops: tuple[Drop, ...] = ()


class DroppedError(Exception):
    """Raised by a rule: the item cannot be made."""

    def __init__(self, check: str, problem: str) -> None:
        super().__init__(check, problem)
        self.check, self.problem = check, problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A step without a model; computed each time."""

    name: str
    make: Callable[[Sight], Ruled]
    """May raise `DroppedError`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loop:
    """A draft is checked and rewritten by a model, until it passes or too many rounds were needed."""

    name: str
    start: Callable[[Sight, str], Any]
    """(results so far, part) -> the first draft."""
    check: Step
    faults: Callable[[Any, Any], Sequence[str]]
    """(verdict, draft) -> problems of the draft; it passes where there are none."""
    mend: Step
    mended: Callable[[Any, Any, Any], Any]
    """(draft, verdict, reply) -> the next draft."""
    rounds: int = 3
    parts: Callable[[Sight], Sequence[str]] = whole
    needed: bool = True
    bound: Callable[[Item], int] = lambda _: 1


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
        """Names of all steps, those inside a loop after it."""
        names: list[str] = []
        for stage in self.stages:
            names.append(stage.name)
            names += [stage.check.name, stage.mend.name] if isinstance(stage, Loop) else []
        return names
