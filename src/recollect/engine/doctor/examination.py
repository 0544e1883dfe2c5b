"""Makes all checks, and the card of what came of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from time import perf_counter
from typing import Any

from recollect.contracts.traits import Traits
from recollect.domain.errors import NotAvailableError, UsageError
from recollect.engine.doctor import VERSION
from recollect.engine.doctor.bench import Bench
from recollect.engine.doctor.checks.findings import Check, Finding, absent, failed
from recollect.engine.doctor.checks.table import CHECKS
from recollect.engine.faults import Failure, attempt
from recollect.records.memory_card import CheckLine, MemoryCard, card_id
from recollect.records.provenance import provenance_of

Watch = Callable[[str], None]
"""Told the name of each check when it is done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExaminedSystem:
    """What a card says of a system that no check finds out."""

    name: str
    version: int
    settings: Mapping[str, Any]
    rules: bool
    """Its chat model, if it calls one, is rules."""
    date: str
    packages: Mapping[str, str] = field(default_factory=dict)
    """Versions that the caller knows; those that were loaded are added."""


def examine(bench: Bench, patient: ExaminedSystem, watch: Watch | None = None) -> MemoryCard:
    """The card of the system on the *bench*.

    Raises:
        OverBudgetError: The checks would cost more than is allowed.
        InterruptedRunError: Somebody asked to stop.
    """
    try:
        lines = tuple(_lines(bench, CHECKS, watch or (lambda _: None)))
    finally:
        bench.close()
    system, seen, ran = dict(bench.row.fingerprint), bench.seen(), provenance_of(bench.row.stands_in)
    return MemoryCard(
        card=card_id(system, VERSION, lines),
        name=patient.name,
        version=patient.version,
        settings=patient.settings,
        traits=said_of(bench.traits),
        system=system,
        ran=ran.word,
        ran_why=ran.why,
        model="none" if not bench.tally.chats else "rules" if patient.rules else "model",
        doctor=VERSION,
        checks=lines,
        packages={**(seen.packages if seen else {}), **patient.packages},
        date=patient.date,
    )


def said_of(traits: Traits) -> dict[str, Any]:
    """Every word of *traits*, also those that were left as they are."""
    said = {word.name: getattr(traits, word.name) for word in fields(traits)}
    return {**said, "takes": traits.takes.value, "can": sorted(capability.value for capability in traits.can)}


def _lines(bench: Bench, checks: Sequence[Check], watch: Watch) -> Iterator[CheckLine]:
    """A line for each; what does not open is not examined further."""
    shut: Finding | None = None
    for number, check in enumerate(checks):
        started = perf_counter()
        found = shut or checked(bench, check)
        if number == 0 and found.result == "fail":
            shut = absent("it could not be opened")
        yield CheckLine(
            name=check.name,
            proves=check.proves,
            how=check.how,
            result=found.result,
            why=found.why,
            seconds=round(perf_counter() - started, 3),
            number=found.number,
        )
        watch(check.name)


def checked(bench: Bench, check: Check) -> Finding:
    """What came of one check; a system that breaks under it fails it."""
    try:
        found = attempt(lambda: check.run(bench))
    except NotAvailableError as error:
        return absent(str(error))
    except UsageError as error:
        return failed(" ".join(str(error).split()))
    if isinstance(found, Failure):
        return failed(f"it breaks with {found.error} ({found.cause}): {' '.join(found.message.split())[:200]}")
    return found
