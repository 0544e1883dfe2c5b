"""An agent that plays in an environment gets what it gets in a run; policies can be optimised there."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from recollect.environment import Played, open_environment, play
from recollect.store.run_folder import RunFolder

from tests.fakes.command_line import typed
from tests.fakes.one_user import write_one_user

RECOLLECT = Path(sys.executable).parent / "recollect"
ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "optimise_policy.py"
AGENTS: dict[str, dict[str, Any]] = {"awe": {"memory": "files"}, "awi": {}}
ROWS = " ".join(f"--agent {name}" + "".join(f":{k}={v}" for k, v in said.items()) for name, said in AGENTS.items())
LINE = f"recollect run amemgym --data one.json {ROWS} --memory dense --no-references --arm system --seed 3"


def recollect(line: str, cwd: Path) -> None:
    done = typed(shlex.split(line)[1:], cwd)
    assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"


def recorded(folder: RunFolder, row: str) -> dict[str, Any]:
    """What one row's only trial said, answered and adopted."""
    (trial,) = [one for one in folder.trials() if one["row"] == row]
    journal = folder.journal(trial["trial"])
    states = sorted((body for _, body in journal.bodies("state")), key=lambda one: one.step)
    return {
        "talk": tuple(message for state in states for message in state.talk),
        "answers": {body.question: body.text for _, body in journal.bodies("answer")},
        "policies": [state.policy for state in states if state.did == "evolve"],
    }


def as_recorded(played: Played) -> dict[str, Any]:
    (user,) = played.users
    said = {name: reply.text for replies in user.replies.values() for name, reply in replies.items()}
    return {"talk": user.talk, "answers": said, "policies": list(user.policies)}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    cwd = tmp_path_factory.mktemp("environment")
    write_one_user(cwd / "one.json", periods=3)
    recollect(f"{LINE} --name plain", cwd)
    evolving = LINE.replace("--memory dense ", "")
    recollect(f"{evolving} --step evolve=complete --step probes=no --name evolving", cwd)
    return cwd


@pytest.mark.parametrize(("agent", "label"), [("awe", "awe(memory=files)"), ("awi", "awi"), ("dense", "dense")])
def test_a_play_is_a_runs_trial_word_for_word(agent: str, label: str, runs: Path) -> None:
    env = open_environment("amemgym", data=runs / "one.json", seed=3, steps={"probes": "yes"}, runs_dir=runs / "runs")
    played = play(env, agent, settings=AGENTS.get(agent))
    assert as_recorded(played) == recorded(RunFolder(runs / "runs/plain"), label)
    numbers = json.loads((runs / "runs/plain/report/report.json").read_text())["summary"]["numbers"]
    (score,) = [
        one["score"]["estimate"] for one in numbers if (one["row"], one.get("purpose", "score")) == (label, "score")
    ]
    assert played.score == pytest.approx(score, abs=1e-8)
    (probed,) = [one["score"]["estimate"] for one in numbers if (one["row"], one.get("purpose")) == (label, "probe")]
    states = [value for reward in played.users[0].rewards for value in reward.states.values()]
    assert sum(states) / len(states) == pytest.approx(probed, abs=1e-8)


@pytest.mark.parametrize(("agent", "label"), [("awe", "awe(memory=files)"), ("awi", "awi")])
def test_policies_evolve_as_in_a_run(agent: str, label: str, runs: Path) -> None:
    env = open_environment("amemgym", data=runs / "one.json", seed=3, feedback="complete", runs_dir=runs / "runs")
    played = as_recorded(play(env, agent, settings=AGENTS[agent]))
    assert played == recorded(RunFolder(runs / "runs/evolving"), label)
    assert len(played["policies"]) == 2, "after every period but the last"


def test_the_seed_and_the_user_decide_what_is_said(runs: Path) -> None:
    texts = []
    for seed in (3, 3, 4):
        env = open_environment("amemgym", data=runs / "one.json", seed=seed, runs_dir=runs / "runs")
        texts.append([one.text for one in play(env, "awi").users[0].talk if one.role == "user"])
    assert texts[0] == texts[1]
    assert texts[0] != texts[2]


@pytest.mark.full
def test_the_example_climbs_and_tells_what_it_was_worth(tmp_path: Path) -> None:
    """It takes about 6 seconds of one free core."""
    done = subprocess.run(
        [sys.executable, str(EXAMPLE)], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=True
    )
    *steps, training, other = done.stdout.splitlines()
    before, after = _numbers(training)
    assert after >= before
    assert [_numbers(step)[0] for step in steps] == sorted(_numbers(step)[0] for step in steps)
    assert len(_numbers(other)) == 2


def _numbers(line: str) -> list[float]:
    return [float(word) for word in re.findall(r"\b[01]\.\d\d\b", line)]


@pytest.mark.full
def test_the_python_of_the_docs_runs_in_its_order(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "environment.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", page, re.M | re.S)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", "\n".join(blocks)],
        cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("4 policies\n"), "size `small` has five periods, and none follows the last"
