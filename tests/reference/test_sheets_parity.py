"""Label sheets that hold the ratings of irrCAC's cases come to irrCAC's numbers, through files and back."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from recollect.contracts.sheets import Scale, Sheet, SheetItem
from recollect.making.agreement import PairAgreement, findings
from recollect.making.ratings import default_key_path, read_ratings

from tests.fakes.filled_sheets import fill, place_of, write

DATA = os.environ.get("RECOLLECT_DATA")
pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(not DATA, reason="RECOLLECT_DATA names no folder with the source data"),
]
WITHIN = 1e-8
"""The reference's quantile of Student's t is off by that much in one case."""


def cases(weights: str) -> Iterator[Mapping[str, Any]]:
    """Cases that name all their categories, as a sheet names its scale's points."""
    path = Path(str(DATA)) / "parity" / "stats.json"
    for case in json.loads(path.read_text(encoding="utf-8"))["cases"]:
        if case["kind"] == "gwet" and case["input"]["weights"] == weights and case["input"]["categories"]:
            yield case


def sheet_of(given: Mapping[str, Any]) -> Sheet:
    """An item for each subject."""
    scale = Scale(points={str(point): "" for point in given["categories"]}, best="last")
    items = [
        SheetItem(
            item=str(place), group=str(place), cluster=str(place), text=f"item {place}", question="?", scale=scale
        )
        for place in range(len(given["ratings"]))
    ]
    return Sheet(name="exposure", meaning="", sample=len(items), items=tuple(items))


def through_files(folder: Path, given: Mapping[str, Any]) -> PairAgreement:
    """What people's agreement comes to after a sheet was written, filled in and read."""
    ratings: Sequence[Sequence[int | None]] = given["ratings"]

    def said(row: Mapping[str, str]) -> Mapping[str, str]:
        labels = enumerate(ratings[place_of(row)], start=1)
        return {f"rater_{number}": "" if label is None else str(label) for number, label in labels}

    made = sheet_of(given)
    file = fill(write(folder, replace(made), raters=len(ratings[0])), said)
    found = findings(read_ratings([file], default_key_path(file))).agreement
    assert found is not None
    return found


@pytest.mark.parametrize("weights", ["identity", "ordinal"])
def test_agreement_is_that_of_irrcac(tmp_path: Path, weights: str) -> None:
    tried = 0
    for case in cases(weights):
        folder = tmp_path / case["id"]
        folder.mkdir()
        agreed = through_files(folder, case["input"])
        ours = agreed.ac1 if weights == "identity" else agreed.ac2
        wanted = case["expected"]["value"]
        assert ours is not None
        assert ours.name == wanted["name"], case["id"]
        told = [ours.coefficient, ours.observed, ours.chance, ours.standard_error, ours.low, ours.high]
        keys = ("coefficient", "observed_agreement", "chance_agreement", "se")
        assert told == pytest.approx([*(wanted[key] for key in keys), *wanted["interval"]], abs=WITHIN), case["id"]
        tried += 1
    assert tried >= 4
