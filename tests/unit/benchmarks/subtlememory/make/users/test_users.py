"""The whole pipeline with a stub model: what it makes, how it counts, and that no kill changes a byte."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from recollect.benchmarks.subtlememory.generate.cases.specs import relation_plan
from recollect.benchmarks.subtlememory.generate.checks.questions import question_problems
from recollect.benchmarks.subtlememory.generate.checks.sessions import SessionRules, session_problems
from recollect.benchmarks.subtlememory.histories import NAME, TASK
from recollect.benchmarks.subtlememory.items import RELATED, SUBTYPES, TYPES, Bundle
from recollect.benchmarks.subtlememory.load import load
from recollect.benchmarks.subtlememory.make import RECIPES
from recollect.benchmarks.subtlememory.make.merge import bundles_in
from recollect.benchmarks.subtlememory.make.pipeline import USERS
from recollect.benchmarks.subtlememory.make.users.cases import LENGTHS
from recollect.benchmarks.subtlememory.make.users.drafts import draft_of
from recollect.benchmarks.subtlememory.write import write
from recollect.domain.errors import DataError, InterruptedRunError
from recollect.making.account import as_lines, log_of, summary_of
from recollect.making.recipe import estimate_steps
from recollect.making.run import JOURNAL, RunResult, run
from recollect.making.steps import Item

from tests.fakes.case_maker import CaseMaker, KilledError
from tests.unit.benchmarks.subtlememory.make.persona_files import persons

FILES = ("history_sessions.json", "bench_instances.json")


def go(folder: Path, maker: CaseMaker, of: Sequence[Item], at_once: int = 8) -> RunResult:
    return run(USERS.pipeline, of, model=maker, folder=folder, at_once=at_once)


def failing(**how: Any) -> CaseMaker:
    """One reply in ten is malformed, one in twenty breaks a rule."""
    return CaseMaker(malformed=0.1, broken=0.05, **how)


def files_of(ending: RunResult, of: Sequence[Item], folder: Path) -> dict[str, bytes]:
    write(USERS.dataset(of, ending.made(), 5, "stub"), folder / "data")
    return {str(one.relative_to(folder)): one.read_bytes() for one in sorted((folder / "data").rglob("*.json"))}


def made(folder: Path, maker: CaseMaker, of: Sequence[Item], seed: int = 5) -> tuple[Bundle, ...]:
    return bundles_in(USERS.dataset(of, go(folder, maker, of).made(), seed, "stub"))


def test_replies_that_fail_now_and_then_end_in_persons_that_keep_every_promise(tmp_path: Path) -> None:
    of = persons(tmp_path / "src")
    ending = go(tmp_path / "work", failing(), of)
    data = USERS.dataset(of, ending.made(), 5, "stub")
    write(data, tmp_path / "data")
    assert load(tmp_path / "data") == data
    bundles = bundles_in(data)
    assert [bundle.key for bundle in bundles] == ["persona_0", "persona_1"]
    lost = Counter(line.item for line in log_of(ending) if line.outcome == "dropped")
    for bundle in bundles:
        counts = Counter(one.relation_subtype for one in bundle.instances)
        assert not counts - Counter(relation_plan(12))
        assert counts.total() == 12 - lost[bundle.instances[0].persona_id] > 8
        told = {talk.session_id: talk for talk in bundle.talks}
        for one in bundle.instances:
            assert (one.source, SUBTYPES[one.relation_subtype]) == (RELATED, one.relation_type)
            assert len(one.session_ids) == len(one.facts)
            assert len(one.qas) == (2 if one.relation_type == "nuanced" else 1)
            assert not [problem for qa in one.qas for problem in question_problems(qa)]
            talks = [told[name] for name in one.session_ids]
            assert len({talk.conversation_type for talk in talks}) == len(talks)
            assert {talk.case_id for talk in talks} == {one.case_id}
        for talk in bundle.talks:
            rules = SessionRules(lengths=LENGTHS, hidden=())
            assert not [one for one in session_problems(talk.history, rules) if one.rule != "repeated sentence"]
        types = Counter(talk.conversation_type for talk in bundle.talks)
        assert set(types) <= set(TYPES)
        assert [talk.order for talk in bundle.talks] == list(range(len(bundle.talks)))
        assert sorted(talk.timestamp for talk in bundle.talks) == [talk.timestamp for talk in bundle.talks]


def test_sessions_of_a_case_tell_its_statements_in_order_and_lie_apart(tmp_path: Path) -> None:
    """Defaults: three other sessions and three days between two of one case."""
    for bundle in made(tmp_path / "work", CaseMaker(), persons(tmp_path / "src")):
        place = {talk.session_id: number for number, talk in enumerate(bundle.talks)}
        texts = {talk.session_id: " ".join(turn.content for turn in talk.history) for talk in bundle.talks}
        for one in bundle.instances:
            there = [place[name] for name in one.session_ids]
            assert there == sorted(there)
            assert all(later - earlier > 3 for earlier, later in pairwise(there))
            for fact, name in zip(one.facts, one.session_ids, strict=True):
                assert any(word in texts[name] for word in fact.split() if len(word) == 7 and word.endswith("n"))


@pytest.mark.parametrize("never", ["", "session"])
def test_every_reply_is_accounted_for(tmp_path: Path, never: str) -> None:
    """The stub counts what it said; the summary and the log count what was read."""
    maker = failing(never=never)
    ending = go(tmp_path / "work", maker, persons(tmp_path / "src"))
    summary, lines = summary_of(ending), list(log_of(ending))
    good = sum(step.first_try + step.repaired for step in summary.steps if step.tries)
    unusable = sum(len(line.failed) for line in lines)
    assert sum(step.tries for step in summary.steps) == maker.replies == good + unusable
    assert {step.step: step.tries for step in summary.steps if step.tries} == dict(maker.steps)
    assert unusable == maker.said["malformed"] + maker.said["broken"] > 0
    assert (summary.made, summary.rejected, summary.unfinished) == ((0, 2, 0) if never else (2, 0, 0))


@pytest.mark.parametrize(
    ("calls", "at_once"),
    [pytest.param(5, 1, marks=pytest.mark.full), pytest.param(23, 8, marks=pytest.mark.full), (90, 3)],
)
def test_killed_after_any_call_and_gone_on_gives_the_same_bytes_and_pays_nothing_twice(
    tmp_path: Path, calls: int, at_once: int
) -> None:
    """Killed again and again, each time after so many paid calls; replies are kept, as by the cache of calls."""
    of = persons(tmp_path / "src", 2, 6)
    told = failing()
    ending = go(tmp_path / "whole" / "work", told, of)
    data, log = files_of(ending, of, tmp_path / "whole"), as_lines(ending)
    kept: dict[str, str] = {}
    paid, kills = 0, 0
    while True:
        maker = failing(kept=kept, stop_after=calls)
        try:
            ending = go(tmp_path / "killed" / "work", maker, of, at_once)
            break
        except (KilledError, InterruptedRunError):
            kills += 1
        finally:
            paid += maker.paid
    assert kills == (told.paid - 1) // calls > 0
    assert paid == told.paid
    assert (files_of(ending, of, tmp_path / "killed"), as_lines(ending)) == (data, log)


def test_a_finished_run_asks_nothing_when_it_is_run_again(tmp_path: Path) -> None:
    of = persons(tmp_path / "src", 1, 6)
    first = go(tmp_path / "work", failing(), of)
    written = (tmp_path / "work" / JOURNAL).read_bytes()
    maker = failing()
    again = go(tmp_path / "work", maker, of)
    assert maker.replies == 0
    assert (tmp_path / "work" / JOURNAL).read_bytes() == written
    assert as_lines(again) == as_lines(first)


@pytest.mark.parametrize(
    ("never", "at", "check", "told"),
    [
        ("topics", "preferences", "no_topic", "sorted under no topic"),
        ("plan", "plan", "counts", "are asked for"),
        ("case", "cases", "not_written", "no statements were made"),
        ("case_filter", "cases", "undecided", "nobody decided"),
        ("session", "told", "not_told", "not all of its statements"),
        ("session_filter", "told", "undecided", "nobody decided on talk 1"),
        ("questions", "asked", "not_asked", "no questions with answers"),
        ("answers", "asked", "not_asked", "no questions with answers"),
        ("question_filter", "asked", "undecided", "nobody decided"),
    ],
)
def test_what_never_passes_leaves_out_what_rests_on_it_and_names_the_reason(
    tmp_path: Path, never: str, at: str, check: str, told: str
) -> None:
    """A decision that never comes counts as a rejection."""
    of = persons(tmp_path / "src", 1, 6)
    ending = go(tmp_path / "work", CaseMaker(never=never), of)
    assert (ending.finished, ending.made()) == (True, {})
    lines = [line for line in log_of(ending) if line.step == at]
    assert lines
    for line in lines:
        assert check in {line.check, *(name for one in line.failed for name in one.checks)}
        assert told in line.problem + " ".join(problem for one in line.failed for problem in one.problems)
    costly = [line.step for line in log_of(ending) if line.costs == "item"]
    assert costly == ["plan" if never == "plan" else "person"]
    with pytest.raises(DataError, match="log of rejects"):
        USERS.dataset(of, ending.made(), 0, "stub")


@pytest.mark.parametrize("content", ["fine", "identifying", "offensive"])
@pytest.mark.parametrize(
    ("step", "rule", "mark"),
    [
        ("case_filter", "cases", "chess"),
        ("session_filter", "told", "chess"),
        ("question_filter", "asked", "chess"),
    ],
)
def test_what_a_filter_refuses_is_left_out_with_its_reason_and_nothing_else(
    tmp_path: Path, step: str, rule: str, mark: str, content: str
) -> None:
    """One of twelve preferences is about chess; each filter sees it in what it reviews."""
    of = persons(tmp_path / "src", 1)
    ending = go(tmp_path / "work", CaseMaker(refuses=(step, mark), content=content), of)
    lines = [line for line in log_of(ending) if line.outcome == "dropped"]
    cases = {line.part.partition(".")[0] for line in lines}
    assert {(line.step, line.check) for line in lines} == {(rule, "filter" if content == "fine" else "content")}
    assert len(cases) == 1
    (bundle,) = bundles_in(USERS.dataset(of, ending.made(), 5, "stub"))
    assert len(bundle.instances) == 11
    assert not any(mark in one.case for one in bundle.instances)


def test_a_case_that_says_what_another_of_its_topic_says_is_left_out(tmp_path: Path) -> None:
    class Alike(CaseMaker):
        def _reply(self, turns: str, asked: str) -> str:
            whole = super()._reply(turns, asked)
            return (
                whole.replace("likes long walks", "x").replace("plays chess", "x") if "description" in whole else whole
            )

    def told(item: Item) -> Item:
        taken = [one for one in item.data.preferences if "walks" in one.text or "chess" in one.text]
        same = [replace(one, text=one.text.replace("along the river", "on Sundays")) for one in taken]
        return Item(key=item.key, data=replace(item.data, preferences=tuple(same)))

    class OneTopic(Alike):
        def _reply(self, turns: str, asked: str) -> str:
            return super()._reply(turns, asked).replace('"Travel"', '"books"')

    (item,) = persons(tmp_path / "src", 1)
    assert [line.check for line in log_of(go(tmp_path / "two", Alike(), [told(item)])) if line.step == "cases"] == []
    lines = [line for line in log_of(go(tmp_path / "one", OneTopic(), [told(item)])) if line.step == "cases"]
    assert [line.check for line in lines] == ["duplicate"]


def test_preferences_that_say_the_same_or_could_trace_somebody_are_left_out(tmp_path: Path) -> None:
    (item,) = persons(tmp_path / "src", 1, 6)
    first, second, third, *others = item.data.preferences
    told = (
        first,
        replace(second, text=f"{first.text.upper()}!"),
        replace(third, text="Writes to ilse@varga.net on Sundays"),
        *others,
    )
    ending = go(tmp_path / "work", CaseMaker(), [Item(key="0", data=replace(item.data, preferences=told))])
    lines = [line for line in log_of(ending) if line.step == "preferences"]
    assert [(line.part, line.check) for line in lines] == [
        (second.preference_id, "duplicate"),
        (third.preference_id, "content"),
    ]


def test_topics_come_under_one_name(tmp_path: Path) -> None:
    """The stub says `books` and `sport`."""
    (bundle,) = made(tmp_path / "work", CaseMaker(), persons(tmp_path / "src", 1))
    assert {one.topic for one in bundle.instances} == {"Literature", "Travel", "Sports", "Food"}


def test_a_limit_takes_so_many_preferences_the_same_ones_each_time(tmp_path: Path) -> None:
    kept = []
    for place, seed in enumerate((42, 42, 43)):
        of = persons(tmp_path / f"src{place}", 1, preferences=5, seed=seed)
        maker = CaseMaker()
        (bundle,) = made(tmp_path / f"work{place}", maker, of)
        assert len(bundle.instances) == 5
        assert maker.steps["case"] == 5 == {one.step: one.parts for one in estimate_steps(USERS.pipeline, of)}["case"]
        kept.append(sorted(one.case for one in bundle.instances))
    assert kept[0] == kept[1] != kept[2]


def test_later_talks_see_the_earlier_ones_and_choose_another_kind(tmp_path: Path) -> None:
    maker = CaseMaker()
    go(tmp_path / "work", maker, persons(tmp_path / "src", 1))
    first = [request for step, request in maker.requests if step == "session_1"]
    later = [request for step, request in maker.requests if step == "session_2"]
    assert all("differ in kind, opening, request and rhythm:\n(none)" in one.turns[0].text for one in first)
    assert all("rhythm:\n(none)" not in one.turns[0].text and "user: Then comes" in one.turns[0].text for one in later)
    offered = [one.turns[0].text.count("Rhythm: ") for one in later]
    assert set(offered) <= {3, 4}
    assert all(one.turns[0].text.count("Rhythm: ") == 4 for one in first)


def test_no_two_talks_of_a_case_are_of_one_kind_even_where_none_takes_the_preferred_one(tmp_path: Path) -> None:
    class Fallback(CaseMaker):
        def _reply(self, turns: str, asked: str) -> str:
            whole = super()._reply(turns, asked)
            kinds = re.findall(r"^- (\w+): to [^\n]*Rhythm", asked, re.MULTILINE)
            return json.dumps({**json.loads(whole), "selected_conversation_type": min(kinds)}) if kinds else whole

    (bundle,) = made(tmp_path / "work", Fallback(), persons(tmp_path / "src", 1))
    kinds = {talk.session_id: talk.conversation_type for talk in bundle.talks}
    for one in bundle.instances:
        assert len({kinds[name] for name in one.session_ids}) == len(one.session_ids)


def test_a_talk_that_was_not_made_is_followed_by_no_other_of_its_case(tmp_path: Path) -> None:
    maker = CaseMaker(never="session")
    go(tmp_path / "work", maker, persons(tmp_path / "src", 1, 6))
    assert maker.steps["session_1"] == 3 * 6
    assert maker.steps["session_2"] == 0


@pytest.mark.parametrize(("removed", "left"), [([1, 2], 12), ([1, 2, 3], 0)])
def test_answers_that_a_filter_removes_are_gone_and_an_empty_side_costs_the_question(
    tmp_path: Path, removed: list[int], left: int
) -> None:
    class Strict(CaseMaker):
        def _reply(self, turns: str, asked: str) -> str:
            whole = super()._reply(turns, asked)
            return whole.replace('"remove_correct": []', f'"remove_correct": {removed}')

    of = persons(tmp_path / "src", 1)
    ending = go(tmp_path / "work", Strict(), of)
    checks = {line.check for line in log_of(ending) if line.step == "asked"}
    assert checks == (set() if left else {"empty_side"})
    results = ending.made()
    bundles = bundles_in(USERS.dataset(of, results, 5, "stub")) if results else ()
    answers = [len(qa.correct_answers) for bundle in bundles for one in bundle.instances for qa in one.qas]
    assert sum(len(bundle.instances) for bundle in bundles) == left
    assert set(answers) == ({1} if left else set())


def test_what_can_be_chosen_comes_in_drawn_order_so_that_no_place_is_right_more_often() -> None:
    """Models list what is right at one place; of 400 orders of four each place has about 100, here 70 to 130."""
    said = {
        "task_form": "resource_arrangement",
        "request": "Pick one.",
        "resources": [{"name": name, "description": f"with {name}"} for name in "ABCD"],
        "fields": [],
    }
    drafts = [draft_of(said, Random(f"order {number}")) for number in range(400)]
    places = Counter(list(one.resources).index("A") for one in drafts)
    assert all(70 <= places[place] <= 130 for place in range(4))
    assert draft_of(said, Random("order 1")) == drafts[1]


def test_preferred_kinds_are_dealt_evenly(tmp_path: Path) -> None:
    """The stub always takes the preferred one; over all sessions no kind is more than one ahead of another."""
    (bundle,) = made(tmp_path / "work", CaseMaker(), persons(tmp_path / "src", 1))
    counts = Counter(talk.conversation_type for talk in bundle.talks)
    assert max(counts.values()) - min(counts[kind] for kind in TYPES) <= 2
    lengths = Counter(len(talk.history) for talk in bundle.talks)
    assert set(lengths) == {10, 12, 14}


def test_no_prompt_shows_what_is_private_or_the_label_of_a_right_choice(tmp_path: Path) -> None:
    maker = CaseMaker()
    of = persons(tmp_path / "src", 1)
    data = USERS.dataset(of, go(tmp_path / "work", maker, of).made(), 5, "stub")
    for _, request in maker.requests:
        text = request.turns[0].text
        assert not any(word in text for word in ("secret@example.org", "x.png", "conversations", "preference_updates"))
    assert "secret@example.org" not in str(data.shared)
    assert "favourite_field_of_nobody" in str(data.shared)


def test_steps_ask_at_the_temperatures_of_the_authors(tmp_path: Path) -> None:
    """Spec of the construction code: 0, 0.1, 0.2, 0, 0.4, 0, 0.3, 0.2, 0."""
    maker = CaseMaker()
    go(tmp_path / "work", maker, persons(tmp_path / "src", 1))
    talks = {step: 0.4 for step in maker.temperatures if step.startswith("session_") and step != "session_filter"}
    assert maker.temperatures == {
        **talks,
        "topics": 0.0,
        "plan": 0.1,
        "case": 0.2,
        "case_filter": 0.0,
        "session_filter": 0.0,
        "questions": 0.3,
        "answers": 0.2,
        "question_filter": 0.0,
    }


def test_no_step_asks_more_often_than_was_foreseen(tmp_path: Path) -> None:
    maker, of = failing(), persons(tmp_path / "src")
    go(tmp_path / "work", maker, of)
    most = {one.step: one.calls for one in estimate_steps(USERS.pipeline, of)}
    assert all(count <= most[step] for step, count in maker.steps.items())


def test_another_seed_moves_times_and_samples_and_asks_nothing(tmp_path: Path) -> None:
    of = persons(tmp_path / "src", 1)
    results = go(tmp_path / "work", CaseMaker(), of).made()
    (one,), (other,) = (bundles_in(USERS.dataset(of, results, seed, "stub")) for seed in (1, 2))
    assert one != other
    assert {talk.history for talk in one.talks} == {talk.history for talk in other.talks}
    picked = [[qa.query for each in bundle.instances for qa in each.qas] for bundle in (one, other)]
    assert len(picked[0]) == len(picked[1])
    assert picked[0] != picked[1]


def test_a_person_lost_is_named_by_the_data_and_moves_no_other(tmp_path: Path) -> None:
    of = persons(tmp_path / "src")
    both = go(tmp_path / "work", CaseMaker(), of).made()
    alone = USERS.dataset(of, {"7": both["7"]}, 5, "stub")
    data = USERS.dataset(of, both, 5, "stub")
    assert alone.histories == data.histories[1:]
    assert "1 of 2 persons" in alone.origin
    assert "cases: 12 planned, 12 written, 12 accepted, 12 told, 12 asked" in alone.origin
    assert alone.origin.endswith("; rejected: 0")
    assert "rejected" not in data.origin


def test_gaps_shrink_where_few_sessions_leave_no_room(tmp_path: Path) -> None:
    """What was paid for is not lost over a layout: two sessions in ten days cannot have three others between them."""
    of = persons(tmp_path / "src", 1, 1, start="2025-04-01", end="2025-04-03")
    (bundle,) = made(tmp_path / "work", CaseMaker(), of)
    assert len(bundle.talks) >= 2
    assert all(talk.timestamp.startswith("2025-04-0") for talk in bundle.talks)


def test_the_recipe_makes_the_task_of_the_card() -> None:
    recipe = next(one for one in RECIPES if one.pipeline.name == "subtlememory/cases")
    assert (recipe.tasks, recipe.pipeline.name.partition("/")[0]) == ((TASK,), NAME)
