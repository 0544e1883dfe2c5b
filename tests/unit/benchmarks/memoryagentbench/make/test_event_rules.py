"""From events of passages to questions, without a model."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from recollect.benchmarks.memoryagentbench.make import event_rules as rules
from recollect.benchmarks.memoryagentbench.make.books import items
from recollect.benchmarks.memoryagentbench.make.event_rules import Book
from recollect.domain.errors import DataError
from recollect.making.steps import DroppedError, Item, Sight

PASSAGES = ("Ann sold the red boat to a miller. ", "Then Ann went home. ", "Bob stole the boat and hid it.")


def sight(results: dict[str, dict[str, Any]], wanted: int = 3, passages: tuple[str, ...] = PASSAGES) -> Sight:
    book = Book(title="b", passages=passages, chunks=((0, len(passages)),), wanted=wanted, per_chunk=9)
    return Sight(item=Item(key="t:b", data=book), results=results)


def event(text: str, quote: str, *characters: str) -> dict[str, Any]:
    return {"text": text, "quote": quote, "characters": list(characters)}


SOLD = event("Ann sold the red boat to a miller of the town.", "sold the red boat", "Ann")
STOLE = event("Bob stole the boat from the miller by night and hid it.", "Bob stole the boat", "Bob")
WENT = event("Ann went home over the hills in the evening rain.", "miller. Then Ann went home", "Ann")


def test_events_stand_in_the_order_of_the_book_and_know_their_passages() -> None:
    """A quote over a border stands in both passages."""
    found = rules.collected(sight({"events": {"0": {"events": [STOLE, WENT, SOLD]}}}))
    assert [(one["name"], one["places"]) for one in found.value] == [("0.2", [0]), ("0.1", [0, 1]), ("0.0", [2])]
    assert not found.drops


def test_an_event_that_was_taken_down_twice_stands_once() -> None:
    again = {**SOLD, "text": "Ann sold a red boat to the miller of the town."}
    found = rules.collected(sight({"events": {"0": {"events": [SOLD, again, STOLE]}}}))
    assert [one["name"] for one in found.value] == ["0.0", "0.2"]
    assert [(drop.part, drop.check) for drop in found.drops] == [("0.1", "same")]


def collected(*told: tuple[str, list[str]]) -> list[dict[str, Any]]:
    return [
        {"name": str(n), "text": text, "characters": who, "chunk": 0, "places": [0]}
        for n, (text, who) in enumerate(told)
    ]


def test_duplicates_and_minor_people_are_left_out_and_accounted_for() -> None:
    main = [(f"P{number % 10} did thing {number}.", [f"P{number % 10}"]) for number in range(20)]
    told = collected(*main, ("Zed did nothing.", ["Zed"]))
    same = {"0-21": {"same": [{"event": 3, "same_as": 1}]}}
    found = rules.chain(sight({"collected": {"": told}, "duplicates": same}, wanted=50))
    assert [one["name"] for one in found.value] == [str(n) for n in range(20) if n != 2]
    assert [(drop.part, drop.check) for drop in found.drops] == [("2", "same"), ("20", "minor_character")]


def test_more_events_than_wanted_are_thinned_evenly() -> None:
    told = collected(*((f"Ann did thing {number}.", ["Ann"]) for number in range(100)))
    found = rules.chain(sight({"collected": {"": told}, "duplicates": {}}, wanted=10))
    places = [int(one["name"]) for one in found.value]
    assert (len(places), places[0], places[-1]) == (round(10 * rules.SPARE), 0, 99)
    assert max(b - a for a, b in pairwise(places)) <= 10
    assert len(found.drops) == 100 - len(places)


def test_too_few_events_reject_the_book() -> None:
    with pytest.raises(DroppedError):
        rules.chain(sight({"collected": {"": collected(("Ann slept.", ["Ann"]))}, "duplicates": {}}))


def test_a_name_within_one_longer_name_is_the_same_person_and_one_within_two_is_not() -> None:
    names = ["Sherlock Holmes", "Holmes", "John Watson", "Mary Watson", "Watson"]
    whole = {name: rules._whole_name(name, names) for name in names}
    assert whole["Holmes"] == "Sherlock Holmes"
    assert whole["Watson"] == "Watson"


def test_an_event_without_options_leaves_the_chain() -> None:
    told = collected(("A.", ["A"]), ("B.", ["A"]), ("C.", ["A"]))
    found = rules.questions(sight({"chain": {"": told}, "verified": {"2": list("vwxyz")}}))
    assert found.value["first"]["name"] == "0"
    assert [one["name"] for one in found.value["asked"]] == ["2"]
    with pytest.raises(DroppedError):
        rules.questions(sight({"chain": {"": told}, "verified": {}}))


def test_windows_cover_all_and_overlap() -> None:
    assert [(one.start, one.stop) for one in rules.windows(60, 30, 10)] == [(0, 30), (20, 50), (40, 60)]
    assert not list(rules.windows(1, 30, 10))
    assert [(one.start, one.stop) for one in rules.windows(30, 30, 10)] == [(0, 30)]


def test_books_come_from_text_files_cut_at_whole_passages(tmp_path: Path) -> None:
    (tmp_path / "b.txt").write_text("\n\n".join(f"Paragraph {n}. " + "word " * 400 for n in range(400)))
    full, cut = items(tmp_path, ["eventqa_full", "eventqa_65536"])
    assert (full.key, cut.key) == ("eventqa_full:b", "eventqa_65536:b")
    assert full.data.passages[: len(cut.data.passages)] == cut.data.passages
    assert 150 < len(cut.data.passages) < 170  # a paragraph has about 404 tokens
    assert [cut.data.chunks[0][0], cut.data.chunks[-1][1]] == [0, len(cut.data.passages)]
    assert all(a[1] == b[0] for a, b in pairwise(cut.data.chunks))


def test_a_folder_without_novels_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no file that ends in"):
        items(tmp_path, ["eventqa_full"])
    (tmp_path / "b.txt").write_bytes(b"\xff\xfe")
    with pytest.raises(DataError, match="is not UTF-8"):
        items(tmp_path, ["eventqa_full"])
