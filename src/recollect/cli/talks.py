"""Finds the dialogues that a run replays instead of holding new ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from recollect.contracts.benchmark import Dataset
from recollect.domain.errors import UsageError
from recollect.domain.ids import HistoryId
from recollect.domain.messages import Message

Talks = Mapping[HistoryId, Sequence[Message]]


def replayed(said: str | None, runs_dir: Path, dataset: Dataset, *, has_user: bool) -> Talks:
    """The dialogues that `--talk` names; none where it names no run.

    Raises:
        UsageError: A simulated user is named too, or the run lacks dialogues or is not what it should be.
    """
    if said is None:
        return {}
    if has_user:
        raise UsageError("--talk replays what was said: nobody plays the simulated user. Leave out --user or --talk.")
    from recollect.cli.runs import find
    from recollect.diagnose.records.dialogues import dialogues_of

    name, _, row = said.partition(":")
    folder = find(name, runs_dir)
    talks = dialogues_of(folder, row or None)
    wanted = [keyed.history.history_id for keyed in dataset.histories]
    missing = [history for history in wanted if history not in talks]
    if missing:
        raise UsageError(
            f"--talk {said}: {folder.path} lacks the dialogues of {len(missing)} of {len(wanted)} histories. "
            "Run on the data, size and seed of that run."
        )
    return {history: talks[history] for history in wanted}
