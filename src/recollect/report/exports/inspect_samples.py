"""One question of a row as a sample of an Inspect log."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from recollect.domain.steps import Arm
from recollect.records.calls import CallLine
from recollect.records.tables.cells import CellOutcome
from recollect.report.exports.material import Exchange, Material
from recollect.report.recalls import Recalls
from recollect.report.status import ARMS
from recollect.report.text import plain, shortened

LISTED = 40
LONGEST = 200_000
"""Characters of a prompt; a longer one is cut, with its length."""
LONGEST_TOLD = 4_000
"""Characters of an item or a message in the metadata."""
AS_SENT, FROM_RECORDS = "as it was sent", "put together from the records"


@dataclass(frozen=True, slots=True, kw_only=True)
class Take:
    name: str
    epoch: int
    arms: Mapping[Arm, CellOutcome]

    @property
    def cell(self) -> CellOutcome:
        """The cell whose answer and context the sample shows: the system's own if there is one."""
        return next(self.arms[arm] for arm in ARMS if arm in self.arms)


def sample(material: Material, take: Take) -> Any:
    from inspect_ai.log import EvalError, EvalSample
    from inspect_ai.model import ModelOutput

    cell, name, epoch = take.cell, take.name, take.epoch
    question, key, calls = material.question(cell), material.key(cell), material.calls_of(cell)
    kept = {line.call: material.sent(line.call) for line in calls if line.kind == "chat"}
    passed = {call: exchange for call, exchange in kept.items() if exchange is not None}
    answer = next((line for line in calls if line.role == "reader" and line.stage == "answer"), None)
    messages, how = _messages(material, cell, passed.get(answer.call) if answer else None)
    output = ModelOutput()
    if cell.answer is not None:
        output = ModelOutput.from_content(answer.model if answer else "", plain(cell.answer))
        if answer is not None and answer.usage is not None:
            output.usage, output.time = _usage(answer), answer.seconds
    fault = f"{cell.stage}: {cell.cause}: {cell.why}" if cell.status == "fault" else ""
    moment = datetime.fromisoformat(material.made_at)
    return EvalSample(
        id=name,
        epoch=epoch,
        input=plain(question.text),
        choices=[plain(option.text) for option in question.options] or None,
        target=[plain(text) for text in key.gold] or ("(declines to answer)" if key.abstain else ""),
        messages=messages,
        output=output,
        scores={str(arm): score_of(take.arms[arm]) for arm in ARMS if arm in take.arms},
        metadata=_metadata(material, cell, how),
        model_usage=usage_of((line.model, line) for line in calls),
        role_usage=usage_of((line.role, line) for line in calls),
        events=[event_of(line, passed[line.call], moment) for line in calls if line.call in passed],
        uuid=f"{name}-{epoch}",
        error=EvalError(message=plain(fault), traceback="", traceback_ansi="") if fault else None,
    )


def score_of(cell: CellOutcome) -> Any:
    """Its value with the reason; a cell without a value is unscored, never a zero."""
    from inspect_ai.scorer import Score

    reasons = [cell.why, *(f"{part.name}: {part.why}" for part in cell.parts if part.why)]
    if cell.verdict is not None:
        reasons += [f"judge, {part.name}: {part.why}" for part in cell.verdict.parts if part.why]
    about = {
        "status": cell.status,
        "parts": {part.name: part.value for part in cell.parts},
        "lost_at": cell.failure,
        "context_tokens": cell.context_tokens,
        "truncated": cell.truncated,
        "cause": cell.cause,
        "judge": cell.verdict.judge if cell.verdict else "",
    }
    told = {
        "answer": None if cell.answer is None else plain(cell.answer),
        "explanation": plain("\n".join(filter(None, reasons))) or None,
        "metadata": {name: value for name, value in about.items() if value not in (None, "", {}, False)},
    }
    if cell.value is None:
        return Score.unscored(reason=cell.cause or cell.status, **told)
    return Score(value=cell.value, **told)


def usage_of(named: Iterable[tuple[str, CallLine]]) -> dict[str, Any]:
    """Name -> tokens of its calls, whether this run paid for them or found them in the cache; money where it paid."""
    total: dict[str, Any] = {}
    for name, line in named:
        if line.usage is not None:
            used = _usage(line)
            total[name] = total[name] + used if name in total else used
    return total


def _usage(line: CallLine) -> Any:
    """Inspect counts input tokens from the provider's cache separately."""
    from inspect_ai.model import ModelUsage

    told = line.usage
    if told is None:
        return None
    return ModelUsage(
        input_tokens=told.input - told.cached,
        output_tokens=told.output,
        total_tokens=told.input + told.output,
        input_tokens_cache_read=told.cached,
        reasoning_tokens=told.reasoning,
        total_cost=line.money,
    )


def _messages(material: Material, cell: CellOutcome, sent: Exchange | None) -> tuple[list[Any], str]:
    """The reader's messages with its answer, and where the wording is from."""
    from inspect_ai.model import ChatMessageAssistant, ChatMessageUser

    if sent is not None:
        messages, how = asked_and_said(sent, LONGEST)[0], AS_SENT
    else:
        question = material.question(cell)
        asked = "\n".join([question.text, *(f"{option.letter}. {option.text}" for option in question.options)])
        text = "\n\n".join(filter(None, (_context(cell), asked)))
        messages, how = [ChatMessageUser(content=shortened(plain(text), LONGEST))], FROM_RECORDS
    answer = [] if cell.answer is None else [ChatMessageAssistant(content=plain(cell.answer), source="generate")]
    return [*messages, *answer], how


def _context(cell: CellOutcome) -> str:
    if cell.recall is None:
        return ""
    if cell.recall.rendered is not None:
        return cell.recall.rendered
    read, items = Recalls().whole(cell), cell.recall.items
    if read is not None:
        items = items[len(items) - read :] if cell.recall.order == "time" else items[:read]
    return "\n".join(item.worded() for item in items)


def _metadata(material: Material, cell: CellOutcome, how: str) -> dict[str, Any]:
    messages = {m.message_id: m for m in material.histories[cell.history].history.messages()}
    shown = [messages[name] for name in cell.evidence if name in messages]
    recall = cell.recall
    told = {
        "history": cell.history,
        "task": cell.task,
        "row": cell.row,
        "arm": str(cell.arm),
        "checkpoint": cell.checkpoint,
        "question": cell.question,
        "replicate": cell.replicate,
        "take": {"answer": cell.take.answer, "judge": cell.take.judge},
        "status": cell.status,
        "labels": {plain(name): plain(value) for name, value in cell.labels.items()},
        "evidence": [_told(m.message_id, m.said_at, m.speaker, m.text) for m in shown],
        "evidence_found": Recalls().met(cell),
        "items_found": None if recall is None else len(recall.items),
        "recall": []
        if recall is None
        else [
            {**_told(", ".join(item.sources), item.said_at, item.speaker, item.text), "score": item.score}
            for item in recall.items[:LISTED]
        ],
        "prompt": how,
    }
    return {name: value for name, value in told.items() if value is not None}


def _told(name: str, said_at: str | None, speaker: str, text: str) -> dict[str, Any]:
    told = {"id": plain(name), "said_at": said_at, "speaker": plain(speaker)}
    return {
        **{key: value for key, value in told.items() if value},
        "text": shortened(plain(text), LONGEST_TOLD),
    }


_KNOWN = ("temperature", "top_p", "seed", "max_tokens")


def asked_and_said(exchange: Exchange, longest: int = LONGEST) -> tuple[list[Any], Any]:
    """The messages that were sent, and the reply."""
    from inspect_ai.model import ModelOutput

    body, reply = _read(exchange.prompt), _read(exchange.reply)
    choice: Mapping[str, Any] = next(iter(reply.get("choices") or ()), {})
    said = choice.get("message", {})
    output = ModelOutput.from_content(str(reply.get("model", "")), _text(said, longest))
    return [_message(turn, longest) for turn in body.get("messages", ())], output


def event_of(line: CallLine, exchange: Exchange, moment: datetime) -> Any:
    """A call; *moment* replaces its time, which the ledger does not have."""
    from inspect_ai.event import ModelEvent
    from inspect_ai.model import GenerateConfig

    asked, output = asked_and_said(exchange)
    body = _read(exchange.prompt)
    output.time = line.seconds
    return ModelEvent(
        model=line.model,
        role=line.role,
        input=asked,
        tools=[],
        tool_choice="auto",
        config=GenerateConfig(**{name: body[name] for name in _KNOWN if name in body}),
        output=output,
        retries=max(0, line.tries - 1),
        cache="read" if line.status == "cached" else None,
        timestamp=moment,
        working_start=0.0,
        metadata={"stage": line.stage, "status": line.status, "waited_s": line.waited, "causes": list(line.causes)},
    )


def _message(turn: Mapping[str, Any], longest: int) -> Any:
    from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageTool, ChatMessageUser

    text = _text(turn, longest)
    match turn.get("role"):
        case "system":
            return ChatMessageSystem(content=text)
        case "assistant":
            return ChatMessageAssistant(content=text)
        case "tool":
            return ChatMessageTool(content=text, tool_call_id=turn.get("tool_call_id"))
        case _:
            return ChatMessageUser(content=text)


def _text(turn: Mapping[str, Any], longest: int) -> str:
    said = turn.get("content")
    calls = turn.get("tool_calls")
    parts = [said if isinstance(said, str) else json.dumps(said) if said else "", json.dumps(calls) if calls else ""]
    return shortened(plain("\n".join(filter(None, parts))), longest)


def _read(text: str | bytes) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
