"""A sound reply of each step with what it saw, and mutants that each break one rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from recollect.benchmarks.subtlememory.make.users import checks, question_checks
from recollect.benchmarks.subtlememory.make.users import checks as session_checks
from recollect.making.steps import Check

Mutate = Callable[[Any], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sound:
    """A reply that keeps all rules."""

    rules: Sequence[Check]
    reply: Any
    given: Mapping[str, Any]


def _turns(*said: str) -> list[dict[str, str]]:
    return [{"role": ("user", "assistant")[place % 2], "content": text} for place, text in enumerate(said)]


FACT = "Ilse prefers window seats on night trains."
SIBLING = "Ilse takes aisle seats whenever the trip is short."
TALK = _turns(
    "I need to sort out my journey to the coast next month.",
    "Gladly. When would you leave, and how would you like to travel?",
    "By rail after dark, and I want to look out when the towns go by.",
    "Then a berth at the glass it is; let us see which departures have one.",
    "The last time I got stuck beside the corridor and did not sleep at all.",
    "That helps. The late service has three berths with a view left.",
    "Good, the one at the front then, and breakfast at six.",
    "I would add a reminder to check in on the evening before.",
    "Do that. And something warm to drink while it gets light outside.",
    "Noted: tea at dawn, and the front berth until arrival.",
)
RESOURCES = [
    {"name": "Amber Kit", "description": "a low lamp, two blankets and a folding tray"},
    {"name": "Basalt Kit", "description": "an eye mask, ear plugs and a firm cushion"},
    {"name": "Cedar Kit", "description": "a phone stand, a cable and a spare battery"},
    {"name": "Delta Kit", "description": "a deck of cards, a notebook and two pens"},
]
REQUESTS = {
    "questions": [
        {
            "task_form": "resource_arrangement",
            "request": "Please pick one kit for my trip to the coast and tell me its name.",
            "resources": RESOURCES,
            "fields": [],
        },
        {
            "task_form": "structured_form",
            "request": "Fill in the booking form for my ride home.",
            "resources": [],
            "fields": [{"field": "Place", "choices": ["by the door", "near the bar", "at the glass", "upper deck"]}],
        },
    ]
}
SETTLED: dict[str, Any] = {"subtype": "Context", "facts": [FACT, SIBLING], "names": ["Ilse", "Varga"]}
LISTED = {**REQUESTS["questions"][0]}
FORM = {**REQUESTS["questions"][1]}
ANSWERS = {
    "answers": [
        {
            "question_id": "q1",
            "right": ["Amber Kit"],
            "correct_answers": ["Amber Kit.", "Take the Amber Kit.", "I would pack the Amber Kit."],
            "incorrect_answers": ["Basalt Kit.", "Take the Cedar Kit.", "I would pack the Delta Kit."],
        },
        {
            "question_id": "q2",
            "right": ["at the glass"],
            "correct_answers": ['{"Place": "at the glass"}', "I put down: at the glass", "A berth at the glass."],
            "incorrect_answers": ['{"Place": "by the door"}', "Somewhere near the bar", "On the upper deck."],
        },
    ]
}
SOUND: Mapping[str, Sound] = {
    "topics": Sound(
        rules=checks.TOPIC_CHECKS,
        reply={"topics": [{"preference_id": "a", "topic": "Music"}, {"preference_id": "b", "topic": "Food"}]},
        given={"ids": ["a", "b"]},
    ),
    "plan": Sound(
        rules=checks.PLAN_CHECKS,
        reply={
            "planned_relations": [
                {"preference_id": "a", "relation_type": "nuanced", "relation_subtype": "Context"},
                {"preference_id": "b", "relation_type": "complementary", "relation_subtype": "K>1"},
            ]
        },
        given={"ids": ["a", "b"], "wanted": {"K>1": 1, "any_one": 0, "Temporal": 0, "Context": 1, "contradictory": 0}},
    ),
    "case": Sound(
        rules=checks.CASE_CHECKS,
        reply={
            "relation_type": "nuanced",
            "relation_subtype": "Context",
            "description": "Where Ilse sits depends on the trip.",
            "facts": [FACT, SIBLING],
        },
        given={"relation_type": "nuanced", "relation_subtype": "Context", "range": [2, 4]},
    ),
    "conflict": Sound(
        rules=checks.CASE_CHECKS,
        reply={
            "relation_type": "contradictory",
            "relation_subtype": "contradictory",
            "description": "Where Ilse sits on trains.",
            "facts": ["Ilse always sits at the window.", "Ilse never sits at the window."],
        },
        given={"relation_type": "contradictory", "relation_subtype": "contradictory", "range": [2, 2]},
    ),
    "case_filter": Sound(
        rules=checks.CASE_FILTER_CHECKS,
        reply={"final_decision": "accept", "accepted": True, "reject_categories": []},
        given={},
    ),
    "session": Sound(
        rules=session_checks.SESSION_CHECKS,
        reply={"selected_conversation_type": "planning_coordination", "messages": TALK},
        given={
            "fact": FACT,
            "facts": [FACT, SIBLING],
            "siblings": [SIBLING],
            "length": 10,
            "names": ["Ilse", "Varga"],
        },
    ),
    "session_filter": Sound(
        rules=session_checks.SESSION_FILTER_CHECKS,
        reply={
            "talks": [
                {"talk": 1, "accepted": True, "problems": []},
                {"talk": 2, "accepted": False, "problems": ["too_hidden"]},
            ]
        },
        given={"count": 2},
    ),
    "questions": Sound(rules=question_checks.QUESTION_CHECKS, reply=REQUESTS, given=SETTLED),
    "answers": Sound(
        rules=question_checks.ANSWER_CHECKS, reply=ANSWERS, given={**SETTLED, "drafts": {"q1": LISTED, "q2": FORM}}
    ),
    "conflict_answers": Sound(
        rules=question_checks.ANSWER_CHECKS,
        reply={
            "answers": [
                {
                    "question_id": "q1",
                    "right": ["Amber Kit", "Basalt Kit"],
                    "correct_answers": [
                        "You have told me things that fit the Amber Kit and things that fit the Basalt Kit.",
                        "Amber Kit or Basalt Kit: which of them holds?",
                        "Between the Amber Kit and the Basalt Kit I cannot decide for you.",
                    ],
                    "incorrect_answers": ["Amber Kit.", "Take the Basalt Kit.", "I know nothing about it."],
                }
            ]
        },
        given={**SETTLED, "subtype": "contradictory", "drafts": {"q1": LISTED}},
    ),
    "question_filter": Sound(
        rules=question_checks.QUESTION_FILTER_CHECKS,
        reply={"decisions": [{"question_id": "q1"}, {"question_id": "q2"}]},
        given={"ids": ["q1", "q2"]},
    ),
}


def _said(place: int, text: str) -> Mutate:
    return lambda reply: reply["messages"][place].update(content=text)


def _more(place: int, text: str) -> Mutate:
    def add(reply: Any) -> None:
        reply["messages"][place]["content"] += f" {text}"

    return add


def _request(place: int, **changed: Any) -> Mutate:
    return lambda reply: reply["questions"][place].update(changed)


def _resource(place: int, **changed: Any) -> Mutate:
    return lambda reply: reply["questions"][0]["resources"][place].update(changed)


def _choice(place: int, text: str) -> Mutate:
    def put(reply: Any) -> None:
        reply["questions"][1]["fields"][0]["choices"][place] = text

    return put


def _answer(place: int, **changed: Any) -> Mutate:
    return lambda reply: reply["answers"][place].update(changed)


def _right(*said: str) -> Mutate:
    return _answer(0, correct_answers=list(said))


def _wrong(*said: str) -> Mutate:
    return _answer(0, incorrect_answers=list(said))


def _swap(reply: Any) -> None:
    """The right choices of the two requests change places."""
    first, second = reply["answers"]
    first["right"], second["right"] = second["right"], first["right"]


_COMPLEMENTARY = {"relation_type": "complementary"}
_MULTI = {"relation_type": "complementary", "relation_subtype": "K>1"}
LONG = "I keep asking myself whether that small blue lamp will ever come back."
MUTANTS: Sequence[tuple[str, str, str, Mutate]] = (
    ("topics", "each_once", "an entry is lost", lambda r: r["topics"].pop()),
    ("topics", "each_once", "an entry has two topics", lambda r: r["topics"].append(r["topics"][0])),
    ("plan", "each_once", "a preference is lost", lambda r: r["planned_relations"].pop()),
    ("plan", "each_once", "one stands for another", lambda r: r["planned_relations"][1].update(preference_id="a")),
    ("plan", "relation", "a sub-type of another relation", lambda r: r["planned_relations"][0].update(_COMPLEMENTARY)),
    ("plan", "counts", "one sub-type too often", lambda r: r["planned_relations"][0].update(_MULTI)),
    ("case", "relation", "another sub-type", lambda r: r.update(relation_subtype="Temporal")),
    ("case", "relation", "another relation", lambda r: r.update(relation_type="complementary")),
    ("case", "count", "a single statement", lambda r: r["facts"].pop()),
    ("case", "count", "five statements", lambda r: r["facts"].extend([f"Ilse has seat {n}." for n in range(3)])),
    ("conflict", "count", "three sides", lambda r: r["facts"].append("Ilse stands.")),
    ("case", "differ", "one statement twice", lambda r: r["facts"].__setitem__(1, FACT.upper())),
    ("case", "punctuation", "a statement without its stop", lambda r: r["facts"].__setitem__(0, FACT[:-1])),
    ("case", "punctuation", "a description without its stop", lambda r: r.update(description="Where Ilse sits")),
    ("case", "one_sentence", "two sentences in one", lambda r: r["facts"].__setitem__(0, f"{FACT} She sleeps well.")),
    ("case", "banned", "the relation is named", lambda r: r.update(description="A nuanced matter of seats.")),
    ("case", "banned", "the task is named", lambda r: r["facts"].__setitem__(0, "This fact is about seats.")),
    ("case", "identifying", "an address", lambda r: r["facts"].__setitem__(0, "Ilse lives at 14 Mill Road.")),
    ("case", "offensive", "an insult", lambda r: r["facts"].__setitem__(0, "Ilse calls them bastards.")),
    ("case_filter", "decision", "two decisions", lambda r: r.update(accepted=False, reject_categories=["vague"])),
    ("case_filter", "decision", "no reason", lambda r: r.update(final_decision="reject", accepted=False)),
    ("case_filter", "decision", "accepted for a reason", lambda r: r.update(reject_categories=["vague"])),
    ("session", "roles", "two users in a row", lambda r: r["messages"][1].update(role="user")),
    ("session", "roles", "the assistant begins", lambda r: r["messages"].reverse()),
    ("session", "length", "two messages fewer", lambda r: r.update(messages=r["messages"][:8])),
    ("session", "length", "two messages more", lambda r: r["messages"].extend(_turns("One more thing, then?", LONG))),
    ("session", "length", "an odd number", lambda r: r["messages"].pop()),
    ("session", "label_word", "it speaks of memory", _more(3, "I will keep that in memory.")),
    ("session", "label_word", "it speaks of a benchmark", _more(4, "Is this a benchmark?")),
    ("session", "sibling_told", "another statement is told", _more(6, SIBLING)),
    ("session", "explicit", "it is said outright", _more(2, "On night trains I prefer window seats.")),
    ("session", "explicit", "another one is said outright", _more(8, "Whenever a trip is short I take aisle seats.")),
    ("session", "repeated", "a sentence twice", lambda r: (_more(2, LONG)(r), _more(6, LONG)(r))),
    ("session", "opening", "all in the opening", _more(0, "At night: trains. At the window. Seats I prefer.")),
    ("session", "bare", "a message without anything in it", _said(3, "Fine.")),
    ("session", "identifying", "a phone number", _more(5, "Call +49 30 901820 44 for it.")),
    ("session", "identifying", "an e-mail address", _more(5, "Write to desk@rail.example.com for it.")),
    ("session", "offensive", "a slur", _more(4, "What a shitty timetable.")),
    ("session_filter", "all_decided", "a talk without a decision", lambda r: r["talks"].pop()),
    ("session_filter", "all_decided", "two decisions", lambda r: r["talks"].append(r["talks"][0])),
    ("session_filter", "reasons", "accepted with a problem", lambda r: r["talks"][1].update(accepted=True)),
    ("session_filter", "reasons", "rejected without one", lambda r: r["talks"][0].update(accepted=False)),
    ("questions", "form", "a list of three", lambda r: r["questions"][0]["resources"].pop()),
    ("questions", "form", "a list with fields", _request(0, fields=FORM["fields"])),
    ("questions", "form", "a form without fields", _request(1, fields=[])),
    ("questions", "form", "a form with resources", _request(1, resources=RESOURCES)),
    ("questions", "choices", "a resource twice", _resource(1, name="amber kit")),
    ("questions", "choices", "a description twice", _resource(1, description=RESOURCES[0]["description"])),
    ("questions", "choices", "a name within another", _resource(1, name="Amber Kit Plus")),
    ("questions", "choices", "a choice twice", _choice(1, "By the door")),
    ("questions", "choices", "a choice that parts others", _choice(1, "bar / deck")),
    ("questions", "choices", "three choices", lambda r: r["questions"][1]["fields"][0]["choices"].pop()),
    ("questions", "unnamed", "the request names a choice", _request(0, request="Pick one, perhaps the Cedar Kit?")),
    ("questions", "unnamed", "a field's choice is named", _request(1, request="Book something near the bar.")),
    ("questions", "differ", "one request twice", lambda r: r["questions"].__setitem__(1, dict(r["questions"][0]))),
    ("questions", "punctuation", "no end", _request(0, request="Please pick one kit for my trip")),
    ("questions", "stands_alone", "it recalls a talk", _request(0, request="As I said, pick one kit for me.")),
    ("questions", "stands_alone", "it asks for a habit", _request(0, request="Pick the kit of my usual habits.")),
    ("questions", "banned", "a label", _request(1, request="Fill in the form, this is contradictory.")),
    ("questions", "banned", "a telling word", _request(1, request="Fill in the form from your memory.")),
    ("questions", "leak", "what is known is said", _request(1, request="On night trains I prefer window seats: book.")),
    ("questions", "identifying", "a card number", _request(1, request="Book it on 4929 1234 5678 9012, please.")),
    ("questions", "offensive", "an insult", _resource(2, description="for the bastards of the night shift")),
    ("answers", "all_answered", "a request without a key", lambda r: r["answers"].pop()),
    ("answers", "all_answered", "two keys for one", _answer(1, question_id="q1")),
    ("answers", "offered", "nothing of the list", _answer(0, right=["Ember Kit"])),
    ("answers", "offered", "two of a list", _answer(0, right=["Amber Kit", "Basalt Kit"])),
    ("answers", "offered", "the keys swapped", _swap),
    ("answers", "offered", "one choice too many", _answer(1, right=["at the glass", "by the door"])),
    ("answers", "sides", "an answer twice", _answer(0, correct_answers=["Amber Kit.", "Amber Kit", "The Amber Kit."])),
    ("answers", "sides", "right and wrong at once", _wrong("Amber Kit.", "Basalt Kit.", "Delta Kit.")),
    ("answers", "named", "a right answer without its choice", _right("It.", "That.", "Amber Kit.")),
    (
        "answers",
        "named",
        "a wrong answer that is right",
        _answer(1, incorrect_answers=["You want it at the glass.", "Near the bar.", "By the door."]),
    ),
    (
        "answers",
        "clean",
        "a right answer that names another choice",
        _answer(0, correct_answers=["Amber Kit, not the Delta Kit.", "Amber Kit.", "Take the Amber Kit."]),
    ),
    ("answers", "banned", "a label", _wrong("It is contradictory.", "Basalt Kit.", "Delta Kit.")),
    ("answers", "identifying", "a number", _wrong("Call 555-123-4567.", "Basalt Kit.", "Delta Kit.")),
    ("answers", "offensive", "an insult", _wrong("Basalt, you bitch.", "Basalt Kit.", "Delta Kit.")),
    ("conflict_answers", "offered", "one side", _answer(0, right=["Amber Kit"])),
    ("conflict_answers", "offered", "one side twice", _answer(0, right=["Amber Kit", "Amber Kit"])),
    (
        "conflict_answers",
        "named",
        "a right answer that takes a side",
        _answer(0, correct_answers=["Amber Kit it is.", "Amber Kit or Basalt Kit?", "Either Basalt Kit or Amber Kit."]),
    ),
    (
        "conflict_answers",
        "named",
        "a wrong answer that leaves it open",
        _wrong("Basalt Kit or Amber Kit, say.", "Amber Kit.", "I know nothing about it."),
    ),
    ("question_filter", "all_decided", "a request without a decision", lambda r: r["decisions"].pop()),
    ("question_filter", "all_decided", "two decisions", lambda r: r["decisions"].append({"question_id": "q1"})),
)  # fmt: skip
"""Step, rule, what is done, and how."""
