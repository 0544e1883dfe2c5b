"""References to evidence: what is mended, what is lost, and that both are told."""

from __future__ import annotations

from typing import Any

import pytest

from recollect.benchmarks.locomo.rows import Linked, linked

KNOWN = {"D1:1", "D1:2", "D8:6", "D9:17", "D11:26", "D30:5"}


@pytest.mark.parametrize(
    ("references", "expected"),
    [
        pytest.param(["D1:1", "D1:2"], Linked(("D1:1", "D1:2")), id="plain"),
        pytest.param(["D8:6; D9:17"], Linked(("D8:6", "D9:17"), mended=("D8:6; D9:17",)), id="two-in-one"),
        pytest.param(["D:11:26"], Linked(("D11:26",), mended=("D:11:26",)), id="a-colon-too-many"),
        pytest.param(["D30:05"], Linked(("D30:5",), mended=("D30:05",)), id="a-zero-too-many"),
        pytest.param(["D"], Linked((), lost=("D",)), id="no-number"),
        pytest.param(["D7:1"], Linked((), lost=("D7:1",)), id="no-such-turn"),
        pytest.param(["D1:1 D7:1"], Linked(("D1:1",), mended=("D1:1 D7:1",), lost=("D1:1 D7:1",)), id="half-lost"),
        pytest.param([7], Linked((), lost=("7",)), id="no-text"),
        pytest.param(["D1:1", "D1:1"], Linked(("D1:1",), doubled=("D1:1",)), id="twice"),
        pytest.param([], Linked(()), id="none"),
    ],
)
def test_references_are_read_leniently_and_told(references: list[Any], expected: Linked) -> None:
    assert linked(references, KNOWN) == expected
