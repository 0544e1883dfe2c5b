"""Values <-> JSON. All problems of an input at once, each with its path; unknown fields are problems too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from recollect.domain.errors import DataError

if TYPE_CHECKING:
    from pydantic import TypeAdapter, ValidationError

T = TypeVar("T")


_ADAPTERS: dict[Any, TypeAdapter[Any]] = {}


def _adapter(kind: Any) -> TypeAdapter[Any]:
    made = _ADAPTERS.get(kind)
    if made is None:
        from pydantic import TypeAdapter

        made = _ADAPTERS[kind] = TypeAdapter(kind)
    return made


def encode(value: Any, kind: Any = None) -> Any:
    """*value* as plain JSON data; fields at their default are left out, so that a new one changes no digest."""
    return _adapter(kind if kind is not None else type(value)).dump_python(value, mode="json", exclude_defaults=True)


def encode_json(value: Any) -> bytes:
    """`encode`, as compact JSON, in one go."""
    return _adapter(type(value)).dump_json(value, exclude_defaults=True)


def decode(kind: type[T], data: Any, *, where: str, line: int | None = None) -> T:
    """The value that *data* says.

    Raises:
        DataError: With every problem and its path.
    """
    value, problems = read(kind, data)
    if problems:
        raise DataError("; ".join(problems), where, line=line, fix="Mend the file, or make it again.")
    return value


def read(kind: type[T], data: Any) -> tuple[T, tuple[str, ...]]:
    """The value that *data* says, and all problems with it; with problems the value must not be used."""
    from pydantic import ValidationError

    adapter = _adapter(kind)
    try:
        value = adapter.validate_python(data)
    except ValidationError as error:
        return data, tuple(dict.fromkeys([*_problems(error), *_strangers(kind, data)]))
    unknown = tuple(_unknown(data, adapter.dump_python(value, mode="json"), ""))
    return value, unknown


def read_note(kind: type[T], data: Any) -> T | None:
    """The value that a note says, fields of a newer version passed over; `None` where it says none."""
    from pydantic import ValidationError

    try:
        value: T = _adapter(kind).validate_python(data)
    except ValidationError:
        return None
    return value


def json_schema(kind: Any) -> dict[str, Any]:
    """The JSON Schema of *kind*."""
    return _adapter(kind).json_schema()


def _problems(error: ValidationError) -> Iterator[str]:
    for item in error.errors(include_url=False, include_context=False):
        path = ".".join(str(part) for part in item["loc"])
        shown = repr(item["input"])
        said = item["msg"].removeprefix("Value error, ")
        if item["type"] == "value_error":  # our own words, which name the value
            yield said
            continue
        path = path or "value"
        yield f"`{path}`: {said}, got {shown if len(shown) <= 80 else shown[:77] + '...'}"


def _strangers(kind: Any, data: Any) -> Iterator[str]:
    """Keys of *data* that *kind* does not know, where another problem kept it from being made."""
    if is_dataclass(kind) and isinstance(data, Mapping):
        known = {field.name: None for field in fields(kind) if field.init}
        yield from (f"unknown key `{key}`{_nearest(str(key), known)}" for key in data if key not in known)


def _unknown(given: Any, known: Any, path: str) -> Iterator[str]:
    """Keys that were given and did not arrive; the nearest known one is offered."""
    if isinstance(given, Mapping) and isinstance(known, Mapping):
        for key, value in given.items():
            if key in known:
                yield from _unknown(value, known[key], f"{path}{key}.")
            else:
                yield f"unknown key `{path}{key}`{_nearest(str(key), known)}"
    elif _is_list(given) and _is_list(known):
        for index, (one, other) in enumerate(zip(given, known, strict=False)):
            yield from _unknown(one, other, f"{path}{index}.")


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def _nearest(key: str, known: Mapping[str, Any]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(key, [str(k) for k in known], n=1)
    return f" (did you mean `{near[0]}`?)" if near else ""
