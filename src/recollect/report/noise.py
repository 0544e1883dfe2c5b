"""Noise in words: what each stage adds, and the floor below which no difference is a win."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from recollect.records.noise import Noise, NoiseComponent, NoiseFloor
from recollect.report.numbers import percent


def component_said(part: NoiseComponent) -> str:
    """`0.0123, df 40`, with what else is in it, or in a word why there is none."""
    if part.variance is None:
        return part.why.partition(":")[0]
    notes = [f"{part.variance:.4f}", f"df {part.df}"]
    if part.clamped:
        notes.append("was below 0")
    if part.holds:
        notes.append(f"with {' and '.join(part.holds)}")
    return ", ".join(notes)


def floor_said(floor: NoiseFloor | None) -> str:
    """`0.031 (2 runs of ingest)`, or `unknown` with what would tell."""
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
    """Why a stage could not be repeated, where a word does not say it."""
    for one in noises:
        for part in one.components:
            if ":" in part.why:
                yield f"{one.task}, {one.row}, {part.stage}: {part.why}"
