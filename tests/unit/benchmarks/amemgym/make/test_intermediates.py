"""The authors' intermediate files: their names, and that they say what the users say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from recollect.benchmarks.amemgym.make.intermediates import files_of, write_intermediates
from recollect.benchmarks.amemgym.rows import row_of

from tests.unit.benchmarks.amemgym.lives import mira


def test_every_user_has_the_files_of_the_authors(tmp_path: Path) -> None:
    user = mira()
    write_intermediates([user], tmp_path)
    assert sorted(one.name for one in (tmp_path / "raw" / user.id).iterdir()) == [
        *("item.json", "personalized_answers.json", "questions.json", "schema.json", "sessions.json"),
        *("state_transition.json", "user_profile.json"),
    ]
    profiles = json.loads((tmp_path / "raw" / "user_profiles.json").read_text(encoding="utf-8"))
    assert [one["uuid"] for one in profiles] == [user.id]
    assert json.loads((tmp_path / "raw" / user.id / "item.json").read_text(encoding="utf-8")) == row_of(user)


def test_transitions_say_what_changed_by_which_event() -> None:
    user = mira()
    said: Any = files_of(user)["state_transition.json"]
    assert said["states"] == [dict(period.state) for period in user.periods]
    assert said["updates"][0] is None
    for period, told in zip(user.periods[1:], said["updates"][1:], strict=True):
        assert told["updated"] == {name: update.new for name, update in period.updates.items()}
        assert told["old"] == {name: update.old for name, update in period.updates.items()}
        assert [one["event"] for one in told["events"]] == [talk.event for talk in period.sessions]
    assert len(files_of(user)["sessions.json"]) == len(user.periods)


def test_a_user_whose_id_is_no_name_leaves_the_folder_nowhere_else(tmp_path: Path) -> None:
    write_intermediates([mira(id="../../away")], tmp_path / "here")
    assert not (tmp_path / "away").exists()
    assert len(list((tmp_path / "here" / "raw").iterdir())) == 2
