"""A stub model that makes users by rules; some of its replies are malformed, some break a rule.

What it says is a function of step and request alone, so that two runs, however broken, are told the same. Its objects
have their fields the other way round, which no step may mind. What is to be told apart is told by codes of digits,
which the same stub reads again.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from random import Random
from threading import Lock
from typing import Any

from recollect.contracts.call_context import current_context
from recollect.contracts.models import ChatReply, ChatRequest

Json = dict[str, Any]
TOPICS = ("tulips on the stall", "rowing before work", "bread for the neighbours", "an attic full of maps")
WORDS = {
    "en": {"ask": "How should I go about {}?", "say": "Please help me with number {}.", "fact": "{} kind {}"},
    "zh": {"ask": "我应该怎样安排{}这件事情？", "say": "请帮我想一想编号{}的事。", "fact": "{}第{}种"},
}
TOPICS_ZH = ("市场摊位上的花", "上班之前划船", "给邻居烤面包", "阁楼里的旧地图")


@dataclass
class LifeMaker:
    """Plays the maker; counts its replies, and what was paid for."""

    malformed: float = 0.0
    broken: float = 0.0
    never: str = ""
    """A step that gets no reply that holds."""
    fingerprint: str = "stub"
    kept: dict[str, str] = field(default_factory=dict)
    """Replies that were paid for, as the cache of calls keeps them."""
    stop_after: int | None = None
    """Paid calls, after which the run is killed."""
    paid: int = 0
    replies: int = 0
    steps: Counter[str] = field(default_factory=Counter)
    temperatures: dict[str, float | None] = field(default_factory=dict)
    requests: list[tuple[str, ChatRequest]] = field(default_factory=list)
    _lock: Lock = field(default_factory=Lock)

    def complete(self, turns: object, **_: object) -> str:
        """Makers are asked by `chat`."""
        raise NotImplementedError

    def chat(self, request: ChatRequest) -> ChatReply:
        """The reply to one call."""
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
                self.kept[key] = self._said(occasion.row, turns, request.turns[0].text)
                self.paid += 1
            self.replies += 1
            self.steps[occasion.row] += 1
            return ChatReply(text=self.kept[key])

    def _said(self, step: str, turns: str, asked: str) -> str:
        rng = Random(blake2b(f"{step}{turns}".encode(), digest_size=12).hexdigest())
        draw = rng.random()
        good = MADE[step](asked, rng)
        if draw < self.malformed:
            return rng.choice(_MALFORMED)(json.dumps(good))
        if step == self.never or draw < self.malformed + self.broken:
            return json.dumps(spoiled(step, good, asked))
        return json.dumps(good, ensure_ascii=False)


class KilledError(BaseException):
    """The process is gone."""


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


def lang_of(asked: str) -> str:
    return "zh" if "in Simplified Chinese" in asked else "en"


def _count(pattern: str, asked: str) -> int:
    found = re.search(pattern, asked)
    assert found is not None, (pattern, asked)
    return int(found[1])


def _profile(asked: str, _: Random) -> Json:
    told = {"en": "Likes quiet mornings.", "zh": "喜欢安静的早晨。"}
    return {"name": "Mira Holt", "profile": told[lang_of(asked)]}


def _questions(asked: str, _: Random) -> Json:
    """The second question shares a fact with the first one, with other values."""
    count, states = _count(r"Write (\d+) different", asked), _count(r"who knows (\d+) facts", asked)
    choices, lang = _count(r"exactly (\d+) values", asked), lang_of(asked)
    topics = TOPICS if lang == "en" else TOPICS_ZH
    made = []
    for number in range(count):
        names = [f"q{number}_fact_{place}" for place in range(states)]
        if number == 1:
            names[0] = "other_fact"
        facts = [
            {"info_type": name, "info_choices": [WORDS[lang]["fact"].format(name, n) for n in range(choices)]}
            for name in names
        ]
        made.append({"question": WORDS[lang]["ask"].format(topics[number]), "required_info": facts})
    return {"questions": made}


def _variables(asked: str, _: Random) -> Json:
    """`other_fact` is what `q0_fact_0` is; all others stay."""
    questions = json.loads(block(asked, "The questions with the facts"))
    facts = dict.fromkeys(fact["info_type"] for one in questions for fact in one["required_info"])
    made = [{"name": f"user_{name}", "gathers": [name]} for name in facts if name != "other_fact"]
    if "other_fact" in facts:
        made[0]["gathers"] = [*made[0]["gathers"], "other_fact"]
    return {"variables": made}


def _choices(asked: str, _: Random) -> Json:
    count = _count(r"give exactly (\d+) values", asked)
    groups = json.loads(block(asked, "The variables, each with"))
    return {name: [WORDS[lang_of(asked)]["fact"].format("one", n) for n in range(count)] for name in groups}


def _schema(asked: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = json.loads(block(asked, "Variables of the person's situation"))
    return found


def _state(asked: str, _: Random) -> Json:
    return {name: values[len(values) // 2] for name, values in reversed(_schema(asked).items())}


def _updates(asked: str, rng: Random) -> Json:
    schema, now = _schema(asked), json.loads(block(asked, "Their values on"))
    left = json.loads(block(asked, "How often each variable may"))
    wanted = min(_count(r"About (\d+) variables", asked), sum(count > 0 for count in left.values()))
    order = sorted(left, key=lambda name: (-left[name], rng.random()))
    updated = [
        {"variable": name, "new": rng.choice([one for one in schema[name] if one != now[name]])}
        for name in order[:wanted]
    ]
    return {"period_summary": {"en": "Things move on.", "zh": "生活在继续。"}[lang_of(asked)], "updated": updated}


def _events(asked: str, _: Random) -> Json:
    changes = json.loads(block(asked, "What changes, with old"))
    told = {"en": "Something happened, number {}.", "zh": "发生了一件事，编号{}。"}[lang_of(asked)]
    names = list(changes)
    groups = [names[:2], *([one] for one in names[2:])]
    return {"events": [{"states": group, "event": told.format(code(group))} for group in groups]}


def _numbered(asked: str) -> dict[str, str]:
    lines = block(asked, "The situations:").splitlines()
    return {line.split(" ", 1)[0].rstrip(".:"): line.split(" ", 1)[1] for line in lines}


def _answers(asked: str, _: Random) -> Json:
    say = WORDS[lang_of(asked)]["say"]
    return {name: say.format(code(told)) for name, told in _numbered(asked).items()}


def _match(asked: str, _: Random) -> Json:
    answer = block(asked, "The advice:")
    return {"variant": next(int(number) for number, told in _numbered(asked).items() if code(told) in answer)}


def _refine_answer(asked: str, rng: Random) -> Json:
    told = block(asked, "The situation that it is for:")
    return {"answer": WORDS[lang_of(asked)]["say"].format(f"{code(told)}, {rng.randrange(10**6)}")}


def _query(states: Mapping[str, str], lang: str) -> str:
    return WORDS[lang]["say"].format(", ".join(code([name, value]) for name, value in states.items()))


def _first_queries(asked: str, _: Random) -> Json:
    state = list(json.loads(block(asked, "How things stand")).items())
    groups = [state[start : start + 2] for start in range(0, len(state), 2)]
    return {
        "queries": [
            {
                "exposed_states": [{"variable": name, "value": value} for name, value in group],
                "query": _query(dict(group), lang_of(asked)),
            }
            for group in groups
        ]
    }


def _later_queries(asked: str, _: Random) -> Json:
    events = json.loads(block(asked, "What happened between"))
    told = [{name: change["to"] for name, change in one["changes"].items()} for one in events]
    return {"queries": [_query(one, lang_of(asked)) for one in told]}


def _infer(asked: str, _: Random) -> Json:
    query = block(asked, "Somebody wrote this")
    schema = json.loads(block(asked, "What does it let one infer"))
    return {
        name: next((value for value in values if code([name, value]) in query), values[0])
        for name, values in reversed(schema.items())
    }


def _refine_query(asked: str, rng: Random) -> Json:
    told = _query(json.loads(block(asked, "What it should let one see")), lang_of(asked))
    return {"query": f"{told} {rng.randrange(10**6)}"}


MADE: Mapping[str, Callable[[str, Random], Json]] = {
    "profile": _profile,
    "questions": _questions,
    "variables": _variables,
    "choices": _choices,
    "state": _state,
    "updates": _updates,
    "events": _events,
    "answers": _answers,
    "match": _match,
    "refine_answer": _refine_answer,
    "first_queries": _first_queries,
    "later_queries": _later_queries,
    "infer": _infer,
    "refine_query": _refine_query,
}


def spoiled(step: str, good: Json, asked: str) -> Json:
    """A reply of the right form that breaks a rule, or says that a draft does not hold."""
    if step == "match":
        return {"variant": good["variant"] % len(_numbered(asked)) + 1}
    if step == "infer":
        name = next(iter(good))
        values = json.loads(block(asked, "What does it let one infer"))[name]
        return {**good, name: next(value for value in values if value != good[name])}
    first = next(iter(good))
    bad: dict[str, Callable[[], Json]] = {
        "profile": lambda: {**good, "profile": "many words " * 300},
        "questions": lambda: {"questions": [good["questions"][0], *good["questions"][:-1]]},
        "variables": lambda: {"variables": good["variables"][:-1]},
        "choices": lambda: {**good, first: [good[first][0]] * len(good[first])},
        "state": lambda: {**good, first: "nothing of the kind"},
        "updates": lambda: {**good, "updated": [{**one, "new": "a wish"} for one in good["updated"]]},
        "events": lambda: {"events": [*good["events"], good["events"][0]]},
        "answers": lambda: dict.fromkeys(good, good[first]),
        "refine_answer": lambda: {"answer": "回答" if lang_of(asked) == "en" else "An answer."},
        "first_queries": lambda: {"queries": good["queries"][1:]},
        "later_queries": lambda: {"queries": [*good["queries"], "And one more."]},
        "refine_query": lambda: {"query": "问题" if lang_of(asked) == "en" else "A question."},
    }
    return bad[step]()
