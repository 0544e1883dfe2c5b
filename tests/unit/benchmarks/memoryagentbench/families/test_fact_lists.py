"""Facts that change: order, walks, stale ends, labels."""

from __future__ import annotations

from random import Random

import pytest

from recollect.benchmarks.memoryagentbench.families.fact_lists import (
    FactBook,
    Track,
    distinguishable,
    safe_aliases,
    shuffled,
    stale_ends,
    walk,
)


def _track(key: str, *values: str) -> Track:
    return Track(values=values, statements=tuple(f"{key} is {value}." for value in values))


TRACKS = {
    "boss of Ann": _track("boss of Ann", "Bea", "Cid"),
    "home of Bea": _track("home of Bea", "Xan"),
    "home of Cid": _track("home of Cid", "Yel", "Zon", "Yel"),
    "pet of Ann": _track("pet of Ann", "Rex", "Rex"),
}
HOPS = [lambda name: f"boss of {name}", lambda name: f"home of {name}"]


@pytest.mark.parametrize("seed", range(20))
def test_a_track_keeps_its_order_however_facts_are_shuffled(seed: int) -> None:
    texts, places = shuffled(TRACKS, Random(seed))
    assert len(texts) == 1 + 8  # the header and the statements above
    for key, track in TRACKS.items():
        assert list(places[key]) == sorted(places[key])
        assert [texts[place].partition(". ")[2] for place in places[key]] == list(track.statements)
    assert [text.partition(". ")[0] for text in texts[1:]] == [str(number) for number in range(8)]


def test_shuffling_does_put_facts_in_different_orders() -> None:
    assert len({tuple(shuffled(TRACKS, Random(seed))[0]) for seed in range(20)}) > 10


def test_a_walk_takes_the_newest_fact_at_each_hop() -> None:
    found = walk(TRACKS, "Ann", HOPS)
    assert found is not None
    assert found.keys == ("boss of Ann", "home of Cid")
    assert found.end == "Yel"


def test_a_walk_over_a_missing_fact_leads_nowhere() -> None:
    assert walk(TRACKS, "Dan", HOPS) is None


def test_stale_ends_are_where_old_facts_lead_fewest_first() -> None:
    """Bea (old) leads to Xan; Cid (new) to Zon (old); each takes one stale fact."""
    assert stale_ends(TRACKS, "Ann", HOPS) == ("Xan", "Zon")


def test_labels_tell_conflicts_distance_and_serial() -> None:
    texts, places = shuffled(TRACKS, Random(3))
    book = FactBook(tracks=TRACKS, places=places)
    asked = book.asked("Where?", ("Yel",), ("boss of Ann", "home of Cid"), ("Xan", "Zon"))
    boss, home = places["boss of Ann"], places["home of Cid"]
    assert asked.evidence == (boss[1], home[2])
    assert asked.labels == {
        "stratum": "conflicted",
        "hops": "2",
        "edited_hops": "2",
        "stale_facts": "2",  # Bea and Zon; the first Yel is no rival
        "gold_serial": texts[home[2]].partition(".")[0],
        "distance": str(max(boss[1] - boss[0], home[2] - home[1])),
        "stale_answer": "Xan",
    }


def test_the_same_value_said_twice_is_no_conflict() -> None:
    _, places = shuffled(TRACKS, Random(3))
    labels = FactBook(tracks=TRACKS, places=places).asked("Pet?", ("Rex",), ("pet of Ann",), ()).labels
    assert labels["stratum"] == "unique"
    assert "distance" not in labels


def test_wrong_answers_that_hold_the_right_one_are_left_out() -> None:
    assert distinguishable(["New York", "Boston", "Boston"], "York") == ("Boston",)


def test_aliases_that_a_wrong_answer_holds_are_left_out() -> None:
    """Every letter of `US` stands in `Russia`: who answers with the stale value would be right."""
    assert safe_aliases(["US", "America", "..."], ["Russia"]) == ("America",)
