"""Where users come from: files of personas, people by rule, and the configuration of either."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from recollect.benchmarks.amemgym.make.persons import COLUMNS, described, items, people, person_of, sample
from recollect.benchmarks.amemgym.settings import BASE, EXTRA
from recollect.domain.errors import DataError

from tests.unit.benchmarks.amemgym.lives import write_config

THREE = replace(BASE, num_user_profiles=3)


def row(number: int, **changed: Any) -> dict[str, Any]:
    """An invented persona with the columns of the published ones."""
    said: dict[str, Any] = {name: f"{name} of {number}" for name in COLUMNS}
    said |= {"uuid": f"id-{number:03d}", "age": 30 + number, "bachelors_field": "botany", "sex": "Female"}
    said |= {"hobbies_and_interests_list": "['rowing', 'baking']", "skills_and_expertise_list": "[]"}
    return {**said, **changed}


def test_a_persona_becomes_a_profile_without_name_and_with_texts() -> None:
    person = person_of(row(1), BASE, "personas of x")
    assert (person.profile.uuid, person.profile.age, person.profile.name) == ("id-001", 31, "")
    assert person.profile.education_level == "education_level of 1 (botany)"
    assert (person.profile.hobbies_and_interests, person.profile.skills_and_expertise) == ("rowing, baking", "N/A")
    assert person.texts["culinary_persona"] == "culinary_persona of 1"
    assert len(person.texts) == 9


@pytest.mark.parametrize(
    ("changed", "field", "wanted"),
    [
        pytest.param({"bachelors_field": "no_degree"}, "education_level", "education_level of 1", id="no-degree"),
        pytest.param({"bachelors_field": None}, "education_level", "education_level of 1", id="none"),
        pytest.param({"hobbies_and_interests_list": ["a", "b"]}, "hobbies_and_interests", "a, b", id="list"),
        pytest.param({"hobbies_and_interests_list": "[a, 'b"}, "hobbies_and_interests", "[a, 'b", id="no-list"),
        pytest.param({"hobbies_and_interests_list": None}, "hobbies_and_interests", "N/A", id="nothing"),
        pytest.param({"occupation": None}, "occupation", "N/A", id="no-occupation"),
    ],
)
def test_columns_are_read_in_the_forms_that_releases_have(changed: dict[str, Any], field: str, wanted: str) -> None:
    assert getattr(person_of(row(1, **changed), BASE, "x").profile, field) == wanted


def test_a_described_profile_says_all_its_fields_in_the_order_of_the_format() -> None:
    whole = described(person_of(row(1), BASE, "x").profile, "Mira Holt", "Runs a stall.")
    assert [line.partition(":")[0] for line in whole.formatted_str.splitlines()] == [
        *("name", "age", "gender", "marital_status", "education_level", "occupation"),
        *("hobbies_and_interests", "skills_and_expertise", "complementary_info"),
    ]
    assert whole.formatted_str.startswith("name: Mira Holt\nage: 31\n")


def test_a_sample_depends_on_the_seed_alone_and_grows_at_its_end() -> None:
    ids = [f"id-{number}" for number in range(50)]
    three = sample(ids, THREE)
    assert len(set(three)) == 3
    assert sample(ids[::-1], THREE) == three
    assert sample(ids, replace(THREE, num_user_profiles=5))[:3] == three
    assert sample(ids, replace(THREE, seed=7)) != three
    rest = sample(ids, replace(THREE, exclude_ids=(three[0],)))
    assert rest[:2] == three[1:]
    assert three[0] not in rest


def test_people_by_rule_are_whole_in_english_and_described_anew_in_chinese() -> None:
    english, chinese = people(THREE), people(replace(THREE, lang="zh"))
    assert [bool(one.texts) for one in (*english, *chinese)] == [False] * 3 + [True] * 3
    assert [one.profile for one in english] == [one.profile for one in chinese]
    first = english[0].profile.uuid
    assert first not in {one.profile.uuid for one in people(replace(THREE, exclude_ids=(first,)))}


def test_a_configuration_alone_asks_for_people_by_rule(tmp_path: Path) -> None:
    write_config(replace(EXTRA, num_user_profiles=2), tmp_path / "config.json")
    for source in (tmp_path, tmp_path / "config.json"):
        found = items(source)
        assert [(item.data.config.num_periods, item.data.source) for item in found] == [(20, "people by rule")] * 2
    assert [item.key for item in found] == [item.data.profile.uuid for item in found]


def test_a_source_without_personas_or_configuration_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="neither personas nor a configuration"):
        items(tmp_path)


def test_temperatures_that_no_step_asks_at_are_refused() -> None:
    warm = replace(BASE, llm_config_low_temp=replace(BASE.llm_config_low_temp, temperature=0.7))
    with pytest.raises(DataError, match=r"temperatures 1.0 and 0.2"):
        people(warm)


def parquet(folder: Path, name: str, rows: list[dict[str, Any]]) -> Path:
    pyarrow: Any = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    from pyarrow import parquet as files

    files.write_table(pyarrow.Table.from_pylist(rows), folder / name)
    return folder / name


def test_personas_are_drawn_from_all_files_whatever_their_order(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    whole = parquet(tmp_path / "one", "a.parquet", [row(number) for number in range(40)])
    parquet(tmp_path, "a.parquet", [row(number) for number in range(39, 19, -1)])
    parquet(tmp_path, "b.parquet", [row(number) for number in range(20)])
    write_config(THREE, tmp_path / "config.json")
    write_config(THREE, tmp_path / "one" / "config.json")
    parted, together = items(tmp_path), items(tmp_path / "one")
    assert [item.data.profile for item in parted] == [item.data.profile for item in together]
    assert [item.key for item in together] == sample([f"id-{number:03d}" for number in range(40)], THREE)
    assert len(items(whole)) == BASE.num_user_profiles


def test_files_that_are_no_personas_or_too_few_are_refused(tmp_path: Path) -> None:
    few = parquet(tmp_path, "few.parquet", [row(number) for number in range(3)])
    with pytest.raises(DataError, match="20 personas are wanted, and 3 are there"):
        items(few)
    other = parquet(tmp_path, "other.parquet", [{"uuid": "a", "age": 3}])
    with pytest.raises(DataError, match="columns are missing: arts_persona"):
        items(other)
    (tmp_path / "none.parquet").write_bytes(b"PAR1 and nothing more")
    with pytest.raises(DataError, match="not a Parquet file"):
        items(tmp_path / "none.parquet")
