"""What rules that read nothing would score: chance, one answer for all, the longest and the shortest option.

Replies that the card names are weighed by the rule judge, whoever judges the run: what is said without reading needs no
model to be weighed, and the report says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from recollect.contracts.benchmark import Benchmark, Scorer, TaskCard
from recollect.contracts.reading import Judge
from recollect.diagnose.estimates import Asked, Estimator, given, nothing
from recollect.diagnose.records.join import JoinedRun, task_card
from recollect.domain.exchange import Reply
from recollect.domain.outcomes import Outcome
from recollect.domain.questions import Key, Question
from recollect.offline.judge.rule_judge import RuleJudge
from recollect.records.tables.summary import Estimate, Reference

Guess = Callable[[Question], str]


class Item(NamedTuple):
    """One question as it was asked, with its key."""

    asked: Asked
    question: Question
    key: Key


class _Desk(NamedTuple):
    """Scores constructed replies to all questions of one task."""

    items: Sequence[Item]
    score: Scorer
    shared: Mapping[str, Any]
    estimator: Estimator

    def always(self, replies: Callable[[Item], Sequence[Reply]], judge: Judge | None = None) -> Estimate:
        """Mean of what *replies* would get, several replies to a question averaged."""
        values: dict[Asked, float] = {}
        for item in self.items:
            outcomes = [self._outcome(item, reply, judge) for reply in replies(item)]
            lacking = next((outcome for outcome in outcomes if outcome.value is None), None)
            if lacking is not None or not outcomes:
                why = lacking.why or lacking.status.value if lacking else "no reply can be made"
                return nothing(f"cannot be scored without a judge or a system: {why}")
            values[item.asked] = sum(outcome.value or 0.0 for outcome in outcomes) / len(outcomes)
        return self.estimator.one(values).estimate

    def constantly(self, said: str) -> Estimate:
        """The same of one reply, whatever is asked, weighed by rules."""
        return self.always(lambda _: [Reply(text=said)], RuleJudge())

    def _outcome(self, item: Item, reply: Reply, judge: Judge | None) -> Outcome:
        verdict = judge.judge(item.question, item.key, reply) if judge is not None else None
        return self.score(item.question, item.key, reply, verdict, self.shared)


def references(run: JoinedRun, benchmark: Benchmark, estimator: Estimator) -> tuple[Reference, ...]:
    """Those that make sense, per task, over all scored questions that the run asks."""
    found: list[Reference] = []
    for task, items in _items_by_task(run).items():
        desk = _Desk(items, benchmark.score, run.shared.get(task, {}), estimator)
        found.extend(_of_task(task, task_card(benchmark, task, run.name), desk))
    return tuple(found)


def _items_by_task(run: JoinedRun) -> dict[str, list[Item]]:
    items: dict[str, dict[Asked, Item]] = {}
    for cell in run.cells:
        if cell.purpose == "score":
            asked = Asked(cell.history, cell.checkpoint, cell.question)
            if asked not in items.setdefault(cell.task, {}):
                episode = run.episodes[cell.history]
                question = episode.questions[cell.checkpoint, cell.question]
                items[cell.task][asked] = Item(asked, question, episode.keyed.keys[cell.question])
    return {task: [found[asked] for asked in sorted(found)] for task, found in sorted(items.items())}


def _of_task(task: str, card: TaskCard, desk: _Desk) -> Iterator[Reference]:
    choices = all(item.question.options for item in desk.items)
    yield Reference(task=task, name="chance", score=_chance(card, desk, choices=choices))
    answer = _commonest_gold(desk.items)
    if answer is not None:
        yield Reference(task=task, name="constant", score=desk.always(lambda _: [Reply(text=answer)]), answer=answer)
    if choices:
        yield Reference(task=task, name="longest_option", score=desk.always(lambda item: [_option(item, longest=True)]))
        yield Reference(
            task=task, name="shortest_option", score=desk.always(lambda item: [_option(item, longest=False)])
        )
    if any(item.key.abstain for item in desk.items):
        yield Reference(task=task, name="abstain", score=desk.always(lambda _: [Reply(text="", abstained=True)]))
    for name, said in card.constants.items():
        yield Reference(task=task, name=name, score=desk.constantly(said), answer=said)


def _chance(card: TaskCard, desk: _Desk, *, choices: bool) -> Estimate:
    if choices:
        scored = desk.always(lambda item: [Reply(text=option.letter) for option in item.question.options])
        if scored.estimate is not None:
            return scored
    return nothing("guessing has no meaning for this task") if card.chance is None else given(card.chance, "the card")


def _commonest_gold(items: Sequence[Item]) -> str | None:
    """The first gold that most questions have; of equally frequent ones the first in alphabetical order."""
    counts = Counter(item.key.gold[0] for item in items if item.key.gold)
    return min(counts, key=lambda gold: (-counts[gold], gold)) if counts else None


def _option(item: Item, *, longest: bool) -> Reply:
    """The option of extreme length; of equally long ones the first letter."""
    sign = -1 if longest else 1
    return Reply(text=min(item.question.options, key=lambda o: (sign * len(o.text), o.letter)).letter)
