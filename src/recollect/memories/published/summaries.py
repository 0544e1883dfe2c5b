"""Short texts for groups of notes: by a chat model, or by rules from the notes' own sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from recollect.domain.messages import Message
from recollect.memories.published.chat import ModelCaller
from recollect.text.normal import search_tokens
from recollect.text.sentences import split
from recollect.text.tokens import count, cut_end

Note = tuple[str, ...]
"""What one member of a group says, a line each."""
_WORDS_A_TOKEN = 0.75


class Summariser(Protocol):
    """Says in short what groups of notes say."""

    def summarise(self, groups: Sequence[Sequence[Note]]) -> list[str]:
        """One text for each group, none of them empty unless its notes are."""
        ...


@dataclass(frozen=True, slots=True)
class RuleSummariser:
    """The sentences whose words the group repeats most, each counted less once it was taken.

    Source:
        SumBasic (Nenkova and Vanderwende 2005), over stems.
    """

    tokens: int

    def summarise(self, groups: Sequence[Sequence[Note]]) -> list[str]:
        """As many whole lines as fit, in the order in which they stood."""
        return [self._of(group) for group in groups]

    def _of(self, notes: Sequence[Note]) -> str:
        lines = list(dict.fromkeys(line for note in notes for line in note))
        stems = [tuple(dict.fromkeys(search_tokens(line))) for line in lines]
        sizes, left = [count(line) for line in lines], self.tokens
        taken: list[int] = []
        for place in _ranked(stems, sizes, left):
            if sizes[place] <= left:
                taken.append(place)
                left -= sizes[place]
        if not taken:
            return cut_end(" ".join(lines), self.tokens)
        return "\n".join(lines[place] for place in sorted(taken))


@dataclass(frozen=True, slots=True)
class ModelSummariser:
    """One call a group."""

    asker: ModelCaller
    tokens: int

    def summarise(self, groups: Sequence[Sequence[Note]]) -> list[str]:
        """The model's words, cut to the limit."""
        return self.asker.together([partial(self._of, group) for group in groups])

    def _of(self, notes: Sequence[Note]) -> str:
        values = {"notes": "\n\n".join("\n".join(note) for note in notes), "words": str(self._words)}
        return cut_end(self.asker.text("summary", values, self.tokens), self.tokens)

    @property
    def _words(self) -> int:
        return max(1, round(self.tokens * _WORDS_A_TOKEN))


def note_of(message: Message) -> Note:
    """A message as lines, each with its day and speaker, so that it can stand apart."""
    day = f"{message.said_at[:10]} " if message.said_at else ""
    who = f"{day}{message.speaker}: " if message.speaker else f"{day.strip()}: " if day else ""
    return tuple(f"{who}{sentence}" for sentence in map(_on_one_line, split(message.text)) if sentence)


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def _ranked(stems: Sequence[tuple[str, ...]], sizes: Sequence[int], most: int) -> Iterator[int]:
    """Places of lines in the order in which they are taken; at most as many as have room."""
    times = Counter(stem for said in stems for stem in said)
    whole = sum(times.values())
    share = {stem: n / whole for stem, n in times.items()}
    open_places = [place for place, said in enumerate(stems) if said and sizes[place] <= most]
    while open_places and most > 0:
        best = max(open_places, key=lambda place: (round(_mean(stems[place], share), 12), -place))
        open_places.remove(best)
        most -= sizes[best]
        yield best
        for stem in stems[best]:
            share[stem] **= 2


def _mean(said: tuple[str, ...], share: dict[str, float]) -> float:
    return sum(share[stem] for stem in said) / len(said)
