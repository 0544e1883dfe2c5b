"""What errors say: one problem in one line, several in a line each, then what to do."""

from __future__ import annotations

import pickle

from recollect.domain.errors import ChangedConfigError, ConfigError, DataError, listed


def test_one_problem_stays_on_one_line() -> None:
    assert str(ConfigError("run.yaml", ["`seed` is\n  not a number"])) == "run.yaml: `seed` is not a number."
    assert str(DataError("it is empty", "a.jsonl", line=2, fix="Fill it.")) == "a.jsonl:2: it is empty. Fill it."


def test_several_problems_are_counted_and_stand_in_a_line_each() -> None:
    assert str(ConfigError("run.yaml", ["a", "b"])) == "run.yaml: 2 problems:\n  a\n  b"
    error = DataError(listed(["a", "b"]), "data", fix="Mend it.")
    assert str(error) == "data: 2 problems:\n  a\n  b\nMend it."


def test_differences_are_told_the_same_way_and_end_with_what_to_do() -> None:
    one = str(ChangedConfigError("runs/a", ["`seed` was 1, now 2"]))
    assert one == (
        "runs/a: this run was made under another config: `seed` was 1, now 2. "
        "Give the new run another `--name`, or go back to the stored config."
    )
    two = str(ChangedConfigError("runs/a", ["x", "y"], fix="Merge others."))
    assert two == "runs/a: this run was made under another config: 2 differences:\n  x\n  y\nMerge others."


def test_what_to_do_survives_pickling() -> None:
    error = ChangedConfigError("runs/a", ["x"], fix="Merge others.")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
