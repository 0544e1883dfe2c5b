"""Every benchmark under every preset, through `recollect.run` and a strict server, by models whose worth is known.

An ideal model answers rightly if and only if the evidence stands in its prompt, so a lower score of the oracle row is a
fault of prompt, schema, parser, scorer or judge. A wordy one says the same as models like to say it; an ignorant one
has the form right and nothing else. New benchmarks, presets and agents are in it by their line in the registry.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest

import recollect
from recollect import registry
from recollect.contracts.benchmark import Dataset
from recollect.domain.ids import QuestionId
from recollect.records.tables.cells import CellOutcome

from tests.fakes.ideal_model import Entry, Library, Manner, Player
from tests.fakes.model_server import ModelServer
from tests.unit.benchmarks.locomo.talks import folder_of_two

pytestmark = pytest.mark.full

SEED, QUESTIONS = 7, 40
OWN = Path(__file__).parents[2] / "examples" / "own_data"
PRESETS = [(name, preset) for name in sorted(registry.BENCHMARKS) for preset in registry.benchmark(name).card.presets]
WORDY_LOSS = 0.02
"""Share that a wordy model may lose where a task is read leniently."""
BY_SESSION = {"subtlememory-two_step"}
"""Its evidence is whole sessions, of which the first of two steps may write twelve facts: nobody can copy it all."""


@dataclass(frozen=True)
class Played:
    """A finished run, and what its model knew of each question."""

    cells: Sequence[CellOutcome]
    entries: Mapping[QuestionId, Entry]
    known: Mapping[QuestionId, bool]
    refused: Sequence[str]

    def scored(self, row: str, arm: str = "system") -> list[CellOutcome]:
        found = [cell for cell in self.cells if cell.row == row and cell.arm == arm and cell.purpose == "score"]
        assert found, f"{row} under {arm} has no cell"
        return found

    def wrong(self, row: str, arm: str) -> Iterator[str]:
        """What was said where it does not count as right."""
        for cell in self.scored(row, arm):
            if cell.value != 1.0:
                gold = self.entries[cell.question].key.gold[:1]
                yield f"{cell.task} {cell.status} {cell.value} {cell.cause}: said {cell.answer!r}, accepted {gold}"


@cache
def data_of(name: str) -> tuple[Dataset, Mapping[str, Any]]:
    """The data, and the settings that name them."""
    benchmark = registry.benchmark(name)
    if benchmark.sizes:
        return benchmark.generate(benchmark.sizes[0], SEED), {"size": benchmark.sizes[0], "seed": SEED}
    folder = OWN if name == "own" else folder_of_two(Path(mkdtemp()))
    return benchmark.load(folder), {"data": str(folder)}


@cache
def played(name: str, preset: str, manner: Manner, row: str = "bm25", *, references: bool = True) -> Played:
    """One run of *row*, with the benchmark's reference rows or alone."""
    benchmark, (data, source) = registry.benchmark(name), data_of(name)
    player = Player(Library.of(benchmark, data, benchmark.card.presets[preset]), manner)
    kind = "memories" if row.split(":", maxsplit=1)[0] in registry.MEMORIES else "agents"
    named: dict[str, Any] = {**source, kind: [row]}
    with ModelServer(reply=player) as server:
        model = f"openai:model=stand-in,base_url={server.url},server=stub,attempts=2,timeout_s=30"
        result = recollect.run(
            name,
            name="run",
            runs_dir=mkdtemp(),
            preset=preset,
            arms=["system", "oracle"] if references else ["system"],
            references=references,
            reader=model,
            judge=model,
            memory_model=model,
            limit=QUESTIONS,
            **named,
        )
        refused = tuple(server.refused)
    known = {entry.question.question_id: knows for entry, knows in player.answered}
    entries = {entry.question.question_id: entry for entry in player.library.entries}
    return Played(result.cells, entries, known, refused)


@pytest.mark.parametrize(("name", "preset"), PRESETS)
def test_who_has_the_evidence_and_knows_is_always_right(name: str, preset: str) -> None:
    if f"{name}-{preset}" in BY_SESSION:
        pytest.skip("the evidence is whole sessions")
    run = played(name, preset, "ideal")
    assert run.refused == ()
    assert list(run.wrong("oracle", "oracle")) == []


@pytest.mark.parametrize(("name", "preset"), PRESETS)
def test_a_memory_is_right_exactly_where_the_evidence_was_in_the_prompt(name: str, preset: str) -> None:
    if "bm25" not in registry.benchmark(name).card.references and name == "amemgym":
        pytest.skip("a memory that converses is read by rules")
    run = played(name, preset, "ideal", references=False)
    for cell in run.scored("bm25"):
        entry = run.entries[cell.question]
        lucky = entry.guess() in entry.key.gold or entry.key.abstain
        assert (cell.value == 1.0) == (run.known[cell.question] or lucky), (cell.task, cell.answer, entry.key.gold)


@pytest.mark.parametrize(("name", "preset"), PRESETS)
def test_who_knows_nothing_stays_at_chance(name: str, preset: str) -> None:
    run = played(name, preset, "ignorant")
    tasks = registry.benchmark(name).card.tasks
    for row, arm in (("bm25", "system"), ("oracle", "oracle")):
        for task in {cell.task for cell in run.cells}:
            cells = [cell for cell in run.scored(row, arm) if cell.task == task]
            chances = [_chance(run.entries[cell.question], tasks[task].chance) for cell in cells]
            most = sum(chances) + 3.3 * math.sqrt(sum(chance * (1 - chance) for chance in chances))
            assert sum(cell.value or 0.0 for cell in cells) <= most, (task, arm)


def _chance(entry: Entry, chance: float | None) -> float:
    if entry.key.abstain:
        return 1.0
    return 1 / len(entry.question.options) if entry.question.options else chance or 0.0


@pytest.mark.parametrize(("name", "preset"), PRESETS)
def test_a_wordy_model_loses_nothing_in_what_is_read_leniently(name: str, preset: str) -> None:
    if f"{name}-{preset}" in BY_SESSION:
        pytest.skip("the evidence is whole sessions")
    ideal, wordy = played(name, preset, "ideal"), played(name, preset, "wordy")
    assert wordy.refused == ()
    for task, card in registry.benchmark(name).card.tasks.items():
        before, after = (_values(run, task, card.lenient) for run in (ideal, wordy))
        if before:
            lost = (sum(before) - sum(after)) / len(before)
            assert lost <= WORDY_LOSS, (task, card.lenient, *wordy.wrong("oracle", "oracle"))


def _values(run: Played, task: str, part: str) -> list[float]:
    """The oracle's scores in a task; of a strict measure those of its lenient part."""
    cells = [cell for cell in run.scored("oracle", "oracle") if cell.task == task]
    if not part:
        return [cell.value or 0.0 for cell in cells]
    return [one.value or 0.0 for cell in cells for one in cell.parts if one.name == part]


AGENTS = ("native", "rag", "awe", "awi")


@pytest.mark.parametrize("preset", registry.benchmark("amemgym").card.presets)
@pytest.mark.parametrize("agent", AGENTS)
def test_an_agent_with_the_evidence_is_right_in_the_form_that_the_preset_scores(agent: str, preset: str) -> None:
    run = played("amemgym", preset, "ideal", f"{agent}:by=model")
    assert run.refused == ()
    assert list(run.wrong(f"{agent}(by=model)", "oracle")) == []
