"""The checks of the memories can fail: each broken twin is caught, and the honest one passes them all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.fakes import broken_memories as broken
from tests.unit.memories import memory_checks as checks
from tests.unit.memories.memory_checks import CHECKS
from tests.unit.memories.small_history import Maker

Check = Callable[[Maker, Path], None]

CATCHES: tuple[tuple[type[broken.HonestTwin], Check], ...] = (
    (broken.LosesProvenance, checks.check_items_are_messages_as_shown),
    (broken.WrongProvenance, checks.check_items_are_messages_as_shown),
    (broken.Rewords, checks.check_items_are_messages_as_shown),
    (broken.WidensAnEmptySearch, checks.check_unheard_words_find_nothing),
    (broken.WritesOnSearch, checks.check_searching_changes_nothing),
    (broken.TiresOnSearch, checks.check_searching_twice_is_equal),
    (broken.BreaksTiesByInstance, checks.check_same_writes_find_the_same),
    (broken.ShowsTwice, checks.check_no_item_comes_twice),
    (broken.PassesTheLimit, checks.check_the_limit_holds),
    (broken.NeverSettles, checks.check_settled_writes_are_found),
    (broken.SilentReceipts, checks.check_receipts_name_the_units),
    (broken.GenerousReadback, checks.check_readback_is_exact),
    (broken.SkipsOnWrite, checks.check_everything_is_held),
    (broken.ForgetsInTheListingOnly, checks.check_forgetting_is_complete),
    (broken.ForgetsAll, checks.check_forgetting_is_complete),
    (broken.ForgetsAll, checks.check_forgetting_the_unknown_changes_nothing),
    (broken.SharesAStore, checks.check_two_never_meet),
    (broken.SavesTooLittle, checks.check_a_snapshot_is_the_unbroken_instance),
    (broken.WritesIntoTheSnapshot, checks.check_a_snapshot_is_the_unbroken_instance),
    (broken.CannotStartEmpty, checks.check_a_snapshot_of_nothing_loads),
    (broken.SignsItsSnapshots, checks.check_deterministic_snapshots_are),
    (broken.TrimsTexts, checks.check_hostile_texts_pass_unchanged),
    (broken.NamesFilesByText, checks.check_hostile_texts_pass_unchanged),
    (broken.ShowsNothingOfNothing, checks.check_an_empty_memory_finds_nothing),
)


def maker(twin: type[broken.HonestTwin]) -> Maker:
    """A twin, of which the same is expected as of a lexical memory."""
    return Maker(name=twin.__name__, open=twin, traits=broken.TRAITS, lexical=True)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_honest_twin_passes(check: Check, tmp_path: Path) -> None:
    check(maker(broken.HonestTwin), tmp_path)


@pytest.mark.parametrize(("twin", "check"), [pytest.param(t, c, id=f"{t.__name__}-{c.__name__}") for t, c in CATCHES])
def test_a_broken_promise_is_caught(twin: type[broken.HonestTwin], check: Check, tmp_path: Path) -> None:
    with pytest.raises((AssertionError, OSError)):
        check(maker(twin), tmp_path)


def test_every_check_is_seen_to_fail() -> None:
    assert {check for _, check in CATCHES} == set(CHECKS)
