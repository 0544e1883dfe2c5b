"""One model call as the ledger holds it. A note beside the records: no part of what a run is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from recollect.contracts.models import Usage


@dataclass(slots=True, kw_only=True)  # one is made for every hit of the cache, and freezing takes a tenth of its time
class CallLine:
    """What one call was for, what came of it and what it cost.

    `paid`: an endpoint was asked and answered. `cached`: the reply was there, nothing was paid. `recovered`: the reply
    was there because this run had paid for it and was killed before it could write that down; counts as paid.
    `failed`: given up; what the provider may have charged for it is not known.
    """

    call: str
    """Key of the call in the cache."""
    kind: Literal["chat", "embedding"]
    role: str
    status: Literal["paid", "cached", "recovered", "failed"]
    model: str
    endpoint: str = ""
    usage: Usage | None = None
    estimated: bool = False
    """The tokens were counted by the bundled tokenizer, because the provider reported none."""
    money: float | None = None
    """Of this call; 0 where cached, `None` where no price is known."""
    priced: str = ""
    seconds: float = 0.0
    """From the first try to the reply, waits included."""
    waited: float = 0.0
    """Of these, spent waiting: for a free place, for a rate limit, after an error."""
    tries: int = 1
    causes: tuple[str, ...] = ()
    key: str = ""
    """Key of the record that the call was made for."""
    stage: str = ""
    trial: str = ""
    row: str = ""
    task: str = ""
    history: str = ""
    question: str = ""
    checkpoint: str = ""
    arm: str = ""
    replicate: int = 0
