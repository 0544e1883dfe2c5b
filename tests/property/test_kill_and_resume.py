"""`kill -9` anywhere, three times a run: the end is as if nothing had happened."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from recollect.store.journal import Journal

from tests.fakes.harness import Harness
from tests.fakes.trees import records
from tests.fakes.victim import CALLS, SamplingReader, suites

ROOT = Path(__file__).parents[2]
KILLS = 3
IN_CI, IN_FULL = 15, 102
"""Kills: by the third of a run, most runs have died as often as they may."""


def run(folder: Path, suite: str, point: int) -> subprocess.CompletedProcess[str]:
    """One life of the victim."""
    return subprocess.run(
        [sys.executable, "-m", "tests.fakes.victim", str(folder), suite, str(point)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def killed_run(folder: Path, suite: str, points: int, rng: random.Random) -> int:
    """A run that was killed up to three times and then left alone; how often it was killed."""
    deaths = 0
    for _ in range(KILLS):
        life = run(folder, suite, rng.randint(1, points))
        if life.returncode == 0:
            break
        assert life.returncode == -signal.SIGKILL, life.stderr
        deaths += 1
    last = run(folder, suite, 0)
    assert last.returncode == 0, last.stderr
    return deaths


@pytest.mark.parametrize("suite", ["memories", "agents", "writers", "built-in", "takes"])
@pytest.mark.parametrize(
    "runs",
    [
        pytest.param(1, id="once"),
        pytest.param(IN_CI // KILLS, id="ci", marks=pytest.mark.full),
        pytest.param(IN_FULL // KILLS, id="full", marks=pytest.mark.slow),
    ],
)
def test_a_run_killed_anywhere_ends_as_if_it_was_not(suite: str, runs: int, tmp_path: Path) -> None:
    whole = run(tmp_path / "whole", suite, 0)
    assert whole.returncode == 0, whole.stderr
    points, wanted = int(whole.stdout), records(tmp_path / "whole")
    rng = random.Random(f"{suite}-{runs}")
    deaths = 0
    for number in range(runs):
        folder = tmp_path / str(number)
        deaths += killed_run(folder, suite, points, rng)
        assert records(folder) == wanted, f"run {number} of {suite}"
    assert deaths >= runs, "the points lie in the run, so that the first life of each run ends early"


@pytest.mark.full
@pytest.mark.parametrize(
    "runs", [pytest.param(4, id="ci"), pytest.param(IN_FULL // KILLS, id="full", marks=pytest.mark.slow)]
)
def test_a_sampling_reader_is_never_paid_twice_for_what_was_recorded(runs: int, tmp_path: Path) -> None:
    points = int(run(tmp_path / "whole", "sampling", 0).stdout)
    rng = random.Random(runs)
    for number in range(runs):
        folder = tmp_path / str(number)
        deaths = killed_run(folder, "sampling", points, rng)
        asked = (folder / CALLS).read_text().split()
        answers = [entry for file in folder.glob("trials/*/records.jsonl") for entry in Journal(file).done.values()]
        wanted = sum(entry.kind == "answer" for entry in answers)
        assert len(asked) - wanted <= deaths, "at most the call in flight at each death is asked for again"
        assert max(Counter(asked).values()) <= 3 + deaths, "three arms"


def test_no_take_of_a_sampling_reader_is_paid_twice_or_served_another(tmp_path: Path) -> None:
    """Two answers a question and arm, each its own, whatever dies in between."""
    points = int(run(tmp_path / "whole", "sampling-takes", 0).stdout)
    rng = random.Random("sampling-takes")
    for number in range(2):
        folder = tmp_path / str(number)
        deaths = killed_run(folder, "sampling-takes", points, rng)
        asked = (folder / CALLS).read_text().split()
        texts = [
            body.text for file in folder.glob("trials/*/records.jsonl") for _, body in Journal(file).bodies("answer")
        ]
        assert 0 <= len(asked) - len(texts) <= deaths
        assert len(set(texts)) == len(texts), "no take was served the answer of another"


def test_answers_of_a_sampling_reader_stay_as_they_were_recorded(tmp_path: Path) -> None:
    harness = Harness(tmp_path)
    harness.reader = SamplingReader(tmp_path)
    trials = suites(harness, "sampling")
    harness.run(trials)
    first = harness.answers(trials)
    harness.run(trials)
    assert harness.answers(trials) == first


def test_a_replay_that_contradicts_its_record_voids_the_attempt_and_is_counted(tmp_path: Path) -> None:
    points = int(run(tmp_path / "whole", "moody", 0).stdout)
    assert run(tmp_path / "broken", "moody", points // 3).returncode == -signal.SIGKILL
    assert run(tmp_path / "broken", "moody", 0).returncode == 0
    journals = [Journal(file) for file in sorted((tmp_path / "broken").glob("trials/*/records.jsonl"))]
    assert sum(journal.voids for journal in journals) == 1
    for journal in journals:
        talks = [body.talk for _, body in journal.bodies("state")]
        assert len(talks) == 3
        answers = [body.text for _, body in journal.bodies("answer")]
        assert answers == ["blue", "green", "loud"], "all from one attempt"
