"""Which texts go through the network together: sorted by length, laid end to end, nothing padded for its neighbour."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

ROWS_AT_ONCE = 1024
"""Token rows of one batch: its widest layer (6 MB) still lies in the caches."""

_FEWEST_ROWS = 16


class Group(NamedTuple):
    """Texts of equal length inside a batch."""

    row: int
    """First row."""
    texts: int
    length: int
    """Tokens of each text."""
    stride: int
    """Rows from one text to the next; more than *length* where the matrix product needs aligned starts."""


class Batch(NamedTuple):
    """Texts that go through the network together."""

    members: list[int]
    """Positions in the caller's list, in the order of the groups."""
    groups: list[Group]
    rows: int


def plan(lengths: Sequence[int], *, unit: int = 1, rows: int = ROWS_AT_ONCE) -> Iterator[Batch]:
    """Cut texts of these token counts into batches of about *rows* rows, longest texts first.

    Each text starts at a multiple of *unit*: on some processors a row's sums depend on its place within such a unit,
    and a text's vector must not depend on its neighbours.
    """
    members: list[int] = []
    used = 0
    for member in sorted(range(len(lengths)), key=lambda at: (-lengths[at], at)):
        stride = _rounded(lengths[member], unit)
        if members and used + stride > rows:
            yield _batch(members, lengths, unit)
            members, used = [], 0
        members.append(member)
        used += stride
    if members:
        yield _batch(members, lengths, unit)


def _batch(members: list[int], lengths: Sequence[int], unit: int) -> Batch:
    groups: list[Group] = []
    row = 0
    for length, same in groupby(lengths[member] for member in members):
        texts, stride = len(list(same)), _rounded(length, unit)
        groups.append(Group(row, texts, length, stride))
        row += texts * stride
    # a product of one to three rows takes another path through the BLAS library, with other last bits
    return Batch(members, groups, _rounded(max(row, _FEWEST_ROWS), unit))


def _rounded(count: int, unit: int) -> int:
    return -(-count // unit) * unit
