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
from recollect.diagnose.estimates import Asked, asked_of
from recollect.diagnose.records.join import JoinedRun
from recollect.domain.exchange import Reply
from recollect.domain.outcomes import Verdict
from recollect.domain.questions import Key, Question
from recollect.records.tables.cells import CellOutcome

NAME = "judge"
QUESTIONS, CANDIDATES = 45, 5
"""As many as SubtleMemory's raters were given, in all and of each question."""
WRONG, RIGHT = "0", "1"
SCALE = Scale(points={WRONG: "wrong", RIGHT: "right"}, best="last")
ASKED = "Is the answer right, going by what is told above it alone?"
DECLINED = "(no answer: the system declined)"
NO_ANSWER = "no answer of this run was weighed by a judge"


class Candidate(NamedTuple):
    """An answer with everything that a judge is told."""

    question: Question
    key: Key
    reply: Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeSheet:
    """A sheet, and the items that no judge has rated yet."""

    sheet: Sheet
    unweighed: Mapping[str, Candidate]
    """Item -> an answer from the key, which no run has shown to a judge."""


class _Answer(NamedTuple):
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
    groups: dict[Asked, list[CellOutcome]] = {}
    for cell in run.cells:
        weighed = cell.verdict is not None and cell.answer is not None and not cell.take.judge
        if cards[cell.task].judged and cell.purpose == "score" and weighed and row in ("", cell.row):
            groups.setdefault(asked_of(cell), []).append(cell)
    items: list[SheetItem] = []
    unweighed: dict[str, Candidate] = {}
    for asked, cells in sorted(groups.items()):
        for item, candidate in _items(run, asked, cells, cards[cells[0].task].split_by, seed):
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


def _items(
    run: JoinedRun, asked: Asked, cells: Sequence[CellOutcome], label: str, seed: int
) -> Iterator[tuple[SheetItem, Candidate | None]]:
    episode = run.episodes[asked.history]
    key, question = episode.keyed.keys[asked.question], episode.questions[asked.checkpoint, asked.question]
    name = f"{key.original_id or asked.question}@{asked.checkpoint}"
    draw = Random(f"{seed}:judge sheet:{'/'.join(asked)}")
    for number, answer in enumerate(_candidates(cells, key, draw), start=1):
        candidate = Candidate(question, key, answer.reply)
        item = SheetItem(
            item=f"{name}:{number}",
            group=name,
            cluster=name,
            text=told(candidate),
            question=ASKED,
            scale=SCALE,
            gold=answer.gold,
            judge=answer.judge,
            origin=answer.origin,
            stratum=cells[0].labels.get(label, "") if label else "",
        )
        yield item, None if answer.weighed else candidate


def _candidates(cells: Iterable[CellOutcome], key: Key, draw: Random) -> list[_Answer]:
    found: dict[str, _Answer] = {}
    for cell in sorted(cells, key=lambda one: (one.row, one.arm, one.replicate, one.take)):
        reply = Reply(text=cell.answer or "", abstained=cell.status == "abstained")
        answer = _Answer(reply, f"{cell.row}, arm {cell.arm}", judge=label_of(cell.verdict))
        found.setdefault(_plain(reply.text), answer)
    chosen = draw.sample(list(found.values()), min(CANDIDATES, len(found)))
    spare = {_plain(one.reply.text): one for one in _of_key(key) if _plain(one.reply.text) not in found}
    chosen += list(spare.values())[: CANDIDATES - len(chosen)]
    return draw.sample(chosen, len(chosen))


def _plain(text: str) -> str:
    """Answers that differ only in case and white space are the same."""
    return " ".join(text.split()).casefold()


def label_of(verdict: Verdict | None) -> str:
    """The point of the scale that a verdict stands for; empty where it is undecided."""
    value = None if verdict is None else verdict.value()
    return {1.0: RIGHT, 0.0: WRONG}.get(value, "") if value is not None else ""


def _of_key(key: Key) -> Iterator[_Answer]:
    """Accepted and wrong ones in turn, so that neither kind dominates."""
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
