"""Merges the parts of a run that was split."""

from __future__ import annotations

import shutil
from collections.abc import Sequence

from recollect.domain.errors import ChangedConfigError, DataError, UsageError
from recollect.store.journal import unite
from recollect.store.locks import hold
from recollect.store.measures import NAME, unite_notes
from recollect.store.run_folder import RunFolder, config_differences, share_of


def merge(parts: Sequence[RunFolder], target: RunFolder) -> RunFolder:
    """Write all records of *parts* to *target*.

    Raises:
        ChangedConfigError: If the parts have different configs.
        ClashError: If two parts have different records under one key.
    """
    if not parts:
        raise UsageError("merge: no run is named. Name at least one.")
    first, *others = parts
    # Before anything is written: a target that was begun with the wrong part would refuse the right ones.
    for part in others:
        differences = tuple(config_differences(first.settings()["config"], part.settings()["config"]))
        if differences:
            where = f"{part.path} beside {first.path}"
            raise ChangedConfigError(where, differences, fix="Merge the parts of one run only.")
    target.create({**first.settings()})
    for part in parts:
        for name in ("prompts.json", "data"):
            copied, copy = part.path / name, target.path / name
            if copied.is_dir() and not copy.exists():
                shutil.copytree(copied, copy)
            elif copied.is_file() and not copy.exists():
                shutil.copyfile(copied, copy)
        unite_notes(part.path / NAME, target.path / NAME)
        target.write_plan(part.planned())
        for facts in part.trials():
            if not isinstance(facts.get("trial"), str):
                raise DataError("a trial.json names no trial", part.path, fix="Leave this run out.")
            _merge_trial(part, target, facts["trial"])
            target.write_trial(facts["trial"], facts)
    return target


def missing(parts: Sequence[RunFolder], whole: RunFolder) -> list[str]:
    """Why *whole* is not finished: the parts that are missing or not done, each by name."""
    planned = whole.planned()
    unfinished = {trial for trial, plan in planned.items() if whole.journal(trial).planned_done() < plan.records}
    begun = {share: part for part in parts for share in part.parts()}
    of = max((of for _, of in begun), default=1)
    found = []
    for number in range(1, of + 1):
        left = unfinished & share_of(planned, (number, of))
        if left and (number, of) in begun:
            where = begun[number, of].path
            found.append(f"part {number}/{of} in {where} is not finished: {len(left)} of its trials are left")
        elif left and of > 1:
            found.append(f"part {number}/{of} is missing: {len(left)} trials")
        elif left:
            found.append(f"{len(left)} of {len(planned)} trials are not finished in any of the parts")
    return found


def _merge_trial(part: RunFolder, target: RunFolder, trial: str) -> None:
    with hold(target.trial(trial) / "lock", f"trial {trial} of {target.path}"):
        journal = target.journal(trial, write=True)
        source = part.journal(trial)
        try:
            unite(journal, source)
        finally:
            journal.close()
            source.close()
    unite_notes(part.trial(trial) / NAME, target.trial(trial) / NAME)
