"""Puts clock and guard of the doctor into a Python worker; it is loaded there by its path.

Like the two modules that it loads it may import the standard library only, and must run in Python 3.9: a worker's
environment has no Recollect.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from pathlib import Path
from typing import Any

VARIABLE = "RECOLLECT_DOCTOR"
"""Holds what `watch` takes, as JSON, and `file`: the path of this module."""


def watch(said: dict[str, Any]) -> None:
    """From now on this process is watched; what is heard stands in a file below `reports`, a JSON list a line."""
    here = Path(__file__).parent
    if said["ahead_s"]:
        _loaded(here / "clock.py").put_ahead(said["ahead_s"])
    guard = _loaded(here / "guard.py")
    report = os.open(Path(said["reports"]) / f"{os.getpid()}.jsonl", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def tell(what: str, name: str) -> None:
        os.write(report, json.dumps([what, name]).encode() + b"\n")

    tell("watched", str(os.getpid()))
    guard.Guard(own=Path(said["own"]), home_servers=frozenset(said["home_servers"]), tell=tell).begin()


def _loaded(file: Path) -> Any:
    name = f"recollect_doctor_{file.stem}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise ImportError(f"{file} cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
