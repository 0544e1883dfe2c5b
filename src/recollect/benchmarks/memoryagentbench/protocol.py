"""What a system is shown, and when: the whole context in chunks, then all questions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from string import Template

from recollect.benchmarks.memoryagentbench.card import CLOCK, OUTPUT, WRAPPER
from recollect.benchmarks.memoryagentbench.families import family_named
from recollect.benchmarks.memoryagentbench.families.family import Family
from recollect.benchmarks.memoryagentbench.prompts import prompt
from recollect.contracts.benchmark import CONTEXT, StepSettings
from recollect.domain.errors import ConfigError, UnknownNameError
from recollect.domain.histories import Asking, History
from recollect.domain.ids import MessageId, SessionId
from recollect.domain.messages import Message, Session
from recollect.domain.questions import Question
from recollect.domain.steps import Ask, Observe, Step
from recollect.records.digests import opaque
from recollect.text.chunking import Chunk, chunk_sentences, chunk_units, unit_spans
from recollect.text.tokens import count

CHUNKERS = ("boundary", "none", "paper")


def steps(history: History, settings: StepSettings, talk: Sequence[Message] | None = None) -> Iterator[Step]:
    """First all that there is to remember, in order, then the questions; nothing leaks back.

    Args:
        history: One row.
        settings: `none` shows the messages as they are, in one session. `boundary` packs whole messages up to
            `chunk_tokens`, `paper` sentences of the whole context as the paper does, where a message may part; each
            chunk is a session of one message. With `context_tokens` only the last messages are shown, as many as so
            many tokens hold; all is asked all the same.
        talk: Of no use here: there is no dialogue to replace.

    Raises:
        UnknownNameError: There is no such chunker.
        ConfigError: An extra setting is none of ours, or leaves no message.
    """
    _check(settings)
    questions = {question.question_id: _limited(question, settings) for question in history.questions}
    family = family_named(history.questions[0].prompt)
    sessions = [event for event in history.timeline if isinstance(event, Session)]
    if CONTEXT in settings.extra:
        sessions = last_of(sessions, int(settings.extra[CONTEXT]), family.joint)
    yield from _shown(sessions, family, settings)
    for event in history.timeline:
        if isinstance(event, Asking):
            yield Ask(checkpoint=event.checkpoint, questions=tuple(questions[name] for name in event.question_ids))


def _check(settings: StepSettings) -> None:
    if settings.chunker not in CHUNKERS:
        raise UnknownNameError("chunker", settings.chunker, CHUNKERS)
    known = (WRAPPER, CLOCK, OUTPUT, CONTEXT)
    problems = [f"`{name}` is not known, only {', '.join(known)}" for name in settings.extra if name not in known]
    for name in (OUTPUT, CONTEXT):
        if not settings.extra.get(name, "1").isdecimal():
            problems.append(f"`{name}` is a number of tokens, got {settings.extra[name]!r}")
    if settings.chunk_tokens < 1:
        problems.append(f"`chunk_tokens` starts at 1, got {settings.chunk_tokens}")
    if problems:
        raise ConfigError("steps of memoryagentbench", problems)


def _limited(question: Question, settings: StepSettings) -> Question:
    limit = settings.extra.get(OUTPUT)
    return question if limit is None else replace(question, output_tokens=int(limit))


def _shown(sessions: Sequence[Session], family: Family, settings: StepSettings) -> Iterator[Observe]:
    """Sessions as they are, or in chunks; the paper's chunker knows no border, ours crosses none."""
    if settings.chunker == "none":
        yield from (Observe(session=session) for session in sessions)
    elif settings.chunker == "boundary":
        for session in sessions:
            yield from _in_chunks(session.messages, family, settings)
    else:
        yield from _in_chunks([said for session in sessions for said in session.messages], family, settings)


def _in_chunks(messages: Sequence[Message], family: Family, settings: StepSettings) -> Iterator[Observe]:
    frame = _frame(family, settings)
    names = [message.message_id for message in messages]
    for number, chunk in enumerate(_chunks(messages, family, settings)):
        said_at = messages[chunk.units[0]].said_at if settings.chunker == "boundary" else None
        text = frame.substitute(chunk=chunk.text, time=settings.extra.get(CLOCK, ""))
        shown = replace(_message(messages[0], number, text), said_at=said_at)
        covers = {shown.message_id: tuple(names[unit] for unit in chunk.units)}
        yield Observe(session=Session(session_id=shown.session_id, messages=(shown,)), covers=covers)


def _frame(family: Family, settings: StepSettings) -> Template:
    """What stands around each chunk."""
    wrapper = settings.extra.get(WRAPPER)
    if wrapper is None:
        return Template("$chunk")
    frame = Template(prompt(f"memorise_{family.name}", wrapper).text)
    if "time" in frame.get_identifiers() and not settings.extra.get(CLOCK):
        raise ConfigError("steps of memoryagentbench", [f"`{WRAPPER}` {wrapper} says a time; set `{CLOCK}`"])
    return frame


def _chunks(messages: Sequence[Message], family: Family, settings: StepSettings) -> Iterator[Chunk]:
    """Chunks with text in them; the empty first one that the paper's way may give holds nothing to remember."""
    units = [message.text for message in messages]
    if settings.chunker == "boundary":
        found = chunk_units(units, settings.chunk_tokens, separator=family.joint)
    elif family.whole is not None:
        text, spans = family.whole(messages)
        found = chunk_sentences(text, settings.chunk_tokens, units=spans)
    else:
        spans = unit_spans(units, family.joint)
        found = chunk_sentences(family.joint.join(units), settings.chunk_tokens, units=spans)
    return (chunk for chunk in found if chunk.text.strip())


def _message(first: Message, number: int, text: str) -> Message:
    return Message(
        message_id=MessageId(opaque("c", first.session_id, number)),
        session_id=SessionId(opaque("s", first.session_id, number)),
        text=text,
        role="document",
    )


def last_of(sessions: Sequence[Session], limit: int, joint: str) -> list[Session]:
    """The whole messages at the end that *limit* tokens hold; sessions that lose all of theirs are not there.

    Args:
        sessions: All of a history.
        limit: Tokens of the bundled tokenizer, those of *joint* between two messages counted.
        joint: Stands between two messages.

    Raises:
        ConfigError: The last message alone is longer.

    Source:
        The long-context agents of MemoryAgentBench's authors: past `input_length_limit` a context is cut from the
        left. A message never parts here.
    """
    kept = {message.message_id for message in _fitting(sessions, limit, joint)}
    if not kept:
        longest = count(sessions[-1].messages[-1].text)
        raise ConfigError(
            "steps of memoryagentbench", [f"`{CONTEXT}` is {limit}, and the last message alone has {longest} tokens"]
        )
    left = ((one, tuple(said for said in one.messages if said.message_id in kept)) for one in sessions)
    return [replace(session, messages=messages) for session, messages in left if messages]


def _fitting(sessions: Sequence[Session], limit: int, joint: str) -> Iterator[Message]:
    """From the last one backwards."""
    between, room = count(joint), limit + count(joint)
    for session in reversed(sessions):
        for message in reversed(session.messages):
            room -= between + count(message.text)
            if room < 0:
                return
            yield message
