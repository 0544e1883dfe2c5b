"""The rule chat: a polite reply to what the user said last, made of nothing but the prompt.

It stands in for a model in dialogues, so that the pipeline runs without one. It repeats a memory that fits, in the
words in which it was found, or says that it has none; it never adds a fact.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import log
from typing import Any, NamedTuple

from recollect.contracts.models import Turn
from recollect.domain.errors import NotAvailableError
from recollect.domain.exchange import Recall
from recollect.offline import lexicon
from recollect.offline.extractor import is_question
from recollect.text.normal import search_tokens
from recollect.text.sentences import split
from recollect.text.tokens import cut_end

VERSION = 1
LEAST_SHARED = 0.34
"""Share of the weight of the user's words that a memory must have to be repeated."""


class RuleReplier:
    """Words the reply of an offline agent; pure."""

    @property
    def fingerprint(self) -> str:
        """Version of the rules."""
        return f"rules-chat-{VERSION}"

    def reply(self, user_text: str, recall: Recall) -> str:
        """The reply to *user_text*, with what the memory found; turns of the assistant itself are no memories."""
        others = [item.text for item in recall.items if item.message is None or item.message.role != "assistant"]
        return self.word(user_text, others)

    def word(self, user_text: str, memories: Sequence[str]) -> str:
        """The reply to *user_text*, with the sentence among *memories* that fits best."""
        said = " ".join(user_text.split())
        if not said:
            return lexicon.NOTHING_SAID
        fitting = best_sentence(said, memories)
        if any(is_question(sentence) for sentence in split(said)):
            return lexicon.ANSWER.format(memory=fitting) if fitting else lexicon.NO_MEMORY
        if lexicon.GREETINGS.issuperset(search_tokens(said, stemmed=False)):
            return lexicon.GREETING
        return lexicon.NOTED_BESIDE.format(memory=fitting) if fitting else lexicon.NOTED


class RuleChat:
    """A chat model by rules: a pure function of the turns."""

    def __init__(self) -> None:
        self._replier = RuleReplier()

    @property
    def fingerprint(self) -> str:
        """Version of the rules."""
        return self._replier.fingerprint

    def complete(
        self, turns: Sequence[Turn], *, max_tokens: int | None = None, schema: Mapping[str, Any] | None = None
    ) -> str:
        """The reply to the last user turn, cut to *max_tokens* of the bundled tokenizer, but never empty.

        Raises:
            NotAvailableError: JSON is asked for, which these rules do not write.
        """
        if schema is not None:
            raise NotAvailableError("the rule chat writes no JSON; name a model for this role")
        parts = take_apart(turns)
        reply = self._replier.word(parts.said, parts.memories)
        return reply if max_tokens is None else cut_end(reply, max(1, max_tokens))


def best_sentence(said: str, memories: Sequence[str]) -> str:
    """The statement among *memories* that shares most with *said*, rare words counting more; empty if none does.

    Among equals the first wins. What the user just said, and what this chat said itself, are no memories.
    """
    known: list[str] = []
    for sentence in (sentence for memory in memories for sentence in split(memory)):
        own = any(sentence.startswith(frame) for frame in lexicon.FRAMES)
        if not own and not is_question(sentence) and sentence.strip().rstrip(".!") not in said:
            known.append(sentence)
    stems = [set(search_tokens(sentence)) for sentence in known]
    count = Counter(stem for told in stems for stem in told)
    weight = {stem: 1 / (1 + log(1 + count[stem])) for stem in set(search_tokens(said))}
    scores = [round(sum(weight[stem] for stem in sorted(told & weight.keys())), 9) for told in stems]
    if not known or max(scores) < LEAST_SHARED * sum(weight.values()) or max(scores) <= 0:
        return ""
    return " ".join(known[scores.index(max(scores))].split())


_TAGGED = re.compile(r"<(?P<tag>[A-Za-z][\w-]*)(?:\s[^<>]*)?>(?P<body>.*?)</(?P=tag)>", re.DOTALL)
_FENCED = re.compile(r"^```(?P<tag>[\w-]*)[^\n]*\n(?P<body>.*?)^```[ \t]*$", re.DOTALL | re.MULTILINE)
_LISTED = re.compile(r"^\s*(?:[-*•–—]|\(?\d{1,4}[.)])\s+(?P<text>\S.*)$")
_STAMPED = re.compile(r"^\s*\[[^\]\n]{1,60}\]\s*(?P<text>\S.*)$")
_HEADING = re.compile(r"^\s*(?:#{1,6}\s+(?P<hashed>\S.*)|(?P<plain>\S[^\n]{0,100}):\s*)$")
_LABELLED = re.compile(r"^\s*(?:user|human|message|question|query|input)[^\n:]{0,20}:\s*(?P<said>\S.*)$", re.IGNORECASE)
_END = "."
"""Ends the last block."""


class Parts(NamedTuple):
    """One prompt, taken apart."""

    memories: tuple[str, ...]
    """What a memory found, line by line, without marks."""
    said: str
    """The user's last words; empty where no user turn has any."""


class _Block(NamedTuple):
    heading: str
    lines: tuple[str, ...]
    announced: bool
    """Its heading speaks of memory."""


def take_apart(turns: Sequence[Turn]) -> Parts:
    """Memories and last words of a prompt.

    Memories stand in tags, fences, lists, stamped lines or under a heading, in system turns or in the last user
    turn. Where a heading or tag speaks of memory only such blocks count, else every list that gives no orders; in a
    user turn only where a label such as `Message:` parts the user's words from the rest, for users make lists too.
    """
    last = next((turn.text for turn in reversed(turns) if turn.role == "user"), "")
    labelled = any(_LABELLED.match(line) for line in last.splitlines())
    blocks = [block for turn in turns if turn.role == "system" for block in _blocks(turn.text)]
    blocks += [block for block in _blocks(last) if block.announced or labelled]
    announced = [block for block in blocks if block.announced]
    lines = [line for block in announced or blocks for line in block.lines]
    if not announced:
        openings = [next(iter(re.findall(r"[a-z']+", line.casefold())), "") for line in lines]
        lines = [line for line, opening in zip(lines, openings, strict=True) if opening not in lexicon.ORDERS]
    return Parts(tuple(dict.fromkeys(lines)), _last_words(last))


def _blocks(text: str) -> Iterator[_Block]:
    """Tagged and fenced blocks, then lists and stamped lines with the heading above them.

    Under a heading of memory plain lines count too.
    """
    rest = text
    for pattern in (_TAGGED, _FENCED):
        for match in pattern.finditer(rest):
            tagged = tuple(_unmarked(line) for line in match["body"].splitlines() if line.strip())
            yield _Block(match["tag"], tagged, _speaks_of_memory(match["tag"]))
        rest = pattern.sub("\n", rest)
    heading, found = "", list[str]()
    for line in [*rest.splitlines(), _END]:
        entry = bool(_LISTED.match(line) or _STAMPED.match(line))
        plain = bool(line.strip() and _speaks_of_memory(heading) and not _LABELLED.match(line))
        if (entry or plain) and line != _END and not _heading_of(line):
            found.append(_unmarked(line))
        elif line.strip() or found:
            if found:
                yield _Block(heading, tuple(found), _speaks_of_memory(heading))
            heading, found = _heading_of(line), []


def _last_words(text: str) -> str:
    """What is left of a user turn without blocks of memory; behind the last label, where there is one.

    An empty line ends what is under a heading of memory, an empty first one does not.
    """
    rest = text
    for pattern in (_TAGGED, _FENCED):
        rest = pattern.sub(lambda match: "\n" if _speaks_of_memory(match["tag"]) else match[0], rest)
    lines: list[str] = []
    under = listed = False
    for line in rest.splitlines():
        if _speaks_of_memory(_heading_of(line)):
            under, listed = True, False
            continue
        if _LABELLED.match(line) or (listed and not line.strip()):
            under = False
        listed = under and bool(line.strip())
        if not under:
            lines.append(line)
    for index in range(len(lines) - 1, -1, -1):
        if match := _LABELLED.match(lines[index]):
            return " ".join([match["said"], *lines[index + 1 :]]).strip()
    return " ".join(line.strip() for line in lines if line.strip())


def _heading_of(line: str) -> str:
    match = _HEADING.match(line)
    return (match["hashed"] or match["plain"] or "") if match else ""


def _unmarked(line: str) -> str:
    for form in (_LISTED, _STAMPED):
        match = form.match(line)
        line = match["text"] if match else line
    return line.strip()


def _speaks_of_memory(heading: str) -> bool:
    return not lexicon.MEMORY_WORDS.isdisjoint(re.findall(r"[a-z]+", heading.casefold()))
