"""Checks of isolation: users never meet, and nothing is left on the machine or depends on its clock."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from recollect.contracts.traits import Capability
from recollect.domain.messages import Session
from recollect.engine.doctor.bench import Bench, ProcessReport, Subject
from recollect.engine.doctor.checks.findings import Finding, absent, failed, passed, quoted, sources_of, words_of
from recollect.engine.doctor.process.clock import TEN_YEARS_S
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


def _each(planted: Sequence[Planted]) -> tuple[Session, ...]:
    return sessions_of([one] for one in planted)


def _crossed(subject: Subject, strange: Sequence[Planted]) -> list[str]:
    ids = {one.message.message_id for one in strange}
    crossed: list[str] = []
    for one in strange:
        recall = subject.search(one.asks)
        sources = sources_of(subject, recall.items) & ids
        if one.word in words_of(recall):
            crossed.append(f"a search finds `{one.word}`")
        elif sources:
            crossed.append(f"an item names `{min(sources)}` as its source")
    if subject.can_list:
        units = subject.units()
        text, sources = "\n".join(unit.text for unit in units).casefold(), sources_of(subject, units) & ids
        words = [one.word for one in strange if one.word in text]
        if words:
            crossed.append(f"it lists `{words[0]}`")
        elif sources:
            crossed.append(f"a unit names `{min(sources)}` as its source")
    if subject.can(Capability.READBACK) and subject.stored_from(sorted(ids)).items:
        crossed.append("it reads it back")
    return crossed


_NO_PROCESS = absent("no process of its own can be started for it here")


def sockets(bench: Bench) -> Finding:
    """No connection leaves this machine."""
    seen = bench.report()
    if seen is None:
        return _NO_PROCESS
    if seen.reached:
        return failed(f"it reached for {quoted(seen.reached)}")
    return (
        _unseen(seen, "whom those talk to")
        or _broken(seen)
        or passed(f"no address beyond this machine{f'; on it: {quoted(seen.servers)}' if seen.servers else ''}")
    )


def files(bench: Bench) -> Finding:
    """Nothing is left outside its room: not at home, not in the working folder, not among temporary files."""
    seen = bench.report()
    if seen is None:
        return _NO_PROCESS
    if seen.left:
        return failed(f"outside its room it left {quoted(seen.left)}")
    return _broken(seen) or passed("home, working folder and temporary files are as they were")


def clock(bench: Bench) -> Finding:
    """Told the same ten years later it holds, asks and finds the same."""
    now, later = bench.report(), bench.report(TEN_YEARS_S)
    if now is None or later is None:
        return _NO_PROCESS
    hidden = _unseen(now, "what their clocks say") or _served(now) or _broken(now)
    return hidden or _compared(bench, now, later)


def _compared(bench: Bench, now: ProcessReport, later: ProcessReport) -> Finding:
    if not later.is_ahead:
        return absent("the clock of this Python cannot be set")
    if later.error:
        return failed(f"ten years later it breaks: {later.error}")
    if now.picture != later.picture:
        return _shifted(bench, now, "lists or finds", lambda seen: seen.picture)
    if now.asked != later.asked:
        return _shifted(bench, now, "asks its models", lambda seen: seen.asked)
    return passed("ten years later it lists, asks and finds the same")


def _shifted(bench: Bench, now: ProcessReport, what: str, of: Callable[[ProcessReport], str]) -> Finding:
    """It differs; only what stays the same under the same clock shows that the clock did that."""
    again = bench.report(again=True)
    if again is None or of(again) != of(now):
        return absent(f"what it {what} differs under the same clock as well, so that nothing can be told")
    return failed(f"ten years later it {what} something else, though nothing that it was told did change")


def _unseen(seen: ProcessReport, what: str) -> Finding | None:
    if not seen.programs:
        return None
    return absent(f"it starts programs of its own ({quoted(seen.programs)}), and {what} cannot be seen")


def _served(seen: ProcessReport) -> Finding | None:
    if not seen.servers:
        return None
    return absent(f"it lives in a server ({quoted(seen.servers)}), whose clock cannot be set")


def _broken(seen: ProcessReport) -> Finding | None:
    return failed(f"it broke in a process of its own: {seen.error}") if seen.error else None
