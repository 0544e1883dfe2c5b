"""Runs a scripted dialogue between the simulated user and the agent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from recollect.contracts.agent import User
from recollect.domain.errors import UsageError
from recollect.domain.histories import Script
from recollect.domain.ids import MessageId
from recollect.domain.messages import Message
from recollect.engine.systems.driver import Driver
from recollect.engine.systems.validation import validate_reply, validate_text
from recollect.records.digests import opaque


def converse(driver: Driver, script: Script, user: User | None, recorded: Sequence[Message]) -> tuple[Message, ...]:
    """The dialogue. On a replay the user's turns come from the record, so that its model is not called again."""
    agent, opening = driver.the_agent, script.opening
    dialogue: list[Message] = []
    for turn in range(script.rounds):
        message = opening if turn == 0 else _user_message(script, user, dialogue, recorded, turn)
        reply_id = MessageId(opaque("m", script.session_id, turn, "reply"))
        text = validate_reply(agent.reply(message, reply_id)).text
        reply = replace(opening, message_id=reply_id, text=text, speaker="assistant", role="assistant")
        dialogue += [message, replace(reply, said_at=message.said_at, channel=message.channel)]
    return tuple(dialogue)


def _user_message(
    script: Script, user: User | None, dialogue: Sequence[Message], recorded: Sequence[Message], turn: int
) -> Message:
    if recorded:
        return recorded[2 * turn]
    if user is None:
        raise UsageError("this benchmark converses, and the run has no simulated user. Name one with `--user`.")
    text = validate_text(user.next(script, tuple(dialogue)), "what the simulated user said")
    message_id = MessageId(opaque("m", script.session_id, turn, "user"))
    return replace(script.opening, message_id=message_id, text=text, role="user")
