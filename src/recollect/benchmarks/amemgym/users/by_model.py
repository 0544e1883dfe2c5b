"""A chat model plays the user; a turn that tells a value is asked for again, and never goes out."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import Template
from typing import Literal, NamedTuple

from recollect.benchmarks.amemgym.users.integrity import checker_of, told
from recollect.benchmarks.amemgym.users.prompts import prompt
from recollect.benchmarks.amemgym.users.turns import digest_of_turns
from recollect.contracts.models import ChatModel, Turn
from recollect.domain.errors import MalformedError
from recollect.domain.histories import Script
from recollect.domain.messages import Message
from recollect.records.digests import opaque

VERSION = 1
AGAIN = 3
"""A turn is asked for again at most so often."""
SHOWN = 2
"""Messages of the talk that the model sees, as in the authors' code."""
MAX_TOKENS = 512
CAUSE, EMPTY = "user_integrity", "empty_choice"
"""Of the faults."""
_PROMPTS = {"state": ("state", "talk"), "profile": ("profile",)}
"""What the model knows -> the prompts of its turns; the last one is the user's, one before it the system's."""
_name = re.compile(r"(?:user|the user|person|用户)\s*[:：]\s*", re.IGNORECASE)
_QUOTES = {'"': '"', "“": "”", "「": "」"}


class _Weighed(NamedTuple):
    """What the checker thinks of a turn."""

    problem: str
    """Empty where nothing is wrong."""
    cause: str
    """Empty where the turn may go out if nothing better comes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelUser:
    """A user that a model plays.

    A turn that surely tells a value never goes out. One that only may tell it, since a value of one word stands there
    without its variable, is asked for again too, and goes out if nothing better comes.
    """

    model: ChatModel
    knows: Literal["state", "profile"]
    """Profile, date and current state, as the paper says; or profile, date and schema, as the authors' code has it."""
    shown: int | None = SHOWN
    """Messages at the end of the talk that the model sees; `None`: the whole talk."""

    @property
    def fingerprint(self) -> str:
        """Everything of it that can change what it says."""
        digests = ",".join(prompt(role).digest for role in (*_PROMPTS[self.knows], "again"))
        seen = "all" if self.shown is None else self.shown
        rules = f"{AGAIN}:{MAX_TOKENS}:{digests}:{digest_of_turns()}"
        return f"model-user-{VERSION}:{self.knows}:{seen}:{rules}:{self.model.fingerprint}"

    def next(self, script: Script, talk: Sequence[Message]) -> str:
        """What the model lets the person say.

        Raises:
            CallError: The model failed.
            MalformedError: Every turn tells a value (`user_integrity`), or is empty (`empty_choice`).
        """
        turns = first = self._turns(script, talk)
        weighed, spare = _Weighed("", ""), ""
        for _ in range(1 + AGAIN):
            said = _bare(self.model.complete(turns, max_tokens=MAX_TOKENS))
            weighed = _weighed(said, script)
            if not weighed.problem:
                return said
            turns = (*first, *_complaint(said, weighed.problem))
            spare = spare or ("" if weighed.cause else said)
        if spare:
            return spare
        told_of = f"session {script.session_id}: a turn of the simulated user cannot be used, {1 + AGAIN} times"
        raise MalformedError(f"{told_of}; of the last one: {weighed.problem}", cause=weighed.cause)

    def _turns(self, script: Script, talk: Sequence[Message]) -> tuple[Turn, ...]:
        values = self._values(script, talk)
        *system, user = (Template(prompt(role).text).substitute(values) for role in _PROMPTS[self.knows])
        return (*(Turn(role="system", text=one) for one in system), Turn(role="user", text=user))

    def _values(self, script: Script, talk: Sequence[Message]) -> Mapping[str, str]:
        """What the placeholders stand for. The mark is a digest of all that it fences, so that no text can know it."""
        seen = talk if self.shown is None else talk[-self.shown :]
        lines = "\n\n".join(f"{'You' if one.role == 'user' else 'Assistant'}: {one.text}" for one in seen)
        told_to_it = {name: script.variables.get(name, "") for name in ("profile", "date", "state", "schema")}
        opening = script.opening.text
        return {**told_to_it, "opening": opening, "talk": lines, "mark": opaque("k", script.session_id, opening, lines)}


def _weighed(said: str, script: Script) -> _Weighed:
    if not said:
        return _Weighed("it is empty.", EMPTY)
    findings = checker_of(script).findings(said)
    sure = [one for one in findings if one.sure]
    if not findings:
        return _Weighed("", "")
    if not sure:
        return _Weighed(f"it may tell {'; '.join(told(findings))}.", "")
    return _Weighed(f"it tells {'; '.join(told(sure))}.", CAUSE)


def _complaint(said: str, problem: str) -> tuple[Turn, ...]:
    """The turn and what is wrong with it; an empty turn is not shown, since some models refuse those."""
    complaint = Turn(role="user", text=Template(prompt("again").text).substitute(problem=problem))
    return (Turn(role="assistant", text=said), complaint) if said else (complaint,)


def _bare(said: str) -> str:
    """The words alone, where the model wrote a name or quotation marks around them all the same."""
    text = _name.sub("", said.strip(), count=1) if _name.match(said.strip()) else said.strip()
    inner = text[1:-1]
    closing = _QUOTES.get(text[:1])
    if closing and len(text) > 1 and text.endswith(closing) and text[0] not in inner and closing not in inner:
        text = inner.strip()
    return text
