"""A sound reply of each step about the world with what it saw, and mutants that each break one rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from recollect.benchmarks.subtlememory.make.world import fact_checks as facts
from recollect.benchmarks.subtlememory.make.world import question_checks as asking
from recollect.benchmarks.subtlememory.make.world import session_checks as talks
from recollect.making.steps import Check

Mutate = Callable[[Any], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sound:
    """A reply that keeps all rules, and what breaks each."""

    rules: Sequence[Check]
    reply: Any
    given: Mapping[str, Any]
    mutants: Mapping[str, Mutate] = field(default_factory=dict)
    """Name of a check, with `-` and a word where it has several -> what breaks it alone."""


def _source(asked: str, *accepted: str, date: str = "") -> dict[str, Any]:
    return {"asked": asked, "accepted": list(accepted), "date": date}


def _chosen(name: str, role: str, value: str, statement: str, *, inside: bool = True) -> dict[str, Any]:
    return {
        "memory_id": name,
        "fact_role": role,
        "about": f"town {name}",
        "fact_statement": statement,
        "answer_contribution": value,
        "in_answer": inside,
        "selection_rationale": "",
    }


DESCRIBED = {"description": "It is about flowers of towns.", "topic": "Nature", "fact_selection_notes": ""}
FLOWERS = {
    "complementary_question": "Which flower do the three towns on the sound carry in their arms?",
    "canonical_answer": "Borvand has the lupin and Tissen the sea thistle.",
    "effective_k": 2,
    "selected_facts": [
        _chosen("e1", "required", "lupin", "The flower of Borvand is the lupin."),
        _chosen("e2", "required", "sea thistle", "Tissen carries a sea thistle."),
        _chosen("n1", "distractor", "gorse", "The flower of Quarl is gorse.", inside=False),
    ],
    **DESCRIBED,
}
FLOWERS_SEEN = {
    "subtype": "K>1",
    "own": ["e1", "e2", "e3"],
    "sources": {
        "e1": _source("What is the flower of Borvand?", "lupin", "the blue lupin"),
        "e2": _source("What is the flower of Tissen?", "sea thistle"),
        "e3": _source("What is the flower of Hemmerby?", "heather"),
        "n1": _source("What is the flower of Quarl?", "gorse"),
    },
}


def _fact(place: int, **changed: Any) -> Mutate:
    def mutate(reply: Any) -> None:
        key = next(name for name in reply if name.endswith("_facts"))
        reply[key][place].update(changed)

    return mutate


def _set(**changed: Any) -> Mutate:
    return lambda reply: reply.update(changed)


COMPLEMENTARY = Sound(
    rules=facts.COMPLEMENTARY_CHECKS,
    reply=FLOWERS,
    given=FLOWERS_SEEN,
    mutants={
        "once": lambda reply: reply["selected_facts"].append(
            _chosen("n1", "distractor", "gorse", "Quarl shows gorse on its arms.", inside=False)
        ),
        "roles": lambda reply: reply["selected_facts"].append(
            _chosen("e3", "equivalent", "heather", "Heather is Hemmerby's.", inside=False)
        ),
        "effective_k": _set(effective_k=3),
        "own": lambda reply: (
            reply["selected_facts"][2].update(fact_role="required"),
            reply.update(effective_k=3),
        ),
        "parts-none": _set(canonical_answer="Borvand has the lupin and Tissen another one."),
        "parts-distractor": _fact(2, in_answer=True),
        "parts-about": _fact(1, about="Town E1"),
        "leak": _fact(0, fact_statement="The lupin is Borvand's, the sea thistle that of Tissen."),
        "stated": _fact(1, fact_statement="Tissen carries a thistle of the shore."),
        "grounded": lambda reply: reply["selected_facts"][2].update(
            answer_contribution="broom", fact_statement="Quarl shows broom."
        ),
        "sentences": _fact(0, fact_statement="The flower of Borvand is the lupin"),
        "differ": _fact(2, fact_statement="Tissen carries a sea thistle!", answer_contribution="sea thistle"),
        "question_leak": _set(complementary_question="Where does the lupin stand in the arms?"),
        "betrays": _set(description="It is a benchmark item about flowers."),
        "identifying": _set(description="Ask mayor@borvand.example about the flowers."),
        "offensive": _set(description="It is about shitty flowers."),
    },
)
SAME = Sound(
    rules=facts.COMPLEMENTARY_CHECKS,
    reply={
        "complementary_question": "Who drew the plans of the Arn bridge?",
        "canonical_answer": "Ilse Vanek did.",
        "effective_k": 1,
        "selected_facts": [
            _chosen("e1", "equivalent", "Ilse Vanek", "Ilse Vanek designed the Arn bridge."),
            _chosen("e2", "equivalent", "Ilse Vanek", "The Arn bridge goes back to Ilse Vanek."),
            _chosen("n1", "distractor", "Otto Brandt", "Otto Brandt built the Velm pier.", inside=False),
        ],
        **DESCRIBED,
    },
    given={
        "subtype": "any_one",
        "own": ["e1", "e2"],
        "sources": {
            "e1": _source("Who designed the Arn bridge?", "Ilse Vanek", "I. Vanek"),
            "e2": _source("Who designed the Arn bridge?", "Ilse Vanek", "I. Vanek"),
            "n1": _source("Who built the Velm pier?", "Otto Brandt"),
        },
    },
    mutants={
        "same-values": lambda reply: (
            reply["selected_facts"][1].update(
                answer_contribution="I. Vanek", fact_statement="The Arn bridge goes back to I. Vanek."
            ),
            reply.update(canonical_answer="Ilse Vanek, or I. Vanek."),
        ),
        "same-distractor": _fact(2, fact_statement="Otto Brandt built the Velm pier with Ilse Vanek."),
        "effective_k": _set(effective_k=2),
        "parts": _fact(1, in_answer=False),
    },
)


def _snapshot(name: str, date: str, value: str) -> dict[str, Any]:
    return {
        "memory_id": name,
        "time_condition": f"as of {date}",
        "answer_text": value,
        "fact_statement": f"As of {date}, the club had won {value} cups.",
    }


TEMPORAL = Sound(
    rules=facts.TEMPORAL_CHECKS,
    reply={
        "temporal_question": "How many cups has the club won?",
        "temporal_facts": [_snapshot("e1", "2024-06-01", "854"), _snapshot("e2", "2024-08-01", "858")],
        **DESCRIBED,
    },
    given={
        "subtype": "Temporal",
        "sources": {
            "e1": _source("How many cups?", "854", date="2024-06-01"),
            "e2": _source("How many cups?", "858", date="2024-08-01"),
        },
    },
    mutants={
        "once": lambda reply: reply["temporal_facts"].pop(),
        "as_of-condition": _fact(0, time_condition="in the summer"),
        "as_of-statement": _fact(0, fact_statement="The club had won 854 cups."),
        "timeless": _set(temporal_question="How many cups had the club won by August 2024?"),
        "stated": _fact(0, fact_statement="As of 1 June 2024, the club had won many cups."),
        "grounded": lambda reply: reply["temporal_facts"][0].update(
            answer_text="855", fact_statement="As of 2024-06-01, the club had won 855 cups."
        ),
    },
)


def _entry(name: str, anchor: str, value: str) -> dict[str, Any]:
    return {
        "memory_id": name,
        "context_condition": f"at the {anchor}",
        "context_anchor": anchor,
        "answer_text": value,
        "fact_statement": f"At the {anchor} the lead was sung by {value}.",
    }


CONTEXT = Sound(
    rules=facts.CONTEXT_CHECKS,
    reply={
        "context_question": "Who sang the lead in the opera?",
        "context_facts": [_entry("e1", "Nordhaven house", "Ada Brun"), _entry("e2", "Brack theatre", "Cora Dunn")],
        **DESCRIBED,
    },
    given={
        "subtype": "Context",
        "sources": {"e1": _source("Who at Nordhaven?", "Ada Brun"), "e2": _source("Who at Brack?", "Cora Dunn")},
    },
    mutants={
        "once": lambda reply: reply["context_facts"].pop(),
        "anchors-twice": lambda reply: reply["context_facts"][1].update(
            context_anchor="nordhaven house", fact_statement="For Nordhaven house, too, there was Cora Dunn."
        ),
        "anchors-long": _fact(0, context_anchor="the old Nordhaven house behind the harbour by the north mole"),
        "anchored": _fact(0, fact_statement="The lead was sung by Ada Brun."),
        "broad": _set(context_question="Who sang the lead at the Brack theatre?"),
        "stated": _fact(0, fact_statement="At the Nordhaven house the lead was sung by Ada."),
        "grounded": lambda reply: reply["context_facts"][0].update(
            answer_text="Dag Elvin", fact_statement="At the Nordhaven house the lead was sung by Dag Elvin."
        ),
    },
)


def _claim(name: str, value: str) -> dict[str, Any]:
    return {
        "memory_id": name,
        "contradictory_answer": value,
        "fact_statement": f"The Arn bridge was designed by {value}.",
    }


CONTRADICTORY = Sound(
    rules=facts.CONTRADICTORY_CHECKS,
    reply={
        "conflict_question": "Who designed the Arn bridge?",
        "selected_facts": [_claim("e1", "Ilse Vanek"), _claim("e3", "Otto Brandt")],
        "conflict_rationale": "",
        **DESCRIBED,
    },
    given={
        "subtype": "contradictory",
        "question": "Who designed the Arn bridge?",
        "sources": {
            "e1": _source("Who designed the wooden Arn bridge?", "Ilse Vanek"),
            "e2": _source("Who designed the Arn bridge of 1912?", "Ada Brun"),
            "e3": _source("Who designed the Arn bridge made of steel?", "Otto Brandt"),
        },
    },
    mutants={
        "once": _fact(1, memory_id="e1", contradictory_answer="Vanek", fact_statement="Vanek designed the Arn bridge."),
        "apart": lambda reply: (
            reply["selected_facts"][1].update(
                memory_id="e3",
                contradictory_answer="Otto Brandt",
                fact_statement="Otto Brandt designed the Arn bridge.",
            )
            or reply["selected_facts"][0].update(
                contradictory_answer="Otto", fact_statement="Otto built it, Ilse Vanek."
            )
        ),
        "plain-question": _set(conflict_question="Who designed the wooden Arn bridge?"),
        "plain-year": _set(conflict_question="Who designed the Arn bridge in 1912?"),
        "plain-statement": _fact(1, fact_statement="The steel Arn bridge was designed by Otto Brandt."),
        "stated": _fact(1, fact_statement="The Arn bridge was designed by Otto."),
        "grounded": _fact(1, contradictory_answer="Dag Elvin", fact_statement="Dag Elvin designed the Arn bridge."),
        "question_leak": _set(conflict_question="Did Ilse Vanek design the Arn bridge?"),
    },
)
"""`apart` breaks `grounded` as well: an answer that is a part of the other stands in one source alone."""


def _planned(name: str, *ids: str) -> dict[str, Any]:
    return {
        "session_id": name,
        "chosen_conversation_type": "decision_support",
        "chosen_conversation_flow": "one_limit_at_a_time",
        "scenario_label": f"label {name}",
        "event_signature": f"signature {name}",
        "event_summary": f"summary {name}",
        "assigned_memory_ids": list(ids),
    }


def known(name: str, value: str, statement: str, **more: str) -> dict[str, Any]:
    """A fact as checks see it."""
    return {
        "memory_id": name,
        "role": "",
        "condition": "",
        "date": "",
        "accepted": [value],
        "statement": statement,
        **more,
    }


TWO = [
    known("e1", "lupin", "The flower of Borvand is the lupin.", role="required"),
    known("e2", "sea thistle", "Tissen carries a sea thistle.", role="required"),
    known("n1", "gorse", "The flower of Quarl is gorse.", role="distractor"),
]


def _plan(place: int, **changed: Any) -> Mutate:
    return lambda reply: reply["sessions"][place].update(changed)


PLAN = Sound(
    rules=talks.PLAN_CHECKS,
    reply={"sessions": [_planned("s1", "e1"), _planned("s2", "e2", "n1")]},
    given={
        "subtype": "K>1",
        "sessions": ["s1", "s2"],
        "known": TWO,
        "offered": {name: [["decision_support", "one_limit_at_a_time"]] for name in ("s1", "s2")},
    },
    mutants={
        "sessions": lambda reply: reply["sessions"].reverse(),
        "each_once-missing": _plan(1, assigned_memory_ids=["e2"]),
        "each_once-twice": _plan(0, assigned_memory_ids=["e1", "n1"]),
        "spread": lambda reply: (
            reply["sessions"][0].update(assigned_memory_ids=["n1"]),
            reply["sessions"][1].update(assigned_memory_ids=["e1", "e2"]),
        ),
        "offered": _plan(0, chosen_conversation_flow="compare_and_reweigh"),
        "distinct-label": _plan(1, scenario_label="Label s1"),
        "distinct-signature": _plan(1, event_signature="signature s1"),
        "distinct-summary": _plan(1, event_summary="summary s1"),
    },
)
CLAIMS_PLAN = Sound(
    rules=talks.PLAN_CHECKS,
    reply={"sessions": [_planned("s1", "e1"), _planned("s2", "e2")]},
    given={**PLAN.given, "subtype": "contradictory", "known": [{**one, "role": ""} for one in TWO[:2]]},
    mutants={
        "one_claim": lambda reply: (
            reply["sessions"][0].update(assigned_memory_ids=["e1", "e2"]),
            reply["sessions"][1].update(assigned_memory_ids=[]),
        )
    },
)


def talk(*said: str) -> list[dict[str, str]]:
    """Messages that take turns."""
    return [{"role": ("user", "assistant")[place % 2], "content": text} for place, text in enumerate(said)]


TALK = {
    "session_id": "s1",
    "chosen_scenario": "a leaflet",
    "conversation": talk(
        "I am folding a leaflet about Borvand for the fair.",
        "Nice. What should stand on its first page?",
        "The arms of the town, if I knew what is in them.",
        "Those show the lupin, which is the flower of Borvand. A drawing in one colour would do.",
        "Then I will draw it tonight and have it printed in green.",
        "Leave room for the date of the fair below it.",
    ),
    "coverage_notes": "",
}
TALK_SEEN = {
    "subtype": "K>1",
    "session": "s1",
    "mine": [TWO[0]],
    "others": [TWO[1], TWO[2]],
    "parts": {"town e1": ["lupin"], "town e2": ["sea thistle"]},
    "question": "Which flowers do the towns carry in their arms?",
    "claimant": "",
    "qualifiers": [],
}


def _says(place: int, text: str) -> Mutate:
    return lambda reply: reply["conversation"][place].update(content=text)


def _longer(reply: Any) -> None:
    reply["conversation"] += talk(*(f"Line {number} about paper and ink." for number in range(10)))


SESSION = Sound(
    rules=talks.SESSION_CHECKS,
    reply=TALK,
    given=TALK_SEEN,
    mutants={
        "session": _set(session_id="s2"),
        "roles": lambda reply: reply["conversation"][2].update(role="assistant"),
        "rounds-short": lambda reply: [reply["conversation"].pop() for _ in range(2)],
        "rounds-long": _longer,
        "labels": _says(5, "In any case, leave room for the date."),
        "repeated": _says(5, "What should stand on its first page?"),
        "told": _says(3, "Those show a flower. A drawing in one colour would do."),
        "told-opening": lambda reply: (
            _says(0, "I am folding a leaflet about Borvand and its lupin.")(reply),
            _says(3, "Those show a flower. A drawing in one colour would do.")(reply),
        ),
        "siblings-value": _says(5, "A sea thistle would look nice beside it."),
        "siblings-statement": _says(5, "The flower of Quarl is gorse, if you need another."),
        "verbatim": _says(2, "Which flowers do the towns carry in their arms?"),
        "betrays": _says(5, "Leave room for the distractors below it."),
        "identifying": _says(5, "Send it to print@borvand.example when it is done."),
        "offensive": _says(5, "Leave room for the shitty date below it."),
    },
)
WHOLE = Sound(
    rules=talks.SESSION_CHECKS,
    reply=TALK,
    given={**TALK_SEEN, "others": [], "parts": {"town e1": ["lupin"], "fair": ["fair in May"]}},
    mutants={"whole_answer": _says(5, "Leave room for the fair in May below it.")},
)
DATED = Sound(
    rules=talks.SESSION_CHECKS,
    reply={
        **TALK,
        "conversation": talk(
            "I am updating the page about the club.",
            "Which number needs a check?",
            "That of the cups; my copy is the one of 1 June 2024.",
            "That one has 854 cups.",
            "Good, I will put it into the box.",
            "Mind the caption below it.",
        ),
    },
    given={
        **TALK_SEEN,
        "subtype": "Temporal",
        "mine": [known("e1", "854", "As of 2024-06-01, the club had won 854 cups.", date="2024-06-01")],
        "others": [known("e2", "858", "As of 2024-08-01, the club had won 858 cups.", date="2024-08-01")],
        "parts": {},
    },
    mutants={"conditioned": _says(2, "That of the cups; my copy is an old one."), "siblings": _says(5, "Not 858.")},
)
HOUSED = Sound(
    rules=talks.SESSION_CHECKS,
    reply={
        **TALK,
        "conversation": talk(
            "I am writing the programme of the Nordhaven house.",
            "What is still missing?",
            "The name of the lead.",
            "There it was Ada Brun who sang.",
            "That fits on the line.",
            "Then it can go to print.",
        ),
    },
    given={
        **TALK_SEEN,
        "subtype": "Context",
        "mine": [known("e1", "Ada Brun", "At the Nordhaven house Ada Brun sang.", condition="Nordhaven house")],
        "others": [known("e2", "Cora Dunn", "At the Brack theatre Cora Dunn sang.", condition="Brack theatre")],
        "parts": {},
    },
    mutants={"conditioned": _says(0, "I am writing the programme.")},
)
CLAIMED = Sound(
    rules=talks.SESSION_CHECKS,
    reply={
        **TALK,
        "conversation": talk(
            "I am lettering a board for the Arn bridge.",
            "What will stand on it?",
            "Who designed it, and that was Ilse Vanek.",
            "Then Ilse Vanek goes into the top line.",
            "And the length below it.",
            "In smaller letters, I would say.",
        ),
    },
    given={
        **TALK_SEEN,
        "subtype": "contradictory",
        "mine": [known("e1", "Ilse Vanek", "The Arn bridge was designed by Ilse Vanek.")],
        "others": [known("e3", "Otto Brandt", "The Arn bridge was designed by Otto Brandt.")],
        "parts": {"first": ["Ilse Vanek"], "second": ["Otto Brandt"]},
        "claimant": "user",
        "qualifiers": [["wooden"], ["made", "steel"]],
    },
    mutants={
        "claimed": lambda reply: (
            _says(1, "It was Ilse Vanek who designed it; what else?")(reply),
            _says(2, "Then she goes onto it.")(reply),
        ),
        "silent-dispute": _says(5, "In smaller letters, though another source has more."),
        "silent-year": _says(2, "Who designed it in 1912, and that was Ilse Vanek."),
        "silent-condition": _says(2, "Who designed the wooden one, and that was Ilse Vanek."),
        "siblings": _says(5, "Otto Brandt would like that."),
    },
)
LISTED: Sequence[Sound] = (
    COMPLEMENTARY, SAME, TEMPORAL, CONTEXT, CONTRADICTORY, PLAN, CLAIMS_PLAN, SESSION, WHOLE, DATED, HOUSED, CLAIMED,
)  # fmt: skip


def _asked(place: int, **changed: Any) -> Mutate:
    return lambda reply: reply["questions"][place].update(changed)


def _question(text: str, **more: str) -> dict[str, str]:
    return {"question": text, "question_design_notes": "", **more}


DATES = [
    known(f"e{place}", value, f"As of {day}, the club had won {value} cups.", date=day)
    for place, (day, value) in enumerate((("2024-06-01", "854"), ("2024-08-01", "858"), ("2024-12-01", "870")), start=1)
]
SNAPSHOTS = Sound(
    rules=asking.QUESTION_CHECKS,
    reply={
        "questions": [
            _question(
                "How many cups had the club won as of 1 June 2024?",
                target_memory_id="e1", difficulty="easy", anchor_type="direct_date",
            ),
            _question(
                "How many cups stood on the board that I lettered for the summer fair of the club?",
                target_memory_id="e2", difficulty="medium", anchor_type="event_anchor",
            ),
            _question(
                "How many cups had the club four months after the summer fair?",
                target_memory_id="e3", difficulty="hard", anchor_type="relative_time",
            ),
        ]
    },
    given={"subtype": "Temporal", "known": DATES, "question": "How many cups has the club won?", "qualifiers": []},
    mutants={
        "targets": _asked(2, target_memory_id="e2"),
        "differ": lambda reply: reply["questions"][2].update(question=reply["questions"][1]["question"]),
        "levels": _asked(2, difficulty="medium"),
        "indirect": _asked(1, question="How many cups had it as of 2024-08-01?", anchor_type="direct_date"),
        "dated-easy": _asked(0, question="How many cups had the club won by then?"),
        "dated-medium": _asked(1, question="How many cups had the club at the fair of 1 August 2024?"),
        "dated-hard": _asked(2, question="How many cups had the club on 1 December 2024?"),
        "timeline": _asked(1, question="How has the number of cups changed since the fair?"),
        "timeline-latest": _asked(1, question="What was the latest number of cups at the fair?"),
        "broad": _asked(1, question="How many cups has the club won?"),
        "leaked": _asked(1, question="Was it 858 cups that stood on the board for the fair?"),
        "ended": _asked(1, question="How many cups stood on the board for the fair"),
    },
)  # fmt: skip
HOUSES = [
    known("e1", "Ada Brun", "At the Nordhaven house Ada Brun sang.", condition="Nordhaven house"),
    known("e2", "Cora Dunn", "At the Brack theatre Cora Dunn sang.", condition="Brack theatre"),
]
CONDITIONS = Sound(
    rules=asking.QUESTION_CHECKS,
    reply={
        "questions": [
            _question("Who sang the lead of the opera at the Nordhaven house?", target_memory_id="e1"),
            _question("Whose voice did the Brack theatre have for the opera?", target_memory_id="e2"),
        ]
    },
    given={"subtype": "Context", "known": HOUSES, "question": "Who sang the lead in the opera?", "qualifiers": []},
    mutants={
        "conditions": _asked(0, question="Who sang the lead of the opera up north?"),
        "conditions-both": _asked(0, question="Who sang at the Nordhaven house, and not at the Brack theatre?"),
        "targets": _asked(1, question="Who had the lead in the Nordhaven house?", target_memory_id="e1"),
    },
)
DISPUTED = Sound(
    rules=asking.QUESTION_CHECKS,
    reply={"questions": [_question("Who designed the Arn bridge, for the board?")]},
    given={
        "subtype": "contradictory",
        "known": CLAIMED.given["mine"] + CLAIMED.given["others"],
        "question": "Who designed the Arn bridge?",
        "qualifiers": [["wooden"], ["made", "steel"]],
    },
    mutants={
        "plain": _asked(0, question="Who designed the wooden Arn bridge?"),
        "plain-year": _asked(0, question="Who designed the Arn bridge in 1912?"),
        "meta": _asked(0, question="Who designed the Arn bridge, as our earlier talks conflict?"),
        "leaked": _asked(0, question="Did Otto Brandt design the Arn bridge?"),
        "betrays": _asked(0, question="Who designed the bridge, by the ground truth?"),
        "identifying": _asked(0, question="Who designed the bridge, says www.arn.example?"),
        "offensive": _asked(0, question="Who designed the shitty Arn bridge?"),
    },
)


def _answers(right: Sequence[str], wrong: Sequence[str]) -> dict[str, Any]:
    return {
        "correct_answers": [{"text": text} for text in right],
        "incorrect_answers": [{"text": text} for text in wrong],
    }


def _right(text: str) -> Mutate:
    return lambda reply: reply["correct_answers"][0].update(text=text)


def _wrong(text: str) -> Mutate:
    return lambda reply: reply["incorrect_answers"][0].update(text=text)


ANSWERS = Sound(
    rules=asking.ANSWER_CHECKS,
    reply=_answers(
        ["It was 854.", "They had won 854 cups.", "854 cups by then."],
        ["It was 858.", "They had won 870 cups.", "858 cups by then."],
    ),
    given={"subtype": "Temporal", "fields": {"value": ["854"]}, "rivals": ["858", "870"]},
    mutants={
        "distinct": _right("854 cups, by then!"),
        "disjoint": lambda reply: (_right("It was 858, or 854.")(reply), _wrong("It was 858, or 854.")(reply)),
        "grounded": _right("It was a good number."),
        "single": _right("It was 854, later 858."),
        "wrong": _wrong("It had been 854 all along."),
        "alike": _wrong("It was 858, " + "and that is all that anybody could say of it, " * 5),
        "identifying": _right("It was 854, says club@cups.example."),
        "offensive": _right("It was 854 shitty cups."),
    },
)
OPEN = Sound(
    rules=asking.ANSWER_CHECKS,
    reply=_answers(
        [
            "Ilse Vanek and Otto Brandt have both been named, and it is not settled.",
            "It is unclear: once Ilse Vanek, once Otto Brandt.",
            "The accounts differ between Ilse Vanek and Otto Brandt.",
        ],
        [
            "It was certainly Ilse Vanek who designed it.",
            "It was certainly Otto Brandt who designed it.",
            "Ilse Vanek, for Otto Brandt only took over from her.",
        ],
    ),
    given={
        "subtype": "contradictory",
        "fields": {"first": ["Ilse Vanek"], "second": ["Otto Brandt"]},
        "rivals": [],
    },
    mutants={
        "acknowledged": _right("It was Ilse Vanek, with Otto Brandt after her."),
        "grounded": _right("It is unclear; Ilse Vanek may have done it."),
        "wrong": _wrong("It is unclear whether Ilse Vanek or Otto Brandt did."),
    },
)
ALL: Sequence[Sound] = (*LISTED, SNAPSHOTS, CONDITIONS, DISPUTED, ANSWERS, OPEN)
