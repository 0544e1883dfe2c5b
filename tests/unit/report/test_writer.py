from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from recollect.domain.errors import DiskError
from recollect.records.tables.summary import Counts, Summary
from recollect.report.tables import as_parquet
from recollect.report.writer import is_rules, write
from recollect.store.run_folder import RunFolder

from tests.fakes.report_builder import HOSTILE, Made, hostile_run, run

URLS = {"href", "src", "action", "formaction", "xlink:href", "data", "poster"}


class Elements(HTMLParser):
    """Every element and attribute of a page."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.seen: list[tuple[str, Mapping[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def shapes(self) -> set[tuple[str, str]]:
        """Element and attribute names that occur."""
        return {(tag, name) for tag, attributes in self.seen for name in ("", *attributes)}

    def links(self) -> Iterator[str]:
        """All that a browser might follow or load."""
        for _, attributes in self.seen:
            yield from (value or "" for name, value in attributes.items() if name in URLS)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return run(tmp_path_factory.mktemp("write") / "run", histories=2, questions=3)


def written(made: Made) -> str:
    page = write(made.folder, made.summary, made.cells, card=made.card, identity=made.identity)
    return page.read_text(encoding="utf-8")


def test_the_page_lies_in_the_report_folder_with_its_tables_beside_it(made: Made) -> None:
    written(made)
    assert {"index.html", "scores.csv", "cells.csv"} <= {path.name for path in made.folder.report.iterdir()}
    assert not list(made.folder.report.glob("*.tmp"))


def test_the_same_input_gives_the_same_bytes(made: Made) -> None:
    written(made)
    first = {path.name: path.read_bytes() for path in made.folder.report.iterdir()}
    written(made)
    assert first == {path.name: path.read_bytes() for path in made.folder.report.iterdir()}


def test_the_page_says_what_a_reader_must_know(made: Made) -> None:
    text = " ".join(" ".join(Elements(written(made)).texts).split())
    for said in (
        made.identity,
        "Made with rules.",
        "name the makers",
        "@misc{moves,",
        f"recollect report {made.summary.run}",
        "Memory lift",
        "2×2×2 table",
        "not part of the run's identity",
        "order-dependent",
        "guessing has no meaning for this task",
    ):
        assert said in text


def test_nothing_is_loaded_from_anywhere(made: Made) -> None:
    page = written(made)
    assert all(link.startswith("#") for link in Elements(page).links())
    assert "url(http" not in page
    assert "@import" not in page


def test_every_inner_link_leads_somewhere(made: Made) -> None:
    elements = Elements(written(made))
    anchors = {attributes.get("id") for _, attributes in elements.seen}
    assert all("=" in link or link[1:] in anchors for link in elements.links())


def test_hostile_text_makes_no_element_and_no_attribute(made: Made, tmp_path: Path) -> None:
    plain, evil = Elements(written(made)), Elements(written(hostile_run(tmp_path / "evil", made)))
    assert evil.shapes() <= plain.shapes()
    assert not [name for _, name in evil.shapes() if name.startswith("on")]
    assert all(link.startswith("#") for link in evil.links())
    assert "7*7" in "".join(evil.texts)
    assert " 49 " not in "".join(evil.texts)


def test_a_page_that_does_not_escape_would_be_seen(made: Made) -> None:
    """A twin that is broken on purpose, to prove that the check can fail."""
    page = written(made)
    assert not Elements(page.replace("What was measured", HOSTILE)).shapes() <= Elements(page).shapes()


def test_a_text_of_100000_characters_is_shown_cut_everywhere(made: Made, tmp_path: Path) -> None:
    page = written(hostile_run(tmp_path / "long", made, long=True))
    assert "y" * 20_001 not in page
    assert "y" * 3_000 in page


def test_the_data_of_the_questions_can_be_read_back(made: Made) -> None:
    page = written(made)
    data = json.loads(page.split('id="data">')[1].split("</script>")[0])
    assert {entry["id"] for entry in data["entries"]} == {cell.question for cell in made.cells}


def test_a_run_of_nothing_has_a_page(tmp_path: Path, made: Made) -> None:
    folder = RunFolder(tmp_path / "empty")
    folder.write_data([], {}, {})
    nothing = Summary(run="empty", benchmark="toy", version=1, config={}, total=Counts(), fault_share=0.0)
    assert "empty" in written(Made(folder, nothing, (), made.card, "r1:0"))


def test_tables_of_nothing_say_so(made: Made) -> None:
    """Under the same headings as tables of something."""
    quiet = re.findall(r"<h[23]>([^<]*)</h[23]>\s*<p class=\"quiet\">([^<]*)", written(made))
    said = dict(quiet)
    assert said["What it cost"] == "No model was called."
    assert said["Noise"].startswith("Nothing was repeated")
    faultless = written(made._replace(summary=replace(made.summary, faults=())))
    assert faultless.count("No answer was lost to a fault.") == len(made.summary.tasks)


def test_what_is_not_finished_is_said(made: Made) -> None:
    half = replace(made.summary, total=replace(made.summary.total, unfinished=7))
    assert "Not finished." in written(made._replace(summary=half))


def test_only_rules_are_marked_as_rules() -> None:
    assert [is_rules(one) for one in ("rules", "rules-2", "gpt rules", None, 3)] == [True, True, False, False, False]


def test_without_pyarrow_there_is_no_parquet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert as_parquet([{"a": 1}]) is None


def test_parquet_of_an_earlier_report_does_not_stay(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("recollect.report.tables.as_parquet", lambda records: None)
    written(made)
    (made.folder.report / "cells.parquet").write_bytes(b"old")
    written(made)
    assert not (made.folder.report / "cells.parquet").exists()


@pytest.mark.parametrize("content", [None, b"new"], ids=["removed", "replaced"])
def test_parquet_that_cannot_be_touched_is_named_and_costs_neither_page_nor_tables(
    content: bytes | None, made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder of that name stands for a file that the system does not let go of."""
    fresh = made._replace(folder=RunFolder(tmp_path / "run"))
    shutil.copytree(made.folder.path, fresh.folder.path)
    shutil.rmtree(fresh.folder.report, ignore_errors=True)
    (fresh.folder.report / "cells.parquet").mkdir(parents=True)
    monkeypatch.setattr("recollect.report.tables.as_parquet", lambda records: content)
    with pytest.raises(DiskError, match=r"report/cells\.parquet: cannot be re\w+"):
        written(fresh)
    assert {"index.html", "scores.csv", "cells.csv"} <= {path.name for path in fresh.folder.report.iterdir()}


def test_parquet_holds_the_same_cells(made: Made) -> None:
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    import io

    import pyarrow.parquet

    records: list[dict[str, Any]] = [{"a": 1, "b": None}, {"a": 2, "b": "x"}, {"a": 3, "b": "\ud800"}]
    data = as_parquet(records)
    assert data is not None
    assert pyarrow.parquet.read_table(io.BytesIO(data)).to_pylist() == [*records[:2], {"a": 3, "b": "\\ud800"}]


def test_the_diagnosis_is_not_imported(made: Made) -> None:
    """The page is made from values; only their maker knows how."""
    import subprocess

    names = ("writer", "page.html", "page.payload", "page.tasks")
    code = "import sys, " + ", ".join(f"recollect.report.{name}" for name in names)
    found = f"{code}; print([m for m in sys.modules if 'diagnose' in m or 'engine' in m])"
    assert subprocess.run([sys.executable, "-c", found], capture_output=True, text=True, check=True).stdout == "[]\n"
