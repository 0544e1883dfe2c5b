"""From a user to a history with its keys; all ids that a system sees are opaque."""

from __future__ import annotations

from collections.abc import Sequence

from recollect.benchmarks.amemgym.items import Item
from recollect.benchmarks.amemgym.questions import Known, bounds, in_json, probe, scored
from recollect.benchmarks.amemgym.rows import Row, row_of
from recollect.contracts.benchmark import Dataset
from recollect.domain.histories import Asking, Event, History, Keyed, Script
from recollect.domain.ids import CheckpointId, HistoryId, MessageId, QuestionId, SessionId
from recollect.domain.messages import Message
from recollect.domain.questions import Key, Question
from recollect.records.digests import digest, opaque

NAME = "amemgym"
TASK = "overall"
ROWS = "rows"
"""In what all keys share: user -> the row as read, from which `write` makes the file."""
ROUNDS = (1, 2)
"""User turns of a dialogue of period 0, and of a later one: the authors' base configuration."""


def dataset_of(items: Sequence[Item], origin: str, rows: Sequence[Row] | None = None) -> Dataset:
    """Users as histories; their rows are kept, since a history has no place for all fields.

    Args:
        items: Users, each once.
        origin: A file's digest, or generator, size and seed.
        rows: The rows of a file, in the same order; by default made from *items*.

    Raises:
        ValueError: A question has no right choice at some period, or several.
    """
    kept = [row_of(item) for item in items] if rows is None else rows
    shared = {item.id: row for item, row in zip(items, kept, strict=True)}
    histories = tuple(keyed(item) for item in items)
    return Dataset(benchmark=NAME, histories=histories, shared={TASK: {ROWS: shared}}, origin=origin)


def keyed(item: Item) -> Keyed:
    """One user: the dialogues of each period, then the same questions after every period.

    Raises:
        ValueError: A question has no right choice at some period, or several.
    """
    name = HistoryId(opaque("h", NAME, item.id, digest(row_of(item))))
    known, lang = Known(item=item, history=name), lang_of(item)
    timeline: list[Event] = []
    questions: list[Question] = []
    keys: dict[QuestionId, Key] = {}
    for number, period in enumerate(item.periods):
        for place, talk in enumerate(period.sessions):
            script = _script(known, lang, number, place)
            known.hear(talk, script.opening.message_id)
            timeline.append(script)
        known.close(number)
        asked = [scored(known, index) for index in range(len(item.qas))]
        asked += [probe(known, index, lang) for index in range(len(item.qas))]
        questions += [question for question, _ in asked]
        keys.update({question.question_id: key for question, key in asked})
        if number == 0:
            keys.update({key.question_id: key for key in bounds(known, questions)})
        ids = tuple(question.question_id for question, _ in asked)
        timeline.append(Asking(checkpoint=CheckpointId(f"p{number:02d}"), question_ids=ids))
    history = History(history_id=name, timeline=tuple(timeline), questions=tuple(questions))
    return Keyed(history=history, keys=keys, task=TASK, original_id=item.id)


def lang_of(item: Item) -> str:
    """`zh` where most letters of the user's messages are Chinese, else `en`."""
    text = "".join(talk.query for period in item.periods for talk in period.sessions)
    letters = [sign for sign in text if sign.isalpha()]
    return "zh" if 2 * sum("\u4e00" <= sign <= "\u9fff" for sign in letters) > len(letters) else "en"


def _script(known: Known, lang: str, number: int, place: int) -> Script:
    item, period = known.item, known.item.periods[number]
    talk = period.sessions[place]
    session = SessionId(opaque("s", known.history, number, place))
    opening = Message(
        message_id=MessageId(opaque("m", session, 0)),
        session_id=session,
        text=talk.query,
        speaker=item.user_profile.name,
        role="user",
        said_at=talk.session_time.replace(" ", "T"),
    )
    variables = {  # what a simulated user may know; nothing else of the harness sees it
        "profile": item.user_profile.formatted_str,
        "date": period.period_end,
        "schema": in_json({name: list(values) for name, values in item.state_schema.items()}),
        "state": in_json(period.state),
        "exposed": in_json(talk.exposed_states),
        "event": talk.event or "",
        "lang": lang,
    }
    return Script(session_id=session, opening=opening, rounds=ROUNDS[number > 0], variables=variables)
