"""Personalised PageRank over a weighted graph that is kept as arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

DIGITS = 9
"""Masses are rounded to so many digits before anything is ranked by them."""
_CLOSE = 1e-12
_STEPS = 200

Doubles = NDArray[np.float64]
Places = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Network:
    """A graph of *nodes* nodes, each edge in both directions."""

    nodes: int
    sources: Places
    targets: Places
    shares: Doubles
    """Of the weight that leaves the source: those of one source add up to 1."""

    @classmethod
    def of(cls, nodes: int, ends: Places, weights: Doubles) -> Network:
        """From undirected edges; several between the same nodes add up, and a loop is left out.

        Args:
            nodes: How many there are.
            ends: Shape (edges, 2).
            weights: Above 0, shape (edges,).
        """
        apart = ends[:, 0] != ends[:, 1]
        ends, weights = np.sort(ends[apart], axis=1), weights[apart]
        pairs, which = np.unique(ends[:, 0] * nodes + ends[:, 1], return_inverse=True)
        summed = np.bincount(which.reshape(-1), weights=weights, minlength=len(pairs))
        one, other = pairs // max(nodes, 1), pairs % max(nodes, 1)
        sources, targets = np.concatenate([one, other]), np.concatenate([other, one])
        both = np.concatenate([summed, summed])
        leaving = np.bincount(sources, weights=both, minlength=nodes)
        return cls(nodes, sources, targets, both / leaving[sources])


def pagerank(network: Network, seeds: Doubles, *, damping: float) -> Doubles:
    """The share of time that a walker spends at each node, shape (nodes,).

    At each step it follows an edge with probability *damping*, else it jumps to a seed; where no edge leads on it
    jumps, too. By power iteration, until a step moves less than 1e-12 in sum.

    Args:
        network: Where it walks.
        seeds: Weights of the nodes that it jumps to, shape (nodes,), none below 0, some above.
        damping: In [0, 1).

    Raises:
        ValueError: No seed is above 0, or the damping lies outside its range.

    Source:
        Page et al. 1999; personalised as in Haveliwala 2002.
    """
    if not 0 <= damping < 1:
        raise ValueError(f"damping lies in [0, 1), got {damping}")
    if not seeds.sum() > 0:
        raise ValueError("there is no seed to jump to")
    start = seeds / seeds.sum()
    mass = start
    for _ in range(_STEPS):
        flow = np.bincount(network.targets, weights=mass[network.sources] * network.shares, minlength=network.nodes)
        after = damping * flow
        after += (1 - after.sum()) * start
        moved, mass = np.abs(after - mass).sum(), after
        if moved < _CLOSE:
            break
    rounded: Doubles = mass.round(DIGITS)
    return rounded
