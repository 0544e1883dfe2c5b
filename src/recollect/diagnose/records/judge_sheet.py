"""What people should judge after a judge: answers of a run, several to a question, with all that the judge is told.

Where a question has fewer distinct answers than wanted, accepted and wrong ones of its key stand in, each marked so.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from random import Random
from typing import NamedTuple

from recollect.contracts.benchmark import TaskCard
from recollect.contracts.sheets import Scale, Sheet, SheetItem
from recollect.contracts.verdicts import MISSED
from recollect.diagnose.records.join import JoinedRun
from recollect.domain.exchange import Reply
from recollect.domain.ids import CheckpointId, HistoryId, QuestionId
from recollect.domain.outcomes import Verdict
from recollect.domain.questions import Key, Question
from recollect.records.tables.summary import CellOutcome

NAME = "judge"
QUESTIONS, CANDIDATES = 45, 5
"""As many as SubtleMemory's raters were given, in all and of each question."""
WRONG, RIGHT = "0", "1"
SCALE = Scale(points={WRONG: "wrong", RIGHT: "right"}, best="last")
ASKED = "Is the answer right, going by what is told above it alone?"
DECLINED = "(no answer: the system declined)"
NO_ANSWER = "no answer of this run was weighed by a judge"


class Candidate(NamedTuple):
    """An answer with all that a judge is told beside it."""

    question: Question
    key: Key
    reply: Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeSheet:
    """A sheet, and what of it the judge has not weighed yet."""

    sheet: Sheet
    unweighed: Mapping[str, Candidate]
    """Item -> what stands in from the key: no run has asked a judge about it."""


class _Asked(NamedTuple):
    history: HistoryId
    checkpoint: CheckpointId
    question: QuestionId


class _Answer(NamedTuple):
    """One candidate, before it has a place."""

    reply: Reply
    origin: str
    judge: str = ""
    gold: str = ""
    weighed: bool = True


def judge_sheet(run: JoinedRun, cards: Mapping[str, TaskCard], *, seed: int, row: str = "") -> JudgeSheet:
    """The sheet of a run's judge; each question is a group, and of each value of the card's label as many are drawn.

    Args:
        run: Its answers and verdicts are taken, of all rows and arms.
        cards: By task; only tasks that need a judge have items.
        seed: Decides which answers of a question are taken, where it has more than enough.
        row: Take the answers of this row alone; of all rows where it is empty.
    """
    groups: dict[_Asked, list[CellOutcome]] = {}
    for cell in run.cells:
        if cards[cell.task].judged and _is_weighed(cell) and row in ("", cell.row):
            groups.setdefault(_Asked(cell.history, cell.checkpoint, cell.question), []).append(cell)
    items: list[SheetItem] = []
    unweighed: dict[str, Candidate] = {}
    for asked, cells in sorted(groups.items()):
        for item, candidate in _items(run, asked, cells, (cards[cells[0].task].split_by, seed)):
            items.append(item)
            if candidate is not None:
                unweighed[item.item] = candidate
    sheet = Sheet(
        name=NAME,
        meaning="Is the answer right? The judge was told the same.",
        sample=QUESTIONS,
        items=tuple(items),
        why="" if items else NO_ANSWER,
    )
    return JudgeSheet(sheet=sheet, unweighed=unweighed)


def _is_weighed(cell: CellOutcome) -> bool:
    return cell.purpose == "score" and cell.verdict is not None and cell.answer is not None and not cell.take.judge


def _items(
    run: JoinedRun, asked: _Asked, cells: Sequence[CellOutcome], said: tuple[str, int]
) -> Iterator[tuple[SheetItem, Candidate | None]]:
    label, seed = said
    episode = run.episodes[asked.history]
    key, question = episode.keyed.keys[asked.question], episode.questions[asked.checkpoint, asked.question]
    name = f"{key.original_id or asked.question}@{asked.checkpoint}"
    draw = Random(f"{seed}:judge sheet:{'/'.join(asked)}")
    for place, answer in enumerate(_candidates(cells, key, draw), start=1):
        item = SheetItem(
            item=f"{name}:{place}",
            group=name,
            cluster=name,
            text=told(Candidate(question, key, answer.reply)),
            question=ASKED,
            scale=SCALE,
            gold=answer.gold,
            judge=answer.judge,
            origin=answer.origin,
            stratum=cells[0].labels.get(label, "") if label else "",
        )
        yield item, None if answer.weighed else Candidate(question, key, answer.reply)


def _candidates(cells: Iterable[CellOutcome], key: Key, draw: Random) -> list[_Answer]:
    """In an order that says nothing."""
    found: dict[str, _Answer] = {}
    for cell in sorted(cells, key=lambda one: (one.row, one.arm, one.replicate, one.take)):
        found.setdefault(_plain(cell.answer or ""), _of_run(cell))
    chosen = draw.sample(list(found.values()), min(CANDIDATES, len(found)))
    spare = [one for one in _of_key(key) if _plain(one.reply.text) not in found]
    chosen += list({_plain(one.reply.text): one for one in spare}.values())[: CANDIDATES - len(chosen)]
    return draw.sample(chosen, len(chosen))


def _plain(text: str) -> str:
    """Answers that differ in case and white space alone are one."""
    return " ".join(text.split()).casefold()


def _of_run(cell: CellOutcome) -> _Answer:
    reply = Reply(text=cell.answer or "", abstained=cell.status == "abstained")
    return _Answer(reply, f"{cell.row}, arm {cell.arm}", judge=label_of(cell.verdict))


def label_of(verdict: Verdict | None) -> str:
    """The point of the scale that a verdict stands for; empty where it is undecided."""
    value = None if verdict is None else verdict.value()
    return {1.0: RIGHT, 0.0: WRONG}.get(value, "") if value is not None else ""


def _of_key(key: Key) -> Iterator[_Answer]:
    """Accepted and wrong ones in turn: what is wrong in one way is no more than what is right in one."""
    missed = json.loads(key.labels[MISSED]) if MISSED in key.labels else key.rejected
    for place, (accepted, wrong) in enumerate(zip_longest(key.gold, missed), start=1):
        for text, gold, what in ((accepted, RIGHT, "accepted"), (wrong, WRONG, "wrong")):
            if text:
                yield _Answer(Reply(text=text), f"the data: {what} answer {place}", gold=gold, weighed=False)


def told(one: Candidate) -> str:
    """The answer below all that a judge is told: question, accepted and wrong answers, parts, guidance."""
    key = one.key
    parts = [f"{name}: {' | '.join(values)}" for name, values in key.field_gold.items()]
    blocks = (
        ("Question", [one.question.text]),
        ("Accepted answers", _listed(key.gold)),
        ("Parts that are wanted, with accepted values", _listed(parts)),
        ("Wrong answers or values", _listed(key.rejected)),
        ("How to judge", [key.guidance] if key.guidance else []),
        ("Answer to be judged", [DECLINED if one.reply.abstained else one.reply.text]),
    )
    return "\n\n".join("\n".join((f"{head}:", *lines)) for head, lines in blocks if lines)


def _listed(texts: Iterable[str]) -> list[str]:
    return [f"- {' '.join(text.split())}" for text in texts]
