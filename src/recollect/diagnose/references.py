"""What rules that read nothing would score: chance, one answer for all, the longest and the shortest option.

Replies that the card names are weighed by the rule judge, whoever judges the run: what is said without reading needs no
model to be weighed, and the report says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from recollect.contracts.benchmark import Benchmark, Scorer, TaskCard
from recollect.contracts.reading import Judge
from recollect.diagnose.estimates import Asked, Estimator, asked_of, given, nothing
from recollect.diagnose.records.join import JoinedRun, task_card
from recollect.domain.exchange import Reply
from recollect.domain.questions import Key, Question
from recollect.offline.judge.rule_judge import RuleJudge
from recollect.records.tables.cells import Estimate
from recollect.records.tables.summary import Reference


class Item(NamedTuple):
    asked: Asked
    question: Question
    key: Key


class _Task(NamedTuple):
    """Scores constructed replies to all questions of one task."""

    items: Sequence[Item]
    score: Scorer
    shared: Mapping[str, Any]
    estimator: Estimator

    def mean(self, replies: Callable[[Item], Sequence[Reply]], judge: Judge | None = None) -> Estimate:
        """Mean score of *replies*; several replies to a question are averaged."""
        values: dict[Asked, float] = {}
        for item in self.items:
            outcomes = []
            for reply in replies(item):
                verdict = judge.judge(item.question, item.key, reply) if judge is not None else None
                outcomes.append(self.score(item.question, item.key, reply, verdict, self.shared))
            lacking = next((outcome for outcome in outcomes if outcome.value is None), None)
            if lacking is not None or not outcomes:
                why = lacking.why or lacking.status.value if lacking else "no reply can be made"
                return nothing(f"cannot be scored without a judge or a system: {why}")
            values[item.asked] = sum(outcome.value or 0.0 for outcome in outcomes) / len(outcomes)
        return self.estimator.one(values).estimate


def references(run: JoinedRun, benchmark: Benchmark, estimator: Estimator) -> tuple[Reference, ...]:
    """Those that make sense, per task, over all scored questions that the run asks."""
    items: dict[str, dict[Asked, Item]] = {}
    for cell in run.cells:
        if cell.purpose == "score":
            asked, episode = asked_of(cell), run.episodes[cell.history]
            question = episode.questions[cell.checkpoint, cell.question]
            items.setdefault(cell.task, {})[asked] = Item(asked, question, episode.keyed.keys[cell.question])
    found: list[Reference] = []
    for name, by_question in sorted(items.items()):
        listed = [by_question[asked] for asked in sorted(by_question)]
        task = _Task(listed, benchmark.score, run.shared.get(name, {}), estimator)
        found.extend(_of_task(name, task_card(benchmark, name, run.name), task))
    return tuple(found)


def _of_task(name: str, card: TaskCard, task: _Task) -> Iterator[Reference]:
    choices = all(item.question.options for item in task.items)
    chance = nothing("guessing has no meaning for this task") if card.chance is None else given(card.chance, "the card")
    if choices:
        scored = task.mean(lambda item: [Reply(text=option.letter) for option in item.question.options])
        chance = chance if scored.estimate is None else scored
    yield Reference(task=name, name="chance", score=chance)
    golds = Counter(item.key.gold[0] for item in task.items if item.key.gold)
    if golds:
        commonest = min(golds, key=lambda gold: (-golds[gold], gold))
        score = task.mean(partial(_constantly, Reply(text=commonest)))
        yield Reference(task=name, name="constant", score=score, answer=commonest)
    if choices:
        longest = task.mean(lambda item: [_option(item, longest=True)])
        yield Reference(task=name, name="longest_option", score=longest)
        shortest = task.mean(lambda item: [_option(item, longest=False)])
        yield Reference(task=name, name="shortest_option", score=shortest)
    if any(item.key.abstain for item in task.items):
        yield Reference(
            task=name, name="abstain", score=task.mean(partial(_constantly, Reply(text="", abstained=True)))
        )
    for constant, text in card.constants.items():
        score = task.mean(partial(_constantly, Reply(text=text)), RuleJudge())
        yield Reference(task=name, name=constant, score=score, answer=text)


def _constantly(reply: Reply, _: Item) -> Sequence[Reply]:
    return [reply]


def _option(item: Item, *, longest: bool) -> Reply:
    """The option of extreme length; of equally long ones the first letter."""
    sign = -1 if longest else 1
    return Reply(text=min(item.question.options, key=lambda o: (sign * len(o.text), o.letter)).letter)
