"""Settings of a model behind an endpoint."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import urlsplit

from recollect.records.digests import digest

Role = Literal["reader", "judge", "user", "memory", "embedder", "maker"]
OPENAI = "https://api.openai.com/v1"
HANDLING = frozenset({"key_env", "headers", "usage", "answers_as", "timeout_s", "attempts", "in_flight", "per_minute"})
"""Settings that change no reply, only whether there is one: a run may be resumed with others."""


def lasting(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that identify a run; an address counts where no `server` stands for it."""
    ignored = HANDLING | ({"base_url"} if settings.get("server") else frozenset())
    return {name: value for name, value in settings.items() if name not in ignored}


def _is_variable(name: str) -> bool:
    return re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """One model in one role. Holds no secrets: keys are read from the environment variables named here."""

    model: str
    """Its name at the endpoint."""
    via: Literal["openai", "inspect", "litellm"] = "openai"
    """The protocol itself, or a package that speaks others."""
    base_url: str = OPENAI
    """Up to and without `/chat/completions`."""
    server: str = ""
    """A name that stands for the address in keys and fingerprints: for servers whose port changes, or that moved."""
    key_env: str | None = None
    """Environment variable with the key; `OPENAI_API_KEY` for the default endpoint, none for others."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Header -> name of the environment variable that holds its value."""
    temperature: float | None = 0.0
    """`None` leaves it out of the request, for models that refuse it."""
    top_p: float | None = None
    seed: int | None = None
    max_tokens: int | None = None
    """Longest reply where the request sets none."""
    thinking_tokens: int = 0
    """Added to the longest reply: for models that think before they reply."""
    max_tokens_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    stop: tuple[str, ...] = ()
    dimensions: int | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    window_tokens: int = 128_000
    """Its context window, prompt and reply together."""
    answers_as: tuple[str, ...] = ()
    """Names that a reply may give as its model, beside the one asked for and its dated versions."""
    usage: Literal["required", "optional"] = "required"
    """A reply without token counts is a fault, or is counted by the bundled tokenizer and marked."""
    timeout_s: float = 120.0
    """For a whole call, from the first byte sent to the last one read."""
    attempts: int = 8
    in_flight: int = 32
    per_minute: int | None = None
    """Most calls a minute, where the endpoint's limit is known."""

    _fingerprint: str = field(default="", init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        problems = self._problems()
        if problems:
            raise ValueError("; ".join(problems))
        if self.key_env is None and self.base_url == OPENAI and self.via == "openai":
            object.__setattr__(self, "key_env", "OPENAI_API_KEY")
        object.__setattr__(self, "base_url", self.base_url.rstrip("/"))
        server = self.server or (urlsplit(self.base_url).netloc if self.via == "openai" else "")
        name = f"{self.via}:{self.model}{'@' * bool(server)}{server}:{digest(self.asked)[3:15]}"
        object.__setattr__(self, "_fingerprint", name)

    def _problems(self) -> list[str]:
        url = urlsplit(self.base_url)
        checks = {
            f"`base_url` is {self.base_url!r}, not http:// or https:// with a host": url.scheme in {"http", "https"}
            and bool(url.hostname),
            "`base_url` holds a user or password; name a variable with `key_env` instead": "@" not in url.netloc,
            "`base_url` goes on after its path; leave out `?` and `#` and what follows": not url.query + url.fragment,
            "`key_env` is not the name of an environment variable; a key itself must not stand here": (
                self.key_env is None or _is_variable(self.key_env)
            ),
            "`headers` names environment variables; a value itself must not stand there": (
                all(map(_is_variable, self.headers.values()))
            ),
            f"`model` is empty, got {self.model!r}": bool(self.model.strip()),
            f"`timeout_s` is above 0, got {self.timeout_s}": self.timeout_s > 0,
            f"`attempts` starts at 1, got {self.attempts}": self.attempts >= 1,
            f"`in_flight` starts at 1, got {self.in_flight}": self.in_flight >= 1,
            f"`max_tokens` starts at 1, got {self.max_tokens}": self.max_tokens is None or self.max_tokens >= 1,
            f"`thinking_tokens` starts at 0, got {self.thinking_tokens}": self.thinking_tokens >= 0,
            f"`window_tokens` starts at 1, got {self.window_tokens}": self.window_tokens >= 1,
            f"`per_minute` starts at 1, got {self.per_minute}": self.per_minute is None or self.per_minute >= 1,
            f"`temperature` lies in 0 to 2, got {self.temperature}": self.temperature is None
            or 0 <= self.temperature <= 2,
        }
        return [problem for problem, holds in checks.items() if not holds]

    @property
    def endpoint(self) -> str:
        """What shares one limit of calls: scheme, host, port and path, or the provider that a package calls."""
        return self.base_url if self.via == "openai" else f"{self.via}:{self.model.partition('/')[0]}"

    @property
    def samples(self) -> bool:
        """Two equal calls may give two replies that are both meant: the cache must tell them apart."""
        return self.temperature is None or self.temperature > 0

    @property
    def asked(self) -> Mapping[str, Any]:
        """Everything that can change a reply; JSON. Keys, waits and limits are left out."""
        return {
            "model": self.model,
            "base_url": self.server or self.base_url,
            "temperature": self.temperature,
            "top_p": self.top_p,
            "seed": self.seed,
            "max_tokens": self.max_tokens,
            "stop": list(self.stop),
            "dimensions": self.dimensions,
            "extra": dict(self.extra),
            **({} if self.via == "openai" else {"via": self.via}),
            **({} if self.thinking_tokens == 0 else {"thinking_tokens": self.thinking_tokens}),
        }

    @property
    def fingerprint(self) -> str:
        """A readable name and a digest of all that can change a reply."""
        return self._fingerprint
