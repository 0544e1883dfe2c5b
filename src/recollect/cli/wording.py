"""Problems of settings in words that need no knowledge of the library that finds them."""

from __future__ import annotations

import re
from collections.abc import Iterable

_SAID = (
    (r"^(`[^`]+`): Field required, got .*$", r"\1 is missing"),
    (r"Input should be a valid (?:tuple|list)", "must be a list"),
    (r"Input should be a (?:valid )?(?:dictionary|mapping)(?: or an instance of \w+)?", "must be values by name"),
    (r"Input should be a valid string", "must be text"),
    (r"Input should be a valid integer(?:, .*?)?(?=, got)", "must be a whole number"),
    (r"Input should be a valid number(?:, .*?)?(?=, got)", "must be a number"),
    (r"Input should be a valid boolean(?:, .*?)?(?=, got)", "must be true or false"),
    (r"Input should be ", "must be "),
)


def plainly(problems: Iterable[str]) -> list[str]:
    """The same problems, said plainly."""
    return [_plain(problem) for problem in problems]


def _plain(problem: str) -> str:
    for pattern, words in _SAID:
        problem = re.sub(pattern, words, problem)
    return problem
