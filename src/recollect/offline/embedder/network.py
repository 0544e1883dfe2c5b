"""The MiniLM network in numpy: six layers, mean over the tokens, unit length.

A text's vector is the same to the last bit whatever stands beside it in the batch: every operation works row by row
or text by text, and texts start where the matrix product treats rows alike (`minilm_blas.row_unit`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from recollect.offline.embedder.weights import DIMENSIONS, HEAD_WIDTH, HEADS, Floats, Norm, Weights

_Kind = TypeVar("_Kind", bound=np.generic)

_TILE = 128
"""Rows that element-wise steps take at once, so that they find them in the cache again."""
_SCORES_AT_ONCE = 1 << 18
_LIMIT = 80
"""Attention rows whose highest score lies within +-80 keep it: exp and its sums stay inside float32."""
_MEAN = np.full(DIMENSIONS, 1 / DIMENSIONS, np.float32)
_EPSILON = np.float32(1e-12)
_ONE = np.float32(1)
_LINEAR = np.float32((2 / np.pi) ** 0.5)
_CUBIC = np.float32(0.044715 * (2 / np.pi) ** 0.5)


def forward(weights: Weights, batch: Batch, tokens: Sequence[Sequence[int]]) -> Floats:
    """The unit vectors of *batch*, shape (texts, 384), in the order of its members.

    Args:
        weights: The folded weights.
        batch: Where each text lies.
        tokens: Token ids of all texts; the batch's members are positions in it.
    """
    ids, places = np.zeros((2, batch.rows), np.intp)
    members = iter(batch.members)
    for group in batch.groups:
        _texts(ids, group)[:] = [tokens[next(members)] for _ in range(group.texts)]
        _texts(places, group)[:] = np.arange(group.length)
    now = weights.words[ids]
    now += weights.positions[places]
    _norm(now, weights.norm)
    wide = np.empty(batch.rows * 4 * DIMENSIONS, np.float32)
    spare, context = np.empty_like(now), np.zeros_like(now)
    for layer in weights.layers:
        projected = wide[: batch.rows * 3 * DIMENSIONS].reshape(batch.rows, -1)
        np.matmul(now, layer.project, out=projected)
        projected[:, :DIMENSIONS] += layer.query_bias
        sources = projected.reshape(-1, 3, HEADS, HEAD_WIDTH)
        target = context.reshape(-1, HEADS, HEAD_WIDTH)
        for part, heads in _parts(batch.groups):
            query, key, value = _texts(sources, part)[:, :, :, heads].transpose(2, 0, 3, 1, 4)
            scores = _exponentials(query @ key.transpose(0, 1, 3, 2))
            mixed = np.matmul(scores, value, out=_texts(target, part)[:, :, heads].transpose(0, 2, 1, 3))
            mixed /= np.einsum("thqk->thq", scores)[..., np.newaxis]
        np.matmul(context, layer.attend, out=spare)
        _add_and_norm(spare, now, layer.attend_bias, layer.attend_norm)
        hidden = np.matmul(spare, layer.widen, out=wide.reshape(batch.rows, -1))
        _activate(hidden, layer.widen_bias)
        np.matmul(hidden, layer.narrow, out=now)
        _add_and_norm(now, spare, layer.narrow_bias, layer.narrow_norm)
    sums = np.concatenate([np.einsum("tld->td", _texts(now, group)) for group in batch.groups])
    sums /= np.sqrt(np.einsum("td,td->t", sums, sums))[:, np.newaxis]
    return sums


def _texts(rows: NDArray[_Kind], group: Group) -> NDArray[_Kind]:
    """The rows of one group as (texts, length, ...), without the rows that only align."""
    block = rows[group.row : group.row + group.texts * group.stride]
    return block.reshape(group.texts, group.stride, *rows.shape[1:])[:, : group.length]


def _exponentials(scores: Floats) -> Floats:
    """exp in place, rows shifted by their maximum only where they must be; dividing by the row's sum undoes it."""
    if scores.max() > _LIMIT or scores.min() < -_LIMIT:
        highest = scores.max(axis=-1, keepdims=True)
        highest[np.abs(highest) <= _LIMIT] = 0
        scores -= highest
    return np.exp(scores, out=scores)


def _parts(groups: Sequence[Group]) -> Iterator[tuple[Group, slice]]:
    """The groups and heads, cut so that their attention scores fit the cache."""
    for group in groups:
        heads = min(HEADS, max(1, _SCORES_AT_ONCE // group.length**2))
        texts = max(1, _SCORES_AT_ONCE // (HEADS * group.length**2))
        for first in range(0, group.texts, texts):
            row, count = group.row + first * group.stride, min(texts, group.texts - first)
            for head in range(0, HEADS, heads):
                yield group._replace(row=row, texts=count), slice(head, head + heads)


def _add_and_norm(rows: Floats, residual: Floats, bias: Floats, norm: Norm) -> None:
    for first in range(0, len(rows), _TILE):
        tile = rows[first : first + _TILE]
        tile += bias
        tile += residual[first : first + _TILE]
        _norm(tile, norm)


def _norm(rows: Floats, norm: Norm) -> None:
    rows -= np.einsum("rd,d->r", rows, _MEAN)[:, np.newaxis]
    spread = np.einsum("rd,rd->r", rows, rows)
    spread /= np.float32(DIMENSIONS)
    spread += _EPSILON
    rows /= np.sqrt(spread, out=spread)[:, np.newaxis]
    rows *= norm.scale
    rows += norm.shift


def _activate(rows: Floats, bias: Floats) -> None:
    """Twice GELU in its tanh form, in place; the next matrix is halved for it."""
    spare = np.empty((_TILE, rows.shape[1]), np.float32)
    for first in range(0, len(rows), _TILE):
        tile = rows[first : first + _TILE]
        tile += bias
        slope = np.square(tile, out=spare[: len(tile)])
        slope *= _CUBIC
        slope += _LINEAR
        slope *= tile
        np.tanh(slope, out=slope)
        slope += _ONE
        tile *= slope


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
