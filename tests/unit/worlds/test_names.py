"""Invented names: pronounceable, far enough apart, and never shared by two owners."""

from __future__ import annotations

import json
from random import Random

import pytest

from recollect.domain.errors import UsageError
from recollect.worlds.catalogues import catalogue
from recollect.worlds.names import Inventor, Parts, draw_names

PARTS = json.loads((catalogue("people") / "invented.json").read_text(encoding="utf-8"))


def words(persona_id: str, count: int = 300) -> list[str]:
    inventor = Inventor(persona_id, Random(f"1 {persona_id}"))
    return [inventor.word() for _ in range(count)]


def test_ten_owners_share_no_word() -> None:
    """300 each: 3,000 different words, though all are drawn by chance."""
    drawn = [word for owner in range(101, 191, 9) for word in words(str(owner))]
    assert len(set(drawn)) == 3000


def test_stems_are_shared_out_whatever_the_ids_are() -> None:
    """Ids that are no numbers work too."""
    assert set(words("anna")).isdisjoint(words("bert"))


def test_words_of_one_person_differ_in_two_letters_of_their_stems_at_least() -> None:
    """No word becomes another one's stem by leaving out a letter of either."""
    near: set[str] = set()
    for word in words("105"):
        stem = max((word.removesuffix(end) for end in PARTS["endings"]["word"] if word.endswith(end)), key=len)
        shorter = {stem[:at] + stem[at + 1 :] for at in range(len(stem))}
        assert near.isdisjoint(shorter), word
        near |= shorter


def test_words_can_be_spoken_and_are_not_rude() -> None:
    """A capital, then small letters; never three vowels in a row, nor four letters that stammer."""
    for word in words("212", 600):
        assert word.isalpha()
        assert word == word.capitalize()
        assert not [part for part in PARTS["avoided"] if part in word.lower()]
        assert not [at for at in range(len(word) - 3) if word[at : at + 2] == word[at + 2 : at + 4]]


def test_persons_have_a_first_name_and_a_surname_of_their_own() -> None:
    """First names come back only when all were given."""
    inventor = Inventor("105", Random(2))
    people = [inventor.person() for _ in PARTS["first_names"]]
    assert len({first for first, _ in people}) == len({surname for _, surname in people}) == len(people)


def test_the_same_seed_gives_the_same_names() -> None:
    """Word by word."""
    assert words("105") == words("105")


def test_used_up_names_are_told() -> None:
    """A share has less than a thousand stems, of which each also rules out its neighbours."""
    with pytest.raises(UsageError, match=r"not enough invented names for one person\. Ask for less\."):
        words("105", 2000)


PARTS_OF: Parts = {"person": [["Ma", "Bo", "Ti"], ["ra", "ni", "lo"]], "town": [["Vel", "Or"], ["ham", "by"]]}


def test_names_of_parts_are_different_and_none_is_part_of_another() -> None:
    drawn = draw_names({"film": [["The "], ["Ash", "Ashen", "Elm"], [" Tree", " Trees"]]}, {"film": 2}, Random(3))[
        "film"
    ]
    assert len(drawn) == 2
    assert not [one for one in drawn for other in drawn if one != other and one.lower() in other.lower()]


def test_kinds_share_no_name() -> None:
    same = {"a": [["Ko"], ["ri", "ra"]], "b": [["Ko"], ["ri", "ra"]]}
    drawn = draw_names(same, {"a": 1, "b": 1}, Random(1))
    assert drawn["a"] != drawn["b"]


def test_names_that_stumble_are_left_out() -> None:
    """A syllable twice, a late double letter: no `Baba`, no `Kartti`."""
    parts = {"x": [["Ba", "Bao", "Kar"], ["ba", "tti", "lo"]]}
    drawn = {name for seed in range(40) for name in draw_names(parts, {"x": 3}, Random(seed))["x"]}
    assert drawn == {"Batti", "Balo", "Baoba", "Baotti", "Baolo", "Karba", "Karlo"}


def test_too_few_parts_are_told() -> None:
    with pytest.raises(ValueError, match="too few names of kind 'town': wanted 9, found 4"):
        draw_names(PARTS_OF, {"town": 9}, Random(1))


def test_the_same_seed_gives_the_same_parts() -> None:
    counts = {"person": 4, "town": 2}
    assert draw_names(PARTS_OF, counts, Random(1)) == draw_names(PARTS_OF, counts, Random(1))
