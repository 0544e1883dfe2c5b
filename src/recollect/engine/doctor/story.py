"""The story that a memory is told while it is examined. Each message has a word that occurs in no other message."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from recollect.domain.ids import MessageId, SessionId
from recollect.domain.messages import Message, Role, Session
from recollect.records.digests import opaque


@dataclass(frozen=True, slots=True, kw_only=True)
class Planted:
    """A message, and the word that only it holds."""

    message: Message
    word: str
    asks: str
    """What a search for it says: of the story its own words, which any search that works goes by."""


def _message(session: str, place: int, text: str, *, role: Role = "user", said_at: str | None = None) -> Message:
    return Message(
        message_id=MessageId(opaque("m", "doctor", session, place)),
        session_id=SessionId(opaque("s", "doctor", session)),
        text=text,
        speaker="Ottoline" if role == "user" else "assistant",
        role=role,
        said_at=said_at,
        channel="boathouse",
    )


def _session(day: int, lines: Sequence[tuple[str, str]]) -> tuple[Planted, ...]:
    roles: tuple[Role, ...] = ("user", "assistant", "user")
    return tuple(
        Planted(
            message=_message(f"day {day}", n, text, role=roles[n % 3], said_at=f"2024-05-0{day}T09:{10 + n}:00"),
            word=word,
            asks=text.rstrip("."),
        )
        for n, (text, word) in enumerate(lines)
    )


STORY: tuple[tuple[Planted, ...], ...] = (
    _session(
        1,
        [
            ("My locker at the gym opens with the code word zanquifor.", "zanquifor"),
            ("The gym has a second door on Ostremby Lane.", "ostremby"),
            ("My sister Velkandra goes to the same gym.", "velkandra"),
        ],
    ),
    _session(
        2,
        [
            ("My boat is called Brelimoth and lies in the old harbour.", "brelimoth"),
            ("Boats of that kind were built by the Fandrosse yard.", "fandrosse"),
            ("I paint the boat every spring with Kirlowane varnish.", "kirlowane"),
        ],
    ),
    _session(
        3,
        [
            ("My dog Quorvexa is four years old.", "quorvexa"),
            ("The park beside the Jassilune river is good for dogs.", "jassilune"),
            ("We met a trainer by the name of Dorvantis there.", "dorvantis"),
        ],
    ),
    _session(
        4,
        [
            ("I moved to Wexhollim Street last month.", "wexhollim"),
            ("The bakery there sells bread that is called Plenturo.", "plenturo"),
            ("My favourite tea is now the green Tessolyne blend.", "tessolyne"),
        ],
    ),
)
"""Four sessions of three messages: a user, an assistant, the user."""
ALL = tuple(one for session in STORY for one in session)
NEWEST = STORY[-1]


def sessions_of(told: Iterable[Sequence[Planted]]) -> tuple[Session, ...]:
    """The same as sessions."""
    return tuple(_whole([one.message for one in group]) for group in told)


def _whole(messages: Sequence[Message]) -> Session:
    return Session(session_id=messages[0].session_id, messages=tuple(messages))


_ROOMS = ("depot", "attic", "cellar", "stable")
_COLOURS = (
    ("crimsonelle", "ambrishade", "violucent", "rosethane"),
    ("azurimond", "verdilisse", "cobaltune", "ochrelane"),
)


def contradicting(side: int) -> tuple[Planted, ...]:
    """Four facts of one user; the other side says the same of other colours, each in a session of its own."""
    return tuple(
        Planted(
            message=_message(
                f"side {side} room {room}",
                0,
                f"The door of my {room} is painted in the colour {colour}.",
                said_at=f"2024-05-05T1{n}:00:00",
            ),
            word=colour,
            asks=f"In which colour is the door of my {room} painted",
        )
        for n, (room, colour) in enumerate(zip(_ROOMS, _COLOURS[side], strict=True))
    )


TWICE_TEXT = "The spare key of the cabin hangs behind the mirror in the hallway of Mrs Yandermole."
TWICE_ASKS = "Where does the spare key of Mrs Yandermole hang?"


def twice() -> tuple[Session, ...]:
    """Two sessions in which the very same is said, with another between them."""
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
    """Each in a session of its own."""
    return tuple(
        _whole([_message(f"hostile {n}", 0, text, said_at=f"2024-05-07T10:{n:02d}:00")])
        for n, text in enumerate(HOSTILE)
    )
