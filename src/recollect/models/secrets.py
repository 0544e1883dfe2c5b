"""Keys come from the environment at the moment of a call, go into its headers, and nowhere else."""

from __future__ import annotations

import os

from recollect.domain.errors import ConfigError
from recollect.models.settings import ModelSettings


def headers_of(settings: ModelSettings) -> dict[str, str]:
    """The headers of a call.

    Raises:
        ConfigError: Variables that the settings name are not set; all of them are listed.
    """
    headers = {"Content-Type": "application/json"}
    if settings.key_env is None and not settings.headers:
        return headers
    check_keys(settings)
    if settings.key_env is not None:
        headers["Authorization"] = f"Bearer {os.environ[settings.key_env]}"
    return headers | {name: os.environ[variable] for name, variable in settings.headers.items()}


def check_keys(settings: ModelSettings) -> None:
    """Refuse settings whose environment variables are missing, empty or no header's value.

    Raises:
        ConfigError: With all of them; never with a value.
    """
    wanted = [name for name in (settings.key_env, *settings.headers.values()) if name is not None]
    problems = [f"environment variable `{name}` is not set" for name in wanted if not os.environ.get(name, "").strip()]
    problems += [
        f"environment variable `{name}` holds a line break"
        for name in wanted
        if set(os.environ.get(name, "")) & set("\r\n")
    ]
    if problems:
        raise ConfigError(f"model `{settings.model}` at {settings.endpoint}", sorted(set(problems)))
