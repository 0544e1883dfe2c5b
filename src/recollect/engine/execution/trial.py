"""Runs one trial from wherever it stands to its end: under its lock, from its records alone."""

from __future__ import annotations

import shutil
from dataclasses import dataclass

from recollect.domain.steps import Ask
from recollect.engine.context import ExecutionContext
from recollect.engine.execution.answering import Answerer
from recollect.engine.execution.asking import Asker, oracle, why_not
from recollect.engine.execution.states import StateBrokenError, States
from recollect.engine.faults import DivergedError
from recollect.engine.feeding.visibility import VisibleMessages, all_visible
from recollect.engine.plan import Stage, Trial
from recollect.engine.records_writer import RecordsWriter
from recollect.store import files
from recollect.store.journal import Journal
from recollect.store.locks import hold


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """How a trial ended."""

    trial: Trial
    complete: bool
    faults: int
    voided: int


def run_trial(trial: Trial, place: ExecutionContext) -> Finished:
    """Do all that is left of *trial*.

    Raises:
        BusyError: Another process works on it.
        InterruptedRunError: Somebody asked to stop; what is recorded stays.
    """
    home = place.folder.trial(trial.trial_id)
    with hold(home / "lock", f"trial {trial.trial_id} of {place.folder.path}"):
        place.folder.write_trial(trial.trial_id, trial.facts())
        journal = place.folder.journal(trial.trial_id, write=True)
        try:
            _work(trial, place, journal)
            _tidy(trial, place, journal)
            return _finished(trial, journal)
        finally:
            journal.close()
            shutil.rmtree(home / "room", ignore_errors=True)
            shutil.rmtree(home / "copy", ignore_errors=True)
            shutil.rmtree(home / ".snapshots-gone", ignore_errors=True)


def is_complete(trial: Trial, journal: Journal) -> bool:
    """Every planned key has a record that counts."""
    return trial.keys() <= journal.done.keys()


def _finished(trial: Trial, journal: Journal) -> Finished:
    return Finished(trial=trial, complete=is_complete(trial, journal), faults=len(journal.faults), voided=journal.voids)


def _work(trial: Trial, place: ExecutionContext, journal: Journal) -> None:
    """Try until an attempt goes through; one that contradicts its records is void, and the next starts afresh."""
    diverged = not is_complete(trial, journal)
    while diverged:
        book = RecordsWriter(trial=trial, journal=journal, place=place, shown=_shown(trial, journal))
        try:
            _attempt(trial, place, book)
            diverged = False
        except DivergedError as error:
            book.void(str(error))


def _shown(trial: Trial, journal: Journal) -> VisibleMessages:
    """All that the episode shows, with what was said in dialogues that are recorded."""
    shown = all_visible(stage.step for stage in trial.stages)
    for _, state in journal.bodies("state"):
        shown.add_talk(state.talk)
        shown.add_pieces(state.pieces)
    return shown


def _attempt(trial: Trial, place: ExecutionContext, book: RecordsWriter) -> None:
    if trial.row.kind == "oracle":
        _read_evidence(trial, place, book)
        return
    files.drop_other_snapshots(place.folder.trial(trial.trial_id) / "snapshots", _saved(book.journal))
    states = States(trial=trial, place=place, book=book)
    asker = Asker(trial=trial, place=place, book=book, states=states)
    states.replay_ask = asker.replay
    try:
        _walk(trial, states, asker, Answerer(trial=trial, place=place, book=book))
    finally:
        states.close()
        book.sync()


def _walk(trial: Trial, states: States, asker: Asker, answerer: Answerer) -> None:
    broken = trial.cannot is not None
    for stage in trial.stages:
        if not broken:
            try:
                _do(stage, states, asker)
            except StateBrokenError:
                broken = True
        else:
            asker.give_up(stage)
        if isinstance(stage.step, Ask):
            answerer.answer(stage)


def _do(stage: Stage, states: States, asker: Asker) -> None:
    if isinstance(stage.step, Ask):
        asker.ask(stage)
    elif not states.book.has(stage.after):
        states.pass_through(stage)


def _read_evidence(trial: Trial, place: ExecutionContext, book: RecordsWriter) -> None:
    book.shown.add_talk(trial.keyed.history.messages())
    answerer = Answerer(trial=trial, place=place, book=book)
    for stage in trial.stages:
        for cell in stage.cells:
            why = why_not(trial, cell)
            if why is not None:
                book.unavailable(cell, why)
            elif not book.has(cell.recall):
                book.recall(cell, oracle(trial, cell))
        answerer.answer(stage)


def _saved(journal: Journal) -> set[str]:
    return {body.folder for _, body in journal.bodies("snapshot")}


def _tidy(trial: Trial, place: ExecutionContext, journal: Journal) -> None:
    """A finished trial keeps its saved states only where making them again would cost model calls."""
    home = place.folder.trial(trial.trial_id)
    if is_complete(trial, journal) and not trial.row.traits.models_on_write:
        gone = home / ".snapshots-gone"
        if (home / "snapshots").is_dir():
            (home / "snapshots").replace(gone)
        shutil.rmtree(gone, ignore_errors=True)
