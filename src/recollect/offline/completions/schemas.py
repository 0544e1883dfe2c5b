"""The JSON that a prompt asks for, by schema or example, filled by the type of each field and the words of its name."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from recollect.offline.completions.lexicon import (
    ACTIONS,
    ADDING,
    DATES,
    FACTS,
    KEYWORDS,
    LINKED,
    NAMES,
    NUMBERED,
    TEXTS,
    WHO,
    words_of,
)
from recollect.offline.completions.material import Material

Schema = Mapping[str, Any]

_DEEPEST = 12
_CUT = 300
"""Characters of a text that sums up."""


@dataclass(frozen=True, slots=True)
class Filler:
    """Fills schemas from one material; pure."""

    material: Material
    root: Schema
    """Where references of the schema lead."""
    fact: str | None = None
    """The one that the item at hand is made for."""
    number: int = 0
    depth: int = 0

    def fill(self, schema: Schema, name: str = "") -> Any:
        """A value that follows *schema*."""
        schema = self._plain(schema)
        if "const" in schema:
            return schema["const"]
        if schema.get("enum"):
            return self._choice(schema["enum"], name)
        if "default" in schema and not self._is_told(schema, name):
            return schema["default"]
        makers: Mapping[str, Callable[[Schema, str], Any]] = {
            "object": self._object,
            "array": self._array,
            "string": self._string,
            "boolean": lambda _schema, _name: False,
            "integer": self._number,
            "number": self._number,
        }
        maker = makers.get(kind_of(schema))
        return maker(schema, name) if maker and self.depth <= _DEEPEST else None

    def _plain(self, schema: Schema) -> Schema:
        """The schema itself: references followed, alternatives decided for the first that is not null."""
        for _ in range(_DEEPEST):
            if "$ref" in schema:
                schema = self._target(str(schema["$ref"]))
            elif schema.get("allOf"):
                merged: dict[str, Any] = {}
                for part in schema["allOf"]:
                    merged |= self._plain(part)
                return {**merged, **{name: said for name, said in schema.items() if name != "allOf"}}
            elif schema.get("anyOf") or schema.get("oneOf"):
                options = schema.get("anyOf") or schema["oneOf"]
                chosen = next((one for one in options if one.get("type") != "null"), options[0])
                schema = {**chosen, **({"default": schema["default"]} if "default" in schema else {})}
            else:
                return schema
        return {}

    def _target(self, reference: str) -> Schema:
        found: Any = self.root
        for part in reference.removeprefix("#").strip("/").split("/"):
            found = found.get(part, {}) if isinstance(found, Mapping) else {}
        return found if isinstance(found, Mapping) else {}

    def _is_told(self, schema: Schema, name: str) -> bool:
        """A field that the material fills, whatever its default is."""
        words = words_of(name)
        told = FACTS | KEYWORDS | NAMES | TEXTS
        return not words.isdisjoint(told) and words.isdisjoint(LINKED) and kind_of(schema) in {"array", "string"}

    def _choice(self, options: Sequence[Any], name: str) -> Any:
        if not words_of(name).isdisjoint(WHO):
            role = self._role()
            return role if role in options else options[0]
        return next((option for option in options if str(option).upper() in ADDING), options[0])

    def _object(self, schema: Schema, _name: str) -> dict[str, Any]:
        """All that is required; of the rest what the material fills, or everything where nothing is required."""
        properties = schema.get("properties") or {}
        required = schema.get("required") or ()
        inside = replace(self, depth=self.depth + 1)
        return {
            field: inside.fill(part, field)
            for field, part in properties.items()
            if field in required or not required or self._is_told(self._plain(part), field)
        }

    def _array(self, schema: Schema, name: str) -> list[Any]:
        item, words = self._plain(schema.get("items") or {}), words_of(name)
        least = int(schema.get("minItems") or 0)
        if not words.isdisjoint(LINKED):
            made: list[Any] = []
        elif kind_of(item) == "object":
            made = self._items(item, words)
        else:
            made = list(self._texts(words)) if _is_free(item) else []
        made += [self.fill(item, name)] * (least - len(made))
        return made[: schema.get("maxItems")]

    def _items(self, item: Schema, words: frozenset[str]) -> list[Any]:
        """An item for each fact, or for each name, as its fields can take them."""
        fields = {word for field in item.get("properties") or {} for word in words_of(field)}
        if not fields.isdisjoint(TEXTS | FACTS) and words.isdisjoint(NAMES | KEYWORDS):
            told: Sequence[str] = self.material.facts
        elif not words.isdisjoint(NAMES) and not fields.isdisjoint(NAMES):
            told = self.material.names
        else:
            told = ()
        made = (replace(self, fact=fact, number=number, depth=self.depth + 1) for number, fact in enumerate(told))
        return [inside.fill(item) for inside in made]

    def _texts(self, words: frozenset[str]) -> Sequence[str]:
        for known, told in (
            (KEYWORDS, self.material.keywords),
            (NAMES, self.material.names),
            (FACTS | TEXTS, self.material.facts),
        ):
            if not words.isdisjoint(known):
                return told
        return ()

    def _string(self, schema: Schema, name: str) -> str:
        words, material = words_of(name), self.material
        told: Sequence[tuple[frozenset[str], Callable[[], str]]] = (
            (NUMBERED, lambda: str(self.number)),
            (DATES, lambda: material.said_at or ""),
            (WHO, self._role),
            (TEXTS | FACTS, lambda: self.fact or self._summed()),
            (NAMES, lambda: self.fact or next(iter(material.names), "")),
            (KEYWORDS, lambda: ", ".join(material.keywords)),
            (ACTIONS, lambda: ADDING[0]),
        )
        for known, say in told:
            if not words.isdisjoint(known):
                return say()
        return self._summed() if int(schema.get("minLength") or 0) > 0 else ""

    def _number(self, schema: Schema, name: str) -> int | float:
        if not words_of(name).isdisjoint(NUMBERED):
            return self.number
        least = schema.get("minimum", schema.get("exclusiveMinimum", 0))
        return int(least) if kind_of(schema) == "integer" else float(least)

    def _role(self) -> str:
        roles = [message.role for message in self.material.messages]
        return "assistant" if roles and all(role == "assistant" for role in roles) else "user"

    def _summed(self) -> str:
        """All facts in one text where they are few, else their beginning; what was said where there is none."""
        return " ".join(self.material.facts or self.material.text.split())[:_CUT].strip()


def _is_free(schema: Schema) -> bool:
    """Whether any text will do."""
    return kind_of(schema) == "string" and not {"enum", "const", "format", "pattern"} & set(schema)


def kind_of(schema: Schema) -> str:
    """The type that a schema wants; where it names several, the first that is not null."""
    said = schema.get("type")
    if isinstance(said, list):
        said = next((one for one in said if one != "null"), "null")
    if said is None:
        said = "object" if "properties" in schema else "array" if "items" in schema else "string"
    return str(said)


_ASKED = re.compile(r"\bjson\b", re.IGNORECASE)
_KEY = re.compile(r'^\s*"(?P<key>[\w ]+)"\s*:\s*(?P<value>\[\s*\[|\[\s*\{|\[|\{|True|False|true|false|-?\d|"|)', re.M)
_OPENING = re.compile(r"[{\[]")
_KINDS: Mapping[str, Schema] = {
    "[[": {"type": "array", "items": {"type": "array", "items": {"type": "string"}}},
    "[{": {"type": "array", "items": {"type": "object", "properties": {}}},
    "[": {"type": "array", "items": {"type": "string"}},
    "{": {"type": "object", "properties": {}},
}


def asks_for_json(text: str) -> bool:
    """Whether a prompt says the word."""
    return bool(_ASKED.search(text))


def schema_in(text: str) -> Schema | None:
    """A JSON Schema of the object that *text* shows as an example; of those that it shows, the kind shown most.

    Where none can be parsed, for its author put dots or comments into it, the keys at the beginning of its lines are
    taken.
    """
    found = [value for value in _objects(text) if value]
    if not found:
        return _sketched(text)
    kinds = Counter(tuple(value) for value in found)
    common, _ = max(kinds.items(), key=lambda pair: (pair[1], len(pair[0])))
    return _schema([value for value in found if tuple(value) == common])


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """Every JSON object in *text* that is no part of another value, nor an item of a list."""
    decoder, at = json.JSONDecoder(), 0
    while (opening := _OPENING.search(text, at)) is not None:
        try:
            value, at = decoder.raw_decode(text, opening.start())
        except (ValueError, RecursionError):
            at = opening.end()
            continue
        if isinstance(value, dict):
            yield value


def _schema(values: Sequence[Any]) -> Schema:
    """One schema for all *values*; what all objects have is required."""
    objects = [value for value in values if isinstance(value, dict)]
    if objects:
        names = dict.fromkeys(name for value in objects for name in value)
        made = {name: _schema([value[name] for value in objects if name in value]) for name in names}
        required = [name for name in names if all(name in value for value in objects)]
        return {"type": "object", "properties": made, "required": required}
    lists = [value for value in values if isinstance(value, list)]
    if lists:
        items = [item for value in lists for item in value]
        return {"type": "array", "items": _schema(items) if items else {"type": "string"}}
    return {"type": _name(values[0])} if values else {"type": "string"}


def _name(value: Any) -> str:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    return "null" if value is None else "string"


def _sketched(text: str) -> Schema | None:
    """A schema of the keys that begin lines inside the first braces."""
    start = text.find("{")
    found = {match["key"]: _kind(match["value"]) for match in _KEY.finditer(text, max(start, 0))}
    return {"type": "object", "properties": found, "required": list(found)} if found and start >= 0 else None


def _kind(opening: str) -> Schema:
    packed = "".join(opening.split())
    if packed in _KINDS:
        return _KINDS[packed]
    if packed.lower() in {"true", "false"}:
        return {"type": "boolean"}
    return {"type": "number"} if packed[-1:].isdigit() else {"type": "string"}
