"""Chats passed on to the model of a run: through its cache, limits, budget and ledger."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from recollect.contracts.gateway import Body
from recollect.contracts.models import Usage
from recollect.models.endpoints import EndpointChat
from recollect.models.job import Job
from recollect.models.settings import ModelSettings
from recollect.models.wire.chat import read_chat

_DROPPED = frozenset({"model", "stream", "stream_options", "user", "safety_identifier", "prompt_cache_key"})
"""Set here; or names for the caller, which change no reply and would make equal calls differ."""
_LIMITS = ("max_tokens", "max_completion_tokens")


@dataclass(frozen=True, slots=True)
class Passed:
    """A reply that is passed on unchanged, after it was validated."""

    raw: bytes
    usage: Usage | None


@dataclass(frozen=True, slots=True)
class EndpointChatting:
    """The chat model of a run."""

    chat_model: EndpointChat

    @property
    def model(self) -> str:
        """Its name at the endpoint."""
        return self.chat_model.settings.model

    @property
    def fingerprint(self) -> str:
        """Its name and a digest of everything that can change a reply."""
        return self.chat_model.fingerprint

    async def chat(self, body: Body) -> bytes:
        """The endpoint's own bytes, from the cache where they are.

        Raises:
            CallError: The model failed, after all tries.
            OverBudgetError: It would cost more than is left.
            InterruptedRunError: The run was stopped.
        """
        model = self.chat_model
        sent = sent_body(model.settings, body)
        temperature = sent.get("temperature")
        job = Job(
            kind="chat",
            role=model.role,
            settings=model.settings,
            path="/chat/completions",
            body=sent,
            read=partial(_read, model.settings),
            again=Passed,
            samples=not isinstance(temperature, int | float) or temperature > 0,
        )
        return (await model.client.answer(job)).raw


def sent_body(settings: ModelSettings, body: Body) -> dict[str, Any]:
    """The caller's request with the model of the run, and the run's settings where the caller has none.

    A model whose settings have no temperature gets none: it would refuse the call. Unknown fields are sent unchanged.
    """
    own = {name: value for name, value in body.items() if name not in _DROPPED and value is not None}
    limit = next((own.pop(name) for name in _LIMITS if name in own), settings.max_tokens)
    for name in _LIMITS:
        own.pop(name, None)
    if settings.temperature is None:
        own.pop("temperature", None)
    defaults = {
        "temperature": settings.temperature,
        "top_p": settings.top_p,
        "seed": settings.seed,
        "stop": list(settings.stop) or None,
    }
    given = {name: value for name, value in defaults.items() if value is not None}
    room = limit + settings.thinking_tokens if isinstance(limit, int) else limit
    limited: Mapping[str, Any] = {} if room is None else {settings.max_tokens_field: room}
    return {**given, **own, **limited, **settings.extra, "model": settings.model, "stream": False}


def _read(settings: ModelSettings, raw: bytes) -> Passed:
    """Reject an invalid reply before it gets into the cache or to a system."""
    return Passed(raw, read_chat(settings, raw).usage)
