"""The JSON that a prompt asks for, by schema or example, filled by the type of each field and the words of its name."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from recollect.offline.completions import lexicon
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
            options = schema["enum"]
            if not lexicon.words_of(name).isdisjoint(lexicon.WHO):
                return self._role() if self._role() in options else options[0]
            return next((option for option in options if str(option).upper() in lexicon.ADDING), options[0])
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
                target: Any = self.root
                for part in str(schema["$ref"]).removeprefix("#").strip("/").split("/"):
                    target = target.get(part, {}) if isinstance(target, Mapping) else {}
                schema = target if isinstance(target, Mapping) else {}
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

    def _is_told(self, schema: Schema, name: str) -> bool:
        """A field that the material fills, whatever its default is."""
        words = lexicon.words_of(name)
        told = lexicon.FACTS | lexicon.KEYWORDS | lexicon.NAMES | lexicon.TEXTS
        return (
            not words.isdisjoint(told) and words.isdisjoint(lexicon.LINKED) and kind_of(schema) in {"array", "string"}
        )

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
        """An item for each fact, name or keyword, as the items can take them; none of what is stored already."""
        item, words = self._plain(schema.get("items") or {}), lexicon.words_of(name)
        any_text = kind_of(item) == "string" and not {"enum", "const", "format", "pattern"} & set(item)
        made: list[Any] = []
        if not words.isdisjoint(lexicon.LINKED):
            pass
        elif kind_of(item) == "object":
            fields = {word for field in item.get("properties") or {} for word in lexicon.words_of(field)}
            texts: Sequence[str] = ()
            takes_facts = not fields.isdisjoint(lexicon.TEXTS | lexicon.FACTS)
            if takes_facts and words.isdisjoint(lexicon.NAMES | lexicon.KEYWORDS):
                texts = self.material.facts
            elif not words.isdisjoint(lexicon.NAMES) and not fields.isdisjoint(lexicon.NAMES):
                texts = self.material.names
            for number, text in enumerate(texts):
                made.append(replace(self, fact=text, number=number, depth=self.depth + 1).fill(item))
        elif any_text:
            if not words.isdisjoint(lexicon.KEYWORDS):
                made = list(self.material.keywords)
            elif not words.isdisjoint(lexicon.NAMES):
                made = list(self.material.names)
            elif not words.isdisjoint(lexicon.FACTS | lexicon.TEXTS):
                made = list(self.material.facts)
        made += [self.fill(item, name)] * (int(schema.get("minItems") or 0) - len(made))
        return made[: schema.get("maxItems")]

    def _string(self, schema: Schema, name: str) -> str:
        words, material = lexicon.words_of(name), self.material
        # all facts in one text where they are few, else their beginning; what was said where there is none
        whole = " ".join(material.facts or material.text.split())[:_CUT].strip()
        texts: Sequence[tuple[frozenset[str], Callable[[], str]]] = (
            (lexicon.NUMBERED, lambda: str(self.number)),
            (lexicon.DATES, lambda: material.said_at or ""),
            (lexicon.WHO, self._role),
            (lexicon.TEXTS | lexicon.FACTS, lambda: self.fact or whole),
            (lexicon.NAMES, lambda: self.fact or next(iter(material.names), "")),
            (lexicon.KEYWORDS, lambda: ", ".join(material.keywords)),
            (lexicon.ACTIONS, lambda: lexicon.ADDING[0]),
        )
        empty = whole if int(schema.get("minLength") or 0) > 0 else ""
        return next((text() for known, text in texts if not words.isdisjoint(known)), empty)

    def _number(self, schema: Schema, name: str) -> int | float:
        if not lexicon.words_of(name).isdisjoint(lexicon.NUMBERED):
            return self.number
        least = schema.get("minimum", schema.get("exclusiveMinimum", 0))
        return int(least) if kind_of(schema) == "integer" else float(least)

    def _role(self) -> str:
        roles = [message.role for message in self.material.messages]
        return "assistant" if roles and all(role == "assistant" for role in roles) else "user"


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
    found: list[dict[str, Any]] = []
    decoder, at = json.JSONDecoder(), 0
    while (opening := _OPENING.search(text, at)) is not None:
        try:
            value, at = decoder.raw_decode(text, opening.start())
        except (ValueError, RecursionError):
            at = opening.end()
            continue
        if isinstance(value, dict) and value:
            found.append(value)
    if found:
        kinds = Counter(tuple(value) for value in found)
        common, _ = max(kinds.items(), key=lambda pair: (pair[1], len(pair[0])))
        return _schema([value for value in found if tuple(value) == common])
    start = text.find("{")
    keys = {match["key"]: _kind(match["value"]) for match in _KEY.finditer(text, max(start, 0))}
    return {"type": "object", "properties": keys, "required": list(keys)} if keys and start >= 0 else None


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


def _kind(opening: str) -> Schema:
    packed = "".join(opening.split())
    if packed in _KINDS:
        return _KINDS[packed]
    if packed.lower() in {"true", "false"}:
        return {"type": "boolean"}
    return {"type": "number"} if packed[-1:].isdigit() else {"type": "string"}
