"""Which claims a text bears out, by a chat model that is asked strictly and read strictly."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from string import Template

from recollect.contracts.models import ChatModel, Turn
from recollect.contracts.reading import Prompt
from recollect.judging.parsing import Unusable, one_object
from recollect.records.digests import digest

VERSION = 1
PROMPT = Prompt(
    name="claims/claims.v1",
    text=Path(__file__).with_name("claims.v1.txt").read_text(encoding="utf-8").removesuffix("\n"),
)
MOST = 20
"""Claims of one call."""
ECHOED = 2_000
"""Characters of an unusable reply that the model is shown again."""


class ClaimChecker:
    """Says of each claim whether it is borne out; `None` where the model gives nothing usable, twice over."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model

    @property
    def fingerprint(self) -> str:
        """That of the model and the prompt."""
        return f"claims-{VERSION}:{self._model.fingerprint}:{PROMPT.digest}"

    def check(self, document: Sequence[str], claims: Sequence[str]) -> list[bool | None]:
        """One verdict a claim, in order; with no memory at all nothing is borne out, and nobody is asked.

        Raises:
            CallError: The model failed; that is no verdict.
        """
        if not document:
            return [False] * len(claims)
        verdicts: list[bool | None] = []
        for start in range(0, len(claims), MOST):
            verdicts += self._check_few(document, claims[start : start + MOST])
        return verdicts

    def _check_few(self, document: Sequence[str], claims: Sequence[str]) -> Sequence[bool | None]:
        names = [str(number) for number in range(1, len(claims) + 1)]
        schema = {
            "type": "object",
            "properties": {name: {"type": "string", "enum": ["yes", "no"]} for name in names},
            "required": names,
            "additionalProperties": False,
        }
        turns = [Turn(role="user", text=_prompt(document, claims, names))]
        for _ in range(2):
            reply = self._model.complete(turns, schema=schema)
            found = _read(reply, names)
            if not isinstance(found, Unusable):
                return found
            again = f"That reply could not be used: {found.problem}. Reply once more, in the form that was asked for."
            turns = [*turns, Turn(role="assistant", text=reply[:ECHOED]), Turn(role="user", text=again)]
        return [None] * len(claims)


def _prompt(document: Sequence[str], claims: Sequence[str], names: Sequence[str]) -> str:
    memories = "\n".join(f"- {' '.join(one.split())}" for one in document)
    listed = "\n".join(f"{name}. {' '.join(one.split())}" for name, one in zip(names, claims, strict=True))
    example = "{" + ", ".join(f'"{name}": "yes"' for name in names[:2]) + ("}" if len(names) < 3 else ", ...}")
    mark = digest([memories, listed])[3:11]
    values = {"mark": mark, "document": memories, "claims": listed, "example": example}
    return Template(PROMPT.text).substitute(values)


def _read(reply: str, names: Sequence[str]) -> list[bool | None] | Unusable:
    found = one_object(reply)
    if isinstance(found, Unusable):
        return found
    if set(found) != set(names):
        return Unusable(f"the entries are not exactly {', '.join(names)}")
    odd = [name for name in names if found[name] not in ("yes", "no")]
    if odd:
        return Unusable(f"entry {odd[0]} is neither `yes` nor `no`")
    return [found[name] == "yes" for name in names]
