"""Recommendation made anew from ReDial: its dialogues as context, and conversations kept out of it as questions."""

from __future__ import annotations

import json
import lzma
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from recollect.benchmarks.memoryagentbench.families import SOURCES
from recollect.benchmarks.memoryagentbench.families.blocks import context_of, numbered
from recollect.benchmarks.memoryagentbench.families.family import Shared
from recollect.benchmarks.memoryagentbench.families.recommendations import (
    ENTITIES,
    NAMES_FILE,
    REDIAL,
    WORD,
    asked,
    read_entities,
    with_names,
)
from recollect.benchmarks.memoryagentbench.histories import keyed
from recollect.benchmarks.memoryagentbench.questions import Asked
from recollect.domain.errors import DataError
from recollect.domain.histories import Keyed
from recollect.text.tokens import count

FOLDER, FILE = "redial", "test.jsonl.xz"
USER, SYSTEM = "User", "System"
QUESTIONS = 200
_FIX = "Copy it again from the source that the folder's README names."


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A point of a dialogue at which its system recommends something that was not named before."""

    said: tuple[str, ...]
    """All before it, without names of the speakers; the last is the user's."""
    wanted: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialogue:
    """One dialogue, as far as its last recommendation."""

    text: str
    named: frozenset[int]
    """Entities that it names."""
    turns: tuple[Turn, ...]
    """Those that can be asked for."""


def build_recommendations(folder: Path, tasks: Sequence[str], seed: int) -> tuple[list[Keyed], str]:
    """The rows of the named sources, as large as the source data make them.

    Raises:
        DataError: The source data are not there or not what they should be.
    """
    shared = shared_names(folder)
    made, origins = [], []
    for task in tasks:
        dialogues = read_dialogues(folder / FOLDER / FILE, shared[task][ENTITIES])
        one, reached = _row(task, dialogues, Random(f"{task} {seed}"))
        made.append(with_names(one, shared[task], search=False))
        origins.append(f"{task} ({reached})")
    return made, ", ".join(origins)


def shared_names(folder: Path) -> dict[str, Shared]:
    """The names of all entities, and which of them are films.

    Raises:
        DataError: The files are not there or not what they should be.
    """
    shared = read_entities(folder / FOLDER)
    if shared is None:
        raise DataError(f"there is no `{NAMES_FILE}`, packed or not", folder / FOLDER, fix=_FIX)
    return {REDIAL: shared}


def _row(task: str, dialogues: Sequence[Dialogue], rng: Random) -> tuple[Keyed, str]:
    source = SOURCES[task]
    drawn = rng.sample(dialogues, len(dialogues))
    held = [one for one in drawn if one.turns][:QUESTIONS]
    away = {one.text for one in held}
    shown = list({one.text: one for one in drawn if one.text not in away}.values())
    texts = numbered([one.text for one in shown], WORD)
    tokens = count(context_of(texts))
    reached = (
        f"{len(held)} of {QUESTIONS} questions, {len(shown)} dialogues, {tokens} tokens of {source.context_tokens}"
    )
    return keyed(source, 0, texts, [_question(rng.choice(one.turns), shown) for one in held]), f"{reached} asked for"


def _question(turn: Turn, shown: Sequence[Dialogue]) -> Asked:
    """With every dialogue of the context that names a film wanted here."""
    places = tuple(place for place, one in enumerate(shown) if not one.named.isdisjoint(turn.wanted))
    one = asked(worded(turn.said), [str(film) for film in turn.wanted])
    return replace(one, evidence=places, labels={**one.labels, "met": str(len(places))})


def read_dialogues(path: Path, names: Mapping[str, str]) -> list[Dialogue]:
    """The dialogues of the file, in its order.

    Raises:
        DataError: It is not there, or a line is not what it should be.
    """
    rows: dict[str, list[Mapping[str, Any]]] = {}
    for number, line in enumerate(_unpacked(path).splitlines(), start=1):
        try:
            row = json.loads(line)
            rows.setdefault(row["dialog_id"], []).append(_checked(row, names))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise DataError(f"it is not a turn of ReDial ({error!r})", path, line=number, fix=_FIX) from None
    return [_dialogue(turns) for turns in rows.values()]


def _checked(row: Mapping[str, Any], names: Mapping[str, str]) -> Mapping[str, Any]:
    unknown = [film for film in row["rec"] if str(film) not in names]
    if unknown:
        raise ValueError(f"film {unknown[0]} has no name in `{NAMES_FILE}`")
    said = [" ".join(text.split()) for text in (*row["context"], row["resp"])]
    return {"said": said, "wanted": row["rec"], "before": row["prev_entity"], "named": row["entity"]}


def _dialogue(rows: Sequence[Mapping[str, Any]]) -> Dialogue:
    """The longest row holds the ones before it."""
    longest = max(rows, key=lambda row: len(row["said"]))
    turns = (Turn(said=tuple(row["said"][:-1]), wanted=_new(row)) for row in rows)
    return Dialogue(
        text=worded(longest["said"], last=SYSTEM),
        named=frozenset(film for row in rows for name in ("wanted", "before", "named") for film in row[name]),
        turns=tuple(turn for turn in turns if turn.wanted and turn.said[-1]),
    )


def _new(row: Mapping[str, Any]) -> tuple[int, ...]:
    """What is recommended and was not named before."""
    return tuple(dict.fromkeys(film for film in row["wanted"] if film not in row["before"]))


def worded(said: Sequence[str], *, last: str = USER) -> str:
    """A line for each turn; the speakers take turns, and the last turn is *last*'s.

    The file's own transcripts name the speakers from the front, and twice the system where it spoke first.
    """
    speakers = (last, SYSTEM if last == USER else USER)
    lines = [f"{speakers[(len(said) - 1 - place) % 2]}: {text}" for place, text in enumerate(said) if text]
    return "\n".join(lines)


def _unpacked(path: Path) -> str:
    try:
        return lzma.decompress(path.read_bytes()).decode()
    except (OSError, EOFError, lzma.LZMAError) as error:
        raise DataError(f"it cannot be read ({error})", path, fix=_FIX) from None
    except UnicodeDecodeError as error:
        raise DataError(f"it is not UTF-8 ({error})", path, fix=_FIX) from None
