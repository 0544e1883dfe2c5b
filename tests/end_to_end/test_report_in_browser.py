"""The page in a real browser: it works, and hostile text in every field does nothing. Skips where there is none."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from urllib.parse import quote

import pytest

from recollect.report.write import write

from tests.fakes.report_builder import SWITCH, Made, hostile_run, run, ten_rows

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--virtual-time-budget=5000",
    "--window-size=1280,20000",
    "--dump-dom",
)


@pytest.fixture(scope="module")
def browser() -> str:
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        pytest.skip("no chromium found: the page is not looked at in a browser")
    return found


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return run(tmp_path_factory.mktemp("browser") / "run", histories=1, questions=2)


def opened(browser: str, page: Path, profile: Path, hash_part: str = "") -> str:
    """The document after its scripts ran."""
    url = page.as_uri() + hash_part
    command = [browser, *FLAGS, f"--user-data-dir={profile}", url]
    return subprocess.run(command, capture_output=True, check=True, timeout=120).stdout.decode("utf-8", "replace")


def page_of(made: Made) -> Path:
    return write(made.folder, made.summary, made.cells, card=made.card, identity=made.identity)


def is_owned(dom: str) -> bool:
    """An exploit ran and left its mark on the document."""
    head = re.search(r"<html[^>]*>", dom)
    return head is None or "data-owned" in head.group()


def test_the_question_list_is_drawn_by_the_one_script_that_may_run(made: Made, browser: str, tmp_path: Path) -> None:
    dom = opened(browser, page_of(made), tmp_path, "#task=facts")
    assert "2 of 6 questions" in dom
    assert not is_owned(dom)


def test_a_question_can_be_opened_by_its_address(made: Made, browser: str, tmp_path: Path) -> None:
    dom = opened(browser, page_of(made), tmp_path, "#q=q-facts-0-1&row=bm25&arm=system")
    assert "Where does Bela keep the train pass no. 2 now?" in dom
    assert "The history around the evidence (1 message)" in dom
    assert "evidence messages among them" in dom


def test_an_unknown_question_is_said_to_be_unknown(made: Made, browser: str, tmp_path: Path) -> None:
    assert "There is no question" in opened(browser, page_of(made), tmp_path, "#q=elsewhere")


def test_hostile_text_in_every_field_does_nothing(made: Made, browser: str, tmp_path: Path) -> None:
    evil = hostile_run(tmp_path / "evil", made, long=True)
    page = page_of(evil)
    cell = next(one for one in evil.cells if one.row.startswith("extractor") and one.recall)
    wanted = f"#q={quote(cell.question, safe='')}&row={quote(cell.row, safe='')}"
    for number, hash_part in enumerate(("", "#task=", wanted)):
        dom = opened(browser, page, tmp_path / f"profile-{number}", hash_part)
        assert not is_owned(dom)
        assert "<iframe" not in dom.split('id="data">')[0]
        assert not re.search(r"<(img|iframe|svg onload)", dom.split('id="browser">')[1].split("</section>")[0])
    assert "The history around the evidence" in dom


def test_an_exploit_on_a_page_without_its_policy_would_be_seen(made: Made, browser: str, tmp_path: Path) -> None:
    """A twin that is broken on purpose, to prove that the check can fail."""
    page = page_of(made).read_text(encoding="utf-8")
    bare = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page)
    injected = f"<script>{SWITCH}</script></body>"
    (tmp_path / "broken.html").write_text(bare.replace("</body>", injected), encoding="utf-8")
    (tmp_path / "kept.html").write_text(page.replace("</body>", injected), encoding="utf-8")
    assert is_owned(opened(browser, tmp_path / "broken.html", tmp_path / "a"))
    assert not is_owned(opened(browser, tmp_path / "kept.html", tmp_path / "b"))


def test_five_hundred_questions_of_ten_rows_stay_small(browser: str, tmp_path: Path) -> None:
    """10 histories of 50 questions; the page says each text once, and draws a hundred questions at first."""
    many = run(tmp_path / "many", histories=10, questions=50, tasks=("facts",), rows=ten_rows())
    page = page_of(many)
    assert len({cell.row for cell in many.cells}) == 10
    assert page.stat().st_size < 8_000_000
    dom = opened(browser, page, tmp_path / "profile", "#task=facts")
    assert "500 of 500 questions" in dom
    assert "Show more (400 left)" in dom
