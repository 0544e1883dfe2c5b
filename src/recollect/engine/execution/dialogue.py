"""Holds a scripted dialogue between the simulated user and the agent."""

from __future__ import annotations

from collections.abc import Sequence

from recollect.contracts.agent import User
from recollect.domain.errors import UsageError
from recollect.domain.histories import Script
from recollect.domain.ids import MessageId
from recollect.domain.messages import Message
from recollect.engine.systems.driver import Driver
from recollect.engine.systems.validation import validate_reply, validate_text
from recollect.records.digests import opaque


def converse(driver: Driver, script: Script, user: User | None, recorded: Sequence[Message]) -> tuple[Message, ...]:
    """What was said. On a replay the user's turns come from the record, so that they are not asked for again."""
    agent = driver.the_agent
    talk: list[Message] = []
    for turn in range(script.rounds):
        said = _user_turn(script, user, talk, recorded, turn)
        talk.append(said)
        reply_id = MessageId(opaque("m", script.session_id, turn, "reply"))
        reply = agent.reply(said, reply_id)
        talk.append(_message(script, reply_id, validate_reply(reply).text, said=said))
    return tuple(talk)


def _user_turn(
    script: Script, user: User | None, talk: Sequence[Message], recorded: Sequence[Message], turn: int
) -> Message:
    if turn == 0:
        return script.opening
    if recorded:
        return recorded[2 * turn]
    if user is None:
        raise UsageError("this benchmark converses, and the run has no simulated user. Name one with `--user`.")
    text = validate_text(user.next(script, tuple(talk)), "what the simulated user said")
    return Message(
        message_id=MessageId(opaque("m", script.session_id, turn, "user")),
        session_id=script.opening.session_id,
        text=text,
        speaker=script.opening.speaker,
        role="user",
        said_at=script.opening.said_at,
        channel=script.opening.channel,
    )


def _message(script: Script, name: MessageId, text: str, *, said: Message) -> Message:
    return Message(
        message_id=name,
        session_id=script.opening.session_id,
        text=text,
        speaker="assistant",
        role="assistant",
        said_at=said.said_at,
        channel=said.channel,
    )
