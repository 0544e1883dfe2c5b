"""A stub model that makes cases about the world by rules; some of its replies are malformed, some break a rule.

What it says is a function of step and request alone, so that two runs, however broken, are told the same. Its objects
have their fields the other way round, which no step may mind. It plays the maker both of a `ModelServer` and in the
process.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from random import Random
from threading import Lock
from typing import Any

from recollect.contracts.call_context import current_context
from recollect.contracts.models import ChatReply, ChatRequest

from tests.fakes.model_acts import Act, Call

Json = dict[str, Any]
MARKS: Mapping[str, str] = {
    "world_facts_complementary": "Turn a record of a question with its evidence",
    "world_facts_temporal": "Turn dated snapshots",
    "world_facts_context": "Turn the readings",
    "world_facts_contradictory": "Choose two of the entries",
    "world_plan": "Plan ",
    "world_session_filter": "Review talks",
    "world_session": "Write talk ",
    "world_questions": "A user comes back",
    "world_question_filter": "Review questions",
    "world_answers": "Write three right",
    "world_answer_filter": "Review the answers",
}
"""Step -> how its prompt begins."""


class KilledError(BaseException):
    """The process is gone."""


@dataclass
class WorldMaker:
    """Plays the maker; counts its replies, and what was paid for."""

    malformed: float = 0.0
    broken: float = 0.0
    never: str = ""
    """A step that gets no reply that holds."""
    fingerprint: str = "stub"
    kept: dict[str, str] = field(default_factory=dict)
    """Replies that were paid for, as the cache of calls keeps them."""
    stop_after: int | None = None
    paid: int = 0
    replies: int = 0
    steps: Counter[str] = field(default_factory=Counter)
    said: Counter[str] = field(default_factory=Counter)
    """Replies by kind: good, malformed, broken."""
    _lock: Lock = field(default_factory=Lock)

    def __call__(self, call: Call) -> Act | str:
        """The reply to one call of a server."""
        turns = call.body["messages"]
        asked = turns[0]["content"]
        if "test of the connection" in asked:
            return "ready"
        step = next(name for name, opening in MARKS.items() if asked.startswith(opening))
        with self._lock:
            self.replies += 1
            self.steps[step] += 1
            return self._said(step, json.dumps([[turn["role"], turn["content"]] for turn in turns]), asked)

    def complete(self, turns: object, **_: object) -> str:
        """Makers are asked by `chat`."""
        raise NotImplementedError

    def chat(self, request: ChatRequest) -> ChatReply:
        """The reply to one call."""
        occasion = current_context()
        assert occasion is not None
        turns = json.dumps([[turn.role, turn.text] for turn in request.turns])
        key = f"{occasion.row}{turns}"
        with self._lock:
            if key not in self.kept:
                if self.stop_after is not None and self.paid >= self.stop_after:
                    raise KilledError
                self.kept[key] = self._said(occasion.row, turns, request.turns[0].text)
                self.paid += 1
            self.replies += 1
            self.steps[occasion.row] += 1
            return ChatReply(text=self.kept[key])

    def _said(self, step: str, turns: str, asked: str) -> str:
        rng = Random(blake2b(f"{step}{turns}".encode(), digest_size=12).hexdigest())
        draw = rng.random()
        good = MADE[step](asked)
        if draw < self.malformed:
            self.said["malformed"] += 1
            return rng.choice(_MALFORMED)(json.dumps(good))
        if step == self.never or draw < self.malformed + self.broken:
            self.said["broken"] += 1
            return json.dumps(backwards(SPOILED[step](good)))
        self.said["good"] += 1
        return json.dumps(backwards(good))


def backwards(value: Any) -> Any:
    """Objects with their fields the other way round."""
    if isinstance(value, dict):
        return {name: backwards(one) for name, one in reversed(value.items())}
    return [backwards(one) for one in value] if isinstance(value, list) else value


_MALFORMED: tuple[Callable[[str], str], ...] = (
    lambda good: f"Sure, here you are: {good}",
    lambda good: good[: len(good) // 2],
    lambda good: json.dumps([json.loads(good)]),
    lambda good: json.dumps({**json.loads(good), "comment": "done"}),
)


def code(said: Any) -> str:
    """Six digits that stand for something."""
    return str(int(blake2b(json.dumps(said).encode(), digest_size=8).hexdigest(), 16))[-6:]


def block(asked: str, opening: str) -> str:
    """What stands in a prompt behind a line that begins so."""
    found = re.search(rf"^{re.escape(opening)}[^\n]*\n(.*?)\n\n", asked, re.MULTILINE | re.DOTALL)
    assert found is not None, (opening, asked)
    return found[1]


def _usual(asked: str) -> Json:
    return {
        "description": f"It is about matter {code(asked)}.",
        "topic": "World",
        "fact_selection_notes": "",
    }


def _complementary(asked: str) -> Json:
    evidence = json.loads(block(asked, "Its evidence"))
    near = block(asked, "Related things")
    several = "one alone does not answer it" in asked
    chain = len(evidence) == 4
    taken = evidence if chain or not several else evidence[1:5]
    facts = [
        _selected(one, "required" if several else "equivalent", inside=not chain or one is taken[-1], place=place)
        for place, one in enumerate(taken)
    ]
    if near != "(none)":
        facts.append(_selected(json.loads(near)[0], "distractor", inside=False, place=9))
    answer = "; ".join(dict.fromkeys(one["answer_contribution"] for one in facts if one["in_answer"]))
    return {
        "complementary_question": f"What goes with register entry {code(asked)}?",
        "canonical_answer": f"It is {answer}.",
        "effective_k": len(taken) if several else 1,
        "selected_facts": facts,
        **_usual(asked),
    }


def _selected(one: Json, role: str, *, inside: bool, place: int) -> Json:
    value = one["answer"].split(", ")[0]
    return {
        "memory_id": one["memory_id"],
        "fact_role": role,
        "about": f"thing {place}",
        "fact_statement": f"On page {code(one['memory_id'] + one['question'])} one reads of {value} as {_topic(one)}.",
        "answer_contribution": value,
        "in_answer": inside,
        "selection_rationale": "",
    }


def _topic(one: Json) -> str:
    return f"what is asked under mark {code(one['question'])}"


def _temporal(asked: str) -> Json:
    evidence = json.loads(block(asked, "Its snapshots"))
    return {
        "temporal_question": f"How large is the number under mark {code(evidence)}?",
        "temporal_facts": [
            {
                "memory_id": one["memory_id"],
                "time_condition": f"as of {one['date']}",
                "answer_text": one["answer"],
                "fact_statement": f"As of {one['date']}, the count was {one['answer']} in all.",
            }
            for one in evidence
        ],
        **_usual(asked),
    }


def _context(asked: str) -> Json:
    evidence = json.loads(block(asked, "Its readings"))
    return {
        "context_question": f"Who sang in the piece under mark {code(evidence)}?",
        "context_facts": [
            {
                "memory_id": one["memory_id"],
                "context_condition": f"at the {_house(one)}",
                "context_anchor": _house(one),
                "answer_text": one["answer"],
                "fact_statement": f"At the {_house(one)} it was {one['answer']} who sang.",
            }
            for one in evidence
        ],
        **_usual(asked),
    }


def _house(one: Json) -> str:
    return str(one["question"].rpartition("at the ")[2].rstrip("?"))


def _contradictory(asked: str) -> Json:
    evidence = json.loads(block(asked, "Its entries"))[:2]
    return {
        "conflict_question": f"Who took the lead in the piece under mark {code(evidence)}?",
        "selected_facts": [
            {
                "memory_id": one["memory_id"],
                "contradictory_answer": one["answer"],
                "fact_statement": f"The lead was with {one['answer']} throughout.",
            }
            for one in evidence
        ],
        "conflict_rationale": "",
        **_usual(asked),
    }


def _plan(asked: str) -> Json:
    facts = json.loads(block(asked, "The facts"))
    names = re.findall(r"^For (s\d):$", asked, re.MULTILINE)
    shares = [[one["memory_id"] for one in facts[place :: len(names)]] for place in range(len(names))]
    return {"sessions": [_planned(asked, name, ids) for name, ids in zip(names, shares, strict=True)]}


def _planned(asked: str, name: str, ids: Sequence[str]) -> Json:
    found = re.search(rf"^For {name}:\n- type `(\w+)` \(.*?\), flow `(\w+)`", asked, re.MULTILINE)
    assert found is not None, asked
    told = code([asked, name])
    return {
        "session_id": name,
        "chosen_conversation_type": found[1],
        "chosen_conversation_flow": found[2],
        "scenario_label": f"occasion {told}",
        "event_signature": f"errand {told}",
        "event_summary": f"Somebody runs errand {told}.",
        "opening_situation": "A list that is not done.",
        "user_goal": "A list that is done.",
        "assistant_role": "It helps.",
        "grouping_rationale": "",
        "fact_integration_plan": "On the way.",
        "distinct_from_other_sessions": "",
        "assigned_memory_ids": list(ids),
    }


def _session(asked: str) -> Json:
    name = re.search(r"^Write talk (s\d) ", asked)
    assert name is not None, asked
    told = re.findall(r"^- (.*) \(named: .*\)$", block(asked, "What has to come up"), re.MULTILINE)
    mark = code(asked)
    by_user = "The user makes the claim." in asked
    turns = [f"I am busy with errand {mark} and would like a hand.", f"With pleasure; errand {mark} it is."]
    for place, statement in enumerate(told):
        said = (f"I have it here that {statement}", f"Good to know, step {place} of {mark} is done.")
        asked_for = (f"What about step {place} of {mark}?", f"Step {place} of {mark} is easy. {statement}")
        turns += said if by_user else asked_for
    turns += [f"Thank you, that settles {mark} for today.", f"Any time; good luck with {mark}."]
    return {
        "session_id": name[1],
        "chosen_scenario": f"errand {mark}",
        "conversation": [
            {"role": ("user", "assistant")[place % 2], "content": text} for place, text in enumerate(turns)
        ],
        "coverage_notes": "",
    }


def _decided(name: str, names: Sequence[str]) -> Json:
    return {"decisions": [{name: one, "decision": "yes", "reason": "", "content": "fine"} for one in names]}


def _session_filter(asked: str) -> Json:
    return _decided("session_id", [one["session_id"] for one in json.loads(block(asked, "Which talk tells which"))])


def _by_question(asked: str) -> Json:
    return _decided("question_id", [one["question_id"] for one in json.loads(block(asked, "The questions"))])


def _questions(asked: str) -> Json:
    facts, broad = json.loads(block(asked, "The facts")), block(asked, "What they all answer to")
    mark = code(broad)
    if "exactly three questions" in asked:
        named = facts[0]["condition"]
        told = (
            ("easy", "direct_date", f"For the note under mark {mark}: what was the count {named}?"),
            ("medium", "event_anchor", f"What was the count under mark {mark} when the posters were hung?"),
            ("hard", "relative_time", f"What was the count under mark {mark} a month before the posters were hung?"),
        )
        made = [
            {**_asked(text), "target_memory_id": one["memory_id"], "difficulty": level, "anchor_type": anchor}
            for one, (level, anchor, text) in zip(facts, told, strict=False)
        ]
    elif "one or two questions" in asked:
        made = [
            {
                **_asked(f"For the programme under mark {mark}: who sang at the {one['condition']}?"),
                "target_memory_id": one["memory_id"],
            }
            for one in facts[:2]
        ]
    else:
        made = [_asked(f"For my notes: {broad[0].lower()}{broad[1:]}")]
    return {"questions": made}


def _asked(text: str) -> Json:
    return {"question": text, "question_design_notes": ""}


def _answers(asked: str) -> Json:
    right = [values[0] for values in json.loads(block(asked, "What a right answer has to name")).values()]
    others = re.findall(r"`([^`]+)`", block(asked, "What holds otherwise"))
    told = " and ".join(right)
    correct = [f"It is {told}.", f"That would be {told}.", f"I have {told} there."]
    rivals = [*others, f"Nobody {code(told)}", f"Somebody {code([told])}", f"Anybody {code([[told]])}"][:3]
    wrong = [f"It is {' and '.join([*right[:-1], one])}." for one in rivals]
    if "nothing says which is" in asked:
        correct = [f"{one[:-1]}, and the two do not agree, so it stays open." for one in correct]
        wrong = [f"It is {right[0]} for certain.", f"It is {right[1]} for certain.", f"It is neither of {code(told)}."]
    return {
        "correct_answers": [{"text": text} for text in correct],
        "incorrect_answers": [{"text": text} for text in wrong],
    }


MADE: Mapping[str, Callable[[str], Json]] = {
    "world_facts_complementary": _complementary,
    "world_facts_temporal": _temporal,
    "world_facts_context": _context,
    "world_facts_contradictory": _contradictory,
    "world_plan": _plan,
    "world_session": _session,
    "world_session_filter": _session_filter,
    "world_questions": _questions,
    "world_question_filter": _by_question,
    "world_answers": _answers,
    "world_answer_filter": _by_question,
}


def _first_no(good: Json) -> Json:
    """Decides on all but the first."""
    return {"decisions": good["decisions"][1:]}


def _listed(name: str) -> Callable[[Json], Json]:
    return lambda good: {**good, name: [good[name][0], *good[name][:-1]]}


SPOILED: Mapping[str, Callable[[Json], Json]] = {
    "world_facts_complementary": lambda good: {**good, "effective_k": good["effective_k"] % 6 + 1},
    "world_facts_temporal": _listed("temporal_facts"),
    "world_facts_context": _listed("context_facts"),
    "world_facts_contradictory": _listed("selected_facts"),
    "world_plan": lambda good: {"sessions": good["sessions"][::-1]},
    "world_session": lambda good: {**good, "conversation": good["conversation"][1:]},
    "world_session_filter": _first_no,
    "world_questions": lambda good: {"questions": [{**one, "question": "What now"} for one in good["questions"]]},
    "world_question_filter": _first_no,
    "world_answers": lambda good: {**good, "incorrect_answers": good["correct_answers"]},
    "world_answer_filter": _first_no,
}
"""Replies of the right form that break a rule, or lack a decision."""
