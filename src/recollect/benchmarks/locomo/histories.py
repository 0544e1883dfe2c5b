"""Builds histories with their keys from a conversation; the only module that assigns ids."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from recollect.benchmarks.locomo.rows import ADVERSARIAL as DECLINING
from recollect.benchmarks.locomo.rows import CATEGORIES, Asked, Conversation, Linked, linked, turn_name
from recollect.domain.histories import Asking, History, Keyed
from recollect.domain.ids import CheckpointId, HistoryId, MessageId, QuestionId, SessionId
from recollect.domain.messages import Message, Session
from recollect.domain.questions import Key, Question
from recollect.records.digests import opaque

NAME = "locomo"
QA, ADVERSARIAL = "qa", "adversarial"
OUTPUT_TOKENS = 50
"""The authors' allowance for one answer; the longest of the 1,182 published answers at hand has 44 tokens."""
EXPECTED_QUESTIONS = {
    "conv-26": 199,
    "conv-41": 193,
    "conv-42": 260,
    "conv-43": 242,
    "conv-47": 190,
    "conv-48": 239,
    "conv-50": 204,
}
"""Questions of seven of the ten published conversations; counted in the first release."""
CHECKPOINT = CheckpointId("end")
OWN_ANSWER = "answer_in_file"
"""Label of the few adversarial questions that have an answer beside their trap; the authors' scoring ignores it."""
OPEN_DOMAIN = 3


def histories_of(conversation: Conversation) -> tuple[tuple[Keyed, ...], list[str], list[str]]:
    """One conversation: its sessions, then all questions of a task at once. Ids depend on positions, never on names.

    Returns:
        A history for each task that has a question; malformed references to evidence, of which a file of ours has
        none; other oddities, which remain when it is written.
    """
    known = {turn_name(turn.dia_id) for sitting in conversation.sessions for turn in sitting.turns if turn.words}
    links = [linked(asked.evidence, known) for asked in conversation.asked]
    declining = [place for place, asked in enumerate(conversation.asked) if asked.category == DECLINING]
    others = [place for place, asked in enumerate(conversation.asked) if asked.category != DECLINING]
    tasks = {QA: others, ADVERSARIAL: declining}
    histories = tuple(_history(conversation, task, places, links) for task, places in tasks.items() if places)
    repairs = []
    for what in ("mended", "lost", "doubled"):
        found = [f"qa.{place} {text!r}" for place, link in enumerate(links) for text in getattr(link, what)]
        if found:
            repairs.append(f"{_counted(len(found), 'reference')} to evidence {what} ({', '.join(found)})")
    return histories, repairs, list(_remarks(conversation))


def _history(conversation: Conversation, task: str, places: Sequence[int], links: Sequence[Linked]) -> Keyed:
    name = HistoryId(opaque("h", NAME, conversation.name, task))
    sessions: list[Session] = []
    ids: dict[str, MessageId] = {}
    for sitting in conversation.sessions:
        session_id = SessionId(opaque("s", name, len(sessions)))
        messages: list[Message] = []
        for turn in sitting.turns:
            if turn.words:
                message_id = MessageId(opaque("m", session_id, len(messages)))
                ids[turn_name(turn.dia_id)] = message_id
                messages.append(
                    Message(
                        message_id=message_id,
                        session_id=session_id,
                        text=turn.words,
                        speaker=turn.speaker,
                        said_at=sitting.said_at,
                    )
                )
        if messages:
            sessions.append(Session(session_id=session_id, messages=tuple(messages)))
    questions, keys = [], {}
    for place in places:
        asked, question_id = conversation.asked[place], QuestionId(opaque("q", name, place))
        questions.append(Question(question_id=question_id, text=asked.question, output_tokens=OUTPUT_TOKENS))
        keys[question_id] = _key(
            question_id, asked, f"{conversation.name}:{place}", [ids[turn] for turn in links[place].turns]
        )
    asking = Asking(checkpoint=CHECKPOINT, question_ids=tuple(keys))
    history = History(history_id=name, timeline=(*sessions, asking), questions=tuple(questions))
    return Keyed(history=history, keys=keys, task=task, original_id=conversation.name)


def _key(question_id: QuestionId, asked: Asked, original_id: str, evidence: Sequence[MessageId]) -> Key:
    declining, answer, trap = asked.category == DECLINING, str(asked.answer), asked.adversarial_answer
    # what is scored comes first, the whole published answer last
    gold = tuple(dict.fromkeys((scored_gold(asked.category, answer) or answer, answer)))
    own = {OWN_ANSWER: answer} if declining and asked.answer is not None else {}
    return Key(
        question_id=question_id,
        gold=() if declining else gold,
        rejected=() if trap is None else (str(trap),),
        evidence=tuple(evidence),
        abstain=declining,
        labels={"category": CATEGORIES[asked.category].name, **own},
        original_id=original_id,
    )


def place_of(key: Key) -> int:
    """Position of a question among all of its conversation."""
    return int(key.original_id.rpartition(":")[2])


def scored_gold(category: int, answer: str) -> str:
    """The part of a published answer that counts; that of an open-domain one ends before the reason."""
    return answer.partition(";")[0].strip() if category == OPEN_DOMAIN else answer


def _remarks(conversation: Conversation) -> Iterator[str]:
    without = [f"qa.{place}" for place, asked in enumerate(conversation.asked) if not asked.evidence]
    if without:
        yield f"{_counted(len(without), 'question')} without evidence ({', '.join(without)})"
    expected = EXPECTED_QUESTIONS.get(conversation.name)
    if expected not in (None, len(conversation.asked)):
        yield f"{_counted(len(conversation.asked), 'question')} where the published conversation has {expected}"
    repeated = len(conversation.asked) - len({asked.question for asked in conversation.asked})
    own = sum(asked.category == DECLINING and asked.answer is not None for asked in conversation.asked)
    silent = sum(not turn.words for one in conversation.sessions for turn in one.turns)
    for count, what, rest in (
        (conversation.idle, "time", "of sessions without a turn"),
        (sum(sitting.said_at is None for sitting in conversation.sessions), "session", "without a time"),
        (silent, "turn", "without a word left out"),
        (repeated, "question", "asked twice"),
        (own, "adversarial question", "with an answer that does not count"),
    ):
        if count:
            yield f"{_counted(count, what)} {rest}"


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count > 1)}"
