"""Checks of models: when they are called, what happens when they fail, and whether anything is paid for twice."""

from __future__ import annotations

from recollect.engine.doctor.bench import Bench
from recollect.engine.doctor.checks.findings import Finding, absent, failed, found_of, passed
from recollect.engine.doctor.models import CallTally, FailureMode
from recollect.engine.doctor.story import ALL, STORY, sessions_of
from recollect.engine.faults import Failure, attempt


def on_write(bench: Bench) -> Finding:
    """Models are called while writing if the traits say so, and only then."""
    tally = bench.counting()
    with bench.open(tally) as subject:
        subject.tell(*sessions_of(STORY))
        calls = len(tally.asked)
    return _called(bench.traits.models_on_write, calls, "writing")


def on_search(bench: Bench) -> Finding:
    """The same while searching."""
    tally = bench.counting()
    with bench.open(tally) as subject:
        subject.tell(*sessions_of(STORY))
        before = len(tally.asked)
        for one in ALL:
            subject.search(one.asks)
        calls = len(tally.asked) - before
    return _called(bench.traits.models_on_search, calls, "searching")


def _called(says: bool, calls: int, when: str) -> Finding:
    sent = f"{calls} prompts or texts were sent while {when}"
    if says == bool(calls):
        return passed(sent)
    return failed(f"its traits say that {when} calls {'a' if says else 'no'} model, and {sent}")


def paid_once(bench: Bench) -> Finding:
    """Told the same again, a fresh instance sends nothing that was not sent before: the cache pays."""
    tally = bench.counting()
    for _ in range(2):
        before = tally.paid
        with bench.open(tally) as subject:
            subject.tell(*sessions_of(STORY))
            subject.search(ALL[0].asks)
    if not tally.asked:
        return absent("it calls no model that could be paid for")
    if tally.paid > before:
        return failed(f"told the same again, it sent {tally.paid - before} prompts or texts that are new: paid twice")
    return passed(f"told the same again, all of {len(tally.asked)} prompts and texts were known: nothing is paid twice")


def failing(bench: Bench, *, mode: FailureMode, unaffected: str) -> Finding:
    """Tell the story while the model fails in *mode*: an error must surface, unless all is found nevertheless."""
    tally = bench.counting(ill=mode)
    ill = _story(bench, tally)
    if not tally.struck:
        return absent(unaffected)
    if isinstance(ill, Failure):
        return passed(f"it breaks with {ill.error}: {ill.message[:80]}")
    found, unsaid = ill
    sound = _story(bench, bench.counting())
    if isinstance(sound, Failure):
        return absent(f"it breaks with a sound model, too: {sound.message[:80]}")
    if found >= sound[0] and found:
        return passed(f"it goes on without the model, and {found} of {len(ALL)} planted words are found all the same")
    if unsaid:
        return passed(
            f"it says nothing ({found} of {sound[0]} words are found), but a run sees each failed call: {unsaid}"
        )
    return failed(f"{tally.struck} bad replies, no error, and {found} instead of {sound[0]} planted words are found")


def _story(bench: Bench, tally: CallTally) -> tuple[int, str] | Failure:
    """How many planted words are found, and the cause of a failed call of which the system says nothing."""

    def tell() -> tuple[int, str]:
        with bench.open(tally, swallows=True) as subject:
            subject.tell(*sessions_of(STORY))
            found = found_of(subject, ALL)
            errors = (str(getattr(error, "cause", "")) or type(error).__name__ for error in subject.unsaid)
            return len(found), next(errors, "")

    return attempt(tell)
