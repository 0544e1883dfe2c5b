"""Models by way of Inspect, which reaches many providers; its retries, cache and limits of calls are off."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from recollect.domain.errors import CallError, RefusedError, RetryableError
from recollect.models.backends.breakage import UNKNOWN, error_of
from recollect.models.backends.inspect_reply import openai_reply
from recollect.models.backends.inspect_request import arguments_of, config_of
from recollect.models.backends.secret import given_headers, given_key, refused_settings
from recollect.models.settings import OPENAI, ModelSettings
from recollect.models.wire_json import place_of


class WithInspect:
    """One model behind Inspect."""

    def __init__(self, settings: ModelSettings) -> None:
        """Make the model.

        Raises:
            ConfigError: Inspect does not know the provider, or misses its SDK or its key.
        """
        self._settings = settings
        self._model = _made(settings)

    async def ask(self, body: bytes) -> bytes:
        """The reply, put into OpenAI's shape."""
        asked = json.loads(body)
        try:
            messages, tools, config = *arguments_of(asked), config_of(asked, given_headers(self._settings))
        except ValueError as error:
            told = f"{place_of(self._settings)}: Inspect cannot send this call: {error}. Use `openai:` for it."
            raise RefusedError(told, cause="bad_request") from None
        try:
            output = await self._model.generate(messages, tools=tools, config=config)
        except Exception as error:  # noqa: BLE001  # a package raises what it likes
            raise self._named(error) from None
        return json.dumps(openai_reply(place_of(self._settings), output)).encode()

    def _named(self, error: Exception) -> CallError:
        """The error by what is known of all; else by what Inspect knows of this provider's errors."""
        known = error_of(self._settings, error)
        if known.cause != UNKNOWN:
            return known
        last = getattr(error, "last_attempt", None)
        decision = self._model.api.should_retry(last.exception() if last is not None else error)
        if not decision:
            return known
        cause = "rate_limited" if getattr(decision, "kind", "") == "rate_limit" else "server_error"
        told = f"{place_of(self._settings)}: the call failed for now ({type(error).__name__}). It is tried again."
        return RetryableError(told, cause=cause, retry_after=getattr(decision, "retry_after", None) or 0.0)

    async def close(self) -> None:
        """Let go of its connections."""
        await self._model.api.aclose()


def _made(settings: ModelSettings) -> Any:
    from inspect_ai.model import GenerateConfig, get_model

    # our own gate bounds the calls in flight; its pool must be no second one
    config = GenerateConfig(max_retries=0, max_connections=settings.in_flight, cache=False)
    elsewhere = settings.base_url != OPENAI
    try:
        model = get_model(
            settings.model,
            config=config,
            base_url=settings.base_url if elsewhere else None,
            api_key=given_key(settings),
            memoize=False,
            **_arguments(settings.model, elsewhere=elsewhere),
        )
    except Exception as error:  # noqa: BLE001  # a missing SDK or key, an unknown provider: all are the settings
        raise refused_settings(settings, str(error).removeprefix("ERROR: ")) from None
    _try_once(model)
    return model


def _arguments(model: str, *, elsewhere: bool) -> Mapping[str, Any]:
    """Servers that only speak OpenAI's language know its chat, and rarely its newer interface."""
    return {"responses_api": False} if elsewhere and model.startswith("openai/") else {}


def _try_once(model: Any) -> None:
    """Switch off the retries of the provider's own SDK, where it has any."""
    client = getattr(model.api, "client", None)
    if client is not None and hasattr(client, "max_retries"):
        client.max_retries = 0
