"""Folders of bundles: what is read, what is refused and how that is said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from recollect.benchmarks.subtlememory.items import Talk
from recollect.benchmarks.subtlememory.load import bundles_of
from recollect.domain.errors import DataError

from tests.unit.benchmarks.subtlememory.bundles import asked_form, bundle, bytes_below, folder_of, put, rows_of
from tests.unit.benchmarks.subtlememory.mutants import (
    FILES,
    INSTANCE,
    MUTANTS,
    QA,
    SESSION,
    TURN,
    Change,
    changed,
    laid_out,
    two_persons,
)


@pytest.mark.parametrize("name", MUTANTS)
def test_a_broken_promise_of_a_row_is_refused_with_file_place_and_what_to_do(name: str, tmp_path: Path) -> None:
    change, said = MUTANTS[name]
    rows = two_persons()
    change(rows)
    with pytest.raises(DataError) as caught:
        bundles_of(laid_out(tmp_path, rows))
    assert said in str(caught.value)
    assert str(caught.value).startswith(f"{tmp_path}: ")
    assert "mend the file" in str(caught.value)


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_cannot_be_read_is_refused_by_name(name: str, tmp_path: Path) -> None:
    file, data, said = FILES[name]
    place = laid_out(tmp_path, two_persons()) / "persona_1" / file
    place.unlink() if data is None else place.write_bytes(data)
    with pytest.raises(DataError) as caught:
        bundles_of(tmp_path)
    assert f"persona_1/{file}: " in str(caught.value)
    assert said in str(caught.value)


def test_the_mutants_are_97_and_what_they_change_is_sound(tmp_path: Path) -> None:
    """87 changes of rows and 10 of files; the two tests above catch each of them."""
    assert (len(MUTANTS), len(FILES)) == (87, 10)
    assert bundles_of(laid_out(tmp_path, two_persons())).bundles == (bundle(0), bundle(1))


def test_problems_of_all_rows_and_persons_come_at_once(tmp_path: Path) -> None:
    rows = two_persons()
    del rows.talks[3]["source"]
    rows.asked[1]["qas"][0]["query"] = 4
    rows.others_asked[0]["session_ids"] = ["s-9"]
    laid_out(tmp_path, rows)
    (tmp_path / "persona_2").mkdir()
    (tmp_path / "persona_2" / "history_sessions.json").write_text("[", encoding="utf-8")
    with pytest.raises(DataError, match="5 problems") as caught:
        bundles_of(tmp_path)
    for place in (
        "persona_0/history_sessions.json[3].source",
        "persona_0/bench_instances.json[1].qas[0].query",
        "persona_1/bench_instances.json[0].session_ids[0]",
        "persona_2/history_sessions.json",
        "persona_2/bench_instances.json",
    ):
        assert place in str(caught.value)


def test_a_session_that_is_not_sound_makes_no_link_to_it_dangle(tmp_path: Path) -> None:
    rows = two_persons()
    rows.talks[0]["history"] = []
    with pytest.raises(DataError, match=r"history_sessions.json\[0\].history: it is empty") as caught:
        bundles_of(laid_out(tmp_path, rows))
    assert "problems" not in str(caught.value)


def test_bundles_are_found_at_any_depth_and_persona_2_stands_before_persona_10(tmp_path: Path) -> None:
    for rank, folder in ((2, "b/persona_2"), (10, "b/persona_10"), (7, "A b/c")):
        put(tmp_path / folder, *rows_of(bundle(rank)))
    read = bundles_of(tmp_path)
    assert [one.key for one in read.bundles] == ["a_b__c", "b__persona_2", "b__persona_10"]
    assert list(read.rows) == ["a_b__c", "b__persona_2", "b__persona_10"]


def test_the_folder_itself_counts_and_so_does_one_of_its_files(tmp_path: Path) -> None:
    put(tmp_path, *rows_of(bundle(3)))
    put(tmp_path / "inner", *rows_of(bundle(4)))
    whole, one = bundles_of(tmp_path), bundles_of(tmp_path / "bench_instances.json")
    assert [each.key for each in whole.bundles] == ["inner", "root"]
    assert one.bundles == (replace(bundle(3), key="root"),)


def test_two_folders_with_one_key_are_refused(tmp_path: Path) -> None:
    put(tmp_path / "a b", *rows_of(bundle(0)))
    put(tmp_path / "a_b", *rows_of(bundle(1)))
    with pytest.raises(DataError, match=r"`a b/` and `a_b/` have one key, `a_b`"):
        bundles_of(tmp_path)


@pytest.mark.parametrize(("name", "said"), [("", "no folder in it holds"), ("x", "neither a folder"), ("f", "neither")])
def test_a_place_without_bundles_says_what_was_looked_for(name: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "f").write_text("[]", encoding="utf-8")
    with pytest.raises(DataError, match=said) as caught:
        bundles_of(tmp_path / name)
    assert "history_sessions.json" in str(caught.value)


def _ids(talks: tuple[Talk, ...]) -> list[str]:
    return [talk.session_id for talk in talks]


def test_sessions_stand_by_order_whatever_the_file_says(tmp_path: Path) -> None:
    talks, asked = rows_of(bundle(0))
    put(tmp_path, talks[::-1], asked)
    read = bundles_of(tmp_path)
    assert read.bundles[0].talks == bundle(0).talks
    assert read.rows["root"]["history_sessions"] == talks[::-1]


@pytest.mark.parametrize("value", ["3", 3.0], ids=["text", "fraction"])
def test_an_order_may_be_a_number_in_another_form(value: Any, tmp_path: Path) -> None:
    talks, asked = rows_of(bundle(0))
    talks[3]["order"] = value
    assert bundles_of(put(tmp_path, talks, asked)).bundles[0].talks == bundle(0).talks


@pytest.mark.parametrize("value", [None, "third", 3.5, True], ids=repr)
def test_where_one_has_no_order_sessions_stand_by_time_then_id_and_that_is_told(value: Any, tmp_path: Path) -> None:
    talks, asked = rows_of(bundle(0))
    talks[0]["order"], talks[1]["order"], talks[3]["order"] = 1, 0, value
    talks[5]["timestamp"] = talks[4]["timestamp"]
    read = bundles_of(put(tmp_path, talks[::-1], asked))
    expected = sorted(talks, key=lambda row: (row["timestamp"], row["session_id"]))
    assert _ids(read.bundles[0].talks) == [row["session_id"] for row in expected]
    assert [talk.order for talk in read.bundles[0].talks] == list(range(12))
    assert "history_sessions.json[8].order: it is" in read.origin
    assert "sessions stand in order of time" in read.origin


def test_sessions_of_one_order_stand_by_time(tmp_path: Path) -> None:
    talks, asked = rows_of(bundle(0))
    talks[0]["order"], talks[1]["order"] = 0, 0
    talks[0]["timestamp"], talks[1]["timestamp"] = talks[1]["timestamp"], talks[0]["timestamp"]
    found = _ids(bundles_of(put(tmp_path, talks, asked)).bundles[0].talks)
    assert found[:2] == [talks[1]["session_id"], talks[0]["session_id"]]


def test_an_empty_answer_is_none(tmp_path: Path) -> None:
    talks, asked = rows_of(bundle(0))
    asked[0]["qas"][0]["incorrect_answers"] = ["", "The window.", " "]
    read = bundles_of(put(tmp_path, talks, asked))
    assert read.bundles[0].instances[0].qas[0].incorrect_answers == ("The window.",)


def test_times_are_compared_as_instants(tmp_path: Path) -> None:
    """10:00 at +08:00 is before 03:00 at +00:00."""
    talks, asked = rows_of(bundle(0))
    for row in talks:
        row["order"] = None
    talks[0]["timestamp"], talks[1]["timestamp"] = "2025-03-02T03:00:00+00:00", "2025-03-02T10:00:00+08:00"
    assert _ids(bundles_of(put(tmp_path, talks, asked)).bundles[0].talks)[:2] == [
        talks[1]["session_id"],
        talks[0]["session_id"],
    ]


def test_content_may_be_a_list_of_parts(tmp_path: Path) -> None:
    talks, asked = rows_of(bundle(0))
    talks[0]["history"][0]["content"] = ["One.", {"type": "text", "text": "Two."}]
    read = bundles_of(put(tmp_path, talks, asked))
    assert read.bundles[0].talks[0].history[0].content == "One.\nTwo."
    assert read.rows["root"]["history_sessions"] == talks
    assert "passed over" not in read.origin


def _odd(name: str, value: Any) -> Change:
    return changed(("talks", 2, name), value)


def _more_odd(name: str, value: Any) -> Change:
    return changed(("asked", 2, name), value)


ODDITIES: Mapping[str, tuple[Change, str]] = {
    "conversation type": (_odd("conversation_type", "fact_checking"), "`fact_checking` is not known (1 in all)"),
    "signal level": (_odd("persona_signal_level", "loud"), f"{SESSION}.persona_signal_level: `loud` is not known"),
    "source": (_odd("source", "elsewhere"), f"{SESSION}.source: `elsewhere` is not known"),
    "case of a session": (_odd("case_id", "other"), f"{INSTANCE}.session_ids: `related-000000000002-s1` is of case"),
    "order against time": (_odd("timestamp", "2025-01-01T08:00:00+08:00"), "stands behind a later one"),
    "relation": (_more_odd("relation_type", "twisted"), f"{INSTANCE}.relation_type: `twisted` is not known"),
    "sub-type": (_more_odd("relation_subtype", "twisted"), f"{INSTANCE}.relation_subtype: `twisted` is not known"),
    "relation and sub-type": (_more_odd("relation_subtype", "K>1"), "`K>1 of contradictory` is not known"),
    "facts": (_more_odd("facts", []), f"{INSTANCE}.facts: it is empty"),
    "profile": (_more_odd("persona_str", "{}"), f"{INSTANCE}.persona_str: it is not that of"),
    "right and wrong": (
        changed((*QA, "incorrect_answers"), ["YOU told me of rowing daily and of never rowing."]),
        "is both right and wrong",
    ),
    "an empty answer": (changed((*QA, "incorrect_answers"), ["Rowing.", " "]), "an empty answer is passed over"),
    "a part": (changed((*TURN, "content"), ["Well.", {"image": 1}]), "a part without text is passed over"),
}


@pytest.mark.parametrize("name", ODDITIES)
def test_what_is_odd_is_let_through_and_told_by_the_origin(name: str, tmp_path: Path) -> None:
    change, said = ODDITIES[name]
    rows = two_persons()
    change(rows)
    origin = bundles_of(laid_out(tmp_path, rows)).origin
    assert origin.startswith("files sha256:")
    assert said in origin


@pytest.mark.parametrize("subtype", ["K=1", "a_user_vs_user", "c_non_user_vs_non_user"])
def test_known_sub_types_are_not_odd(subtype: str, tmp_path: Path) -> None:
    rows = two_persons()
    relation = "complementary" if subtype == "K=1" else "contradictory"
    rows.asked[2] |= {"relation_subtype": subtype, "relation_type": relation}
    assert "," not in bundles_of(laid_out(tmp_path, rows)).origin


def test_one_strange_word_is_told_once_however_often_it_stands_there(tmp_path: Path) -> None:
    rows = two_persons()
    for row in (*rows.talks, *rows.others):
        row["conversation_type"] = "fact_checking"
    origin = bundles_of(laid_out(tmp_path, rows)).origin
    assert "one thing that changes no score, such as persona_0/history_sessions.json[0].conversation_type" in origin
    assert "(24 in all)" in origin


def test_unknown_fields_stay_in_the_rows(tmp_path: Path) -> None:
    rows = two_persons()
    rows.talks[0]["mood"], rows.asked[0]["qas"][0]["weight"] = "calm", 3
    read = bundles_of(laid_out(tmp_path, rows))
    assert read.rows["persona_0"]["history_sessions"][0]["mood"] == "calm"
    assert read.rows["persona_0"]["bench_instances"][0]["qas"][0]["weight"] == 3
    assert read.bundles[0] == bundle(0)


def test_what_our_own_files_add_is_read(tmp_path: Path) -> None:
    one = bundle(0)
    qa = replace(one.instances[0].qas[0], asked=asked_form())
    ours = replace(one, instances=(replace(one.instances[0], qas=(qa,)), *one.instances[1:]))
    assert bundles_of(folder_of(tmp_path, ours)).bundles == (ours,)


def test_the_origin_changes_with_any_byte_and_not_with_the_place(tmp_path: Path) -> None:
    first = bundles_of(folder_of(tmp_path / "a", bundle(0))).origin
    assert bundles_of(folder_of(tmp_path / "b", bundle(0))).origin == first
    file = tmp_path / "a" / "persona_0" / "bench_instances.json"
    file.write_bytes(file.read_bytes() + b" ")
    assert bundles_of(tmp_path / "a").origin != first


def test_a_mark_before_the_text_says_nothing(tmp_path: Path) -> None:
    file = folder_of(tmp_path, bundle(0)) / "persona_0" / "history_sessions.json"
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    assert bundles_of(tmp_path).bundles == (bundle(0),)


@pytest.mark.parametrize("escaped", [True, False])
def test_whether_signs_were_escaped_is_kept(escaped: bool, tmp_path: Path) -> None:
    talks, asked = rows_of(bundle(0))
    talks[0]["history"][0]["content"] = "Café \u0007 \\u00e9"
    read = bundles_of(put(tmp_path, talks, asked, ascii_only=escaped))
    assert read.rows["root"]["ascii"] is escaped


def test_reading_changes_no_file(tmp_path: Path) -> None:
    before = bytes_below(folder_of(tmp_path, bundle(0), bundle(1)))
    bundles_of(tmp_path)
    assert bytes_below(tmp_path) == before
