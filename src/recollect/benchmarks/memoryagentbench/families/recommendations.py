"""Dialogues in which a system recommends films, and conversations that await its next recommendation."""

from __future__ import annotations

import gzip
import json
import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import accumulate
from pathlib import Path
from typing import Any

from recollect.benchmarks.memoryagentbench.families import blocks
from recollect.benchmarks.memoryagentbench.families.events import numbered
from recollect.benchmarks.memoryagentbench.families.family import (
    Family,
    Scored,
    Shared,
    Source,
    joined,
    plain,
    published,
)
from recollect.benchmarks.memoryagentbench.questions import Asked
from recollect.benchmarks.memoryagentbench.rows import Row
from recollect.domain.errors import DataError
from recollect.domain.histories import Keyed
from recollect.domain.outcomes import Outcome, Part, Status
from recollect.domain.questions import AnswerFormat
from recollect.metrics.recommendation import (
    Entities,
    entity_name,
    lenient_titles,
    recommendation_recall,
    recommended,
    strict_titles,
)

WORD = "Dialogue"
TITLES = 20
ENTITIES = "entities"
"""Field of a key with the ids of the right films, and of the shared data with all names by id."""
FILMS = "films"
"""Field of the shared data with the ids that are films; absent where that is not known."""
REDIAL, MADE = "recsys_redial_full", "recsys_generated"
MADE_FILMS = 112
"""Number of invented films, the same for all generated rows of a dataset."""
MADE_CHUNK_TOKENS = 192
"""Generated dialogues have about 110 tokens and stay whole."""
MEASURE = "recall@5"
texts_of = partial(blocks.texts_of, word=WORD)


def asked(text: str, ids: Sequence[str]) -> Asked:
    """A conversation and the entities that are right; `with_names` adds their names."""
    known = tuple(dict.fromkeys(ids))
    return Asked(
        text=text,
        gold=known,
        labels={"wanted": str(len(known))},
        answer_format=AnswerFormat.LIST,
        items=TITLES,
        field_gold={ENTITIES: known},
    )


def _asked(row: Row, place: int) -> Asked:
    wrong = [said for said in row.answers[place] if not said.strip().isdecimal()]
    if wrong:
        raise ValueError(f"`{wrong[0]}` is no id of an entity, which is a number")
    return asked(row.questions[place], [said.strip() for said in row.answers[place]])


NAMES_FILE = "entity2id.json"
"""DBpedia address -> id; it does not come with the published rows."""
FILMS_FILE = "item_ids.json"
_FIX = "Copy it again from where the rows, or the source data, are from."
_YEAR = re.compile(r" \((?:18|19|20)\d\d\)")


def read_entities(folder: Path) -> Shared | None:
    """Names by id, and which are films if known; `None` where *folder* has no file of names, packed or not.

    Raises:
        DataError: A file is malformed.
    """
    path = _found(folder, NAMES_FILE)
    if path is None:
        return None
    addresses = _json(path)
    if not isinstance(addresses, dict) or not all(isinstance(number, int) for number in addresses.values()):
        raise DataError("it is not an object of DBpedia addresses and whole numbers", path, fix=_FIX)
    names = {str(number): entity_name(uri) for uri, number in addresses.items()}
    path = _found(folder, FILMS_FILE)
    if path is None:
        return {ENTITIES: names}
    films = _json(path)
    if not isinstance(films, list) or not films:
        raise DataError("it is not a list of ids", path, fix=_FIX)
    unknown = [film for film in films if str(film) not in names]
    if unknown:
        raise DataError(f"{len(unknown)} ids have no name in `{NAMES_FILE}`, such as {unknown[0]}", path, fix=_FIX)
    return {ENTITIES: names, FILMS: [str(film) for film in films]}


def _found(folder: Path, name: str) -> Path | None:
    return next((path for path in (folder / name, folder / f"{name}.gz") if path.is_file()), None)


def _json(path: Path) -> Any:
    try:
        data = path.read_bytes()
        return json.loads(gzip.decompress(data) if path.suffix == ".gz" else data)
    except (OSError, EOFError, ValueError, RecursionError) as error:
        raise DataError(f"it cannot be read as JSON ({error})", path, fix=_FIX) from None


def with_names(one: Keyed, shared: Shared, *, search: bool) -> Keyed:
    """Keys whose gold is the list of titles; with *search* also the dialogues that name them, if any do.

    Keys with an id that has no name keep their gold: a score is then not available.
    """
    names: Mapping[str, str] = shared.get(ENTITIES, {})
    messages = list(one.history.messages())
    mentions = Mentions([message.text for message in messages]) if search else None
    keys = {}
    for question_id, key in one.keys.items():
        wanted = key.field_gold.get(ENTITIES, ())
        titles = [names[name] for name in wanted if name in names]
        named = replace(key, gold=(numbered(titles),)) if titles and len(titles) == len(wanted) else key
        if mentions is not None and titles:
            places = sorted({place for title in titles for place in mentions.of(title)})
            labels = {**key.labels, "met": str(len(places)), **({"evidence": "by_rule"} if places else {})}
            named = replace(named, evidence=tuple(messages[place].message_id for place in places), labels=labels)
        keys[question_id] = named
    return replace(one, keys=keys)


class Mentions:
    """Mentions of titles, each with a year in parentheses after it, as the dialogues of ReDial write them."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._text = "\n".join(texts).lower()
        self._starts = list(accumulate((len(text) + 1 for text in texts[:-1]), initial=0))

    def of(self, title: str) -> set[int]:
        """Positions of the texts that name *title*."""
        wanted, found, start = title.lower(), set[int](), 0
        while wanted and (start := self._text.find(f"{wanted} (", start)) >= 0:
            end = start + len(wanted)
            if _YEAR.match(self._text, end) and not self._text[start - 1 : start].isalnum():
                found.add(bisect_right(self._starts, start) - 1)
            start = end
        return found


MOST = 10
NO_NAMES = (
    "the names of the entities are not known: put `entity2id.json` into the folder of the rows, and load them again"
)


def score_titles(scored: Scored) -> Outcome:
    """Share of the right films among the first five titles; not available without the names of entities."""
    names = scored.shared.get(ENTITIES)
    if not names:
        return Outcome.missing(Status.NOT_AVAILABLE, NO_NAMES)
    wanted = scored.key.field_gold.get(ENTITIES, ())
    unknown = [name for name in wanted if name not in names]
    if unknown or not wanted:
        why = f"entity {unknown[0]} has no name" if unknown else "no film is right here"
        return Outcome.missing(Status.NOT_AVAILABLE, why)
    reply, shared = scored.reply_text, _Shared(scored.shared)
    strict = recommended(strict_titles(reply)[:MOST], _entities(shared, films=False)) if reply.strip() else []
    lenient = recommended(lenient_titles(reply)[:MOST], _entities(shared, films=FILMS in scored.shared))
    recall = partial(recommendation_recall, gold=[names[name] for name in wanted])
    return scored.outcome(
        [
            Part(name=MEASURE, value=recall(strict, k=5), weight=1.0),
            Part(name="recall@1", value=recall(strict, k=1)),
            Part(name="recall@10", value=recall(strict, k=10)),
            Part(name="lenient_recall@5", value=recall(lenient, k=5)),
        ]
    )


class _Shared:
    """Shared data, hashed and compared by identity: comparing their contents would take too long."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data

    def __hash__(self) -> int:
        return id(self.data)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Shared) and self.data is other.data


@lru_cache(maxsize=8)
def _entities(shared: _Shared, *, films: bool) -> Entities:
    """What a title may mean: films alone, or, as in the paper, also people and whatever else has a name."""
    names = {int(number): name for number, name in shared.data[ENTITIES].items()}
    return Entities(names, [int(film) for film in shared.data[FILMS]]) if films else Entities(names)


FAMILY = Family(
    name="recsys_redial",
    split="Test_Time_Learning",
    output_tokens=300,
    chunk_tokens=4096,
    made_chunk_tokens=MADE_CHUNK_TOKENS,
    joint="\n\n",
    passages=plain(texts_of),
    context=joined(blocks.context_of),
    measure=MEASURE,
    chance=lambda source: 5 / MADE_FILMS if source.made else None,
    binary=False,
    score=score_titles,
    asked=_asked,
    published=lambda one: published(one, lambda _, key: key.field_gold[ENTITIES]),
    read_shared=read_entities,
    complete=lambda one, shared, published: with_names(one, shared, search=published),
)

SOURCES = (
    Source(name=REDIAL, family=FAMILY, questions=200, context_tokens=1_440_000),
    Source(name=MADE, family=FAMILY, questions=None),
)
