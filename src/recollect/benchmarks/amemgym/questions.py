"""The questions of one user with their keys: what suits now, which states hold, and the bound of each choice."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from recollect.benchmarks.amemgym.items import Item, Qa, Talk, Variable
from recollect.domain.ids import HistoryId, MessageId, QuestionId
from recollect.domain.questions import AnswerFormat, Key, Option, Question
from recollect.records.digests import digest, opaque

OUTPUT_TOKENS = 256
CHOOSE, PROBE = "choose", "probe"
"""Names of the two prompts."""
_STATES_ASKED = {
    "en": "What is my situation at present? For each of these, name the one value that fits me now.",
    "zh": "我目前的情况如何？请为下面每一项选出现在符合我的一个值。",
}


@dataclass(kw_only=True)
class Known:
    """What the user has told so far, and in which message."""

    item: Item
    history: HistoryId
    period: int = 0
    _told_by: dict[Variable, MessageId] = field(default_factory=dict)
    """The last message that told the value that holds."""
    _written: dict[Variable, int] = field(default_factory=dict)
    _order: list[MessageId] = field(default_factory=list)

    def hear(self, talk: Talk, message: MessageId) -> None:
        """A dialogue begins."""
        self._order.append(message)
        self._told_by.update(dict.fromkeys(talk.exposed_states, message))

    def close(self, period: int) -> None:
        """All dialogues of a period are over, and its state holds."""
        self.period = period
        self._written.update(dict.fromkeys(self.item.periods[period].updates, period))

    def now(self, qa: Qa) -> dict[Variable, str]:
        """The values that a question needs, as they are."""
        state = self.item.periods[self.period].state
        return {name: state[name] for name in qa.required_info}

    def about(self, qa: Qa) -> dict[str, Any]:
        """What the keys of all questions that need these variables say."""
        told = {name: (self._told_by[name],) for name in qa.required_info}
        heard = {name for names in told.values() for name in names}
        return {
            "evidence": tuple(name for name in self._order if name in heard),
            "field_evidence": told,
        }

    def labels(self, qa: Qa) -> dict[str, str]:
        """Period, and when each variable was last changed."""
        written = {name: self._written[name] for name in qa.required_info}
        return {"period": str(self.period), "written": in_json(written)}


def scored(known: Known, place: int, lang: str = "en") -> tuple[Question, Key]:  # noqa: ARG001  # as `probe`
    """One question as it is asked after the current period.

    Raises:
        ValueError: No choice suits the state, or several do.
    """
    qa = known.item.qas[place]
    right = known.item.right_choice(qa, known.period)
    if right is None:
        raise ValueError(f"user {known.item.id!r}, period {known.period}, question {place}: not one right choice")
    earlier = {known.item.right_choice(qa, period) for period in range(known.period)} - {right, None}
    question = Question(
        question_id=QuestionId(opaque("q", known.history, known.period, place)),
        text=qa.query,
        options=_options(qa),
        answer_format=AnswerFormat.LETTER,
        asked_at=known.item.periods[known.period].period_end,
        output_tokens=OUTPUT_TOKENS,
        prompt=CHOOSE,
    )
    key = Key(
        question_id=question.question_id,
        gold=(str(right + 1),),
        rejected=tuple(str(one + 1) for one in sorted(one for one in earlier if one is not None)),
        labels={"thread": _thread(place), **known.labels(qa), **_of_choices(qa)},
        original_id=f"{known.item.id}:p{known.period:02d}:{_thread(place)}",
        **known.about(qa),
    )
    return question, key


def probe(known: Known, place: int, lang: str) -> tuple[Question, Key]:
    """The question for the states themselves that the scored question of this place needs."""
    qa = known.item.qas[place]
    values = {name: " | ".join(known.item.state_schema[name]) for name in qa.required_info}
    question = Question(
        question_id=QuestionId(opaque("q", known.history, known.period, place, "probe")),
        text="\n".join([_STATES_ASKED[lang], *(f"{name.replace('_', ' ')}: {one}" for name, one in values.items())]),
        answer_format=AnswerFormat.JSON,
        template={name: f"one of: {one}" for name, one in values.items()},
        asked_at=known.item.periods[known.period].period_end,
        output_tokens=OUTPUT_TOKENS,
        prompt=PROBE,
        purpose="probe",
    )
    thread = {"thread": f"{_thread(place)}-states", "probe_of": _thread(place)}
    key = Key(
        question_id=question.question_id,
        gold=(in_json(known.now(qa)),),
        field_gold={name: (value,) for name, value in known.now(qa).items()},
        labels={**thread, **known.labels(qa)},
        original_id=f"{known.item.id}:p{known.period:02d}:{_thread(place)}:states",
        **known.about(qa),
    )
    return question, key


def bounds(known: Known, asked: Sequence[Question]) -> Iterator[Key]:
    """Keys of the questions that only the setting `bound` asks: one for each choice, its state told outright.

    Args:
        known: The user.
        asked: The scored questions of one period, in the order of `qas`; what stands behind them does not matter.
    """
    for place, qa in enumerate(known.item.qas):
        for option, choice in zip(asked[place].options, qa.answer_choices, strict=True):
            yield Key(
                question_id=bound_id(known.history, asked[place], option.letter),
                gold=(option.letter,),
                oracle_text=in_json(dict(zip(qa.required_info, choice.state, strict=True))),
                labels={
                    "thread": f"{_thread(place)}-bound-{option.letter}",
                    "bound_of": _thread(place),
                    **_of_choices(qa),
                },
                original_id=f"{known.item.id}:bound:{_thread(place)}:{option.letter}",
            )


def bound_id(history: HistoryId, question: Question, letter: str) -> QuestionId:
    """Name of the question that is asked with the state of one choice told outright, by what is asked."""
    told = digest([question.text, *(option.text for option in question.options)])
    return QuestionId(opaque("q", history, "bound", told, letter))


def in_json(value: Mapping[str, Any]) -> str:
    """*value* as one line that people can read."""
    return json.dumps(dict(value), ensure_ascii=False)


def _options(qa: Qa) -> tuple[Option, ...]:
    """In the order of the file, which is the order shown; a number is the letter."""
    return tuple(Option(letter=str(number), text=one.answer) for number, one in enumerate(qa.answer_choices, start=1))


def _of_choices(qa: Qa) -> dict[str, str]:
    states = {str(number): list(choice.state) for number, choice in enumerate(qa.answer_choices, start=1)}
    return {"choices": str(len(states)), "states": in_json(states)}


def _thread(place: int) -> str:
    """Joins the same question over all periods."""
    return f"q{place:02d}"
