"""Versioned prompt files; a released one is never edited, its successor has the next number."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from recollect.making.prompts import prompt_in

FOLDER = Path(__file__).parent
prompt = partial(prompt_in, FOLDER, "amemgym")
