"""How well the simulated users of recorded dialogues kept their values to themselves, and to the truth."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from recollect.benchmarks.amemgym.users.integrity import Finding, checker_of
from recollect.domain.histories import History, Script
from recollect.domain.ids import HistoryId
from recollect.domain.messages import Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """A turn that tells a value, or may."""

    history: HistoryId
    session: str
    message: str
    """Its id."""
    finding: Finding


@dataclass(frozen=True, slots=True, kw_only=True)
class Integrity:
    """Counts over dialogues; openings are part of the data and do not count."""

    dialogues: int
    turns: int
    """That a simulated user took after the openings."""
    telling: int
    """Turns that tell a value."""
    suspected: int
    """Turns that may tell one, and surely tell none."""
    unexposed: int
    """Turns that tell a value that the opening of their dialogue does not show."""
    contradicting: int
    """Turns that tell a value that does not hold."""
    items: int
    """Pairs of a dialogue and a variable: what the paper's raters looked at, one by one."""
    contradicted: int
    """Those of them in which a value was told that does not hold."""
    remarks: tuple[Remark, ...] = ()

    @property
    def consistency(self) -> float | None:
        """Share of items without a contradiction; `None` where there is no item."""
        return 1 - self.contradicted / self.items if self.items else None

    @property
    def clean(self) -> float | None:
        """Share of turns that tell no value; `None` where there is no turn."""
        return 1 - self.telling / self.turns if self.turns else None


def integrity_of(talks: Mapping[HistoryId, Sequence[Message]], histories: Iterable[History]) -> Integrity:
    """What the checker finds in the dialogues of a run.

    Args:
        talks: History -> everything that was said, in order, as a run records it.
        histories: With the scripts of these dialogues; histories and scripts without a dialogue are passed over.
    """
    dialogues = turns = items = 0
    remarks: list[Remark] = []
    for history in histories:
        said = talks.get(history.history_id, ())
        for script in _scripts(history):
            follow_ups = _follow_ups(script, said)
            if follow_ups is None:
                continue
            dialogues += 1
            turns += len(follow_ups)
            items += len(json.loads(script.variables.get("state") or "{}"))
            remarks += _remarks(history.history_id, script, follow_ups)
    told = [one for one in remarks if one.finding.sure]
    wrong = [one for one in told if one.finding.contradicts]
    return Integrity(
        dialogues=dialogues,
        turns=turns,
        telling=_turns(told),
        suspected=_turns(remarks) - _turns(told),
        unexposed=_turns(one for one in told if not one.finding.exposed),
        contradicting=_turns(wrong),
        items=items,
        contradicted=len({(one.history, one.session, one.finding.variable) for one in wrong}),
        remarks=tuple(remarks),
    )


def _scripts(history: History) -> Iterator[Script]:
    return (event for event in history.timeline if isinstance(event, Script))


def _follow_ups(script: Script, said: Sequence[Message]) -> list[Message] | None:
    """What the user said in a dialogue after its opening; `None` where the dialogue was not held."""
    heard = [one for one in said if one.session_id == script.opening.session_id]
    return [one for one in heard[1:] if one.role == "user"] if heard else None


def _remarks(history: HistoryId, script: Script, turns: Sequence[Message]) -> Iterator[Remark]:
    checker = checker_of(script)
    for turn in turns:
        for finding in checker.findings(turn.text):
            yield Remark(history=history, session=script.session_id, message=turn.message_id, finding=finding)


def _turns(remarks: Iterable[Remark]) -> int:
    return len({(one.history, one.message) for one in remarks})
