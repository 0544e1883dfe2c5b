"""`recollect score`, `diagnose` and `report`: from records alone, without calls of models."""

from __future__ import annotations

from recollect.cli.options import RUNS, AsJson, RunName, RunsDir
from recollect.cli.output import print_json, print_table

_DIAGNOSES = ("waterfalls", "retrieval", "failures", "faults", "noise")


def score(run: RunName, runs_dir: RunsDir = RUNS, as_json: AsJson = False) -> None:
    """Print every score of a run with its interval, and the number of answers not scored."""
    from recollect.cli.inspect.headline import print_scores
    from recollect.runs.results.findings import result_named
    from recollect.runs.results.wording import encode

    result = result_named(run, runs_dir)
    if as_json:
        summary, _, beside = result.found
        print_json({"identity": result.identity, "summary": encode(summary), "beside": encode(beside)})
        return
    print_scores(result.found)
    print(f"identity {result.identity}")


def diagnose(run: RunName, runs_dir: RunsDir = RUNS, as_json: AsJson = False) -> None:
    """Print at which stage answers failed (writing, retrieval, reading), and faults with their causes."""
    from recollect.cli.inspect.diagnosis import diagnoses
    from recollect.cli.inspect.headline import with_ran
    from recollect.runs.results.findings import findings_named
    from recollect.runs.results.wording import encode

    found = findings_named(run, runs_dir)
    summary = found.summary
    if as_json:
        rows = {name: getattr(summary, name) for name in _DIAGNOSES}
        rows |= {"states": found.beside.states, "splits": found.beside.splits}
        print_json({name: [encode(one) for one in many] for name, many in rows.items()})
        return
    tables = diagnoses(found)
    for title, columns, lines in tables:
        print_table(title, *with_ran(summary, columns, lines))
    if not tables:
        print(f"{summary.run}: nothing to diagnose: no wrong answer, no fault, and no row with evidence.")


def report(run: RunName, runs_dir: RunsDir = RUNS, as_json: AsJson = False) -> None:
    """Regenerate the report of a run, one HTML file with CSV files, and print its path."""
    from recollect.runs.results.findings import result_named

    page = result_named(run, runs_dir).write_report()
    if as_json:
        print_json({"report": str(page)})
    else:
        print(page)
