"""Models as the rest of the system sees them: blocking values, handed in, metered elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One turn of a prompt."""

    role: Literal["system", "user", "assistant"]
    text: str


class ChatModel(Protocol):
    """Completes a prompt."""

    @property
    def fingerprint(self) -> str:
        """Name, version and settings: everything of it that can change a reply."""
        ...

    def complete(self, turns: Sequence[Turn], *, max_tokens: int | None = None) -> str:
        """The reply to *turns*; blocks.

        Raises:
            CallError: The model failed; never an empty reply instead.
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
