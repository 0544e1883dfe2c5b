"""How the steps of a pipeline call a model: prompt, temperature and number of repairs."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from recollect.contracts.reading import Prompt
from recollect.making.schema import Schema
from recollect.making.steps import Check, Given, Item, Sight, Step

NONE = "(none)"


class Manner(NamedTuple):
    """Settings of a call."""

    temperature: float
    repairs: int = 3
    version: int = 1
    """Of the step: goes up when its functions may give something else for the same input."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Makes the steps of one pipeline."""

    prompt: Callable[[str], Prompt]
    max_tokens: int
    usual: Manner
    manners: Mapping[str, Manner] = field(default_factory=dict)
    """Prompt -> settings, where they are not the usual ones."""

    def step(
        self,
        role: str,
        *,
        given: Callable[[Sight, str], Given],
        shape: Callable[[Given], Schema],
        checks: tuple[Check, ...] = (),
        name: str = "",
    ) -> Step:
        """A call with the prompt of *role*; the step has its name unless another is given."""
        manner = self.manners.get(role, self.usual)
        return Step(
            name=name or role,
            version=manner.version,
            prompt=self.prompt(role),
            given=given,
            shape=shape,
            checks=checks,
            temperature=manner.temperature,
            max_tokens=self.max_tokens,
            repairs=manner.repairs,
        )


def each(
    called: Step,
    parts: Callable[[Sight], Sequence[str]],
    bound: Callable[[Item], int],
    *,
    needed: bool = True,
    chained: bool = False,
) -> Step:
    """The call for each part; where it is not *needed*, a rejected part does not reject the item."""
    return replace(called, parts=parts, bound=bound, needed=needed, chained=chained)


def shown(value: Any) -> str:
    """*value* as JSON in a prompt."""
    return json.dumps(value, ensure_ascii=False)
