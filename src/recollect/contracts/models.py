"""Models as the rest of the system sees them: blocking values, handed in, metered elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A model asks for a tool."""

    call_id: str
    name: str
    arguments: str
    """JSON text, as the model wrote it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One turn of a prompt."""

    role: Literal["system", "user", "assistant", "tool"]
    text: str
    calls: tuple[ToolCall, ...] = ()
    """Of an assistant's turn."""
    call_id: str | None = None
    """Of a tool's turn: the call that it answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """What a model may ask for."""

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
    """Share of the input that the provider had in its own cache."""
    reasoning: int = 0
    """Share of the output that was thought and not said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatReply:
    """What a chat model gave back."""

    text: str
    calls: tuple[ToolCall, ...] = ()
    finish: str = "stop"
    usage: Usage | None = None
    model: str = ""
    """The name that the provider says answered."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Fields of the reply that are not known here, kept as they came."""


class ChatModel(Protocol):
    """Completes a prompt."""

    @property
    def fingerprint(self) -> str:
        """Name, version and settings: everything of it that can change a reply."""
        ...

    def complete(
        self, turns: Sequence[Turn], *, max_tokens: int | None = None, schema: Mapping[str, Any] | None = None
    ) -> str:
        """The reply to *turns*; blocks. With *schema*, the reply is JSON that should follow it: check it.

        Raises:
            CallError: The model failed; never an empty reply instead.
        """
        ...


class ToolModel(ChatModel, Protocol):
    """A chat model that takes tools and tells all of its reply."""

    def chat(self, request: ChatRequest) -> ChatReply:
        """The whole reply; blocks.

        Raises:
            CallError: The model failed.
        """
        ...


class Embedder(Protocol):
    """Turns texts into vectors."""

    @property
    def fingerprint(self) -> str:
        """Weights and run-time: everything of it that can change a vector."""
        ...

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, shape (texts, dimensions); a text's vector does not depend on its neighbours; blocks."""
        ...
