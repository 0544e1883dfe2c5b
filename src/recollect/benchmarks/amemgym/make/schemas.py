"""Who the user is, what is asked, on which variables it depends, and the first state."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from recollect.benchmarks.amemgym.generate.personas import in_lines
from recollect.benchmarks.amemgym.make import progress
from recollect.benchmarks.amemgym.make.checks import (
    CHOICE_CHECKS,
    PROFILE_CHECKS,
    QUESTION_CHECKS,
    VARIABLE_CHECKS,
    enough_room,
)
from recollect.benchmarks.amemgym.make.persons import Person
from recollect.benchmarks.amemgym.make.progress import NAME, PARAGRAPH, QUESTION, VALUE, step
from recollect.benchmarks.amemgym.settings import EnvConfig
from recollect.making.calling import NONE, each, shown
from recollect.making.schema import Schema, array, one_of, record, text
from recollect.making.steps import WHOLE, DroppedError, Given, Rule, Ruled, Sight, Stage


def fewest_changes(config: EnvConfig) -> int:
    """Fewest changes of a period."""
    return max(1, config.num_changes_per_period - 1)


def _of_person(sight: Sight, _: str) -> Given:
    found: Person = sight.item.data
    texts = "\n".join(f"{name}: {content}" for name, content in found.texts.items() if content)
    lang = found.config.lang
    return {
        "basic": in_lines(found.profile),
        "texts": texts or NONE,
        "lang": lang,
        "language": progress.LANGUAGES[lang],
    }


def _of_topics(sight: Sight, _: str) -> Given:
    settings = progress.config(sight)
    return {
        **progress.about(sight),
        "months": progress.months(sight),
        "count": str(settings.num_questions),
        "states": str(settings.num_states_per_question),
        "choices": str(settings.num_choices_per_state),
    }


def _question_shape(given: Given) -> Schema:
    count, states, choices = (int(given[name]) for name in ("count", "states", "choices"))
    fact = record(info_type=text(1, NAME), info_choices=array(text(1, VALUE), choices, choices))
    asked = record(question=text(1, QUESTION), required_info=array(fact, states, states))
    return record(questions=array(asked, count, count))


def _asked(sight: Sight) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = sight.of(progress.QUESTIONS)["questions"]
    return found


def _of_facts(sight: Sight, _: str) -> Given:
    questions = _asked(sight)
    needed = [[fact["info_type"] for fact in one["required_info"]] for one in questions]
    asked = []  # built anew, for a reply from the journal has its fields in another order
    for one in questions:
        facts = [{name: fact[name] for name in ("info_type", "info_choices")} for fact in one["required_info"]]
        asked.append({"question": one["question"], "required_info": facts})
    return {
        **progress.about(sight),
        "questions": shown(asked),
        "facts": list(dict.fromkeys(name for names in needed for name in names)),
        "needed": needed,
    }


def _variable_shape(given: Given) -> Schema:
    facts = given["facts"]
    variable = record(name=text(1, NAME), gathers=array(one_of(facts), 1, len(facts)))
    return record(variables=array(variable, 1, len(facts)))


def _variable_of(sight: Sight) -> dict[str, str]:
    """Fact -> the variable that gathers it."""
    return {fact: one["name"] for one in sight.of(progress.VARIABLES)["variables"] for fact in one["gathers"]}


def _gathered(sight: Sight) -> dict[str, list[tuple[str, list[str]]]]:
    """Variable -> questions that need it, each with its list of values."""
    variable_of, found = _variable_of(sight), defaultdict(list)
    for one in _asked(sight):
        for fact in one["required_info"]:
            found[variable_of[fact["info_type"]]].append((one["question"], list(fact["info_choices"])))
    return found


def _conflicts(sight: Sight) -> dict[str, list[dict[str, Any]]]:
    return {
        name: [{"question": question, "values": values} for question, values in found]
        for name, found in _gathered(sight).items()
        if len({frozenset(values) for _, values in found}) > 1
    }


def _of_conflicts(sight: Sight, _: str) -> Given:
    conflicts = _conflicts(sight)
    return {
        **progress.about(sight),
        "months": progress.months(sight),
        "choices": str(progress.config(sight).num_choices_per_state),
        "groups": shown(conflicts),
        "conflicts": list(conflicts),
    }


def _choice_shape(given: Given) -> Schema:
    choices = int(given["choices"])
    return record(**{name: array(text(1, VALUE), choices, choices) for name in given["conflicts"]})


def schema(sight: Sight) -> Ruled:
    """Variables with their values, and questions by the names of variables.

    Raises:
        DroppedError: There are too few variables for the changes that all periods need.
    """
    settings, variable_of = progress.config(sight), _variable_of(sight)
    unified: dict[str, list[str]] = next(iter(sight.parts(progress.CHOICES).values()), {})
    values = {name: unified.get(name, found[0][1]) for name, found in _gathered(sight).items()}
    fewest = fewest_changes(settings)
    if not enough_room(dict.fromkeys(values, settings.max_changes_per_state), settings.num_periods, fewest):
        have = f"{len(values)} variables that may change {settings.max_changes_per_state} times each"
        problem = f"{have} are too few for {settings.num_periods} periods of {fewest} changes"
        raise DroppedError("too_few_variables", problem)
    asked = [
        {"query": one["question"], "required_info": [variable_of[fact["info_type"]] for fact in one["required_info"]]}
        for one in _asked(sight)
    ]
    return Ruled({"schema": values, "questions": asked})


def _of_start(sight: Sight, _: str) -> Given:
    values = progress.schema(sight)
    return {**progress.about(sight), "months": progress.months(sight), "schema": shown(values), "values": values}


def value_shape(given: Given) -> Schema:
    """One of its values for each variable."""
    return record(**{name: one_of(values) for name, values in given["values"].items()})


STAGES: tuple[Stage, ...] = (
    each(
        step(
            progress.PROFILE,
            given=_of_person,
            shape=lambda _: record(name=text(1, NAME), profile=text(1, PARAGRAPH)),
            checks=PROFILE_CHECKS,
        ),
        lambda sight: [WHOLE] if sight.item.data.texts else [],
        lambda item: 1 if item.data.texts else 0,
    ),
    step(progress.QUESTIONS, given=_of_topics, shape=_question_shape, checks=QUESTION_CHECKS),
    step(progress.VARIABLES, given=_of_facts, shape=_variable_shape, checks=VARIABLE_CHECKS),
    each(
        step(progress.CHOICES, given=_of_conflicts, shape=_choice_shape, checks=CHOICE_CHECKS),
        lambda sight: [WHOLE] if _conflicts(sight) else [],
        lambda _: 1,
    ),
    Rule(name=progress.SCHEMA, make=schema),
    step(progress.STATE, given=_of_start, shape=value_shape),
)
