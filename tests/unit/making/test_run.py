"""The runner: order, journal, repair, rejects, branches, faults, and a stop at any moment."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from recollect.contracts.models import ChatReply, ChatRequest
from recollect.contracts.reading import Prompt
from recollect.domain.errors import BusyError, InterruptedRunError, OverBudgetError, RefusedError, RetryableError
from recollect.making import schema as shape
from recollect.making.account import as_json, as_lines, log_of, summary_of
from recollect.making.repair import result_key
from recollect.making.run import JOURNAL, LOCK, Progress, RunResult, run
from recollect.making.steps import Check, Drop, DroppedError, Given, Item, Loop, Pipeline, Rule, Ruled, Sight, Step
from recollect.store.locks import hold

from tests.fakes.scripted_maker import Said, ScriptedMaker, prompt_of

NUMBER = shape.record(n=shape.whole_number(0, 1000))


def even(reply: Any, _: Given) -> list[str]:
    return [] if reply["n"] % 2 == 0 else [f"{reply['n']} is odd"]


def doubling(**changed: Any) -> Step:
    """Asks for the double of the item's number."""
    step = Step(
        name="double",
        version=1,
        prompt=Prompt(name="test/double.v1", text="Double $n."),
        shape=NUMBER,
        given=lambda sight, _: {"n": str(sight.item.data)},
        checks=(Check("even", even),),
        repairs=2,
    )
    return replace(step, **changed)


def pipeline(*stages: Step | Rule | Loop) -> Pipeline:
    return Pipeline(name="test", stages=stages)


def doubled(request: ChatRequest) -> Said:
    number = re.search(r"Double (\d+)", prompt_of(request))
    return {"n": 2 * int(number[1]) if number else 0}


def items(*numbers: int) -> list[Item]:
    return [Item(key=f"i{number}", data=number) for number in numbers]


def go(folder: Path, made: Pipeline, reply: Callable[[ChatRequest], Said], of: Sequence[Item], **how: Any) -> RunResult:
    return run(made, of, model=ScriptedMaker(reply), folder=folder, **how)


def test_every_item_is_made_and_stands_in_the_order_of_its_key(tmp_path: Path) -> None:
    ending = go(tmp_path, pipeline(doubling()), doubled, items(3, 1, 2))
    assert {key: sight.of("double") for key, sight in ending.made().items()} == {
        "i1": {"n": 2},
        "i2": {"n": 4},
        "i3": {"n": 6},
    }
    assert list(ending.made()) == ["i1", "i2", "i3"]


def test_a_reply_that_breaks_a_rule_is_quoted_back_with_what_is_wrong(tmp_path: Path) -> None:
    replies: Iterator[Said] = iter([{"n": 3}, "three", {"n": 4}])
    model = ScriptedMaker(lambda _: next(replies))
    ending = run(pipeline(doubling()), items(2), model=model, folder=tmp_path)
    assert ending.made()["i2"].of("double") == {"n": 4}
    last = model.asked[2].turns
    assert [turn.role for turn in last] == ["user", "assistant", "user", "assistant", "user"]
    assert (last[1].text, last[3].text) == ('{"n": 3}', "three")
    assert "- 3 is odd" in last[2].text
    assert "is not one JSON value" in last[4].text


def test_after_so_many_repairs_the_item_is_rejected_with_every_try(tmp_path: Path) -> None:
    ending = go(tmp_path, pipeline(doubling()), lambda _: {"n": 5}, items(2))
    assert ending.finished
    assert not ending.made()
    (line,) = log_of(ending)
    assert (line.item, line.step, line.outcome, line.check, line.tries, line.costs) == (
        *("i2", "double", "rejected", "even", 3, "item"),
    )
    assert [one.problems for one in line.failed] == [("5 is odd",)] * 3


def test_all_checks_are_told_at_once_and_counted_apart(tmp_path: Path) -> None:
    small = Check("small", lambda reply, _: ["too large"] if reply["n"] > 9 else [])
    ending = go(tmp_path, pipeline(doubling(checks=(Check("even", even), small))), lambda _: {"n": 11}, items(2))
    (line,) = log_of(ending)
    assert line.failed[0].checks == ("even", "small")
    assert summary_of(ending).steps[0].checks == {"even": 3, "small": 3}


def test_nothing_is_asked_twice(tmp_path: Path) -> None:
    first = go(tmp_path, pipeline(doubling()), lambda r: {"n": 5} if "2." in prompt_of(r) else doubled(r), items(1, 2))
    model = ScriptedMaker(doubled)
    second = run(pipeline(doubling()), items(1, 2), model=model, folder=tmp_path)
    assert not model.asked
    assert as_lines(second) == as_lines(first)
    assert as_json(summary_of(second)) == as_json(summary_of(first))


@pytest.mark.parametrize(
    ("changed", "again"),
    [
        pytest.param({}, 0, id="nothing"),
        pytest.param({"version": 2}, 1, id="version"),
        pytest.param({"prompt": Prompt(name="test/double.v2", text="Please: Double $n.")}, 1, id="prompt"),
        pytest.param({"temperature": 1.0}, 1, id="temperature"),
        pytest.param({"repairs": 1}, 1, id="repairs"),
        pytest.param({"checks": ()}, 1, id="checks"),
        pytest.param({"shape": shape.record(n=shape.whole_number(0, 99))}, 1, id="shape"),
        pytest.param({"needed": False}, 0, id="what-a-reject-costs"),
    ],
)
def test_what_can_change_a_result_is_in_its_key(tmp_path: Path, changed: dict[str, Any], again: int) -> None:
    go(tmp_path, pipeline(doubling()), doubled, items(1))
    model = ScriptedMaker(doubled)
    run(pipeline(doubling(**changed)), items(1), model=model, folder=tmp_path)
    assert len(model.asked) == again


def test_another_model_item_or_take_has_another_key() -> None:
    (one,) = items(1)
    keys = {
        result_key(doubling(), item, "", {"n": "1"}, model)
        for item in (one, replace(one, key="other"), replace(one, take=1))
        for model in ("a", "b")
    }
    assert len(keys) == 6


def test_one_item_is_branched_and_the_others_stay(tmp_path: Path) -> None:
    go(tmp_path, pipeline(doubling()), doubled, items(1, 2))
    model = ScriptedMaker(lambda _: {"n": 8})
    branched = [items(1)[0], replace(items(2)[0], take=1)]
    ending = run(pipeline(doubling()), branched, model=model, folder=tmp_path)
    assert len(model.asked) == 1
    assert [sight.of("double")["n"] for sight in ending.made().values()] == [2, 8]
    assert model.occasions[0] is not None
    assert model.occasions[0].replicate == 1


def test_a_call_says_what_it_is_for(tmp_path: Path) -> None:
    model = ScriptedMaker(doubled)
    run(pipeline(doubling(temperature=0.7, max_tokens=50)), items(1), model=model, folder=tmp_path)
    (occasion,), (request,) = model.occasions, model.asked
    assert occasion is not None
    assert (occasion.stage, occasion.task, occasion.history, occasion.row) == ("make", "test", "i1", "double")
    assert occasion.key == json.loads((tmp_path / JOURNAL).read_text())["key"]
    assert (request.temperature, request.max_tokens, request.schema) == (0.7, 50, shape.unbounded(NUMBER))


def test_a_later_step_sees_what_earlier_ones_made_and_is_made_anew_only_if_that_changed(tmp_path: Path) -> None:
    halving = doubling(name="again", given=lambda sight, _: {"n": str(min(6, sight.of("double")["n"]))}, checks=())
    two = pipeline(doubling(), halving)
    assert go(tmp_path, two, doubled, items(2)).made()["i2"].of("again") == {"n": 8}
    model = ScriptedMaker(lambda r: {"n": 4} if r.temperature else doubled(r))
    run(pipeline(doubling(temperature=1.0), halving), items(2), model=model, folder=tmp_path)
    assert len(model.asked) == 1  # the first step again, with the same result


def parts_of(sight: Sight) -> list[str]:
    return [str(number) for number in range(sight.item.data)]


def test_an_item_falls_into_parts_and_a_part_alone_can_be_lost(tmp_path: Path) -> None:
    each = doubling(given=lambda _, part: {"n": part}, parts=parts_of, needed=False)
    ending = go(tmp_path, pipeline(each), lambda r: {"n": 1} if "Double 2" in prompt_of(r) else doubled(r), items(12))
    made = ending.made()["i12"].parts("double")
    assert list(made) == [str(number) for number in range(12) if number != 2]
    (line,) = log_of(ending)
    assert (line.part, line.costs) == ("2", "part")


def test_a_step_without_parts_is_passed_over(tmp_path: Path) -> None:
    model = ScriptedMaker(doubled)
    ending = run(pipeline(doubling(parts=lambda _: ())), items(1), model=model, folder=tmp_path)
    assert not model.asked
    assert ending.made()["i1"].parts("double") == {}


def test_parts_in_a_chain_see_those_before(tmp_path: Path) -> None:
    """As periods of a life, each of which starts from the state that the one before left."""

    def given(sight: Sight, part: str) -> Given:
        before = list(sight.parts("double").values())
        return {"n": str(before[-1]["n"] if before else 1)}

    chain = doubling(given=given, parts=lambda _: ["a", "b", "c", "d"], chained=True)
    made = go(tmp_path, pipeline(chain), doubled, items(0)).made()["i0"].parts("double")
    assert [one["n"] for one in made.values()] == [2, 4, 8, 16]


def test_a_broken_chain_accounts_for_all_of_its_parts(tmp_path: Path) -> None:
    chain = doubling(given=lambda _, part: {"n": part}, parts=lambda _: ["1", "2", "3"], chained=True, needed=False)
    ending = go(tmp_path, pipeline(chain), lambda r: {"n": 1} if "Double 2" in prompt_of(r) else doubled(r), items(0))
    assert [(line.part, line.outcome, line.check) for line in log_of(ending)] == [
        ("2", "rejected", "even"),
        ("3", "dropped", "chain"),
    ]


def test_a_rule_makes_drops_and_rejects(tmp_path: Path) -> None:
    def large(sight: Sight) -> Ruled:
        if sight.of("double")["n"] < 4:
            raise DroppedError("too_small", "less than 4")
        return Ruled(sight.of("double")["n"], (Drop("rest", "unused", "nobody wants it"),))

    ending = go(tmp_path, pipeline(doubling(), Rule(name="large", make=large)), doubled, items(1, 2))
    assert {key: sight.of("large") for key, sight in ending.made().items()} == {"i2": 4}
    assert [(line.item, line.check, line.outcome, line.costs) for line in log_of(ending)] == [
        ("i1", "too_small", "dropped", "item"),
        ("i2", "unused", "dropped", "part"),
    ]
    assert (summary_of(ending).made, summary_of(ending).rejected) == (1, 1)


def growing(rounds: int, needed: bool = True) -> Loop:
    """A draft must reach 10; each mending adds what the model says."""
    judge = doubling(name="judge", given=lambda sight, _: {"n": str(sight.draft)}, checks=())
    adder = doubling(
        name="add",
        prompt=Prompt(name="test/add.v1", text="Add to $n."),
        given=lambda sight, _: {"n": str(sight.draft), "told": sight.verdict},
        checks=(),
    )
    return Loop(
        name="grow",
        start=lambda sight, _: sight.item.data,
        check=judge,
        faults=lambda verdict, draft: [f"{draft} is too small"] if verdict["n"] < 20 else [],
        mend=adder,
        mended=lambda draft, _, reply: draft + reply["n"],
        rounds=rounds,
        needed=needed,
    )


def adding(request: ChatRequest) -> Said:
    return {"n": 3} if "Add" in prompt_of(request) else doubled(request)


def test_a_draft_is_mended_until_it_holds(tmp_path: Path) -> None:
    ending = go(tmp_path, pipeline(growing(20)), adding, items(2, 10))
    assert [sight.of("grow") for sight in ending.made().values()] == [10, 11]
    counts = {count.step: count for count in summary_of(ending).steps}
    assert (counts["grow"].first_try, counts["grow"].repaired, counts["grow"].passed) == (1, 1, 1.0)
    assert (counts["judge"].tries, counts["add"].tries) == (5, 3)


def test_a_draft_that_never_holds_is_dropped_with_what_was_wrong(tmp_path: Path) -> None:
    ending = go(tmp_path, pipeline(growing(1)), adding, items(2))
    (line,) = log_of(ending)
    assert (line.step, line.check, line.problem, line.costs) == ("grow", "rounds", "5 is too small", "item")
    assert summary_of(ending).steps[0].passed == 0.0


def test_a_failed_call_rejects_nothing_and_is_tried_again(tmp_path: Path) -> None:
    late = RetryableError("late", cause="timeout")
    ending = go(tmp_path, pipeline(doubling()), lambda r: late if "2." in prompt_of(r) else doubled(r), items(1, 2))
    assert not ending.finished
    assert [(line.outcome, line.check) for line in log_of(ending)] == [("unfinished", "timeout")]
    whole = go(tmp_path, pipeline(doubling()), doubled, items(1, 2))
    assert whole.finished
    assert list(whole.made()) == ["i1", "i2"]


def test_what_a_provider_filters_is_rejected_since_asking_again_changes_nothing(tmp_path: Path) -> None:
    ending = go(tmp_path, pipeline(doubling()), lambda _: RefusedError("no", cause="filtered"), items(1))
    (line,) = log_of(ending)
    assert (line.outcome, line.check) == ("rejected", "filtered")


def test_what_no_item_is_to_blame_for_ends_the_run_and_keeps_what_was_made(tmp_path: Path) -> None:
    def broke(request: ChatRequest) -> Said:
        return OverBudgetError("spent") if "9." in prompt_of(request) else doubled(request)

    with pytest.raises(OverBudgetError):
        go(tmp_path, pipeline(doubling()), broke, items(*range(10)), at_once=1)
    model = ScriptedMaker(doubled)
    assert len(run(pipeline(doubling()), items(*range(10)), model=model, folder=tmp_path).made()) == 10
    assert len(model.asked) == 1


def test_a_stop_lets_calls_land_and_begins_no_other(tmp_path: Path) -> None:
    stop = Event()
    model = ScriptedMaker(lambda r: stop.set() or doubled(r), delay_s=0.02)  # type: ignore[func-returns-value]
    with pytest.raises(InterruptedRunError):
        run(pipeline(doubling()), items(*range(20)), model=model, folder=tmp_path, at_once=2, stop=stop)
    assert 1 <= len(model.asked) <= 3
    assert len((tmp_path / JOURNAL).read_bytes().splitlines()) == len(model.asked)


@pytest.mark.parametrize("cut", [0.2, 0.5, 0.9])
def test_a_journal_torn_anywhere_ends_in_the_same_bytes(tmp_path: Path, cut: float) -> None:
    def reply(request: ChatRequest) -> Said:
        odd = "7." in prompt_of(request) or ("4." in prompt_of(request) and len(request.turns) == 1)
        return {"n": 3} if odd else doubled(request)

    whole = go(tmp_path / "whole", pipeline(doubling()), reply, items(*range(12)))
    written = (tmp_path / "whole" / JOURNAL).read_bytes()
    (tmp_path / "torn").mkdir()
    (tmp_path / "torn" / JOURNAL).write_bytes(written[: int(cut * len(written))])
    torn = go(tmp_path / "torn", pipeline(doubling()), reply, items(*range(12)), at_once=3)
    assert as_lines(torn) == as_lines(whole)
    assert as_json(summary_of(torn)) == as_json(summary_of(whole))
    assert torn.made() == whole.made()


def test_no_more_calls_are_made_at_once_than_asked_for(tmp_path: Path) -> None:
    each = doubling(given=lambda _, part: {"n": part}, parts=parts_of)
    model = ScriptedMaker(doubled, delay_s=0.01)
    run(pipeline(each), items(8, 9), model=model, folder=tmp_path, at_once=3)
    assert model.most_at_once == 3


def test_one_process_at_a_time_works_in_a_folder(tmp_path: Path) -> None:
    with hold(tmp_path / LOCK, "the folder"), pytest.raises(BusyError):
        go(tmp_path, pipeline(doubling()), doubled, items(1))


def test_progress_is_told_part_by_part(tmp_path: Path) -> None:
    notes: list[Progress] = []
    each = doubling(given=lambda _, part: {"n": part}, parts=parts_of)
    go(tmp_path, pipeline(each), doubled, items(3), watch=notes.append)
    assert [(note.done, note.of, note.state) for note in notes] == [(1, 3, "made"), (2, 3, "made"), (3, 3, "made")]


def test_a_reply_cut_at_its_limit_is_asked_for_again(tmp_path: Path) -> None:
    replies = iter([ChatReply(text='{"n": 2}', finish="length"), ChatReply(text='{"n": 2}')])
    ending = go(tmp_path, pipeline(doubling()), lambda _: next(replies), items(1))
    (line,) = log_of(ending)
    assert (line.outcome, line.check) == ("repaired", "cut")


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param(lambda: doubling(shape={"type": "string", "pattern": "x"}), id="schema"),
        pytest.param(lambda: doubling(repairs=-1), id="repairs"),
        pytest.param(lambda: doubling(checks=(Check("a", even), Check("a", even))), id="check-twice"),
        pytest.param(lambda: pipeline(doubling(), doubling()), id="step-twice"),
        pytest.param(lambda: doubling().text({"n": 3}), id="place-without-a-string"),
    ],
)
def test_a_pipeline_that_cannot_be_right_is_refused(wrong: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match=r"step|pipeline"):
        wrong()


def test_two_items_with_one_key_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="one key"):
        go(tmp_path, pipeline(doubling()), doubled, [*items(1), *items(1)])
