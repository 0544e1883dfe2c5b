"""The verbs by name, in the order of the help."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated

import typer

from recollect.cli.data import build, check_data, fetch, generate, sheets
from recollect.cli.inspect import catalogue, compare, export, ranks, reports
from recollect.cli.output import remarks_on_stderr
from recollect.cli.run import ablate, demo, gateway, install, launch, merge, resume, status
from recollect.cli.trust import cache, doctor, factual_recall, judge_check, verify, why
from recollect.domain.version import VERSION

VERBS: Mapping[str, Callable[..., None]] = {
    "demo": demo.demo,
    "list": catalogue.list_all,
    "show": catalogue.show,
    "cite": catalogue.cite,
    "install": install.install,
    "fetch": fetch.fetch,
    "generate": generate.generate,
    "check-data": check_data.check_data,
    "build": build.build,
    "run": launch.run,
    "ablate": ablate.ablate,
    "resume": resume.resume,
    "status": status.status,
    "merge": merge.merge,
    "score": reports.score,
    "diagnose": reports.diagnose,
    "report": reports.report,
    "compare": compare.compare,
    "ranks": ranks.ranks,
    "factual-recall": factual_recall.factual_recall,
    "verify": verify.verify,
    "why": why.why,
    "export": export.export,
    "doctor": doctor.doctor,
    "gateway": gateway.gateway,
}

app = typer.Typer(
    name="recollect",
    help="What does an agent's memory keep, find and use, and can the number be believed?",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"recollect {VERSION}")
        raise typer.Exit


@app.callback()
def common(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001  # its callback prints it
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Options before a verb."""
    context.with_resource(remarks_on_stderr())


for name, verb in VERBS.items():
    app.command(name)(verb)
app.add_typer(judge_check.app)
app.add_typer(sheets.app)
app.add_typer(cache.app)
