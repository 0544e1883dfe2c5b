"""Values that cannot be guessed, and statements that hold them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

from recollect.benchmarks.subtlememory.generate.catalogue.texts import Property
from recollect.benchmarks.subtlememory.generate.sessions.claims import Teller, counted, draw_series, draw_values, named
from recollect.benchmarks.subtlememory.generate.settings import GenerationSettings
from recollect.worlds.names import Inventor
from recollect.worlds.patterns import listed

from tests.unit.benchmarks.subtlememory.generate.worlds import festivals

PROPERTIES = {one.name: one for one in festivals()[0].properties}


def drawn(told: Property, count: int, seed: int, avoid: tuple[str, ...] = ()) -> list[str]:
    rng = Random(seed)
    return [value.said for value in draw_values(told, count, Inventor("1", rng), rng, avoid)]


def test_numbers_lie_in_their_range_are_not_round_and_equally_likely() -> None:
    """120 to 980 without multiples of five; 6,000 draws over ten equal parts of the range."""
    numbers = [int(value) for seed in range(1500) for value in drawn(PROPERTIES["kites"], 4, seed)]
    assert 120 <= min(numbers) <= max(numbers) <= 980
    assert not [number for number in numbers if number % 5 == 0]
    parts = Counter((number - 120) // 87 for number in numbers)
    assert all(480 < parts[part] < 720 for part in range(9))


def test_values_of_a_draw_differ_and_keep_away_from_what_is_said_anyway() -> None:
    """Eight choices; a day of the month is no figure."""
    assert len(set(drawn(PROPERTIES["symbol"], 8, 1))) == 8
    assert "otter" not in drawn(PROPERTIES["symbol"], 7, 1, ("otter",))
    kept = {value for seed in range(400) for value in drawn(PROPERTIES["kites"], 4, seed, ("121", "122"))}
    assert kept.isdisjoint({"121", "122"})
    assert "123" in kept


def test_figures_of_a_series_grow_from_anywhere_in_the_range_and_without_leaps() -> None:
    """1,000 series of four kites counts: no fall, no leap, all parts of the range."""
    starts = Counter[int]()
    for seed in range(1000):
        rng = Random(seed)
        series = draw_series(PROPERTIES["kites"], 4, Inventor("1", rng), rng, ("121",))
        figures = [int(value.said) for value in series]
        assert figures == sorted(set(figures))
        assert figures[-1] <= 1.1 * figures[0] + 16
        assert figures[0] >= 120
        assert figures[-1] <= 980
        assert 121 not in figures
        starts[(figures[0] - 120) // 87] += 1
    assert all(starts[part] > 50 for part in range(9))
    names = draw_series(PROPERTIES["founder"], 3, Inventor("1", Random(1)), Random(1))
    assert len({value.said for value in names}) == 3


def test_all_choices_are_equally_likely() -> None:
    """4,000 draws of one among eight."""
    counts = Counter(drawn(PROPERTIES["symbol"], 1, seed)[0] for seed in range(4000))
    assert len(counts) == 8
    assert all(420 < count < 580 for count in counts.values())


def test_a_number_is_accepted_with_and_without_its_comma_and_a_person_by_the_surname() -> None:
    """1,234 or 1234; 987 alone."""
    assert counted(1234).accepted == ("1,234", "1234")
    assert counted(987).accepted == ("987",)
    rng = Random(3)
    (person,) = draw_values(PROPERTIES["founder"], 1, Inventor("1", rng), rng)
    assert person.accepted == (person.said, person.said.split()[-1])


def test_statements_differ_until_all_are_used_and_go_on_behind_a_lead() -> None:
    """Four patterns; a capital unless something stands before."""
    teller = Teller(PROPERTIES["kites"], GenerationSettings(), Random(1))
    texts = [teller.say("the Ubo Days", named("432")) for _ in range(4)]
    assert len({text[:12] for text in texts}) == 4
    assert all(text[0].isupper() and "432" in text and text.endswith(".") for text in texts)
    behind = [teller.say("the Ubo Days", named("432"), "As of 1 June 2025") for _ in range(4)]
    assert all(text.startswith("As of 1 June 2025, ") and text[19].islower() for text in behind)


def test_a_name_that_begins_a_statement_keeps_its_capital_behind_a_lead() -> None:
    """Names of towns are no words of the sentence."""
    teller = Teller(replace(PROPERTIES["kites"], told=("{value} hosts {entity}.",)), GenerationSettings(), Random(1))
    assert teller.say("the Ubo Days", named("Lom"), "This year") == "This year, Lom hosts the Ubo Days."


def test_held_out_statements_and_alike_ones_are_taken_where_the_settings_want_them() -> None:
    """Held out: other patterns; overlap high: one wording for all."""
    told = PROPERTIES["symbol"]
    held = Teller(told, GenerationSettings(held_out=True), Random(1))
    assert all(" stamps " in text or " puts " in text for text in (held.say("X", named("otter")) for _ in range(6)))
    alike = Teller(told, GenerationSettings(overlap="high"), Random(1))
    assert len({alike.say("X", named("otter")) for _ in range(6)}) == 1


def test_names_are_listed_as_in_a_sentence() -> None:
    """One, two, three."""
    assert [listed("ABC"[:count]) for count in (1, 2, 3)] == ["A", "A and B", "A, B and C"]
