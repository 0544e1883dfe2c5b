"""A stub model that makes cases about users by rules; some of its replies are malformed, some break a rule.

What it says is a function of the request alone, so that two runs, however broken, are told the same. Its objects have
their fields the other way round, which no step may mind. It plays the maker both of a `ModelServer` and in the process.
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
    "topics": "Sort what a person likes",
    "plan": "Every preference of a person",
    "case": "Write a small set of statements",
    "case_filter": "Review a set of statements",
    "session": "Write one talk between",
    "session_filter": "Review the talks of one set",
    "questions": "A user asks an assistant for help with a task. Write",
    "answers": "Give the key to some requests",
    "question_filter": "Review requests of a user",
}
"""Step -> how its prompt begins."""
_SYLLABLES = ("ba", "do", "ki", "lu", "me", "no", "pa", "ri", "su", "ta", "ve", "wo", "za", "fe", "gi", "hu")


class KilledError(BaseException):
    """The process is gone."""


@dataclass
class CaseMaker:
    """Plays the maker; counts its replies by kind and step, and what was paid for."""

    malformed: float = 0.0
    broken: float = 0.0
    never: str = ""
    """A step that gets no reply that holds."""
    refuses: tuple[str, str] = ("", "")
    """A filter, and a word in its prompt with which it accepts nothing."""
    content: str = "fine"
    """What filters find in what they refuse."""
    fingerprint: str = "stub"
    kept: dict[str, str] = field(default_factory=dict)
    """Replies that were paid for, as the cache of calls keeps them."""
    stop_after: int | None = None
    """Paid calls, after which the run is killed."""
    paid: int = 0
    replies: int = 0
    said: Counter[str] = field(default_factory=Counter)
    """Replies by kind: good, malformed, broken."""
    steps: Counter[str] = field(default_factory=Counter)
    temperatures: dict[str, float | None] = field(default_factory=dict)
    requests: list[tuple[str, ChatRequest]] = field(default_factory=list)
    _lock: Lock = field(default_factory=Lock)

    def complete(self, turns: object, **_: object) -> str:
        """Makers are asked by `chat`."""
        raise NotImplementedError

    def chat(self, request: ChatRequest) -> ChatReply:
        """The reply to one call within the process."""
        occasion = current_context()
        assert occasion is not None
        turns = json.dumps([[turn.role, turn.text] for turn in request.turns])
        key = json.dumps([occasion.key, turns])
        with self._lock:
            self.requests.append((occasion.row, request))
            self.temperatures[occasion.row] = request.temperature
            if key not in self.kept:
                if self.stop_after is not None and self.paid >= self.stop_after:
                    raise KilledError
                self.kept[key] = self._reply(turns, request.turns[0].text)
                self.paid += 1
            self.replies += 1
            self.steps[occasion.row] += 1
            return ChatReply(text=self.kept[key])

    def __call__(self, call: Call) -> Act | str:
        """The reply of a server to one call."""
        asked = call.body["messages"][0]["content"]
        if "test of the connection" in asked:
            return "ready"
        with self._lock:
            return self._reply(json.dumps(call.body["messages"]), asked)

    def _reply(self, turns: str, asked: str) -> str:
        step = next(name for name, mark in MARKS.items() if asked.startswith(mark))
        rng = Random(blake2b(f"{step}{turns}".encode(), digest_size=12).hexdigest())
        draw = rng.random()
        good = MADE[step](asked, rng)
        if step == self.refuses[0] and self.refuses[1] in asked:
            good = refused(step, good, self.content)
        if draw < self.malformed:
            self.said["malformed"] += 1
            return rng.choice(_MALFORMED)(json.dumps(good))
        if step == self.never or draw < self.malformed + self.broken:
            self.said["broken"] += 1
            return json.dumps(spoiled(step, good))
        self.said["good"] += 1
        return json.dumps(good, ensure_ascii=False)


_MALFORMED: tuple[Callable[[str], str], ...] = (
    lambda good: f"Sure, here you are: {good}",
    lambda good: good[: len(good) // 2],
    lambda good: json.dumps([json.loads(good)]),
    lambda good: json.dumps({**json.loads(good), "comment": "done"}),
)


def words(seed: str, count: int) -> list[str]:
    """Invented words that stand for *seed*."""
    rng = Random(blake2b(seed.encode(), digest_size=8).hexdigest())
    return ["".join(rng.choices(_SYLLABLES, k=3)) + "n" for _ in range(count)]


def block(asked: str, opening: str) -> str:
    """What stands in a prompt behind a line that begins so."""
    found = re.search(rf"^{re.escape(opening)}[^\n]*\n(.*?)\n\n", asked, re.MULTILINE | re.DOTALL)
    assert found is not None, (opening, asked)
    return found[1]


def _topics(asked: str, _: Random) -> Json:
    entries = json.loads(block(asked, "The entries, as JSON"))
    names = ("books", "Travel", "sport", "Cooking")
    told = [
        {"topic": names[place % len(names)], "preference_id": one["preference_id"]} for place, one in enumerate(entries)
    ]
    return {"topics": told}


def _plan(asked: str, _: Random) -> Json:
    counts = json.loads(block(asked, "How many of each relation"))
    relation_of = {"K>1": "complementary", "any_one": "complementary", "Temporal": "nuanced", "Context": "nuanced"}
    wanted = [name for name, count in counts["sub-types"].items() for _ in range(count)]
    found = json.loads(block(asked, "The preferences, as JSON"))
    told = [
        {
            "planning_reason": "it fits",
            "relation_subtype": subtype,
            "relation_type": relation_of.get(subtype, "contradictory"),
            "preference_id": one["preference_id"],
        }
        for one, subtype in zip(found, wanted, strict=True)
    ]
    return {"planned_relations": told}


def _case(asked: str, _: Random) -> Json:
    relation = re.search(r'\{"relation_type": "(.*?)", "relation_subtype": "(.*?)"', asked)
    assert relation is not None
    taste = block(asked, "The preference, of topic")
    count = 2 if relation[2] == "contradictory" else 2 + sum(map(ord, taste)) % 3
    facts = [f"They keep {' and '.join(words(f'{taste}{number}', 4))} near at hand." for number in range(count)]
    return {
        "facts": facts,
        "description": f"It is about {taste.lower()}.",
        "relation_choice_reason": "it does",
        "relation_subtype": relation[2],
        "relation_type": relation[1],
    }


def _case_filter(_: str, __: Random) -> Json:
    return {"content": "fine", "reject_categories": [], "reason": "sound", "accepted": True, "final_decision": "accept"}


def _session(asked: str, rng: Random) -> Json:
    fact = block(asked, "What must be possible to tell")
    count = int(re.search(r"Exactly (\d+) messages", asked)[1])  # type: ignore[index]
    kinds = re.findall(r"^- (\w+): to ", block(asked, "Kinds of talk to choose from"), re.MULTILINE)
    signs = re.findall(r"\w+n\b", fact)
    turns = []
    for number in range(count):
        new = " ".join(words(f"{fact}{number}{rng.random()}", 6))
        sign = f" I saw {signs[(number // 2) % len(signs)]} {new.split()[0]}." if number % 2 == 0 and number else ""
        turns.append({"content": f"Then comes {new}.{sign}", "role": ("user", "assistant")[number % 2]})
    return {"messages": turns, "selected_conversation_type": kinds[0]}


def _session_filter(asked: str, _: Random) -> Json:
    count = len(re.findall(r"^Talk \d+ \(", asked, re.MULTILINE))
    sound = {"content": "fine", "reason": "sound", "problems": [], "accepted": True}
    return {"talks": [{**sound, "talk": number} for number in range(1, count + 1)]}


def _questions(asked: str, _: Random) -> Json:
    case = block(asked, "What is known, and how")
    count = int(re.search(r"Write exactly (\d+) requests", asked)[1])  # type: ignore[index]
    return {"questions": [_question(case, number) for number in range(count)]}


def _question(case: str, number: int) -> Json:
    names = [f"{one.title()} Set" for one in words(f"{case}names{number}", 4)]
    goal = f"Help me settle {' '.join(words(f'{case}goal{number}', 3))} for the week."
    if number % 2 == 0:
        told = [" ".join(words(name, 5)) for name in names]
        listed = [{"description": text, "name": name} for name, text in zip(names, told, strict=True)]
        return {"fields": [], "resources": listed, "request": goal, "task_form": "resource_arrangement"}
    fields = [{"choices": [name.lower() for name in names], "field": f"Part {number}"}]
    return {"fields": fields, "resources": [], "request": goal, "task_form": "structured_form"}


def _answers(asked: str, _: Random) -> Json:
    conflict = "the two choices that suit either side" in asked
    return {"answers": [_answer(name, form, text, conflict) for name, form, text in _requests(asked)]}


def _requests(asked: str) -> list[tuple[str, str, str]]:
    """Name, form and text of each request."""
    found = re.findall(r"^(q\d) \((\w+)\):\n(.*?)(?=\n\n)", asked, re.MULTILINE | re.DOTALL)
    return [(name, form, text) for name, form, text in found]


def _answer(name: str, form: str, text: str, conflict: bool) -> Json:
    lines = [line for line in text.splitlines() if line.startswith("- ")]
    offered = (
        lines[0].partition("one of: ")[2].split(" / ")
        if form == "structured_form"
        else [line[2:].partition(":")[0] for line in lines]
    )
    offered.sort()
    right = offered[: 2 if conflict else 1]
    both = " or ".join(right)
    return {
        "incorrect_answers": [f"Take {offered[-1]}.", f"It is {offered[-1]}.", f"Surely {offered[-2]}."],
        "correct_answers": [f"Take {both}.", f"It is {both}.", f"Surely {both}."],
        "right": right,
        "question_id": name,
    }


def _question_filter(asked: str, _: Random) -> Json:
    sound = {"remove_incorrect": [], "remove_correct": [], "content": "fine", "reason": "sound", "accepted": True}
    return {"decisions": [{**sound, "question_id": name} for name, _, _ in _requests(asked)]}


MADE: Mapping[str, Callable[[str, Random], Json]] = {
    "topics": _topics,
    "plan": _plan,
    "case": _case,
    "case_filter": _case_filter,
    "session": _session,
    "session_filter": _session_filter,
    "questions": _questions,
    "answers": _answers,
    "question_filter": _question_filter,
}


def spoiled(step: str, good: Json) -> Json:
    """A reply of the right form that breaks a rule."""
    bad: dict[str, Callable[[], Json]] = {
        "topics": lambda: {"topics": good["topics"][1:] + good["topics"][1:2]},
        "plan": lambda: {"planned_relations": [{**one, **_ODD} for one in good["planned_relations"]]},
        "case": lambda: {**good, "facts": [good["facts"][0].rstrip(".")] * 2},
        "case_filter": lambda: {**good, "final_decision": "accept", "accepted": False, "reject_categories": ["vague"]},
        "session": lambda: {**good, "messages": good["messages"][1:]},
        "session_filter": lambda: {"talks": good["talks"][1:]},
        "questions": lambda: {
            "questions": [{**one, "request": f"{one['request']} As I told you"} for one in _of(good)]
        },
        "answers": lambda: {"answers": [{**one, "right": ["Nothing"]} for one in good["answers"]]},
        "question_filter": lambda: {"decisions": good["decisions"][1:]},
    }
    return bad[step]()


_ODD = {"relation_subtype": "any_one", "relation_type": "complementary"}


def _of(good: Json) -> Sequence[Json]:
    found: Sequence[Json] = good["questions"]
    return found


def refused(step: str, good: Json, content: str) -> Json:
    """The verdict of a filter that accepts nothing."""
    if step == "case_filter":
        told = {"final_decision": "reject", "accepted": False, "reject_categories": ["unnatural"]}
        return {**good, **told, "reason": "nobody is like that", "content": content}
    if step == "session_filter":
        bad = {"accepted": False, "problems": ["too_hidden"], "reason": "no sign", "content": content}
        return {"talks": [{**good["talks"][0], **bad}, *good["talks"][1:]]}
    bad = {"accepted": False, "reason": "too broad", "content": content}
    return {"decisions": [{**one, **bad} for one in good["decisions"]]}
