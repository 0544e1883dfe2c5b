"""Scripts and dialogues for the tests of simulated users."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from recollect.benchmarks.amemgym.generate import generate
from recollect.contracts.agent import User
from recollect.domain.histories import History, Script
from recollect.domain.ids import MessageId, SessionId
from recollect.domain.messages import Message

SCHEMA = {
    "diet": ["meat_eater", "strictly_vegan", "vegan"],
    "running_level": ["couch_potato", "regular", "marathon_runner"],
    "noise": ["very_quiet", "loud", "strictly_vegan"],
}
STATE = {"diet": "strictly_vegan", "running_level": "regular", "noise": "loud"}
OPENING = "The butcher has not seen me for years. What goes well with lentils?"


def script(
    *,
    schema: Mapping[str, Sequence[str]] = SCHEMA,
    state: Mapping[str, str] = STATE,
    exposed: Mapping[str, str] | None = None,
    session: str = "s1",
    lang: str = "en",
    rounds: int = 3,
) -> Script:
    """A dialogue of somebody whom no catalogue knows; the opening shows the diet."""
    shown = {"diet": STATE["diet"]} if exposed is None else exposed
    return Script(
        session_id=session,
        opening=_message(session, 0, OPENING, "user"),
        rounds=rounds,
        variables={
            "profile": "name: Ada Quill\nage: 41",
            "date": "2021-01-01",
            "schema": json.dumps(schema),
            "state": json.dumps(state),
            "exposed": json.dumps(shown),
            "event": "",
            "lang": lang,
        },
    )


def hold(user: User, one: Script, replies: Sequence[str]) -> list[Message]:
    """The dialogue in which the assistant says *replies*, up to the user's turn after the last one."""
    talk = [one.opening]
    for reply in replies:
        talk.append(_message(one.session_id, len(talk), reply, "assistant"))
        talk.append(_message(one.session_id, len(talk), user.next(one, tuple(talk)), "user"))
    return talk


def turns(talk: Sequence[Message]) -> list[str]:
    """What the user said after the opening."""
    return [message.text for message in talk if message.role == "user"][1:]


@cache
def generated() -> tuple[History, ...]:
    """Some users of ours."""
    return tuple(keyed.history for keyed in generate("small", 5).histories)


def scripts(history: History) -> Iterator[Script]:
    """The dialogues of a user."""
    return (event for event in history.timeline if isinstance(event, Script))


def _message(session: str, place: int, text: str, role: str) -> Message:
    return Message(
        message_id=MessageId(f"{session}-{place}"),
        session_id=SessionId(session),
        text=text,
        role="user" if role == "user" else "assistant",
    )
