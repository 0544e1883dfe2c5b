"""Runs all checks and makes the card."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from time import perf_counter
from typing import Any

from recollect.domain.errors import NotAvailableError, UsageError
from recollect.engine.doctor import VERSION
from recollect.engine.doctor.bench import Bench
from recollect.engine.doctor.checks.findings import Check, Finding, absent, failed
from recollect.engine.doctor.checks.table import CHECKS
from recollect.engine.faults import Failure, attempt
from recollect.records.memory_card import CheckLine, MemoryCard, card_id
from recollect.records.provenance import provenance_of

Watch = Callable[[str], None]
"""Called with the name of each finished check."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExaminedSystem:
    """What a card says of a system that no check determines."""

    name: str
    version: int
    settings: Mapping[str, Any]
    rules: bool
    """Its chat model, if it calls one, is made of rules."""
    date: str
    packages: Mapping[str, str] = field(default_factory=dict)
    """Package -> version, beside those that are loaded."""


def examine(bench: Bench, system: ExaminedSystem, watch: Watch = lambda _name: None) -> MemoryCard:
    """The card of the system on the *bench*."""
    lines: list[CheckLine] = []
    unopened: Finding | None = None
    try:
        for number, check in enumerate(CHECKS):
            started = perf_counter()
            found = unopened or checked(bench, check)
            if number == 0 and found.result == "fail":
                unopened = absent("it could not be opened")
            lines.append(
                CheckLine(
                    name=check.name,
                    proves=check.proves,
                    how=check.how,
                    result=found.result,
                    why=found.why,
                    seconds=round(perf_counter() - started, 3),
                    number=found.number,
                )
            )
            watch(check.name)
    finally:
        bench.close()
    fingerprint, report, ran = dict(bench.row.fingerprint), bench.report(), provenance_of(bench.row.stands_in)
    traits = {word.name: getattr(bench.traits, word.name) for word in fields(bench.traits)}
    traits |= {"takes": bench.traits.takes.value, "can": sorted(word.value for word in bench.traits.can)}
    return MemoryCard(
        card=card_id(fingerprint, VERSION, lines),
        name=system.name,
        version=system.version,
        settings=system.settings,
        traits=traits,
        system=fingerprint,
        ran=ran.word,
        ran_why=ran.why,
        model="none" if not bench.tally.chats else "rules" if system.rules else "model",
        doctor=VERSION,
        checks=tuple(lines),
        packages={**(report.packages if report else {}), **system.packages},
        date=system.date,
    )


def checked(bench: Bench, check: Check) -> Finding:
    """The finding of one check; a system that raises fails it."""
    try:
        found = attempt(lambda: check.run(bench))
    except NotAvailableError as error:
        return absent(str(error))
    except UsageError as error:
        return failed(" ".join(str(error).split()))
    if isinstance(found, Failure):
        return failed(f"it breaks with {found.error} ({found.cause}): {' '.join(found.message.split())[:200]}")
    return found
