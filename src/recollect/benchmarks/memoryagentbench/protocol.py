"""What a system is shown, and when: the whole context in chunks, then all questions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from string import Template

from recollect.benchmarks.memoryagentbench.prompts import prompt
from recollect.benchmarks.memoryagentbench.sources import Family, family_named
from recollect.contracts.benchmark import StepSettings
from recollect.domain.errors import ConfigError, UnknownNameError
from recollect.domain.histories import Asking, History
from recollect.domain.ids import MessageId, SessionId
from recollect.domain.messages import Message, Session
from recollect.domain.steps import Ask, Observe, Step
from recollect.records.digests import opaque
from recollect.text.chunking import Chunk, chunk_sentences, chunk_units, unit_spans

CHUNKERS = ("boundary", "none", "paper")
WRAPPER = "wrapper"
"""Setting: the version of the memorise prompt that is put around each chunk; absent for none."""


def steps(history: History, settings: StepSettings, talk: Sequence[Message] | None = None) -> Iterator[Step]:
    """First all that there is to remember, in order, then the questions; nothing leaks back.

    Args:
        history: One row.
        settings: `none` shows the messages as they are, in one session. `boundary` packs whole messages up to
            `chunk_tokens`, `paper` sentences of the whole context as the paper does, where a message may part; each
            chunk is a session of one message.
        talk: Of no use here: there is no dialogue to replace.

    Raises:
        UnknownNameError: There is no such chunker.
        ConfigError: An extra setting is none of ours.
    """
    _check(settings)
    questions = {question.question_id: question for question in history.questions}
    for event in history.timeline:
        if isinstance(event, Session):
            yield from _shown(event, family_named(history.questions[0].prompt), settings)
        elif isinstance(event, Asking):
            yield Ask(checkpoint=event.checkpoint, questions=tuple(questions[name] for name in event.question_ids))


def _check(settings: StepSettings) -> None:
    if settings.chunker not in CHUNKERS:
        raise UnknownNameError("chunker", settings.chunker, CHUNKERS)
    problems = [f"`{name}` is not known, only `{WRAPPER}`" for name in settings.extra if name != WRAPPER]
    if settings.chunk_tokens < 1:
        problems.append(f"`chunk_tokens` starts at 1, got {settings.chunk_tokens}")
    if problems:
        raise ConfigError("steps of memoryagentbench", problems)


def _shown(session: Session, family: Family, settings: StepSettings) -> Iterator[Observe]:
    if settings.chunker == "none":
        yield Observe(session=session)
        return
    wrapper = settings.extra.get(WRAPPER)
    frame = Template(prompt(f"memorise_{family.name}", wrapper).text if wrapper else "$chunk")
    names = [message.message_id for message in session.messages]
    for number, chunk in enumerate(_chunks(session, family, settings)):
        shown = _message(session, number, frame.substitute(chunk=chunk.text))
        covers = {shown.message_id: tuple(names[unit] for unit in chunk.units)}
        yield Observe(session=Session(session_id=shown.session_id, messages=(shown,)), covers=covers)


def _chunks(session: Session, family: Family, settings: StepSettings) -> Iterator[Chunk]:
    """Chunks with text in them; the empty first one that the paper's way may give holds nothing to remember."""
    units = [message.text for message in session.messages]
    if settings.chunker == "boundary":
        found = chunk_units(units, settings.chunk_tokens, separator=family.joint)
    else:
        spans = unit_spans(units, family.joint)
        found = chunk_sentences(family.joint.join(units), settings.chunk_tokens, units=spans)
    return (chunk for chunk in found if chunk.text.strip())


def _message(session: Session, number: int, text: str) -> Message:
    return Message(
        message_id=MessageId(opaque("c", session.session_id, number)),
        session_id=SessionId(opaque("s", session.session_id, number)),
        text=text,
        role="document",
    )
