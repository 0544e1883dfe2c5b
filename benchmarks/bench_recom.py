"""How long a memory takes over the longest context, Recommendation's, and how long its replies take to score.

    RECOLLECT_DATA=../shared/data python benchmarks/bench_recom.py [--memory bm25] [--tokens 1440000]

ReDial's dialogues come again, each time under new numbers, until the context is as long as the published one. Measured
one after the other: packing dialogues into chunks of 4096 tokens, what the memory does with them up to `settle`, 200
searches, both through the engine (journals, snapshots and the outcome of every question included), and 200 lists of 20
titles, misspelt so that none is looked up, against all entities. Seconds are of CPU. The bound for taking the context
in is 3 s.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import TypeVar

from recollect import registry
from recollect.benchmarks.memoryagentbench import BENCHMARK
from recollect.benchmarks.memoryagentbench.build import build
from recollect.benchmarks.memoryagentbench.families import SOURCES
from recollect.benchmarks.memoryagentbench.families.blocks import body_of, context_of, numbered
from recollect.benchmarks.memoryagentbench.families.recommendations import ENTITIES, REDIAL, WORD
from recollect.benchmarks.memoryagentbench.histories import keyed
from recollect.benchmarks.memoryagentbench.questions import Asked
from recollect.contracts.benchmark import Dataset
from recollect.contracts.memory import Memory, Room
from recollect.domain.exchange import Batch, Cue, Reply
from recollect.domain.histories import Keyed
from recollect.domain.steps import Arm, Observe, Step
from recollect.engine.execution.executor import Limits, execute
from recollect.engine.plan import episode, plan_trial
from recollect.engine.rows import Conditions, Roles, Row
from recollect.offline.reading import RuleReader
from recollect.store.run_folder import RunFolder
from recollect.text.tokens import count

Made = TypeVar("Made")


def timed(what: str, job: Callable[[], Made]) -> Made:
    """Do it, and print how long it took."""
    began, processor = perf_counter(), process_time()
    made = job()
    print(f"{what:58} {process_time() - processor:7.2f} s CPU {perf_counter() - began:7.2f} s", flush=True)
    return made


def repeated(source: Keyed, tokens: int) -> Keyed:
    """The row with its dialogues again and again, under running numbers, and its questions without evidence."""
    bodies = [body_of(message.text, WORD) for message in source.history.messages()]
    each = count(context_of(numbered(bodies, WORD)))
    texts = numbered(list(islice(cycle(bodies), len(bodies) * tokens // each)), WORD)
    keys = [(question, source.keys[question.question_id]) for question in source.history.questions]
    asked = [Asked(text=question.text, gold=key.gold, field_gold=key.field_gold) for question, key in keys]
    return keyed(SOURCES[REDIAL], 0, texts, asked)


def ingest(memory: Memory, shown: list[Observe]) -> None:
    for step in shown:
        messages = step.session.messages
        memory.write(Batch(messages=messages, text="\n".join(message.text for message in messages)))
    memory.settle()


def misspelt(names: list[str]) -> Iterator[str]:
    """Lists of 20 names, each with a letter too many."""
    for start in range(200):
        said = (names[(start * 20 + place) * 7 % len(names)] for place in range(20))
        yield "\n".join(f"{number}. {name[:2]}q{name[2:]}" for number, name in enumerate(said, start=1))


def engine(name: str, one: Keyed, steps: list[Step], folder: Path) -> Callable[[], None]:
    """A job: the same as a run would do it."""
    kind = registry.memory(name)
    config = kind.config()
    cast, standard = Roles(reader=RuleReader()), BENCHMARK.card.standard
    conditions = Conditions(
        budget_tokens=standard.budget_tokens, search_limit=standard.search_limit, prompts=standard.prompts
    )
    row = Row(
        label=name,
        kind="memory",
        fingerprint={"name": name},
        traits=kind.traits(config),
        arms=(Arm.SYSTEM,),
        open_memory=partial(kind.open, config),
    )
    trial = plan_trial(row, episode(one, steps, {}), conditions, cast)
    run = RunFolder(folder)
    prompts = {prompt.digest: prompt.text for prompt in standard.prompts.values()}
    run.write_data([one], {}, prompts)

    def job() -> None:
        execute([trial], run, cast=cast, conditions=conditions, limits=Limits(trials=1, calls=1))

    return job


def scores(data: Dataset, one: Keyed) -> float:
    shared = data.shared[REDIAL]
    replies = [Reply(text=text) for text in misspelt(list(shared[ENTITIES].values()))]
    found = [
        BENCHMARK.score(question, one.keys[question.question_id], reply, None, shared).value or 0.0
        for question, reply in zip(one.history.questions, replies, strict=True)
    ]
    return sum(found) / len(found)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memory", default="bm25")
    parser.add_argument("--tokens", type=int, default=1_440_000)
    options = parser.parse_args()
    if "RECOLLECT_DATA" not in os.environ:
        sys.exit("RECOLLECT_DATA names no folder of source data; nothing was measured.")
    data = build(Path(os.environ["RECOLLECT_DATA"]), [REDIAL], 0)
    one = repeated(data.histories[0], options.tokens)
    tokens = count(context_of([message.text for message in one.history.messages()]))
    print(f"{options.memory}: {tokens:,} tokens, {sum(1 for _ in one.history.messages()):,} dialogues")
    settings = BENCHMARK.card.standard.steps_for(REDIAL)
    steps = timed("packing into chunks", lambda: list(BENCHMARK.steps(one.history, settings)))
    shown = [step for step in steps if isinstance(step, Observe)]
    print(f"{len(shown)} chunks")
    with TemporaryDirectory() as folder:
        kind = registry.memory(options.memory)
        memory = kind.open(kind.config(), Room(folder=Path(folder), namespace="bench", seed=0))
        timed("writing and settling", lambda: ingest(memory, shown))
        cues = [Cue(text=question.seen_by_search, limit=10) for question in one.history.questions]
        timed("200 searches", lambda: [memory.search(cue) for cue in cues])
        memory.close()
    timed("200 lists of 20 misspelt titles scored", lambda: scores(data, data.histories[0]))
    for what, part in (("in the engine: taking in", steps[:-1]), ("in the engine: taking in and 200 answers", steps)):
        with TemporaryDirectory() as folder:
            timed(what, engine(options.memory, one, part, Path(folder) / "run"))


if __name__ == "__main__":
    main()
