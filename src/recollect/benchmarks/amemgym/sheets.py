"""Rating sheets of the paper's three questions (appendix D), each with the label of the rule checkers.

Does the user show the states, do dialogues contradict them, and is the right answer right?
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from recollect.benchmarks.amemgym.generate.catalogue import read_catalogue
from recollect.benchmarks.amemgym.generate.classify import Classifier
from recollect.benchmarks.amemgym.users.integrity import checker_of
from recollect.contracts.benchmark import Dataset, Dialogues
from recollect.contracts.sheets import Scale, Sheet, SheetItem
from recollect.domain.histories import Asking, Keyed, Script
from recollect.domain.messages import Message
from recollect.domain.questions import Question

EXPOSURE = Scale(points={"0": "not reflected", "1": "partly", "2": "fully"}, best="last")
INTEGRITY = Scale(points={"0": "no conflict", "1": "minor", "2": "major conflict"}, best="first")
QUERIES, DIALOGUES, QUESTIONS = 200, 40, 100
"""Sample sizes of the authors' raters."""
REPLY_SHOWN = 600
"""Characters of an assistant's turn that raters see; they judge the user, whose turns are whole."""
NO_TALK = "no dialogue has a second turn of the user; name a run that held some with `--run RUN` or `RUN:ROW`"


class _Dialogue(NamedTuple):
    keyed: Keyed
    name: str
    script: Script
    before: Mapping[str, str]
    """State at the end of the period before; empty in the first."""

    def item(self, variable: str, *, text: str, question: str, scale: Scale, rules: str) -> SheetItem:
        return SheetItem(
            item=f"{self.name}/{variable}",
            group=self.name,
            cluster=str(self.keyed.history.history_id),
            text=text,
            question=question,
            scale=scale,
            rules=rules,
        )


def sheets(dataset: Dataset, talks: Dialogues) -> tuple[Sheet, ...]:
    """Exposure, integrity and gold; integrity has items only where *talks* has dialogues of several user turns."""
    dialogues = [dialogue for keyed in dataset.histories for dialogue in _dialogues(keyed)]
    integrity = tuple(item for dialogue in dialogues for item in _integrity(dialogue, talks))
    return (
        Sheet(
            name="exposure",
            meaning="Does what the user says first show the values that it should show?",
            sample=QUERIES,
            items=tuple(item for dialogue in dialogues for item in _exposure(dialogue)),
        ),
        Sheet(
            name="integrity",
            meaning="Does what the simulated user says contradict any state?",
            sample=DIALOGUES,
            items=integrity,
            why="" if integrity else NO_TALK,
        ),
        Sheet(
            name="gold",
            meaning="Which answer suits the user, the state being known?",
            sample=QUESTIONS,
            items=tuple(item for keyed in dataset.histories for item in _gold(keyed)),
        ),
    )


def _dialogues(keyed: Keyed) -> Iterator[_Dialogue]:
    period, number = 0, 0
    before: Mapping[str, str] = {}
    now = before
    for event in keyed.history.timeline:
        if isinstance(event, Asking):
            period, number, before = period + 1, 0, now
        elif isinstance(event, Script):
            now = _values(event, "state")
            yield _Dialogue(keyed, f"{keyed.original_id}/p{period:02d}/{number}", event, before)
            number += 1


def _values(script: Script, name: str) -> Mapping[str, str]:
    values: Mapping[str, str] = json.loads(script.variables.get(name) or "{}")
    return values


def _exposure(dialogue: _Dialogue) -> Iterator[SheetItem]:
    script = dialogue.script
    schema = json.loads(script.variables.get("schema") or "{}")
    for variable, value in _values(script, "exposed").items():
        before = dialogue.before.get(variable, "nothing yet")
        known = ", ".join(schema.get(variable, ()))
        question = f"Does it show that `{variable}` is `{value}`? Before: {before}. All values: {known}."
        rules = _exposed(script, variable, value)
        yield dialogue.item(variable, text=script.opening.text, question=question, scale=EXPOSURE, rules=rules)


def _exposed(script: Script, variable: str, value: str) -> str:
    """2 for a value that is shown, 1 for one that may be; empty for what no rule here would see."""
    text = script.opening.text
    if _classifier(script.variables.get("schema") or "{}").exposed(text).get(variable) == value:
        return "2"
    findings = checker_of(script).findings(text)
    named = [finding for finding in findings if (finding.variable, finding.value) == (variable, value)]
    if named:
        return "2" if named[0].sure else "1"
    return "0" if (variable, value) in _catalogued() else ""


def _integrity(dialogue: _Dialogue, talks: Dialogues) -> Iterator[SheetItem]:
    """One item for each variable of a dialogue in which the user took a second turn; rules check all but the first."""
    messages = talks.get(dialogue.keyed.history.history_id, ())
    talk = [message for message in messages if message.session_id == dialogue.script.opening.session_id]
    follow_ups = [message for message in talk[1:] if message.role == "user"]
    if not follow_ups:
        return
    text = "\n\n".join(map(_turn, talk))
    checker = checker_of(dialogue.script)
    found = [finding for turn in follow_ups for finding in checker.findings(turn.text) if finding.contradicts]
    for variable, value in _values(dialogue.script, "state").items():
        question = f"`{variable}` is `{value}`. Does anything that the user says contradict that?"
        wrong = [finding.sure for finding in found if finding.variable == variable]
        rules = "2" if any(wrong) else "1" if wrong else "0"
        yield dialogue.item(variable, text=text, question=question, scale=INTEGRITY, rules=rules)


def _turn(message: Message) -> str:
    if message.role == "user":
        return f"User: {message.text}"
    cut = message.text if len(message.text) <= REPLY_SHOWN else f"{message.text[:REPLY_SHOWN].rstrip()} […]"
    return f"Assistant: {cut}"


def _gold(keyed: Keyed) -> Iterator[SheetItem]:
    """One item for each question and combination of values that ever holds."""
    schema = next((dialogue.script.variables.get("schema") for dialogue in _dialogues(keyed)), None) or "{}"
    seen: set[tuple[str, str]] = set()
    for question in keyed.history.questions:
        key = keyed.keys[question.question_id]
        if question.purpose != "score" or (key.labels["thread"], key.gold[0]) in seen:
            continue
        seen.add((key.labels["thread"], key.gold[0]))
        states: Mapping[str, Sequence[str]] = json.loads(key.labels["states"])
        now = dict(zip(json.loads(key.labels["written"]), states[key.gold[0]], strict=True))
        options = "\n".join(f"{option.letter}. {option.text}" for option in question.options)
        yield SheetItem(
            item=key.original_id,
            group=key.original_id,
            cluster=str(keyed.history.history_id),
            text="\n".join([f"The user asks: {question.text}", *(f"{name}: {value}" for name, value in now.items())]),
            question=f"Which answer suits this user best?\n{options}",
            scale=Scale(points={option.letter: "" for option in question.options}, best="none"),
            gold=key.gold[0],
            rules=_suiting(question, now, schema),
        )


def _suiting(question: Question, now: Mapping[str, str], schema: str) -> str:
    """The one option that the classifier takes for an answer to these values; empty where it finds none or several."""
    classifier, wanted = _classifier(schema), tuple(now.values())
    found = [one.letter for one in question.options if classifier.answer_state(one.text, list(now)) == wanted]
    return found[0] if len(found) == 1 else ""


@lru_cache(maxsize=64)
def _classifier(schema: str) -> Classifier:
    return Classifier(json.loads(schema))


@lru_cache(maxsize=1)
def _catalogued() -> frozenset[tuple[str, str]]:
    variables = [variable for domain in read_catalogue() for variable in domain.variables]
    return frozenset((variable.name, value.value) for variable in variables for value in variable.values)
