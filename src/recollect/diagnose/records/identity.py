"""One digest that says whether two runs came to the same.

In it: every record that counts, sorted by key; the faults that no later record has overcome, by cause, stage and
cell; the resolved config; the summary. Outside: seconds, what calls cost, who checked the judge, the words of errors,
the order of the journals, voided attempts, snapshots, the run's name.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from hashlib import blake2b

from recollect.contracts.verdicts import JUDGE_CHECK
from recollect.diagnose.records.trials import SEEN_WORKING, Record, is_newest, is_standing, lines_of
from recollect.domain.repeats import FIRST
from recollect.records.codec import encode
from recollect.records.digests import canonical, digest
from recollect.records.kinds import NEVER_DONE, OUTSIDE_IDENTITY
from recollect.records.lines import body_of, to_line
from recollect.records.memory_card import CARDS
from recollect.records.tables.summary import Summary
from recollect.store.journal import Journal
from recollect.store.run_folder import RunFolder

BESIDE = frozenset({JUDGE_CHECK, CARDS})
"""Entries of a summary's config that say what was known of judge and memories when the run was made."""


def identity(folder: RunFolder, summary: Summary) -> str:
    """The digest of a run.

    Args:
        folder: The run's folder; only read.
        summary: What `summary.summarise` says of it.
    """
    lines: set[bytes] = set()  # two trials may have found the same, which is one content
    faults: list[str] = []
    for facts in folder.trials():
        journal = folder.journal(facts["trial"])
        for key, kind, _, line in lines_of(journal):
            if kind not in OUTSIDE_IDENTITY and kind not in NEVER_DONE:
                newest = is_newest(line, kind)
                lines.add(line if newest else to_line(key, body_of(line, where=str(journal.path)), kind))
        faults.extend(_faults(journal, facts["trial"]))
    records = blake2b(digest_size=16)
    for line in sorted(lines):
        records.update(line)
    return digest(
        {
            "records": records.hexdigest(),
            "faults": sorted(faults),
            "config": folder.settings()["config"],
            "summary": encode(repeatable(summary)),
        }
    )


def repeatable(summary: Summary) -> Summary:
    """The summary without what may differ when the same run is made again."""
    faults = tuple(replace(group, example="") for group in summary.faults)
    config = {name: value for name, value in summary.config.items() if name not in BESIDE}
    rows = tuple(replace(row, ran_why="") for row in summary.rows)
    return replace(summary, run="", config=config, timings=(), costs=None, faults=faults, rows=rows)


def _faults(journal: Journal, trial: str) -> Iterator[str]:
    last_seen = max((entry.offset for entry in journal.done.values() if entry.kind in SEEN_WORKING), default=-1)
    for key, kind, offset, line in lines_of(journal):
        if kind == "fault":
            fault = Record(key, kind, offset, body_of(line, where=str(journal.path)))
            if is_standing(fault, last_seen):
                body = fault.body
                facts = [body.cause, body.stage, trial, body.step, body.checkpoint, body.question, body.arm]
                yield canonical(facts if body.take == FIRST else [*facts, encode(body.take)])
