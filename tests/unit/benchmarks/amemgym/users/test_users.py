"""Who may play the simulated user."""

from __future__ import annotations

import sys
from subprocess import run

import pytest

from recollect.benchmarks.amemgym.users import USERS
from recollect.domain.errors import UsageError

from tests.fakes.stub_judges import ScriptedChat
from tests.unit.benchmarks.amemgym.users.dialogues import hold, script, turns


def test_the_first_follows_rules_and_the_first_model_is_as_the_paper_says() -> None:
    """These are the ones that are taken where none is named."""
    assert [one.name for one in USERS] == ["scripted", "state", "profile", "state-whole-talk"]
    assert [one.by_model for one in USERS] == [False, True, True, True]


def test_each_can_be_opened_and_takes_a_turn() -> None:
    """All by their own fingerprint."""
    users = [one.open(ScriptedChat("Why so?") if one.by_model else None, 7) for one in USERS]
    assert len({one.fingerprint for one in users}) == len(users)
    assert all(turns(hold(one, script(), ["Soak them."])) for one in users)


@pytest.mark.parametrize("kind", [one for one in USERS if one.by_model], ids=lambda one: one.name)
def test_one_that_a_model_plays_needs_a_model(kind: object) -> None:
    """And says how to name one."""
    with pytest.raises(UsageError, match="--user"):
        kind.open(None, 1)  # type: ignore[attr-defined]


def test_naming_them_reads_no_catalogue() -> None:
    """Lists and help do not wait for it."""
    code = (
        "import sys; from recollect.benchmarks.amemgym.users import USERS; "
        "print([name for name in sys.modules if name.startswith('recollect.benchmarks.amemgym.generate')])"
    )
    done = run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
