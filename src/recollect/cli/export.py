"""`recollect export`: a finished run in the formats of others, or its charts as files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli.options import RUNS, AsJson, RunName, RunsDir

if TYPE_CHECKING:
    from recollect.report.exports.material import Exchange, Material, Sent, Written
    from recollect.store.run_folder import RunFolder


class Format(StrEnum):
    """What an export is for."""

    INSPECT = "inspect"
    PARQUET = "parquet"
    LONGMEMEVAL = "longmemeval"
    FIGURES = "figures"


To = Annotated[
    Format,
    typer.Option(
        "--to",
        help="inspect: logs for `inspect view`. parquet: tables. longmemeval: answers for its own script. "
        "figures: the charts as SVG.",
    ),
]
Out = Annotated[Path, typer.Option("--out", metavar="FOLDER", help="What to make; refused if it is there.")]


def export(run: RunName, to: To, out: Out, runs_dir: RunsDir = RUNS, as_json: AsJson = False) -> None:
    """Write a run in a format of others, or its charts, as a folder of files; free, and from its records alone."""
    from recollect.cli.output import print_json, print_table, remark
    from recollect.cli.runs import find
    from recollect.report.exports.folders import write_folder

    write, folder = _writer(to), find(run, runs_dir)
    with _kept(folder) if to is Format.INSPECT else nullcontext(_nothing) as sent:
        material = _material(folder, sent)
        written = write_folder(out, lambda aside: write(material, aside))
    left_out = sum(file.left_out for file in written)
    if as_json:
        files = [file._asdict() for file in written]
        print_json({"run": folder.name, "to": str(to), "folder": str(out), "files": files, "left_out": left_out})
        return
    print_table("", ["file", "rows"], [[file.file, str(file.rows)] for file in written])
    if left_out:
        remark(f"{left_out} have no place in it: no answer is there, or no score counts it")
    print(out)


def _writer(to: Format) -> Callable[[Material, Path], Sequence[Written]]:
    """What writes the format.

    Raises:
        MissingExtraError: It needs a package that is not installed; nothing was read or written.
    """
    if to is Format.INSPECT:
        from recollect.report.exports import inspect_log

        inspect_log.check()
        return inspect_log.write
    if to is Format.PARQUET:
        from recollect.report.exports import tables

        tables.check()
        return tables.write
    if to is Format.FIGURES:
        from recollect.report.exports import figures

        return figures.write
    from recollect.report.exports import longmemeval

    return longmemeval.write


def _material(folder: RunFolder, sent: Sent) -> Material:
    from recollect.cli.runs import examined
    from recollect.diagnose.records.identity import identity
    from recollect.report.exports.material import Material
    from recollect.store.measures import calls_of

    found, made = examined(folder), folder.path / "run.json"
    journals = folder.path.glob("trials/*/records.jsonl")
    return Material(
        run=folder.name,
        identity=identity(folder, found.summary),
        made_at=_written_at([made]),
        ended_at=_written_at([made, *journals]),
        summary=found.summary,
        cells=found.cells,
        histories={keyed.history.history_id: keyed for keyed in folder.histories()},
        calls=tuple(calls_of(folder)),
        sent=sent,
        beside=found.beside,
    )


def _written_at(files: Sequence[Path]) -> str:
    """When the last of *files* was written."""
    return datetime.fromtimestamp(int(max(file.stat().st_mtime for file in files)), tz=UTC).isoformat()


def _nothing(_call: str) -> Exchange | None:
    """Where no prompt is kept, or none is wanted."""
    return None


@contextmanager
def _kept(folder: RunFolder) -> Iterator[Sent]:
    """Prompts and replies of the run, as far as the cache beside it still has them; makes no cache."""
    from recollect.cli.calling import calls_at
    from recollect.cli.output import remark
    from recollect.cli.runs import cache_of
    from recollect.domain.errors import DataError, StoreError
    from recollect.models.cache.calls import FILE, CallCache
    from recollect.report.exports.material import Exchange

    place = calls_at(cache_of(folder.path.parent))
    if not (place / FILE).is_file():
        yield _nothing
        return
    try:
        opened = CallCache(place)
    except (DataError, StoreError) as error:
        remark(f"prompts are told from the records alone: {error}")
        yield _nothing
        return
    with opened as cache:

        def sent(call: str) -> Exchange | None:
            stored, prompt = cache.get(call), cache.prompt(call)
            return None if stored is None or prompt is None else Exchange(prompt, stored.reply)

        yield sent
