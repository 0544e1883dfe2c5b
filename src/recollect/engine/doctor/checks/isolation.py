"""Checks of apartness: two users of one system never meet, and one that goes takes nothing along."""

from __future__ import annotations

from collections.abc import Sequence

from recollect.contracts.traits import Capability
from recollect.domain.ids import MessageId
from recollect.domain.messages import Session
from recollect.engine.doctor.bench import Bench, Subject
from recollect.engine.doctor.checks.findings import Finding, failed, passed, sources_of, words_of
from recollect.engine.doctor.story import Planted, contradicting, sessions_of


def isolation(bench: Bench) -> Finding:
    """Two namespaces, fed in turns with facts that contradict each other: nothing crosses."""
    mine, other = contradicting(0), contradicting(1)
    with bench.open() as one, bench.open() as two:
        for left, right in zip(mine, other, strict=True):
            one.write(*sessions_of([[left]]))
            two.write(*sessions_of([[right]]))
        one.settle()
        two.settle()
        crossed = [*_crossed(one, other), *_crossed(two, mine)]
    if crossed:
        return failed(f"one user's memory shows what another said: {crossed[0]}")
    return passed(f"{len(mine) + len(other)} searches in two open namespaces; nothing crossed")


def reset(bench: Bench) -> Finding:
    """A namespace that is closed and opened anew is empty, and the other one is as it was."""
    mine, other = contradicting(0), contradicting(1)
    cues = [one.asks for one in mine]
    with bench.open() as one:
        one.tell(*_each(mine))
        with bench.open() as two:
            two.tell(*_each(other))
            before = one.picture(cues)
        with bench.open() as anew:
            anew.settle()
            crossed = [*_crossed(anew, other), *_crossed(anew, mine)]
            anew.tell(*_each(other[:1]))
        after = one.picture(cues)
    if crossed:
        return failed(f"a new namespace is not empty: {crossed[0]}")
    if before != after:
        return failed("what one namespace lists or finds changed when another was closed and opened anew")
    return passed("the new namespace was empty; the other lists and finds the same as before")


def _each(told: Sequence[Planted]) -> tuple[Session, ...]:
    return sessions_of([one] for one in told)


def _crossed(subject: Subject, strange: Sequence[Planted]) -> list[str]:
    """What *subject* shows of *strange*, which it was never told."""
    ids = {one.message.message_id for one in strange}
    seen = [_seen(subject, one, ids) for one in strange]
    if subject.can_list:
        units = subject.units()
        words = "\n".join(unit.text for unit in units).casefold()
        told = [one.word for one in strange if one.word in words]
        seen.append(f"it lists `{told[0]}`" if told else _named(sources_of(subject, units) & ids, "a unit"))
    if subject.can(Capability.READBACK):
        read = subject.stored_from(sorted(ids))
        seen.append("it reads it back" if read.items else "")
    return [what for what in seen if what]


def _seen(subject: Subject, one: Planted, ids: set[MessageId]) -> str:
    recall = subject.search(one.asks)
    if one.word in words_of(recall):
        return f"a search finds `{one.word}`"
    return _named(sources_of(subject, recall.items) & ids, "an item")


def _named(sources: set[MessageId], what: str) -> str:
    return f"{what} names `{min(sources)}` as its source" if sources else ""
