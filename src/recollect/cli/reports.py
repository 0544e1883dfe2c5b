"""`recollect score`, `diagnose` and `report`: from records alone; free."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from recollect.cli.options import RUNS, AsJson, RunName, RunsDir

if TYPE_CHECKING:
    from recollect.diagnose.summary import Findings
    from recollect.records.tables.summary import Estimate, Number, Summary
    from recollect.store.run_folder import RunFolder


def score(run: RunName, runs_dir: RunsDir = RUNS, as_json: AsJson = False) -> None:
    """Print every score of a run with its interval, and what could not be scored."""
    from recollect.cli.output import print_json
    from recollect.cli.paper_tables import print_tables
    from recollect.cli.policy_tables import print_policies
    from recollect.cli.runs import examined, find
    from recollect.cli.state_tables import print_states
    from recollect.diagnose.records.identity import identity
    from recollect.records.codec import encode

    folder = find(run, runs_dir)
    found = examined(folder)
    summary, named = found.summary, identity(folder, found.summary)
    if as_json:
        print_json({"identity": named, "summary": encode(summary), "beside": encode(found.beside)})
        return
    headline_table(summary)
    print_tables(found.beside.tables)
    print_states(found.beside.states)
    print_policies(found.beside.policies)
    say_cost(summary)
    print(f"identity {named}")


def diagnose(run: RunName, runs_dir: RunsDir = RUNS, as_json: AsJson = False) -> None:
    """Say where answers were lost: written, found, read; with the faults and their causes."""
    from recollect.cli.output import print_json, print_table
    from recollect.cli.runs import examined, find
    from recollect.cli.split_tables import split_tables
    from recollect.cli.state_tables import ENDINGS, LOST, lost_rows
    from recollect.cli.systems import with_ran
    from recollect.records.codec import encode

    found = examined(find(run, runs_dir))
    summary, states = found.summary, found.beside.states
    if as_json:
        said = {name: [encode(one) for one in getattr(summary, name)] for name in _DIAGNOSES}
        beside = {"states": states, "splits": found.beside.splits}
        print_json({**said, **{name: [encode(row) for row in rows] for name, rows in beside.items()}})
        return
    lost: _Table = (LOST, ["task", "row", *ENDINGS], lost_rows(states))
    tables = [table for table in (*_diagnoses(summary), *split_tables(found.beside.splits), lost) if table[2]]
    for title, columns, rows in tables:
        print_table(title, *with_ran(summary, columns, rows))
    if not tables:
        print(f"{summary.run}: there is nothing to diagnose: no wrong answer, no fault, and no row with evidence.")


def report(run: RunName, runs_dir: RunsDir = RUNS, as_json: AsJson = False) -> None:
    """Write the report of a run anew, as one HTML file with CSV beside it, and print its path."""
    from recollect.cli.output import print_json
    from recollect.cli.runs import examined, find

    folder = find(run, runs_dir)
    page = write_report(folder, examined(folder))
    if as_json:
        print_json({"report": str(page)})
    else:
        print(page)


def write_report(folder: RunFolder, found: Findings) -> Path:
    """The path of the page."""
    from recollect import registry
    from recollect.diagnose.records.identity import identity
    from recollect.report.writer import write

    card, named = registry.benchmark(found.summary.benchmark).card, identity(folder, found.summary)
    return write(folder, found.summary, found.cells, card=card, identity=named, beside=found.beside)


def report_files(folder: RunFolder, found: Findings) -> tuple[dict[str, bytes], str]:
    """The files of the report as the records have them, and the run's identity."""
    from recollect import registry
    from recollect.diagnose.records.identity import identity
    from recollect.report.writer import files_of

    card, named = registry.benchmark(found.summary.benchmark).card, identity(folder, found.summary)
    files = files_of(folder, found.summary, found.cells, card=card, identity=named, beside=found.beside)
    return files, named


def headline_table(summary: Summary) -> None:
    """The table that a run ends with; where things were repeated, with the noise that they show."""
    from recollect.cli.noise import print_noise
    from recollect.cli.output import print_table
    from recollect.cli.systems import print_systems, standing_lines, with_ran
    from recollect.report.status import absent_rows

    rows = []
    repeated = any(number.replicates * number.takes > 1 for number in summary.numbers)
    lifts = {(one.task, one.row): one for one in summary.headlines}
    for number in summary.numbers:
        if number.arm not in {"system", "oracle"} or number.purpose != "score":
            continue
        counts, head = number.counts, lifts.get((number.task, number.row))
        lift = "" if head is None else "withheld" if head.withheld else show(head.lift)
        missing = counts.planned - counts.counted
        clusters = str(number.score.clusters)
        asked = [str(counts.planned // (number.replicates * number.takes)), str(counts.planned)]
        told = asked if repeated else asked[:1]
        rows.append([number.task, number.row, _shown(number), *told, str(missing), clusters, lift])
    told = ["asked", "answers"] if repeated else ["asked"]
    columns = ["task", "row", "score", *told, "not scored", "clusters", "memory lift"]
    absent = [
        [task.task, one.row, *("-" for _ in columns[2:])] for task in summary.tasks for one in absent_rows(summary)
    ]
    print_table(summary.run, *with_ran(summary, columns, sorted([*rows, *absent], key=lambda row: (row[0], row[1]))))
    print_noise(summary)
    print_systems(summary)
    for why in sorted({f"{one.task}: {one.withheld}" for one in summary.headlines if one.withheld}):
        print(f"withheld: {why}")
    for line in (*standing_lines(summary), *_judged(summary), *_examined(summary)):
        print(line)


def _shown(number: Number) -> str:
    """The score, where enough came of the answers to print one; the report and `--json` have it in any case."""
    from recollect.cli.runs import FAULT_BOUND

    counts = number.counts
    if counts.unfinished:
        return "unfinished"
    return "withheld" if counts.fault > FAULT_BOUND * counts.planned else show(number.score)


def _judged(summary: Summary) -> Iterator[str]:
    """What is known of the judge behind the scores above."""
    from recollect.contracts.verdicts import UNCALIBRATED
    from recollect.report.status import check_worded, checks_of

    checks = checks_of(summary)
    for check in sorted(set(checks.values())):
        tasks = ", ".join(task for task, its in checks.items() if its == check)
        hint = "; `recollect judge check` measures the judge" if check == UNCALIBRATED else ""
        yield f"judged: {tasks}: {check_worded(check)}{hint}"


def _examined(summary: Summary) -> Iterator[str]:
    """What is known of the memories behind the scores above."""
    from recollect.records.memory_card import NOT_EXAMINED
    from recollect.report.status import cards_by_row

    cards = cards_by_row(summary)
    known = [f"{row} {card}" for row, card in cards.items() if card != NOT_EXAMINED]
    if known:
        yield f"examined: {'; '.join(known)}"
    rest = [row for row, card in cards.items() if card == NOT_EXAMINED]
    if rest:
        yield f"not examined: {', '.join(rest)}; `recollect doctor` examines a memory"


def say_cost(summary: Summary) -> None:
    """What models took, in one line; nothing where none was called."""
    from recollect.report.numbers import money, percent_with_unit, seconds

    costs = summary.costs
    if costs is None:
        return
    total, share = costs.total, percent_with_unit(costs.cached_share)
    known = "at least " if total.unpriced else ""
    paid = "no price known" if total.paid and total.unpriced == total.paid else f"{known}{money(total.money)}"
    print(
        f"cost: {paid}; {total.calls:,} calls: {total.paid:,} paid, {total.cached:,} from the cache ({share}), "
        f"{total.failed:,} failed; {total.input_tokens:,} tokens in, {total.output_tokens:,} out; "
        f"waited {seconds(total.waited)}"
    )


def show(estimate: Estimate) -> str:
    """`0.74 [0.65, 0.82]`, or a dash."""
    if estimate.estimate is None:
        return "-"
    if estimate.low is None or estimate.high is None:
        return f"{estimate.estimate:.3f}"
    return f"{estimate.estimate:.3f} [{estimate.low:.3f}, {estimate.high:.3f}]"


_DIAGNOSES = ("waterfalls", "retrieval", "failures", "faults", "noise")
_Table = tuple[str, Sequence[str], list[list[str]]]


def _diagnoses(summary: Summary) -> Iterator[_Table]:
    from recollect.cli.noise import COLUMNS, TITLE, noise_rows

    yield (
        "where right answers get lost",
        ["task", "row", "reading", "preservation", "retrieval", "n"],
        [
            [one.task, one.row, show(one.reading), show(one.preservation), show(one.retrieval), str(one.n)]
            for one in summary.waterfalls
            if one.variant == "readback"
        ],
    )
    yield (
        "evidence found",
        ["task", "row", "at", "recall", "precision"],
        [
            [one.task, one.row, point.at, show(point.recall), show(point.precision)]
            for one in summary.retrieval
            for point in one.points
            if point.at in {"10", "budget"}
        ],
    )
    labels = ["reading", "write", "retrieval", "use", "unknown"]
    yield (
        "wrong answers by where they were lost",
        ["task", "row", "wrong", *labels, "stale"],
        [
            [
                one.task,
                one.row,
                str(one.wrong),
                *(str(one.counts.get(label, 0)) for label in labels),
                str(one.stale or 0),
            ]
            for one in summary.failures
        ],
    )
    yield (
        "faults",
        ["task", "row", "stage", "cause", "cells", "example"],
        [[one.task, one.row, one.stage, one.cause, str(one.cells), one.example[:60]] for one in summary.faults],
    )
    if summary.noise:
        yield TITLE, COLUMNS, noise_rows(summary)
