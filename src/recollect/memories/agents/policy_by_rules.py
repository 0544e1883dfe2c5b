"""The next policy by rules: a topic for what was missed, in the words that it was asked, answered or told in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from recollect.memories.agents.topics import EVERYTHING, lines_of
from recollect.records.lessons import Lesson, lessons_of
from recollect.text.normal import search_tokens

MOST_LINES = 40
MOST_WORDS = 40
"""Of one topic, behind its name."""
_NAME_WORDS = 6
_SHORTEST = 3
"""Letters of a word that is worth following."""
_SHARED = 2
"""Options in which a word must stand to be of the question and not of one option alone."""


@dataclass(frozen=True, slots=True)
class RuleMaker:
    """Follows what it is told, and no more: it generalises nothing.

    A question gives its words of content as a topic, unless it is known to be answered right. With options and no gold,
    the words that several options share come with it; with gold, the words of the right option that stand in nothing
    remembered. A state that the user told, and that nothing remembered shares a word with, is a topic by its name and
    value. Nothing is taken away but the oldest topics and words, once there are too many.
    """

    @property
    def fingerprint(self) -> str:
        """Version of the rules."""
        return "rules-policy-2"

    def propose(self, policy: str, feedback: Sequence[str]) -> str:
        """The old lines, some with more words, then the new topics."""
        told = lessons_of(feedback)
        topics = _Topics.of(policy)
        for lesson in told.asked:
            if not lesson.was_right:
                topics.add(_content(lesson.question)[:_NAME_WORDS], _missed_words(lesson))
        known = _stems(text for lesson in told.asked for text in lesson.remembered)
        for name, value in told.exposed.items():
            words = _content(value)
            if known.isdisjoint(_stems([name, *words])):
                topics.add(_content(name), words)
        return topics.text


@dataclass
class _Topics:
    """The lines of a policy by name; a line may say more behind a colon."""

    lines: dict[str, list[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, policy: str) -> _Topics:
        made = cls()
        for line in lines_of(policy):
            name, _, behind = line.partition(": ")
            made.lines[name] = [word for word in behind.split(", ") if word]
        return made

    def add(self, name: Sequence[str], words: Sequence[str]) -> None:
        """Widen the topic that has all words of *name*, or begin one; with no word nobody can follow it."""
        wanted = _stems(name)
        if not wanted:
            return
        line = next((line for line in self.lines if wanted <= _stems([line])), " ".join(name))
        have = self.lines.setdefault(line, [])
        stems = _stems([line, *have])
        for word in words:
            if stems.isdisjoint(_stems([word])):
                have.append(word)
                stems |= _stems([word])
        del have[:-MOST_WORDS]

    @property
    def text(self) -> str:
        first = [line for line in self.lines if line == EVERYTHING]
        topics = [line for line in self.lines if line != EVERYTHING]
        kept = [*first, *topics[-(MOST_LINES - len(first)) :]]
        return "\n".join(f"{line}: {', '.join(self.lines[line])}" if self.lines[line] else line for line in kept)


def _missed_words(lesson: Lesson) -> list[str]:
    """Of the options: with gold, what the memory had nothing of; else what tells of the question as a whole."""
    right = " ".join(text for letter, text in lesson.options.items() if letter in lesson.right)
    known = _stems(lesson.remembered)
    if right:
        return [word for word in _content(right) if known.isdisjoint(_stems([word]))]
    return list(islice(_shared(lesson.options), MOST_WORDS))


def _shared(options: Mapping[str, str]) -> Iterator[str]:
    """Words of several options, those of the most options first."""
    said = [_content(text) for text in options.values()]
    counted = {word: sum(word in words for words in said) for words in said for word in words}
    order = sorted(counted, key=lambda word: -counted[word])
    return (word for word in order if counted[word] >= _SHARED)


def _content(text: str) -> list[str]:
    """Words of content, each once, as they come; `work_time` is two."""
    words = search_tokens(text.replace("_", " "), stemmed=False)
    return [word for word in dict.fromkeys(words) if len(word) >= _SHORTEST or not word.isascii()]


def _stems(texts: Iterable[str]) -> set[str]:
    return {stem for text in texts for stem in search_tokens(text.replace("_", " "))}
