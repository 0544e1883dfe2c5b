"""Values <-> JSON. All problems of an input at once, each with its path; unknown fields are problems too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from recollect.domain.errors import DataError

if TYPE_CHECKING:
    from pydantic import TypeAdapter

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
    """`encode` as compact JSON."""
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
        problems = []
        for item in error.errors(include_url=False, include_context=False):
            message = item["msg"].removeprefix("Value error, ")
            if item["type"] != "value_error":  # our own messages already name the value
                path, shown = ".".join(map(str, item["loc"])) or "value", repr(item["input"])
                message = f"`{path}`: {message}, got {shown if len(shown) <= 80 else shown[:77] + '...'}"
            problems.append(message)
        if is_dataclass(kind) and isinstance(data, Mapping):
            known = {field.name: None for field in fields(kind) if field.init}
            problems += [f"unknown key `{key}`{_nearest(str(key), known)}" for key in data if key not in known]
        return data, tuple(dict.fromkeys(problems))
    return value, tuple(_unknown(data, adapter.dump_python(value, mode="json"), ""))


def read_note(kind: type[T], data: Any) -> T | None:
    """The value of a note, ignoring fields of newer versions; `None` where it is not valid."""
    from pydantic import ValidationError

    try:
        value: T = _adapter(kind).validate_python(data)
    except ValidationError:
        return None
    return value


def json_schema(kind: Any) -> dict[str, Any]:
    """The JSON Schema of *kind*."""
    return _adapter(kind).json_schema()


def _unknown(data: Any, known: Any, path: str) -> Iterator[str]:
    """Input keys that did not arrive, with the nearest known key."""
    if isinstance(data, Mapping) and isinstance(known, Mapping):
        for key, value in data.items():
            if key in known:
                yield from _unknown(value, known[key], f"{path}{key}.")
            else:
                yield f"unknown key `{path}{key}`{_nearest(str(key), known)}"
    elif all(isinstance(one, Sequence) and not isinstance(one, str | bytes) for one in (data, known)):
        for index, (one, other) in enumerate(zip(data, known, strict=False)):
            yield from _unknown(one, other, f"{path}{index}.")


def _nearest(key: str, known: Mapping[str, Any]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(key, [str(k) for k in known], n=1)
    return f" (did you mean `{near[0]}`?)" if near else ""
