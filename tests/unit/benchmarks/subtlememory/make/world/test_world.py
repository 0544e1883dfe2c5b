"""The whole pipeline with a stub model: what it makes, how it counts, and that no kill changes a byte."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from recollect.benchmarks.subtlememory.generate.checks.questions import question_problems
from recollect.benchmarks.subtlememory.histories import dataset_of
from recollect.benchmarks.subtlememory.items import FOLDED, UNRELATED, Bundle, Instance
from recollect.benchmarks.subtlememory.load import load
from recollect.benchmarks.subtlememory.make.bundles import world_bundles, world_cases
from recollect.benchmarks.subtlememory.make.merge import bundles_in, merge
from recollect.benchmarks.subtlememory.make.pipeline import WORLD
from recollect.benchmarks.subtlememory.make.settings import WorldSettings
from recollect.benchmarks.subtlememory.write import write
from recollect.domain.errors import DataError, InterruptedRunError
from recollect.making.account import as_lines, log_of, summary_of
from recollect.making.recipe import estimate_steps
from recollect.making.run import JOURNAL, RunResult, run
from recollect.making.steps import Item, Step

from tests.unit.benchmarks.subtlememory.bundles import bundle
from tests.unit.benchmarks.subtlememory.make.world_maker import KilledError, WorldMaker
from tests.unit.benchmarks.subtlememory.make.world_seeds import write_all

STEPS = [stage for stage in WORLD.pipeline.stages if isinstance(stage, Step)]
CASES = 10
"""Of `write_all` with one record a source: four of them, three contexts, three contradictions."""


@pytest.fixture(scope="module")
def items(tmp_path_factory: pytest.TempPathFactory) -> Sequence[Item]:
    return WORLD.items(write_all(tmp_path_factory.mktemp("sources")), ("overall",))


def go(folder: Path, maker: WorldMaker, of: Sequence[Item], at_once: int = 8) -> RunResult:
    return run(WORLD.pipeline, of, model=maker, folder=folder, at_once=at_once)


def failing(**how: Any) -> WorldMaker:
    """One reply in ten is malformed, one in twenty breaks a rule or lacks a decision."""
    return WorldMaker(malformed=0.1, broken=0.05, **how)


def files_of(ending: RunResult, of: Sequence[Item], folder: Path) -> dict[str, bytes]:
    target = folder / "data"
    write(WORLD.dataset(of, ending.made(), 5, "stub"), target)
    return {str(one.relative_to(target)): one.read_bytes() for one in sorted(target.rglob("*.json"))}


def instances(ending: RunResult, of: Sequence[Item]) -> list[Instance]:
    return [one for bundle in bundles_in(WORLD.dataset(of, ending.made(), 5, "stub")) for one in bundle.instances]


def test_every_kind_of_seed_becomes_a_case_that_keeps_the_rules_of_its_kind(
    tmp_path: Path, items: Sequence[Item]
) -> None:
    """Counts of questions and talks are those of the paper's appendix C, for each relation."""
    found = instances(go(tmp_path, WorldMaker(), items), items)
    kinds = Counter(FOLDED.get(one.relation_subtype, one.relation_subtype) for one in found)
    assert kinds == {"K>1": 2, "any_one": 1, "Temporal": 1, "Context": 3, "contradictory": 3}
    assert {one.relation_subtype for one in found} >= set(FOLDED)
    asked = {"Temporal": {3}, "Context": {1, 2}}
    for one in found:
        kind = FOLDED.get(one.relation_subtype, one.relation_subtype)
        assert len(one.qas) in asked.get(kind, {1})
        assert len(one.session_ids) == (3 if len(one.facts) > 4 and kind != "contradictory" else 2)
        assert [problem for qa in one.qas for problem in question_problems(qa) if kind != "contradictory"] == []
    hard = [qa.asked for one in found if one.relation_subtype == "Temporal" for qa in one.qas]
    assert [one.difficulty for one in hard if one is not None] == ["easy", "medium", "hard"]


def test_replies_that_fail_now_and_then_end_in_data_that_load(tmp_path: Path, items: Sequence[Item]) -> None:
    ending = go(tmp_path, failing(), items)
    made = WORLD.dataset(items, ending.made(), 5, "stub")
    write(made, tmp_path / "data")
    again = load(tmp_path / "data")
    assert again.histories == made.histories
    assert ending.finished
    assert 0 < len(ending.made()) < CASES + 1


@pytest.mark.parametrize("never", ["", "world_session_filter", "world_answers"])
def test_every_reply_is_accounted_for(tmp_path: Path, items: Sequence[Item], never: str) -> None:
    """The stub counts what it said; the summary and the log count what was read."""
    maker = failing(never=never)
    ending = go(tmp_path, maker, items)
    summary, lines = summary_of(ending), list(log_of(ending))
    made = sum(step.first_try + step.repaired for step in summary.steps if step.tries)
    unusable = sum(len(line.failed) for line in lines)
    assert sum(step.tries for step in summary.steps) == maker.replies == made + unusable
    assert {step.step: step.tries for step in summary.steps if step.tries} == dict(maker.steps)
    assert unusable > 0
    assert summary.made + summary.rejected == CASES
    lost = {line.item for line in lines if line.costs == "item"}
    assert lost == {course.item.key for course in ending.courses if course.state == "rejected"}


def whole(folder: Path, of: Sequence[Item]) -> tuple[dict[str, bytes], bytes, WorldMaker]:
    maker = failing()
    ending = go(folder, maker, of)
    return files_of(ending, of, folder), as_lines(ending), maker


@pytest.mark.parametrize(("calls", "at_once"), [pytest.param(1, 1, marks=pytest.mark.full), (7, 8), (40, 3)])
def test_killed_after_any_call_and_gone_on_gives_the_same_bytes_and_pays_nothing_twice(
    tmp_path: Path, items: Sequence[Item], calls: int, at_once: int
) -> None:
    """Killed again and again, each time after so many paid calls; replies are kept, as by the cache of calls."""
    data, log, told = whole(tmp_path / "whole", items)
    kept: dict[str, str] = {}
    paid, kills = 0, 0
    while True:
        maker = failing(kept=kept, stop_after=calls)
        try:
            ending = go(tmp_path / "killed", maker, items, at_once)
            break
        except (KilledError, InterruptedRunError):
            kills += 1
        finally:
            paid += maker.paid
    assert kills == (told.paid - 1) // calls > 0
    assert paid == told.paid
    assert (files_of(ending, items, tmp_path / "killed"), as_lines(ending)) == (data, log)


def test_a_finished_run_asks_nothing_when_it_is_run_again(tmp_path: Path, items: Sequence[Item]) -> None:
    first = go(tmp_path, failing(), items)
    written = (tmp_path / JOURNAL).read_bytes()
    maker = failing()
    again = go(tmp_path, maker, items)
    assert maker.replies == 0
    assert (tmp_path / JOURNAL).read_bytes() == written
    assert as_lines(again) == as_lines(first)


@pytest.mark.parametrize(
    ("never", "step", "check", "told"),
    [
        ("world_facts_complementary", "world_facts_complementary", "effective_k", "and it should be"),
        ("world_facts_temporal", "world_facts_temporal", "once", "is missing"),
        ("world_facts_context", "world_facts_context", "once", "is missing"),
        ("world_facts_contradictory", "world_facts_contradictory", "once", "stands there 2 times"),
        ("world_plan", "world_plan", "sessions", "in this order"),
        ("world_session", "world_session", "roles", "message 0 is by `assistant`"),
        ("world_session_filter", "world_told", "filter", "nobody decided on it"),
        ("world_questions", "world_questions", "ended", "does not end as a sentence"),
        ("world_question_filter", "world_asked", "filter", "nobody decided on it"),
        ("world_answers", "world_answers", "disjoint", "right and wrong at once"),
        ("world_answer_filter", "world_case", "filter", "nobody decided on it"),
    ],
)
def test_what_never_passes_ends_with_the_reason_named(
    tmp_path: Path, items: Sequence[Item], never: str, step: str, check: str, told: str
) -> None:
    ending = go(tmp_path, WorldMaker(never=never), items)
    assert ending.finished
    lines = [line for line in log_of(ending) if line.step == step]
    assert lines
    found = [line for line in lines if check in {line.check, *(name for one in line.failed for name in one.checks)}]
    problems = " ".join(f"{line.problem} {' '.join(line.failed[-1].problems if line.failed else ())}" for line in found)
    assert told in problems


def test_a_context_that_loses_one_of_its_questions_keeps_the_other(tmp_path: Path, items: Sequence[Item]) -> None:
    """The stub decides on all questions but the first; all three about dates are needed."""
    ending = go(tmp_path, WorldMaker(never="world_question_filter"), items)
    found = instances(ending, items)
    assert {one.relation_subtype: len(one.qas) for one in found} == {"Context": 1}
    parts = [line for line in log_of(ending) if line.step == "world_asked" and line.costs == "part"]
    assert {line.part for line in parts} == {"q1"}


def test_the_origin_says_sources_with_licences_and_how_much_was_made(tmp_path: Path, items: Sequence[Item]) -> None:
    origin = WORLD.dataset(items, go(tmp_path, WorldMaker(), items).made(), 5, "stub").origin
    assert origin.startswith("made with seed 5 by stub: 10 of 10 cases about the world: ")
    assert "6 of 6 of AmbigQA (Min et al. 2020), CC BY-SA 3.0" in origin
    assert "1 of 1 of QACC (Liu et al. 2025), licence not found" in origin


def test_no_case_is_an_error_that_points_to_the_log(items: Sequence[Item]) -> None:
    with pytest.raises(DataError, match="log of rejects"):
        WORLD.dataset(items, {}, 0, "stub")


def test_persons_hold_so_many_cases_each_and_relations_are_dealt_evenly(tmp_path: Path, items: Sequence[Item]) -> None:
    cases = world_cases(go(tmp_path, WorldMaker(), items).made())
    made = world_bundles(cases, WorldSettings(cases_per_person=4), 3)
    assert [len(one.instances) for one in made] == [4, 3, 3]
    assert {talk.source for one in made for talk in one.talks} == {UNRELATED}
    assert len({one.persona_id for bundle in made for one in bundle.instances}) == 3
    assert all(
        {inst.relation_type for inst in one.instances} == {"complementary", "nuanced", "contradictory"} for one in made
    )
    assert world_bundles(cases, WorldSettings(cases_per_person=4), 3) == made
    assert dataset_of(made, "x").histories


def test_sessions_of_one_case_lie_apart_where_there_is_room(tmp_path: Path, items: Sequence[Item]) -> None:
    """A single case leaves no room for three others in between, and is laid out all the same."""
    cases = world_cases(go(tmp_path, WorldMaker(), items).made())
    (whole_one,) = world_bundles(cases, WorldSettings(), 3)
    places = {talk.session_id: talk.order for talk in whole_one.talks}
    gaps = [
        places[second] - places[first]
        for one in whole_one.instances
        for first, second in zip(one.session_ids, one.session_ids[1:], strict=False)
    ]
    assert min(gaps) > 3
    (alone,) = world_bundles(cases[:1], WorldSettings(), 3)
    assert len(alone.talks) == 2


def test_cases_can_be_given_to_persons_of_whom_more_is_known(tmp_path: Path, items: Sequence[Item]) -> None:
    """Every text is a direction of its own, so that none is near to another."""

    def apart(texts: Sequence[str]) -> NDArray[np.float32]:
        rows = [np.frombuffer(sha256(text.encode()).digest() * 4, np.uint8).astype(np.float32) - 127 for text in texts]
        return np.stack(rows)

    unrelated = world_bundles(world_cases(go(tmp_path, WorldMaker(), items).made()), WorldSettings(), 3)
    merged = merge([_about_user()], unrelated, apart, seed=1)
    assert sum(one.source == UNRELATED for bundle in merged.bundles for one in bundle.instances) > 0
    assert merged.report.near == {"complementary": 0, "nuanced": 0, "contradictory": 0}


def _about_user() -> Bundle:
    """A fixture with both kinds, of which one is kept."""
    found = bundle()
    mine = tuple(one for one in found.instances if one.source != UNRELATED)
    there = {name for one in mine for name in one.session_ids}
    talks = tuple(one for one in found.talks if one.session_id in there)
    return replace(found, instances=mine, talks=talks)


def test_the_forecast_counts_what_each_kind_of_case_can_need_at_most(items: Sequence[Item]) -> None:
    """Sums by hand: 10 cases; 3 contradictions with 2 talks, 7 others with 3; 3 + 3 x 2 + 6 x 1 answers."""
    counts = {one.step: (one.parts, one.calls) for one in estimate_steps(WORLD.pipeline, items)}
    assert counts["world_facts_complementary"] == (3, 9)
    assert counts["world_session"] == (27, 81)
    assert counts["world_session_filter"] == (10, 50)
    assert counts["world_answers"] == (15, 45)


def test_items_of_another_kind_pass_through_untouched(tmp_path: Path) -> None:
    """So one pipeline can hold the steps of both kinds."""
    maker = WorldMaker()
    ending = go(tmp_path, maker, [Item(key="a", data="a person")])
    assert (maker.replies, ending.courses[0].state) == (0, "made")


def test_steps_ask_at_the_temperatures_and_as_often_as_is_said() -> None:
    """Three attempts, five of a decision: SubtleMemory, construction code."""
    assert {step.name: step.repairs + 1 for step in STEPS if "filter" in step.name} == {
        "world_session_filter": 5,
        "world_question_filter": 5,
        "world_answer_filter": 5,
    }
    assert {step.repairs + 1 for step in STEPS if "filter" not in step.name} == {3}
    assert {step.temperature for step in STEPS if "filter" in step.name} == {0.0}
