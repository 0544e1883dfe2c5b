"""The tables as CSV and Parquet. A text that a spreadsheet would take for a formula gets an apostrophe in front."""

from __future__ import annotations

import csv
import importlib.util
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from recollect.records.digests import canonical
from recollect.records.tables.cells import CellOutcome, Estimate, answer_owner
from recollect.records.tables.costs import Costs
from recollect.records.tables.summary import Number, Summary
from recollect.records.tables.supplement import PaperNumbers, RowTime
from recollect.report.recalls import Recalls
from recollect.report.status import absent_rows, cards_by_row, checks_of, no_score, provenance_by_row
from recollect.text.spreadsheets import guarded as guarded_text

Value = str | int | float | bool | None
Record = Mapping[str, Value]


def guarded(value: Value) -> Value:
    """*value*, or a text that no spreadsheet reads as a formula."""
    return guarded_text(value) if isinstance(value, str) else value


def as_csv(records: Sequence[Record]) -> bytes:
    """A table whose columns are those of all records, in the order in which they come up; `None` is empty."""
    columns = list(dict.fromkeys(column for record in records for column in record))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    for record in records:
        values = [guarded(record.get(column)) for column in columns]
        writer.writerow([str(value).lower() if isinstance(value, bool) else value for value in values])
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
    cards, provenance = cards_by_row(summary), provenance_by_row(summary)
    records: list[Record] = []
    for line in lines:
        task, row, what = str(line["task"]), str(line["row"]), line["what"]
        ran = provenance.get(row) if what != "rule" else None  # rules and the oracle are no systems
        behind: dict[str, Value] = {
            "judge_check": checks.get(task) if what in ("score", "lift") else None,
            "card": cards.get(row),
            "ran": ran.word if ran else None,
            "ran_why": ran.why or None if ran else None,
        }
        records.append({**line, **behind})
    return records


def _number(number: Number) -> Iterator[Record]:
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
        **asdict(number.counts),
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
    records: list[Record] = []
    for line in costs.lines:
        name: dict[str, Value] = {"task": line.task, "row": line.row, "stage": line.stage, "role": line.role}
        seconds = {"p50_s": line.p50_s, "p95_s": line.p95_s}
        money = {"p50_money": line.p50_money, "p95_money": line.p95_money}
        records.append({**name, **asdict(line.sums), **seconds, **money})
    return [*records, {"task": "", "row": "", "stage": "total", "role": "", **asdict(costs.total)}]


def cells_table(cells: Iterable[CellOutcome], recalls: Recalls) -> list[Record]:
    """One line for each planned cell; seconds are left out, so that equal runs give equal files."""
    return [
        {
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
        for cell in cells
    ]


def tables_table(tables: Iterable[PaperNumbers]) -> list[Record]:
    """One line for each table, row and column; the paper's own interval where the paper says how to make one."""
    records: list[Record] = []
    lines = [(table, line) for table in tables for line in table.lines]
    for table, line in lines:
        for name, estimate in line.columns.items():
            own = line.paper.get(name) if table.strata else None
            paper: dict[str, Value] = {"paper_strata": table.strata} if table.strata else {}
            if own:
                paper = {"paper_low": own.low, "paper_high": own.high, "paper_method": own.method, **paper}
            record = {
                "table": table.title,
                "row": line.row,
                "reference": line.reference,
                "column": name,
                "mean_of_columns": name in table.means,
                **asdict(estimate),
                **paper,
            }
            records.append(record)
    return records


def times_table(times: Iterable[RowTime]) -> list[Record]:
    return [asdict(time) for time in times]


def as_parquet(records: Sequence[Record]) -> bytes | None:
    """The table with its types; `None` where pyarrow is not installed."""
    if importlib.util.find_spec("pyarrow") is None:
        return None
    import pyarrow
    import pyarrow.parquet

    out = io.BytesIO()
    table = pyarrow.Table.from_pylist([{name: writable(value) for name, value in one.items()} for one in records])
    pyarrow.parquet.write_table(table, out)
    return out.getvalue()


def writable(value: Any) -> Any:
    """A value of a Parquet file: text without lone surrogates, which UTF-8 cannot encode; also in lists."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    return [writable(one) for one in value] if isinstance(value, Sequence) else value
