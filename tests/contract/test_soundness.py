"""Memories that are silently broken are told from those that are merely bad, and odd data raises no alarm."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any, cast

import pytest

from recollect import registry
from recollect.contracts.memory import Listing, Memory, Room, Snapshot
from recollect.contracts.traits import Capability, Traits, WriteUnit
from recollect.domain.errors import MissingExtraError, NotAvailableError
from recollect.domain.exchange import Batch, Cue, Recall, RecallItem, Receipt, Reply, Unit
from recollect.domain.histories import Asking, History, Keyed
from recollect.domain.ids import CheckpointId, HistoryId, MessageId, QuestionId, SessionId, UnitId
from recollect.domain.messages import Message, Role, Session
from recollect.domain.questions import Key, Question
from recollect.domain.steps import Arm, Ask, Observe, Step
from recollect.engine.feeding.feeder import feed
from recollect.engine.plan import Trial
from recollect.engine.rows import Row
from recollect.engine.systems.driver import StoredState
from recollect.offline.embedder.model import Embedder

from tests.fakes import broken_memories as broken
from tests.fakes import toy_systems as toy
from tests.fakes.harness import Harness, agent_row, memory_row
from tests.fakes.toy_protocols import checkpoints, long_ingest, observe_all
from tests.fakes.trees import records

Line = tuple[Role, str, str | None]
ALL = broken.KEEPS_ALL
SOME = broken.TRAITS
UNLISTED = replace(SOME, can=frozenset())
DATED: tuple[Line, ...] = tuple(
    ("assistant" if n % 2 else "user", f"the garden gate number {n} is blue", f"2024-03-0{n + 1}T10:00")
    for n in range(6)
)


def session(name: str, lines: Sequence[Line]) -> Session:
    """A session of some lines."""
    return Session(
        session_id=SessionId(name),
        messages=tuple(
            Message(
                message_id=MessageId(f"{name}-{n}"), session_id=SessionId(name), role=role, text=text, said_at=said_at
            )
            for n, (role, text, said_at) in enumerate(lines)
        ),
    )


def told(*sessions: Session, asked_at: str | None = None) -> tuple[Keyed, list[Step]]:
    """Sessions, each followed by the same question."""
    steps: list[Step] = []
    questions = []
    for number, one in enumerate(sessions):
        asked = Question(question_id=QuestionId(f"q{number}"), text="What of the blue gate?", asked_at=asked_at)
        steps += [Observe(session=one), Ask(checkpoint=CheckpointId(f"c{number}"), questions=(asked,))]
        questions.append(asked)
    asks = [Asking(checkpoint=s.checkpoint, question_ids=(s.questions[0].question_id,)) for s in steps[1::2]]  # type: ignore[union-attr]
    timeline = [event for pair in zip(sessions, asks, strict=True) for event in pair]
    history = History(history_id=HistoryId("h"), timeline=tuple(timeline), questions=tuple(questions))
    keys = {q.question_id: Key(question_id=q.question_id, gold=("x",)) for q in questions}
    return Keyed(history=history, keys=keys, task="toy", original_id="told"), steps


def row(twin: Callable[[Path], Memory], traits: Traits = ALL, **more: Any) -> Row:
    """A row for a twin."""
    return replace(memory_row(toy.ToyMemory, traits, **more), open_memory=lambda room: twin(room.folder))


def causes(folder: Path, episode: tuple[Keyed, list[Step]], one: Row, **more: Any) -> list[str]:
    """What is wrong with a row by the engine, fault by fault."""
    harness = Harness(folder, **more)
    trial = harness.trial(*episode, one)
    harness.run([trial])
    return [fault.cause for fault in harness.bodies([trial], "fault")]


# The limit


class Finds(broken.HonestTwin):
    """Finds what it was told to find, whatever the limit."""

    found: Recall = Recall()

    def search(self, cue: Cue) -> Recall:
        return self.found


def finding(recall: Recall) -> type[Finds]:
    """A twin that finds *recall*."""
    return type("Finding", (Finds,), {"found": recall})


def words(number: int) -> RecallItem:
    """An item of so many tokens."""
    return RecallItem(text=" a" * number, sources=("s-0",))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("limit", "recall", "faults"),
    [
        pytest.param("items", Recall(items=(words(1),) * 5), [], id="as many as wanted"),
        pytest.param("items", Recall(items=(words(1),) * 6), ["limit_ignored"], id="one too many"),
        pytest.param("fixed", Recall(items=(words(1),) * 6), [], id="a fixed number"),
        pytest.param("tokens", Recall(items=(words(50),) * 3), [], id="tokens of another tokenizer"),
        pytest.param("tokens", Recall(items=(words(50),) * 3 + (words(1),)), ["limit_ignored"], id="too many tokens"),
        pytest.param("tokens", Recall(rendered=" a" * 151), ["limit_ignored"], id="too many tokens in one text"),
        pytest.param("tokens", Recall(items=(words(90),) * 9, rendered="a"), [], id="one text in place of the items"),
    ],
)
def test_a_limit_that_never_arrived_is_a_fault_of_the_question(
    limit: Any, recall: Recall, faults: list[str], tmp_path: Path
) -> None:
    """Five items or a hundred tokens are asked for; half as many tokens more are another way of counting."""
    found = causes(
        tmp_path,
        told(session("s", DATED)),
        row(finding(recall), replace(ALL, limit=limit)),
        search_limit=5,
        budget_tokens=100,
    )
    assert found == faults


# What was fed


def keeping(keeps: Callable[[Message], bool], receipt: Receipt) -> type[broken.HonestTwin]:
    """A twin that keeps some messages, and says the same of every write."""

    class Keeping(broken.HonestTwin):
        def write(self, batch: Batch) -> Receipt:
            super().write(replace(batch, messages=tuple(m for m in batch.messages if keeps(m))))
            return receipt if receipt.status != "nothing_to_store" or not self._kept(batch) else Receipt.stored()

        def _kept(self, batch: Batch) -> bool:
            return all(m in self.messages for m in batch.messages)

    return Keeping


def number(message: Message) -> int:
    """The place of a message in its session."""
    return int(message.message_id.rsplit("-", 1)[1])


@pytest.mark.parametrize(
    ("keeps", "receipt", "faults"),
    [
        pytest.param(lambda m: True, Receipt.queued(), [], id="all"),
        pytest.param(lambda m: number(m) != 2, Receipt.stored(), ["half_ingested"], id="one lost"),
        pytest.param(lambda m: number(m) != 2, Receipt.nothing(), [], id="one let go and told"),
        pytest.param(lambda m: number(m) < 5, Receipt.queued(), ["not_visible"], id="the newest not there yet"),
        pytest.param(lambda m: m.role == "user", Receipt.stored(), ["turns_dropped"], id="a role lost"),
        pytest.param(lambda m: m.role == "user", Receipt.nothing(), ["turns_dropped"], id="a role let go"),
        pytest.param(lambda m: m.role == "assistant", Receipt.stored(), ["half_ingested"], id="the other role lost"),
        pytest.param(lambda m: False, Receipt.stored(), ["nothing_stored"], id="nothing"),
    ],
)
@pytest.mark.parametrize("keeps_what", ["all", "some"])
def test_what_was_fed_to_a_system_that_keeps_all_must_be_there(
    keeps_what: Any, keeps: Callable[[Message], bool], receipt: Receipt, faults: list[str], tmp_path: Path
) -> None:
    """One that keeps some may let go what it likes, but for everything."""
    expected = faults if keeps_what == "all" or faults == ["nothing_stored"] else []
    traits = replace(ALL, keeps=keeps_what)
    assert causes(tmp_path, told(session("s", DATED)), row(keeping(keeps, receipt), traits)) == expected


def test_a_system_whose_sources_are_unknown_is_held_to_the_units_that_it_named(tmp_path: Path) -> None:
    """Without sources nothing else can be compared."""

    class Loses(broken.HonestTwin):
        def units(self) -> Iterator[Unit]:
            return (replace(unit, sources=()) for unit in list(super().units())[:-1])

    episode = told(session("s", DATED))
    assert causes(tmp_path / "a", episode, row(Loses, replace(ALL, provenance="none"))) == ["not_visible"]
    assert causes(tmp_path / "b", episode, row(Loses, replace(SOME, provenance="none"))) == []


def test_a_memory_that_rewrites_is_not_held_to_the_names_of_its_units(tmp_path: Path) -> None:
    """What was written stands in other units, which name it."""

    class Rewrites(broken.HonestTwin):
        def units(self) -> Iterator[Unit]:
            sources = tuple(m.message_id for m in self.messages)
            yield Unit(unit_id=UnitId("sum"), text=" ".join(m.text for m in self.messages), sources=sources)

    for traits in (ALL, SOME):
        assert causes(tmp_path / traits.keeps, told(session("s", DATED)), row(Rewrites, traits)) == []


def test_a_message_in_pieces_is_there_if_any_piece_is(tmp_path: Path) -> None:
    traits = replace(ALL, takes=WriteUnit.TOKENS, unit_size=2)
    assert causes(tmp_path, told(session("s", DATED), session("t", DATED)), row(broken.HonestTwin, traits)) == []


def test_nothing_is_asked_after_such_a_fault_and_all_is_made_good_by_a_sound_system(tmp_path: Path) -> None:
    """What was saved of a broken system is thrown away, or the next try would begin with it."""
    hurt, whole = Harness(tmp_path / "hurt"), Harness(tmp_path / "whole")
    episode = told(session("s", DATED), session("t", DATED))
    losing = row(keeping(lambda m: number(m) != 2, Receipt.stored(["x"])))
    sound = row(keeping(lambda m: True, Receipt.stored(["x"])))
    (first,) = hurt.run([hurt.trial(*episode, losing)])
    assert (first.complete, first.faults, hurt.reader.calls) == (False, 1, 0)
    (second,) = hurt.run([hurt.trial(*episode, sound)])
    assert (second.complete, second.faults) == (True, 0)
    whole.run([whole.trial(*episode, sound)])
    assert records(hurt.path) == records(whole.path)


def test_what_was_saved_of_a_broken_system_is_not_where_the_next_try_begins(tmp_path: Path) -> None:
    """States are saved on the way to the first question, and hold what was lost by then."""
    harness = Harness(tmp_path)
    losing = row(keeping(lambda m: "box3 " not in m.text, Receipt.stored(["x"])))
    sound = row(keeping(lambda m: True, Receipt.stored(["x"])))
    ends = [harness.run([harness.trial(*long_ingest("one"), one)])[0] for one in (losing, sound)]
    assert [(one.complete, one.faults) for one in ends] == [(False, 1), (True, 0)]


def test_the_end_of_a_write_that_is_missing_was_cut_off_and_is_not_late(tmp_path: Path) -> None:
    """Each session is one write, which comes whole or not at all."""
    traits = replace(ALL, takes=WriteUnit.SESSION)
    assert causes(tmp_path, told(session("s", DATED)), row(broken.CutsLongWrites, traits)) == ["half_ingested"]


def test_only_what_was_named_since_the_last_question_must_have_come_to_light(tmp_path: Path) -> None:
    """What was there at the last one may go, but then something of what is new must be there."""
    episode = told(session("s", DATED), session("t", DATED))

    class Moves(broken.HonestTwin):
        def write(self, batch: Batch) -> Receipt:
            if batch.messages[0].session_id != "s":
                self.messages = [m for m in self.messages if m.session_id != "s"]
            return super().write(batch)

    assert causes(tmp_path / "late", episode, row(broken.IndexesOnceOnly, SOME)) == ["not_visible"]
    assert causes(tmp_path / "moves", episode, row(Moves, SOME)) == []


# Times and ids


def saying(**changes: Any) -> type[broken.HonestTwin]:
    """A twin whose last unit says something else."""

    class Saying(broken.HonestTwin):
        def units(self) -> Iterator[Unit]:
            *others, last = super().units()
            yield from others
            yield replace(last, **changes)

    return Saying


@pytest.mark.parametrize(
    ("said_at", "late"),
    [
        pytest.param("2024-03-06T10:00", False, id="the last time"),
        pytest.param("2024-03-06T10:00:00.000+00:00", False, id="with an offset"),
        pytest.param("2024-03-07T23:59-12:00", False, id="in another zone"),
        pytest.param("2024-03-08T10:00:01", True, id="days later"),
        pytest.param("2025-03-06", True, id="a year later"),
        pytest.param("9999-12-31T23:59:59-12:00", True, id="the last of all times"),
        pytest.param("0001-01-01", False, id="the first of all times"),
        pytest.param("last Tuesday", False, id="no time"),
        pytest.param("", False, id="empty"),
        pytest.param(None, False, id="none"),
    ],
)
def test_a_time_behind_the_last_one_shown_is_of_a_clock_on_the_wall(
    said_at: str | None, late: bool, tmp_path: Path
) -> None:
    """The last message was said on 6 March at 10; two days are left to zones and to days without an hour."""
    found = causes(tmp_path, told(session("s", DATED)), row(saying(said_at=said_at), SOME))
    assert found == (["wall_clock"] if late else [])


def test_undated_data_proves_nothing_of_a_clock(tmp_path: Path) -> None:
    undated = session("s", [(role, text, None) for role, text, _ in DATED])
    assert causes(tmp_path, told(undated), row(broken.StampsByTheWall)) == []


def test_the_time_of_a_question_is_known_to_whoever_is_asked_it(tmp_path: Path) -> None:
    """A system may stamp by it; the next question's time is not known yet."""
    one = row(saying(said_at="2024-06-01T08:00"))
    assert causes(tmp_path / "a", told(session("s", DATED), asked_at="2024-06-01T08:00"), one) == []
    assert causes(tmp_path / "b", told(session("s", DATED), asked_at="2024-04-01T08:00"), one) == ["wall_clock"]


@pytest.mark.parametrize(
    ("source", "provenance", "faults"),
    [
        ("s-5", "native", []),
        ("nobody", "native", ["wrong_scope"]),
        ("nobody", "mapped", ["wrong_scope"]),
        ("t-0", "native", ["wrong_scope"]),
        ("nobody", "none", []),
    ],
)
def test_a_source_that_was_not_shown_yet_is_anothers(
    source: str, provenance: Any, faults: list[str], tmp_path: Path
) -> None:
    """The messages of session t are shown after the first question."""
    one = row(saying(sources=(MessageId(source),)), replace(SOME, provenance=provenance))
    episode = told(session("s", DATED), session("t", DATED))
    assert causes(tmp_path, episode, one)[:1] == faults


def test_two_trials_of_one_history_that_share_a_store_are_noticed(tmp_path: Path) -> None:
    """All ids are alike; but the second trial holds what it was not shown yet."""
    broken.SharesAStoreWithAll.everything.clear()
    harness = Harness(tmp_path)
    episode = told(session("s", DATED), session("t", DATED))
    trials = [harness.trial(*episode, row(broken.SharesAStoreWithAll, SOME, label=label)) for label in "ab"]
    finished = [harness.run([trial])[0] for trial in trials]
    assert [one.complete for one in finished] == [True, False]
    assert [fault.cause for fault in harness.bodies(trials, "fault")] == ["wrong_scope"]


def test_what_an_agent_says_that_it_found_is_looked_at_too(tmp_path: Path) -> None:
    class Gossip(toy.BufferAgent):
        def answer(self, question: Question, given: Recall | None = None) -> Reply:
            foreign = RecallItem(text="gossip", sources=(MessageId("nobody"),))
            return Reply(text="x", recall=given or Recall(items=(foreign,)))

    harness = Harness(tmp_path)
    trial = harness.trial(*told(session("s", DATED)), agent_row(Gossip, toy.AGENT))
    harness.run([trial])
    assert [fault.cause for fault in harness.bodies([trial], "fault")] == ["wrong_scope"]


def test_what_is_read_back_is_looked_at_too(tmp_path: Path) -> None:
    class Gossip(toy.ToyMemory):
        def stored_from(self, sources: Any) -> Recall:
            return Recall(items=(RecallItem(text="gossip", sources=(MessageId("nobody"),)),))

    harness = Harness(tmp_path)
    trial = harness.trial(*observe_all("one"), memory_row(Gossip, toy.TOY, arms=(Arm.SYSTEM, Arm.READBACK)))
    harness.run([trial])
    faults = harness.bodies([trial], "fault")
    assert {(fault.cause, fault.arm) for fault in faults} == {("wrong_scope", Arm.READBACK)}
    assert len(faults) == 3


# Systems that cannot list


class Raising(broken.HonestTwin):
    """Breaks on long cues."""

    error: Exception = ConnectionError("gone")

    def search(self, cue: Cue) -> Recall:
        if cue.text != "What of the blue gate?":
            raise self.error
        return Recall()


STOPS: tuple[Line, ...] = (("user", "so it is", None), ("user", "to be or not", None))


@pytest.mark.parametrize(
    ("twin", "traits", "lines", "faults"),
    [
        pytest.param(broken.NeverIndexes, UNLISTED, DATED, ["not_visible"], id="finds nothing"),
        pytest.param(broken.NeverIndexes, replace(UNLISTED, keeps="all"), DATED, ["not_visible"], id="and keeps all"),
        pytest.param(broken.HonestTwin, UNLISTED, DATED, [], id="finds"),
        pytest.param(broken.NeverIndexes, UNLISTED, STOPS, [], id="nothing to search for"),
        pytest.param(broken.NeverIndexes, replace(UNLISTED, models_on_search=True), DATED, [], id="a search costs"),
        pytest.param(broken.NeverIndexes, replace(UNLISTED, writes_when_asked=True), DATED, [], id="a search writes"),
        pytest.param(broken.NeverIndexes, replace(UNLISTED, holds_nothing=True), DATED, [], id="the floor"),
        pytest.param(Raising, UNLISTED, DATED, [], id="a search breaks"),
        pytest.param(type("Cannot", (Raising,), {"error": NotAvailableError("no")}), UNLISTED, DATED, [], id="cannot"),
        pytest.param(finding(Recall(rendered="gates")), UNLISTED, DATED, [], id="finds one text"),
        pytest.param(finding(Recall(rendered=" \n")), UNLISTED, DATED, ["not_visible"], id="finds an empty text"),
    ],
)
def test_a_memory_that_cannot_list_is_searched_for_what_it_was_fed(
    twin: type[broken.HonestTwin], traits: Traits, lines: Sequence[Line], faults: list[str], tmp_path: Path
) -> None:
    assert causes(tmp_path, told(session("s", lines)), row(twin, traits)) == faults


def test_a_memory_that_said_that_something_was_not_worth_keeping_is_not_searched_for_it(tmp_path: Path) -> None:
    class Choosy(broken.NeverIndexes):
        def write(self, batch: Batch) -> Receipt:
            return Receipt.nothing()

    assert causes(tmp_path, told(session("s", DATED)), row(Choosy, UNLISTED)) == []


# Saved states


def stopping(kind: type[toy.ToyMemory], after: int) -> type[toy.ToyMemory]:
    """A memory in whose run somebody pulls the plug at a write."""
    writes = count(1)

    class Stopped(kind):  # type: ignore[valid-type, misc]
        def write(self, batch: Batch) -> Receipt:
            if next(writes) == after:
                raise KeyboardInterrupt
            return cast("Receipt", super().write(batch))

    return Stopped


class LoadsNothing(toy.ToyMemory):
    """What was saved is read without an error, and is not there."""

    def load(self, folder: Path) -> None:
        super().load(folder)
        self.messages = []


def lost(harness: Harness, trial: Trial) -> list[str]:
    """The notes on states that were lost."""
    file = harness.folder.trial(trial.trial_id) / "measures.jsonl"
    stages = [json.loads(line).get("stage") for line in file.read_text().splitlines()]
    return [stage for stage in stages if stage == "state_lost"]


@pytest.mark.parametrize(("kind", "losses"), [(toy.ToyMemory, 0), (LoadsNothing, 2)])
def test_a_saved_state_that_comes_back_empty_is_made_again(
    kind: type[toy.ToyMemory], losses: int, tmp_path: Path
) -> None:
    """Killed in the 30th of 40 sessions: the states after the 9th and 18th are there, or are tried and thrown away."""
    hurt, whole = Harness(tmp_path / "hurt"), Harness(tmp_path / "whole")
    traits = toy.PLAIN_SAVES
    with pytest.raises(KeyboardInterrupt):
        hurt.run([hurt.trial(*long_ingest("one"), memory_row(stopping(kind, 60), traits))])
    trial = hurt.trial(*long_ingest("one"), memory_row(kind, traits))
    saved = [body.fingerprint for body in hurt.bodies([trial], "snapshot")]
    assert len(set(saved)) == 2
    assert None not in saved
    (finished,) = hurt.run([trial])
    assert (finished.complete, finished.faults, finished.voided) == (True, 0, 0)
    assert lost(hurt, trial) == ["state_lost"] * losses
    whole.run([whole.trial(*long_ingest("one"), memory_row(toy.ToyMemory, traits))])
    assert records(hurt.path) == records(whole.path)


def test_a_state_saved_by_an_older_version_is_taken_as_it_is(tmp_path: Path) -> None:
    """It has no fingerprint to compare with."""
    harness = Harness(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        harness.run([harness.trial(*long_ingest("one"), memory_row(stopping(toy.ToyMemory, 60), toy.PLAIN_SAVES))])
    trial = harness.trial(*long_ingest("one"), memory_row(toy.ToyMemory, toy.PLAIN_SAVES))
    file = harness.folder.trial(trial.trial_id) / "records.jsonl"
    file.write_text(re.sub(r'"fingerprint":"[^"]*",', "", file.read_text()))
    assert [body.fingerprint for body in harness.bodies([trial], "snapshot")] == [None, None]
    (finished,) = harness.run([trial])
    assert (finished.complete, finished.faults, lost(harness, trial)) == (True, 0, [])


def test_a_settle_that_breaks_after_loading_costs_no_saved_state(tmp_path: Path) -> None:
    """It is tried again: to feed all anew might cost model calls."""
    settled = count()

    class OnceShaky(toy.ToyMemory):
        def settle(self) -> None:
            if next(settled) == 0:
                raise TimeoutError("not yet")

    harness = Harness(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        harness.run([harness.trial(*long_ingest("one"), memory_row(stopping(toy.ToyMemory, 60), toy.PLAIN_SAVES))])
    trial = harness.trial(*long_ingest("one"), memory_row(OnceShaky, toy.PLAIN_SAVES))
    saved = harness.folder.trial(trial.trial_id) / "snapshots"
    assert [(f.complete, f.faults) for f in harness.run([trial])] == [(False, 1)]
    assert len(list(saved.iterdir())) == 2
    assert [(f.complete, f.faults) for f in harness.run([trial])] == [(True, 0)]


def test_what_was_found_sound_before_stays_so(tmp_path: Path) -> None:
    """More is asked of a run that is done; the system, fed again, now loses messages."""
    harness = Harness(tmp_path)
    keep = replace(toy.PLAIN, keeps="all")
    harness.run([harness.trial(*observe_all("one"), memory_row(toy.ToyMemory, keep))])

    class Loses(toy.ToyMemory):
        def write(self, batch: Batch) -> Receipt:
            receipt = super().write(batch)
            self.messages = [m for m in self.messages if "castle" not in m.text]
            return receipt

    arms = (Arm.SYSTEM, Arm.READBACK)
    trial = harness.trial(*observe_all("one"), memory_row(Loses, keep, arms=arms))
    harness.run([trial])
    assert [(f.stage, f.cause) for f in harness.bodies([trial], "fault")] == [("state", "half_ingested")]
    assert harness.answers([trial]) == ["brown", "restored", "busy"]
    sound = harness.trial(*observe_all("one"), memory_row(toy.ToyMemory, keep, arms=arms))
    assert [(f.complete, f.faults) for f in harness.run([sound])] == [(True, 0)]


def test_a_copy_that_comes_back_empty_is_not_asked(tmp_path: Path) -> None:
    """A system that writes when asked is restored for every question."""
    harness = Harness(tmp_path)
    for kind, ends, faults in ((LoadsNothing, (False, 1), ["state_lost"]), (toy.ToyMemory, (True, 0), [])):
        trial = harness.trial(*observe_all("one"), memory_row(kind, toy.WRITES_RESTORED))
        (finished,) = harness.run([trial])
        assert (finished.complete, finished.faults) == ends
        assert [fault.cause for fault in harness.bodies([trial], "fault")] == faults
    assert harness.answers([trial]) == ["brown", "restored", "busy"]


def test_a_copy_that_lists_the_same_in_another_order_is_asked(tmp_path: Path) -> None:
    class Turns(toy.ToyMemory):
        def load(self, folder: Path) -> None:
            super().load(folder)
            self.messages.reverse()

    assert causes(tmp_path, observe_all("one"), memory_row(Turns, toy.WRITES_RESTORED)) == []


def test_an_order_dependent_system_that_is_empty_is_asked_nothing(tmp_path: Path) -> None:
    """Neither here nor at any later question."""
    assert causes(tmp_path, checkpoints("one"), memory_row(toy.ForgetfulListing, toy.WRITES_IN_ORDER)) == [
        "nothing_stored"
    ]


def test_a_kill_after_any_record_finds_the_same_fault(tmp_path: Path) -> None:
    """The second session loses a message: the first question stays answered, the second is never put."""
    loses = keeping(lambda m: m.message_id != "t-2", Receipt.stored())
    whole = Harness(tmp_path / "whole")
    trial = whole.trial(*told(session("s", DATED), session("t", DATED)), row(loses))
    (end,) = whole.run([trial])
    assert (end.complete, end.faults, len(whole.answers([trial]))) == (False, 1, 1)
    lines = (whole.folder.trial(trial.trial_id) / "records.jsonl").read_bytes().splitlines(keepends=True)
    for number in range(len(lines)):
        cut = Harness(tmp_path / str(number))
        file = cut.folder.trial(trial.trial_id) / "records.jsonl"
        file.parent.mkdir(parents=True)
        file.write_bytes(b"".join(lines[:number]))
        (again,) = cut.run([trial])
        assert (again.complete, again.faults) == (False, 1)
        assert records(cut.path) == records(whole.path)
        assert [fault.cause for fault in cut.bodies([trial], "fault")] == ["half_ingested"]


# Built-in memories and odd data


ODD: Mapping[str, tuple[Session, ...]] = {
    "blank": (session("s", [("user", " ", None), ("assistant", "\n", None), ("user", "the gate is blue", None)]),),
    "one role": (session("s", [("assistant", "the gate is blue", None)]), session("t", [("log", "gate!", None)])),
    "twins": (session("s", [("user", "blue gate", None)] * 4), session("t", [("user", "blue gate", None)] * 4)),
    "times": (
        session("s", [("user", "gate", "9999-12-31T23:59:59+14:00"), ("user", "gate", "0001-01-01T00:00-12:00")]),
        session("t", [("user", "gate", "2024-03-01"), ("assistant", "gate", None), ("user", "x", "2020-02-29T10:00Z")]),
    ),
    "hostile": (session("s", [("user", 'AND OR NOT ("', None), ("user", "\x00\u202e", None), ("system", "🦆", None)]),),
    "long": (session("s", [("document", "the blue gate stands open. " * 400, "2024-03-01T10:00")]),),
    "documents": tuple(session(f"s{n}", [("document", f"gate {n}", None)]) for n in range(12)),
}


@pytest.fixture(params=sorted(registry.MEMORIES))
def built_in(request: pytest.FixtureRequest) -> tuple[Traits, Callable[[Room], Memory]]:
    """Each memory of the registry under its default config."""
    kind = registry.memory(request.param)
    embedder = None
    if "embedder" in kind.needs:
        try:
            embedder = Embedder()
        except MissingExtraError as error:
            pytest.skip(str(error))
    config = kind.config()
    return kind.traits(config), lambda room: kind.open(config, replace(room, embedder=embedder))


@pytest.mark.parametrize("odd", ODD)
def test_odd_data_raises_no_alarm_in_a_built_in_memory(
    built_in: tuple[Traits, Callable[[Room], Memory]], odd: str, tmp_path: Path
) -> None:
    traits, opened = built_in
    one = replace(memory_row(toy.ToyMemory, traits), open_memory=opened)
    assert causes(tmp_path, told(*ODD[odd]), one) == []


def test_a_built_in_memory_keeps_what_its_traits_say(
    built_in: tuple[Traits, Callable[[Room], Memory]], tmp_path: Path
) -> None:
    """And what was loaded lists what was saved."""
    traits, opened = built_in
    memories = []
    for name in ("first", "again"):
        (tmp_path / name).mkdir()
        memories.append(opened(Room(folder=tmp_path / name, namespace=name, seed=0)))
    first, again = memories
    shown = session("s", [("user", f"gate {n} " * 300, None) for n in range(9)])
    for fed in feed(shown, traits):
        first.write(fed.batch)
    first.settle()
    (tmp_path / "saved").mkdir()
    cast("Snapshot", first).save(tmp_path / "saved")
    cast("Snapshot", again).load(tmp_path / "saved")
    again.settle()
    held, loaded = (StoredState(units=list(cast("Listing", memory).units())) for memory in memories)
    for memory in memories:
        memory.close()
    assert held.content == loaded.content
    sources = {source for unit in held.units for source in unit.sources}
    assert (sources == {m.message_id for m in shown.messages}) is (traits.keeps == "all")


def test_a_window_that_lets_go_of_old_messages_raises_no_alarm(tmp_path: Path) -> None:
    kind = registry.memory("window")
    config = kind.config(tokens=20)
    one = replace(memory_row(toy.ToyMemory, kind.traits(config)), open_memory=lambda room: kind.open(config, room))
    assert causes(tmp_path, checkpoints("one"), one) == []
    assert Capability.LISTING in kind.traits(config).can
