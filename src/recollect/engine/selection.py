"""Selects a part of the work: some tasks, a number of questions spread evenly, or one shard of the trials."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from itertools import islice, zip_longest

from recollect.contracts.benchmark import Dataset
from recollect.domain.errors import UnknownNameError, UsageError
from recollect.domain.histories import Asking, Event, Keyed
from recollect.domain.ids import QuestionId
from recollect.engine.plan import Trial


def only_tasks(dataset: Dataset, tasks: Sequence[str]) -> Dataset:
    """The histories of *tasks*."""
    known = {keyed.task for keyed in dataset.histories}
    for task in tasks:
        if task not in known:
            raise UnknownNameError("task of these data", task, known)
    return replace(dataset, histories=tuple(keyed for keyed in dataset.histories if keyed.task in tasks))


def limit(dataset: Dataset, questions: int) -> Dataset:
    """At most *questions* questions, spread evenly over tasks, then over histories, then along each history."""
    by_task: dict[str, list[list[QuestionId]]] = {}
    for keyed in dataset.histories:
        names = _spread([question.question_id for question in keyed.history.questions])
        by_task.setdefault(keyed.task, []).append(names)
    tasks = [list(_in_turn(lists)) for _, lists in sorted(by_task.items())]
    kept = set(islice(_in_turn(tasks), questions))
    histories = (_only(keyed, kept) for keyed in dataset.histories)
    return replace(dataset, histories=tuple(keyed for keyed in histories if keyed.history.questions))


def _spread(items: list[QuestionId]) -> list[QuestionId]:
    """The same items in an order whose every beginning is spread over the whole: first, middle, quarters …"""
    width = max(1, (len(items) - 1).bit_length())
    order = sorted(range(len(items)), key=lambda i: int(format(i, f"0{width}b")[::-1], 2))
    return [items[i] for i in order]


def _in_turn(lists: Sequence[list[QuestionId]]) -> Iterator[QuestionId]:
    """One of each list in turn, until all are used up."""
    return (item for items in zip_longest(*lists) for item in items if item is not None)


def _only(keyed: Keyed, kept: Set[QuestionId]) -> Keyed:
    asked = {q.question_id for q in keyed.history.questions}
    timeline: list[Event] = []
    for event in keyed.history.timeline:
        if isinstance(event, Asking):
            names = tuple(name for name in event.question_ids if name in kept)
            timeline.append(replace(event, question_ids=names))
        else:
            timeline.append(event)
    questions = tuple(q for q in keyed.history.questions if q.question_id in kept)
    return replace(
        keyed,
        history=replace(keyed.history, questions=questions, timeline=tuple(timeline)),
        keys={name: key for name, key in keyed.keys.items() if name in kept or name not in asked},
    )


def shard(trials: Sequence[Trial], number: int, of: int) -> list[Trial]:
    """The *number*-th of *of* parts; every trial is in exactly one of them, whoever asks."""
    if not 1 <= number <= of:
        raise UsageError(f"--shard {number}/{of}: the first number counts from 1 to the second.")
    ordered = sorted(trials, key=lambda trial: trial.trial_id)
    return ordered[number - 1 :: of]


def parse_shard(text: str) -> tuple[int, int]:
    """`2/8` as numbers."""
    first, slash, second = text.partition("/")
    if not (slash and first.isdecimal() and second.isdecimal()):
        raise UsageError(f"--shard {text!r}: not of the form i/n, such as 2/8.")
    return int(first), int(second)
