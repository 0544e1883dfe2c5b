"""How numbers are written. Ratios become percent here and nowhere else; what is undefined is a dash."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import floor, log10

from recollect.records.tables.cells import Estimate
from recollect.records.tables.noise import Noise, NoiseComponent, NoiseFloor

NOTHING = "–"
_MINUS = "\u2212"


def percent(ratio: float | None, digits: int = 1) -> str:
    """`0.7421` as `74.2`; the heading says %."""
    return NOTHING if ratio is None else _signed(f"{100 * ratio:.{digits}f}")


def percent_with_unit(ratio: float | None) -> str:
    """`0.7421` as `74.2 %`."""
    return NOTHING if ratio is None else f"{percent(ratio)}\u00a0%"


def interval(estimate: Estimate) -> str:
    """`65.1 to 82.3`, in percent; a dash where an end is undefined."""
    if estimate.low is None or estimate.high is None:
        return NOTHING
    return f"{percent(estimate.low)} to {percent(estimate.high)}"


def spoken(estimate: Estimate) -> str:
    """An estimate in one line, for titles and screen readers."""
    if estimate.estimate is None:
        return estimate.why or "undefined"
    if estimate.low is None or estimate.high is None:
        return percent_with_unit(estimate.estimate)
    return f"{percent_with_unit(estimate.estimate)}, {100 * estimate.level:.0f} % interval {interval(estimate)} %"


def whole(number: float | None) -> str:
    """`12345.6` as `12,346`."""
    return NOTHING if number is None else _signed(f"{number:,.0f}")


def seconds(duration: float) -> str:
    """Three significant digits, with the unit."""
    if duration < 1:
        return f"{1000 * duration:.3g}\u00a0ms"
    return f"{duration:.3g}\u00a0s" if duration < 1000 else f"{duration:,.0f}\u00a0s"


def money(dollars: float | None) -> str:
    """Three significant digits below a dollar, cents above."""
    if dollars is None:
        return NOTHING
    if dollars == 0 or abs(dollars) >= 1:
        return f"${dollars:,.2f}"
    digits = max(2, 2 - floor(log10(abs(dollars))))
    return "$" + f"{dollars:.{digits}f}".rstrip("0").rstrip(".")


def written(amount: float | None, unit: str | None) -> str:
    """An amount of dollars or of tokens."""
    return money(amount) if unit in ("money", "dollars") else whole(amount)


def p_value(p: float | None) -> str:
    """`p = 0.021`, and `p < 0.001` below that."""
    if p is None:
        return NOTHING
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def _signed(digits: str) -> str:
    if not digits.startswith("-"):
        return digits
    return _MINUS + digits[1:] if digits.strip("-0.,") else digits[1:]


def component_said(part: NoiseComponent) -> str:
    """`0.0123, df 40`, with notes, or the reason why there is none."""
    if part.variance is None:
        return part.why.partition(":")[0]
    notes = [f"{part.variance:.4f}", f"df {part.df}"]
    if part.clamped:
        notes.append("was below 0")
    if part.holds:
        notes.append(f"with {' and '.join(part.holds)}")
    return ", ".join(notes)


def floor_said(floor: NoiseFloor | None) -> str:
    """`0.031 (2 runs of ingest)`, or why it is unknown."""
    if floor is None or floor.half_width is None:
        return floor.why if floor else "unknown"
    if floor.method.startswith("deterministic"):
        return f"0 ({floor.runs} runs of {floor.source}: deterministic)"
    return f"{floor.half_width:.3f} ({floor.runs} runs of {floor.source})"


def floor_in_percent(floor: NoiseFloor) -> str:
    """The same for the page, where scores are percent."""
    if floor.half_width is None or floor.method.startswith("deterministic"):
        return floor_said(floor)
    return f"{percent(floor.half_width)} ({floor.runs} runs of {floor.source})"


def reasons(noises: Iterable[Noise]) -> Iterator[str]:
    """Why a stage could not be repeated, where a word is not enough."""
    for one in noises:
        for part in one.components:
            if ":" in part.why:
                yield f"{one.task}, {one.row}, {part.stage}: {part.why}"
