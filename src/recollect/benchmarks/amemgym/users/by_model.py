"""A chat model plays the user; a turn that tells a value is requested again, and never used."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from string import Template
from typing import Literal

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
SHOWN = 2
"""Messages of the dialogue that the model sees, as in the authors' code."""
MAX_TOKENS = 512
CAUSE, EMPTY = "user_integrity", "empty_choice"
_PROMPTS = {"state": ("state", "talk"), "profile": ("profile",)}
"""What the model knows -> the prompts of its turns: the user's last, a system prompt before it."""
_name = re.compile(r"(?:user|the user|person|用户)\s*[:：]\s*", re.IGNORECASE)
_QUOTES = {'"': '"', "“": "”", "「": "」"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelUser:
    """A user that a model plays.

    A turn that surely tells a value is never used. One that only may tell it, with a value of one word without its
    variable, is requested again too, and used if nothing better comes.
    """

    model: ChatModel
    knows: Literal["state", "profile"]
    """Profile, date and current state, as the paper says; or profile, date and schema, as the authors' code has it."""
    shown: int | None = SHOWN
    """Last messages that the model sees; `None` for all."""

    @property
    def fingerprint(self) -> str:
        """Everything of it that can change its turns."""
        digests = ",".join(prompt(role).digest for role in (*_PROMPTS[self.knows], "again"))
        seen = "all" if self.shown is None else self.shown
        rules = f"{AGAIN}:{MAX_TOKENS}:{digests}:{digest_of_turns()}"
        return f"model-user-{VERSION}:{self.knows}:{seen}:{rules}:{self.model.fingerprint}"

    def next(self, script: Script, talk: Sequence[Message]) -> str:
        """The user's next turn.

        Raises:
            CallError: The model failed.
            MalformedError: Every turn tells a value (`user_integrity`), or is empty (`empty_choice`).
        """
        turns = first = self._turns(script, talk)
        problem, cause, spare = "", "", ""
        for _ in range(1 + AGAIN):
            said = _bare(self.model.complete(turns, max_tokens=MAX_TOKENS))
            problem, cause = _weighed(said, script)
            if not problem:
                return said
            complaint = Turn(role="user", text=Template(prompt("again").text).substitute(problem=problem))
            # An empty turn is not shown, since some models refuse those.
            turns = (*first, Turn(role="assistant", text=said), complaint) if said else (*first, complaint)
            spare = spare or ("" if cause else said)
        if spare:
            return spare
        what = f"session {script.session_id}: a turn of the simulated user cannot be used, {1 + AGAIN} times"
        raise MalformedError(f"{what}; of the last one: {problem}", cause=cause)

    def _turns(self, script: Script, talk: Sequence[Message]) -> tuple[Turn, ...]:
        seen = talk if self.shown is None else talk[-self.shown :]
        lines = "\n\n".join(f"{'You' if one.role == 'user' else 'Assistant'}: {one.text}" for one in seen)
        opening = script.opening.text
        values = {name: script.variables.get(name, "") for name in ("profile", "date", "state", "schema")}
        # The mark is a digest of all that it fences, so that no text can know it.
        values |= {"opening": opening, "talk": lines, "mark": opaque("k", script.session_id, opening, lines)}
        *system, user = (Template(prompt(role).text).substitute(values) for role in _PROMPTS[self.knows])
        return (*(Turn(role="system", text=one) for one in system), Turn(role="user", text=user))


def _weighed(said: str, script: Script) -> tuple[str, str]:
    """The problem of a turn, and its cause; without a cause it may go out if nothing better comes."""
    if not said:
        return "it is empty.", EMPTY
    findings = checker_of(script).findings(said)
    sure = [one for one in findings if one.sure]
    if sure:
        return f"it tells {'; '.join(told(sure))}.", CAUSE
    return (f"it may tell {'; '.join(told(findings))}." if findings else ""), ""


def _bare(said: str) -> str:
    """The words alone, without the name or quotation marks that some models write around them."""
    text = _name.sub("", said.strip(), count=1) if _name.match(said.strip()) else said.strip()
    inner = text[1:-1]
    closing = _QUOTES.get(text[:1])
    if closing and len(text) > 1 and text.endswith(closing) and text[0] not in inner and closing not in inner:
        text = inner.strip()
    return text
