"""Models as all code above the client sees them: blocking, passed in as values, metered elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A model's call of a tool."""

    call_id: str
    name: str
    arguments: str
    """JSON, as the model wrote it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One turn of a prompt."""

    role: Literal["system", "user", "assistant", "tool"]
    text: str
    calls: tuple[ToolCall, ...] = ()
    """Of an assistant's turn."""
    call_id: str | None = None
    """Of a tool's turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A tool that a model may call."""

    name: str
    description: str
    parameters: Mapping[str, Any]
    """A JSON Schema."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRequest:
    """One call of a chat model; a setting that is `None` is the model's own."""

    turns: tuple[Turn, ...]
    max_tokens: int | None = None
    temperature: float | None = None
    tools: tuple[Tool, ...] = ()
    schema: Mapping[str, Any] | None = None
    """A JSON Schema that the reply must follow."""
    stop: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens of one call as the provider counted them."""

    input: int
    output: int
    cached: int = 0
    """Part of the input that was in the provider's cache."""
    reasoning: int = 0
    """Part of the output that is hidden reasoning."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatReply:
    """The reply of a chat model."""

    text: str
    calls: tuple[ToolCall, ...] = ()
    finish: str = "stop"
    usage: Usage | None = None
    model: str = ""
    """Its name, as reported by the provider."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """All other fields of the reply, unchanged."""


class ChatModel(Protocol):
    """Completes a prompt."""

    @property
    def fingerprint(self) -> str:
        """Name, version and settings: everything that can change a reply."""

    def complete(
        self, turns: Sequence[Turn], *, max_tokens: int | None = None, schema: Mapping[str, Any] | None = None
    ) -> str:
        """The reply to *turns*; blocks. With *schema*, it is JSON that should follow it: the caller checks.

        Raises:
            CallError: The model failed; never an empty reply instead.
        """


class ToolModel(ChatModel, Protocol):
    """A chat model with tools and full replies."""

    def chat(self, request: ChatRequest) -> ChatReply:
        """The whole reply; blocks.

        Raises:
            CallError: The model failed.
        """


class Embedder(Protocol):
    """Turns texts into vectors."""

    @property
    def fingerprint(self) -> str:
        """Weights and run-time: everything that can change a vector."""

    @property
    def dimensions(self) -> int:
        """Length of a vector."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, shape (texts, dimensions); a text's vector does not depend on its neighbours; blocks."""
