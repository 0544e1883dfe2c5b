"""What a system sees, and when: the whole context in chunks, then all questions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, takewhile
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
from recollect.domain.steps import Ask, Observe, Step
from recollect.records.digests import opaque
from recollect.text.chunking import chunk_sentences, chunk_units, unit_spans
from recollect.text.tokens import count

CHUNKERS = ("boundary", "none", "paper")


def steps(history: History, settings: StepSettings, talk: Sequence[Message] | None = None) -> Iterator[Step]:
    """First all that there is to remember, in order, then the questions; nothing leaks back.

    Args:
        history: One row.
        settings: `none` shows the messages as they are, in one session. `boundary` packs whole messages up to
            `chunk_tokens`, `paper` sentences of the whole context as the paper does, where a message may be split; each
            chunk is a session of one message. With `context_tokens` only the last messages that fit into it are shown;
            all questions are asked all the same.
        talk: Unused: there is no dialogue to replace.

    Raises:
        UnknownNameError: There is no such chunker.
        ConfigError: An extra setting is unknown, or leaves no message.
    """
    _check(settings)
    limit = settings.extra.get(OUTPUT)
    limited = (q if limit is None else replace(q, output_tokens=int(limit)) for q in history.questions)
    questions = {question.question_id: question for question in limited}
    family = family_named(history.questions[0].prompt)
    sessions = [event for event in history.timeline if isinstance(event, Session)]
    if CONTEXT in settings.extra:
        sessions = last_of(sessions, int(settings.extra[CONTEXT]), family.joint)
    if settings.chunker == "none":
        yield from (Observe(session=session) for session in sessions)
    elif settings.chunker == "boundary":
        for session in sessions:
            yield from _in_chunks(session.messages, family, settings)
    else:  # the paper's chunker ignores sessions
        yield from _in_chunks([message for session in sessions for message in session.messages], family, settings)
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


def _in_chunks(messages: Sequence[Message], family: Family, settings: StepSettings) -> Iterator[Observe]:
    wrapper = settings.extra.get(WRAPPER)
    frame = Template("$chunk" if wrapper is None else prompt(f"memorise_{family.name}", wrapper).text)
    if "time" in frame.get_identifiers() and not settings.extra.get(CLOCK):
        raise ConfigError("steps of memoryagentbench", [f"`{WRAPPER}` {wrapper} says a time; set `{CLOCK}`"])
    units = [message.text for message in messages]
    if settings.chunker == "boundary":
        chunks = chunk_units(units, settings.chunk_tokens, separator=family.joint)
    elif family.whole is not None:
        text, spans = family.whole(messages)
        chunks = chunk_sentences(text, settings.chunk_tokens, units=spans)
    else:
        spans = unit_spans(units, family.joint)
        chunks = chunk_sentences(family.joint.join(units), settings.chunk_tokens, units=spans)
    filled = (chunk for chunk in chunks if chunk.text.strip())  # the paper's chunker may give an empty first one
    for number, chunk in enumerate(filled):
        session_id = SessionId(opaque("s", messages[0].session_id, number))
        shown = Message(
            message_id=MessageId(opaque("c", messages[0].session_id, number)),
            session_id=session_id,
            text=frame.substitute(chunk=chunk.text, time=settings.extra.get(CLOCK, "")),
            role="document",
            said_at=messages[chunk.units[0]].said_at if settings.chunker == "boundary" else None,
        )
        covers = {shown.message_id: tuple(messages[unit].message_id for unit in chunk.units)}
        yield Observe(session=Session(session_id=session_id, messages=(shown,)), covers=covers)


def last_of(sessions: Sequence[Session], limit: int, joint: str) -> list[Session]:
    """The whole messages at the end that fit into *limit* tokens, with *joint* between two; empty sessions are dropped.

    Raises:
        ConfigError: The last message alone is longer.

    Source:
        The long-context agents of MemoryAgentBench's authors: past `input_length_limit` a context is cut from the
        left. A message is never split here.
    """
    messages = [message for session in sessions for message in session.messages]
    used = accumulate(count(joint) + count(message.text) for message in reversed(messages))
    room = limit + count(joint)
    fitting = takewhile(lambda pair: pair[1] <= room, zip(reversed(messages), used, strict=False))
    kept = {message.message_id for message, _ in fitting}
    if not kept:
        problem = f"`{CONTEXT}` is {limit}, and the last message alone has {count(messages[-1].text)} tokens"
        raise ConfigError("steps of memoryagentbench", [problem])
    left = ((one, tuple(message for message in one.messages if message.message_id in kept)) for one in sessions)
    return [replace(session, messages=messages) for session, messages in left if messages]
