"""Briefs of sessions on the bundled threads of two topics, and cases to check."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from recollect.benchmarks.subtlememory.generate.catalogue.texts import Exchange, Kind, Thread, Topic, read_file
from recollect.benchmarks.subtlememory.generate.plans import Brief, CasePlan, SessionPlan, Telling
from recollect.benchmarks.subtlememory.items import LEVELS, RELATED, UNRELATED, Asked, Qa
from recollect.worlds.catalogues import catalogue

CLUES = (
    "The pieces that survive each clearing-out have pale wood and nothing on them.",
    "Two cushions are one too many for my sofa.",
    "The windowsill holds one stone and no pot.",
)
LENGTHS = (6, 8, 10, 12, 14)
KITES = Path(__file__).parent / "data" / "kite_festival.json"


@cache
def threads(*, world: bool = False) -> tuple[Thread, ...]:
    """Of a topic that is in the catalogue, or of a kind."""
    if world:
        return read_file(catalogue("subtlememory") / "world" / "river_ferry_line.json", Kind).threads
    return read_file(catalogue("subtlememory") / "user" / "interior_design.json", Topic).threads


@cache
def kites() -> Kind:
    """A kind of entity that only tests know."""
    return read_file(KITES, Kind)


REPORTS = tuple(
    Exchange(user=f"Before I forget {what}, one thing. {{said}} Where do I put {what}?", assistant=f"On {place}.")
    for what, place in (("it", "a card"), ("the boat", "the next page"), ("the letter", "the back of the map"))
)
LOOKUPS = tuple(
    Exchange(user=f"And what of the Morvane Line, {who}?", assistant=f"{what} {{said}}")
    for who, what in (
        ("please", "More is not known of it here."),
        ("for a friend", "Tell your friend to ask there."),
        ("by the way", "On the map it is the blue one."),
    )
)
REPORT, LOOKUP = REPORTS[0], LOOKUPS[0]
OWN = (
    Exchange(user="Our flat is a matter of its own. {said} Would you write that down?", assistant="On the first page."),
    Exchange(user="About how I live, then. {said}", assistant="Keep a list of it for the removal, room by room."),
    Exchange(user="There was talk of furniture. {said} So much for that.", assistant="Measure the door first."),
)


def clues(*texts: str, fact: int = 0) -> Telling:
    """What the user tells about themselves, in a step of its own."""
    return Telling(fact=fact, role="user", text=" ".join(texts), of="room style", moment=OWN[0])


def apart(*texts: str) -> tuple[Telling, ...]:
    """The same, each text in another step."""
    return tuple(
        Telling(fact=place, role="user", text=text, of=f"trait {place}", moment=OWN[place])
        for place, text in enumerate(texts)
    )


def report(fact: int, said: str) -> Telling:
    """What the user tells about the world."""
    return Telling(fact=fact, role="user", text=said, moment=REPORT)


def brief(number: int, *tellings: Telling, messages: int = 12, signal: str | None = "medium") -> Brief:
    """The so many-th of all threads in turn; without a signal it is about the world."""
    given = threads(world=signal is None)
    return Brief(
        tellings=tellings or (clues(*CLUES[:2]),),
        thread=given[number % len(given)],
        messages=messages,
        signal=signal,
    )


def briefs(count: int) -> list[Brief]:
    """Of all lengths and voices."""
    return [
        brief(number, messages=(10, 12, 14)[number % 3], signal=LEVELS[number // 3 % 3])
        if number % 2
        else brief(number, *_world(number), messages=LENGTHS[number // 2 % 5], signal=None)
        for number in range(count)
    ]


def _world(number: int) -> tuple[Telling, ...]:
    return tuple(
        Telling(
            fact=fact,
            role=("user", "assistant")[(number // 2 + fact) % 2],
            text=f"The Morvane Line has {year} stops.",
            moment=(REPORTS, LOOKUPS)[(number // 2 + fact) % 2][fact],
        )
        for fact, year in enumerate(range(140, 141 + number // 2 % 3 % (LENGTHS[number // 2 % 5] // 2 - 2)))
    )


def related_case() -> CasePlan:
    """Two values of one trait, each under its condition."""
    return CasePlan(
        key="u000",
        source=RELATED,
        topic="Interior design",
        domain="Lifestyle",
        relation_type="nuanced",
        relation_subtype="Context",
        case="The room style depends on whose room it is.",
        facts=(
            "Nora keeps a living room minimalist and uncluttered.",
            "Nora makes children's rooms loud, colourful and crowded.",
        ),
        qas=(question(),),
        sessions=(
            SessionPlan(brief=brief(1, clues(*CLUES[:2]))),
            SessionPlan(brief=brief(2, clues("My nephew's shelf glows in six shades.", fact=1))),
        ),
    )


def dated_case() -> CasePlan:
    """Two counts of one thing at two dates."""
    told = ("As of 1 June 2024, the Morvane Line has 141 stops.", "As of 1 March 2025, the Morvane Line has 152 stops.")
    return CasePlan(
        key="w000",
        source=UNRELATED,
        topic="River transport",
        domain="World",
        relation_type="nuanced",
        relation_subtype="Temporal",
        case="The number of stops changes.",
        facts=told,
        qas=(),
        sessions=tuple(
            SessionPlan(
                brief=brief(place, Telling(fact=place, role="user", text=one, moment=REPORT), messages=8, signal=None),
                starts=("2025-04-01", "2025-06-01")[place],
                ends=("2025-05-30", "2025-07-31")[place],
            )
            for place, one in enumerate(told)
        ),
    )


def question() -> Qa:
    """Asks for two fields of a form."""
    return Qa(
        query=(
            "Please fill in the form for my living room.\n"
            "- Room style: one of: minimalist / rustic / baroque / playful\n"
            "- Light: one of: candles / spotlights / daylight / lanterns"
        ),
        correct_answers=(
            '{"Room style": "minimalist", "Light": "daylight"}',
            "Filled in:\nRoom style: minimalist\nLight: daylight",
            "Room style: plain, Light: daylight, for that is how Nora has it.",
        ),
        incorrect_answers=(
            '{"Room style": "rustic", "Light": "daylight"}',
            '{"Room style": "minimalist", "Light": "candles"}',
            '{"Room style": "playful", "Light": "lanterns"}',
        ),
        asked=Asked(
            form="structured_form",
            chance=1 / 16,
            template={
                "Room style": "one of: minimalist / rustic / baroque / playful",
                "Light": "one of: candles / spotlights / daylight / lanterns",
            },
            fields={"Room style": ("minimalist", "plain"), "Light": ("daylight",)},
            others=("rustic", "baroque", "playful", "candles", "spotlights", "lanterns"),
        ),
    )


def choice() -> Qa:
    """Asks for one of four resources."""
    described = {
        "Pinewell": "pale wood and nothing on display",
        "Garnet House": "carved oak under heavy curtains",
        "Studio Fenn": "wool, clay and a crooked bench",
        "Kubbo": "stairs to climb and a slide",
    }
    return Qa(
        query="Choose one package for me.\n" + "\n".join(f"- {name}: {said}" for name, said in described.items()),
        correct_answers=("Pinewell", "I would take Pinewell.", "Pinewell, since that room stays bare."),
        incorrect_answers=("Garnet House", "I would take Kubbo.", "Studio Fenn."),
        asked=Asked(
            form="resource_arrangement",
            chance=1 / 4,
            options=tuple(described),
            described=described,
            fields={"choice": ("Pinewell",)},
            others=("Garnet House", "Studio Fenn", "Kubbo"),
        ),
    )
