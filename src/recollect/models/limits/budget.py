"""Stops before the call that would cost more than allowed; what is paid for is kept.

Before a call is sent, its prompt is counted and set aside: that much it costs for certain. Calls in flight may cost
more than was set aside, by their replies. So the cap is overshot by the replies of the calls in flight at most.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from threading import Lock

from recollect.domain.errors import OverBudgetError, UsageError


@dataclass(frozen=True, slots=True)
class Reservation:
    """Money set aside for one call in flight."""

    amount: Decimal


_NOTHING = Reservation(Decimal(0))


class Budget:
    """The money of one run; used by several threads at once."""

    def __init__(self, max_cost: float | None = None, spent: float = 0.0, unpriced: Sequence[str] = ()) -> None:
        """A budget.

        Args:
            max_cost: Most that may be spent, in US dollars, by all processes that worked on the run; `None`: no limit.
            spent: What the run spent before.
            unpriced: Models of the run without a known price.

        Raises:
            UsageError: There is a limit, and some calls would not count against it.
        """
        if max_cost is not None and unpriced:
            raise UsageError(
                f"--max-cost {max_cost:g}: no price is known for {', '.join(f'`{model}`' for model in unpriced)}, "
                "so the limit could not be kept. Give a price with `--prices FILE`, or leave the limit out."
            )
        self._cap = None if max_cost is None else Decimal(str(max_cost))
        self._spent, self._held = Decimal(str(spent)), Decimal(0)
        self._lock = Lock()

    @property
    def spent(self) -> float:
        """Paid so far, by this process and before it."""
        with self._lock:
            return float(self._spent)

    def reserve(self, least: float) -> Reservation:
        """Set aside what a call costs at *least*, before it is sent; settle it whatever becomes of the call.

        Raises:
            OverBudgetError: With it, more would be spent than allowed. Nothing is set aside.
        """
        if not least and self._cap is None:
            return _NOTHING
        asked = Decimal(str(least))
        with self._lock:
            if self._cap is not None and self._spent + self._held + asked > self._cap:
                raise OverBudgetError(self._refusal(asked))
            self._held += asked
        return Reservation(asked)

    def settle(self, held: Reservation, paid: float) -> None:
        """A call is over: it cost *paid*, 0 where it was not answered, and what was set aside is free again."""
        if held is _NOTHING and not paid:
            return
        with self._lock:
            self._held -= held.amount
            self._spent += Decimal(str(paid))

    def _refusal(self, asked: Decimal) -> str:
        flying = f", ${_short(self._held)} at least is in flight" if self._held else ""
        return (
            f"--max-cost {_short(self._cap or Decimal(0))}: ${_short(self._spent)} is spent{flying}, and the next call "
            f"costs at least ${_short(asked)}. What is paid for is kept; run again with a higher `--max-cost` to go on."
        )


def _short(amount: Decimal) -> str:
    """To a hundredth of a cent, and smaller amounts to two digits that count."""
    return f"{amount:.4f}" if amount == 0 or abs(amount) >= Decimal("0.001") else f"{amount:.2g}"
