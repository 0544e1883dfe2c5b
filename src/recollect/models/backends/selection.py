"""Which package reaches a model, and whether that package is installed."""

from __future__ import annotations

import asyncio
import importlib.util
from dataclasses import dataclass, field
from typing import Protocol

from recollect.domain.errors import ConfigError, MissingExtraError, RecollectError, RetryableError
from recollect.models.backends.errors import error_of
from recollect.models.backends.secrets import masked
from recollect.models.job import Send
from recollect.models.settings import ModelSettings, Role
from recollect.models.wire.parsing import label_of

PACKAGES = {"inspect": ("inspect_ai", "inspect-ai"), "litellm": ("litellm", "litellm")}
"""`via` -> the module that is imported, and the package that is installed."""
INSTALL = "pip install 'recollect[{}]'"


class BackEnd(Protocol):
    """One model behind a package; lives in one event loop."""

    async def ask(self, body: bytes) -> bytes:
        """The reply to a request, both in OpenAI's shape; tried once.

        Raises:
            CallError: The model failed in a way that the package does not raise.
            ConfigError: The package refuses the settings.
        """
        ...

    async def close(self) -> None:
        """Close connections."""
        ...


def check(role: Role, settings: ModelSettings) -> None:
    """Refuse a model whose package is missing or cannot play its role; imports nothing.

    Raises:
        MissingExtraError: With the install line.
        ConfigError: The package has no embeddings.
    """
    if settings.via not in PACKAGES:
        return
    module, package = PACKAGES[settings.via]
    if importlib.util.find_spec(module) is None:
        raise MissingExtraError(f"model `{settings.via}:{settings.model}`", package, INSTALL.format(settings.via))
    if settings.via == "inspect" and role == "embedder":
        problem = "Inspect has no embeddings; name the model with `litellm:`, or with `openai:` and its `base_url`"
        raise ConfigError(f"embedder `{settings.model}`", [problem])


@dataclass(slots=True)
class Ways:
    """How to send to each model that a package reaches; belongs to the event loop that calls it first."""

    _open: dict[int, tuple[ModelSettings, BackEnd]] = field(default_factory=dict)

    def __call__(self, settings: ModelSettings) -> Send | None:
        """How to send to a model; `None` where it is reached over HTTP.

        Raises:
            ConfigError: The package does not take the settings, or misses a key.
        """
        if settings.via not in PACKAGES:
            return None
        if id(settings) not in self._open:
            self._open[id(settings)] = (settings, _open(settings))
        _, back_end = self._open[id(settings)]
        return lambda body: _send(settings, back_end, body)

    async def close(self) -> None:
        """Close all connections."""
        while self._open:
            _, (_, back_end) = self._open.popitem()
            await back_end.close()


async def _send(settings: ModelSettings, back_end: BackEnd, body: bytes) -> bytes:
    """The reply, with keys masked; any exception of a package becomes an error with a cause."""
    try:
        async with asyncio.timeout(settings.timeout_s) as limit:
            reply = await back_end.ask(body)
    except RecollectError:
        raise
    except Exception as error:  # noqa: BLE001  # a package raises what it likes
        if isinstance(error, TimeoutError) and limit.expired():
            problem = f"{label_of(settings)}: no reply within {settings.timeout_s:g} s. Raise `timeout_s`."
            raise RetryableError(problem, cause="timeout") from None
        raise error_of(settings, error) from None
    return masked(settings, reply)


def _open(settings: ModelSettings) -> BackEnd:
    if settings.via == "inspect":
        from recollect.models.backends.inspect_models import InspectModel

        return InspectModel(settings)
    from recollect.models.backends.litellm_models import LiteLLMModel

    return LiteLLMModel(settings)
