"""Prompts of systems that call models: files in a folder, by role and version."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Template

from recollect.contracts.reading import Prompt
from recollect.domain.errors import ConfigError
from recollect.domain.questions import AnswerFormat, Question


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptFiles:
    """The prompts of some systems; a released one is never edited, its successor has the next number."""

    folder: Path
    of: str
    """Begins the name of each prompt, and says in errors whose they are."""
    roles: Mapping[str, tuple[str, ...]]
    """System -> all that it may send; each digest is part of its keys."""

    def prompt(self, role: str, version: str = "v1") -> Prompt:
        """The prompt of a role."""
        return _read(self.folder, self.of, f"{role}.{version}")

    def filled(self, role: str, values: Mapping[str, str]) -> str:
        """The prompt of a role with its placeholders filled in; what is filled in stays as it is."""
        return Template(self.prompt(role).text).substitute(values)

    def inputs_of(self, name: str) -> Mapping[str, str]:
        """Digests of all prompts that the system *name* may send, by role."""
        return {f"prompt {role}": self.prompt(role).digest for role in self.roles[name]}


def shape_of(question: Question, *, letter: str, json_end: str = "", other: str = "") -> str:
    """What the answer should look like, by its format.

    Args:
        question: Its format, entries and fields.
        letter: What is said where an option is chosen.
        json_end: Put behind the demand for one JSON object.
        other: What is said of formats that have no words of their own.
    """
    fields = "; ".join(f"{name}: {meaning}" for name, meaning in question.template.items())
    many = "" if question.items is None else f"{question.items} "
    shapes = {
        AnswerFormat.LETTER: letter,
        AnswerFormat.NUMBER: "Reply with a number and nothing else.",
        AnswerFormat.DATE_SPAN: "Reply with the day, or with the first and the last day, as YYYY-MM-DD.",
        AnswerFormat.LIST: f"Reply with {many}entries, one a line.",
        AnswerFormat.JSON: f"Reply with one JSON object with these fields{json_end}: {fields}.",
        AnswerFormat.SUMMARY: "Reply with a summary in whole sentences.",
    }
    return shapes.get(question.answer_format, other)


@cache
def _read(folder: Path, of: str, name: str) -> Prompt:
    try:
        text = (folder / f"{name}.txt").read_text(encoding="utf-8").removesuffix("\n")
    except OSError:
        known = sorted(file.name.removesuffix(".txt") for file in folder.glob("*.txt"))
        raise ConfigError(f"prompts of {of}", [f"`{name}` is not there, only {', '.join(known)}"]) from None
    return Prompt(name=f"{of}/{name}", text=text)
