"""Five toy protocols, two episodes each: the shapes that the five benchmarks have, small enough to follow by hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from recollect.contracts.benchmark import StepSettings
from recollect.domain.histories import Asking, Event, History, Keyed, Script
from recollect.domain.ids import CheckpointId, HistoryId, MessageId, QuestionId, SessionId
from recollect.domain.messages import Message, Session
from recollect.domain.questions import AnswerFormat, Key, Question
from recollect.domain.steps import Ask, Converse, Covers, Evolve, Feedback, Observe, Step
from recollect.records.digests import opaque

FACTS = (
    ("river", "blue"), ("castle", "old"), ("garden", "green"), ("river", "brown"),
    ("market", "loud"), ("bridge", "narrow"), ("castle", "restored"), ("harbour", "busy"),
)  # fmt: skip


def message(text: str, number: int, session: str, *, said_at: str | None = None) -> Message:
    """A user message."""
    return Message(
        message_id=MessageId(opaque("m", session, number)),
        session_id=SessionId(session),
        text=text,
        speaker="Ann",
        said_at=said_at,
    )


def question(thing: str, checkpoint: str, episode: str, **more: object) -> Question:
    """`What is <thing>?`"""
    name = QuestionId(opaque("q", episode, checkpoint, thing))
    return Question(question_id=name, text=f"What is {thing}?", **more)  # type: ignore[arg-type]


def _sessions(episode: str, size: int = 2) -> list[Session]:
    sessions = []
    for start in range(0, len(FACTS), size):
        name = f"{episode}-{start // size}"
        facts = FACTS[start : start + size]
        lines = [message(f"{thing} is {value}", start + i, name) for i, (thing, value) in enumerate(facts)]
        sessions.append(Session(session_id=SessionId(name), messages=tuple(lines)))
    return sessions


def _key(asked: Question, sessions: Sequence[Session], thing: str) -> Key:
    """Gold is the last value said; the stale one is rejected; the evidence is the last saying."""
    said = [m for s in sessions for m in s.messages if m.text.startswith(f"{thing} is ")]
    values = [m.text.rsplit(" ", 1)[1] for m in said]
    return Key(
        question_id=asked.question_id,
        gold=(values[-1],),
        rejected=tuple(values[:-1]),
        evidence=(said[-1].message_id,),
        labels={"task": "toy", "changed": str(len(values) > 1)},
        original_id=f"gold-is-{values[-1]}",
    )


def _keyed(episode: str, timeline: Sequence[Event], questions: Sequence[Question], keys: Sequence[Key]) -> Keyed:
    history = History(history_id=HistoryId(opaque("h", episode)), timeline=tuple(timeline), questions=tuple(questions))
    return Keyed(history=history, keys={k.question_id: k for k in keys}, task="toy", original_id=episode)


def observe_all(episode: str) -> tuple[Keyed, list[Step]]:
    """Everything is shown, then everything is asked."""
    sessions = _sessions(episode)
    things = ["river", "castle", "harbour"]
    questions = [question(thing, "end", episode) for thing in things]
    keys = [_key(q, sessions, thing) for q, thing in zip(questions, things, strict=True)]
    end = Asking(checkpoint=CheckpointId("end"), question_ids=tuple(q.question_id for q in questions))
    steps: list[Step] = [
        *(Observe(session=s) for s in sessions),
        Ask(checkpoint=end.checkpoint, questions=tuple(questions)),
    ]
    return _keyed(episode, [*sessions, end], questions, keys), steps


def converse(episode: str) -> tuple[Keyed, list[Step]]:
    """Three dialogues of four messages each; after each a question. An 8-message buffer crosses their borders."""
    timeline: list[Event] = []
    steps: list[Step] = []
    questions, keys = [], []
    for number in range(3):
        facts = FACTS[2 * number : 2 * number + 2]
        opening = message(f"{facts[0][0]} is {facts[0][1]}", 0, f"{episode}-{number}")
        script = Script(
            session_id=f"{episode}-{number}",
            opening=opening,
            rounds=2,
            variables={"line 1": f"{facts[1][0]} is {facts[1][1]}"},
        )
        asked = question(facts[0][0], str(number), episode)
        checkpoint = CheckpointId(f"after {number}")
        timeline += [script, Asking(checkpoint=checkpoint, question_ids=(asked.question_id,))]
        steps += [Converse(script=script), Ask(checkpoint=checkpoint, questions=(asked,))]
        questions.append(asked)
        keys.append(Key(question_id=asked.question_id, gold=(facts[0][1],), evidence=(opening.message_id,)))
    return _keyed(episode, timeline, questions, keys), steps


def checkpoints(episode: str) -> tuple[Keyed, list[Step]]:
    """Five checkpoints in a stream: the same question, whose answer changes."""
    colours = ["red", "green", "blue", "white", "black"]
    timeline: list[Event] = []
    steps: list[Step] = []
    questions, keys = [], []
    for number, colour in enumerate(colours):
        name = f"{episode}-{number}"
        lines = tuple(message(f"door is {colour}" if i == 1 else f"noise {number} {i}", i, name) for i in range(3))
        session = Session(session_id=SessionId(name), messages=lines)
        asked = question("door", str(number), episode)
        checkpoint = CheckpointId(f"month {3 * number + 3}")
        timeline += [session, Asking(checkpoint=checkpoint, question_ids=(asked.question_id,))]
        steps += [Observe(session=session), Ask(checkpoint=checkpoint, questions=(asked,))]
        questions.append(asked)
        keys.append(
            Key(
                question_id=asked.question_id,
                gold=(colour,),
                rejected=tuple(colours[:number]),
                evidence=(lines[1].message_id,),
                labels={"thread": "door", "period": str(number)},
            )
        )
    return _keyed(episode, timeline, questions, keys), steps


def merged_units(episode: str) -> tuple[Keyed, list[Step]]:
    """Like observe_all: for a memory that joins two messages into one unit."""
    return observe_all(f"merged-{episode}")


def json_template(episode: str) -> tuple[Keyed, list[Step]]:
    """One question whose answer is a template with graded fields."""
    sessions = _sessions(episode)
    asked = question(
        "the town like", "end", episode,
        answer_format=AnswerFormat.JSON, template={"water": "river", "fort": "castle", "sea": "harbour"},
    )  # fmt: skip
    said = {text.split(" ")[0]: m for s in sessions for m in s.messages for text in [m.text]}
    key = Key(
        question_id=asked.question_id,
        field_gold={"water": ("brown",), "fort": ("restored",), "sea": ("busy",)},
        field_evidence={"water": (said["river"].message_id,), "fort": (said["castle"].message_id,)},
        evidence=tuple(said[thing].message_id for thing in ("river", "castle", "harbour")),
    )
    end = Asking(checkpoint=CheckpointId("end"), question_ids=(asked.question_id,))
    steps: list[Step] = [*(Observe(session=s) for s in sessions), Ask(checkpoint=end.checkpoint, questions=(asked,))]
    return _keyed(episode, [*sessions, end], [asked], [key]), steps


def chunked(episode: str) -> tuple[Keyed, list[Step]]:
    """What is shown are chunks of three facts; a chunk covers the history's messages in it."""
    keyed, _ = observe_all(episode)
    facts = list(keyed.history.messages())
    steps: list[Step] = []
    for start in range(0, len(facts), 3):
        part = facts[start : start + 3]
        chunk = message(". ".join(m.text for m in part), start, f"{episode}-chunk-{start}")
        covers: Covers = {chunk.message_id: tuple(m.message_id for m in part)}
        steps.append(Observe(session=Session(session_id=chunk.session_id, messages=(chunk,)), covers=covers))
    steps.append(Ask(checkpoint=CheckpointId("end"), questions=keyed.history.questions))
    return keyed, steps


def evolving(episode: str) -> tuple[Keyed, list[Step]]:
    """Converse, ask, evolve; then converse and ask again."""
    keyed, steps = converse(episode)
    evolve = Evolve(checkpoint=CheckpointId("after 0"), feedback=Feedback(kind="answers"))
    return keyed, [*steps[:2], evolve, *steps[2:]]


def long_ingest(episode: str) -> tuple[Keyed, list[Step]]:
    """Forty sessions before the only Ask: saved states fall inside ingest."""
    sessions = [
        Session(
            session_id=SessionId(f"{episode}-{n}"),
            messages=tuple(message(f"box{n} is value{n + i}", i, f"{episode}-{n}") for i in range(2)),
        )
        for n in range(40)
    ]
    things = [f"box{n}" for n in range(0, 40, 5)]
    questions = [question(thing, "end", episode) for thing in things]
    keys = [_key(q, sessions, thing) for q, thing in zip(questions, things, strict=True)]
    end = Asking(checkpoint=CheckpointId("end"), question_ids=tuple(q.question_id for q in questions))
    ask = Ask(checkpoint=end.checkpoint, questions=tuple(questions))
    return _keyed(episode, [*sessions, end], questions, keys), [*(Observe(session=s) for s in sessions), ask]


PROTOCOLS = {
    "long_ingest": long_ingest,
    "observe_all": observe_all,
    "converse": converse,
    "checkpoints": checkpoints,
    "merged_units": merged_units,
    "json_template": json_template,
    "chunked": chunked,
    "evolving": evolving,
}
EPISODES = ("one", "two")


def step_maker(steps: Sequence[Step]) -> object:
    """A protocol that gives fixed steps."""

    def make(history: History, settings: StepSettings, talk: Sequence[Message] | None = None) -> Iterator[Step]:
        return iter(steps)

    return make
