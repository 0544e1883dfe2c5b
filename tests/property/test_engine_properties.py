"""Random episodes, systems and stop points: the records follow from the plan, whatever happens on the way."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.contracts.traits import Capability, Traits, WriteUnit
from recollect.domain.errors import InterruptedRunError
from recollect.domain.histories import History, Keyed
from recollect.domain.ids import CheckpointId, HistoryId, MessageId, SessionId
from recollect.domain.messages import Message, Session
from recollect.domain.questions import Key, Question
from recollect.domain.steps import Arm, Ask, Observe, Step
from recollect.engine.execution.executor import Limits, execute
from recollect.engine.feeding.feeder import feed
from recollect.engine.plan import Trial
from recollect.records.kinds import UNPLANNED

from tests.fakes import toy_systems as toy
from tests.fakes.harness import Harness, memory_row
from tests.fakes.toy_protocols import FACTS, message, question
from tests.fakes.trees import records

ARMS = (Arm.SYSTEM, Arm.READBACK, Arm.READBACK_PURE)
SETTINGS = settings(max_examples=25, deadline=None)
SIZED = (WriteUnit.MESSAGES, WriteUnit.TOKENS)


class System(NamedTuple):
    """A toy memory with traits that are true of it."""

    kind: type[toy.ToyMemory]
    traits: Traits
    arms: tuple[Arm, ...]


@st.composite
def systems(draw: st.DrawFn) -> System:
    """Every way of feeding, saving and asking that a toy memory has."""
    takes = draw(st.sampled_from(WriteUnit))
    size = draw(st.integers(1, 4)) if takes in SIZED else None
    asking = draw(st.sampled_from(["as it is", "restored", "in order"]))
    can = set(toy.ALL) if asking != "in order" else {Capability.LISTING}
    if asking == "as it is" and draw(st.booleans()):
        can.discard(Capability.SNAPSHOT)
    kind = toy.CountingMemory if asking != "as it is" else draw(st.sampled_from([toy.ToyMemory, toy.MergingMemory]))
    traits = Traits(can=frozenset(can), takes=takes, unit_size=size, writes_when_asked=asking != "as it is")
    return System(kind, traits, (Arm.SYSTEM,) if asking == "in order" else ARMS)


@st.composite
def episodes(draw: st.DrawFn) -> tuple[Keyed, list[Step]]:
    """Sessions and Asks in any order; the first step is a session, so that every system holds something."""
    shape = ["observe", *draw(st.lists(st.sampled_from(["observe", "ask"]), min_size=1, max_size=5))]
    steps: list[Step] = []
    questions: list[Question] = []
    for number, what in enumerate(shape):
        if what == "observe":
            steps.append(Observe(session=_session(number, draw(st.integers(1, 3)))))
        else:
            asked = [_question(number, thing) for thing in draw(st.lists(st.sampled_from(_THINGS), unique=True))]
            arms = draw(st.sampled_from([None, (Arm.SYSTEM,), (Arm.READBACK, Arm.SYSTEM)]))
            steps.append(Ask(checkpoint=CheckpointId(f"at {number}"), questions=tuple(asked), arms=arms))
            questions += asked
    sessions = tuple(step.session for step in steps if isinstance(step, Observe))
    evidence = (sessions[0].messages[0].message_id,)
    keys = {q.question_id: Key(question_id=q.question_id, gold=("old",), evidence=evidence) for q in questions}
    history = History(history_id=HistoryId("h1"), timeline=sessions, questions=tuple(questions))
    return Keyed(history=history, keys=keys, task="toy"), steps


_THINGS = ["river", "castle", "garden"]


def _session(number: int, size: int) -> Session:
    name = f"s{number}"
    facts = [FACTS[(number + place) % len(FACTS)] for place in range(size)]
    lines = [message(f"{thing} is {value}", place, name) for place, (thing, value) in enumerate(facts)]
    return Session(session_id=SessionId(name), messages=tuple(lines))


def _question(number: int, thing: str) -> Question:
    return question(thing, str(number), "random")


def _stopped(harness: Harness, trial: Trial, after: int) -> None:
    """Run until *after* records are written, or to the end."""
    left = [after]

    def watch(_kind: str, count: int) -> None:
        left[0] -= count
        if left[0] <= 0:
            raise InterruptedRunError

    try:
        execute(
            [trial],
            harness.folder,
            roles=harness.cast,
            conditions=harness.conditions,
            limits=Limits(trials=1, calls=1),
            watch=watch,
        )
    except InterruptedRunError:
        return


@SETTINGS
@given(what=episodes(), system=systems())
def test_what_is_recorded_is_what_was_planned(what: tuple[Keyed, list[Step]], system: System) -> None:
    with TemporaryDirectory() as folder:
        harness = Harness(Path(folder))
        trial = harness.trial(*what, memory_row(system.kind, system.traits, arms=system.arms))
        (finished,) = harness.run([trial])
        done = harness.journal(trial).done
        assert {key for key, entry in done.items() if entry.kind not in UNPLANNED} == trial.keys()
        assert (finished.complete, finished.faults, finished.voided) == (True, 0, 0)


@SETTINGS
@given(what=episodes(), system=systems(), stops=st.lists(st.integers(1, 25), max_size=3), torn=st.integers(0, 60))
def test_a_run_stopped_at_any_record_ends_as_one_that_was_not(
    what: tuple[Keyed, list[Step]], system: System, stops: list[int], torn: int
) -> None:
    """After each stop a part of a line stands at the end of the journal, as a kill leaves it."""
    with TemporaryDirectory() as folder:
        whole, broken = Harness(Path(folder) / "whole"), Harness(Path(folder) / "broken")
        row = memory_row(system.kind, system.traits, arms=system.arms)
        trial = whole.trial(*what, row)
        whole.run([trial])
        for stop in stops:
            _stopped(broken, trial, stop)
            with (broken.folder.trial(trial.trial_id) / "records.jsonl").open("ab") as file:
                file.write(b'{"key":"r1:0123456789abcdef0123456789abcdef","kind":"answer"'[:torn])
        (finished,) = broken.run([trial])
        assert finished.complete
        assert records(broken.path) == records(whole.path)


texts = st.text(st.sampled_from("ab c,.é漢\n"), max_size=30)


@settings(max_examples=200, deadline=None)
@given(lines=st.lists(texts, min_size=1, max_size=6), takes=st.sampled_from(WriteUnit), size=st.integers(1, 5))
def test_every_message_is_fed_once_in_order_and_whole(lines: list[str], takes: WriteUnit, size: int) -> None:
    shown = [
        Message(message_id=MessageId(f"m{n}"), session_id=SessionId("s"), text=text) for n, text in enumerate(lines)
    ]
    traits = Traits(takes=takes, unit_size=size if takes in SIZED else None)
    fed = list(feed(Session(session_id=SessionId("s"), messages=tuple(shown)), traits))
    origin_of = {piece: origin for write in fed for piece, origin in write.pieces.items()}
    pieces = [(origin_of.get(m.message_id, m.message_id), m.text) for write in fed for m in write.batch.messages]
    assert list(dict.fromkeys(name for name, _ in pieces)) == [m.message_id for m in shown]
    for each in shown:
        assert "".join(text for name, text in pieces if name == each.message_id).split() == each.text.split()
    assert len({m.message_id for write in fed for m in write.batch.messages}) == len(pieces), "no id is fed twice"
