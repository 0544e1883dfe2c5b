"""What every registered agent that holds a talk must do; a new one is tested by its line in the registry."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

import pytest

from recollect import registry
from recollect.contracts.memory import Forget, Room
from recollect.contracts.traits import Capability
from recollect.domain.exchange import Recall
from recollect.domain.histories import Script
from recollect.domain.ids import MessageId, QuestionId, SessionId
from recollect.domain.messages import Message, Session
from recollect.domain.questions import Question
from recollect.domain.steps import Arm
from recollect.engine.execution.dialogue import converse
from recollect.engine.feeding.feeder import feed
from recollect.engine.rows import Roles, Row
from recollect.engine.systems.driver import Driver
from recollect.runs.setup.config import SystemChoice
from recollect.runs.setup.models import Supplies
from recollect.runs.setup.rows import agent_row

from tests.fakes.harness import Harness
from tests.fakes.toy_systems import ScriptedUser
from tests.unit.memories.hash_embedder import HashEmbedder

CONVERSING = sorted(registry.AGENTS.keys() - {"answers"})
"""A file of answers holds nothing and cannot converse."""
SETTINGS = {"rag": {"memory": "bm25"}, "awe": {"memory": "bm25"}}
LINES = (
    "I moved to Lisbon in March with my sister Vera.",
    "My boat is called Otter and lies in the harbour.",
    "On Fridays I teach the cello to four children.",
    "I sold the boat to a man from Porto yesterday.",
)
OTHER = ("I live in Oslo and I own seven sledges.", "My dog Bruno won a prize in April.")
ASKED = [
    Question(question_id=QuestionId(f"q{number}"), text=text)
    for number, text in enumerate(("Where did Ann move to?", "What is the name of the boat?", "Who plays the zither?"))
]
Open = Callable[[str], Driver]
ARMS = (Arm.SYSTEM, Arm.ORACLE, Arm.READBACK)


def the_row(name: str) -> Row:
    """By its defaults, by rules, over an embedder that needs no weights."""
    supplies = Supplies(embedder=HashEmbedder(dimensions=256))
    return agent_row(SystemChoice(name=name, settings=SETTINGS.get(name, {})), ARMS, supplies)


@pytest.fixture(params=CONVERSING)
def row(request: pytest.FixtureRequest) -> Row:
    return the_row(request.param)


@pytest.fixture
def opener(row: Row, tmp_path: Path) -> Iterator[Open]:
    opened: list[Driver] = []

    def make(name: str) -> Driver:
        room = Room(folder=tmp_path / name, namespace=name, seed=1, embedder=HashEmbedder(dimensions=256))
        opened.append(Driver(row, room))
        return opened[-1]

    yield make
    for driver in opened:
        driver.close()


def script(name: str, lines: tuple[str, ...], *, day: int = 1) -> Script:
    said_at = f"2024-03-{day:02}T09:00"
    opening = Message(
        message_id=MessageId(f"{name}-open"), session_id=SessionId(name), text=lines[0], speaker="Ann", said_at=said_at
    )
    variables = {f"line {number}": line for number, line in enumerate(lines)}
    return Script(session_id=name, opening=opening, rounds=len(lines), variables=variables)


def talk(driver: Driver, name: str = "s", lines: tuple[str, ...] = LINES, *, day: int = 1) -> tuple[Message, ...]:
    """A dialogue as the engine holds it."""
    held = converse(driver, script(name, lines, day=day), ScriptedUser(), ())
    driver.settle()
    return held


def answers(driver: Driver) -> list[object]:
    return [driver.the_agent.answer(question) for question in ASKED]


def test_it_is_registered_under_its_own_name(row: Row) -> None:
    kind = registry.agent(str(row.fingerprint["name"]))
    assert kind.summary
    assert row.fingerprint["version"] == kind.version


def test_asked_twice_it_answers_the_same(opener: Open) -> None:
    driver = opener("a")
    talk(driver)
    assert answers(driver) == answers(driver)


def test_answering_changes_nothing_that_it_holds(opener: Open) -> None:
    """Also with a context of the harness's; what it is asked next is answered as if nothing had been asked."""
    driver, fresh = opener("a"), opener("b")
    for one in (driver, fresh):
        talk(one)
    before = driver.fingerprint()
    answers(driver)
    driver.the_agent.answer(ASKED[0], Recall(rendered="Ann moved to Mars.", order="time"))
    assert before[0] is not None
    assert driver.fingerprint() == before
    again = [talk(one, "t", OTHER, day=2) for one in (driver, fresh)]
    assert again[0] == again[1]


def test_a_recall_names_messages_that_it_was_shown(opener: Open) -> None:
    driver = opener("a")
    shown = {message.message_id for message in talk(driver)}
    for question in ASKED:
        recall = driver.the_agent.answer(question).recall
        for item in recall.items if recall else ():
            assert item.sources
            assert set(item.sources) <= shown


def test_a_given_context_is_all_that_it_reads(opener: Open) -> None:
    driver = opener("a")
    talk(driver)
    told = Message(message_id=MessageId("g"), session_id=SessionId("g"), text="The name of the boat is Walrus.")
    given = Recall.of_messages([told], order="time")
    reply = driver.the_agent.answer(ASKED[1], given)
    assert "Otter" not in reply.text
    assert "Walrus" in reply.text
    assert reply.recall == given


def test_a_given_context_in_words_of_its_own_is_read_as_well(opener: Open) -> None:
    """An oracle may be a text that is no message."""
    driver = opener("a")
    talk(driver)
    given = Recall(rendered="The name of the boat is Walrus.", order="time")
    reply = driver.the_agent.answer(ASKED[1], given)
    assert "Otter" not in reply.text
    assert "Walrus" in reply.text


def test_a_talk_of_others_is_taken_in_like_its_own(opener: Open, row: Row) -> None:
    """Off-policy: the messages of a dialogue that was held already leave the same state as holding it did."""
    own, foreign = opener("a"), opener("b")
    held = talk(own)
    for fed in feed(Session(session_id=SessionId("s"), messages=held), row.traits):
        foreign.write(fed.batch)
    foreign.settle()
    assert foreign.fingerprint() == own.fingerprint()
    assert answers(foreign) == answers(own)


def test_a_loaded_agent_is_the_saved_one(opener: Open, tmp_path: Path) -> None:
    whole, again = opener("a"), opener("b")
    talk(whole)
    if not whole.can(Capability.SNAPSHOT):
        pytest.skip("takes no snapshot")
    (tmp_path / "saved").mkdir()
    whole.save(tmp_path / "saved")
    again.load(tmp_path / "saved")
    assert again.fingerprint() == whole.fingerprint()
    goes_on = [talk(one, "t", OTHER, day=2) for one in (whole, again)]
    assert goes_on[0] == goes_on[1]
    assert again.fingerprint() == whole.fingerprint()
    assert answers(again) == answers(whole)


def test_two_trials_never_see_each_other(opener: Open) -> None:
    one, other, alone = opener("a"), opener("b"), opener("c")
    talk(one)
    talk(other, "o", OTHER)
    talk(one, "t", LINES[:2], day=2)
    talk(alone, "o", OTHER)
    assert other.fingerprint() == alone.fingerprint()
    assert answers(other) == answers(alone)


def test_readback_gives_what_is_held_of_messages(opener: Open) -> None:
    driver = opener("a")
    if not driver.can(Capability.READBACK):
        pytest.skip("cannot tell")
    held = talk(driver)
    found = driver.readback().stored_from({held[0].message_id})
    assert any("Lisbon" in item.text for item in found.items)
    assert all(held[0].message_id in item.sources for item in found.items)


def test_what_is_forgotten_is_not_held(opener: Open) -> None:
    driver = opener("a")
    if not driver.can(Capability.FORGET):
        pytest.skip("cannot forget")
    held = talk(driver)
    cast("Forget", driver.the_agent).forget({held[0].message_id})
    assert not any(held[0].message_id in unit.sources for unit in driver.units())


def test_an_empty_agent_answers_and_holds_nothing(opener: Open) -> None:
    driver = opener("a")
    driver.settle()
    assert driver.the_agent.answer(ASKED[0]).abstained
    assert list(driver.units()) == []


def test_a_policy_is_adopted_and_is_part_of_the_state(opener: Open) -> None:
    driver = opener("a")
    if not driver.can(Capability.POLICY):
        pytest.skip("follows no policy")
    talk(driver)
    before, maker = driver.fingerprint(), driver.policy_maker()
    assert maker is not None
    policy = maker.propose(driver.policy().policy(), ["Question: Which sledges are there?"])
    driver.policy().adopt(policy)
    assert driver.policy().policy() == policy
    assert driver.fingerprint() != before


@dataclass
class Embedding(Harness):
    """The real engine with an embedder."""

    @property
    def cast(self) -> Roles:
        return replace(super().cast, embedder=HashEmbedder(dimensions=256))


@pytest.mark.parametrize("protocol", ["observe_all", "converse", "checkpoints", "evolving"])
def test_the_engine_finds_no_fault_and_the_state_unchanged(protocol: str, row: Row, tmp_path: Path) -> None:
    if protocol == "evolving" and Capability.POLICY not in row.traits.can:
        pytest.skip("follows no policy")
    harness = Embedding(tmp_path / "run")
    trials = harness.trials(protocol, row)
    finished = harness.run(trials)
    assert [(one.complete, one.faults) for one in finished] == [(True, 0)] * len(trials)
    assert {check.state for check in harness.bodies(trials, "check")} == {"unchanged"}
    answered = [harness.answers(trials, arm) for arm in ARMS]
    again = harness.run(trials)
    assert [(one.complete, one.faults) for one in again] == [(True, 0)] * len(trials)
    assert [harness.answers(trials, arm) for arm in ARMS] == answered
