"""The five toy protocols run through the real engine: what each of the benchmarks needs of it, followed by hand."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import pytest

from recollect.domain.steps import Arm, Ask
from recollect.engine.execution.executor import is_complete
from recollect.engine.rows import oracle_row

from tests.fakes import toy_systems as toy
from tests.fakes.harness import Harness, agent_row, memory_row
from tests.fakes.toy_protocols import PROTOCOLS

ARMS = (Arm.SYSTEM, Arm.READBACK, Arm.READBACK_PURE)


@pytest.fixture
def harness(tmp_path: Path) -> Harness:
    return Harness(tmp_path / "run")


def test_observe_all_shows_everything_and_then_asks(harness: Harness) -> None:
    trials = harness.trials("observe_all", memory_row(toy.ToyMemory, toy.TOY))
    finished = harness.run(trials)
    assert all(one.complete and not one.faults for one in finished)
    assert harness.answers(trials) == ["brown", "restored", "busy"] * 2


def test_the_oracle_is_a_trial_of_its_own_and_reads_the_evidence_alone(harness: Harness) -> None:
    trials = harness.trials("observe_all", oracle_row())
    harness.run(trials)
    assert harness.answers(trials, Arm.ORACLE) == ["brown", "restored", "busy"] * 2
    contents = harness.bodies(trials, "content")
    assert all(len(content.items) == 1 for content in contents), "one evidence message a question"


def test_a_dialogue_is_held_with_the_scripted_user_and_the_buffer_crosses_sessions(harness: Harness) -> None:
    trials = harness.trials("converse", agent_row(toy.BufferAgent, toy.AGENT))
    finished = harness.run(trials)
    assert all(one.complete for one in finished)
    assert harness.answers(trials) == ["blue", "green", "loud"] * 2
    talks = [body.talk for body in harness.bodies(trials, "state")]
    assert [len(talk) for talk in talks] == [4] * 6
    assert talks[0][2].text == "castle is old", "the simulated user's second turn"
    assert talks[0][1].text == "I see: river is blue", "the system under test replied"


def test_an_eight_message_buffer_holds_the_last_two_of_three_four_message_sessions() -> None:
    agent = toy.BufferAgent()
    _, steps = PROTOCOLS["converse"]("by hand")
    from recollect.engine.execution.dialogue import converse

    class Stand:
        the_agent = agent

    for step in steps[::2]:
        converse(Stand(), step.script, toy.ScriptedUser(), ())  # type: ignore[arg-type, union-attr]
    assert len(agent.buffer) == 8
    assert len(agent.notes) == 4, "the first session, no more and no less"


def test_a_memory_cannot_converse_and_its_cells_say_so(harness: Harness) -> None:
    trials = harness.trials("converse", memory_row(toy.ToyMemory, toy.TOY))
    finished = harness.run(trials)
    assert all(one.complete and not one.faults for one in finished)
    assert {body.why.split(" is a ")[1][:6] for body in harness.bodies(trials, "unavailable")} == {"memory"}


def test_five_checkpoints_see_only_what_came_before(harness: Harness) -> None:
    trials = harness.trials("checkpoints", memory_row(toy.ToyMemory, toy.TOY))
    harness.run(trials)
    assert harness.answers(trials) == ["red", "green", "blue", "white", "black"] * 2
    assert [check.state for check in harness.bodies(trials, "check")] == ["unchanged"] * 10
    assert [check.units for check in harness.bodies(trials, "check")] == [3, 6, 9, 12, 15] * 2


def test_readback_counts_an_item_when_any_source_is_evidence_and_pure_drops_the_mixed(harness: Harness) -> None:
    trials = harness.trials("merged_units", memory_row(toy.MergingMemory, toy.TOY, arms=ARMS))
    harness.run(trials)
    assert harness.answers(trials, Arm.READBACK) == ["brown", "restored", "busy"] * 2
    assert harness.answers(trials, Arm.READBACK_PURE) == ["not mentioned"] * 6, "every unit joins two messages"


def test_a_json_template_is_answered_field_by_field(harness: Harness) -> None:
    trials = harness.trials("json_template", memory_row(toy.ToyMemory, toy.TOY), oracle_row())
    harness.search_limit = 8
    harness.run(harness.trials("json_template", oracle_row()))
    said = harness.answers(harness.trials("json_template", oracle_row()), Arm.ORACLE)
    assert [json.loads(text) for text in said] == [{"water": "brown", "fort": "restored", "sea": "busy"}] * 2
    assert trials


def test_chunks_are_shown_and_evidence_is_read_back_through_covers(harness: Harness) -> None:
    trials = harness.trials("chunked", memory_row(toy.ToyMemory, toy.TOY, arms=ARMS), oracle_row())
    harness.run(trials)
    memories, oracles = trials[::2], trials[1::2]
    assert harness.answers(memories, Arm.READBACK) == ["brown", "restored", "busy"] * 2
    assert harness.answers(memories, Arm.READBACK_PURE) == ["brown", "restored", "busy"] * 2
    assert harness.answers(oracles, Arm.ORACLE) == ["brown", "restored", "busy"] * 2
    stored = [item.message for content in harness.bodies(memories, "content") for item in content.items]
    assert all(stored), "chunks are messages as they were shown, stored by id"


def test_an_agent_adopts_the_policy_made_from_its_answers(harness: Harness) -> None:
    trials = harness.trials("evolving", agent_row(toy.BufferAgent, toy.AGENT))
    finished = harness.run(trials)
    assert all(one.complete for one in finished)
    policies = [body.policy for body in harness.bodies(trials, "state") if body.did == "evolve"]
    before, told = zip(*(str(policy).split(" 1: ", 1) for policy in policies), strict=True)
    assert before == ("remember all; seen",) * 2
    lessons = [json.loads(line) for line in told]
    assert [(one["question"], one["answer"]) for one in lessons] == [("What is river?", "blue")] * 2
    assert all("river is blue" in one["remembered"] for one in lessons)


def test_the_state_after_evolving_is_named_by_the_answers_it_was_made_from(harness: Harness) -> None:
    row = agent_row(toy.BufferAgent, toy.AGENT)
    first = harness.trials("evolving", row)[0]
    other = replace(row, fingerprint={"name": "agent", "version": 2, "config": {}})
    second = harness.trials("evolving", other)[0]
    assert first.stages[2].after != second.stages[2].after


def test_an_agent_without_a_policy_cannot_evolve_and_its_cells_say_so(harness: Harness) -> None:
    traits = replace(toy.AGENT, can=toy.AGENT.can - {"policy"})
    trials = harness.trials("evolving", agent_row(toy.BufferAgent, traits))
    harness.run(trials)
    assert len(harness.bodies(trials, "unavailable")) == 3 * 3 * 2


def test_a_system_that_writes_when_asked_is_restored_for_every_question(harness: Harness) -> None:
    trials = harness.trials("observe_all", agent_row(toy.DiaryAgent, toy.DIARY_RESTORED))
    harness.run(trials)
    assert [text.split(":")[0] for text in harness.answers(trials)] == ["answer 1"] * 6
    assert {check.state for check in harness.bodies(trials, "check")} == {"restored"}


def test_one_that_cannot_be_restored_is_asked_in_order_and_marked(harness: Harness) -> None:
    trials = harness.trials("observe_all", agent_row(toy.DiaryAgent, toy.DIARY_IN_ORDER))
    finished = harness.run(trials)
    assert all(one.complete for one in finished)
    assert [text.split(":")[0] for text in harness.answers(trials)] == ["answer 1", "answer 2", "answer 3"] * 2
    assert {check.state for check in harness.bodies(trials, "check")} == {"order_dependent"}


def test_keys_of_an_order_dependent_system_hold_the_questions_asked_before(harness: Harness) -> None:
    ordered = harness.trials("observe_all", agent_row(toy.DiaryAgent, toy.DIARY_IN_ORDER))[0]
    free = harness.trials("observe_all", agent_row(toy.DiaryAgent, toy.DIARY_RESTORED))[0]
    keyed, steps = PROTOCOLS["observe_all"]("one")
    ask = steps[-1]
    assert isinstance(ask, Ask)
    turned = [*steps[:-1], replace(ask, questions=ask.questions[::-1])]
    for row, same in ((ordered.row, False), (free.row, True)):
        first = {c.question.text: c.answer for c in harness.trial(keyed, steps, row).cells}
        second = {c.question.text: c.answer for c in harness.trial(keyed, turned, row).cells}
        assert (first == second) is same


def test_a_memory_that_writes_when_searched_is_restored_too(harness: Harness) -> None:
    trials = harness.trials("observe_all", memory_row(toy.CountingMemory, toy.WRITES_RESTORED))
    harness.run(trials)
    firsts = [content.items[0].text for content in harness.bodies(trials, "content")]
    assert set(firsts) == {"search number 1"}


def test_asking_a_system_that_secretly_writes_is_a_fault_of_the_whole_checkpoint(harness: Harness) -> None:
    trials = harness.trials("observe_all", memory_row(toy.SecretWriter, toy.TOY))
    finished = harness.run(trials)
    assert not any(one.complete for one in finished)
    faults = harness.bodies(trials, "fault")
    assert [(fault.cause, fault.checkpoint, fault.question) for fault in faults] == [("state_changed", "end", None)] * 2


def test_a_whole_history_that_leaves_nothing_behind_is_a_fault(harness: Harness) -> None:
    trials = harness.trials("observe_all", memory_row(toy.ForgetfulListing, toy.TOY))
    harness.run(trials)
    assert [fault.cause for fault in harness.bodies(trials, "fault")] == ["nothing_stored"] * 2
    assert harness.answers(trials) == []


def test_a_search_that_breaks_faults_that_cell_and_no_other(harness: Harness) -> None:
    trials = harness.trials("observe_all", memory_row(toy.FailingSearch, toy.TOY))
    harness.run(trials)
    faults = harness.bodies(trials, "fault")
    assert [(fault.stage, fault.cause) for fault in faults] == [("recall", "unreachable")] * 2
    assert harness.answers(trials) == ["restored", "busy"] * 2


def test_a_write_that_breaks_faults_the_later_cells_and_never_the_oracle(harness: Harness) -> None:
    trials = harness.trials("checkpoints", memory_row(toy.FailingWrite, toy.TOY), oracle_row())
    harness.run(trials)
    faults = harness.bodies(trials[::2], "fault")
    assert [(fault.stage, fault.cause, fault.step) for fault in faults] == [("state", "timeout", 0)] * 2
    assert harness.answers(trials[1::2], Arm.ORACLE) == ["red", "green", "blue", "white", "black"] * 2


def test_faults_are_tried_again_and_the_last_try_counts(harness: Harness) -> None:
    row = memory_row(toy.FailingSearch, toy.TOY)
    trials = harness.trials("observe_all", row)
    harness.run(trials)
    mended = [replace(trial, row=replace(row, open_memory=lambda room: toy.ToyMemory())) for trial in trials]
    harness.run(mended)
    assert harness.answers(trials) == ["brown", "restored", "busy"] * 2
    assert all(is_complete(trial, harness.journal(trial)) for trial in trials)
    assert harness.bodies(trials, "fault") == []


def test_a_whole_history_system_is_fed_all_up_to_each_ask_in_a_fresh_instance(harness: Harness) -> None:
    opened: list[toy.ToyMemory] = []

    def fresh() -> toy.ToyMemory:
        opened.append(toy.ToyMemory())
        return opened[-1]

    trials = harness.trials("checkpoints", memory_row(fresh, toy.WHOLE))
    harness.run(trials)
    assert harness.answers(trials) == ["red", "green", "blue", "white", "black"] * 2
    assert [check.units for check in harness.bodies(trials, "check")] == [3, 6, 9, 12, 15] * 2


def test_a_reader_without_an_operator_makes_a_cell_not_available_never_a_zero(harness: Harness) -> None:
    from recollect.domain.errors import NotAvailableError

    class Picky(toy.ToyReader):
        def read(self, *args: object) -> object:  # type: ignore[override]
            raise NotAvailableError("no operator for lists")

    harness.reader = Picky()
    trials = harness.trials("observe_all", memory_row(toy.ToyMemory, toy.TOY))
    finished = harness.run(trials)
    assert all(one.complete and not one.faults for one in finished)
    assert {body.why for body in harness.bodies(trials, "unavailable")} == {"no operator for lists"}


def test_nothing_runs_twice(harness: Harness) -> None:
    trials = harness.trials("observe_all", memory_row(toy.ToyMemory, toy.TOY), oracle_row())
    harness.run(trials)
    calls = harness.reader.calls, harness.judge.calls
    harness.run(trials)
    assert (harness.reader.calls, harness.judge.calls) == calls == (12, 12)


def test_a_changed_judge_judges_again_and_nothing_else(harness: Harness) -> None:
    row = memory_row(toy.ToyMemory, toy.TOY)
    harness.run(harness.trials("observe_all", row))
    read = harness.reader.calls
    harness.judge = toy.ToyJudge(name="toy-judge-2")
    harness.run(harness.trials("observe_all", row))
    assert harness.reader.calls == read
    assert harness.judge.calls == 6


def test_a_new_memory_ingests_only_that_one(harness: Harness) -> None:
    row = memory_row(toy.ToyMemory, toy.TOY)
    harness.run(harness.trials("observe_all", row))
    read = harness.reader.calls
    harness.run(harness.trials("observe_all", row, memory_row(toy.MergingMemory, toy.TOY, label="merging")))
    assert harness.reader.calls == read + 6


def test_a_settle_that_broke_once_is_forgotten_when_the_next_try_works(harness: Harness) -> None:
    class Shaky(toy.ToyMemory):
        broken: ClassVar[list[bool]] = [True]

        def settle(self) -> None:
            if self.broken:
                self.broken.pop()
                raise TimeoutError("not yet")

    trials = harness.trials("observe_all", memory_row(Shaky, toy.TOY))[:1]
    (first,) = harness.run(trials)
    assert (first.complete, first.faults) == (False, 1)
    (second,) = harness.run(trials)
    assert (second.complete, second.faults) == (True, 0)
    assert harness.answers(trials) == ["brown", "restored", "busy"]
