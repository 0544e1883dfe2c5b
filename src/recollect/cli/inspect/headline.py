"""Tables at the end of a run: scores, the noise of repeats, the systems of the rows, and costs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from recollect.cli.inspect.states import print_policies, print_states, print_tables
from recollect.cli.output import print_table, show
from recollect.domain.steps import Arm
from recollect.runs.results.catalogue import versions_of
from recollect.runs.results.findings import FAULT_BOUND
from recollect.runs.results.wording import (
    NOT_EXAMINED,
    PLUMBING,
    RAN,
    RULES,
    UNCALIBRATED,
    Costs,
    Findings,
    RowFacts,
    Summary,
    TaskComparison,
    absent_rows,
    card_of,
    cards_by_row,
    check_worded,
    checks_of,
    component_said,
    floor_said,
    money,
    percent_with_unit,
    provenance_by_row,
    reasons,
    rule_based_rows,
    seconds,
)

NOISE = "noise: variance that each stage adds, and the difference that noise alone makes"
NOISE_COLUMNS = ("task", "row", "ingest", "answer", "judge", "noise floor")
SYSTEM_COLUMNS = ("row", "ran", "with", "its model", "writing, s", "a search, ms")
COSTS = ("calls", "tokens", "cost")
ENDS = ("faults", "card")
LONGEST = 60
"""Most characters of a cell."""


def print_scores(found: Findings) -> None:
    """Every score with its interval, states and policies, and the cost."""
    headline_table(found.summary)
    print_tables(found.beside.tables)
    print_states(found.beside.states)
    print_policies(found.beside.policies)
    if found.summary.costs is not None:
        total, share = found.summary.costs.total, percent_with_unit(found.summary.costs.cached_share)
        known = "at least " if total.unpriced else ""
        paid = "no price known" if total.paid and total.unpriced == total.paid else f"{known}{money(total.money)}"
        print(
            f"cost: {paid}; {total.calls:,} calls: {total.paid:,} paid, {total.cached:,} from the cache ({share}), "
            f"{total.failed:,} failed; {total.input_tokens:,} tokens in, {total.output_tokens:,} out; "
            f"waited {seconds(total.waited)}"
        )


def headline_table(summary: Summary) -> None:
    """The table of scores; the noise, if anything was repeated; the systems; and remarks."""
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
        if counts.unfinished:
            score = "unfinished"
        else:
            score = "withheld" if counts.fault > FAULT_BOUND * counts.planned else show(number.score)
        answers = asked if repeated else asked[:1]
        rows.append([number.task, number.row, score, *answers, str(missing), clusters, lift])
    answers = ["asked", "answers"] if repeated else ["asked"]
    columns = ["task", "row", "score", *answers, "not scored", "clusters", "memory lift"]
    absent = [
        [task.task, one.row, *("-" for _ in columns[2:])] for task in summary.tasks for one in absent_rows(summary)
    ]
    print_table(summary.run, *with_ran(summary, columns, sorted([*rows, *absent], key=lambda row: (row[0], row[1]))))
    if summary.noise:
        print_table(NOISE, *with_ran(summary, NOISE_COLUMNS, noise_rows(summary)))
    for reason in reasons(summary.noise):
        print(reason)
    memories = [row for row in summary.rows if row.kind == "memory"]
    if any(_is_third_party(row) for row in memories):
        columns = [*SYSTEM_COLUMNS, *(COSTS if summary.costs else ()), *ENDS]
        print_table("systems", columns, [_system_line(summary, row) for row in memories])
    for why in sorted({f"{one.task}: {one.withheld}" for one in summary.headlines if one.withheld}):
        print(f"withheld: {why}")
    for line in (*_ran_lines(summary), *_trust_lines(summary)):
        print(line)


def _trust_lines(summary: Summary) -> Iterator[str]:
    """The checks of the judge, and the cards of the memories."""
    checks = checks_of(summary)
    for check in sorted(set(checks.values())):
        tasks = ", ".join(task for task, its in checks.items() if its == check)
        hint = "; `recollect judge check` measures the judge" if check == UNCALIBRATED else ""
        yield f"judged: {tasks}: {check_worded(check)}{hint}"
    cards = cards_by_row(summary)
    known = [f"{row} {card}" for row, card in cards.items() if card != NOT_EXAMINED]
    if known:
        yield f"examined: {'; '.join(known)}"
    rest = [row for row, card in cards.items() if card == NOT_EXAMINED]
    if rest:
        yield f"not examined: {', '.join(rest)}; `recollect doctor` examines a memory"


def with_ran(
    summary: Summary, columns: Sequence[str], rows: Iterable[Sequence[str]]
) -> tuple[list[str], list[list[str]]]:
    """Add a column `ran` after the row's name."""
    words, at = {row: ran.word for row, ran in provenance_by_row(summary).items()}, columns.index("row")
    lines = [[*row[: at + 1], words.get(row[at], ""), *row[at + 1 :]] for row in rows]
    return [*columns[: at + 1], "ran", *columns[at + 1 :]], lines


def noise_rows(summary: Summary) -> list[list[str]]:
    """One line per repeated row and task."""
    return [
        [one.task, one.row, *(component_said(part) for part in one.components), floor_said(one.floor)]
        for one in summary.noise
    ]


def floors_said(tasks: Sequence[TaskComparison], names: tuple[str, str]) -> list[str]:
    """One line per side and task: its noise floor, or how to measure it."""
    return [
        f"noise floor of {name} on {task.task}: {floor_said(floor)}"
        for task in tasks
        for name, floor in zip(names, (task.first_floor, task.second_floor), strict=True)
    ]


def _ran_lines(summary: Summary) -> Iterator[str]:
    """Why rows have no score, and a warning for rows whose model was rules."""
    for row in summary.rows:
        if row.ran != RAN:
            yield f"{row.ran}: {row.row}: {row.ran_why}"
    rows = rule_based_rows(summary)
    if rows:
        yield f"plumbing: {', '.join(rows)}: {PLUMBING}."
    if summary.costs is None and any(_is_third_party(row) for row in summary.rows):
        yield "cost: nothing; no model was called but rules and the embedder of this machine"


def _is_third_party(row: RowFacts) -> bool:
    return row.ran != RAN or bool(row.system.get("inputs"))


def _system_line(summary: Summary, row: RowFacts) -> list[str]:
    faults = [number.counts.fault for number in summary.numbers if number.row == row.row]
    versions = ", ".join(f"{name} {version}" for name, version in versions_of(row.system.get("inputs", {})).items())
    model = str(row.system.get("model", ""))
    timings = [one for one in summary.timings if one.row == row.row]
    written = [one.total_s for one in timings if one.stage in ("state", "settle")]
    # A search waits for its turn where many run at once, so its mean counts the waiting too.
    searched = [(one.total_s, one.calls) for one in timings if one.stage == "recall" and one.arm == Arm.SYSTEM]
    searches = sum(calls for _, calls in searched)
    return [
        row.row,
        row.ran,
        versions if len(versions) <= LONGEST else f"{versions[: LONGEST - 1]}…",
        "rules" if model.startswith(RULES) else model.partition("+")[0][:LONGEST] or "-",
        f"{sum(written):.1f}" if written else "-",
        f"{1000 * sum(total for total, _ in searched) / searches:.0f}" if searches else "-",
        *(_costs(summary.costs, row.row) if summary.costs else ()),
        str(sum(faults)) if faults else "-",
        card_of(summary, row.row) or "-",
    ]


def _costs(costs: Costs, row: str) -> tuple[str, str, str]:
    """Calls, tokens and money of a row; rules make no calls."""
    lines = [line.sums for line in costs.lines if line.row == row]
    if not lines:
        return "-", "-", "-"
    calls, tokens = sum(one.calls for one in lines), sum(one.input_tokens + one.output_tokens for one in lines)
    known = "at least " if sum(one.unpriced for one in lines) else ""
    return f"{calls:,}", f"{tokens:,}", f"{known}{money(sum(one.money for one in lines))}"
