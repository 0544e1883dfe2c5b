"""What a lenient reading makes of files that a strict one refuses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from recollect.benchmarks.subtlememory.items import Bundle
from recollect.benchmarks.subtlememory.load import bundles_of
from recollect.domain.errors import DataError

from tests.unit.benchmarks.subtlememory.bundles import bundle, folder_of, put, rows_of

_SESSION, _INSTANCE = "history_sessions.json", "bench_instances.json"


def mended(path: Path, change: Callable[[Any, Any], object]) -> tuple[Bundle, str]:
    talks, asked = rows_of(bundle(0))
    change(talks, asked)
    put(path / "persona_0", talks, asked)
    with pytest.raises(DataError):
        bundles_of(path)
    read = bundles_of(path, lenient=True)
    return read.bundles[0], read.origin


def test_sound_files_are_read_as_they_are(tmp_path: Path) -> None:
    folder_of(tmp_path, bundle(0), bundle(1))
    assert bundles_of(tmp_path, lenient=True) == bundles_of(tmp_path)


def test_an_empty_conversation_goes_and_the_links_to_it_too(tmp_path: Path) -> None:
    found, origin = mended(tmp_path, lambda talks, asked: talks[0].update(history=[]))
    assert len(found.talks) == 11
    assert found.instances[0].session_ids == ("related-000000000000-s2",)
    assert f"2 things mended, such as persona_0/{_SESSION}[0]: it has no message, and is left out" in origin


def test_who_is_not_the_user_is_the_assistant_and_who_says_nothing_is_nobody(tmp_path: Path) -> None:
    def change(talks: Any, asked: Any) -> None:
        del asked
        talks[0]["history"][1]["role"] = "bot"
        talks[0]["history"][3]["content"] = ""

    found, _ = mended(tmp_path, change)
    assert [turn.role for turn in found.talks[0].history] == ["user", "assistant", "user"]


@pytest.mark.parametrize("name", ["conversation_type", "conversation_flow", "persona_signal_level"])
def test_a_word_that_may_be_null_may_be_missing(name: str, tmp_path: Path) -> None:
    found, origin = mended(tmp_path, lambda talks, asked: talks[0].pop(name))
    assert getattr(found.talks[0], name) is None
    assert f"[0].{name}: it is missing, and taken as null" in origin


def test_a_question_without_an_answer_side_goes(tmp_path: Path) -> None:
    found, origin = mended(tmp_path, lambda talks, asked: asked[0]["qas"][0].update(correct_answers=[" "]))
    assert found.instances[0].qas == bundle(0).instances[0].qas[1:]
    assert f"persona_0/{_INSTANCE}[0].qas[0]: it leads nowhere, and is left out" in origin


def test_an_instance_of_which_nothing_is_left_goes(tmp_path: Path) -> None:
    found, _ = mended(tmp_path, lambda talks, asked: asked[0].update(session_ids=["s-9", ["s"]]))
    assert found == replace(bundle(0), instances=bundle(0).instances[1:])


def test_rows_that_are_no_objects_go(tmp_path: Path) -> None:
    def change(talks: Any, asked: Any) -> None:
        talks.append(3)
        asked.append(None)
        asked[0]["qas"].append("why?")

    assert mended(tmp_path, change)[0] == bundle(0)


def test_a_folder_with_one_file_or_without_sessions_goes(tmp_path: Path) -> None:
    put(tmp_path / "persona_1", [], rows_of(bundle(1))[1])
    folder_of(tmp_path, bundle(2))
    (tmp_path / "persona_2" / _SESSION).unlink()
    found, _ = mended(tmp_path, lambda talks, asked: None)
    assert found == bundle(0)
    assert list(bundles_of(tmp_path, lenient=True).rows) == ["persona_0"]


def test_a_file_that_is_missing_is_told(tmp_path: Path) -> None:
    folder_of(tmp_path, bundle(0), bundle(1))
    (tmp_path / "persona_1" / _SESSION).unlink()
    origin = bundles_of(tmp_path, lenient=True).origin
    assert f"one thing mended, such as persona_1/{_SESSION}: the file is missing" in origin


def test_where_nothing_is_left_that_is_refused(tmp_path: Path) -> None:
    put(tmp_path, [], [])
    with pytest.raises(DataError, match="nothing is left that can be used"):
        bundles_of(tmp_path, lenient=True)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        pytest.param(lambda talks: talks[0].pop("timestamp"), r"\[0\].timestamp: it is missing", id="time"),
        pytest.param(lambda talks: talks[1].pop("persona_id"), r"\[1\].persona_id: it is missing", id="person"),
        pytest.param(lambda talks: talks[1].update(persona_id="9"), "persona_id", id="two persons"),
        pytest.param(lambda talks: talks.append(dict(talks[0])), "is there twice", id="twice"),
    ],
)
def test_what_would_have_to_be_invented_stays_refused(
    change: Callable[[Any], object], said: str, tmp_path: Path
) -> None:
    talks, asked = rows_of(bundle(0))
    change(talks)
    with pytest.raises(DataError, match=said):
        bundles_of(put(tmp_path, talks, asked), lenient=True)


def test_places_are_those_of_the_file_also_behind_what_was_left_out(tmp_path: Path) -> None:
    talks, asked = rows_of(bundle(0))
    talks[0]["history"], talks[4]["source"] = [], 3
    with pytest.raises(DataError, match=r"history_sessions.json\[4\].source: it is 3"):
        bundles_of(put(tmp_path, talks, asked), lenient=True)
