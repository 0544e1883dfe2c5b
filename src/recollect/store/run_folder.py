"""The layout of a run folder, in one place.

run.json        schema, who made it, the resolved config with each value's origin
data/           histories, keys, what tasks share, replayed dialogues: everything needed to recompute the scores
run_id          identifies the run on the ledger of models, if it calls any
max_cost.json   the spending limit; prices.yaml, the prices, if you gave your own
plan.json       the number of records of each trial, and its row
prompts.json    the templates used, by digest
trials/<id>/    trial.json, records.jsonl, measures.jsonl, snapshots/, room/ while it runs
report/         made from the above, at any time
.lock-i-n       locked by the process that runs part i of n; the file stays and marks the part
.lock-whole     locked by the process that runs the whole run
"""

from __future__ import annotations

import gzip
import json
import re
import secrets
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from recollect.domain.errors import ChangedConfigError, DataError, NewerSchemaError, UsageError
from recollect.domain.histories import Keyed
from recollect.domain.ids import HistoryId
from recollect.domain.messages import Message
from recollect.records.codec import decode, encode
from recollect.records.digests import canonical
from recollect.store.files import write_once, write_whole
from recollect.store.journal import Journal

SCHEMA = 1
DIALOGUES = "data/talks.json.gz"
Part = tuple[int, int]
"""Number and count: the first of two parts is (1, 2)."""


class Planned(NamedTuple):
    """The plan of a trial."""

    records: int
    row: str = ""
    """Its label; empty in a plan of an older version."""


class RunFolder:
    """A run on disk. Opening reads nothing."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def name(self) -> str:
        return self.path.name

    @property
    def report(self) -> Path:
        return self.path / "report"

    def trial(self, trial_id: str) -> Path:
        """The folder of one trial."""
        if not re.fullmatch(r"[\w:-]+", trial_id):
            raise DataError(f"{trial_id!r} is no id of a trial", self.path, fix="Leave this run out.")
        return self.path / "trials" / trial_id.replace(":", "-")

    def journal(self, trial_id: str, *, write: bool = False) -> Journal:
        """The records of one trial."""
        return Journal(self.trial(trial_id) / "records.jsonl", write=write)

    def trials(self) -> list[Mapping[str, Any]]:
        """The content of each trial.json, sorted by id."""
        return [_read_json(file) for file in sorted((self.path / "trials").glob("*/trial.json"))]

    def write_trial(self, trial_id: str, facts: Mapping[str, Any]) -> None:
        """Write the trial.json of a trial unless it is the same."""
        file = self.trial(trial_id) / "trial.json"
        if not file.exists() or file.read_bytes() != _pretty(facts):
            write_whole(file, _pretty(facts))

    def write_plan(self, planned: Mapping[str, Planned]) -> None:
        """Add the plans of trials; none is removed, since parts plan separately."""
        known = self.planned()
        if any(known.get(trial) != plan for trial, plan in planned.items()):
            whole = {trial: plan._asdict() for trial, plan in {**known, **planned}.items()}
            write_whole(self.path / "plan.json", _pretty(whole))

    def planned(self) -> Mapping[str, Planned]:
        """The plan of each trial."""
        file = self.path / "plan.json"
        if not file.exists():
            return {}
        try:
            return {
                trial: Planned(**plan) if isinstance(plan, dict) else Planned(int(plan))
                for trial, plan in _read_json(file).items()
            }
        except (TypeError, ValueError) as error:
            raise DataError(f"no plan of trials ({error})", file, fix="Delete it, and run again.") from None

    def lock(self, part: Part | None) -> Path:
        """The file locked by the process that runs *part*, or the whole."""
        return self.path / (f".lock-{part[0]}-{part[1]}" if part else ".lock-whole")

    def parts(self) -> frozenset[Part]:
        """The parts that were started here; empty if the whole run was, or nothing yet."""
        names = [re.fullmatch(r"\.lock-(\d+)-(\d+)", file.name) for file in self.path.glob(".lock-*")]
        if self.lock(None).exists():
            return frozenset()
        return frozenset((int(name[1]), int(name[2])) for name in names if name)

    def settings(self) -> Mapping[str, Any]:
        """The content of run.json."""
        file = self.path / "run.json"
        if not file.is_file():
            raise UsageError(f"{self.path}: no run here (run.json is missing). `recollect status` lists all runs.")
        settings = _read_json(file)
        if settings.get("schema", 0) > SCHEMA:
            raise NewerSchemaError(
                f"{file}: made by recollect {settings.get('made_by')}, newer than this one. Upgrade."
            )
        return settings

    def create(self, settings: Mapping[str, Any]) -> None:
        """Create the folder, or check that it has the same config; `asked` may change."""
        if (self.path / "run.json").exists():
            known = self.settings()
            differences = tuple(config_differences(known["config"], settings["config"]))
            if differences:
                raise ChangedConfigError(str(self.path), differences)
            asked = settings.get("asked", known.get("asked"))
            if asked == known.get("asked"):
                return
            settings = {**known, "asked": asked}
        write_whole(self.path / "run.json", _pretty({"schema": SCHEMA, **settings}))

    def begun(self) -> bool:
        return any(self.path.glob("trials/*/records.jsonl"))

    def discard(self) -> None:
        """Delete what was written of a run without records, except what it paid."""
        for file in (self.path / "run.json", self.path / "plan.json", self.path / "prompts.json"):
            file.unlink(missing_ok=True)
        shutil.rmtree(self.path / "data", ignore_errors=True)

    def run_id(self) -> str:
        """A random id, made once, under which the run's costs are booked. Not part of its identity."""
        file = self.path / "run_id"
        if not file.exists():
            write_once(file, f"{secrets.token_hex(8)}\n".encode())
        return file.read_text(encoding="utf-8").strip()

    def write_data(self, histories: Iterable[Keyed], shared: Mapping[str, Any], prompts: Mapping[str, str]) -> None:
        """Store histories, shared data and prompts; once."""
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
        file = self.path / "data" / "histories.jsonl.gz"
        try:
            text = gzip.decompress(file.read_bytes()).decode()
        except (OSError, EOFError, UnicodeDecodeError) as error:
            raise DataError(f"cannot be read ({error})", file, fix="Run again under another `--name`.") from None
        for number, line in enumerate(filter(None, text.split("\n")), start=1):
            yield decode(Keyed, json.loads(line), where=str(file), line=number)

    def write_talks(self, talks: Mapping[HistoryId, Sequence[Message]]) -> None:
        """Store the dialogues that the run replays; once."""
        file = self.path / DIALOGUES
        if talks and not file.exists():
            encoded = {name: [encode(message) for message in dialogue] for name, dialogue in sorted(talks.items())}
            write_whole(file, gzip.compress(canonical(encoded).encode(), mtime=0))

    def talks(self) -> dict[HistoryId, tuple[Message, ...]]:
        """The dialogues that the run replays, by history."""
        file = self.path / DIALOGUES
        if not file.exists():
            return {}
        try:
            dialogues = json.loads(gzip.decompress(file.read_bytes()))
        except (OSError, EOFError, ValueError) as error:
            raise DataError(f"cannot be read ({error})", file, fix="Run again under another `--name`.") from None
        return {
            HistoryId(name): tuple(decode(Message, message, where=str(file)) for message in dialogue)
            for name, dialogue in dialogues.items()
        }

    def shared(self) -> Mapping[str, Any]:
        """Data that all keys of a task share."""
        return _read_json(self.path / "data" / "shared.json")

    def prompts(self) -> Mapping[str, str]:
        return _read_json(self.path / "prompts.json")


def share_of(trials: Iterable[str], part: Part) -> set[str]:
    """The trials that belong to a part; the same ones that `recollect.engine.selection` picks."""
    number, of = part
    return set(sorted(trials)[number - 1 :: of])


def config_differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    """Each difference of two configs; rows by label, and the keys that rows are made from only if the rows agree."""
    rows = list(_row_differences(old.get("rows"), new.get("rows")))
    skipped = ("rows", "memories", "agents") if rows else ()
    before, after = ({key: config[key] for key in config if key not in skipped} for config in (old, new))
    yield from differ(before, after)
    yield from rows


def _row_differences(old: Any, new: Any) -> Iterator[str]:
    if old == new:
        return
    before, after = _by_label(old), _by_label(new)
    for label in dict.fromkeys([*before, *after]):
        if label not in after:
            yield f"row `{label}` removed"
        elif label not in before:
            yield f"row `{label}` added"
        elif before[label] != after[label]:
            changes = list(differ(before[label], after[label]))
            listed = [change for change in changes if not change.startswith("`source` ")]
            edited = ["its file was edited"] if len(listed) < len(changes) else []
            yield f"row `{label}` changed: {', '.join([*listed, *edited])}"
    if list(before) != list(after) and set(before) == set(after):
        yield f"the order of rows changed: was {', '.join(before)}, now {', '.join(after)}"


def _by_label(rows: Any) -> dict[str, Any]:
    """Rows of run.json; anything else is ignored."""
    listed = rows if isinstance(rows, list) else []
    return {str(row["label"]): row.get("system") for row in listed if isinstance(row, dict) and "label" in row}


def differ(old: Any, new: Any, path: str = "") -> Iterator[str]:
    """Each difference of two configs, with both values."""
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
