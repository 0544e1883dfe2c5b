"""Puts the parts of a run that was split together again."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from recollect.domain.errors import DataError, UsageError
from recollect.store.files import disk_errors
from recollect.store.journal import unite
from recollect.store.locks import hold
from recollect.store.run_folder import RunFolder

_WHOLE = ("prompts.json", "data")


def merge(parts: Sequence[RunFolder], target: RunFolder) -> RunFolder:
    """All records of *parts* in *target*.

    Raises:
        ChangedConfigError: The parts were made under different configs.
        ClashError: Two parts hold different records under one key.
    """
    if not parts:
        raise UsageError("merge: name at least one run.")
    for part in parts:
        target.create({**part.settings()})
    for part in parts:
        _copy_whole(part.path, target.path)
        target.write_plan(part.planned())
        for facts in part.trials():
            if not isinstance(facts.get("trial"), str):
                raise DataError("a trial.json names no trial", part.path, fix="Leave this run out.")
            _merge_trial(part, target, facts["trial"])
            target.write_trial(facts["trial"], facts)
    return target


def _merge_trial(part: RunFolder, target: RunFolder, trial: str) -> None:
    with hold(target.trial(trial) / "lock", f"trial {trial} of {target.path}"):
        journal = target.journal(trial, write=True)
        source = part.journal(trial)
        try:
            unite(journal, source)
        finally:
            journal.close()
            source.close()
    _append(part.trial(trial) / "measures.jsonl", target.trial(trial) / "measures.jsonl")


def _append(source: Path, target: Path) -> None:
    """Measures of two parts of one trial stand one after the other; the same ones are not added twice."""
    if not source.exists():
        return
    lines = source.read_bytes()
    known = target.read_bytes() if target.exists() else b""
    if lines not in known:
        with disk_errors(target), target.open("ab") as out:
            out.write(lines)


def _copy_whole(source: Path, target: Path) -> None:
    for name in _WHOLE:
        if (source / name).is_dir() and not (target / name).exists():
            shutil.copytree(source / name, target / name)
        elif (source / name).is_file() and not (target / name).exists():
            shutil.copyfile(source / name, target / name)
