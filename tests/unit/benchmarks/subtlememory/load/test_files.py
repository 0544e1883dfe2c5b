"""Keys of bundles, and the names of their folders."""

from __future__ import annotations

import pytest

from recollect.benchmarks.subtlememory.load.files import digest_of, folder_names, in_order, key_of


@pytest.mark.parametrize(
    ("parts", "key"),
    [
        pytest.param((), "root", id="the folder itself"),
        pytest.param(("persona_3",), "persona_3", id="published"),
        pytest.param(("Data Set", "P-1"), "data_set__p_1", id="other signs"),
    ],
)
def test_a_key_is_made_of_the_way_to_the_folder(parts: tuple[str, ...], key: str) -> None:
    assert key_of(parts) == key
    assert key_of([key]) == key


def test_folders_are_numbered_in_the_order_of_the_ids_as_texts() -> None:
    """The ids and the first three folders of the published data."""
    ids = ["637", "0", "341", "996", "135", "92", "144", "334", "45", "351"]
    names = folder_names(ids)
    assert [names[one] for one in ("0", "135", "144", "996")] == ["persona_0", "persona_1", "persona_2", "persona_9"]
    assert len(set(names.values())) == 10


def test_numbers_in_keys_are_sorted_as_numbers() -> None:
    keys = ["persona_10", "root", "persona_2", "a_3__b", "persona", "persona_02"]
    assert sorted(keys, key=in_order) == ["a_3__b", "persona", "persona_02", "persona_2", "persona_10", "root"]


def test_a_digest_tells_where_one_file_ends_and_the_next_begins() -> None:
    assert digest_of([("a", b"12", b"3")]) != digest_of([("a", b"1", b"23")])
    assert digest_of([("a", b"", b"")]) != digest_of([("b", b"", b"")])
