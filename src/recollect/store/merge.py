"""Puts the parts of a run that was split together again."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from recollect.domain.errors import ChangedConfigError, DataError, UsageError
from recollect.store.journal import unite
from recollect.store.locks import hold
from recollect.store.measures import NAME, unite_notes
from recollect.store.run_folder import RunFolder, config_differences, share_of

_WHOLE = ("prompts.json", "data")


def merge(parts: Sequence[RunFolder], target: RunFolder) -> RunFolder:
    """All records of *parts* in *target*.

    Raises:
        ChangedConfigError: The parts were made under different configs.
        ClashError: Two parts hold different records under one key.
    """
    if not parts:
        raise UsageError("merge: name at least one run.")
    _check_same_config(parts)
    target.create({**parts[0].settings()})
    for part in parts:
        _copy_whole(part.path, target.path)
        unite_notes(part.path / NAME, target.path / NAME)
        target.write_plan(part.planned())
        for facts in part.trials():
            if not isinstance(facts.get("trial"), str):
                raise DataError("a trial.json names no trial", part.path, fix="Leave this run out.")
            _merge_trial(part, target, facts["trial"])
            target.write_trial(facts["trial"], facts)
    return target


def _check_same_config(parts: Sequence[RunFolder]) -> None:
    """Before anything is written: a target that was begun with the wrong part would refuse the right ones."""
    first, *others = parts
    for part in others:
        differences = tuple(config_differences(first.settings()["config"], part.settings()["config"]))
        if differences:
            place = f"{part.path} beside {first.path}"
            raise ChangedConfigError(place, differences, fix="Merge the parts of one run only.")


def missing(parts: Sequence[RunFolder], whole: RunFolder) -> list[str]:
    """What keeps *whole* from being finished: parts that nobody gave, and parts that are not done, each by name."""
    planned = whole.planned()
    unfinished = {trial for trial, plan in planned.items() if whole.journal(trial).planned_done() < plan.records}
    given = {share: part for part in parts for share in part.parts()}
    of = max((of for _, of in given), default=1)
    found = []
    for number in range(1, of + 1):
        left = unfinished & share_of(planned, (number, of))
        if left and (number, of) in given:
            place = given[number, of].path
            found.append(f"part {number}/{of} in {place} is not finished: {len(left)} of its trials are left")
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


def _copy_whole(source: Path, target: Path) -> None:
    for name in _WHOLE:
        if (source / name).is_dir() and not (target / name).exists():
            shutil.copytree(source / name, target / name)
        elif (source / name).is_file() and not (target / name).exists():
            shutil.copyfile(source / name, target / name)
