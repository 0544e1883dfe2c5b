"""The entities that titles are taken for: their names, from files beside the rows, and where they are named."""

from __future__ import annotations

import gzip
import json
import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from pathlib import Path
from typing import Any

from recollect.benchmarks.memoryagentbench.families.recommendations import ENTITIES, FILMS
from recollect.benchmarks.memoryagentbench.family import Shared
from recollect.domain.errors import DataError
from recollect.domain.histories import Keyed
from recollect.domain.questions import Key
from recollect.metrics.recommendation import entity_name

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
