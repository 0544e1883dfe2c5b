"""Less of what there is to remember: the front is cut away, as the paper does where a context is too long."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from recollect.contracts.benchmark import CONTEXT
from recollect.domain.errors import ConfigError
from recollect.domain.messages import Message, Session
from recollect.text.tokens import count


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
