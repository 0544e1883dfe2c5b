"""Seeds of five sources: which records are taken, what they say, and everything that is wrong with files at once."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import pytest

from recollect.benchmarks.subtlememory.make.sources.files import distinct, read_seeds
from recollect.benchmarks.subtlememory.make.sources.seeds import FAMILIES, Seed
from recollect.domain.errors import DataError

from tests.unit.benchmarks.subtlememory.make.world_seeds import Row, ambigqa, fanoutqa, hoh, musique, qacc, write_all


def lines(folder: Path, name: str, *rows: Row) -> Path:
    file = folder / name
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return file


def only(folder: Path, name: str, *rows: Row) -> Seed:
    (seed,) = read_seeds(lines(folder, name, *rows)).seeds
    return seed


def test_a_folder_may_hold_files_of_all_sources_and_others(tmp_path: Path) -> None:
    """Counts are those of `write_all`; persons, settings and texts are no seeds."""
    folder = write_all(tmp_path / "sources", 2)
    (folder / "persona.json").write_text(json.dumps({"neutral_preferences": ["tea"]}))
    (folder / "README.md").write_text("About these files.")
    found = read_seeds(folder)
    assert found.records == {"fanoutqa": 2, "musique": 2, "ambigqa": 6, "hoh": 2, "qacc": 2}
    assert {seed.subtype for seed in found.seeds} == {"K>1", "any_one", "Temporal", "Context", "contradictory"}
    assert len(found.seeds) == 14
    assert list(found.seeds) == sorted(found.seeds, key=lambda seed: seed.key)


def test_fanoutqa_needs_five_linked_items(tmp_path: Path) -> None:
    short = {**fanoutqa(1), "decomposition": fanoutqa(1)["decomposition"][:4]}
    seed = only(tmp_path, "dev.jsonl", fanoutqa(0), short)
    assert (seed.key, seed.subtype, len(seed.evidence)) == ("fanoutqa-fan0", "K>1", 7)
    assert seed.evidence[1].accepted == ("blue lupin 0",)
    assert seed.answers[0].startswith("Borvand: blue lupin 0; Melkor Bay: marsh rose 0")


def test_sub_questions_of_sub_questions_count_and_those_they_divide_do_not(tmp_path: Path) -> None:
    whole = fanoutqa(0)
    nested = {
        **whole,
        "decomposition": [{"question": "All of them?", "answer": [], "decomposition": whole["decomposition"]}],
    }
    assert only(tmp_path, "dev.jsonl", nested).evidence == only(tmp_path, "other.jsonl", whole).evidence


def test_answers_of_any_type_are_told_as_text(tmp_path: Path) -> None:
    row = fanoutqa(0)
    values = [True, 3.0, 72.76, {"a": 1}, ["x", 2]]
    for leaf, value in zip(row["decomposition"], values, strict=False):
        leaf["answer"] = value
    assert [one.accepted[0] for one in only(tmp_path, "dev.jsonl", row).evidence][:5] == [
        "yes",
        "3",
        "72.76",
        "a: 1",
        "x, 2",
    ]


def test_musique_needs_four_links_and_an_answer(tmp_path: Path) -> None:
    three = {**musique(1), "question_decomposition": musique(1)["question_decomposition"][:3]}
    seed = only(tmp_path, "musique.jsonl", musique(0), three, {**musique(2), "answerable": False})
    assert seed.key == "musique-4hop1__0"
    assert seed.evidence[1].asked == "Who built Ketch 0?"
    assert seed.evidence[3].accepted == ("Vaarne 0", "the isle of Vaarne 0")
    assert seed.evidence[0].text == "A page about Ketch 0."


def test_a_chain_that_shares_three_of_four_links_is_left_out(tmp_path: Path) -> None:
    twin = {**musique(0), "id": "4hop2__9", "question": "Quite another question?"}
    twin["question_decomposition"] = [
        *musique(0)["question_decomposition"][:3],
        {"question": "When was #3 born?", "answer": "1901"},
    ]
    other = {**twin, "id": "4hop3__9", "question": "And another one?"}
    other["question_decomposition"] = [
        *musique(0)["question_decomposition"][:2],
        {"question": "Where did #2 lie?", "answer": "Holm"},
        {"question": "How large is #3?", "answer": "9 acres"},
    ]
    found = read_seeds(lines(tmp_path, "musique.jsonl", musique(0), twin, other))
    assert [seed.name for seed in found.seeds] == ["4hop1__0", "4hop3__9"]
    assert found.doubled == {"musique": 1}


@pytest.mark.parametrize(("pairs", "subtype"), [(3, "contradictory"), (4, "Context"), (5, "Context")])
def test_ambigqa_gives_contexts_from_four_pairs_and_contradictions_from_three(
    tmp_path: Path, pairs: int, subtype: str
) -> None:
    seed = only(tmp_path, "dev.jsonl", ambigqa(0, pairs), ambigqa(1, 2))
    assert (seed.subtype, len(seed.evidence)) == (subtype, pairs)
    assert seed.evidence[0].accepted == ("Ada Brun 0", "Ada Brun, take 0")


def test_the_first_wording_of_an_answer_stays_the_first(tmp_path: Path) -> None:
    """What differs in capitals alone is one wording."""
    row = ambigqa(0, 4)
    row["annotations"][1]["qaPairs"][0]["answer"] = ["Ada Brun", "A. D. Brun", "ada brun"]
    assert only(tmp_path, "dev.jsonl", row).evidence[0].accepted == ("Ada Brun", "A. D. Brun")


def test_ambigqa_is_read_in_columns_too(tmp_path: Path) -> None:
    """As a well-known mirror holds it."""
    row = ambigqa(0, 4)
    pairs = row["annotations"][1]["qaPairs"]
    columns = {
        "type": ["multipleQAs"],
        "answer": [[]],
        "qaPairs": [{"question": [one["question"] for one in pairs], "answer": [one["answer"] for one in pairs]}],
    }
    assert (
        only(tmp_path, "columns.jsonl", {**row, "annotations": columns}).evidence
        == only(tmp_path, "objects.jsonl", row).evidence
    )


def test_hoh_needs_three_outdated_values_and_tells_them_by_date(tmp_path: Path) -> None:
    seed = only(tmp_path, "hoh.jsonl", hoh(0, 3), hoh(1, 2))
    assert [(one.date, one.accepted[0]) for one in seed.evidence] == [
        ("2024-01-01", "851"),
        ("2024-02-01", "852"),
        ("2024-03-01", "853"),
        ("2024-04-01", "854"),
    ]


def test_a_value_that_does_not_change_is_one_snapshot_and_many_are_thinned_out(tmp_path: Path) -> None:
    """Ten snapshots, of which the third says what the second does; six at most are told."""
    row = hoh(0, 9)
    row["outdated_infos"][2]["answer"] = row["outdated_infos"][1]["answer"]
    days = [one.date for one in only(tmp_path, "hoh.jsonl", row).evidence]
    assert len(days) == 6
    assert (days[0], days[-1]) == ("2024-01-01", "2024-10-01")
    assert "2024-03-01" not in days


def test_qacc_needs_two_entries_with_one_answer(tmp_path: Path) -> None:
    apart = {**qacc(1), "contexts": qacc(1)["contexts"][1:]}
    seed = only(tmp_path, "qacc.jsonl", qacc(0), apart)
    assert (seed.subtype, seed.answers) == ("any_one", ("Ilse Vanek 0",))
    assert [one.text for one in seed.evidence] == [
        "Page 0 says that Ilse Vanek 0 designed bridge 0.",
        "Page 1 says that Ilse Vanek 0 designed bridge 0.",
    ]


def test_a_question_that_is_asked_twice_is_one_seed(tmp_path: Path) -> None:
    twin = {**fanoutqa(0), "id": "other"}
    assert len(read_seeds(lines(tmp_path, "dev.jsonl", fanoutqa(0), twin)).seeds) == 1


def test_packed_files_say_the_same(tmp_path: Path) -> None:
    plain = lines(tmp_path, "dev.jsonl", fanoutqa(0))
    packed = tmp_path / "dev.jsonl.xz"
    packed.write_bytes(lzma.compress(plain.read_bytes()))
    assert [one.evidence for one in read_seeds(packed).seeds] == [one.evidence for one in read_seeds(plain).seeds]


def test_all_problems_of_all_files_are_told_at_once_with_file_and_line(tmp_path: Path) -> None:
    lines(tmp_path, "musique.jsonl", musique(0), {**musique(1), "answer": None, "question": ""})
    rows = [fanoutqa(0), {**fanoutqa(1), "decomposition": "none"}]
    (tmp_path / "fan.json").write_text(json.dumps(rows, indent=1))
    (tmp_path / "broken.jsonl").write_text('{"question": \n')
    (tmp_path / "half.json").write_text('[\n {"annotations": [], "question": "?"},\n {"annotations"')
    bad = hoh(0)
    bad["outdated_infos"][1] = {"answer": "3", "last_modified_time": "lately"}
    lines(tmp_path, "hoh.jsonl", bad)
    with pytest.raises(DataError) as error:
        read_seeds(tmp_path)
    told = str(error.value)
    line = json.dumps(rows, indent=1).split("\n").index('  "id": "fan1",')
    assert "musique.jsonl:2.question: it is" in told
    assert "musique.jsonl:2.answer: it is null, and should be an answer" in told
    assert f"fan.json:{line}.decomposition: it is" in told
    assert "broken.jsonl:1: it is no JSON" in told
    assert "half.json:3: it is no JSON" in told
    assert 'hoh.jsonl:1.outdated_infos[1].last_modified_time: it is "lately", and should be a date' in told


def test_a_record_of_no_layout_among_others_is_a_problem(tmp_path: Path) -> None:
    row = {name: value for name, value in fanoutqa(1).items() if name != "decomposition"}
    with pytest.raises(DataError, match=r"dev\.jsonl:2: it is of no layout"):
        read_seeds(lines(tmp_path, "dev.jsonl", fanoutqa(0), row))


def test_one_name_for_two_records_is_a_problem(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"`fan0` is there twice, first at dev\.jsonl:1"):
        read_seeds(lines(tmp_path, "dev.jsonl", fanoutqa(0), {**fanoutqa(0), "question": "What else?"}))


def test_a_folder_without_seeds_is_refused(tmp_path: Path) -> None:
    (tmp_path / "persona.json").write_text(json.dumps({"neutral_preferences": ["tea"]}))
    with pytest.raises(DataError, match="no records of fanoutqa"):
        read_seeds(tmp_path)


def test_every_source_has_a_licence_note() -> None:
    assert all(family.title and family.licence for family in FAMILIES.values())


def test_which_of_two_that_say_the_same_is_kept_does_not_hang_on_their_order(tmp_path: Path) -> None:
    seeds = read_seeds(write_all(tmp_path / "sources", 2)).seeds
    assert distinct(tuple(reversed(seeds))) == seeds
