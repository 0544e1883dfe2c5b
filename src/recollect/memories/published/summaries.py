"""Short texts for groups of notes: by a chat model, or by rules from the notes' own sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial

from recollect.domain.messages import Message
from recollect.memories.published.chat import ModelCaller
from recollect.text.normal import search_tokens
from recollect.text.sentences import split
from recollect.text.tokens import count, cut_end

Note = tuple[str, ...]
"""The lines of one member of a group."""
_WORDS_A_TOKEN = 0.75


Summariser = Callable[[Sequence[Sequence[Note]]], list[str]]
"""A summary of each group of notes, empty only if its notes are."""


def summaries_by_rules(groups: Sequence[Sequence[Note]], *, tokens: int) -> list[str]:
    """See `summary_by_rules`."""
    return [summary_by_rules(notes, tokens) for notes in groups]


def summary_by_rules(notes: Sequence[Note], tokens: int) -> str:
    """The sentences whose words the group repeats most; words of a chosen sentence count less.

    Gives as many whole lines as fit into *tokens*, in their order.

    Source:
        SumBasic (Nenkova and Vanderwende 2005), over stems.
    """
    lines = list(dict.fromkeys(line for note in notes for line in note))
    stems = [tuple(dict.fromkeys(search_tokens(line))) for line in lines]
    sizes = [count(line) for line in lines]
    times = Counter(stem for line in stems for stem in line)
    share = {stem: n / times.total() for stem, n in times.items()}

    def worth(place: int) -> tuple[float, int]:
        mean = sum(share[stem] for stem in stems[place]) / len(stems[place])
        return round(mean, 12), -place

    waiting = [place for place, line in enumerate(stems) if line and sizes[place] <= tokens]
    taken, left, unread = list[int](), tokens, tokens
    while waiting and unread > 0:
        best = max(waiting, key=worth)
        waiting.remove(best)
        unread -= sizes[best]
        if sizes[best] <= left:
            taken.append(best)
            left -= sizes[best]
        for stem in stems[best]:
            share[stem] **= 2
    if not taken:
        return cut_end(" ".join(lines), tokens)
    return "\n".join(lines[place] for place in sorted(taken))


def summaries_by_model(groups: Sequence[Sequence[Note]], *, asker: ModelCaller, tokens: int) -> list[str]:
    """One call a group; a longer reply is cut."""
    words = str(max(1, round(tokens * _WORDS_A_TOKEN)))
    each = [{"notes": "\n\n".join("\n".join(note) for note in notes), "words": words} for notes in groups]
    replies = asker.together([partial(asker.text, "summary", values, tokens) for values in each])
    return [cut_end(reply, tokens) for reply in replies]


def note_of(message: Message) -> Note:
    """A message as lines, each with its day and speaker, so that each can stand alone."""
    day = f"{message.said_at[:10]} " if message.said_at else ""
    who = f"{day}{message.speaker}: " if message.speaker else f"{day.strip()}: " if day else ""
    sentences = (" ".join(sentence.split()) for sentence in split(message.text))
    return tuple(f"{who}{sentence}" for sentence in sentences if sentence)
