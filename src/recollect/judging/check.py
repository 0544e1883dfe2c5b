"""Checks a judge on the shipped probes: how often it accepts what is right, and what is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import get_args

from recollect.contracts.reading import Judge
from recollect.domain.errors import DataError
from recollect.judging.probes import Kind, Probe, digest_of, shipped
from recollect.records.codec import decode
from recollect.records.digests import canonical, opaque
from recollect.stats.estimate import Interval
from recollect.stats.proportions import wilson_interval

TRUE_ACCEPT, FALSE_ACCEPT = "true accept", "false accept"
SHIPPED = "checks.json"
"""Fingerprint of a judge by rules -> id of its check on the probes of the package."""
FOLDER = "judge_checks"
"""Below the cache of a folder of runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What the judge said of one probe."""

    probe: str
    value: float | None
    """`None` is undecided."""
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """How often replies of one kind were accepted."""

    name: str
    """A kind of probe, `true accept` or `false accept`."""
    wanted: bool
    """Whether they are to be accepted."""
    n: int
    accepted: int
    rejected: int
    undecided: int
    share: Interval
    """Accepted of all *n*, the undecided ones too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult:
    """All that a check found."""

    check: str
    """Its id: a digest of judge, probes and verdicts."""
    judge: str
    """The judge's fingerprint."""
    probes: str
    """Digest of the probes."""
    kinds: tuple[Rate, ...]
    true_accept: Rate
    """Over all that is right: right, paraphrased, abstain-right."""
    false_accept: Rate
    """Over everything else."""
    verdicts: tuple[Given, ...]


def run_check(
    judge: Judge,
    *,
    probes: tuple[Probe, ...] | None = None,
    workers: int = 8,
    watch: Callable[[int], None] | None = None,
) -> CheckResult:
    """Have *judge* weigh every probe.

    Args:
        judge: Any judge; asked by *workers* threads at once.
        probes: Those of the package where none are given.
        workers: Calls in flight.
        watch: Told how many are done, after each.

    Raises:
        CallError: A model failed; there is no check of a part.
    """
    asked = shipped() if probes is None else probes
    verdicts: list[Given] = []
    with ThreadPoolExecutor(workers) as pool:
        going = [pool.submit(copy_context().run, judge.judge, one.question, one.key, one.reply) for one in asked]
        try:
            for done, (probe, future) in enumerate(zip(asked, going, strict=True), start=1):
                verdict = future.result()
                why = next((part.why for part in verdict.parts if part.name == "right"), "no part `right`")
                verdicts.append(Given(probe=probe.probe_id, value=verdict.value("right"), why=why))
                if watch is not None:
                    watch(done)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
    return result_of(judge.fingerprint, asked, verdicts)


def result_of(fingerprint: str, probes: tuple[Probe, ...], verdicts: Sequence[Given]) -> CheckResult:
    """The rates that *verdicts* come to, which stand in the order of *probes*."""
    pairs = list(zip(probes, verdicts, strict=True))
    names = digest_of(probes)
    wanted = {probe.kind: probe.wanted == "right" for probe in probes}
    by_kind = {kind: [given for probe, given in pairs if probe.kind == kind] for kind in get_args(Kind)}
    kinds = [_rate(kind, given, wanted=wanted[kind]) for kind, given in by_kind.items() if given]
    right = [given for probe, given in pairs if probe.wanted == "right"]
    other = [given for probe, given in pairs if probe.wanted != "right"]
    return CheckResult(
        check=check_id(fingerprint, names, verdicts),
        judge=fingerprint,
        probes=names,
        kinds=tuple(kinds),
        true_accept=_rate(TRUE_ACCEPT, right, wanted=True),
        false_accept=_rate(FALSE_ACCEPT, other, wanted=False),
        verdicts=tuple(verdicts),
    )


def check_id(fingerprint: str, probes: str, verdicts: Iterable[Given]) -> str:
    """The id of a check: the same judge, probes and verdicts have the same one."""
    return opaque("jc", fingerprint, probes, canonical([[given.probe, given.value] for given in verdicts]))


def check_file(cache_folder: Path, fingerprint: str) -> Path:
    """Where the check of a judge is kept."""
    return cache_folder / FOLDER / f"{opaque('j', fingerprint)}.json"


def known_check(cache_folder: Path, fingerprint: str) -> str | None:
    """The id of the kept check of this judge on the shipped probes.

    The rule judge comes with its own. `None` where there is none, and where the file is torn, was edited, or is of
    other probes: the judge then counts as not calibrated, and `recollect judge check` makes a new one.
    """
    file = check_file(cache_folder, fingerprint)
    try:
        kept = decode(CheckResult, json.loads(file.read_bytes()), where=str(file))
    except (OSError, ValueError, DataError):
        kept = None
    if kept is not None and kept.judge == fingerprint and kept.probes == digest_of(shipped()):
        return kept.check if kept.check == check_id(kept.judge, kept.probes, kept.verdicts) else None
    known: Mapping[str, str] = json.loads((files("recollect.judging") / SHIPPED).read_text(encoding="utf-8"))
    return known.get(fingerprint)


def _rate(name: str, given: Sequence[Given], *, wanted: bool) -> Rate:
    accepted = sum(one.value == 1.0 for one in given)
    undecided = sum(one.value is None for one in given)
    return Rate(
        name=name,
        wanted=wanted,
        n=len(given),
        accepted=accepted,
        rejected=len(given) - accepted - undecided,
        undecided=undecided,
        share=wilson_interval(accepted, len(given)),
    )
