"""Loads adapters as a worker's process does, without leaving a trace in this one."""

from __future__ import annotations

import os
import sys
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import metadata
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest import mock

import recollect.memories.vendors.kinds as kinds_module

VENDORS = Path(kinds_module.__file__).parent
ACCESS = {"base_url": "http://127.0.0.1:1/v1", "token": "t"}


@contextmanager
def loaded(
    name: str, modules: Mapping[str, ModuleType], versions: Mapping[str, str], dimensions: int = 4
) -> Iterator[Any]:
    """The module of the adapter in folder *name*, with *modules* and installed *versions* in place of real ones."""

    def version(package: str) -> str:
        if package not in versions:
            raise metadata.PackageNotFoundError(package)
        return versions[package]

    spec = spec_from_file_location(f"adapter_of_{name}", VENDORS / name / "adapter.py")
    assert spec is not None
    assert spec.loader is not None
    made = module_from_spec(spec)
    with (
        mock.patch.dict(sys.modules, dict(modules)),
        mock.patch.dict(os.environ),
        mock.patch.object(sys, "path", list(sys.path)),
        mock.patch.object(uuid, "uuid4", uuid.uuid4),
        mock.patch.object(metadata, "version", version),
    ):
        sys.modules.pop("adapter_support", None)
        spec.loader.exec_module(made)
        adapter_support = sys.modules["adapter_support"]
        with mock.patch.object(adapter_support.Endpoint, "dimensions", dimensions):
            yield made
    sys.modules.pop("adapter_support", None)


def room(folder: Path, *, seed: int = 7, namespace: str = "ns", access: Mapping[str, str] | None = ACCESS) -> Any:
    """What `open` hands to an adapter; *folder* is made."""
    folder.mkdir(parents=True, exist_ok=True)
    return {"folder": str(folder), "namespace": namespace, "seed": seed, "access": access}


def message(name: str, text: str, *, said_at: str | None = "2024-03-01T09:30", role: str = "user") -> dict[str, Any]:
    """A message as it travels."""
    return {
        "message_id": name,
        "session_id": "s1",
        "text": text,
        "speaker": "",
        "role": role,
        "said_at": said_at,
        "channel": "",
    }


def batch(*messages: Mapping[str, Any]) -> dict[str, Any]:
    """A batch as it travels."""
    return {"messages": list(messages), "text": "\n".join(message["text"] for message in messages)}


def cue(text: str, limit: int = 3) -> dict[str, Any]:
    """A cue as it travels."""
    return {"text": text, "limit": limit, "asked_at": None}
