"""Seconds that SubtleMemory takes in its parts.

    python benchmarks/bench_subtlememory.py [--part load] [--persons 10] [--sessions 236] [--messages 12] [--trials 3]

Without `--part` all three, one after the other.

`load`: as many persons as the published data have, of the same size (about 2.1 million tokens), made of invented words
and written in the published form; then read, checked and made into histories, each trial in a process of its own.
Of the trials the fastest and the median are printed, of the fastest also what reading alone takes. The bound is 2 s.

`generate`: ten persons of the size `base`, from the files of the catalogue to questions, in memory. The bound is 20 s.

`statistics`: 24 rows, as in the paper's table 1 (two answer models, each with 11 systems and the oracle), answer 1,522
questions of 10 persons, with the judge's verdicts drawn at random. Then all answers are scored, and all of the paper's
statistics made of them: means with both intervals for the whole and every relation and sub-type, strata, headlines,
and the oracle against the best system, corrected with Holm. The bound is 3 s. With `--readback` each system is
asked in that arm too, and waterfalls by relation are made.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

TOKENS = 76
"""Of a message: 10 x 236 sessions x 12 messages make 2.1 million, as published."""
PROFILE = 7500
"""Characters of a profile, which every instance repeats."""
CASES = 109
"""Of a person."""


def lay_out(folder: Path, persons: int, sessions: int, messages: int) -> None:
    """Write persons of invented words in the published form."""
    draw = Random("subtlememory:load")
    words = ["".join(draw.choices("abcdefghiklmnoprstuvw", k=draw.randint(2, 9))) for _ in range(5000)]
    for rank in range(persons):
        rows = [_session(draw, words, rank, number, messages) for number in range(sessions)]
        asked = [_instance(draw, words, rank, number) for number in range(CASES)]
        place = folder / f"persona_{rank}"
        place.mkdir()
        for name, data in (("history_sessions.json", rows), ("bench_instances.json", asked)):
            text = json.dumps(data, indent=2, sort_keys=True, ensure_ascii=False)
            (place / name).write_text(f"{text}\n", encoding="utf-8")


def _session(draw: Random, words: list[str], rank: int, number: int, messages: int) -> dict[str, Any]:
    history = [
        {"role": ("user", "assistant")[place % 2], "content": f"{' '.join(draw.choices(words, k=TOKENS - 1))}."}
        for place in range(messages)
    ]
    return {
        "order": number,
        "persona_id": str(rank),
        "session_id": f"persona-{rank}-s{number}",
        "timestamp": f"2025-{4 + number // 56:02}-{1 + number % 56 // 2:02}T{8 + number % 2 * 6:02}:30:07+08:00",
        "source": "user-related",
        "case_id": f"case-{rank}-{number % CASES}",
        "conversation_type": "troubleshooting",
        "conversation_flow": "ask_then_refine",
        "persona_signal_level": "low",
        "history": history,
    }


def _instance(draw: Random, words: list[str], rank: int, number: int) -> dict[str, Any]:
    def said(count: int) -> str:
        return f"{' '.join(draw.choices(words, k=count))}."

    qa = {"query": said(60), "correct_answers": [said(20)] * 3, "incorrect_answers": [said(20)] * 3}
    return {
        "instance_id": f"instance-{rank}-{number}",
        "persona_id": str(rank),
        "persona_str": json.dumps({"name": f"Ann {rank}", "about": ("abc " * PROFILE)[:PROFILE]}),
        "source": "user-related",
        "case_id": f"case-{rank}-{number}",
        "topic": "Music",
        "relation_type": "nuanced",
        "relation_subtype": "Context",
        "case": said(15),
        "facts": [said(12), said(12)],
        "qas": [qa] * (1 + number % 5 // 3),
        "session_ids": [f"persona-{rank}-s{number}", f"persona-{rank}-s{number + CASES}"],
    }


def load_once(folder: Path) -> dict[str, float]:
    """Seconds of one reading, and of one loading, in this process."""
    from recollect.benchmarks.subtlememory.load import bundles_of, load

    return {"reading": _seconds(lambda: bundles_of(folder)), "load": _seconds(lambda: load(folder))}


def _seconds(job: Callable[[], object]) -> float:
    began = time.perf_counter()
    job()
    return time.perf_counter() - began


def part_load(said: argparse.Namespace) -> None:
    """Measure loading, each trial in a process of its own."""
    with TemporaryDirectory() as folder:
        lay_out(Path(folder), said.persons, said.sessions, said.messages)
        size = sum(file.stat().st_size for file in Path(folder).rglob("*.json"))
        line = [sys.executable, __file__, "--part", "load-once", "--folder", folder]
        tries = [json.loads(subprocess.check_output(line)) for _ in range(said.trials)]
    best = min(tries, key=lambda one: one["load"])
    middle = median(one["load"] for one in tries)
    what = f"{said.persons} persons, {said.persons * said.sessions * said.messages:,} messages, {size / 1e6:.1f} MB"
    print(f"load {what}: {best['load']:.2f} s (median {middle:.2f} s), reading alone {best['reading']:.2f} s")


def part_generate(said: argparse.Namespace) -> None:
    """Measure generating, each trial in a process of its own."""
    line = [sys.executable, __file__, "--part", "generate-once"]
    tries = [json.loads(subprocess.check_output(line)) for _ in range(said.trials)]
    seconds = sorted(one["seconds"] for one in tries)
    what = f"{tries[0]['persons']} persons, {tries[0]['messages']:,} messages, {tries[0]['tokens']:,} tokens"
    print(f"generate {what}: {seconds[0]:.2f} s (median {median(seconds):.2f} s)")


def generate_once() -> dict[str, float]:
    """Seconds from an empty catalogue to histories and questions, and how much it is."""
    from recollect.benchmarks.subtlememory.generate import bundles
    from recollect.benchmarks.subtlememory.generate.settings import SIZES
    from recollect.benchmarks.subtlememory.histories import dataset_of
    from recollect.benchmarks.subtlememory.statistics import tokens_of

    made: list[Any] = []
    seconds = _seconds(lambda: made.extend(bundles(SIZES.settings("base"), 0)))
    seconds += _seconds(lambda: dataset_of(made, "generated"))
    said = [turn.content for one in made for talk in one.talks for turn in talk.history]
    return {"seconds": seconds, "persons": len(made), "messages": len(said), "tokens": sum(map(tokens_of, said))}


def part_statistics(said: argparse.Namespace) -> None:
    """Measure scoring and statistics, each trial in a process of its own."""
    line = [sys.executable, __file__, "--part", "statistics-once", *(["--readback"] if said.readback else [])]
    tries = [json.loads(subprocess.check_output(line)) for _ in range(said.trials)]
    best = min(tries, key=lambda one: one["all"])
    middle = median(one["all"] for one in tries)
    told = ", ".join(f"{name} {seconds:.2f} s" for name, seconds in best.items() if name != "all")
    print(f"statistics of 24 rows x 1,522 questions: {best['all']:.2f} s (median {middle:.2f} s): {told}")


def statistics_once(said: argparse.Namespace) -> dict[str, float]:
    """Seconds of scoring, and of each of the tables."""
    from subtlememory_rows import answered, score_all, tables

    from recollect.diagnose.records.join import without_garbage_collection

    rows = answered(readback=said.readback)
    grids: list[Any] = []
    with without_garbage_collection():  # as every report of a run is made
        spent = {"scoring": _seconds(lambda: grids.extend(score_all(rows)))}
        for name, job in tables(grids):
            spent[name] = _seconds(job)
    return {"all": sum(spent.values()), **spent}


def main() -> None:
    """Measure part after part."""
    parts: Mapping[str, Callable[[argparse.Namespace], None]] = {
        "load": part_load,
        "generate": part_generate,
        "generate-once": lambda said: print(json.dumps(generate_once())),
        "load-once": lambda said: print(json.dumps(load_once(said.folder))),
        "statistics": part_statistics,
        "statistics-once": lambda said: print(json.dumps(statistics_once(said))),
    }
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--part", choices=sorted(parts))
    arguments.add_argument("--readback", action="store_true", help="The arm readback, and waterfalls, too.")
    arguments.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    for name, default in (("persons", 10), ("sessions", 236), ("messages", 12), ("trials", 3)):
        arguments.add_argument(f"--{name}", type=int, default=default)
    said = arguments.parse_args()
    for part in [said.part] if said.part else ["load", "generate", "statistics"]:
        parts[part](said)


if __name__ == "__main__":
    main()
