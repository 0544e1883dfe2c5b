"""Runs to be looked at: invented talk, seven rows that fail each in their own way, and the same with hostile texts."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, get_args, get_origin, get_type_hints

from recollect.contracts.benchmark import Benchmark, Card
from recollect.diagnose.records.identity import identity
from recollect.diagnose.summary import findings
from recollect.domain.histories import Asking, History, Keyed
from recollect.domain.ids import HistoryId, MessageId, QuestionId, SessionId
from recollect.domain.messages import Message, Session
from recollect.domain.questions import AnswerFormat, Key, Option, Question
from recollect.domain.steps import Arm
from recollect.records.kinds import StoredItem
from recollect.records.tables.cells import CellOutcome
from recollect.records.tables.summary import Summary
from recollect.store.run_folder import RunFolder

from tests.fakes.run_builder import BENCHMARK, END, Case, RowSpec, Said, Says, build, message_item, task

T = TypeVar("T")

PEOPLE = ("Ann", "Bela", "Chidi", "Dora", "Emil", "Femi")
THINGS = ("bicycle", "train pass", "violin", "garden plot", "camera", "kayak", "piano", "tent")
PLACES = ("Lisbon", "Graz", "Oslo", "Kyoto", "Leeds", "Utrecht", "Quito", "Turin", "Bergen", "Cork")
SMALL_TALK = (
    "The rain has not stopped since Monday, and the cellar is wet again.",
    "Did you see the match? I fell asleep at half time.",
    "Remind me to call the dentist, I keep putting it off.",
    "I tried the soup you sent me. More lemon than I would have dared.",
    "We are out of coffee. Again.",
)
PER_SESSION = 4
ASK_ALL = (Arm.SYSTEM, Arm.READBACK)
PROMPT = (
    "You answer a question about things that were said earlier.\n\nMemories:\n$context\n\n"
    "Question: $question\n$options\n\nAnswer in a few words, from the memories alone."
)


class Made(NamedTuple):
    """All that `write` takes."""

    folder: RunFolder
    summary: Summary
    cells: tuple[CellOutcome, ...]
    card: Card
    identity: str


CARD = replace(
    BENCHMARK.card,
    title="Moves and Things: who keeps what where",
    summary="Invented talk of friends who move house and change their minds; newer statements replace older ones.",
    citation="@misc{moves,\n  title = {Moves and Things},\n  year  = {2026}\n}",
    licences={"talk": "Apache-2.0", "questions": "CC BY 4.0: name the makers"},
    tasks={
        "facts": task(
            "facts",
            meaning="say where a thing is now, after it was moved",
            chance=None,
            parts={"exact": "the reply is the place", "stale": "an older place was given"},
        ),
        "choice": task("choice", meaning="pick the place where a thing is now", chance=0.25),
        "graded": task("graded", binary=False, chance=None, meaning="tell all that is known of a thing"),
    },
)
TOY: Benchmark = replace(BENCHMARK, card=CARD)


def run(
    path: Path,
    *,
    histories: int = 6,
    questions: int = 8,
    rows: Sequence[RowSpec] | None = None,
    tasks: Sequence[str] = ("choice", "facts", "graded"),
) -> Made:
    """A run of several tasks, each with *histories* histories of *questions* questions."""
    listed = [history(task_name, number, questions) for task_name in tasks for number in range(histories)]
    folder = build(
        path,
        rows or realistic_rows(),
        listed,
        reader="rules",
        judge="rules",
        search_limit=10,
        embedder="minilm",
        track="standard",
    )
    (path / "prompts.json").write_text('{"0123456789abcdef": ' + _json(PROMPT) + "}\n", encoding="utf-8")
    found = findings(folder, TOY)
    cells = tuple(replace(cell, prompt="0123456789abcdef" if cell.answer is not None else "") for cell in found.cells)
    return Made(folder, found.summary, cells, CARD, identity(folder, found.summary))


def realistic_rows() -> list[RowSpec]:
    """Two memories and five reference rows."""
    return [
        RowSpec(label="oracle", kind="oracle", says=_says("oracle", 0.93), reference=True, arms=(Arm.ORACLE,)),
        RowSpec(label="none", says=_says("none", 0.06, finds=0), reference=True),
        RowSpec(label="window", says=_says("window", 0.3, finds=6), reference=True),
        RowSpec(label="full", says=_says("full", 0.7, finds=99), reference=True, arms=ASK_ALL),
        RowSpec(label="bm25", says=_says("bm25", 0.55, finds=10, scored=True), reference=True, arms=ASK_ALL),
        RowSpec(
            label="extractor",
            says=_says("extractor", 0.62, finds=10, worded=True),
            arms=ASK_ALL,
            state="order_dependent",
        ),
        RowSpec(
            label="graph-memory (k=20, rerank)",
            says=_says("graph", 0.74, finds=20, breaks=0.004, scored=True),
            arms=ASK_ALL,
            state="not_proven",
        ),
    ]


def _says(
    name: str, share: float, *, finds: int = 3, worded: bool = False, scored: bool = False, breaks: float = 0.0
) -> Says:
    def say(case: Case) -> Said:
        rng = random.Random(f"{name} {case.keyed.history.history_id} {case.number} {case.arm}")
        right = rng.random() < (min(0.95, share + 0.2) if case.arm is Arm.READBACK else share)
        lucky = right or rng.random() < 0.4
        if rng.random() < breaks:
            return Said(fault=("answer", "timeout"), seconds=30.0)
        found = _found(case, rng, finds if case.arm is Arm.SYSTEM else 2, with_evidence=lucky and finds > 0)
        items = tuple(_worded(case, one) if worded else _plain(one, place, scored) for place, one in enumerate(found))
        abstains = not right and rng.random() < 0.2
        return Said(
            text="" if abstains else _text(case, rng, right=right),
            abstained=abstains,
            found=items,
            tokens=40 * len(items),
            seconds=round(rng.random() * 0.2, 6),
        )

    return say


def _text(case: Case, rng: random.Random, *, right: bool) -> str:
    if case.keyed.task == "graded":
        return rng.choice(["most", "half", case.gold]) if right else "nothing that I know of"
    if right:
        return case.gold
    return rng.choice([*case.key.rejected, "in the hall"]) if case.key.rejected else rng.choice("ABCD")


def _found(case: Case, rng: random.Random, many: int, *, with_evidence: bool) -> list[MessageId]:
    others = [message.message_id for message in case.keyed.history.messages()]
    rng.shuffle(others)
    evidence = list(case.key.evidence) if with_evidence else []
    chosen = [*evidence, *(one for one in others if one not in case.key.evidence)][:many]
    rng.shuffle(chosen)
    return chosen


def _plain(message: MessageId, place: int, scored: bool) -> StoredItem:
    return message_item(message, round(9.5 / (1 + place), 4) if scored else None)


def _worded(case: Case, message: MessageId) -> StoredItem:
    text = next(one.text for one in case.keyed.history.messages() if one.message_id == message)
    return StoredItem(text=f"It is known that: {text[:60]}", sources=(message,), unit=f"u-{message}")


def history(task_name: str, number: int, questions: int) -> Keyed:
    """Friends tell where their things are; each thing moves once, between two lines of small talk."""
    rng = random.Random(f"{task_name} {number}")
    name = f"{task_name}-{number}"
    messages: list[Message] = []
    asked: list[Question] = []
    keys: dict[QuestionId, Key] = {}
    for at in range(questions):
        who, thing = PEOPLE[at % len(PEOPLE)], f"{THINGS[at % len(THINGS)]} no. {at + 1}"
        old, new, *others = rng.sample(PLACES, 4)
        told = [
            f"My {thing} stays in {old} for now.",
            rng.choice(SMALL_TALK),
            f"I have moved my {thing} to {new}; {old} was too damp.",
            rng.choice(SMALL_TALK),
        ]
        first = len(messages)
        messages.extend(_message(name, first + place, who, text) for place, text in enumerate(told))
        question, key = _asked(name, at, (who, thing), (old, new, *others), messages[-2].message_id)
        asked.append(question)
        keys[question.question_id] = key
    sessions = [tuple(messages[at : at + PER_SESSION]) for at in range(0, len(messages), PER_SESSION)]
    timeline = tuple(Session(session_id=one[0].session_id, messages=one) for one in sessions)
    asking = Asking(checkpoint=END, question_ids=tuple(keys))
    return Keyed(
        history=History(history_id=HistoryId(name), timeline=(*timeline, asking), questions=tuple(asked)),
        keys=keys,
        task=task_name,
    )


def _message(name: str, at: int, who: str, text: str) -> Message:
    session = SessionId(f"s-{name}-{at // PER_SESSION}")
    said_at = f"2025-{1 + at // 28 % 12:02d}-{1 + at % 28:02d}T09:{at % 60:02d}"
    return Message(message_id=MessageId(f"m-{name}-{at}"), session_id=session, text=text, speaker=who, said_at=said_at)


def _asked(
    name: str, at: int, about: tuple[str, str], places: tuple[str, ...], evidence: MessageId
) -> tuple[Question, Key]:
    who, thing = about
    choice = name.startswith("choice")
    options = tuple(Option(letter="ABCD"[i], text=place) for i, place in enumerate(sorted(places))) if choice else ()
    right = next((o.letter for o in options if o.text == places[1]), places[1])
    stale = next((o.letter for o in options if o.text == places[0]), places[0])
    question = Question(
        question_id=QuestionId(f"q-{name}-{at}"),
        text=f"Where does {who} keep the {thing} now?",
        options=options,
        answer_format=AnswerFormat.LETTER if options else AnswerFormat.TEXT,
        asked_at="2026-01-05",
    )
    labels = {"kind": "moved twice" if at % 3 == 0 else "moved once", "distance": ("near", "middle", "far")[at % 3]}
    return question, Key(
        question_id=question.question_id, gold=(right,), rejected=(stale,), evidence=(evidence,), labels=labels
    )


def _json(text: str) -> str:
    import json

    return json.dumps(text)


def with_texts(value: T, change: Callable[[str], str]) -> T:
    """*value* with every free text in it changed, in dataclasses, mappings and tuples; closed sets stay as they are."""
    changed: T = _changed(value, type(value), change)
    return changed


def _changed(value: Any, kind: Any, change: Callable[[str], str]) -> Any:
    if (
        isinstance(value, Enum)
        or "Literal" in str(get_origin(kind))
        or (kind is not None and any("Literal" in str(a) for a in get_args(kind)))
    ):
        return value if isinstance(value, str | Enum) else _inside(value, change)
    return change(value) if isinstance(value, str) else _inside(value, change)


def _inside(value: Any, change: Callable[[str], str]) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        hints = get_type_hints(type(value))
        told = {f.name: _field(value, f.name, hints[f.name], change) for f in fields(value)}
        return replace(value, **told)
    if isinstance(value, dict):
        return {_changed(k, None, change): _changed(v, None, change) for k, v in value.items()}
    if isinstance(value, tuple | list):
        return type(value)(_changed(one, None, change) for one in value)
    return value


KEPT = frozenset({"said_at", "arm", "status", "kind", "purpose", "order", "variant", "failure", "at"})
"""Fields of closed sets, and times, which are checked on the way in."""
COUNTED = frozenset({"counts", "shares"})
"""Mappings whose names are a closed set."""


def _field(value: Any, name: str, hint: Any, change: Callable[[str], str]) -> Any:
    held = getattr(value, name)
    return held if name in KEPT or (name in COUNTED and isinstance(held, dict)) else _changed(held, hint, change)


SWITCH = "document.documentElement.setAttribute('data-owned','1')"
"""What an exploit would do, so that a test can see it."""
HOSTILE = (
    f'"><script>{SWITCH}</script><img src=x onerror="{SWITCH}"><svg onload={SWITCH}></svg>'
    f"</title></style></script><script>{SWITCH}</script><!-- ]]> {{{{ 7*7 }}}} {{% raw %}} ${{7*7}} $context "
    f"javascript:{SWITCH} '\\ \u2028\u202e\x00\x1b[31m &lt;b&gt; <iframe src=https://example.org/x></iframe>"
)


def hostile(text: str) -> str:
    """*text* with all that a page might fall for."""
    return f"{text}{HOSTILE}"


def hostile_run(path: Path, made: Made, *, long: bool = False) -> Made:
    """The same run in a new folder, with hostile text in every field."""

    def change(text: str) -> str:
        return hostile(text) + ("y" * 100_000 if long else "")

    folder = RunFolder(path)
    keyed = [with_texts(one, hostile) for one in made.folder.histories()]
    folder.write_data(keyed, {}, {hostile(name): change(text) for name, text in made.folder.prompts().items()})
    conditions = {name: with_texts(value, hostile) for name, value in made.summary.conditions.items()}
    summary = replace(with_texts(made.summary, hostile), conditions=conditions)
    cells = tuple(with_texts(cell, hostile) for cell in made.cells)
    if long:
        cells = tuple(replace(cell, answer=change(cell.answer or ""), why=change(cell.why)) for cell in cells)
    return Made(folder, summary, cells, with_texts(made.card, hostile), hostile(made.identity))


def ten_rows() -> list[RowSpec]:
    """The realistic rows and three more."""
    more = (
        RowSpec(label=f"other-{n}", says=_says(f"other {n}", 0.5, finds=20, scored=True), arms=ASK_ALL)
        for n in range(3)
    )
    return [*realistic_rows(), *more]
