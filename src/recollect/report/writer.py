"""Writes the report of a run: one page, with the same numbers as CSV beside it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from recollect.contracts.benchmark import Card
from recollect.domain.errors import DiskError
from recollect.records.codec import encode
from recollect.records.tables.cells import CellOutcome
from recollect.records.tables.summary import Summary
from recollect.records.tables.supplement import Supplement
from recollect.store.files import write_whole
from recollect.store.run_folder import RunFolder

PAGE = "index.html"
NUMBERS = "report.json"
NOTHING_BESIDE = Supplement()


def write(
    folder: RunFolder,
    summary: Summary,
    cells: Sequence[CellOutcome],
    *,
    card: Card,
    identity: str,
    beside: Supplement = NOTHING_BESIDE,
) -> Path:
    """Write the report; the same input gives the same bytes.

    Args:
        folder: The run; its data and templates are read, `report/` is written.
        summary: The tables.
        cells: Every planned cell, wrong answers with their label.
        card: That of the run's benchmark, for licences, citation and what tasks mean.
        identity: The digest of the run.
        beside: The paper's columns, times, and what became of states.

    Returns:
        The page, `report/index.html`. `report.json`, `scores.csv` and `cells.csv` lie beside it, `costs.csv` where
        models were called, `times.csv`, `tables.csv` with the paper's columns where the card has such, `waterfalls.csv`
        where it names a label to tell waterfalls apart by, `states.csv` and `states_users.csv` where questions say
        which states they need, `policies.csv` and `policy_lines.csv` where a row follows a policy too, and
        `cells.parquet` where pyarrow is installed.

    Raises:
        DataError: The run's data cannot be read.
        DiskError: The disk does not take it; the page and the CSV are written before the optional table.
    """
    from recollect.report.recalls import Recalls
    from recollect.report.tables import as_parquet, cells_table

    for name, content in files_of(folder, summary, cells, card=card, identity=identity, beside=beside).items():
        write_whole(folder.report / name, content)
    file = folder.report / "cells.parquet"
    optional = as_parquet(cells_table(cells, Recalls()))
    try:
        if optional is None:
            file.unlink(missing_ok=True)
        else:
            write_whole(file, optional)
    except OSError as error:
        what = "replaced" if optional else "removed, and would be out of date"
        raise DiskError(
            f"{file}: cannot be {what} ({error.strerror}). The page and the CSV are written; move the file away and "
            "run `recollect report` again."
        ) from error
    return folder.report / PAGE


def files_of(
    folder: RunFolder,
    summary: Summary,
    cells: Sequence[CellOutcome],
    *,
    card: Card,
    identity: str,
    beside: Supplement = NOTHING_BESIDE,
) -> dict[str, bytes]:
    """The files of the report by name, the page last; nothing is written."""
    from recollect.report.page.html import page
    from recollect.report.page.payload import payload
    from recollect.report.page.policies import changes_table, policies_table
    from recollect.report.page.splits import waterfalls_table
    from recollect.report.page.states import states_table, users_table
    from recollect.report.recalls import Recalls
    from recollect.report.tables import as_csv, cells_table, costs_table, scores, tables_table, times_table

    recalls = Recalls()
    table = cells_table(cells, recalls)
    floors = {task.task: task.floor for task in summary.tasks}
    data = payload(folder.histories(), cells, folder.prompts(), recalls, floors)
    optional = {
        "costs.csv": costs_table(summary.costs) if summary.costs is not None else [],
        "tables.csv": tables_table(beside.tables),
        "times.csv": times_table(beside.times),
        "waterfalls.csv": waterfalls_table(beside.splits),
        "states.csv": states_table(beside.states),
        "states_users.csv": users_table(beside.states),
        "policies.csv": policies_table(beside.policies),
        "policy_lines.csv": changes_table(beside.policies),
    }
    return {
        NUMBERS: _numbers(summary, identity, beside),
        "scores.csv": as_csv(scores(summary)),
        "cells.csv": as_csv(table),
        **{name: as_csv(records) for name, records in optional.items() if records},
        PAGE: page(_values(summary, cells, beside, card, identity), data),
    }


def _numbers(summary: Summary, identity: str, beside: Supplement) -> bytes:
    """Every number of the report, for programs and for `verify`."""
    found = {name: getattr(beside, name) for name in ("tables", "states", "policies", "splits")}
    tables = {name: [encode(one) for one in listed] for name, listed in found.items() if listed}
    data = {"identity": identity, "summary": encode(summary), **tables}
    return (json.dumps(data, indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n").encode()


def _values(
    summary: Summary, cells: Sequence[CellOutcome], beside: Supplement, card: Card, identity: str
) -> dict[str, Any]:
    from recollect.report.page.costs import cost_section
    from recollect.report.page.policies import policy_sections
    from recollect.report.page.splits import split_sections
    from recollect.report.page.states import ENDINGS, state_sections
    from recollect.report.page.tasks import headline_groups, sections
    from recollect.report.status import MEANINGS, PLUMBING, absent_rows, provenance_by_row, rule_based_rows

    tasks = sections(summary, cells)
    return {
        "summary": summary,
        "card": card,
        "identity": identity,
        "tasks": tasks,
        "groups": headline_groups(summary, tasks),
        "cost": cost_section(summary),
        "meanings": MEANINGS,
        "rules": is_rules,
        "stood": provenance_by_row(summary),
        "absent": absent_rows(summary),
        "plumbed": rule_based_rows(summary),
        "plumbing": PLUMBING,
        "beside": beside,
        "states": state_sections(beside.states),
        "endings": ENDINGS,
        "policies": policy_sections(beside.policies),
        "splits": split_sections(beside.splits, cells),
    }


def is_rules(value: object) -> bool:
    """A reader or judge that is made of rules, not a model."""
    return isinstance(value, str) and (value == "rules" or value.startswith(("rules:", "rules-", "rules ")))
