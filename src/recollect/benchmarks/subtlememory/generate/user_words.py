"""The wording of what is said and asked about a user, whatever the topic; one file of sentences."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from recollect.worlds.catalogues import catalogue, read


@dataclass(frozen=True, slots=True, kw_only=True)
class UserWords:
    """Patterns of sentences by what they are for."""

    now: tuple[str, ...]
    """Stand for a stretch of life of which the sentence before has told."""
    always: tuple[str, ...]
    """Stand for the situation where another value must not be left one to hold in."""
    choose: tuple[str, ...]
    """Requests to choose among resources, with `{wanted}`."""
    choose_when: tuple[str, ...]
    """The same under a condition, with `{asked}`."""
    choose_then: tuple[str, ...]
    """The same about a stretch that has passed."""
    offers: tuple[str, ...]
    name_one: tuple[str, ...]
    """What an answer to such a request looks like."""
    form: tuple[str, ...]
    """Requests to fill in a form, with `{wanted}`."""
    form_when: tuple[str, ...]
    """Sentences behind such a request, with `{asked}`."""
    form_then: tuple[str, ...]
    """Requests to fill in a form about a stretch that has passed."""
    fields: tuple[str, ...]
    """What the filled form looks like."""
    together: tuple[str, ...]
    """Two wishes in one, with `{first}` and `{second}`."""
    take: tuple[str, ...]
    """Answers in a sentence, with `{name}`."""
    open: tuple[str, ...]
    """Answers that name both sides of a conflict."""
    nothing: tuple[str, ...]
    """Claims that nothing is known."""
    first_words: tuple[str, ...]
    second_words: tuple[str, ...]
    """Of a resource's name."""


@cache
def user_words() -> UserWords:
    """What the file of this folder says; read once."""
    return read(UserWords, catalogue("subtlememory") / "user_words.json")
