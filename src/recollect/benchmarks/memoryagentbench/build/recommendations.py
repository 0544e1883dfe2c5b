"""Recommendation rebuilt from ReDial: its dialogues as context, and held-out conversations as questions."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import NamedTuple

from recollect.benchmarks.memoryagentbench.families import SOURCES
from recollect.benchmarks.memoryagentbench.families import recommendations as family
from recollect.benchmarks.memoryagentbench.families.blocks import context_of, numbered
from recollect.benchmarks.memoryagentbench.families.family import Shared
from recollect.benchmarks.memoryagentbench.histories import keyed
from recollect.domain.errors import DataError
from recollect.domain.histories import Keyed
from recollect.records.data_files import text_of
from recollect.text.tokens import count

FOLDER, FILE = "redial", "test.jsonl.xz"
USER, SYSTEM = "User", "System"
QUESTIONS = 200
_FIX = "Copy it again from the source that the folder's README names."


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A point of a dialogue at which the system recommends something new."""

    said: tuple[str, ...]
    """All turns before it, without names of the speakers; the last is the user's."""
    wanted: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialogue:
    """One dialogue, up to its last recommendation."""

    text: str
    named: frozenset[int]
    turns: tuple[Turn, ...]
    """Those that can be asked for."""


def build_recommendations(folder: Path, tasks: Sequence[str], seed: int) -> tuple[list[Keyed], str]:
    """The rows of the named sources, as large as the source data make them; evidence is every dialogue with a film."""
    shared = shared_names(folder)
    made, origins = [], []
    for task in tasks:
        source, rng = SOURCES[task], Random(f"{task} {seed}")
        dialogues = read_dialogues(folder / FOLDER / FILE, shared[task][family.ENTITIES])
        drawn = rng.sample(dialogues, len(dialogues))
        chosen = [one for one in drawn if one.turns][:QUESTIONS]
        away = {one.text for one in chosen}
        shown = list({one.text: one for one in drawn if one.text not in away}.values())
        texts = numbered([one.text for one in shown], family.WORD)
        questions = []
        for dialogue in chosen:
            turn = rng.choice(dialogue.turns)
            places = tuple(place for place, one in enumerate(shown) if not one.named.isdisjoint(turn.wanted))
            one = family.asked(worded(turn.said), [str(film) for film in turn.wanted])
            questions.append(replace(one, evidence=places, labels={**one.labels, "met": str(len(places))}))
        made.append(family.with_names(keyed(source, 0, texts, questions), shared[task], search=False))
        tokens = f"{count(context_of(texts))} tokens of {source.context_tokens} asked for"
        origins.append(f"{task} ({len(chosen)} of {QUESTIONS} questions, {len(shown)} dialogues, {tokens})")
    return made, ", ".join(origins)


def shared_names(folder: Path) -> dict[str, Shared]:
    """The names of all entities, and which of them are films.

    Raises:
        DataError: The files are not there or not what they should be.
    """
    shared = family.read_entities(folder / FOLDER)
    if shared is None:
        raise DataError(f"there is no `{family.NAMES_FILE}`, packed or not", folder / FOLDER, fix=_FIX)
    return {family.REDIAL: shared}


def read_dialogues(path: Path, names: Mapping[str, str]) -> list[Dialogue]:
    """The dialogues of the file, in its order.

    Raises:
        DataError: It is missing, or a line is malformed.
    """
    rows: dict[str, list[_Row]] = {}
    for number, line in enumerate(text_of(path, fix=_FIX).splitlines(), start=1):
        try:
            row = json.loads(line)
            unknown = [film for film in row["rec"] if str(film) not in names]
            if unknown:
                raise ValueError(f"film {unknown[0]} has no name in `{family.NAMES_FILE}`")
            texts = [" ".join(text.split()) for text in (*row["context"], row["resp"])]
            known = _Row(texts, row["rec"], row["prev_entity"], row["entity"])
            rows.setdefault(row["dialog_id"], []).append(known)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise DataError(f"it is not a turn of ReDial ({error!r})", path, line=number, fix=_FIX) from None
    return [_dialogue(turns) for turns in rows.values()]


class _Row(NamedTuple):
    texts: list[str]
    wanted: list[int]
    before: list[int]
    named: list[int]


def _dialogue(rows: Sequence[_Row]) -> Dialogue:
    """The longest row contains the ones before it."""
    turns = []
    for row in rows:
        wanted = tuple(dict.fromkeys(film for film in row.wanted if film not in row.before))
        if wanted and row.texts[-2]:
            turns.append(Turn(said=tuple(row.texts[:-1]), wanted=wanted))
    return Dialogue(
        text=worded(max((row.texts for row in rows), key=len), last=SYSTEM),
        named=frozenset(film for row in rows for film in (*row.wanted, *row.before, *row.named)),
        turns=tuple(turns),
    )


def worded(texts: Sequence[str], *, last: str = USER) -> str:
    """One line per turn; the speakers alternate, and the last turn is *last*'s.

    The file's own transcripts name the speakers from the front, and twice the system where it spoke first.
    """
    speakers = (last, SYSTEM if last == USER else USER)
    lines = [f"{speakers[(len(texts) - 1 - place) % 2]}: {text}" for place, text in enumerate(texts) if text]
    return "\n".join(lines)
