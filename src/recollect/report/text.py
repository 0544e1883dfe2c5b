"""Text for display: control characters spelled out, long texts shortened, questions named and linked."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from importlib.resources import files
from urllib.parse import quote

from recollect.records.tables.cells import CellOutcome

_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff\ufffe\uffff]"
)


def plain(text: str) -> str:
    """*text* with control signs, bidi overrides and lone surrogates as `⟨U+202E⟩`; tabs and line feeds stay."""
    return _UNSEEN.sub(lambda sign: f"⟨U+{ord(sign.group()):04X}⟩", text.replace("\r\n", "\n"))


def shortened(text: str, limit: int) -> str:
    """*text*, or its beginning and its length."""
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text):,} characters)"


def template(name: str) -> str:
    return files("recollect.report").joinpath("templates", name).read_text(encoding="utf-8")


def link_to(**filters: str) -> str:
    """A link to the questions that pass *filters*."""
    return "#" + "&".join(f"{name}={quote(plain(value), safe='')}" for name, value in filters.items() if value)


Asked = tuple[str, str, str]
"""History, checkpoint, question."""


def asked_of(cell: CellOutcome) -> Asked:
    """The question of a cell."""
    return cell.history, cell.checkpoint, cell.question


def question_names(asked: Iterable[Asked]) -> list[str]:
    """A short name for each question: its id, with checkpoint and history only where the id is not unique."""
    listed = list(asked)
    ids = Counter(question for _, _, question in listed)
    placed = Counter((question, checkpoint) for _, checkpoint, question in listed)
    names = []
    for history, checkpoint, question in listed:
        if ids[question] == 1:
            names.append(question)
        elif placed[question, checkpoint] == 1:
            names.append(f"{question}@{checkpoint}")
        else:
            names.append(f"{question}@{checkpoint}@{history}")
    return names
