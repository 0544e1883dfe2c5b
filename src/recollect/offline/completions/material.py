"""Reads the material of a prompt: who said what and when, and the facts in it, by the rule extractor."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from recollect.domain.ids import MessageId, SessionId
from recollect.domain.messages import Message
from recollect.offline.completions.sections import date_of, iso_in, material_of
from recollect.offline.extractor import ExtractorSettings, RuleExtractor
from recollect.text.normal import search_tokens
from recollect.text.sentences import split

LEAST_POINTS = 1
"""Of a sentence that is kept: nearly all; a system that is fed one sentence a write expects it back."""
LONGEST = 40
"""Words of a message that becomes one fact."""
MOST_KEYWORDS = 8
_EXTRACTOR = RuleExtractor(ExtractorSettings(least_points=LEAST_POINTS, with_question=False))
_ROLES: Mapping[str, Literal["user", "assistant"]] = {
    "user": "user", "human": "user", "assistant": "assistant", "ai": "assistant", "bot": "assistant",
    "agent": "assistant", "model": "assistant",
}  # fmt: skip
_IGNORED = frozenset({"system", "tool", "developer"})
_BANNER = re.compile(r"^[=\-*\s]{4,}(?P<role>[A-Za-z]+)(?: Message)?[=\-*\s]{4,}$")
_STAMP = re.compile(r"^\s*[\[(](?P<stamp>[^\])]{4,40})[\])]\s*")
_SAID = re.compile(r"^\s*(?:[-*•]\s+|#\S+\s+)?(?P<who>[^\W\d_][\w.'’-]*(?: [\w.'’&-]+){0,3}):\s+(?P<text>\S.*)$")
_LISTED = re.compile(r"^(?:[-*•]|\(?\d+[.)])\s")
_OWN = re.compile(r"\b(?:I|me|my|mine|myself|we|us|our|ours)\b", re.IGNORECASE)
_TEXT_FIELDS = ("content", "text", "message", "utterance", "value")
_WHO_FIELDS = ("name", "speaker", "author", "sender", "from")
_WHEN_FIELDS = ("timestamp", "said_at", "date", "time", "created_at")
_NAME = re.compile(r"(?<![.!?]\s)(?<!^)\b[A-Z][\w’'-]*[a-z][\w’'-]*(?: [A-Z][\w’'-]*)*", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Material:
    """What a prompt wants read."""

    messages: tuple[Message, ...]
    facts: tuple[str, ...] = field(default=())
    """In order, each once."""

    @property
    def text(self) -> str:
        """All that was said, without who said it."""
        return "\n".join(message.text for message in self.messages)

    @property
    def speakers(self) -> tuple[str, ...]:
        """By name, in the order of their first words."""
        return tuple(dict.fromkeys(message.speaker for message in self.messages if message.speaker))

    @property
    def said_at(self) -> str | None:
        """When the first dated message was said."""
        return next((message.said_at for message in self.messages if message.said_at), None)

    @property
    def keywords(self) -> tuple[str, ...]:
        """Words that carry it, in order, each once."""
        tokens = search_tokens(self.text, stemmed=False)
        return tuple(dict.fromkeys(token for token in tokens if not token.isdigit()))[:MOST_KEYWORDS]

    @property
    def names(self) -> tuple[str, ...]:
        """Speakers, and capitalised words inside sentences."""
        found = (match[0] for match in _NAME.finditer(self.text))
        return tuple(dict.fromkeys((*self.speakers, *found)))


def read_material(turns: Sequence[Mapping[str, Any]]) -> Material:
    """The material of the last turn of a chat that a person or program wrote."""
    spoken = [turn for turn in turns if turn.get("role") not in {"assistant", "tool"}]
    asked = [turn for turn in spoken if turn.get("role") == "user"] or spoken
    prompt = text_of(asked[-1].get("content")) if asked else ""
    material, day = material_of(prompt), date_of(prompt)
    utterances = _json_messages(material)
    messages = tuple(
        Message(
            message_id=MessageId(f"m{number}"),
            session_id=SessionId("s"),
            text=one.text.strip(),
            speaker=one.speaker,
            role=one.role or ("user" if one.speaker else "document"),
            said_at=one.said_at or day,
        )
        for number, one in enumerate(_dialogue(material) if utterances is None else utterances)
        if one.text.strip()
    )
    parts = [part for message in messages for part in _parts(message)]
    facts = dict.fromkeys(found.text for found in _EXTRACTOR.extract(parts))
    return Material(messages, tuple(facts))


def _parts(message: Message) -> Iterator[Message]:
    """What becomes one fact each: a short message as it is, of a long one or a list every sentence.

    Who nobody names is not named as the one who said it, unless it is told of *I* or *we*.
    """
    lines = [line.strip() for line in message.text.splitlines() if line.strip()]
    listed = sum(bool(_LISTED.match(line)) for line in lines) > 1
    short = len(message.text.split()) <= LONGEST and not listed
    for text in [message.text] if short else [part for line in lines for part in split(line)]:
        named = message.speaker or _OWN.search(text)
        yield replace(message, text=text, role=message.role if named else "document")


def text_of(content: Any) -> str:
    """The text of a turn, also where it comes in parts."""
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


@dataclass(slots=True)
class _Utterance:
    text: str
    role: Literal["user", "assistant"] | None = None
    speaker: str = ""
    said_at: str | None = None


def _json_messages(material: str) -> list[_Utterance] | None:
    """Messages that stand there as JSON; `None` where they do not."""
    text = material.strip()
    if not text.startswith(("[", "{")):
        return None
    try:
        value, _ = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return None
    items = value if isinstance(value, list) else [value]
    if not items or not all(isinstance(item, dict) and _field(item, _TEXT_FIELDS) for item in items):
        return None
    found: list[_Utterance] = []
    for item in items:
        role = str(item.get("role", "")).lower()
        if role not in _IGNORED:
            (first, *others) = _dialogue(_field(item, _TEXT_FIELDS)) or [_Utterance("")]
            first.role = first.role or _ROLES.get(role)
            first.speaker = first.speaker or _field(item, _WHO_FIELDS)
            first.said_at = first.said_at or iso_in(_field(item, _WHEN_FIELDS))
            found += (first, *others)
    return found


def _field(item: Mapping[str, Any], names: Sequence[str]) -> str:
    return next(filter(None, (text_of(item.get(name)) for name in names)), "")


def _dialogue(material: str) -> list[_Utterance]:
    """Lines such as `[2024-05-03 10:00] Ann: text` or `user: text`; a line without a name goes on with the last."""
    found: list[_Utterance] = []
    role: Literal["user", "assistant"] | None = None
    for line in material.splitlines():
        banner = _BANNER.match(line)
        if banner:
            role = _ROLES.get(banner["role"].lower())
            found.append(_Utterance("", role))
            continue
        utterance = _line(line)
        if utterance is None and found:
            found[-1].text = f"{found[-1].text}\n{line}"
        else:
            utterance = utterance or _Utterance(line)
            utterance.role = utterance.role or role
            found.append(utterance)
    return found


def _line(line: str) -> _Utterance | None:
    """One line with who said it, or when; `None` where it says neither."""
    stamp = _STAMP.match(line)
    said_at = iso_in(stamp["stamp"]) if stamp else None
    rest = line[stamp.end() :] if stamp and said_at else line
    match = _SAID.match(rest)
    if match is None:
        return _Utterance(rest, said_at=said_at) if said_at else None
    who, text = match["who"], match["text"]
    role = _ROLES.get(who.lower())
    if role is None:
        return _Utterance(text, speaker=who, said_at=said_at) if who[0].isupper() else None
    inner = _line(text)
    if inner is not None and inner.role is None and (inner.speaker or inner.said_at):
        inner.role, inner.said_at = role, inner.said_at or said_at
        return inner
    return _Utterance(text, role, said_at=said_at)
