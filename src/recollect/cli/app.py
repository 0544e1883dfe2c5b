"""The verbs, and the options that several of them take."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(
    name="recollect",
    help="What does an agent's memory keep, find and use, and can the number be believed?",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

RunsDir = Annotated[Path, typer.Option("--runs-dir", help="Where runs are.")]
RunName = Annotated[str, typer.Argument(metavar="RUN", help="Name of a run, or the path of its folder.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
RUNS = Path("runs")

from recollect.cli import (  # noqa: E402  # the verbs hang themselves on `app`
    build,
    catalogue,
    check_data,
    compare,
    demo,
    generate,
    launch,
    merge,
    reports,
    resume,
    status,
)

__all__ = [
    "app",
    "build",
    "catalogue",
    "check_data",
    "compare",
    "demo",
    "generate",
    "launch",
    "merge",
    "reports",
    "resume",
    "status",
]
