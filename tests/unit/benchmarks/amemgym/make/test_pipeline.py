"""The whole pipeline with a stub model: what it makes, how it counts, and that no kill changes a byte."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest

from recollect.benchmarks.amemgym.histories import NAME, ROWS, TASK, lang_of
from recollect.benchmarks.amemgym.items import problems_of
from recollect.benchmarks.amemgym.load import load
from recollect.benchmarks.amemgym.make import RECIPES
from recollect.benchmarks.amemgym.make.persons import people
from recollect.benchmarks.amemgym.make.pipeline import PIPELINE, dataset, user, user_of
from recollect.benchmarks.amemgym.rows import item_of
from recollect.benchmarks.amemgym.settings import BASE, EnvConfig
from recollect.benchmarks.amemgym.write import write
from recollect.domain.errors import DataError, InterruptedRunError
from recollect.making.account import as_lines, log_of, summary_of
from recollect.making.recipe import estimate_steps
from recollect.making.run import JOURNAL, RunResult, run
from recollect.making.steps import DroppedError, Item

from tests.unit.benchmarks.amemgym.make.life_maker import KilledError, LifeMaker

SMALL = replace(BASE, num_user_profiles=2, num_periods=2, num_questions=3, num_changes_per_period=2)
USERS = len(range(SMALL.num_user_profiles))


def persons(config: EnvConfig = SMALL) -> list[Item]:
    return [Item(key=one.profile.uuid, data=one) for one in people(config)]


def go(folder: Path, maker: LifeMaker, of: Sequence[Item], at_once: int = 8) -> RunResult:
    return run(PIPELINE, of, model=maker, folder=folder, at_once=at_once)


def failing(**how: Any) -> LifeMaker:
    """One reply in ten is malformed, one in twenty breaks a rule."""
    return LifeMaker(malformed=0.1, broken=0.05, **how)


def file_of(ending: RunResult, of: Sequence[Item], folder: Path) -> bytes:
    target = folder / "data.json"
    write(dataset(of, ending.made(), 5, "stub"), target)
    return target.read_bytes()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_replies_that_fail_now_and_then_end_in_users_that_keep_every_promise(
    tmp_path: Path, lang: Literal["en", "zh"]
) -> None:
    of = persons(replace(SMALL, lang=lang))
    ending = go(tmp_path, failing(), of)
    made = dataset(of, ending.made(), 5, "stub")
    target = tmp_path / "data.json"
    write(made, target)
    assert load(target) == made
    rows = made.shared[TASK][ROWS].values()
    users = [one for row in rows if (one := item_of(row)[0]) is not None]
    assert len(users) == USERS
    assert [problem for one in users for problem in problems_of(one)] == []
    assert {lang_of(one) for one in users} == {lang}
    assert {(len(one.periods), len(one.qas)) for one in users} == {(3, 3)}
    assert all(len(qa.answer_choices) >= SMALL.min_state_variants for one in users for qa in one.qas)


@pytest.mark.parametrize("never", ["", "match"])
def test_every_reply_is_accounted_for(tmp_path: Path, never: str) -> None:
    """The stub counts what it said; the summary and the log count what was read."""
    maker = failing(never=never)
    ending = go(tmp_path, maker, persons())
    summary, lines = summary_of(ending), list(log_of(ending))
    made = sum(step.first_try + step.repaired for step in summary.steps if step.tries)
    unusable = sum(len(line.failed) for line in lines)
    assert sum(step.tries for step in summary.steps) == maker.replies == made + unusable
    assert {step.step: step.tries for step in summary.steps if step.tries} == dict(maker.steps)
    assert unusable > 0
    assert (summary.made, summary.rejected, summary.unfinished) == ((0, USERS, 0) if never else (USERS, 0, 0))


def whole(folder: Path, of: Sequence[Item]) -> tuple[bytes, bytes, LifeMaker]:
    maker = failing()
    ending = go(folder, maker, of)
    return file_of(ending, of, folder), as_lines(ending), maker


@pytest.mark.parametrize(("calls", "at_once"), [pytest.param(1, 1, marks=pytest.mark.full), (7, 8), (40, 3)])
def test_killed_after_any_call_and_gone_on_gives_the_same_bytes_and_pays_nothing_twice(
    tmp_path: Path, calls: int, at_once: int
) -> None:
    """Killed again and again, each time after so many paid calls; replies are kept, as by the cache of calls."""
    of = persons()
    data, log, told = whole(tmp_path / "whole", of)
    kept: dict[str, str] = {}
    paid, kills = 0, 0
    while True:
        maker = failing(kept=kept, stop_after=calls)
        try:
            ending = go(tmp_path / "killed", maker, of, at_once)
            break
        except (KilledError, InterruptedRunError):
            kills += 1
        finally:
            paid += maker.paid
    assert kills == (told.paid - 1) // calls > 0
    assert paid == told.paid
    assert (file_of(ending, of, tmp_path / "killed"), as_lines(ending)) == (data, log)


def test_a_finished_run_asks_nothing_when_it_is_run_again(tmp_path: Path) -> None:
    first = go(tmp_path, failing(), persons())
    written = (tmp_path / JOURNAL).read_bytes()
    maker = failing()
    again = go(tmp_path, maker, persons())
    assert maker.replies == 0
    assert (tmp_path / JOURNAL).read_bytes() == written
    assert as_lines(again) == as_lines(first)


@pytest.mark.parametrize(
    ("never", "step", "check", "told"),
    [
        ("questions", "questions", "questions_differ", "asks the same as"),
        ("variables", "variables", "covered", "no variable gathers"),
        ("choices", "choices", "values_differ", "twice"),
        ("state", "state", "shape", "not one of"),
        ("updates", "updates", "in_schema", "is no value of"),
        ("events", "events", "all_once", "one event is asked for"),
        ("answers", "answers", "answers_differ", "two answers are the same"),
        ("match", "answered", "rounds", "is taken to be for variant"),
        ("first_queries", "first_queries", "all_shown", "no query shows"),
        ("later_queries", "later_queries", "shape", "at most"),
        ("infer", "exposed", "rounds", "is inferred"),
    ],
)
def test_what_never_passes_ends_with_the_user_rejected_and_the_reason_named(
    tmp_path: Path, never: str, step: str, check: str, told: str
) -> None:
    of = persons(replace(SMALL, num_user_profiles=1))
    maker = LifeMaker(never=never)
    ending = go(tmp_path, maker, of)
    assert (ending.finished, ending.made(), ending.courses[0].at) == (True, {}, step)
    costly = [line for line in log_of(ending) if line.costs == "item" and line.check != "chain"]
    assert {(line.item, line.step, line.check) for line in costly} == {(of[0].key, step, check)}
    for line in costly:
        assert told in line.problem + " ".join(line.failed[-1].problems if line.failed else ())
    with pytest.raises(DataError, match="log of rejects"):
        dataset(of, ending.made(), 0, "stub")


def test_an_answer_is_rewritten_twenty_times_and_no_more(tmp_path: Path) -> None:
    maker = LifeMaker(never="match")
    ending = go(tmp_path, maker, persons(replace(SMALL, num_user_profiles=1)))
    answers = sum(line.step == "answered" for line in log_of(ending))
    assert (maker.steps["match"], maker.steps["refine_answer"]) == (21 * answers, 20 * answers)


def test_one_user_lost_is_named_by_the_data_and_moves_no_other(tmp_path: Path) -> None:
    of = persons()
    both = go(tmp_path / "both", LifeMaker(), of).made()
    one = {key: sight for key, sight in both.items() if key == of[1].key}
    data, alone = dataset(of, both, 5, "stub"), dataset(of, one, 5, "stub")
    assert alone.histories == data.histories[1:]
    assert "1 of 2 users, people by rule" in alone.origin
    assert alone.origin.endswith(f"; rejected: {of[0].key}")
    assert "rejected" not in data.origin


def test_variables_that_gather_two_lists_get_one_of_their_own(tmp_path: Path) -> None:
    """The stub names two facts that say the same, with other values each."""
    of = persons(replace(SMALL, num_user_profiles=1))
    sight = go(tmp_path, LifeMaker(), of).made()[of[0].key]
    found = user_of(sight)
    assert found.state_schema["user_q0_fact_0"] == ("one kind 0", "one kind 1", "one kind 2")
    assert found.state_schema["user_q0_fact_1"] == tuple(f"q0_fact_1 kind {number}" for number in range(3))
    assert [qa.required_info[0] for qa in found.qas] == ["user_q0_fact_0", "user_q0_fact_0", "user_q2_fact_0"]


def test_a_user_that_breaks_a_promise_of_the_format_is_dropped_with_the_reason(tmp_path: Path) -> None:
    """What was told first is no longer how it was: no step lets that happen, so it is done by hand."""
    of = persons(replace(SMALL, num_user_profiles=1))
    sight = go(tmp_path, LifeMaker(), of).made()[of[0].key]
    name, values = next(iter(user_of(sight).state_schema.items()))
    told = sight.of("first_queries")["queries"]
    altered = [
        {
            **one,
            "exposed_states": [
                {**said, "value": values[0]} if said["variable"] == name else said for said in one["exposed_states"]
            ],
        }
        for one in told
    ]
    results = {**sight.results, "first_queries": {"": {"queries": altered}}}
    with pytest.raises(DroppedError, match=f"invariants.*replayed, `exposed_states` make `{name}`"):
        user(replace(sight, results=results))


def test_two_steps_ask_at_the_high_temperature_and_all_others_at_the_low_one(tmp_path: Path) -> None:
    maker = failing()
    go(tmp_path, maker, persons(replace(SMALL, lang="zh")))
    assert maker.temperatures == {step: 1.0 if step in {"questions", "updates"} else 0.2 for step in maker.temperatures}
    assert len(maker.temperatures) >= 13
    assert {request.max_tokens for _, request in maker.requests} == {8_192}


def test_a_reader_of_drafts_is_not_told_what_is_right(tmp_path: Path) -> None:
    """Two answers of one question, or a query and its rewriting, are shown in the same words but for themselves."""
    maker = failing()
    go(tmp_path, maker, persons(replace(SMALL, num_user_profiles=1)))
    shown = [request.turns[0].text for step, request in maker.requests if step == "match"]
    bare = {text.replace(text.split("The advice:\n")[1].split("\n\n")[0], "…") for text in shown}
    assert len(bare) == SMALL.num_questions


@pytest.mark.parametrize("said", ["{variant}", "{variant}.", "The right one is {variant}."])
def test_a_bare_number_is_read_or_asked_for_again_and_costs_no_user(tmp_path: Path, said: str) -> None:
    class Bare(LifeMaker):
        def _said(self, step: str, turns: str, asked: str) -> str:
            whole = super()._said(step, turns, asked)
            first = step == "match" and '"assistant"' not in turns
            return said.format(variant=whole.partition(": ")[2].rstrip("}")) if first else whole

    ending = go(tmp_path, Bare(), persons())
    assert len(ending.made()) == USERS


def test_no_step_asks_more_often_than_was_foreseen(tmp_path: Path) -> None:
    maker, of = failing(), persons(replace(SMALL, lang="zh"))
    go(tmp_path, maker, of)
    most = {one.step: one.calls for one in estimate_steps(PIPELINE, of)}
    assert all(count <= most[step] for step, count in maker.steps.items())
    assert {one.parts for one in estimate_steps(PIPELINE, persons()) if one.step == "profile"} == {0}


def test_another_seed_moves_the_choices_and_nothing_else(tmp_path: Path) -> None:
    of = persons()
    made = go(tmp_path, LifeMaker(), of).made()
    one, other = (list(dataset(of, made, seed, "stub").shared[TASK][ROWS].values()) for seed in (1, 2))
    assert one != other
    for row in (*one, *other):
        for qa in row["qas"]:
            qa["answer_choices"].sort(key=lambda choice: choice["state"])
    assert one == other


def test_the_recipe_makes_the_task_of_the_card() -> None:
    (recipe,) = RECIPES
    assert (recipe.tasks, recipe.pipeline.name.partition("/")[0]) == ((TASK,), NAME)
