"""The seam between the engine and the server that systems call their models by."""

from __future__ import annotations

from typing import Protocol

from recollect.contracts.memory import Access
from recollect.contracts.occasion import Occasion


class Work(Protocol):
    """What a system is doing; asked at every call that it makes."""

    def occasion(self) -> Occasion | None:
        """What its calls are for, at this moment."""
        ...


class Gateway(Protocol):
    """Serves models over HTTP on this machine, to systems that hold a token."""

    def open(self, work: Work) -> Access:
        """An access of its own for a system; its calls are made on the occasions of *work*."""
        ...

    def close(self, token: str) -> None:
        """Answer no call with *token* any more."""
        ...

    def shut(self) -> None:
        """Stop serving."""
        ...
