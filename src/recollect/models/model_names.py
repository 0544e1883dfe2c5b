"""Whether the model that answered is the one that was asked."""

from __future__ import annotations

import re
from functools import lru_cache

from recollect.domain.errors import MalformedError
from recollect.models.settings import ModelSettings
from recollect.models.wire_json import place_of, shown

_DATE_OR_VERSION = r"(\d{4}-\d{2}(-\d{2})?|\d{3,8}|v\d+([.:]\d+)*|latest|preview)"
_SUFFIX = re.compile(rf"([-@:]{_DATE_OR_VERSION})+", re.IGNORECASE)
_FLOATING = ("-latest", ":latest")


@lru_cache(maxsize=1024)
def is_asked(asked: str, told: str) -> bool:
    """*told* is *asked*, or a dated or numbered version of it; a provider's prefix on one of them does not matter.

    A single digit is no version here: `m-4-5` is not `m-4`, as little as `m-mini` is `m`.
    """
    want, got = asked.casefold(), told.casefold()
    for floating in _FLOATING:
        want = want.removesuffix(floating)
    return any(_is_version(one, other) for one, other in _without_prefix(want, got))


def check_model(settings: ModelSettings, told: object) -> str:
    """The name that a reply gives as its model.

    Raises:
        MalformedError: It is neither the one asked for, nor listed under `answers_as`.
    """
    name = told if isinstance(told, str) else ""
    if is_asked(settings.model, name) or name in settings.answers_as:
        return name
    said = f"`{shown(name)}` answered" if name else "the reply does not say which model answered"
    problem = f"{place_of(settings)}: {said}. If that is the model you mean, list `{shown(name)}` under `answers_as`."
    raise MalformedError(problem, cause="wrong_model")


def _is_version(want: str, got: str) -> bool:
    return bool(want) and got.startswith(want) and (got == want or _SUFFIX.fullmatch(got, len(want)) is not None)


def _without_prefix(want: str, got: str) -> list[tuple[str, str]]:
    """The two names as they are, and with the longer path cut to the length of the shorter."""
    wants, gots = want.split("/"), got.split("/")
    depth = min(len(wants), len(gots))
    return [(want, got), ("/".join(wants[-depth:]), "/".join(gots[-depth:]))]
