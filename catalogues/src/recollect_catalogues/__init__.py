"""The texts that recollect's generators make histories of; `ORIGIN.md` in each folder says where they are from."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable

__version__ = "1.0.0"
__all__ = ["__version__", "folder", "names"]


def names() -> tuple[str, ...]:
    """Names of all catalogues."""
    return tuple(sorted(one.name for one in files(__name__).iterdir() if one.joinpath("ORIGIN.md").is_file()))


def folder(name: str) -> Traversable:
    """The folder of one catalogue.

    Raises:
        LookupError: There is no catalogue of that name.
    """
    if name not in names():
        raise LookupError(f"there is no catalogue `{name}`, only {', '.join(names())}")
    return files(__name__).joinpath(name)
