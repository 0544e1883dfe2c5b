"""The page in a real browser: it works, and hostile text in every field does nothing. Skips where there is none."""

from __future__ import annotations

import re
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path
from urllib.parse import quote

import pytest

from recollect.report.writer import write

from tests.fakes.browser import Tab, drive
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


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three tasks of two histories, nine rows and more."""
    return page_of(run(tmp_path_factory.mktemp("steered") / "run", histories=2, questions=4, rows=ten_rows()))


DRAWN = "document.querySelector('#matches .tally')"
FOCUSED = "document.activeElement.id"


def test_a_slash_leads_to_the_search_from_anywhere_and_words_narrow_the_list(page: Path, browser: str) -> None:
    """The questions were not even drawn when the key came."""

    async def act(tab: Tab) -> None:
        await tab.open(page)
        await tab.press("/")
        await tab.until(f"{FOCUSED} === 'search'")
        await tab.press(*"bela")
        await tab.until("location.hash === '#text=bela'")
        assert await tab.value(f"{DRAWN}.textContent.startsWith('6 of 24 questions')")
        await tab.press("Escape", "j", "Enter")
        await tab.until("document.querySelector('body.one-question .asked')")
        assert "Bela" in await tab.value("document.querySelector('.asked').textContent")
        await tab.press("/")
        await tab.until(f"{FOCUSED} === 'search'")
        assert await tab.value("document.getElementById('search').value") == "bela"

    drive(browser, act)


def test_outcomes_are_picked_by_keyboard_and_keep_the_focus(page: Path, browser: str) -> None:
    async def act(tab: Tab) -> None:
        await tab.open(page, "#task=facts")
        await tab.until(DRAWN)
        await tab.value("document.getElementById('pick-wrong').focus()")
        await tab.press("Enter")
        await tab.until("location.hash === '#task=facts&arm=system&outcome=wrong'")
        await tab.until(f"{FOCUSED} === 'pick-wrong'")
        await tab.until("document.getElementById('pick-wrong').getAttribute('aria-pressed') === 'true'")
        await tab.value("document.getElementById('pick-row').focus()")
        await tab.press(*"full")
        await tab.until("location.hash === '#task=facts&row=full&arm=system&outcome=wrong'")
        await tab.until(f"{FOCUSED} === 'pick-row'")

    drive(browser, act)


def test_an_address_brings_back_filters_and_question(page: Path, browser: str) -> None:
    async def act(tab: Tab) -> None:
        await tab.open(page, "#task=facts&row=full&text=bela&q=q-facts-0-1")
        await tab.until("document.querySelector('.one .asked')")
        assert await tab.value("document.querySelector('.cells details[open] .rowname').textContent") == "full"
        await tab.press("Escape")
        await tab.until(DRAWN)
        chosen = "['task','row'].map((name) => document.getElementById('pick-' + name).value)"
        assert await tab.value(chosen) == ["facts", "full"]
        assert await tab.value("document.getElementById('search').value") == "bela"

    drive(browser, act)


def test_the_first_wrong_answer_of_the_first_task_is_open_until_something_is_chosen(page: Path, browser: str) -> None:
    """It is one of a row under test, and not of the row that keeps nothing."""

    async def act(tab: Tab) -> None:
        await tab.open(page, "#task=")
        await tab.until("document.querySelector('.first-wrong .inside h5')")
        said = await tab.value("document.querySelector('.first-wrong').textContent")
        assert said.startswith("The first wrong answer: choice, ")
        assert not said.startswith("The first wrong answer: choice, none")
        assert "lost at" in said
        assert await tab.value("document.querySelectorAll('.first-wrong .badge.wrong').length") >= 1
        await tab.open(page, "#row=full")
        await tab.until(DRAWN)
        assert await tab.value("document.querySelector('.first-wrong')") is None

    drive(browser, act)


def test_an_answer_of_the_row_that_keeps_nothing_is_not_lost_at_unknown(page: Path, browser: str) -> None:
    async def act(tab: Tab) -> None:
        await tab.open(page, "#row=none&task=facts&arm=system&outcome=wrong")
        await tab.until("document.querySelector('#matches .list a')")
        await tab.value("document.querySelector('#matches .list a').click()")
        await tab.until("document.querySelector('.cells details[open]')")
        said = await tab.value("document.querySelector('.cells details[open] summary').textContent")
        assert "wrong keeps nothing" in said
        assert "unknown" not in await tab.value("document.querySelector('.cells').textContent")

    drive(browser, act)


@pytest.mark.parametrize("width", [1280, 800, 400])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_neither_page_nor_navigation_scrolls_sideways(page: Path, browser: str, width: int, scheme: str) -> None:
    """Wide tables scroll in their boxes; the menu of tasks stays on the page when it is open."""

    async def act(tab: Tab) -> None:
        await tab.size(width, scheme=scheme)
        await tab.open(page)
        await tab.value("document.querySelector('.menu').open = true")
        wide = (
            "[document.documentElement, document.querySelector('.bar .wrap')].map((e) => e.scrollWidth - e.clientWidth)"
        )
        assert await tab.value(wide) == [0, 0]
        loose = "(t) => t.offsetWidth > innerWidth && !t.closest('.scroll')"
        assert await tab.value(f"[...document.querySelectorAll('table')].filter({loose}).length") == 0

    drive(browser, act)


def test_the_menu_of_tasks_closes_behind_the_link_that_was_taken(page: Path, browser: str) -> None:
    async def act(tab: Tab) -> None:
        await tab.open(page)
        await tab.value("document.querySelector('.menu summary').focus()")
        await tab.press("Enter")
        await tab.until("document.querySelector('.menu').open")
        await tab.press("Escape")
        await tab.until("!document.querySelector('.menu').open")
        assert await tab.value("document.activeElement.textContent") == "Tasks"
        await tab.press("Enter", "Tab", "Tab", "Enter")
        await tab.until("location.hash === '#task-2' && !document.querySelector('.menu').open")

    drive(browser, act)


def test_names_at_the_ends_of_the_lines_do_not_lie_on_one_another(page: Path, browser: str) -> None:
    """As drawn, in pixels; on a phone there are none, and the plot takes their room."""

    async def act(tab: Tab) -> None:
        boxes = (
            "[...document.querySelectorAll('#task-2 .curves .end')].map((e) => e.getBoundingClientRect())"
            ".map((r) => [r.top, r.bottom, r.right, r.height])"
        )
        await tab.size(1280)
        await tab.open(page)
        drawn = sorted(await tab.value(boxes))
        assert len(drawn) == 9
        assert all(second[0] >= first[1] - 2 for first, second in pairwise(drawn))
        await tab.size(400)
        assert all(one[3] == 0 for one in await tab.value(boxes))

    drive(browser, act)


def test_on_paper_all_is_light_and_no_table_is_cut(page: Path, browser: str) -> None:
    """690 pixels lie between the margins of an A4 sheet; the reader's own scheme is dark."""

    async def act(tab: Tab) -> None:
        await tab.open(page)
        await tab.size(690, media="print", scheme="dark")
        assert await tab.value("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        cut = "(t) => t.getBoundingClientRect().right > innerWidth + 1"
        assert await tab.value(f"[...document.querySelectorAll('table')].filter({cut}).length") == 0
        assert await tab.value("document.getElementById('questions').offsetHeight") == 0
        assert await tab.value("document.querySelector('.bar').offsetHeight") == 0

    drive(browser, act)


def test_a_question_is_printed_with_all_its_answers_unfolded(page: Path, browser: str) -> None:
    async def act(tab: Tab) -> None:
        await tab.open(page, "#q=q-facts-0-1")
        await tab.until("document.querySelector('.one .asked')")
        await tab.size(690, media="print")
        await tab.value("window.dispatchEvent(new Event('beforeprint'))")
        folded = (
            "[...document.querySelectorAll('.cells > details')].filter((d) => !d.open || !d.querySelector('h5')).length"
        )
        assert await tab.value(folded) == 0
        assert await tab.value("document.querySelector('.asked').offsetHeight") > 0

    drive(browser, act)


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of 12 histories of 50 questions, asked of ten rows: more than ten thousand cells."""
    made = run(tmp_path_factory.mktemp("many") / "run", histories=12, questions=50, tasks=("facts",), rows=ten_rows())
    assert len(made.cells) > 10_000
    assert len({cell.row for cell in made.cells}) == 10
    return page_of(made)


def test_six_hundred_questions_of_ten_rows_stay_small(many: Path, browser: str, tmp_path: Path) -> None:
    """The page says each text once, and draws a hundred questions at first."""
    assert many.stat().st_size < 8_000_000
    dom = opened(browser, many, tmp_path / "profile", "#task=facts")
    assert "600 of 600 questions" in dom
    assert "Show more (500 left)" in dom


@pytest.mark.full
def test_ten_thousand_cells_are_there_within_seconds(many: Path, browser: str) -> None:
    """Measured at 0.4 s; the bound lies far above it, for slow machines."""

    async def act(tab: Tab) -> float:
        await tab.open(many, "#task=")
        await tab.until(DRAWN)
        return float(await tab.value("performance.getEntriesByType('navigation')[0].loadEventEnd"))

    assert drive(browser, act) < 5_000
