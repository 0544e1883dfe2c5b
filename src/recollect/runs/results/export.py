"""A finished run in the formats of other tools, or its charts as files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, NamedTuple

from recollect.domain.errors import DataError, StoreError
from recollect.report.exports.folders import write_folder
from recollect.report.exports.material import Exchange, Material, Sent, Written
from recollect.runs.progress import remark
from recollect.runs.results.findings import result_of
from recollect.runs.setup.calls import has_calls, open_calls
from recollect.runs.setup.folders import cache_of, find
from recollect.store.measures import calls_of
from recollect.store.run_folder import RunFolder

Format = Literal["inspect", "parquet", "longmemeval", "figures"]


class Exported(NamedTuple):
    """The files written for a run."""

    run: str
    files: Sequence[Written]

    @property
    def left_out(self) -> int:
        """Cells that the format cannot represent."""
        return sum(file.left_out for file in self.files)


def exported(name: str, to: Format, out: Path, runs_dir: Path) -> Exported:
    """Write a run as a folder of files."""
    write, folder = _writer(to), find(name, runs_dir)
    with _cached(folder) if to == "inspect" else nullcontext(_nothing) as sent:
        result, made = result_of(folder), folder.path / "run.json"
        material = Material(
            run=folder.name,
            identity=result.identity,
            made_at=_written_at([made]),
            ended_at=_written_at([made, *folder.path.glob("trials/*/records.jsonl")]),
            summary=result.found.summary,
            cells=result.found.cells,
            histories={keyed.history.history_id: keyed for keyed in folder.histories()},
            calls=tuple(calls_of(folder)),
            sent=sent,
            beside=result.found.beside,
        )
        written = write_folder(out, lambda temporary: write(material, temporary))
    return Exported(folder.name, written)


def _writer(to: Format) -> Callable[[Material, Path], Sequence[Written]]:
    if to == "inspect":
        from recollect.report.exports import inspect_log

        inspect_log.check()
        return inspect_log.write
    if to == "parquet":
        from recollect.report.exports import tables

        tables.check()
        return tables.write
    if to == "figures":
        from recollect.report.exports import figures

        return figures.write
    from recollect.report.exports import longmemeval

    return longmemeval.write


def _written_at(files: Sequence[Path]) -> str:
    """Time of the last change of any file."""
    return datetime.fromtimestamp(int(max(file.stat().st_mtime for file in files)), tz=UTC).isoformat()


def _nothing(_call: str) -> Exchange | None:
    return None


@contextmanager
def _cached(folder: RunFolder) -> Iterator[Sent]:
    """Prompts and replies of the run, as far as they are still cached; creates no cache."""
    folder_of_cache = cache_of(folder.path.parent)
    if not has_calls(folder_of_cache):
        yield _nothing
        return
    try:
        opened = open_calls(folder_of_cache)
    except (DataError, StoreError) as error:
        remark(f"prompts are reconstructed from the records: {error}")
        yield _nothing
        return
    with opened as cache:

        def sent(call: str) -> Exchange | None:
            stored, prompt = cache.get(call), cache.prompt(call)
            return None if stored is None or prompt is None else Exchange(prompt, stored.reply)

        yield sent
