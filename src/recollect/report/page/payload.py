"""The questions of a run as one JSON value, which the page shows on demand.

Messages, items and long texts are stored once and referred to by number. Short names keep it small:

texts      strings, or [beginning, length]
messages   number -> {i: id, t: text, w: who, s: said at, c: channel, e: number of its session}; those near evidence
histories  [{i: id, a: number of its first message, n: how many}]
items      {t: text, w, s, c, i: [ids of its sources], m: more sources, k: [from, to, ...] messages covered, r: raw}
recalls    {i: [items], a: place of the first listed, n: of so many, s: [scores], o: order, d: rendered text}
entries    the questions as they were asked, each with its cells
floors     task -> the row that remembers nothing
systems    rows under test
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from recollect.domain.histories import Keyed
from recollect.domain.ids import MessageId
from recollect.domain.messages import Message, Session
from recollect.domain.outcomes import Judgement, Part
from recollect.domain.questions import Key, Question
from recollect.records.tables.cells import CellOutcome, Recalled, RecalledItem
from recollect.report.recalls import Recalls
from recollect.report.status import ARMS, outcome_of
from recollect.report.text import plain, question_names, shortened

LISTED = 40
"""Items of a recall that are listed, highest priority first; evidence further down is listed too."""
BEYOND = 8
SOURCES = 6
"""Source ids that are written out."""
EVIDENCE = 40
"""Evidence messages that are included with their text."""
AROUND = 2
"""Messages before and after each of them that are included."""
FEW = 6
"""The messages of an item with at most this many are included."""
DIGITS = 4

Json = dict[str, Any]


def payload(
    keyed: Iterable[Keyed],
    cells: Sequence[CellOutcome],
    prompts: Mapping[str, str],
    recalls: Recalls,
    floors: Mapping[str, str] | None = None,
) -> Json:
    """All that the question pages show; *floors* names, for each task, the row that remembers nothing."""
    return {
        **_Payload(list(keyed), prompts, recalls).of(cells),
        "floors": {plain(task): plain(row) for task, row in (floors or {}).items()},
        "systems": list(dict.fromkeys(plain(cell.row) for cell in cells if not cell.reference)),
    }


class _Payload:
    def __init__(self, keyed: Sequence[Keyed], prompts: Mapping[str, str], recalls: Recalls) -> None:
        self.keyed = {one.history.history_id: one for one in keyed}
        self.places = {history: place for place, history in enumerate(self.keyed)}
        self.questions = {(one.history.history_id, q.question_id): q for one in keyed for q in one.history.questions}
        self.prompts, self.recalls, self.texts = prompts, recalls, Texts()
        self.histories: list[Json] = []
        self.numbers: dict[MessageId, int] = {}
        self.listed: dict[int, tuple[Message, int]] = {}
        """Number -> message and the number of its session."""
        self.messages: dict[int, Json] = {}
        self.items: dict[RecalledItem, int] = {}
        self.item_list: list[Json] = []
        self.recall_numbers: dict[str, int] = {}
        self.recall_list: list[Json] = []
        self.seen: dict[int, tuple[Recalled, int]] = {}
        for one in keyed:
            first = len(self.listed)
            sessions: dict[MessageId, int] = {}
            for number, event in enumerate(one.history.timeline):
                if isinstance(event, Session):
                    sessions.update((message.message_id, number) for message in event.messages)
            for message in one.history.messages():
                self.numbers.setdefault(message.message_id, len(self.listed))
                self.listed[len(self.listed)] = (message, sessions.get(message.message_id, -1))
            many = len(self.listed) - first
            self.histories.append({"i": plain(one.history.history_id), "a": first, "n": many})

    def of(self, cells: Sequence[CellOutcome]) -> Json:
        asked: dict[tuple[str, str, str], list[CellOutcome]] = {}
        for cell in cells:
            asked.setdefault((cell.history, cell.checkpoint, cell.question), []).append(cell)
        entries = [self._entry(mine) for mine in asked.values()]
        for entry, name in zip(entries, question_names(asked), strict=True):
            entry["name"] = plain(name)
        return {
            "entries": entries,
            "histories": self.histories,
            "messages": self.messages,
            "items": self.item_list,
            "recalls": self.recall_list,
            "prompts": {plain(name): shortened(plain(text), CAPS[0]) for name, text in sorted(self.prompts.items())},
            "texts": self.texts.shown(),
        }

    def _entry(self, cells: Sequence[CellOutcome]) -> Json:
        cell = cells[0]
        place = self.places.get(cell.history, -1)
        evidence = sorted(self.numbers[m] for m in cell.evidence if m in self.numbers)
        if place >= 0:
            first, many = self.histories[place]["a"], self.histories[place]["n"]
            for middle in evidence[:EVIDENCE]:
                self._list(range(max(first, middle - AROUND), min(first + many, middle + AROUND + 1)))
        # systems before reference rows, each with its arms together
        ordered = sorted(cells, key=lambda one: (one.reference, one.row, ARMS.index(one.arm), one.replicate, one.take))
        entry = {
            "task": plain(cell.task),
            "history": place,
            "checkpoint": plain(cell.checkpoint),
            "purpose": cell.purpose,
            "labels": {plain(name): plain(value) for name, value in sorted(cell.labels.items())},
            "evidence": _ranges(evidence),
            "cells": [self._cell(one) for one in ordered],
        }
        question, keyed = self.questions.get((cell.history, cell.question)), self.keyed.get(cell.history)
        key = keyed.keys.get(cell.question) if keyed else None
        return _told({**entry, **(self._question(question) if question else {}), **(self._key(key) if key else {})})

    def _list(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            if number not in self.messages and number in self.listed:
                message, session = self.listed[number]
                self.messages[number] = {
                    "i": plain(message.message_id),
                    "t": self.texts.number(message.text),
                    "e": session,
                    **_about(message),
                }

    def _question(self, question: Question) -> Json:
        return {
            "id": plain(question.question_id),
            "text": self.texts.number(question.text),
            "cue": None if question.cue is None else self.texts.number(question.cue),
            "options": [[plain(o.letter), self.texts.number(o.text)] for o in question.options],
            "format": str(question.answer_format),
            "asked_at": question.asked_at,
            "variables": {plain(k): self.texts.number(v) for k, v in sorted(question.variables.items())},
        }

    def _key(self, key: Key) -> Json:
        return {
            "gold": [self.texts.number(text) for text in key.gold],
            "rejected": [self.texts.number(text) for text in key.rejected],
            "fields": [[plain(k), [self.texts.number(t) for t in v]] for k, v in sorted(key.field_gold.items())],
            "oracle": None if key.oracle_text is None else self.texts.number(key.oracle_text),
            "abstain": key.abstain,
            "original": plain(key.original_id),
        }

    def _cell(self, cell: CellOutcome) -> Json:
        recall = None if cell.recall is None else self._recall(cell.recall)
        number = self.texts.number

        def numbered(parts: Iterable[Part | Judgement]) -> list[list[Any]]:
            return [[plain(part.name), part.value, number(part.why) if part.why else None] for part in parts]

        return _told(
            {
                "row": plain(cell.row),
                "arm": str(cell.arm),
                "replicate": cell.replicate,
                "again": cell.take.answer,
                "weighed": cell.take.judge,
                "outcome": outcome_of(cell),
                "value": cell.value,
                "answer": None if cell.answer is None else number(cell.answer),
                "why": number(cell.why) if cell.why else None,
                "cause": plain(cell.cause),
                "stage": plain(cell.stage),
                "failure": cell.failure,
                "parts": numbered(cell.parts),
                "verdict": numbered(cell.verdict.parts if cell.verdict else ()),
                "judge": plain(cell.verdict.judge) if cell.verdict else "",
                "prompt": plain(cell.prompt),
                "tokens": cell.context_tokens,
                "cut": cell.truncated,
                "whole": self.recalls.whole(cell) if cell.truncated else None,
                "state": plain(cell.state),
                "recall": recall,
                "met": self.recalls.met(cell),
                "beyond": self._beyond(cell, recall),
            }
        )

    def _recall(self, recall: Recalled) -> int:
        if id(recall) in self.seen:
            return self.seen[id(recall)][1]
        first = max(0, len(recall.items) - LISTED) if recall.order == "time" else 0
        items = recall.items[first : first + LISTED]
        scores = [None if item.score is None else round(item.score, DIGITS) for item in items]
        listed = _told(
            {
                "i": [self._item(item) for item in items],
                "a": first,
                "n": len(recall.items),
                "s": scores if any(score is not None for score in scores) else [],
                "o": recall.order,
                "d": None if recall.rendered is None else self.texts.number(recall.rendered),
            }
        )
        number = self.recall_numbers.setdefault(repr(listed), len(self.recall_list))
        if number == len(self.recall_list):
            self.recall_list.append(listed)
        self.seen[id(recall)] = recall, number
        return number

    def _beyond(self, cell: CellOutcome, recall: int | None) -> list[list[int]]:
        """Positions and items of evidence that is not among the listed items."""
        if cell.recall is None or recall is None:
            return []
        first = self.recall_list[recall].get("a", 0)
        places = self.recalls.places(cell.recall)
        far = {places[m] for m in cell.evidence if m in places and not first <= places[m] < first + LISTED}
        return [[place, self._item(cell.recall.items[place])] for place in sorted(far)[:BEYOND]]

    def _item(self, item: RecalledItem) -> int:
        name = item if item.score is None else replace(item, score=None)
        if name not in self.items:
            self.items[name] = len(self.item_list)
            covered = sorted(self.numbers[m] for m in item.covers if m in self.numbers)
            if not item.raw and len(covered) <= FEW:
                self._list(covered)
            told = {
                "i": [plain(source) for source in item.sources[:SOURCES]],
                "m": max(0, len(item.sources) - SOURCES),
                "k": _ranges(covered),
                "r": item.raw,
            }
            self.item_list.append({"t": self.texts.number(item.text), **_about(item), **_told(told)})
        return self.items[name]


def _ranges(numbers: Sequence[int]) -> list[int]:
    """Sorted numbers as first, last, first, last, ..."""
    ranges: list[int] = []
    for number in numbers:
        if ranges and number == ranges[-1] + 1:
            ranges[-1] = number
        elif not ranges or number != ranges[-1]:
            ranges.extend((number, number))
    return ranges


def _about(said: Message | RecalledItem) -> Json:
    return _told({"w": plain(said.speaker), "s": plain(said.said_at or ""), "c": plain(said.channel)})


def _told(values: Mapping[str, Any]) -> Json:
    """Without empty values; a 0 stays where it is a value or a number."""
    return {
        name: value
        for name, value in values.items()
        if value not in (None, "", [], {}) and value is not False and not (value == 0 and name in _ZERO_SAYS_NOTHING)
    }


_ZERO_SAYS_NOTHING = frozenset({"replicate", "again", "weighed", "a", "m"})


MOST_CHARACTERS = 12_000_000
"""Of all texts together. Below it every text is whole, up to the first cap."""
CAPS = (20_000, 8_000, 3_000, 1_000, 400, 150)
"""Characters kept of a text: the largest that stays within the bound, else the last."""

Shown = str | Sequence[str | int]
"""A text, or its beginning and its length."""


class Texts:
    """Numbers texts in order of first use."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        return self._numbers.setdefault(text, len(self._numbers))

    def shown(self, most: int = MOST_CHARACTERS) -> list[Shown]:
        """All texts; long ones cut, with their length."""
        lengths = [len(text) for text in self._numbers]
        fitting = (cap for cap in CAPS if sum(min(cap, length) for length in lengths) <= most)
        cap = next(fitting, CAPS[-1])
        return [plain(text) if len(text) <= cap else [plain(text[:cap]), len(text)] for text in self._numbers]
