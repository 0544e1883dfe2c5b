"""The shape that a step asks of a reply: a small part of JSON Schema, of which every word is checked here.

A word of JSON Schema that is not known here is refused when a step is defined: a schema never promises what nobody
looks at. Providers that follow schemas are sent the same one without its bounds, which some of them refuse.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

Schema = Mapping[str, Any]

_TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
}
_BOUND_WORDS = frozenset({"minItems", "maxItems", "minLength", "maxLength", "minimum", "maximum"})
_WORDS = _BOUND_WORDS | {"type", "enum", "properties", "required", "additionalProperties", "items"}
_SHOWN = 60


def record(**fields: Schema) -> Schema:
    """An object that has just these fields."""
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def array(items: Schema, least: int = 0, most: int | None = None) -> Schema:
    """A list of *least* to *most* items."""
    return {"type": "array", "items": items, "minItems": least, **({} if most is None else {"maxItems": most})}


def text(least: int = 1, most: int | None = None) -> Schema:
    """A string of *least* to *most* characters."""
    return {"type": "string", "minLength": least, **({} if most is None else {"maxLength": most})}


def whole_number(least: int, most: int) -> Schema:
    """An integer from *least* to *most*."""
    return {"type": "integer", "minimum": least, "maximum": most}


def flag() -> Schema:
    """True or false."""
    return {"type": "boolean"}


def one_of(words: Sequence[str]) -> Schema:
    """One of *words*."""
    return {"type": "string", "enum": list(words)}


def unknown_words(schema: Schema, path: str = "schema") -> Iterator[str]:
    """What of *schema* is not checked here."""
    yield from (f"`{path}.{word}` is not checked" for word in schema if word not in _WORDS)
    if schema.get("type") not in _TYPES:
        yield f"`{path}.type` is {schema.get('type')!r}, not one of {', '.join(_TYPES)}"
    for name, inner in schema.get("properties", {}).items():
        yield from unknown_words(inner, f"{path}.{name}")
    if "items" in schema:
        yield from unknown_words(schema["items"], f"{path}[]")


def unbounded(schema: Schema) -> Schema:
    """*schema* as providers take it: names and types."""
    said = {word: value for word, value in schema.items() if word not in _BOUND_WORDS}
    if "properties" in said:
        said["properties"] = {name: unbounded(inner) for name, inner in said["properties"].items()}
    return {**said, "items": unbounded(said["items"])} if "items" in said else said


def misfits(schema: Schema, value: Any, path: str = "") -> Iterator[str]:
    """Everything in which *value* is not what *schema* says, each with its path."""
    place = f"`{path}`" if path else "the reply"
    kind = schema["type"]
    if not isinstance(value, _TYPES[kind]) or (kind != "boolean" and isinstance(value, bool)):
        yield f"{place} is no {kind}: {_shown(value)}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{place} is {_shown(value)}, not one of {', '.join(map(str, schema['enum']))}"
    yield from _BOUNDS[kind](schema, value, path, place)


def _object(schema: Schema, value: Mapping[str, Any], path: str, place: str) -> Iterator[str]:
    known = schema.get("properties", {})
    yield from (f"{place} lacks `{name}`" for name in schema.get("required", ()) if name not in value)
    if schema.get("additionalProperties") is False:
        yield from (f"{place} has `{name}`, which nobody asked for" for name in value if name not in known)
    for name in known:
        if name in value:
            yield from misfits(known[name], value[name], f"{path}.{name}" if path else name)


def _array(schema: Schema, value: Sequence[Any], path: str, place: str) -> Iterator[str]:
    yield from _between(len(value), schema, "Items", f"{place} has {len(value)} items")
    for number, item in enumerate(value):
        yield from misfits(schema["items"], item, f"{path}[{number}]")


def _string(schema: Schema, value: str, _path: str, place: str) -> Iterator[str]:
    yield from _between(len(value.strip()), schema, "Length", f"{place} has {len(value.strip())} characters")


def _number(schema: Schema, value: float, _path: str, place: str) -> Iterator[str]:
    yield from _between(value, schema, "imum", f"{place} is {value}")


def _nothing(_schema: Schema, _value: Any, _path: str, _place: str) -> Iterator[str]:
    return iter(())


def _between(size: float, schema: Schema, word: str, said: str) -> Iterator[str]:
    least, most = schema.get(f"min{word}"), schema.get(f"max{word}")
    if least is not None and size < least:
        yield f"{said}, at least {least} are asked for" if word != "imum" else f"{said}, the least is {least}"
    if most is not None and size > most:
        yield f"{said}, at most {most} are asked for" if word != "imum" else f"{said}, the most is {most}"


def _shown(value: Any) -> str:
    said = repr(value)
    return said if len(said) <= _SHOWN else f"{said[:_SHOWN]}…"


_BOUNDS: Mapping[str, Callable[[Schema, Any, str, str], Iterator[str]]] = {
    "object": _object,
    "array": _array,
    "string": _string,
    "integer": _number,
    "number": _number,
    "boolean": _nothing,
}
