"""The story that an examined memory is told. Each message has a word that occurs in no other message."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from recollect.domain.ids import MessageId, SessionId
from recollect.domain.messages import Message, Role, Session
from recollect.records.digests import opaque


@dataclass(frozen=True, slots=True, kw_only=True)
class Planted:
    """A message, and the word that occurs only in it."""

    message: Message
    word: str
    asks: str
    """The text of a search for it: of the story its own words, which any working search can match."""


def _message(session: str, number: int, text: str, *, role: Role = "user", said_at: str | None = None) -> Message:
    return Message(
        message_id=MessageId(opaque("m", "doctor", session, number)),
        session_id=SessionId(opaque("s", "doctor", session)),
        text=text,
        speaker="Ottoline" if role == "user" else "assistant",
        role=role,
        said_at=said_at,
        channel="boathouse",
    )


_LINES = (
    "My locker at the gym opens with the code word zanquifor.",
    "The gym has a second door on Ostremby Lane.",
    "My sister Velkandra goes to the same gym.",
    "My boat is called Brelimoth and lies in the old harbour.",
    "Boats of that kind were built by the Fandrosse yard.",
    "I paint the boat every spring with Kirlowane varnish.",
    "My dog Quorvexa is four years old.",
    "The park beside the Jassilune river is good for dogs.",
    "We met a trainer by the name of Dorvantis there.",
    "I moved to Wexhollim Street last month.",
    "The bakery there sells bread that is called Plenturo.",
    "My favourite tea is now the green Tessolyne blend.",
)
_WORDS = (
    *("zanquifor", "ostremby", "velkandra", "brelimoth", "fandrosse", "kirlowane"),
    *("quorvexa", "jassilune", "dorvantis", "wexhollim", "plenturo", "tessolyne"),
)
_ROLES: tuple[Role, ...] = ("user", "assistant", "user")


def _planted(day: int, number: int) -> Planted:
    text, said_at = _LINES[3 * (day - 1) + number], f"2024-05-0{day}T09:{10 + number}:00"
    message = _message(f"day {day}", number, text, role=_ROLES[number], said_at=said_at)
    return Planted(message=message, word=_WORDS[3 * (day - 1) + number], asks=text.rstrip("."))


STORY: tuple[tuple[Planted, ...], ...] = tuple(
    tuple(_planted(day, number) for number in range(3)) for day in (1, 2, 3, 4)
)
"""Four sessions of three messages: a user, an assistant, the user."""
ALL = tuple(one for session in STORY for one in session)
NEWEST = STORY[-1]


def sessions_of(planted: Iterable[Sequence[Planted]]) -> tuple[Session, ...]:
    """*planted* as sessions."""
    return tuple(_whole([one.message for one in group]) for group in planted)


def _whole(messages: Sequence[Message]) -> Session:
    return Session(session_id=messages[0].session_id, messages=tuple(messages))


_ROOMS = ("depot", "attic", "cellar", "stable")
_COLOURS = (
    ("crimsonelle", "ambrishade", "violucent", "rosethane"),
    ("azurimond", "verdilisse", "cobaltune", "ochrelane"),
)


def contradicting(side: int) -> tuple[Planted, ...]:
    """Four facts of one user; the other side says the same of other colours, each in a session of its own."""
    facts = []
    for number, (room, colour) in enumerate(zip(_ROOMS, _COLOURS[side], strict=True)):
        text, said_at = f"The door of my {room} is painted in the colour {colour}.", f"2024-05-05T1{number}:00:00"
        message = _message(f"side {side} room {room}", 0, text, said_at=said_at)
        facts.append(Planted(message=message, word=colour, asks=f"In which colour is the door of my {room} painted"))
    return tuple(facts)


TWICE_TEXT = "The spare key of the cabin hangs behind the mirror in the hallway of Mrs Yandermole."
TWICE_ASKS = "Where does the spare key of Mrs Yandermole hang?"


def twice() -> tuple[Session, ...]:
    """Two sessions with the same text, with another between them."""
    first, second = (_message(f"twice {n}", 0, TWICE_TEXT, said_at=f"2024-05-0{n}T08:00:00") for n in (2, 6))
    other = _message("between", 0, "The harvest festival is on the village green.", said_at="2024-05-04T08:00:00")
    return tuple(_whole([message]) for message in (first, other, second))


HOSTILE = (
    "",
    " ",
    "line one\nline two\r\nline three\u2028and four\u0085five",
    '"; DROP TABLE messages; --',
    'AND OR NOT +must -not field:value [a TO b] {x} ~2 ^9 *? \\ (unbalanced "quote',
    "../../etc/passwd",
    "{{ config }} ${HOME} %s %n {0}",
    "<script>alert(1)</script>",
    "\u202eright to left\u202c \u200bzero width",
    "e\u0301 é ﬁ ß İ ǅ 𝔘𝔫𝔦 🏳️\u200d🌈",
    "我昨天去了北京的图书馆。",
    "a" * 5000,
    "word " * 3000,
)
"""Empty, in other scripts, in the languages of queries and templates, and very long."""


def hostile() -> tuple[Session, ...]:
    """The hostile texts, each in a session of its own."""
    return tuple(
        _whole([_message(f"hostile {n}", 0, text, said_at=f"2024-05-07T10:{n:02d}:00")])
        for n, text in enumerate(HOSTILE)
    )
