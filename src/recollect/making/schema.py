"""The shape of a reply: a small part of JSON Schema, of which every word is checked here.

Any other word of JSON Schema is refused when a step is defined. Providers that follow schemas get the same one without
its bounds, which some of them refuse.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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
    """The words of *schema* that are not checked here."""
    yield from (f"`{path}.{word}` is not checked" for word in schema if word not in _WORDS)
    if schema.get("type") not in _TYPES:
        yield f"`{path}.type` is {schema.get('type')!r}, not one of {', '.join(_TYPES)}"
    for name, inner in schema.get("properties", {}).items():
        yield from unknown_words(inner, f"{path}.{name}")
    if "items" in schema:
        yield from unknown_words(schema["items"], f"{path}[]")


def unbounded(schema: Schema) -> Schema:
    """*schema* as providers take it: names and types."""
    bare = {word: value for word, value in schema.items() if word not in _BOUND_WORDS}
    if "properties" in bare:
        bare["properties"] = {name: unbounded(inner) for name, inner in bare["properties"].items()}
    return {**bare, "items": unbounded(bare["items"])} if "items" in bare else bare


def misfits(schema: Schema, value: Any, path: str = "") -> Iterator[str]:
    """Every difference between *value* and *schema*, with its path."""
    where = f"`{path}`" if path else "the reply"
    kind = schema["type"]
    is_kind = isinstance(value, _TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool))
    if not is_kind:
        yield f"{where} is no {kind}: {_shown(value)}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{where} is {_shown(value)}, not one of {', '.join(map(str, schema['enum']))}"
    if kind == "object":
        yield from _object(schema, value, path, where)
    elif kind == "array":
        yield from _between(len(value), schema, "Items", f"{where} has {len(value)} items")
        for number, item in enumerate(value):
            yield from misfits(schema["items"], item, f"{path}[{number}]")
    elif kind == "string":
        length = len(value.strip())
        yield from _between(length, schema, "Length", f"{where} has {length} characters")
    elif kind != "boolean":
        yield from _between(value, schema, "imum", f"{where} is {value}")


def _object(schema: Schema, value: Mapping[str, Any], path: str, where: str) -> Iterator[str]:
    known = schema.get("properties", {})
    yield from (f"{where} lacks `{name}`" for name in schema.get("required", ()) if name not in value)
    if schema.get("additionalProperties") is False:
        yield from (f"{where} has `{name}`, which nobody asked for" for name in value if name not in known)
    for name in known:
        if name in value:
            yield from misfits(known[name], value[name], f"{path}.{name}" if path else name)


def _between(size: float, schema: Schema, word: str, what: str) -> Iterator[str]:
    least, most = schema.get(f"min{word}"), schema.get(f"max{word}")
    if least is not None and size < least:
        yield f"{what}, at least {least} are asked for" if word != "imum" else f"{what}, the least is {least}"
    if most is not None and size > most:
        yield f"{what}, at most {most} are asked for" if word != "imum" else f"{what}, the most is {most}"


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
