"""The answers to choose from: one for each combination of values, rewritten until a reader can match them."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

from recollect.benchmarks.amemgym.make import progress
from recollect.benchmarks.amemgym.make.checks import ANSWER_CHECKS
from recollect.benchmarks.amemgym.make.progress import SENTENCES, number_of, step
from recollect.making.calling import each
from recollect.making.schema import record, text, whole_number
from recollect.making.steps import DroppedError, Given, Item, Loop, Rule, Ruled, Sight, Stage

ROUNDS = 20
"""How often an answer, or a query, is rewritten before its user is rejected."""
MATCH, REFINE = "match", "refine_answer"
EXPERIENCE, RANDOM = "experience", "random"


def variants(sight: Sight) -> Ruled:
    """For each question its combinations of values, sorted: those that come to be, and others up to the fewest.

    Raises:
        DroppedError: The values of a question have too few combinations.
    """
    settings, values, states = progress.config(sight), progress.schema(sight), progress.states(sight)
    found = []
    for number, question in enumerate(progress.questions(sight)):
        needed = question["required_info"]
        lived = sorted({tuple(state[name] for name in needed) for state in states})
        unseen = sorted(set(product(*(values[name] for name in needed))) - set(lived))
        missing = max(0, settings.min_state_variants - len(lived))
        if missing > len(unseen):
            count = f"{len(lived) + len(unseen)} combinations, not {settings.min_state_variants}"
            raise DroppedError("too_few_variants", f"question {number + 1} has {count}")
        drawn = Random(f"{settings.seed}:{sight.item.key}:variants:{number}").sample(unseen, missing)
        both = sorted([(state, EXPERIENCE) for state in lived] + [(state, RANDOM) for state in drawn])
        found.append([{"state": list(state), "type": kind} for state, kind in both])
    return Ruled(found)


def _answer_parts(sight: Sight) -> list[str]:
    variants = enumerate(sight.of(progress.VARIANTS))
    return [f"q{index:02d}.v{number}" for index, found in variants for number in range(1, len(found) + 1)]


def _of_question(sight: Sight, part: str) -> Given:
    asked = progress.questions(sight)[number_of(part)]
    found = sight.of(progress.VARIANTS)[number_of(part)]
    told = [
        "; ".join(f"{name} = {value}" for name, value in zip(asked["required_info"], one["state"], strict=True))
        for one in found
    ]
    about = progress.about(sight)
    return {
        "lang": about["lang"],
        "language": about["language"],
        "question": asked["query"],
        "variants": "\n".join(f"variant_{number}: {one}" for number, one in enumerate(told, start=1)),
        "told": told,
        "values_hidden": sorted({value for one in found for value in one["state"]}),
    }


def _start(sight: Sight, part: str) -> dict[str, Any]:
    question, _, number = part.partition(".v")
    return {"number": int(number), "answer": sight.of(progress.ANSWERS, question)[f"variant_{number}"]}


def _of_answer(sight: Sight, part: str) -> Given:
    """What a reader sees: nothing says for which combination the answer was written."""
    given = _of_question(sight, part)
    return {
        "question": given["question"],
        "variants": "\n".join(f"{number}. {one}" for number, one in enumerate(given["told"], start=1)),
        "answer": sight.draft["answer"],
        "size": len(given["told"]),
    }


def _faults(verdict: Any, draft: Any) -> list[str]:
    right, read = draft["number"], verdict["variant"]
    return [] if read == right else [f"the answer for variant {right} is taken to be for variant {read}"]


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
                **{f"variant_{number}": text(1, SENTENCES) for number in range(1, len(given["told"]) + 1)}
            ),
            checks=ANSWER_CHECKS,
        ),
        lambda sight: [f"q{index:02d}" for index in range(len(progress.questions(sight)))],
        lambda item: item.data.config.num_questions,
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
