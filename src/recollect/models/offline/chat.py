"""The rule chat: a polite reply to what the user said last, made of nothing but the prompt.

It stands in for a model in dialogues, so that the pipeline runs without one. It repeats a memory that fits, in the
words in which it was found, or says that it has none; it never adds a fact.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import log
from typing import Any

from recollect.contracts.models import Turn
from recollect.domain.errors import NotAvailableError
from recollect.domain.exchange import Recall
from recollect.models.offline.chat_prompt import take_apart
from recollect.models.offline.extract_points import is_question
from recollect.models.offline.lexicon import (
    ANSWER,
    FRAMES,
    GREETING,
    GREETINGS,
    NO_MEMORY,
    NOTED,
    NOTED_BESIDE,
    NOTHING_SAID,
)
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
            return NOTHING_SAID
        fitting = best_sentence(said, memories)
        if any(is_question(sentence) for sentence in split(said)):
            return ANSWER.format(memory=fitting) if fitting else NO_MEMORY
        if GREETINGS.issuperset(search_tokens(said, stemmed=False)):
            return GREETING
        return NOTED_BESIDE.format(memory=fitting) if fitting else NOTED


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
    known = [sentence for memory in memories for sentence in split(memory) if _is_memory(sentence, said)]
    stems = [set(search_tokens(sentence)) for sentence in known]
    count = Counter(stem for told in stems for stem in told)
    weight = {stem: 1 / (1 + log(1 + count[stem])) for stem in set(search_tokens(said))}
    scores = [round(sum(weight[stem] for stem in sorted(told & weight.keys())), 9) for told in stems]
    if not known or max(scores) < LEAST_SHARED * sum(weight.values()) or max(scores) <= 0:
        return ""
    return " ".join(known[scores.index(max(scores))].split())


def _is_memory(sentence: str, said: str) -> bool:
    own = any(sentence.startswith(frame) for frame in FRAMES)
    return not own and not is_question(sentence) and sentence.strip().rstrip(".!") not in said
