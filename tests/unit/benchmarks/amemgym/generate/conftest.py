"""One domain that keeps all rules, and users of the bundled catalogue."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from recollect.benchmarks.amemgym.generate import items
from recollect.benchmarks.amemgym.generate.catalogue import LifeDomain
from recollect.benchmarks.amemgym.generate.settings import SIZES
from recollect.benchmarks.amemgym.items import Item
from recollect.worlds.catalogues import read

STALL = Path(__file__).parent / "data" / "market_stall.json"


@pytest.fixture
def stall_rows() -> Any:
    """The domain as its file says it, to be changed."""
    return json.loads(STALL.read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def stall() -> LifeDomain:
    """The domain of a market stall."""
    return read(LifeDomain, STALL)


@pytest.fixture(scope="session")
def small() -> tuple[Item, ...]:
    """Four users of the smallest size."""
    return items(SIZES.settings("small"), 7)


@pytest.fixture(scope="session")
def base() -> tuple[Item, ...]:
    """Twenty users of the paper's size."""
    return items(SIZES.settings("base"), 7)
