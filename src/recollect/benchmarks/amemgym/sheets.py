"""What people should judge of the data: are states told, do dialogues contradict them, is the right answer right?

The paper's three questions (appendix D), each with the label that the rule checkers give beside.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from recollect.benchmarks.amemgym.generate.catalogue import read_catalogue
from recollect.benchmarks.amemgym.generate.classify import Classifier
from recollect.benchmarks.amemgym.users.integrity import Finding, checker_of
from recollect.contracts.benchmark import Dataset, Dialogues
from recollect.contracts.sheets import Scale, Sheet, SheetItem
from recollect.domain.histories import Asking, Keyed, Script
from recollect.domain.messages import Message
from recollect.domain.questions import Key, Question

EXPOSURE = Scale(points={"0": "not reflected", "1": "partly", "2": "fully"}, best="last")
INTEGRITY = Scale(points={"0": "no conflict", "1": "minor", "2": "major conflict"}, best="first")
QUERIES, DIALOGUES, QUESTIONS = 200, 40, 100
"""What the authors' raters were given."""
REPLY_SHOWN = 600
"""Characters of an assistant's turn that raters see; they judge what the user says, and see that whole."""


NO_TALK = "no dialogue has a second turn of the user; name a run that held some with `--run RUN` or `RUN:ROW`"


class _Told(NamedTuple):
    """One dialogue's script, and where it stands."""

    keyed: Keyed
    period: int
    place: int
    script: Script
    before: Mapping[str, str]
    """State at the end of the period before; empty in the first."""

    @property
    def name(self) -> str:
        return f"{self.keyed.original_id}/p{self.period:02d}/{self.place}"


def sheets(dataset: Dataset, talks: Dialogues) -> tuple[Sheet, ...]:
    """Exposure, integrity and gold; integrity has items only where *talks* hold dialogues of several user turns."""
    told = [one for keyed in dataset.histories for one in _scripts(keyed)]
    talked = tuple(item for one in told for item in _integrity(one, talks))
    return (
        Sheet(
            name="exposure",
            meaning="Does what the user says first show the values that it should show?",
            sample=QUERIES,
            items=tuple(item for one in told for item in _exposure(one)),
        ),
        Sheet(
            name="integrity",
            meaning="Does what the simulated user says contradict any state?",
            sample=DIALOGUES,
            items=talked,
            why="" if talked else NO_TALK,
        ),
        Sheet(
            name="gold",
            meaning="Which answer suits the user, the state being known?",
            sample=QUESTIONS,
            items=tuple(item for keyed in dataset.histories for item in _gold(keyed)),
        ),
    )


def _scripts(keyed: Keyed) -> Iterator[_Told]:
    period, place = 0, 0
    before: Mapping[str, str] = {}
    now = before
    for event in keyed.history.timeline:
        if isinstance(event, Asking):
            period, place, before = period + 1, 0, now
        elif isinstance(event, Script):
            now = _said(event, "state")
            yield _Told(keyed, period, place, event, before)
            place += 1


def _said(script: Script, name: str) -> Mapping[str, str]:
    found: Mapping[str, str] = json.loads(script.variables.get(name) or "{}")
    return found


def _exposure(one: _Told) -> Iterator[SheetItem]:
    """One item for each value that the opening should show."""
    schema = json.loads(one.script.variables.get("schema") or "{}")
    text = one.script.opening.text
    for variable, value in _said(one.script, "exposed").items():
        before = one.before.get(variable, "nothing yet")
        known = ", ".join(schema.get(variable, ()))
        yield SheetItem(
            item=f"{one.name}/{variable}",
            group=one.name,
            cluster=str(one.keyed.history.history_id),
            text=text,
            question=f"Does it show that `{variable}` is `{value}`? Before: {before}. All values: {known}.",
            scale=EXPOSURE,
            rules=_shown(one.script, variable, value),
        )


def _shown(script: Script, variable: str, value: str) -> str:
    """2 for a value that is told, 1 for one that may be; empty for what no rule here would see."""
    text = script.opening.text
    if _classifier(script.variables.get("schema") or "{}").exposed(text).get(variable) == value:
        return "2"
    named = [one for one in checker_of(script).findings(text) if (one.variable, one.value) == (variable, value)]
    if named:
        return "2" if named[0].sure else "1"
    return "0" if (variable, value) in _catalogued() else ""


def _integrity(one: _Told, talks: Dialogues) -> Iterator[SheetItem]:
    """One item for each variable of a dialogue in which the user took a second turn; rules check all but the first."""
    said = talks.get(one.keyed.history.history_id, ())
    talk = [message for message in said if message.session_id == one.script.opening.session_id]
    follow_ups = [message for message in talk[1:] if message.role == "user"]
    if not follow_ups:
        return
    text = "\n\n".join(_turn(message) for message in talk)
    checker = checker_of(one.script)
    found = [finding for turn in follow_ups for finding in checker.findings(turn.text)]
    for variable, value in _said(one.script, "state").items():
        yield SheetItem(
            item=f"{one.name}/{variable}",
            group=one.name,
            cluster=str(one.keyed.history.history_id),
            text=text,
            question=f"`{variable}` is `{value}`. Does anything that the user says contradict that?",
            scale=INTEGRITY,
            rules=_conflict(variable, found),
        )


def _turn(message: Message) -> str:
    if message.role == "user":
        return f"User: {message.text}"
    cut = message.text if len(message.text) <= REPLY_SHOWN else f"{message.text[:REPLY_SHOWN].rstrip()} […]"
    return f"Assistant: {cut}"


def _conflict(variable: str, found: Sequence[Finding]) -> str:
    """2 for a value told that does not hold, 1 for one that may be told, 0 for none that a rule sees."""
    wrong = [finding.sure for finding in found if finding.variable == variable and finding.contradicts]
    return "2" if any(wrong) else "1" if wrong else "0"


def _gold(keyed: Keyed) -> Iterator[SheetItem]:
    """One item for each question and combination of values that ever holds."""
    schema = next((one.script.variables.get("schema") for one in _scripts(keyed)), None) or "{}"
    seen: set[tuple[str, str]] = set()
    for question in keyed.history.questions:
        key = keyed.keys[question.question_id]
        if question.purpose != "score":
            continue
        which = key.labels["thread"], key.gold[0]
        if which not in seen:
            seen.add(which)
            yield _choice(keyed, question, key, schema)


def _choice(keyed: Keyed, question: Question, key: Key, schema: str) -> SheetItem:
    suits: Mapping[str, Sequence[str]] = json.loads(key.labels["states"])
    variables = list(json.loads(key.labels["written"]))
    now = dict(zip(variables, suits[key.gold[0]], strict=True))
    options = "\n".join(f"{option.letter}. {option.text}" for option in question.options)
    return SheetItem(
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
    """The one option that the classifier takes for an answer to these values; empty where it finds none or two."""
    classifier, wanted = _classifier(schema), tuple(now.values())
    found = [one.letter for one in question.options if classifier.answer_state(one.text, list(now)) == wanted]
    return found[0] if len(found) == 1 else ""


@lru_cache(maxsize=64)
def _classifier(schema: str) -> Classifier:
    return Classifier(json.loads(schema))


@lru_cache(maxsize=1)
def _catalogued() -> frozenset[tuple[str, str]]:
    """Variables and values for whose sentences the classifier has words."""
    return frozenset(
        (variable.name, value.value)
        for domain in read_catalogue()
        for variable in domain.variables
        for value in variable.values
    )
