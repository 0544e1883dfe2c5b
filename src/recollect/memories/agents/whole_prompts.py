"""A prompt of extraction as a policy: what it must hold to work, and how that is put back where it was lost."""

from __future__ import annotations

from collections.abc import Mapping
from string import Template

from recollect.memories.agents.prompts import prompt

_KNOWN = ("$known", "")
_BEFORE = ("<before>\n$before\n</before>", "The message before, to be understood by:")
_MESSAGES = ("<messages>\n$messages\n</messages>", "The messages:")
_ENTRIES = ("<entries>\n$entries\n</entries>", "The entries that there are:")
PLACES: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "facts": {
        "known": _KNOWN,
        "before": _BEFORE,
        "messages": _MESSAGES,
        "most": ("Write at most $most facts.", ""),
    },
    "labels": {"known": _KNOWN, "entries": _ENTRIES, "before": _BEFORE, "messages": _MESSAGES},
}
"""Role -> placeholder -> how it is put back, and the words before it."""


def whole(role: str, section: str) -> str:
    """The prompt of a role with *section* as what to remember, and all its other placeholders as they are."""
    return Template(prompt(role).text).safe_substitute({"remember": section.replace("$", "$$")})


def restored(role: str, text: str) -> str:
    """*text* with the placeholders that it lost, and with the demand for JSON."""
    have = set(Template(text).get_identifiers())
    lost = [f"{words}\n{block}".strip() for name, (block, words) in PLACES[role].items() if name not in have]
    demand = _demand(role)
    is_asked = demand.partition("{")[2] in text
    return "\n\n".join([text, *lost, *([] if is_asked else [demand])])


def filled_in(policy: str, values: Mapping[str, str]) -> str:
    """A whole prompt with its placeholders filled in; what it says else with a `$` stays as it is."""
    return Template(policy).safe_substitute(values)


def _demand(role: str) -> str:
    """The last line of a role's prompt, which says the form of the reply."""
    return prompt(role).text.rstrip().rpartition("\n")[2]
