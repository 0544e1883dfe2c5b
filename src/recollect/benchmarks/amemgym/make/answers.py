"""The answers to choose from: one for each combination of values, rewritten until a reader tells them apart."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from random import Random
from typing import Any

from recollect.benchmarks.amemgym.make import progress
from recollect.benchmarks.amemgym.make.calling import SENTENCES, step
from recollect.benchmarks.amemgym.make.checks import ANSWER_CHECKS
from recollect.benchmarks.amemgym.make.progress import named, number_of
from recollect.making.calling import each
from recollect.making.schema import record, text, whole_number
from recollect.making.steps import DroppedError, Given, Item, Loop, Rule, Ruled, Sight, Stage

ROUNDS = 20
"""How often an answer, or a query, is rewritten before its user is given up."""
MATCH, REFINE = "match", "refine_answer"
EXPERIENCE, RANDOM = "experience", "random"


def variants(sight: Sight) -> Ruled:
    """For each question its combinations of values, sorted: those that come to be, and others up to the fewest.

    Raises:
        DroppedError: The values of a question have too few combinations.
    """
    return Ruled([_variants(sight, place, one["required_info"]) for place, one in enumerate(progress.questions(sight))])


def _variants(sight: Sight, place: int, needed: Sequence[str]) -> list[dict[str, Any]]:
    settings, values = progress.config(sight), progress.schema(sight)
    lived = sorted({tuple(state[name] for name in needed) for state in progress.states(sight)})
    unseen = sorted(set(product(*(values[name] for name in needed))) - set(lived))
    missing = max(0, settings.min_state_variants - len(lived))
    if missing > len(unseen):
        problem = f"question {place + 1} has {len(lived) + len(unseen)} combinations, not {settings.min_state_variants}"
        raise DroppedError("too_few_variants", problem)
    drawn = Random(f"{settings.seed}:{sight.item.key}:variants:{place}").sample(unseen, missing)
    found = [(one, EXPERIENCE) for one in lived] + [(one, RANDOM) for one in drawn]
    return [{"state": list(state), "type": kind} for state, kind in sorted(found)]


def _parts(sight: Sight) -> list[str]:
    return [f"q{place:02d}" for place in range(len(progress.questions(sight)))]


def _answer_parts(sight: Sight) -> list[str]:
    found = zip(_parts(sight), sight.of(progress.VARIANTS), strict=True)
    return [f"{part}.v{number}" for part, variants in found for number in range(1, len(variants) + 1)]


def _of_question(sight: Sight, part: str) -> Given:
    """A question with its combinations, told by number."""
    asked = progress.questions(sight)[number_of(part)]
    found = sight.of(progress.VARIANTS)[number_of(part)]
    told = [named(asked["required_info"], one["state"]) for one in found]
    said = progress.about(sight)
    return {
        "lang": said["lang"],
        "language": said["language"],
        "question": asked["query"],
        "variants": "\n".join(f"variant_{number}: {one}" for number, one in enumerate(told, start=1)),
        "told": told,
        "values_hidden": sorted({value for one in found for value in one["state"]}),
    }


def _name(number: int) -> str:
    return f"variant_{number}"


def _start(sight: Sight, part: str) -> dict[str, Any]:
    question, _, number = part.partition(".v")
    answers = sight.of(progress.ANSWERS, question)
    return {"number": int(number), "answer": answers[_name(int(number))]}


def _of_answer(sight: Sight, part: str) -> Given:
    """What a reader sees: nothing says for which combination the answer was written."""
    given = _of_question(sight, part)
    numbered = "\n".join(f"{number}. {one}" for number, one in enumerate(given["told"], start=1))
    return {
        "question": given["question"],
        "variants": numbered,
        "answer": sight.draft["answer"],
        "size": len(given["told"]),
    }


def _faults(verdict: Any, draft: Any) -> list[str]:
    right, said = draft["number"], verdict["variant"]
    return [] if said == right else [f"the answer for variant {right} is taken to be for variant {said}"]


def _of_mistaken(sight: Sight, part: str) -> Given:
    given, draft = _of_question(sight, part), sight.draft
    told = given["told"]
    return {
        **{name: given[name] for name in ("lang", "language", "question", "values_hidden")},
        "answer": draft["answer"],
        "target": told[draft["number"] - 1],
        "others": "\n".join(one for number, one in enumerate(told, start=1) if number != draft["number"]),
        "mistaken": told[sight.verdict["variant"] - 1],
    }


def _most_questions(item: Item) -> int:
    count: int = item.data.config.num_questions
    return count


def _most_answers(item: Item) -> int:
    settings = item.data.config
    combinations = settings.num_choices_per_state**settings.num_states_per_question
    most = min(combinations, max(settings.min_state_variants, settings.num_periods + 1))
    return int(settings.num_questions * most)


STAGES: tuple[Stage, ...] = (
    Rule(name=progress.VARIANTS, make=variants),
    each(
        step(
            progress.ANSWERS,
            given=_of_question,
            shape=lambda given: record(
                **{_name(number): text(1, SENTENCES) for number in range(1, len(given["told"]) + 1)}
            ),
            checks=ANSWER_CHECKS,
        ),
        _parts,
        _most_questions,
    ),
    Loop(
        name=progress.ANSWERED,
        start=_start,
        check=step(MATCH, given=_of_answer, shape=lambda given: record(variant=whole_number(1, given["size"]))),
        faults=_faults,
        mend=step(REFINE, given=_of_mistaken, shape=lambda _: record(answer=text(1, SENTENCES)), checks=ANSWER_CHECKS),
        mended=lambda draft, _, reply: {**draft, "answer": reply["answer"]},
        rounds=ROUNDS,
        parts=_answer_parts,
        bound=_most_answers,
    ),
)
"""An answer that is still taken for another after all rounds costs its user."""
