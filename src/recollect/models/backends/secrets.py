"""Keys in the environment, also those that packages read by themselves; masked in what comes back."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from recollect.domain.errors import ConfigError
from recollect.models.settings import ModelSettings
from recollect.models.wire.transport import mask

_NAMED = re.compile(r"(?i)(api_?key|token|secret|password|access_key(_id)?|secret_key|credentials?)$")
_SHORTEST, _SHORTEST_OF_OTHERS = 6, 12
"""Bytes; a shorter value may be an ordinary word."""


def masked(settings: ModelSettings, content: bytes) -> bytes:
    """*content* with three stars for each key."""
    return mask(content, _secrets(settings))


def given_key(settings: ModelSettings) -> str | None:
    """The key that the settings name; `None` leaves it to the package, which reads its own variables."""
    return None if settings.key_env is None else os.environ[settings.key_env]


def given_headers(settings: ModelSettings) -> dict[str, str]:
    """Extra headers, with values from the environment."""
    return {name: os.environ[variable] for name, variable in settings.headers.items()}


def refused_settings(settings: ModelSettings, problem: str) -> ConfigError:
    """The error for settings that a package refuses, without keys."""
    plain = masked(settings, " ".join(problem.split()).encode()).decode()
    return ConfigError(f"model `{settings.via}:{settings.model}`", [plain])


def _secrets(settings: ModelSettings) -> Iterator[bytes]:
    """Values to mask, the longest first, also as JSON escapes them."""
    ours = {settings.key_env, *settings.headers.values()}
    values = {
        value.strip()
        for name, value in os.environ.items()
        if (name in ours and len(value) >= _SHORTEST)
        or (_NAMED.search(name) and len(value) >= _SHORTEST_OF_OTHERS and " " not in value)
    }
    bare = values | {value.rpartition(" ")[2] for value in values}
    spelled = bare | {value.replace("/", "\\/") for value in bare} | {value.replace('"', '\\"') for value in bare}
    yield from (value.encode() for value in sorted(spelled, key=len, reverse=True) if len(value) >= _SHORTEST)
