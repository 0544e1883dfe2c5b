"""The budget of a run: no call is sent that would exceed it.

Before a call is sent, the cost of its prompt is reserved: that much is certain. Calls in flight may cost more, by their
replies. So the limit is exceeded by the replies of the calls in flight at most.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from threading import Lock

from recollect.domain.errors import OverBudgetError, UsageError


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
        self._spent, self._reserved = Decimal(str(spent)), Decimal(0)
        self._lock = Lock()

    @property
    def spent(self) -> float:
        """Paid so far, by this process and before it."""
        with self._lock:
            return float(self._spent)

    def reserve(self, least: float) -> Decimal:
        """Reserve what a call costs at *least*, before it is sent; settle it however the call ends.

        Raises:
            OverBudgetError: The call would exceed the limit. Nothing is reserved.
        """
        asked = Decimal(str(least))
        with self._lock:
            if self._cap is not None and self._spent + self._reserved + asked > self._cap:
                in_flight = f", ${_short(self._reserved)} at least is in flight" if self._reserved else ""
                raise OverBudgetError(
                    f"--max-cost {_short(self._cap)}: ${_short(self._spent)} is spent{in_flight}, and the next call "
                    f"costs at least ${_short(asked)}. What is paid for is kept; run again with a higher `--max-cost` "
                    "to go on."
                )
            self._reserved += asked
        return asked

    def settle(self, reserved: Decimal, paid: float) -> None:
        """A call is over: it cost *paid*, 0 where it was not answered; its reservation is released."""
        with self._lock:
            self._reserved -= reserved
            self._spent += Decimal(str(paid))


def _short(amount: Decimal) -> str:
    """To a hundredth of a cent, and smaller amounts to two significant digits."""
    return f"{amount:.4f}" if amount == 0 or abs(amount) >= Decimal("0.001") else f"{amount:.2g}"
