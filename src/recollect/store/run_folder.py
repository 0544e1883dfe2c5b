"""The layout of a run folder, in one place.

run.json        schema, who made it, the resolved config with each value's origin
data/           histories, keys, what tasks share, talks that are replayed: all that is needed to recompute the scores
run_id          names the run on the ledger of models, where it calls some
max_cost.json   what the run may spend; prices.yaml, by which prices, where they are yours
plan.json       how many records each trial will have, and in which row it stands
prompts.json    the templates used, by digest
trials/<id>/    trial.json, records.jsonl, measures.jsonl, snapshots/, room/ while it runs
report/         made from the above, at any time
.lock-i-n       held by the process that does part i of n; it stays, and says which part the folder is of
.lock-whole     held by the process that does all of the run
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
MADE_TO_ROWS = ("rows", "memories", "agents")
"""Places of a config that say which rows there are."""
Part = tuple[int, int]
"""The first of two parts is (1, 2)."""


class Planned(NamedTuple):
    """What is foreseen for a trial."""

    records: int
    row: str = ""
    """Its label; empty in a plan of an older version."""


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

    def write_plan(self, planned: Mapping[str, Planned]) -> None:
        """Say what each trial of the run will have; only ever grows, since parts may plan apart."""
        known = self.planned()
        if any(known.get(trial) != plan for trial, plan in planned.items()):
            whole = {trial: plan._asdict() for trial, plan in {**known, **planned}.items()}
            write_whole(self.path / "plan.json", _pretty(whole))

    def planned(self) -> Mapping[str, Planned]:
        """Trial -> what it will have."""
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
        """The file that a process holds which does *part*, or the whole."""
        return self.path / (f".lock-{part[0]}-{part[1]}" if part else ".lock-whole")

    def parts(self) -> frozenset[Part]:
        """The parts that were begun here; none where the whole was, or nothing yet."""
        names = [re.fullmatch(r"\.lock-(\d+)-(\d+)", file.name) for file in self.path.glob(".lock-*")]
        if self.lock(None).exists():
            return frozenset()
        return frozenset((int(name[1]), int(name[2])) for name in names if name)

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
        """Make the folder, or check that it was made under the same config; what was asked beside it may change.

        Raises:
            ChangedConfigError: With every difference.
        """
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
        """There is a record."""
        return any(self.path.glob("trials/*/records.jsonl"))

    def discard(self) -> None:
        """Forget what was written of a run that never began, but for what it paid."""
        for file in (self.path / "run.json", self.path / "plan.json", self.path / "prompts.json"):
            file.unlink(missing_ok=True)
        shutil.rmtree(self.path / "data", ignore_errors=True)

    def run_id(self) -> str:
        """A random name of this very run, made once: whose money it was. No part of what the run is."""
        file = self.path / "run_id"
        if not file.exists():
            write_once(file, f"{secrets.token_hex(8)}\n".encode())
        return file.read_text(encoding="utf-8").strip()

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

    def write_talks(self, talks: Mapping[HistoryId, Sequence[Message]]) -> None:
        """Store what was said in the dialogues that the run replays; done once."""
        file = self.path / DIALOGUES
        if talks and not file.exists():
            said = {name: [encode(message) for message in talk] for name, talk in sorted(talks.items())}
            write_whole(file, gzip.compress(canonical(said).encode(), mtime=0))

    def talks(self) -> dict[HistoryId, tuple[Message, ...]]:
        """What was said in the dialogues that the run replays, by history; empty where it replays none."""
        file = self.path / DIALOGUES
        if not file.exists():
            return {}
        try:
            said = json.loads(gzip.decompress(file.read_bytes()))
        except (OSError, EOFError, ValueError) as error:
            raise DataError(f"cannot be read ({error})", file, fix="Run again under another `--name`.") from None
        return {
            HistoryId(name): tuple(decode(Message, message, where=str(file)) for message in talk)
            for name, talk in said.items()
        }

    def shared(self) -> Mapping[str, Any]:
        """What all keys of a task use."""
        return _read_json(self.path / "data" / "shared.json")

    def prompts(self) -> Mapping[str, str]:
        """The templates used, by digest."""
        return _read_json(self.path / "prompts.json")


def share_of(trials: Iterable[str], part: Part) -> set[str]:
    """The trials that belong to a part; the same ones that `recollect.engine.selection` picks."""
    number, of = part
    return set(sorted(trials)[number - 1 :: of])


def config_differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    """Each place where two configs differ; rows by their label, and what rows are made of only where they agree."""
    rows = list(_row_differences(old.get("rows"), new.get("rows")))
    told = MADE_TO_ROWS if rows else ()
    before, after = ({key: one[key] for key in one if key not in told} for one in (old, new))
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
            yield f"row `{label}` changed: {', '.join(_row_changes(before[label], after[label]))}"
    if list(before) != list(after) and set(before) == set(after):
        yield f"rows stand in another order: was {', '.join(before)}, now {', '.join(after)}"


def _row_changes(old: Any, new: Any) -> Iterator[str]:
    changes = list(differ(old, new))
    yield from (change for change in changes if not change.startswith("`source` "))
    if any(change.startswith("`source` ") for change in changes):
        yield "its file was edited"


def _by_label(rows: Any) -> dict[str, Any]:
    """Rows as run.json has them; anything else is no row."""
    listed = rows if isinstance(rows, list) else []
    return {str(row["label"]): row.get("system") for row in listed if isinstance(row, dict) and "label" in row}


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
