"""Data of one user in a file, as `recollect generate` makes them, cut to a few periods and questions."""

from __future__ import annotations

import json
from pathlib import Path

from recollect import registry

NAME = "amemgym"


def write_one_user(path: Path, *, periods: int = 2, questions: int = 2) -> Path:
    """The first generated user; *path*."""
    benchmark = registry.benchmark(NAME)
    benchmark.write(benchmark.generate("small", 0), path)
    user = json.loads(path.read_text(encoding="utf-8"))[0]
    user["periods"], user["qas"] = user["periods"][:periods], user["qas"][:questions]
    path.write_text(json.dumps([user], ensure_ascii=False), encoding="utf-8")
    return path
