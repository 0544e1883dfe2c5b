"""Shared by systems that may call a chat model: checks of their settings, and their prompts as versioned files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Template
from typing import Any, Literal, Protocol

from recollect.contracts.reading import Prompt
from recollect.domain.errors import ConfigError
from recollect.domain.questions import AnswerFormat, Question

By = Literal["rules", "model"]


class HasBy(Protocol):
    """Settings that choose between rules and a chat model."""

    @property
    def by(self) -> By:
        """Rules, or the chat model of `--memory-model`."""


def by_model(config: HasBy) -> bool:
    """Whether the system calls a chat model."""
    return config.by == "model"


def check_counts(config: object, *names: str, least: int = 1) -> None:
    """Refuse numbers that are too small."""
    for name in names:
        if getattr(config, name) < least:
            raise ValueError(f"{name} starts at {least}, got {getattr(config, name)}")


def check_shares(config: object, *names: str) -> None:
    """Refuse ratios outside (0, 1]."""
    for name in names:
        if not 0 < getattr(config, name) <= 1:
            raise ValueError(f"{name} lies above 0 and is at most 1, got {getattr(config, name)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptFiles:
    """The prompts of some systems; a released one is never edited, its successor has the next number."""

    folder: Path
    of: str
    """Starts the name of each prompt; named in errors."""
    roles: Mapping[str, tuple[str, ...]]
    """System -> all prompts that it may send; each digest is part of its keys."""

    def prompt(self, role: str, version: str = "") -> Prompt:
        """The prompt of a role, in its newest version if none is given."""
        return _read(self.folder, self.of, f"{role}.{version or _newest(self.folder, role)}")

    def filled(self, role: str, values: Mapping[str, str]) -> str:
        """The prompt of a role with its placeholders filled in; a `$` in a value stays as it is."""
        return Template(self.prompt(role).text).substitute(values)

    def inputs_of(self, name: str) -> Mapping[str, str]:
        """Digests of all prompts that the system *name* may send, by role."""
        return {f"prompt {role}": self.prompt(role).digest for role in self.roles[name]}

    def inputs_where(self, asks: Callable[[Any], bool], name: str) -> Callable[[Any], Mapping[str, str]]:
        """`inputs_of` as a function of the settings; empty where they call no model."""
        return lambda config: self.inputs_of(name) if asks(config) else {}


@cache
def _newest(folder: Path, role: str) -> str:
    versions = [file.name.split(".")[1] for file in folder.glob(f"{role}.v*.txt")]
    return max(versions, key=lambda version: int(version[1:]), default="v1")


@cache
def _read(folder: Path, of: str, name: str) -> Prompt:
    try:
        text = (folder / f"{name}.txt").read_text(encoding="utf-8").removesuffix("\n")
    except OSError:
        known = sorted(file.name.removesuffix(".txt") for file in folder.glob("*.txt"))
        raise ConfigError(f"prompts of {of}", [f"`{name}` is not there, only {', '.join(known)}"]) from None
    return Prompt(name=f"{of}/{name}", text=text)


def shape_of(question: Question, *, letter: str, json_end: str = "", other: str = "") -> str:
    """What the answer should look like, by its format.

    Args:
        question: Its format, entries and fields.
        letter: For questions with options.
        json_end: Appended to the request for one JSON object.
        other: For all other formats.
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
