"""A dialogue stops at each turn of the user, and goes as the engine's goes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from recollect.domain.exchange import Reply
from recollect.domain.histories import Script
from recollect.domain.messages import Message
from recollect.environment.stories import Dialogue

from tests.fakes.toy_protocols import message
from tests.fakes.toy_systems import ScriptedUser

SCRIPT = Script(
    session_id="s",
    opening=message("river is blue", 0, "s"),
    rounds=3,
    variables={"line 1": "castle is old", "line 2": "garden is green"},
)


@dataclass
class Counted:
    """Counts what it is asked."""

    asked: list[int] = field(default_factory=list)

    @property
    def fingerprint(self) -> str:
        return "counted"

    def next(self, script: Script, talk: Sequence[Message]) -> str:
        self.asked.append(len(talk))
        return ScriptedUser().next(script, talk)


def held(dialogue: Dialogue) -> list[str]:
    said = []
    while dialogue.waiting:
        said.append(dialogue.waiting[0].text)
        dialogue.reply(Reply(text=f"reply {len(said)}"))
    return said


def said_in(dialogue: Dialogue) -> list[str]:
    return [one.text for one in dialogue.talk]


def test_the_user_says_its_turns_in_order_and_then_nobody_waits() -> None:
    dialogue = Dialogue(SCRIPT, ScriptedUser())
    assert said_in(dialogue) == []
    assert held(dialogue) == ["river is blue", "castle is old", "garden is green"]
    assert said_in(dialogue)[1::2] == ["reply 1", "reply 2", "reply 3"]


def test_the_user_is_asked_once_for_each_turn() -> None:
    """The dialogue begins anew with each reply; a user that costs something must not pay for that."""
    user = Counted()
    held(Dialogue(SCRIPT, user))
    assert user.asked == [2, 4]


def test_a_reply_is_known_by_the_id_that_was_told_before_it() -> None:
    dialogue = Dialogue(SCRIPT, ScriptedUser())
    assert dialogue.waiting is not None
    told = dialogue.waiting[1]
    held(dialogue)
    assert dialogue.talk[1].message_id == told
