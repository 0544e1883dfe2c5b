"""The tables as CSV and Parquet. A text that a spreadsheet would take for a formula gets an apostrophe in front."""

from __future__ import annotations

import csv
import importlib.util
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from recollect.records.digests import canonical
from recollect.records.provenance import Ran
from recollect.records.tables.cells import answer_owner
from recollect.records.tables.costs import CostLine, Costs
from recollect.records.tables.summary import CellOutcome, Estimate, Number, Summary
from recollect.records.tables.supplement import PaperNumbers, RowTime
from recollect.report.recalls import Recalls
from recollect.report.status import absent_rows, cards_by_row, checks_of, no_score, provenance_by_row
from recollect.text.spreadsheets import guarded as guarded_text

Value = str | int | float | bool | None
Record = Mapping[str, Value]


def guarded(value: Value) -> Value:
    """*value*, or a text that no spreadsheet computes."""
    return guarded_text(value) if isinstance(value, str) else value


def as_csv(records: Sequence[Record]) -> bytes:
    """A table whose columns are those of all records, in the order in which they come up; `None` is empty."""
    columns = list(dict.fromkeys(column for record in records for column in record))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    for record in records:
        writer.writerow([_written(guarded(record.get(column))) for column in columns])
    return out.getvalue().encode("utf-8", "backslashreplace")


def scores(summary: Summary) -> list[Record]:
    """One line for each number there is: wholes and strata with their parts, lifts, rules that read nothing."""
    checks = checks_of(summary)
    lines: list[Record] = [
        *(line for number in (*summary.numbers, *summary.strata) for line in _number(number)),
        *({**_name(one.task, one.row, "lift"), **_estimate(one.lift)} for one in summary.headlines),
        *({**_name(one.task, one.name, "rule"), **_estimate(one.score)} for one in summary.references),
    ]
    lines += [
        {
            **_name(task.task, one.row, "score"),
            **_estimate(no_score(one)),
            "kind": "memory",
            "answer_owner": answer_owner("memory"),
            "reference": False,
        }
        for task in summary.tasks
        for one in absent_rows(summary)
    ]
    cards, stood = cards_by_row(summary), provenance_by_row(summary)
    return [
        {
            **line,
            "judge_check": _check(line, checks),
            "card": cards.get(str(line["row"])),
            **_stood(stood.get(str(line["row"])) if line["what"] != "rule" else None),
        }
        for line in lines
    ]


def _stood(ran: Ran | None) -> dict[str, Value]:
    """Whether the system itself ran; rules and the oracle are no systems."""
    return {"ran": ran.word if ran else None, "ran_why": ran.why or None if ran else None}


def _check(line: Record, checks: Mapping[str, str]) -> str | None:
    """What is known of the judge behind a line; parts and rules have none."""
    return checks.get(str(line["task"])) if line["what"] in ("score", "lift") else None


def _number(number: Number) -> Iterator[Record]:
    counts = number.counts
    named = {"arm": str(number.arm), "purpose": number.purpose, "label": number.label, "stratum": number.stratum}
    about = {
        "kind": number.kind,
        "answer_owner": answer_owner(number.kind),
        "reference": number.reference,
        "marks": " ".join(number.marks),
    }
    yield {
        **_name(number.task, number.row, "score"),
        **named,
        **_estimate(number.score),
        "strict": number.strict,
        "coverage": number.coverage,
        "planned": counts.planned,
        "scored": counts.scored,
        "abstained": counts.abstained,
        "undecided": counts.undecided,
        "fault": counts.fault,
        "not_available": counts.not_available,
        "unfinished": counts.unfinished,
        "context_tokens": number.context_tokens,
        "truncated": number.truncated,
        "replicates": number.replicates,
        "takes": number.takes,
        **about,
    }
    for part in number.parts:
        yield {**_name(number.task, number.row, f"part {part.name}"), **named, **_estimate(part.score), **about}


def _name(task: str, row: str, what: str) -> dict[str, Value]:
    return {"task": task, "row": row, "what": what}


def _estimate(estimate: Estimate) -> dict[str, Value]:
    return {
        "estimate": estimate.estimate,
        "low": estimate.low,
        "high": estimate.high,
        "level": estimate.level,
        "n": estimate.n,
        "clusters": estimate.clusters,
        "method": estimate.method,
        "why": estimate.why,
    }


def costs_table(costs: Costs) -> list[Record]:
    """One line for each task, row, stage and role, then the total; they add up."""
    total = {"task": "", "row": "", "stage": "total", "role": "", **asdict(costs.total)}
    return [*(_cost(line) for line in costs.lines), total]


def _cost(line: CostLine) -> Record:
    return {
        "task": line.task,
        "row": line.row,
        "stage": line.stage,
        "role": line.role,
        **asdict(line.sums),
        "p50_s": line.p50_s,
        "p95_s": line.p95_s,
        "p50_money": line.p50_money,
        "p95_money": line.p95_money,
    }


def cells_table(cells: Iterable[CellOutcome], recalls: Recalls) -> list[Record]:
    """One line for each planned cell; seconds are left out, so that equal runs give equal files."""
    return [_cell(cell, recalls) for cell in cells]


def _cell(cell: CellOutcome, recalls: Recalls) -> Record:
    return {
        "task": cell.task,
        "row": cell.row,
        "kind": cell.kind,
        "answer_owner": answer_owner(cell.kind),
        "reference": cell.reference,
        "trial": cell.trial,
        "history": cell.history,
        "question": cell.question,
        "checkpoint": cell.checkpoint,
        "arm": str(cell.arm),
        "replicate": cell.replicate,
        "take_answer": cell.take.answer,
        "take_judge": cell.take.judge,
        "purpose": cell.purpose,
        "status": cell.status,
        "value": cell.value,
        "failure": cell.failure,
        "cause": cell.cause,
        "stage": cell.stage,
        "why": cell.why,
        "answer": cell.answer,
        "evidence": len(cell.evidence),
        "evidence_found": recalls.met(cell),
        "items_found": None if cell.recall is None else len(cell.recall.items),
        "context_tokens": cell.context_tokens,
        "truncated": cell.truncated,
        "state": cell.state,
        "prompt": cell.prompt,
        "labels": canonical(dict(cell.labels)),
        "parts": canonical({part.name: part.value for part in cell.parts}),
    }


def _written(value: Value) -> Any:
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else value


def tables_table(tables: Iterable[PaperNumbers]) -> list[Record]:
    """One line for each table, row and column."""
    return [
        {
            "table": table.title,
            "row": line.row,
            "reference": line.reference,
            "column": name,
            "mean_of_columns": name in table.means,
            **asdict(estimate),
            **_beside_the_paper(line.paper.get(name), table),
        }
        for table in tables
        for line in table.lines
        for name, estimate in line.columns.items()
    ]


def _beside_the_paper(own: Estimate | None, table: PaperNumbers) -> dict[str, Value]:
    """The paper's own interval; no such columns where no paper says how to make one."""
    if not table.strata:
        return {}
    said = {"paper_low": own.low, "paper_high": own.high, "paper_method": own.method} if own else {}
    return {**said, "paper_strata": table.strata}


def times_table(times: Iterable[RowTime]) -> list[Record]:
    """One line for each task and row."""
    return [asdict(time) for time in times]


def as_parquet(records: Sequence[Record]) -> bytes | None:
    """The table with its types; `None` where pyarrow is not installed."""
    if importlib.util.find_spec("pyarrow") is None:
        return None
    import pyarrow
    import pyarrow.parquet

    out = io.BytesIO()
    table = pyarrow.Table.from_pylist([{name: _writable(value) for name, value in one.items()} for one in records])
    pyarrow.parquet.write_table(table, out)
    return out.getvalue()


def _writable(value: Value) -> Value:
    """Text without lone surrogates, which UTF-8 cannot say."""
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value
