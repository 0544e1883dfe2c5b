"""`recollect check-data`: does a file say what its format promises?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from recollect.cli.options import AsJson


def check_data(
    path: Annotated[Path, typer.Argument(help="File or folder of data.")],
    benchmark: Annotated[str | None, typer.Option(help="Whose format; found out if not given.")] = None,
    as_json: AsJson = False,
) -> None:
    """Read data, name every problem with its place, or say what the data hold."""
    from recollect import registry
    from recollect.cli.written import say
    from recollect.domain.errors import UsageError

    if not path.exists():
        raise UsageError(f"{path}: there is no such file or folder.")
    name = benchmark or ("own" if _is_own(path) else "memoryagentbench")
    say(registry.benchmark(name).load(path), path, as_json=as_json)


def _is_own(path: Path) -> bool:
    """One of the two files is enough: what is missing is then told."""
    own = {"sessions.jsonl", "questions.jsonl"}
    return path.name in own or any((path / name).is_file() for name in own)
