"""Questions about several things at once: each must have its own value, in whatever words it is told."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.benchmarks.subtlememory.generate.patterns import draw, wordings
from recollect.benchmarks.subtlememory.generate.world_answers import Reply as Answer
from recollect.benchmarks.subtlememory.generate.world_answers import asked, several
from recollect.benchmarks.subtlememory.generate.world_values import Value, counted, listed, named
from recollect.benchmarks.subtlememory.generate.world_words import world_words
from recollect.benchmarks.subtlememory.items import Qa
from recollect.benchmarks.subtlememory.questions import About, scored
from recollect.domain.exchange import Reply
from recollect.domain.ids import HistoryId
from recollect.domain.questions import Key, Question
from recollect.offline.judge.rule_judge import RuleJudge

from tests.unit.benchmarks.subtlememory.people import instance

ENTITIES = ("the Varn Pippin", "the Morolk Pippin", "Teganow Seedling", "the Festival of Hands at Drusk")
VALUES = (
    (named("bitter almond"), named("quince"), named("muscat grape"), named("aniseed"), named("caraway")),
    (counted(1_204), counted(12), counted(120), counted(3), counted(47)),
    (
        named("Adela Bladrend", "Bladrend"),
        named("Ivo Tolbek", "Tolbek"),
        named("Edda Skarfini", "Skarfini"),
        named("Milo Gurnova", "Gurnova"),
        named("Oda Plimster", "Plimster"),
    ),
)
ORDERED = tuple(wording for pattern in world_words().ordered for wording in wordings(pattern))
TURNS = tuple((count, turn) for count in (2, 3, 4) for turn in permutations(range(count)))
ASKED = st.tuples(st.sampled_from(TURNS), st.sampled_from(VALUES), st.randoms(use_true_random=False))


def key_of(entities: Sequence[str], values: Sequence[Value]) -> tuple[Question, Key]:
    """The question with its key, as the data set has them."""
    query = f"What can be said of {listed(entities)}?"
    holds = asked(dict(zip(entities, values, strict=True)))
    qa = Qa(query=query, correct_answers=("-",), incorrect_answers=("-",), asked=holds)
    case = instance("aroma", "K>1", "complementary", qa, source="user-unrelated")
    return scored(About(history=HistoryId("h"), bundle="b", instance=case, evidence=()), 0)


def value(asked_of: tuple[Question, Key], text: str) -> float | None:
    question, key = asked_of
    return RuleJudge().judge(question, key, Reply(text=text)).value()


def in_each_wording(entities: Sequence[str], values: Sequence[str], rng: Random) -> list[str]:
    """Each entity with a value, as answers of the data set tell it: in a row, as a list, and by lines."""
    told = []
    for pattern in world_words().each:
        parts = [
            draw(pattern, rng, {"entity": one, "value": other}) for one, other in zip(entities, values, strict=True)
        ]
        told += [f"{listed(parts)}.", f"{'; '.join(parts)}.", "\n".join(parts), ". ".join(parts)]
    return told


@settings(max_examples=60)
@given(ASKED)
def test_any_order_of_right_pairs_is_right(
    drawn: tuple[tuple[int, tuple[int, ...]], tuple[Value, ...], Random],
) -> None:
    (count, turn), values, rng = drawn
    asked_of = key_of(ENTITIES[:count], values[:count])
    told = in_each_wording([ENTITIES[at] for at in turn], [values[at].said for at in turn], rng)
    assert {value(asked_of, text) for text in told} == {1.0}


@settings(max_examples=60)
@given(ASKED)
def test_pairs_of_which_any_are_swapped_are_wrong(
    drawn: tuple[tuple[int, tuple[int, ...]], tuple[Value, ...], Random],
) -> None:
    (count, turn), values, rng = drawn
    if turn == tuple(range(count)):
        return
    asked_of = key_of(ENTITIES[:count], values[:count])
    told = in_each_wording(ENTITIES[:count], [values[at].said for at in turn], rng)
    assert {value(asked_of, text) for text in told} == {0.0}


@settings(max_examples=30)
@given(ASKED)
def test_values_without_names_are_never_taken_for_swapped(
    drawn: tuple[tuple[int, tuple[int, ...]], tuple[Value, ...], Random],
) -> None:
    (count, turn), values, _ = drawn
    asked_of = key_of(ENTITIES[:count], values[:count])
    said = listed([values[at].said for at in turn])
    assert {value(asked_of, wording.replace("{values}", said)) for wording in ORDERED} == {1.0}


def test_the_answers_of_the_generator_stay_what_they_are() -> None:
    """Right ones of each kind are right, wrong ones wrong; ten wordings of each."""
    for values in VALUES:
        entities, asked_of = ENTITIES[:3], key_of(ENTITIES[:3], values[:3])
        right = [
            Answer(value=one, text=f"{entity} is known for {one.said}.")
            for entity, one in zip(entities, values[:3], strict=True)
        ]
        stray = Answer(value=values[4], text=f"{entities[2]} is known for {values[4].said}.")
        for seed in range(10):
            fine, wrong = several(entities, right, stray, Random(seed))
            assert {value(asked_of, text) for text in fine} == {1.0}
            assert {value(asked_of, text) for text in wrong} == {0.0}
