"""Dialogues in which a system recommends films, and conversations that wait for its next recommendation."""

from __future__ import annotations

import gzip
import json
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from typing import Any

from recollect.benchmarks.memoryagentbench.families import blocks
from recollect.benchmarks.memoryagentbench.families.family import (
    Family,
    Published,
    Scored,
    Shared,
    Source,
    joined,
    plain,
    published,
)
from recollect.benchmarks.memoryagentbench.questions import Asked
from recollect.benchmarks.memoryagentbench.rows import Row
from recollect.contracts.benchmark import TaskCard
from recollect.domain.errors import DataError
from recollect.domain.histories import Keyed
from recollect.domain.outcomes import Outcome, Part, Status
from recollect.domain.questions import AnswerFormat, Key
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
"""How many are asked for."""

ENTITIES = "entities"
"""The field of a key that holds the ids of the right films, and that of the shared data with all names by id."""

FILMS = "films"
"""The field of the shared data with the ids that are films; absent where that is not known."""

REDIAL, MADE = "recsys_redial_full", "recsys_generated"

MADE_FILMS = 112
"""So many films are invented, the same for all generated rows of a data set."""

MADE_CHUNK_TOKENS = 192
"""Generated dialogues have about 110 tokens, and are kept whole."""

MEASURE = "recall@5"


def texts_of(context: str) -> list[str]:
    """The dialogues, each with its header line.

    Raises:
        ValueError: There is none.
    """
    return blocks.texts_of(context, WORD)


def asked(text: str, ids: Sequence[str]) -> Asked:
    """A conversation and the entities that are right; their names are for `told` to say."""
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


def _published(one: Keyed) -> Published:
    return published(one, lambda _, key: key.field_gold[ENTITIES])


NAMES_FILE = "entity2id.json"
"""DBpedia address -> id; it does not come with the published rows."""
FILMS_FILE = "item_ids.json"
"""List of the ids that are films."""
_FIX = "Copy it again from where the rows, or the source data, are from."
_YEAR = re.compile(r" \((?:18|19|20)\d\d\)")


def read_entities(folder: Path) -> Shared | None:
    """Names by id, and which are films if that is said; `None` where *folder* has no file of names, packed or not.

    Raises:
        DataError: A file is not what it should be.
    """
    names = _found(folder, NAMES_FILE)
    if names is None:
        return None
    addresses = _json(names)
    if not isinstance(addresses, dict) or not all(isinstance(number, int) for number in addresses.values()):
        raise DataError("it is not an object of DBpedia addresses and whole numbers", names, fix=_FIX)
    shared: dict[str, Any] = {ENTITIES: {str(number): entity_name(uri) for uri, number in addresses.items()}}
    films = _found(folder, FILMS_FILE)
    if films is not None:
        shared[FILMS] = _film_ids(films, shared[ENTITIES])
    return shared


def _film_ids(path: Path, names: Mapping[str, str]) -> list[str]:
    said = _json(path)
    if not isinstance(said, list) or not said:
        raise DataError("it is not a list of ids", path, fix=_FIX)
    unknown = [number for number in said if str(number) not in names]
    if unknown:
        raise DataError(f"{len(unknown)} ids have no name in `{NAMES_FILE}`, such as {unknown[0]}", path, fix=_FIX)
    return [str(number) for number in said]


def _found(folder: Path, name: str) -> Path | None:
    return next((path for path in (folder / name, folder / f"{name}.gz") if path.is_file()), None)


def _json(path: Path) -> Any:
    try:
        data = path.read_bytes()
        return json.loads(gzip.decompress(data) if path.suffix == ".gz" else data)
    except (OSError, EOFError, ValueError, RecursionError) as error:
        raise DataError(f"it cannot be read as JSON ({error})", path, fix=_FIX) from None


def listed(names: Iterable[str]) -> str:
    """Names as the reply that is asked for."""
    return "\n".join(f"{number}. {name}" for number, name in enumerate(names, start=1))


def with_names(one: Keyed, shared: Shared, *, search: bool) -> Keyed:
    """Keys whose gold is the list of titles; with *search* also the dialogues that name them, where there are any.

    Ids that have no name stay as they are: a score is then not available.
    """
    names: Mapping[str, str] = shared.get(ENTITIES, {})
    mentions = Mentions([message.text for message in one.history.messages()]) if search else None
    ids = [message.message_id for message in one.history.messages()]
    keys = {}
    for question_id, key in one.keys.items():
        named = _named(key, names)
        keys[question_id] = named if mentions is None else _placed(named, names, mentions, ids)
    return replace(one, keys=keys)


def _named(key: Key, names: Mapping[str, str]) -> Key:
    wanted = key.field_gold.get(ENTITIES, ())
    if not wanted or any(name not in names for name in wanted):
        return key
    return replace(key, gold=(listed(names[name] for name in wanted),))


def _placed(key: Key, names: Mapping[str, str], mentions: Mentions, ids: Sequence[Any]) -> Key:
    titles = [names[name] for name in key.field_gold.get(ENTITIES, ()) if name in names]
    if not titles:
        return key
    places = sorted({place for title in titles for place in mentions.of(title)})
    labels = {**key.labels, "met": str(len(places)), **({"evidence": "by_rule"} if places else {})}
    return replace(key, evidence=tuple(ids[place] for place in places), labels=labels)


class Mentions:
    """Where titles are named, each with a year in parentheses behind it, as the dialogues of ReDial write them."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._text = "\n".join(texts).lower()
        self._starts = list(accumulate((len(text) + 1 for text in texts[:-1]), initial=0))

    def of(self, title: str) -> set[int]:
        """Places of the texts that name *title*."""
        wanted, found, start = title.lower(), set[int](), 0
        while wanted and (start := self._text.find(f"{wanted} (", start)) >= 0:
            end = start + len(wanted)
            if _YEAR.match(self._text, end) and not self._text[start - 1 : start].isalnum():
                found.add(bisect_right(self._starts, start) - 1)
            start = end
        return found


MOST = 10
"""Titles that any measure looks at."""
NO_NAMES = (
    "the names of the entities are not known: put `entity2id.json` into the folder of the rows, and load them again"
)


def score_titles(given: Scored) -> Outcome:
    """Share of the right films among the first five titles; not available without the names of entities."""
    names = given.shared.get(ENTITIES)
    if not names:
        return Outcome.missing(Status.NOT_AVAILABLE, NO_NAMES)
    wanted = given.key.field_gold.get(ENTITIES, ())
    unknown = [name for name in wanted if name not in names]
    if unknown or not wanted:
        why = f"entity {unknown[0]} has no name" if unknown else "no film is right here"
        return Outcome.missing(Status.NOT_AVAILABLE, why)
    return given.outcome(_parts(given.said, [names[name] for name in wanted], _Shared(given.shared)))


def _parts(said: str, gold: Sequence[str], shared: _Shared) -> Iterator[Part]:
    strict = recommended(strict_titles(said)[:MOST], _entities(shared)) if said.strip() else []
    lenient = recommended(lenient_titles(said)[:MOST], _films(shared))
    yield Part(name=MEASURE, value=recommendation_recall(strict, gold, k=5), weight=1.0)
    yield Part(name="recall@1", value=recommendation_recall(strict, gold, k=1))
    yield Part(name="recall@10", value=recommendation_recall(strict, gold, k=10))
    yield Part(name="lenient_recall@5", value=recommendation_recall(lenient, gold, k=5))


class _Shared:
    """Shared data as they are, told from others by being the same object: comparing them would take too long."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data

    def __hash__(self) -> int:
        return id(self.data)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Shared) and self.data is other.data


@lru_cache(maxsize=4)
def _entities(shared: _Shared) -> Entities:
    """All that a title may be taken for, as in the paper: persons and whatever else has a name too."""
    return Entities(_names(shared))


@lru_cache(maxsize=4)
def _films(shared: _Shared) -> Entities:
    films = shared.data.get(FILMS)
    return Entities(_names(shared), [int(film) for film in films]) if films else _entities(shared)


def _names(shared: _Shared) -> dict[int, str]:
    return {int(name): said for name, said in shared.data[ENTITIES].items()}


def _beside(folder: Path) -> Shared | None:

    return read_entities(folder)


def _told(one: Keyed, shared: Shared, published: bool) -> Keyed:

    return with_names(one, shared, search=published)


LABELS = {
    "wanted": "recommendations: how many films are right",
    "met": "recommendations: how many dialogues of the context name one of them; where 0, none can be learned",
}
LICENCES = {"ReDial (recsys_redial)": "CC BY 4.0: name Li et al. 2018"}
DEVIATION = (
    "Built from the 992 dialogues of ReDial's test split, about 119K tokens where the published row has 1.44M. "
    "Evidence is every dialogue that names a right film; published rows are searched for its title and a year."
)
_PARTS = {
    MEASURE: "share of the right films among the first five titles, each taken for the entity whose name is nearest, "
    "as the paper's program reads them; the primary measure",
    "recall@1": "the same of the first title",
    "recall@10": "the same of the first ten",
    "lenient_recall@5": "as recall@5, without empty lines, bullets and bold, and taken for films alone where it is "
    "known which entities are films",
}


def _task(source: Source) -> TaskCard:
    shown = "invented dialogues" if source.made else "about 1.44M tokens of dialogues"
    return TaskCard(
        name=source.name,
        meaning=f"Recommend {TITLES} films to go on with a conversation, after {shown} about films.{_differs(source)}",
        measure=MEASURE,
        chance=5 / MADE_FILMS if source.made else None,
        binary=False,
        parts=_PARTS,
    )


def _differs(source: Source) -> str:
    return "" if source.made else f" {DEVIATION}"


FAMILY = Family(
    name="recsys_redial",
    split="Test_Time_Learning",
    output_tokens=300,
    chunk_tokens=4096,
    made_chunk_tokens=MADE_CHUNK_TOKENS,
    joint="\n\n",
    passages=plain(texts_of),
    context=joined(blocks.context_of),
    task=_task,
    score=score_titles,
    asked=_asked,
    published=_published,
    beside=_beside,
    told=_told,
)

SOURCES = (
    Source(name=REDIAL, family=FAMILY, questions=200, context_tokens=1_440_000),
    Source(name=MADE, family=FAMILY, questions=None),
)
