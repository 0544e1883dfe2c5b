"""Estimates the calls, tokens and cost of a run before it starts; no model is called.

Calls are exact where no system calls models of its own. Prompts are filled in as they will be sent, and counted by the
bundled tokenizer; replies are taken to be as long as the accepted answers. Thinking that a model does not show, retries
and replies that are in the cache already are not counted.
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
from recollect.engine.estimate.contexts import ContextEstimates, texts_of
from recollect.engine.execution.asking import why_not
from recollect.engine.plan import Cell, Stage, Trial
from recollect.engine.prompts import prompt_of
from recollect.engine.rows import Conditions
from recollect.judging.requests import VerdictRequest, asks_of
from recollect.models.prices import Price, Prices, as_float
from recollect.models.reader import fill
from recollect.models.settings import ModelSettings, Role
from recollect.text.tokens import count

RULES = "rules"
USUAL_REPLY = 32
"""Tokens of a reply to a question whose key has no accepted answer."""
EXTRACT = 200
"""Tokens of a reply that is read by a further call, such as a list of facts."""
DECLINED = "That was not mentioned."
REASON = 20
"""Tokens of the one short sentence in which a judge gives its reason."""
ADAPTIVE = "adaptive: the system decides itself what it asks its model"
NO_LIMIT = "nothing limits the length of its replies; set `max_tokens`"
NO_PRICE = "no price is known for its model; `--prices` takes yours"


@dataclass(frozen=True, slots=True, kw_only=True)
class Amount:
    """Calls, tokens and cost; `None`: unknown."""

    calls: int | None = 0
    input: int | None = 0
    output: int | None = 0
    money: float | None = 0.0
    """US dollars; 0 where rules play the role."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleEstimate:
    """The estimate for one role."""

    role: Role
    model: str
    expected: Amount | None = None
    most: Amount | None = None
    why: str = ""
    rows: Mapping[str, Amount] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEstimate:
    """The estimate for a run."""

    roles: tuple[RoleEstimate, ...]
    expected_money: float | None
    most_money: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Judging:
    """How often a judge calls its model."""

    votes: int = 1
    retries: int = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumed:
    """What an estimate is made from, beside the plan."""

    conditions: Conditions
    window_tokens: int
    prices: Prices
    models: Mapping[Role, ModelSettings] = field(default_factory=dict)
    judging: Judging = field(default_factory=Judging)
    kept: Mapping[str, int] = field(default_factory=dict)
    """Row -> tokens of the newest messages that it keeps and shows, for memories of a fixed size."""


def estimate_run(trials: Iterable[Trial], assumed: Assumed) -> RunEstimate:
    """The estimate for *trials*."""
    listed = list(trials)
    verdicts = list(_verdicts(listed, assumed))
    roles = [_role("reader", list(_answers(listed, assumed)), assumed)]
    if verdicts or "judge" in assumed.models:
        roles.append(_role("judge", verdicts, assumed))
    roles += [*_adaptive(listed, assumed), *_embedder(listed, assumed)]
    return RunEstimate(
        roles=tuple(roles),
        expected_money=_total(role.expected for role in roles),
        most_money=_total(role.most for role in roles),
    )


class _Call(NamedTuple):
    """A call as expected and at most; `None`: no limit."""

    row: str
    expected: Usage
    most_input: int | None
    most_output: int | None
    times: int = 1
    again: int = 1
    """Most tries of each."""


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
        replies = [*[EXTRACT] * (len(prompt.calls) - 1), count(_accepted(cell.question, cell.key)) or USUAL_REPLY]
        expected: int = context.expected
        most: int | None = context.most
        for asked, usual in zip(prompts[name], replies, strict=True):
            reply = usual if limit is None else min(limit, usual)
            yield _Call(
                row=trial.row.label,
                expected=Usage(input=asked + expected, output=reply),
                most_input=None if most is None else asked + most,
                most_output=limit,
            )
            expected, most = reply, limit  # a reply is the context of the next call


_NOTHING = Context(items=(), text="", tokens=0)


def _limit(question: Question, role: Role, assumed: Assumed) -> int | None:
    """Most tokens of a reply to a question; a judge has only the limit of its settings."""
    asked = question.output_tokens if role == "reader" else None
    settings = assumed.models.get(role)
    return asked or (settings.max_tokens if settings is not None else None)


def _accepted(question: Question, key: Key) -> str:
    if key.abstain:
        return DECLINED
    fields = "\n".join(f"{name}: {values[0]}" for name, values in key.field_gold.items() if values)
    wordy = question.answer_format in (AnswerFormat.JSON, AnswerFormat.LIST) and fields
    return fields if wordy or not key.gold else key.gold[0]


def _verdicts(trials: Sequence[Trial], assumed: Assumed) -> Iterator[_Call]:
    """Verdicts on accepted answers; those that turn out to need no model are counted, too."""
    votes: dict[tuple[str, str], list[tuple[Usage, int | None, int | None]]] = {}
    judging = assumed.judging
    for trial, _, cell in _cells(trials):
        if cell.verdict is None or cell.verdict not in cell.own:
            continue
        name = (trial.keyed.history.history_id, cell.question.question_id)
        if name not in votes:
            asks = asks_of(cell.question, cell.key, _accepted(cell.question, cell.key))
            votes[name] = [_vote(ask, cell.question, assumed) for ask in asks]
        for vote in votes[name]:
            yield _Call(trial.row.label, *vote, times=judging.votes, again=judging.retries + 1)


def _vote(ask: VerdictRequest, question: Question, assumed: Assumed) -> tuple[Usage, int | None, int | None]:
    """The expected usage of one vote on one answer, and its most input and output."""
    prompt, reply = count(ask.text(1)), count(ask.example) + REASON
    answer, limit = _limit(question, "reader", assumed), _limit(question, "judge", assumed)
    most = None
    if answer is not None and limit is not None:  # a vote that is asked for again is shown its earlier replies
        most = prompt + answer + assumed.judging.retries * (limit + count(ask.again(ask.example)))
    return Usage(input=prompt, output=reply if limit is None else min(limit, reply)), most, limit


def _adaptive(trials: Sequence[Trial], assumed: Assumed) -> Iterator[RoleEstimate]:
    possible = [trial for trial in trials if trial.cannot is None]
    for row in (trial.row for trial in possible):
        calls = row.traits.models_on_write or row.traits.models_on_search
        if calls and ("model" in row.fingerprint or "embedder" not in row.fingerprint):  # more than its embedder
            yield RoleEstimate(role="memory", model=_model("memory", assumed), why=ADAPTIVE)
            break
    if any(isinstance(stage.step, Converse) for trial in possible for stage in trial.stages):
        yield RoleEstimate(role="user", model=_model("user", assumed), why="adaptive: dialogues go as they go")


def _embedder(trials: Sequence[Trial], assumed: Assumed) -> Iterator[RoleEstimate]:
    """Each text is embedded once, for all; how many go into one call is the system's."""
    settings = assumed.models.get("embedder")
    if settings is None:
        return
    if "reader" not in assumed.models:
        yield RoleEstimate(role="embedder", model=settings.model, why="adaptive: the rules embed what they read")
        return
    texts: list[str] = []
    for trial in trials:
        if "embedder" in trial.row.fingerprint:
            texts += texts_of(trial.stages)
            texts += (cell.question.seen_by_search for _, _, cell in _cells([trial]) if cell.arm is Arm.SYSTEM)
    price = assumed.prices.find(settings.model)
    once, always = (Usage(input=sum(map(count, some)), output=0) for some in (set(texts), texts))
    yield RoleEstimate(
        role="embedder",
        model=settings.model,
        expected=Amount(calls=None, input=once.input, money=_money(price, [once])),
        most=Amount(calls=None, input=always.input, money=_money(price, [always])),
        why="" if price else NO_PRICE,
    )


def _cells(trials: Iterable[Trial]) -> Iterator[tuple[Trial, Stage, Cell]]:
    """All cells that can be filled."""
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
    every = [call for call in calls for _ in range(call.times * call.again)]
    read, written = _sum(call.most_input for call in every), _sum(call.most_output for call in every)
    unlimited = read is None or written is None
    most = None
    if price is FREE or not unlimited:
        most = _money(price, [Usage(input=call.most_input or 0, output=call.most_output or 0) for call in every])
    return RoleEstimate(
        role=role,
        model=_model(role, assumed),
        expected=_expected(calls, price),
        most=Amount(calls=len(every), input=read, output=written, money=most),
        why="; ".join([*([] if price else [NO_PRICE]), *([NO_LIMIT] if settings is not None and unlimited else [])]),
        rows={row: _expected(mine, price) for row, mine in sorted(by_row.items())},
    )


FREE = Price(model=RULES, input=Decimal(0), date="2000-01-01")


def _expected(calls: Sequence[_Call], price: Price | None) -> Amount:
    usages = [call.expected for call in calls for _ in range(call.times)]
    return Amount(
        calls=len(usages),
        input=sum(usage.input for usage in usages),
        output=sum(usage.output for usage in usages),
        money=_money(price, usages),
    )


def _sum(numbers: Iterable[int | None]) -> int | None:
    listed = list(numbers)
    return None if None in listed else sum(number or 0 for number in listed)


def _money(price: Price | None, usages: Iterable[Usage]) -> float | None:
    return None if price is None else as_float(sum(map(price.money, usages), Decimal(0)))


def _model(role: Role, assumed: Assumed) -> str:
    return assumed.models[role].model if role in assumed.models else RULES


def _total(amounts: Iterable[Amount | None]) -> float | None:
    listed = list(amounts)
    if any(amount is None or amount.money is None for amount in listed):
        return None
    return as_float(sum((Decimal(str(amount.money)) for amount in listed if amount is not None), Decimal(0)))
