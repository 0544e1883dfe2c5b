"""Rows on disk and histories in memory: the same thing twice, and every fault of a file named."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.benchmarks.memoryagentbench.generate import generate
from recollect.benchmarks.memoryagentbench.load import load
from recollect.benchmarks.memoryagentbench.write import FILE, write
from recollect.contracts.benchmark import Dataset
from recollect.domain.errors import DataError, MissingExtraError

PUBLISHED: dict[str, Any] = {
    "context": "Here is a list of facts:\n0. The capital of Orvalia is Denn.\n1. Tam Rusk is a citizen of Orvalia.\n"
    "2. The capital of Orvalia is Quill Bay.\n",
    "questions": ["What is the capital of Orvalia?", "What is the capital of the country Tam Rusk is a citizen of?"],
    "answers": [["Quill Bay"], ["Quill Bay", "Quillbay"]],
    "metadata": {
        "demo": None,
        "haystack_sessions": None,
        "keypoints": None,
        "previous_events": None,
        "qa_pair_ids": ["factconsolidation_mh_6k_no0", "factconsolidation_mh_6k_no1"],
        "question_dates": None,
        "question_ids": None,
        "question_types": None,
        "source": "factconsolidation_mh_6k",
    },
}
"""The invented example of the format's description."""
EXAMPLES: dict[str, Any] = {
    "context": "where is my card\nlabel: 4\n\nit was stolen\nlabel: 0\n\nstill no card\nlabel: 4\n\n",
    "questions": ["my card is gone"],
    "answers": [["4"]],
    "metadata": {**PUBLISHED["metadata"], "source": "icl_banking77_5900shot_balance", "qa_pair_ids": None},
}


def _file(folder: Path, *rows: Any) -> Path:
    path = folder / "rows.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def _changed(row: dict[str, Any], **changes: Any) -> dict[str, Any]:
    metadata = {**row["metadata"], **changes.pop("metadata", {})}
    return {**row, "metadata": metadata, **changes}


def test_a_published_row_becomes_a_history_with_keys(tmp_path: Path) -> None:
    (one,) = load(_file(tmp_path, PUBLISHED)).histories
    messages = list(one.history.messages())
    assert [message.text for message in messages] == PUBLISHED["context"].rstrip("\n").split("\n")
    assert {(message.role, message.said_at, message.speaker) for message in messages} == {("document", None, "")}
    first, second = (one.keys[question.question_id] for question in one.history.questions)
    assert (first.gold, first.rejected) == (("Quill Bay",), ("Denn",))
    assert first.evidence == (messages[3].message_id,)
    assert (first.labels["stratum"], first.labels["hops"], first.labels["distance"]) == ("conflicted", "1", "2")
    assert second.gold == ("Quill Bay", "Quillbay")
    assert set(second.evidence) == {messages[2].message_id, messages[3].message_id}
    assert second.labels["evidence"] == "by_rule"
    assert second.original_id == "0:factconsolidation_mh_6k_no1"
    assert (one.task, one.original_id) == ("factconsolidation_mh_6k", "0:factconsolidation_mh_6k")


def test_all_examples_of_the_label_are_evidence(tmp_path: Path) -> None:
    (one,) = load(_file(tmp_path, EXAMPLES)).histories
    messages = list(one.history.messages())
    (question,) = one.history.questions
    assert one.keys[question.question_id].evidence == (messages[0].message_id, messages[2].message_id)
    assert one.keys[question.question_id].labels == {
        "task": "icl_banking77_5900shot_balance",
        "shots": "2",
        "in_examples": "no",
    }
    assert (question.prompt, question.output_tokens) == ("in_context_learning", 20)


def test_a_published_file_is_named_by_its_digest(tmp_path: Path) -> None:
    assert load(_file(tmp_path, PUBLISHED)).origin.startswith("file sha256:")


def test_no_id_shows_a_task_a_label_or_a_serial_number(small: Dataset) -> None:
    for one in small.histories:
        names = [
            one.history.history_id,
            *(message.message_id for message in one.history.messages()),
            *(message.session_id for message in one.history.messages()),
            *(question.question_id for question in one.history.questions),
        ]
        assert all(len(name) == 17 and int(name[1:], 16) >= 0 for name in names)
        sessions = {message.session_id for message in one.history.messages()}
        assert len(set(names)) == len(names) - sum(1 for _ in one.history.messages()) + len(sessions)


@pytest.mark.parametrize("size", ["small", "small-held-out"])
def test_what_is_written_is_what_is_loaded(size: str, tmp_path: Path) -> None:
    made = generate(size, 3)
    write(made, tmp_path / "a.jsonl")
    again = load(tmp_path / "a.jsonl")
    assert again == made
    write(again, tmp_path / "b.jsonl")
    assert (tmp_path / "b.jsonl").read_bytes() == (tmp_path / "a.jsonl").read_bytes()


def test_a_part_of_a_data_set_keeps_its_ids_when_written(small: Dataset, tmp_path: Path) -> None:
    part = replace(small, histories=small.histories[1::3])
    write(part, tmp_path / "part.jsonl")
    assert load(tmp_path / "part.jsonl") == part


def test_a_loaded_published_file_comes_back_too(tmp_path: Path) -> None:
    once = load(_file(tmp_path, PUBLISHED, EXAMPLES))
    write(once, tmp_path / "again.jsonl")
    assert load(tmp_path / "again.jsonl") == once


def test_a_written_row_has_exactly_the_published_fields_and_one_more(small: Dataset, tmp_path: Path) -> None:
    write(small, tmp_path / "rows.jsonl")
    for line in (tmp_path / "rows.jsonl").read_text().splitlines():
        row = json.loads(line)
        assert set(row) == {*PUBLISHED, "recollect"}
        assert set(row["metadata"]) == set(PUBLISHED["metadata"])


def test_a_folder_is_read_whole_and_written_into(small: Dataset, tmp_path: Path) -> None:
    write(small, tmp_path)
    assert load(tmp_path) == load(tmp_path / FILE)
    with pytest.raises(DataError, match="no file that ends in"):
        load(_empty(tmp_path / "empty"))


def _empty(folder: Path) -> Path:
    folder.mkdir()
    return folder


@pytest.mark.parametrize(
    ("row", "said"),
    [
        pytest.param(_changed(PUBLISHED, context=" "), "`context`: it is empty", id="empty-context"),
        pytest.param(_changed(PUBLISHED, context="no facts"), "no numbered fact", id="no-facts"),
        pytest.param(_changed(EXAMPLES, context="no examples"), "no labelled example", id="no-examples"),
        pytest.param(_changed(PUBLISHED, questions=[], answers=[]), "`questions`: there is none", id="no-questions"),
        pytest.param(_changed(PUBLISHED, answers=[["x"]]), "`answers`: it has 1 entries for 2", id="uneven"),
        pytest.param(_changed(PUBLISHED, answers=[["x"], []]), "`answers.1`: there is no answer", id="no-answer"),
        pytest.param(_changed(PUBLISHED, answers=[["x"], "y"]), "`answers.1`", id="answer-of-another-type"),
        pytest.param(_changed(PUBLISHED, questions=["?", ""]), "`questions.1`: it is empty", id="empty-question"),
        pytest.param(_changed(PUBLISHED, metadata={"qa_pair_ids": ["a", "a"]}), "`a` occurs twice", id="twice"),
        pytest.param(
            _changed(PUBLISHED, metadata={"qa_pair_ids": ["a"]}), "`metadata.qa_pair_ids`: it has 1", id="ids"
        ),
        pytest.param(_changed(PUBLISHED, metadata={"sauce": 1}), "unknown key `metadata.sauce`", id="unknown-key"),
        pytest.param({**PUBLISHED, "metadata": None}, "`metadata`", id="no-metadata"),
        pytest.param([], "`value`", id="no-object"),
    ],
)
def test_a_faulty_row_is_refused_by_file_line_and_field(row: Any, said: str, tmp_path: Path) -> None:
    """A blank line is no row, but it counts as a line."""
    path = _file(tmp_path, EXAMPLES, row)
    path.write_text(path.read_text().replace("\n", "\n\n", 1))
    with pytest.raises(DataError) as caught:
        load(path)
    assert "rows.jsonl:3: " in str(caught.value)
    assert said in str(caught.value)
    assert str(path) in str(caught.value)


def test_all_problems_are_told_at_once(tmp_path: Path) -> None:
    path = _file(tmp_path, _changed(PUBLISHED, context=3, questions="?"), _changed(EXAMPLES, answers=[[]]))
    with pytest.raises(DataError) as caught:
        load(path)
    head, *problems, _ = str(caught.value).splitlines()
    assert head == f"{path}: 3 problems:"
    for part, said in zip(("1: `context`", "1: `questions`", "2: `answers.0`"), problems, strict=True):
        assert said.startswith(f"  rows.jsonl:{part}")


def test_problems_of_all_files_of_a_folder_are_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("7\n")
    (tmp_path / "b.jsonl").write_text("")
    (tmp_path / "c.jsonl").mkdir()
    with pytest.raises(DataError) as caught:
        load(tmp_path)
    for said in ("a.jsonl:1: `value`", "b.jsonl: it holds no row", "c.jsonl: it cannot be read (Is a directory)"):
        assert f"\n  {said}" in str(caught.value)


@pytest.mark.parametrize("indent", [None, 1])
def test_a_json_array_is_told_from_lines(indent: int | None, tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps([PUBLISHED, EXAMPLES], indent=indent))
    with pytest.raises(DataError, match=r"rows\.jsonl: it is a JSON array\. Write one object a line, not an array"):
        load(path)


def test_a_mark_before_utf8_is_passed_over(tmp_path: Path) -> None:
    path = _file(tmp_path, PUBLISHED)
    plain = load(path).histories
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert load(path).histories == plain


def test_an_unknown_source_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"`ruler_niah_262k` is not known here. Known: .*factconsolidation_mh_262k, "):
        load(_file(tmp_path, _changed(PUBLISHED, metadata={"source": "ruler_niah_262k"})))


def test_the_same_row_twice_is_refused(tmp_path: Path) -> None:
    write(replace(generate("small", 1), histories=generate("small", 1).histories[:1]), tmp_path / "a.jsonl")
    twice = tmp_path / "twice.jsonl"
    twice.write_bytes((tmp_path / "a.jsonl").read_bytes() * 2)
    with pytest.raises(DataError, match=r"twice\.jsonl:2: the row is there twice, first in twice\.jsonl:1"):
        load(twice)


def test_evidence_that_names_no_message_is_refused(small: Dataset, tmp_path: Path) -> None:
    write(replace(small, histories=small.histories[:1]), tmp_path / "a.jsonl")
    row = json.loads((tmp_path / "a.jsonl").read_text())
    row["recollect"]["questions"][0]["evidence"] = [1_000]
    with pytest.raises(DataError, match=r"`recollect.questions.0.evidence`: 1000 is none of the \d+ messages"):
        load(_file(tmp_path, row))


def test_rows_of_a_newer_schema_are_refused(small: Dataset, tmp_path: Path) -> None:
    write(replace(small, histories=small.histories[:1]), tmp_path / "a.jsonl")
    row = json.loads((tmp_path / "a.jsonl").read_text())
    row["recollect"]["schema"] = 2
    with pytest.raises(DataError, match=r"`recollect.schema`: 2 is not 1"):
        load(_file(tmp_path, row))


def test_a_missing_file_and_another_benchmarks_histories_are_refused(small: Dataset, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be read"):
        load(tmp_path / "nowhere.jsonl")
    with pytest.raises(DataError, match="histories of `other`"):
        write(replace(small, benchmark="other"), tmp_path / "x.jsonl")


def test_parquet_without_its_package_says_how_to_get_it(
    small: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    (tmp_path / "rows.parquet").write_bytes(b"PAR1")
    with pytest.raises(MissingExtraError, match=r"pip install 'recollect\[parquet\]'"):
        load(tmp_path / "rows.parquet")
    with pytest.raises(MissingExtraError, match="pyarrow"):
        write(small, tmp_path / "out.parquet")


def test_parquet_holds_the_same_as_json_lines(small: Dataset, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="pyarrow is an extra; without it Parquet is refused, see the test above")
    write(small, tmp_path / "rows.parquet")
    assert load(tmp_path / "rows.parquet") == small
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(DataError, match="not a Parquet file"):
        load(tmp_path / "broken.parquet")


def test_a_faulty_row_of_parquet_is_named_by_file_and_number(small: Dataset, tmp_path: Path) -> None:
    """A file of Parquet has no lines: its rows are counted from 1."""
    pytest.importorskip("pyarrow", reason="pyarrow is an extra")
    import pyarrow
    from pyarrow import parquet

    write(small, tmp_path / "rows.parquet")
    rows = parquet.read_table(tmp_path / "rows.parquet").to_pylist()
    rows[1]["context"], rows[2]["recollect"] = " ", "{"
    parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "rows.parquet")
    with pytest.raises(DataError) as caught:
        load(tmp_path / "rows.parquet")
    assert f"\n  rows.parquet row 2 of {len(rows)}: `context`: it is empty" in str(caught.value)
    assert f"\n  rows.parquet row 3 of {len(rows)}: `recollect`: it is not JSON" in str(caught.value)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["0. a", "label: 1"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
PATHS = [
    ("context",),
    ("questions",),
    ("questions", 0),
    ("answers",),
    ("answers", 0),
    ("answers", 0, 0),
    ("metadata",),
    *(("metadata", name) for name in PUBLISHED["metadata"]),
    ("recollect",),
    *(("recollect", name) for name in ("schema", "row", "origin", "questions")),
    ("recollect", "questions", 0),
    *(("recollect", "questions", 0, name) for name in ("evidence", "rejected", "labels")),
    ("something",),
]


@pytest.fixture(scope="module")
def own_rows(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """One written row of each task."""
    path = tmp_path_factory.mktemp("rows") / "rows.jsonl"
    write(generate("small", 2), path)
    return [json.loads(line) for line in path.read_text().splitlines()][::3]


@given(number=st.integers(0, 3), where=st.sampled_from(PATHS), value=JSON, drop=st.booleans())
def test_a_mutated_row_is_loaded_or_refused_and_nothing_else(
    number: int, where: tuple[Any, ...], value: Any, drop: bool, own_rows: list[Any], tmp_path_factory: Any
) -> None:
    row = json.loads(json.dumps([PUBLISHED, *own_rows][number]))
    inner = row
    for step in where[:-1]:
        inner = inner.setdefault(step, {}) if isinstance(inner, dict) else inner[step]
    if drop and isinstance(inner, dict):
        inner.pop(where[-1], None)
    else:
        inner[where[-1]] = value
    _load_or_refuse(json.dumps(row).encode(), tmp_path_factory)


@given(junk=st.binary(max_size=60), place=st.integers(0, 400))
def test_a_file_with_broken_bytes_is_loaded_or_refused(junk: bytes, place: int, tmp_path_factory: Any) -> None:
    data = json.dumps(EXAMPLES).encode()
    _load_or_refuse(data[:place] + junk + data[place + len(junk) :], tmp_path_factory)


def _load_or_refuse(data: bytes, tmp_path_factory: Any) -> None:
    path = tmp_path_factory.getbasetemp() / "mutated.jsonl"
    path.write_bytes(data)
    refused = ""
    try:
        made = load(path)
    except DataError as error:
        refused = str(error)
    else:
        write(made, path)
        assert load(path) == made
    assert not refused or "mutated.jsonl" in refused


def test_json_nested_beyond_reason_is_refused(tmp_path: Path) -> None:
    (tmp_path / "deep.jsonl").write_text('{"a":' * 100_000)
    with pytest.raises(DataError, match="not JSON"):
        load(tmp_path / "deep.jsonl")
