"""A report that was touched, or whose records were, is found out."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect.report.verification import verify

MADE = {
    "report.json": b'{"identity": "r1:a", "summary": {"numbers": [{"estimate": 0.5}, {"estimate": null}]}}',
    "scores.csv": b"task,row,estimate\nt,bm25,0.5\n",
    "index.html": b"<p>0.5</p>\n<p>end</p>\n",
}


@pytest.fixture
def report(tmp_path: Path) -> Path:
    """A report as it was made."""
    for name, content in MADE.items():
        (tmp_path / name).write_bytes(content)
    return tmp_path


def test_a_report_as_it_was_made_has_no_difference(report: Path) -> None:
    """Nothing is named where nothing differs."""
    assert verify(report, MADE) == []


@pytest.mark.parametrize(
    ("name", "old", "new", "place", "said", "recomputed"),
    [
        pytest.param("report.json", b"0.5", b"0.6", "summary.numbers[0].estimate", "0.6", "0.5", id="a number"),
        pytest.param(
            "report.json", b"null", b"0", "summary.numbers[1].estimate", "0", "null", id="undefined is no zero"
        ),
        pytest.param("report.json", b"r1:a", b"r1:b", "identity", "r1:b", "r1:a", id="identity"),
        pytest.param("scores.csv", b"0.5", b"0.9", "line 2, estimate", "0.9", "0.5", id="a cell of the table"),
        pytest.param("scores.csv", b"t,bm25,0.5\n", b"", "line 2, task", "", "t", id="a missing line"),
        pytest.param("index.html", b"0.5", b"0.7", "line 1", "<p>0.7</p>", "<p>0.5</p>", id="the page"),
    ],
)
def test_a_changed_value_is_named_with_its_place(
    report: Path, name: str, old: bytes, new: bytes, place: str, said: str, recomputed: str
) -> None:
    """Where, what is there, and what the records say."""
    (report / name).write_bytes(MADE[name].replace(old, new))
    first = verify(report, MADE)[0]
    assert (first.file, first.place, first.said, first.recomputed) == (name, place, said, recomputed)


def test_a_missing_file_and_a_broken_one_are_differences(report: Path) -> None:
    """Neither raises."""
    (report / "scores.csv").unlink()
    (report / "report.json").write_bytes(b"{")
    found = {one.file: one.said for one in verify(report, MADE)}
    assert found["scores.csv"] == "(the file is missing)"
    assert found["report.json"].startswith("cannot be read")


def test_other_bytes_with_the_same_values_are_still_told(report: Path) -> None:
    """A report that somebody wrote again by hand is not the report."""
    (report / "report.json").write_bytes(MADE["report.json"].replace(b": ", b":"))
    assert [one.said for one in verify(report, MADE)] == ["the bytes differ, the values do not"]
