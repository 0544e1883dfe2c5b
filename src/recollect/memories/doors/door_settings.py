"""The YAML of a door as data, its settings as a config class, and the digest of all files that make it what it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import field, make_dataclass
from functools import partial
from keyword import iskeyword
from pathlib import Path
from typing import Any

from recollect.domain.errors import ConfigError, UsageError
from recollect.records.digests import digest

_PLAIN = (bool, int, float, str)


def data_of(path: Path) -> dict[str, Any]:
    """The fields of the file.

    Raises:
        UsageError: There is no such file.
        ConfigError: It is no YAML with fields by name.
    """
    import yaml

    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UsageError(f"{path}: there is no such file. `--memory` takes a name, or a file of yours.") from None
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        raise ConfigError(str(path), [f"cannot be read as YAML ({error})"]) from None
    if not isinstance(data, dict):
        raise ConfigError(str(path), [f"holds {type(data).__name__}, not fields by name"])
    return {str(name): value for name, value in data.items()}


def settings_class(settings: Mapping[str, Any], path: Path) -> type[Any]:
    """A config class whose fields are *settings*, each of the type of its default."""
    odd = [name for name in settings if not str(name).isidentifier() or iskeyword(str(name))]
    if odd:
        raise ConfigError(str(path), [f"`settings.{name}` is no name of a setting" for name in odd])
    fields = [(name, _type(value), field(default_factory=partial(deepcopy, value))) for name, value in settings.items()]
    return make_dataclass("Settings", fields, frozen=True, kw_only=True)


def _type(value: Any) -> Any:
    return type(value) if type(value) in _PLAIN else Any


def source_of(path: Path, named: Sequence[str]) -> str:
    """The digest of the file and of those files beside it that are *named*."""
    files = [path, *(path.parent / name for name in sorted(set(named)))]
    return digest([[file.name, digest(file.read_bytes().hex())] for file in files if file.is_file()])
