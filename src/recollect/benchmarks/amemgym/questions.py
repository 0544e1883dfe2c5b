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
    """The last message that told a variable's value, oldest message first."""
    _written: dict[Variable, int] = field(default_factory=dict)

    def hear(self, talk: Talk, message: MessageId) -> None:
        """A dialogue begins with *message*."""
        for name in talk.exposed_states:
            self._told_by.pop(name, None)
            self._told_by[name] = message

    def close(self, period: int) -> None:
        """All dialogues of *period* are over, and its state holds."""
        self.period = period
        self._written.update(dict.fromkeys(self.item.periods[period].updates, period))

    def now(self, qa: Qa) -> dict[Variable, str]:
        """The current values that a question needs."""
        state = self.item.periods[self.period].state
        return {name: state[name] for name in qa.required_info}

    def about(self, qa: Qa) -> dict[str, Any]:
        """The evidence fields of the keys of all questions that need these variables."""
        evidence = dict.fromkeys(message for name, message in self._told_by.items() if name in qa.required_info)
        return {
            "evidence": tuple(evidence),
            "field_evidence": {name: (self._told_by[name],) for name in qa.required_info},
        }

    def labels(self, qa: Qa) -> dict[str, str]:
        """Period, and when each variable was last changed."""
        written = {name: self._written[name] for name in qa.required_info}
        return {"period": str(self.period), "written": in_json(written)}


def scored(known: Known, index: int) -> tuple[Question, Key]:
    """One question as it is asked after the current period.

    Raises:
        ValueError: No choice suits the state, or several do.
    """
    qa = known.item.qas[index]
    right = known.item.right_choice(qa, known.period)
    if right is None:
        raise ValueError(f"user {known.item.id!r}, period {known.period}, question {index}: not one right choice")
    earlier = {known.item.right_choice(qa, period) for period in range(known.period)} - {right, None}
    question = Question(
        question_id=QuestionId(opaque("q", known.history, known.period, index)),
        text=qa.query,
        options=tuple(
            Option(letter=str(number), text=choice.answer) for number, choice in enumerate(qa.answer_choices, start=1)
        ),
        answer_format=AnswerFormat.LETTER,
        asked_at=known.item.periods[known.period].period_end,
        output_tokens=OUTPUT_TOKENS,
        prompt=CHOOSE,
    )
    key = Key(
        question_id=question.question_id,
        gold=(str(right + 1),),
        rejected=tuple(str(choice + 1) for choice in sorted(choice for choice in earlier if choice is not None)),
        labels={"thread": _thread(index), **known.labels(qa), **_choice_labels(qa)},
        original_id=f"{known.item.id}:p{known.period:02d}:{_thread(index)}",
        **known.about(qa),
    )
    return question, key


def probe(known: Known, index: int, lang: str) -> tuple[Question, Key]:
    """The question for the states that the scored question of this index needs."""
    qa = known.item.qas[index]
    values = {name: " | ".join(known.item.state_schema[name]) for name in qa.required_info}
    question = Question(
        question_id=QuestionId(opaque("q", known.history, known.period, index, "probe")),
        text="\n".join([_STATES_ASKED[lang], *(f"{name.replace('_', ' ')}: {one}" for name, one in values.items())]),
        answer_format=AnswerFormat.JSON,
        template={name: f"one of: {one}" for name, one in values.items()},
        asked_at=known.item.periods[known.period].period_end,
        output_tokens=OUTPUT_TOKENS,
        prompt=PROBE,
        purpose="probe",
    )
    key = Key(
        question_id=question.question_id,
        gold=(in_json(known.now(qa)),),
        field_gold={name: (value,) for name, value in known.now(qa).items()},
        labels={"thread": f"{_thread(index)}-states", "probe_of": _thread(index), **known.labels(qa)},
        original_id=f"{known.item.id}:p{known.period:02d}:{_thread(index)}:states",
        **known.about(qa),
    )
    return question, key


def bounds(known: Known, questions: Sequence[Question]) -> Iterator[Key]:
    """Keys of the questions that only the setting `bound` asks: one for each choice, its state given.

    *questions* begins with the scored ones of one period, in the order of `qas`.
    """
    for index, qa in enumerate(known.item.qas):
        for option, choice in zip(questions[index].options, qa.answer_choices, strict=True):
            thread = _thread(index)
            yield Key(
                question_id=bound_id(known.history, questions[index], option.letter),
                gold=(option.letter,),
                oracle_text=in_json(dict(zip(qa.required_info, choice.state, strict=True))),
                labels={"thread": f"{thread}-bound-{option.letter}", "bound_of": thread, **_choice_labels(qa)},
                original_id=f"{known.item.id}:bound:{thread}:{option.letter}",
            )


def bound_id(history: HistoryId, question: Question, letter: str) -> QuestionId:
    """Id of the question that is asked with the state of one choice given, from what is asked."""
    asked = digest([question.text, *(option.text for option in question.options)])
    return QuestionId(opaque("q", history, "bound", asked, letter))


def in_json(value: Mapping[str, Any]) -> str:
    """*value* as one line that people can read."""
    return json.dumps(dict(value), ensure_ascii=False)


def _choice_labels(qa: Qa) -> dict[str, str]:
    states = {str(number): list(choice.state) for number, choice in enumerate(qa.answer_choices, start=1)}
    return {"choices": str(len(states)), "states": in_json(states)}


def _thread(index: int) -> str:
    return f"q{index:02d}"
