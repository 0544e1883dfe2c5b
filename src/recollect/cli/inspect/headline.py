"""The tables that a run ends with: scores, the noise of repeats, the systems behind the rows, and what models took."""

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
    Number,
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
"""Characters of the versions."""


def print_scores(found: Findings) -> None:
    """Every score with its interval, what became of states and policies, and what it cost."""
    headline_table(found.summary)
    print_tables(found.beside.tables)
    print_states(found.beside.states)
    print_policies(found.beside.policies)
    _print_cost(found.summary)


def headline_table(summary: Summary) -> None:
    """The table that a run ends with; where things were repeated, with the noise that they show."""
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
    _print_noise(summary)
    _print_systems(summary)
    for why in sorted({f"{one.task}: {one.withheld}" for one in summary.headlines if one.withheld}):
        print(f"withheld: {why}")
    for line in (*_standing_lines(summary), *_judged(summary), *_examined(summary)):
        print(line)


def _shown(number: Number) -> str:
    """The score, where enough came of the answers to print one; the report and `--json` have it in any case."""
    counts = number.counts
    if counts.unfinished:
        return "unfinished"
    return "withheld" if counts.fault > FAULT_BOUND * counts.planned else show(number.score)


def _judged(summary: Summary) -> Iterator[str]:
    """What is known of the judge behind the scores above."""
    checks = checks_of(summary)
    for check in sorted(set(checks.values())):
        tasks = ", ".join(task for task, its in checks.items() if its == check)
        hint = "; `recollect judge check` measures the judge" if check == UNCALIBRATED else ""
        yield f"judged: {tasks}: {check_worded(check)}{hint}"


def _examined(summary: Summary) -> Iterator[str]:
    """What is known of the memories behind the scores above."""
    cards = cards_by_row(summary)
    known = [f"{row} {card}" for row, card in cards.items() if card != NOT_EXAMINED]
    if known:
        yield f"examined: {'; '.join(known)}"
    rest = [row for row, card in cards.items() if card == NOT_EXAMINED]
    if rest:
        yield f"not examined: {', '.join(rest)}; `recollect doctor` examines a memory"


def _print_cost(summary: Summary) -> None:
    """What models took, in one line; nothing where none was called."""
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


def with_ran(
    summary: Summary, columns: Sequence[str], rows: Iterable[Sequence[str]]
) -> tuple[list[str], list[list[str]]]:
    """A table in which each row says, right after its name, whether its system ran."""
    stood, at = provenance_by_row(summary), columns.index("row")
    words = {row: ran.word for row, ran in stood.items()}
    told = [[*row[: at + 1], words.get(row[at], ""), *row[at + 1 :]] for row in rows]
    return [*columns[: at + 1], "ran", *columns[at + 1 :]], told


def noise_rows(summary: Summary) -> list[list[str]]:
    """A line for each row and task that was repeated."""
    return [
        [one.task, one.row, *(component_said(part) for part in one.components), floor_said(one.floor)]
        for one in summary.noise
    ]


def _print_noise(summary: Summary) -> None:
    """The table, and the reasons that do not fit into it; nothing where nothing was repeated."""
    if summary.noise:
        print_table(NOISE, *with_ran(summary, NOISE_COLUMNS, noise_rows(summary)))
    for reason in reasons(summary.noise):
        print(reason)


def floors_said(tasks: Sequence[TaskComparison], names: tuple[str, str]) -> list[str]:
    """A line for each side and task: its noise floor, or what would tell it."""
    return [
        f"noise floor of {name} on {task.task}: {floor_said(floor)}"
        for task in tasks
        for name, floor in zip(names, (task.first_floor, task.second_floor), strict=True)
    ]


def _print_systems(summary: Summary) -> None:
    """A line for each memory, where one is more than a part of Recollect; nothing where none is."""
    rows = [row for row in summary.rows if row.kind == "memory"]
    if any(_is_of_others(row) for row in rows):
        columns = (*SYSTEM_COLUMNS, *(COSTS if summary.costs else ()), *ENDS)
        print_table("systems", columns, [_line(summary, row) for row in rows])


def _standing_lines(summary: Summary) -> Iterator[str]:
    """Why rows show no score, and what the scores of those are worth whose model was rules."""
    for row in summary.rows:
        if row.ran != RAN:
            yield f"{row.ran}: {row.row}: {row.ran_why}"
    rows = rule_based_rows(summary)
    if rows:
        yield f"plumbing: {', '.join(rows)}: {PLUMBING}."
    if summary.costs is None and any(_is_of_others(row) for row in summary.rows):
        yield "cost: nothing; no model was called but rules and the embedder of this machine"


def _is_of_others(row: RowFacts) -> bool:
    return row.ran != RAN or bool(row.system.get("inputs"))


def _line(summary: Summary, row: RowFacts) -> list[str]:
    faults = [number.counts.fault for number in summary.numbers if number.row == row.row]
    versions = ", ".join(f"{name} {version}" for name, version in versions_of(row.system.get("inputs", {})).items())
    return [
        row.row,
        row.ran,
        versions if len(versions) <= LONGEST else f"{versions[: LONGEST - 1]}…",
        _model(row),
        *_seconds(summary, row.row),
        *(_costs(summary.costs, row.row) if summary.costs else ()),
        str(sum(faults)) if faults else "-",
        card_of(summary, row.row) or "-",
    ]


def _seconds(summary: Summary, row: str) -> tuple[str, str]:
    """All writing and settling, and the mean search; a search waits for its turn where many are asked at once."""
    mine = [one for one in summary.timings if one.row == row]
    written = [one.total_s for one in mine if one.stage in ("state", "settle")]
    searched = [(one.total_s, one.calls) for one in mine if one.stage == "recall" and one.arm == Arm.SYSTEM]
    calls = sum(many for _, many in searched)
    mean = f"{1000 * sum(total for total, _ in searched) / calls:.0f}" if calls else "-"
    return f"{sum(written):.1f}" if written else "-", mean


def _model(row: RowFacts) -> str:
    model = str(row.system.get("model", ""))
    return "rules" if model.startswith(RULES) else model.partition("+")[0][:LONGEST] or "-"


def _costs(costs: Costs, row: str) -> tuple[str, str, str]:
    """Calls, tokens and money from the run's ledger; rules leave nothing on it."""
    lines = [line.sums for line in costs.lines if line.row == row]
    if not lines:
        return "-", "-", "-"
    calls, tokens = sum(one.calls for one in lines), sum(one.input_tokens + one.output_tokens for one in lines)
    unpriced = sum(one.unpriced for one in lines)
    known = "at least " if unpriced else ""
    return f"{calls:,}", f"{tokens:,}", f"{known}{money(sum(one.money for one in lines))}"
