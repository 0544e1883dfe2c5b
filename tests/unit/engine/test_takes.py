"""Answers and verdicts are repeated without searching, or ingesting, again; each take has keys of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from recollect.contracts.call_context import current_context
from recollect.contracts.reading import Prompt
from recollect.domain.errors import NotAvailableError
from recollect.domain.exchange import Context, Reply
from recollect.domain.outcomes import Verdict
from recollect.domain.questions import Key, Question
from recollect.domain.repeats import FIRST, Repeats, Take
from recollect.domain.steps import Arm
from recollect.engine.plan import Trial
from recollect.engine.rows import Row

from tests.fakes import toy_systems as toy
from tests.fakes.harness import Harness, agent_row, memory_row, oracle

ALL = Repeats(answer=3, judge=2)
TAKES = 6
QUESTIONS = 3


@dataclass
class Noting(toy.ToyReader):
    """Notes for what it was called."""

    replicates: list[int] = field(default_factory=list)

    def read(self, context: Context, question: Question, prompt: Prompt) -> Reply:
        """The toy answer."""
        occasion = current_context()
        assert occasion is not None
        self.replicates.append(occasion.replicate)
        return super().read(context, question, prompt)


@dataclass
class NotingJudge(toy.ToyJudge):
    """Notes for what it was called."""

    replicates: list[int] = field(default_factory=list)

    def judge(self, question: Question, key: Key, reply: Reply) -> Verdict:
        """The toy verdict."""
        occasion = current_context()
        assert occasion is not None
        self.replicates.append(occasion.replicate)
        return super().judge(question, key, reply)


def harness(path: Path, repeats: Repeats = ALL) -> Harness:
    """A run in which answers are given three times and judged twice."""
    made = Harness(path, reader=Noting(), judge=NotingJudge())
    made.repeats = repeats
    return made


def one(run: Harness, row: Row) -> Trial:
    """A trial of three questions at the end."""
    return run.trials("observe_all", row)[0]


def takes_of(bodies: Sequence[Any]) -> Counter[tuple[int, int]]:
    """How many records each take has."""
    return Counter((body.take.answer, body.take.judge) for body in bodies)


def test_a_memory_is_searched_once_and_its_recall_read_and_judged_by_every_take(tmp_path: Path) -> None:
    """One recall a question, three answers, six verdicts; all of them as they were planned."""
    memory, run = toy.ToyMemory(), harness(tmp_path)
    trial = one(run, memory_row(lambda: memory, toy.TOY))
    assert run.run([trial])[0].complete
    assert memory.searches == QUESTIONS
    assert run.reader.calls == 3 * QUESTIONS
    assert run.judge.calls == TAKES * QUESTIONS
    assert takes_of(run.bodies([trial], "recall")) == {(0, 0): QUESTIONS}
    assert takes_of(run.bodies([trial], "answer")) == {(a, 0): QUESTIONS for a in range(3)}
    assert takes_of(run.bodies([trial], "verdict")) == {(a, j): QUESTIONS for a in range(3) for j in range(2)}


def test_the_first_take_has_the_keys_of_a_run_without_repeats(tmp_path: Path) -> None:
    """What is recorded stays valid when repeats are added, and no take shares a key with another's own."""
    rows = (
        memory_row(toy.ToyMemory, toy.TOY, arms=(Arm.SYSTEM, Arm.READBACK)),
        agent_row(toy.BufferAgent, toy.AGENT),
        agent_row(toy.DiaryAgent, toy.DIARY_IN_ORDER, label="in-order"),
        oracle(),
    )
    plain, repeated = harness(tmp_path, Repeats()), harness(tmp_path)
    for protocol in ("observe_all", "checkpoints"):
        for before, after in zip(plain.trials(protocol, *rows), repeated.trials(protocol, *rows), strict=True):
            assert before.trial_id == after.trial_id
            assert before.keys() < after.keys()
            first = [cell for cell in after.cells if cell.take == FIRST]
            assert [(c.recall, c.answer, c.verdict) for c in first] == [
                (c.recall, c.answer, c.verdict) for c in before.cells
            ]
            owned = Counter(key for cell in after.cells for key in cell.own)
            assert max(owned.values()) == 1
            assert set(owned) == {k for c in after.cells for k in (c.recall, c.answer, c.verdict)}


def test_a_trial_names_a_first_take_as_it_always_did_and_the_others_with_their_numbers(tmp_path: Path) -> None:
    """The facts of a run without repeats do not change."""
    cells = one(harness(tmp_path, Repeats(answer=2)), memory_row(toy.ToyMemory, toy.TOY)).facts()["cells"]
    assert [len(cell) for cell in cells] == [3, 5] * QUESTIONS
    assert [cell[3:] for cell in cells] == [[], [1, 0]] * QUESTIONS


def test_no_two_calls_for_one_question_pass_for_the_same(tmp_path: Path) -> None:
    """What tells calls apart in the cache differs for each answer and for each verdict, in each replicate."""
    run = harness(tmp_path)
    run.run([one(run, memory_row(toy.ToyMemory, toy.TOY))])
    assert isinstance(run.reader, Noting)
    assert isinstance(run.judge, NotingJudge)
    assert Counter(run.reader.replicates) == dict.fromkeys((0, 1_000, 2_000), QUESTIONS)
    assert len(set(run.judge.replicates)) == TAKES


@pytest.mark.parametrize(
    ("kind", "traits"),
    [(toy.BufferAgent, toy.AGENT), (toy.DiaryAgent, toy.DIARY_RESTORED)],
    ids=["as it is", "restored"],
)
def test_an_agent_is_asked_again_for_each_answer_and_not_for_each_verdict(
    kind: Callable[[], Any], traits: Any, tmp_path: Path
) -> None:
    """An agent finds for itself, so that each answer has a recall of its own."""
    run = harness(tmp_path)
    trial = one(run, agent_row(kind, traits))
    assert run.run([trial])[0].complete
    assert takes_of(run.bodies([trial], "recall")) == {(a, 0): QUESTIONS for a in range(3)}
    assert takes_of(run.bodies([trial], "answer")) == {(a, 0): QUESTIONS for a in range(3)}
    assert takes_of(run.bodies([trial], "verdict")) == {(a, j): QUESTIONS for a in range(3) for j in range(2)}
    if kind is toy.DiaryAgent:
        texts = {body.text.partition(":")[0] for body in run.bodies([trial], "answer")}
        assert texts == {"answer 1"}, "each take starts from the restored state"


def test_an_order_dependent_agent_cannot_answer_again_and_says_what_to_do(tmp_path: Path) -> None:
    """Its further answers are not available, never a fault; its first is judged again, and asked in the same order."""
    run, plain = harness(tmp_path / "repeated"), harness(tmp_path / "plain", Repeats())
    row = agent_row(toy.DiaryAgent, toy.DIARY_IN_ORDER)
    trial, before = one(run, row), one(plain, row)
    assert run.run([trial])[0].complete
    plain.run([before])
    assert run.journal(trial).faults == {}
    assert takes_of(run.bodies([trial], "answer")) == {(0, 0): QUESTIONS}
    assert takes_of(run.bodies([trial], "verdict")) == {(0, j): QUESTIONS for j in range(2)}
    assert {body.why for body in run.bodies([trial], "unavailable")} == {
        "asking changes `agent`, and it cannot be restored to answer again; repeat `ingest` instead"
    }
    assert [b.text for b in run.bodies([trial], "answer")] == [b.text for b in plain.bodies([before], "answer")]


def test_an_order_dependent_memory_is_read_again_from_what_its_one_search_found(tmp_path: Path) -> None:
    """Reading does not touch the memory."""
    run = harness(tmp_path)
    trial = one(run, memory_row(toy.CountingMemory, toy.WRITES_IN_ORDER))
    assert run.run([trial])[0].complete
    assert takes_of(run.bodies([trial], "answer")) == {(a, 0): QUESTIONS for a in range(3)}


def test_a_finished_run_with_takes_does_nothing_more(tmp_path: Path) -> None:
    """Neither reader nor judge is called again."""
    run = harness(tmp_path)
    trial = one(run, memory_row(toy.ToyMemory, toy.TOY))
    run.run([trial])
    calls = (run.reader.calls, run.judge.calls)
    run.run([trial])
    assert (run.reader.calls, run.judge.calls) == calls


def test_a_new_judge_judges_all_takes_and_nothing_is_read_again(tmp_path: Path) -> None:
    """A changed judge changes no answer."""
    run = harness(tmp_path)
    row = memory_row(toy.ToyMemory, toy.TOY)
    run.run([one(run, row)])
    read = run.reader.calls
    run.judge = NotingJudge(name="other-judge")
    assert run.run([one(run, row)])[0].complete
    assert (run.reader.calls, run.judge.calls) == (read, TAKES * QUESTIONS)


def test_a_judge_that_breaks_on_one_take_faults_that_verdict_alone_and_a_resume_mends_it(tmp_path: Path) -> None:
    """The fault names the take; the answer and the other verdicts stay."""

    @dataclass
    class Moody(NotingJudge):
        broken: bool = True

        def judge(self, question: Question, key: Key, reply: Reply) -> Verdict:
            verdict = super().judge(question, key, reply)
            if self.broken and self.replicates[-1] == Take(answer=1, judge=1).replicate_id(0):
                raise TimeoutError("no verdict in time")
            return verdict

    run = harness(tmp_path)
    run.judge = judge = Moody()
    trial = one(run, memory_row(toy.ToyMemory, toy.TOY))
    assert run.run([trial])[0].faults == QUESTIONS
    faults = [run.journal(trial).body(key) for key in run.journal(trial).faults]
    assert {(fault.stage, fault.take) for fault in faults} == {("judge", Take(answer=1, judge=1))}
    before, judge.broken = judge.calls, False
    assert run.run([trial])[0].complete
    assert judge.calls - before == QUESTIONS


def test_a_search_that_breaks_is_one_fault_for_all_takes(tmp_path: Path) -> None:
    """No take goes on from nothing."""
    run = harness(tmp_path)
    trial = one(run, memory_row(toy.FailingSearch, toy.TOY))
    (finished,) = run.run([trial])
    assert (finished.complete, finished.faults) == (False, 1)
    assert takes_of(run.bodies([trial], "answer")) == {(a, 0): QUESTIONS - 1 for a in range(3)}


@pytest.mark.parametrize("fails", [0, 1], ids=["the first", "a later"])
def test_a_reader_that_cannot_answer_leaves_that_take_not_available(fails: int, tmp_path: Path) -> None:
    """Each take speaks for itself; its verdicts go with it."""

    @dataclass
    class Unable(Noting):
        def read(self, context: Context, question: Question, prompt: Prompt) -> Reply:
            reply = super().read(context, question, prompt)
            if self.replicates[-1] == Take(answer=fails).replicate_id(0):
                raise NotAvailableError("cannot read this")
            return reply

    run = harness(tmp_path)
    run.reader = Unable()
    trial = one(run, memory_row(toy.ToyMemory, toy.TOY))
    assert run.run([trial])[0].complete
    assert takes_of(run.bodies([trial], "recall")) == {(0, 0): QUESTIONS}
    assert takes_of(run.bodies([trial], "answer")) == {(a, 0): QUESTIONS for a in range(3) if a != fails}
    assert len(run.bodies([trial], "unavailable")) == 3 * QUESTIONS, "an answer and two verdicts"


def test_a_policy_is_made_from_the_first_answers_alone(tmp_path: Path) -> None:
    """Repeats change neither what an agent learns nor the keys of what follows."""
    row = agent_row(toy.BufferAgent, toy.AGENT)
    plain, repeated = harness(tmp_path / "plain", Repeats()), harness(tmp_path / "repeated")
    policies = []
    for run in (plain, repeated):
        trials = run.trials("evolving", row)
        run.run(trials)
        policies.append([(body.step, body.policy) for body in run.bodies(trials, "state") if body.policy])
    assert policies[0]
    assert policies[0] == policies[1]


def test_probes_and_tasks_without_a_judge_repeat_answers_only(tmp_path: Path) -> None:
    """A verdict that nobody gives cannot be repeated."""
    run = harness(tmp_path)
    keyed, steps = _observe_all()
    trial = run.trial(replace(keyed, task="unjudged"), steps, memory_row(toy.ToyMemory, toy.TOY))
    assert [cell.take for cell in trial.cells] == [Take(answer=a) for a in range(3)] * QUESTIONS
    assert all(cell.verdict is None for cell in trial.cells)


def _observe_all() -> Any:
    from tests.fakes.toy_protocols import PROTOCOLS

    return PROTOCOLS["observe_all"]("one")
