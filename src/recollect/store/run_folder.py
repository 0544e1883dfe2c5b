"""The layout of a run folder, in one place.

run.json        schema, who made it, the resolved config with each value's origin
data/           histories, keys, what tasks share: all that is needed to recompute the scores
plan.json       how many records each trial will have
prompts.json    the templates used, by digest
trials/<id>/    trial.json, records.jsonl, measures.jsonl, snapshots/, room/ while it runs
report/         made from the above, at any time
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from recollect.domain.errors import ChangedConfigError, DataError, NewerSchemaError, UsageError
from recollect.domain.histories import Keyed
from recollect.records.codec import decode, encode
from recollect.records.digests import canonical
from recollect.store.files import write_whole
from recollect.store.journal import Journal

SCHEMA = 1


class RunFolder:
    """A run on disk. Opening reads nothing; each method reads or writes what its name says."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def name(self) -> str:
        """The run's name: that of its folder."""
        return self.path.name

    @property
    def report(self) -> Path:
        """Where the report goes."""
        return self.path / "report"

    def trial(self, trial_id: str) -> Path:
        """The folder of one trial.

        Raises:
            DataError: The id is none of ours, but a path.
        """
        if not re.fullmatch(r"[\w:-]+", trial_id):
            raise DataError(f"{trial_id!r} is no id of a trial", self.path, fix="Leave this run out.")
        return self.path / "trials" / trial_id.replace(":", "-")

    def journal(self, trial_id: str, *, write: bool = False) -> Journal:
        """The records of one trial."""
        return Journal(self.trial(trial_id) / "records.jsonl", write=write)

    def trials(self) -> list[Mapping[str, Any]]:
        """What each trial is, sorted by id."""
        files = sorted((self.path / "trials").glob("*/trial.json"))
        return [_read_json(file) for file in files]

    def write_trial(self, trial_id: str, facts: Mapping[str, Any]) -> None:
        """Say what a trial is; saying the same again changes nothing."""
        file = self.trial(trial_id) / "trial.json"
        if not file.exists() or file.read_bytes() != _pretty(facts):
            write_whole(file, _pretty(facts))

    def write_plan(self, planned: Mapping[str, int]) -> None:
        """Say how many records each trial of the run will have; only ever grows, since parts may plan apart."""
        file = self.path / "plan.json"
        known = self.planned()
        if any(known.get(trial) != count for trial, count in planned.items()):
            write_whole(file, _pretty({**known, **planned}))

    def planned(self) -> Mapping[str, int]:
        """Trial -> how many records it will have."""
        file = self.path / "plan.json"
        return _read_json(file) if file.exists() else {}

    def settings(self) -> Mapping[str, Any]:
        """The content of run.json.

        Raises:
            UsageError: There is no run here.
            NewerSchemaError: A newer version made it.
        """
        file = self.path / "run.json"
        if not file.is_file():
            raise UsageError(
                f"{self.path}: no run here (run.json is missing). `recollect status` lists the runs there are."
            )
        settings = _read_json(file)
        if settings.get("schema", 0) > SCHEMA:
            raise NewerSchemaError(
                f"{file}: made by recollect {settings.get('made_by')}, newer than this one. Upgrade."
            )
        return settings

    def create(self, settings: Mapping[str, Any]) -> None:
        """Make the folder, or check that it was made under the same config.

        Raises:
            ChangedConfigError: With every difference.
        """
        if (self.path / "run.json").exists():
            differences = tuple(differ(self.settings()["config"], settings["config"]))
            if differences:
                raise ChangedConfigError(str(self.path), differences)
            return
        write_whole(self.path / "run.json", _pretty({"schema": SCHEMA, **settings}))

    def write_data(self, histories: Iterable[Keyed], shared: Mapping[str, Any], prompts: Mapping[str, str]) -> None:
        """Store what the questions are about; done once."""
        folder = self.path / "data"
        if (folder / "shared.json").exists():
            return
        lines = [canonical(encode(keyed)) for keyed in histories]
        try:
            packed = gzip.compress("\n".join(lines).encode(), mtime=0)
        except UnicodeEncodeError as error:
            raise DataError(f"a text holds half a character ({error})", folder, fix="Mend the data.") from None
        write_whole(folder / "histories.jsonl.gz", packed)
        write_whole(self.path / "prompts.json", _pretty(prompts))
        write_whole(folder / "shared.json", _pretty(shared))

    def histories(self) -> Iterator[Keyed]:
        """The histories with their keys."""
        file = self.path / "data" / "histories.jsonl.gz"
        try:
            text = gzip.decompress(file.read_bytes()).decode()
        except (OSError, EOFError, UnicodeDecodeError) as error:
            raise DataError(f"cannot be read ({error})", file, fix="Run again under another `--name`.") from None
        for number, line in enumerate(filter(None, text.split("\n")), start=1):
            yield decode(Keyed, json.loads(line), where=str(file), line=number)

    def shared(self) -> Mapping[str, Any]:
        """What all keys of a task use."""
        return _read_json(self.path / "data" / "shared.json")

    def prompts(self) -> Mapping[str, str]:
        """The templates used, by digest."""
        return _read_json(self.path / "prompts.json")


def differ(old: Any, new: Any, path: str = "") -> Iterator[str]:
    """Each place where two configs differ, with both values."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in sorted({*old, *new}):
            yield from differ(old.get(key), new.get(key), f"{path}.{key}" if path else key)
    elif old != new:
        yield f"`{path}` was {canonical(old)}, now {canonical(new)}"


def _pretty(data: Any) -> bytes:
    return (json.dumps(data, indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n").encode()


def _read_json(file: Path) -> Mapping[str, Any]:
    try:
        data = json.loads(file.read_bytes())
    except FileNotFoundError:
        raise DataError("the file is missing", file, fix="Run again; what is recorded is kept.") from None
    except ValueError as error:
        raise DataError(f"not JSON ({error})", file, fix="Restore it from a copy, or run again.") from None
    if not isinstance(data, dict):
        raise DataError("not a JSON object", file, fix="Restore it from a copy, or run again.")
    return data
