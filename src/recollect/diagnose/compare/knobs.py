"""Every knob in which two runs differ, by name: why two numbers need not be the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from recollect.records.digests import canonical
from recollect.records.provenance import PROVENANCE, RAN, decode_provenance

ABSENT = "(absent)"
SAID = {
    "data_digest": "what is asked, and of which histories",
    "data_origin": "where the data are from",
    "benchmark_version": "how answers are scored; results of two versions never share a table",
    "reader_fingerprint": "who answers",
    "judge_fingerprint": "who weighs the answers",
    "reader": "who answers, and how it is asked",
    "judge": "who weighs the answers, and how it is asked",
    "memory_model": "the model that systems call themselves",
    "embedder": "what dense searches go by",
    "fresh": "whether replies that others paid for were taken; no other number",
    "budget_tokens": "how much context a memory may hand over",
    "search_limit": "how many items are asked of a search",
    "chunk_tokens": "how large the pieces are that a memory is given",
    "context_tokens": "how much of the end of what there is to remember was shown",
    "steps": "what happens in an episode beside what the preset says",
    "talk_digest": "whose dialogues are replayed",
    "user": "who plays the simulated user",
    "user_fingerprint": "who plays the simulated user",
    "benchmark": "everything",
    "preset": "prompts, chunks and budgets",
    "references": "which rows stand beside",
    "track": "whose reader, prompt and budget hold",
    "prompts": "the words of the reader's prompt",
    "seed": "everything that is drawn",
    "limit": "which questions are asked",
    "tasks": "which questions are asked",
    "repeats": "how often things are done again",
    "arms": "where contexts come from",
    "rows": "which systems, under which settings",
    "judge_check": "what is known of the judge; no number",
    "made_by": "the version of Recollect",
    "left_out": "rows that are another row's system",
    "ran": "which rows show a score",
}
"""Knob -> what it changes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Knob:
    """One setting that two runs do not share."""

    name: str
    """Its path in the resolved config."""
    first: str
    second: str
    changes: str = ""


def knobs(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[Knob]:
    """The knobs in which two runs differ, from their `run.json`; none means the same conditions."""
    return list(_differ(_settings_of(first), _settings_of(second), ""))


def _settings_of(run: Mapping[str, Any]) -> Mapping[str, Any]:
    """The resolved config; rows by their label, so that a changed setting of one row is not a change of all."""
    config = dict(run.get("config", {}))
    config["rows"] = {str(row.get("label")): row for row in config.get("rows", ())}
    for name in ("memories", "agents"):  # the request; the rows are what it resolved to
        config.pop(name, None)
    ran = decode_provenance(run.get(PROVENANCE))
    return {
        **config,
        "judge_check": run.get("judge_check"),
        "made_by": run.get("made_by"),
        "left_out": run.get("left_out", {}),
        PROVENANCE: {row: one.word for row, one in ran.items() if one.word != RAN},
    }


def _differ(first: Any, second: Any, path: str) -> Iterator[Knob]:
    if isinstance(first, Mapping) and isinstance(second, Mapping):
        for key in sorted({*first, *second}):
            yield from _differ(first.get(key, _NONE), second.get(key, _NONE), f"{path}.{key}" if path else str(key))
    elif first != second or type(first) is not type(second):
        yield Knob(name=path, first=_shown(first), second=_shown(second), changes=SAID.get(path.partition(".")[0], ""))


def _shown(value: Any) -> str:
    if value is _NONE:
        return ABSENT
    if isinstance(value, Mapping) and set(value) >= {"label", "system"}:
        return f"row `{value['label']}`"
    return canonical(value)


_NONE = object()
"""Stands for a knob that only the other run has."""
