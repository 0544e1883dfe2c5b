"""What a run will call, read, write and cost, told before it starts; no model is asked.

Calls are exact where no system calls models of its own. Prompts are filled in as they will be sent, and counted by the
bundled tokenizer; replies are taken to be as long as the accepted answers. Thinking that a model does not show, calls
that are tried again and replies that are in the cache already are not foreseen.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import NamedTuple

from recollect.contracts.models import Usage
from recollect.domain.exchange import Context
from recollect.domain.questions import AnswerFormat, Key, Question
from recollect.domain.steps import Arm, Converse
from recollect.engine.estimate.contexts import Bounds, ContextEstimates, texts_of
from recollect.engine.execution.asking import why_not
from recollect.engine.plan import Cell, Stage, Trial
from recollect.engine.prompts import prompt_of
from recollect.engine.rows import Conditions, Row
from recollect.judging.requests import VerdictRequest, asks_of
from recollect.models.prices import Price, Prices, as_float
from recollect.models.reader import fill
from recollect.models.settings import ModelSettings, Role
from recollect.text.tokens import count

RULES = "rules"
"""Who plays a role that no model plays."""
USUAL_REPLY = 32
"""Tokens of a reply to a question whose key has no accepted answer."""
EXTRACT = 200
"""Tokens of a reply that only a further call reads, such as a list of facts."""
DECLINED = "That was not mentioned."
REASON = 20
"""Tokens of the one short sentence in which a judge gives its reason."""
ADAPTIVE = "adaptive: the system decides itself what it asks its model"
NO_LIMIT = "nothing limits the length of its replies; set `max_tokens`"
NO_PRICE = "no price is known for its model; `--prices` takes yours"


@dataclass(frozen=True, slots=True, kw_only=True)
class Amount:
    """Calls and what they take; `None`: it cannot be told."""

    calls: int | None = 0
    input: int | None = 0
    output: int | None = 0
    money: float | None = 0.0
    """US dollars; 0 where rules play the role."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleEstimate:
    """What one role takes."""

    role: Role
    model: str
    """`rules` where no model plays it."""
    expected: Amount | None = None
    most: Amount | None = None
    """A bound for calls that go through at once."""
    why: str = ""
    """Why something cannot be told."""
    rows: Mapping[str, Amount] = field(default_factory=dict)
    """Row -> what is expected of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEstimate:
    """What a whole run takes."""

    roles: tuple[RoleEstimate, ...]
    expected_money: float | None
    """`None` where a role cannot be told."""
    most_money: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Judging:
    """How often a judge asks its model."""

    votes: int = 1
    retries: int = 2
    """Times that a vote which cannot be used is asked for again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumed:
    """What a forecast goes by, beside the plan."""

    conditions: Conditions
    window_tokens: int
    """Of the reader."""
    prices: Prices
    models: Mapping[Role, ModelSettings] = field(default_factory=dict)
    """Of the roles that a model plays; rules play the others, and cost nothing."""
    judging: Judging = field(default_factory=Judging)
    kept: Mapping[str, int] = field(default_factory=dict)
    """Row -> tokens of the newest messages that it keeps and shows, for memories of a fixed size."""


def estimate_run(trials: Iterable[Trial], assumed: Assumed) -> RunEstimate:
    """What *trials* will take.

    Raises:
        ConfigError: A prompt asks for a value that a question does not have.
    """
    listed = list(trials)
    roles = (
        _reader(listed, assumed),
        _judge(listed, assumed),
        *_adaptive(listed, assumed),
        *_embedder(listed, assumed),
    )
    told = tuple(role for role in roles if role is not None)
    return RunEstimate(
        roles=told,
        expected_money=_total(role.expected for role in told),
        most_money=_total(role.most for role in told),
    )


class _Call(NamedTuple):
    """A call as it is expected, and as it is at most; `None`: nothing limits it."""

    row: str
    expected: Usage
    most_input: int | None
    most_output: int | None
    times: int = 1
    again: int = 1
    """Each is made at most so often."""


def _reader(trials: Sequence[Trial], assumed: Assumed) -> RoleEstimate | None:
    return _role("reader", list(_answers(trials, assumed)), assumed)


def _judge(trials: Sequence[Trial], assumed: Assumed) -> RoleEstimate | None:
    calls = list(_verdicts(trials, assumed))
    return _role("judge", calls, assumed) if calls or "judge" in assumed.models else None


def _answers(trials: Sequence[Trial], assumed: Assumed) -> Iterator[_Call]:
    contexts = ContextEstimates(assumed.conditions, assumed.window_tokens, assumed.kept)
    prompts: dict[tuple[str, str, str], list[int]] = {}
    for trial, stage, cell in _cells(trials):
        if trial.row.kind == "agent" or cell.answer not in cell.own:
            continue
        prompt = prompt_of(trial.row, cell.question, assumed.conditions.prompts)
        name = (trial.keyed.history.history_id, cell.question.question_id, prompt.name)
        if name not in prompts:
            prompts[name] = [count(fill(call, _NOTHING, cell.question)) for call in prompt.calls]
        context, limit = contexts.of(trial, stage, cell), _limit(cell.question, "reader", assumed)
        replies = [*[EXTRACT] * (len(prompt.calls) - 1), _reply(cell.question, cell.key)]
        yield from _one_by_one(trial.row.label, zip(prompts[name], replies, strict=True), context, limit)


def _one_by_one(row: str, calls: Iterable[tuple[int, int]], context: Bounds, limit: int | None) -> Iterator[_Call]:
    """The calls for one answer, by the tokens of prompt and reply of each; a reply is the next one's context."""
    expected = context.expected
    most: int | None = context.most
    for asked, said in calls:
        reply = said if limit is None else min(limit, said)
        yield _Call(
            row=row,
            expected=Usage(input=asked + expected, output=reply),
            most_input=None if most is None else asked + most,
            most_output=limit,
        )
        expected, most = reply, limit


_NOTHING = Context(items=(), text="", tokens=0)


def _limit(question: Question, role: Role, assumed: Assumed) -> int | None:
    """Most tokens of a reply to a question; a judge is told no limit but that of its settings."""
    asked = question.output_tokens if role == "reader" else None
    settings = assumed.models.get(role)
    return asked or (settings.max_tokens if settings is not None else None)


def _reply(question: Question, key: Key) -> int:
    """Tokens of the accepted answer: what a model to the point would say."""
    return count(_accepted(question, key)) or USUAL_REPLY


def _accepted(question: Question, key: Key) -> str:
    if key.abstain:
        return DECLINED
    fields = "\n".join(f"{name}: {values[0]}" for name, values in key.field_gold.items() if values)
    wordy = question.answer_format in (AnswerFormat.JSON, AnswerFormat.LIST) and fields
    return fields if wordy or not key.gold else key.gold[0]


def _verdicts(trials: Sequence[Trial], assumed: Assumed) -> Iterator[_Call]:
    """Verdicts on accepted answers; those that turn out to need no model are counted too."""
    asks: dict[tuple[str, str], list[_Weighed]] = {}
    for trial, _, cell in _cells(trials):
        if cell.verdict is None or cell.verdict not in cell.own:
            continue
        name = (trial.keyed.history.history_id, cell.question.question_id)
        if name not in asks:
            accepted = _accepted(cell.question, cell.key)
            asks[name] = [_weighed(ask, cell, assumed) for ask in asks_of(cell.question, cell.key, accepted)]
        judging = assumed.judging
        for weighed in asks[name]:
            yield _Call(trial.row.label, *weighed, times=judging.votes, again=judging.retries + 1)


class _Weighed(NamedTuple):
    """One vote on one answer."""

    expected: Usage
    most_input: int | None
    most_output: int | None


def _weighed(ask: VerdictRequest, cell: Cell, assumed: Assumed) -> _Weighed:
    prompt, reply = count(ask.text(1)), count(ask.example) + REASON
    answer, limit = _limit(cell.question, "reader", assumed), _limit(cell.question, "judge", assumed)
    most = None
    if answer is not None and limit is not None:  # a vote that is asked for again is shown what was said before
        most = prompt + answer + assumed.judging.retries * (limit + count(ask.again(ask.example)))
    return _Weighed(Usage(input=prompt, output=reply if limit is None else min(limit, reply)), most, limit)


def _adaptive(trials: Sequence[Trial], assumed: Assumed) -> Iterator[RoleEstimate]:
    if any(_asks_itself(trial.row) for trial in trials if trial.cannot is None):
        yield RoleEstimate(role="memory", model=_model("memory", assumed), why=ADAPTIVE)
    if any(isinstance(stage.step, Converse) for trial in trials if trial.cannot is None for stage in trial.stages):
        yield RoleEstimate(role="user", model=_model("user", assumed), why="adaptive: dialogues go as they go")


def _asks_itself(row: Row) -> bool:
    """It calls a model that is not just the embedder which it was handed."""
    calls = row.traits.models_on_write or row.traits.models_on_search
    return calls and ("model" in row.fingerprint or "embedder" not in row.fingerprint)


def _embedder(trials: Sequence[Trial], assumed: Assumed) -> Iterator[RoleEstimate]:
    """Texts are embedded once, whoever asks; how many go into one call is the system's."""
    settings = assumed.models.get("embedder")
    if settings is None:
        return
    if "reader" not in assumed.models:
        yield RoleEstimate(role="embedder", model=settings.model, why="adaptive: the rules embed what they read")
        return
    texts = [text for trial in trials if "embedder" in trial.row.fingerprint for text in _embedded(trial)]
    price = assumed.prices.find(settings.model)
    once, all_of_them = sum(map(count, set(texts))), sum(map(count, texts))
    yield RoleEstimate(
        role="embedder",
        model=settings.model,
        expected=Amount(calls=None, input=once, money=_money(price, [Usage(input=once, output=0)])),
        most=Amount(calls=None, input=all_of_them, money=_money(price, [Usage(input=all_of_them, output=0)])),
        why="" if price else NO_PRICE,
    )


def _embedded(trial: Trial) -> list[str]:
    cues = [cell.question.seen_by_search for _, _, cell in _cells([trial]) if cell.arm is Arm.SYSTEM]
    return [*texts_of(trial.stages), *cues]


def _cells(trials: Iterable[Trial]) -> Iterator[tuple[Trial, Stage, Cell]]:
    """All that can be filled."""
    for trial in trials:
        for stage in trial.stages:
            for cell in stage.cells:
                if why_not(trial, cell) is None:
                    yield trial, stage, cell


def _role(role: Role, calls: Sequence[_Call], assumed: Assumed) -> RoleEstimate:
    settings = assumed.models.get(role)
    price = FREE if settings is None else assumed.prices.find(settings.model)
    by_row: dict[str, list[_Call]] = defaultdict(list)
    for call in calls:
        by_row[call.row].append(call)
    most = _bound(calls, price)
    unlimited = settings is not None and (most.input is None or most.output is None)
    return RoleEstimate(
        role=role,
        model=_model(role, assumed),
        expected=_expected(calls, price),
        most=most,
        why="; ".join([*([] if price else [NO_PRICE]), *([NO_LIMIT] if unlimited else [])]),
        rows={row: _expected(mine, price) for row, mine in sorted(by_row.items())},
    )


FREE = Price(model=RULES, input=Decimal(0), date="2000-01-01")
"""What rules cost."""


def _expected(calls: Sequence[_Call], price: Price | None) -> Amount:
    usages = [call.expected for call in calls for _ in range(call.times)]
    return Amount(
        calls=len(usages),
        input=sum(usage.input for usage in usages),
        output=sum(usage.output for usage in usages),
        money=_money(price, usages),
    )


def _bound(calls: Sequence[_Call], price: Price | None) -> Amount:
    every = [call for call in calls for _ in range(call.times * call.again)]
    read, said = _sum(call.most_input for call in every), _sum(call.most_output for call in every)
    usages = [Usage(input=call.most_input or 0, output=call.most_output or 0) for call in every]
    known = price is FREE or not (read is None or said is None)
    return Amount(calls=len(every), input=read, output=said, money=_money(price, usages) if known else None)


def _sum(numbers: Iterable[int | None]) -> int | None:
    listed = list(numbers)
    told = [number for number in listed if number is not None]
    return sum(told) if len(told) == len(listed) else None


def _money(price: Price | None, usages: Iterable[Usage]) -> float | None:
    return None if price is None else as_float(sum(map(price.money, usages), Decimal(0)))


def _model(role: Role, assumed: Assumed) -> str:
    return assumed.models[role].model if role in assumed.models else RULES


def _total(amounts: Iterable[Amount | None]) -> float | None:
    listed = list(amounts)
    if any(amount is None or amount.money is None for amount in listed):
        return None
    return as_float(sum((Decimal(str(amount.money)) for amount in listed if amount is not None), Decimal(0)))
