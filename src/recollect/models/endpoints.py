"""Chat models and embedders behind an endpoint, as `contracts` defines them, and the probe call before a run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recollect.contracts.call_context import CallContext, in_context
from recollect.contracts.models import ChatReply, ChatRequest, Turn, Usage
from recollect.domain.errors import MalformedError
from recollect.models.cache.vectors import TEXTS_A_CALL
from recollect.models.client import Client
from recollect.models.job import Job
from recollect.models.settings import ModelSettings, Role
from recollect.models.wire.chat import chat_body, kept_chat, read_chat
from recollect.models.wire.embeddings import embed_body, read_vectors

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class EndpointChat:
    """A chat model behind an endpoint, in one role."""

    client: Client
    settings: ModelSettings
    role: Role

    @property
    def fingerprint(self) -> str:
        """Its name and a digest of all that can change a reply."""
        return self.settings.fingerprint

    def complete(
        self, turns: Sequence[Turn], *, max_tokens: int | None = None, schema: Mapping[str, Any] | None = None
    ) -> str:
        """The text of the reply; blocks.

        Raises:
            CallError: The model failed, or replied with tool calls alone.
        """
        reply = self.chat(ChatRequest(turns=tuple(turns), max_tokens=max_tokens, schema=schema))
        if not reply.text.strip():
            raise MalformedError(
                f"model `{self.settings.model}` replied without text (it ended by `{reply.finish}`). "
                "Where it thinks before it speaks, give it `thinking_tokens`.",
                cause="empty_choice",
            )
        return reply.text

    def chat(self, request: ChatRequest) -> ChatReply:
        """The whole reply; blocks.

        Raises:
            CallError: The model failed.
        """
        return self.client.call(self.job(request))

    def job(self, request: ChatRequest, *, kept: bool = True) -> Job[ChatReply]:
        """The call of *request*."""
        return Job(
            kind="chat",
            role=self.role,
            settings=self.settings,
            path="/chat/completions",
            body=chat_body(self.settings, request),
            read=partial(read_chat, self.settings),
            again=partial(kept_chat, self.settings),
            samples=self.settings.samples or (request.temperature or 0) > 0,
            kept=kept,
        )


@dataclass(frozen=True, slots=True)
class Vectors:
    """The reply of an embedding endpoint."""

    vectors: Floats
    usage: Usage | None


@dataclass(slots=True)
class EndpointEmbedder:
    """An embedder behind an endpoint. Its calls are not cached: its vectors go into the cache of vectors."""

    client: Client
    settings: ModelSettings
    role: Role = "embedder"
    _dimensions: int | None = None
    _lock: Lock = field(default_factory=Lock)

    @property
    def fingerprint(self) -> str:
        """Its name and a digest of all that can change a vector."""
        return self.settings.fingerprint

    @property
    def dimensions(self) -> int:
        """Length of a vector; the first use calls the endpoint."""
        if self._dimensions is None:
            self._embed(["dimensions"])
        return self._dimensions or 0

    def embed(self, texts: Sequence[str]) -> Floats:
        """Unit vectors, shape (texts, dimensions); blocks.

        Raises:
            CallError: The model failed, or its vectors changed their length.
        """
        if not texts:
            return np.empty((0, self.dimensions), np.float32)
        parts = [self._embed(texts[at : at + TEXTS_A_CALL]) for at in range(0, len(texts), TEXTS_A_CALL)]
        return np.concatenate(parts)

    def _embed(self, texts: Sequence[str]) -> Floats:
        vectors = self.client.call(self.job(texts)).vectors
        with self._lock:
            self._dimensions = self._dimensions or vectors.shape[1]
        if vectors.shape[1] != self._dimensions:
            raise MalformedError(
                f"model `{self.settings.model}` gave vectors of {vectors.shape[1]} numbers, before that "
                f"of {self._dimensions}. Pin its version.",
                cause="bad_vector",
            )
        lengths = np.linalg.norm(vectors.astype(np.float64), axis=1, keepdims=True)
        unit: Floats = (vectors / lengths).astype(np.float32)
        return unit

    def job(self, texts: Sequence[str]) -> Job[Vectors]:
        """The call for *texts*."""
        return Job(
            kind="embedding",
            role=self.role,
            settings=self.settings,
            path="/embeddings",
            body=embed_body(self.settings, texts),
            read=lambda raw: Vectors(*read_vectors(self.settings, raw, len(texts))),
            kept=False,
        )


PROBE_PROMPT = "This is a test of the connection. Reply with the single word: ready"
PROBE_TEXTS = ("The train leaves at nine.", "Her favourite fruit is the pear.")
PROBE_STAGE = "probe"


def probe_models(models: Iterable[EndpointChat | EndpointEmbedder]) -> None:
    """Call each model once, past the cache.

    Raises:
        CallError: One of them gave no usable reply; the message names it.
    """
    request = ChatRequest(turns=(Turn(role="user", text=PROBE_PROMPT),))
    for model in models:
        name = f"{model.role} `{model.settings.model}` ({model.settings.endpoint})"
        with in_context(CallContext(stage=PROBE_STAGE)):
            if isinstance(model, EndpointEmbedder):
                first, second = model.embed(PROBE_TEXTS)
                if np.allclose(first, second, atol=1e-4):
                    problem = f"{name} gives two different texts the same vector. Name another model."
                    raise MalformedError(problem, cause="bad_vector")
                continue
            reply = model.client.call(model.job(request, kept=False))
            if not reply.text.strip():
                raise MalformedError(
                    f"{name} replied to the trial call without text (it ended by `{reply.finish}`). "
                    "Give it `thinking_tokens`, or name another model.",
                    cause="empty_choice",
                )
