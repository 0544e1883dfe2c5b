"""Docs are run: every `recollect` line of a fenced block works, in its page's order; every link leads somewhere."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from recollect import registry

from tests.fakes.command_line import typed

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FORBIDDEN = re.compile(r"(?<![\w.])/(?:home|root|Users)/\w")
"""A path of one machine."""


def commands(page: Path) -> list[str]:
    """The shell lines of a page that start with `recollect`."""
    blocks = re.findall(r"^```(?:sh|bash|)\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)
    lines = [line for block in blocks for line in block.splitlines()]
    return [line.split("  #")[0].strip() for line in lines if line.startswith("recollect ")]


def needs_a_system(line: str) -> bool:
    """It installs or runs a third-party system, which takes minutes and a package index; `make systems` does."""
    named = set(re.findall(r"[\w-]+", line)) & set(registry.SYSTEMS)
    return bool(named) and not os.environ.get("RECOLLECT_SYSTEMS")


def needs_real_data(line: str, cwd: Path) -> bool:
    """It takes source data, or what an earlier such line of the page would have made, or a run on that."""
    if os.environ.get("RECOLLECT_DATA"):
        return False
    data = re.search(r"--data (\S+)", line)
    run = re.match(r"recollect (?:score|diagnose|compare|report) ([\w-]+)", line)
    made = (data is None or (cwd / data[1]).exists()) and (run is None or (cwd / "runs" / run[1]).exists())
    return "$RECOLLECT_DATA" in line or not made


@pytest.mark.full
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_of_a_page_works(page: Path, tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    for line in commands(page):
        if needs_real_data(line, tmp_path) or needs_a_system(line):
            continue
        words = [os.path.expandvars(word) for word in shlex.split(line)]
        done = typed(words[1:], tmp_path)
        assert done.returncode == 0, f"{page.name}: {line}\n{done.stdout}\n{done.stderr}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8"))
    missing = [link for link in links if "://" not in link and not (page.parent / link).exists()]
    assert not missing


def test_the_pages_hold_commands_to_run() -> None:
    assert sum(len(commands(page)) for page in PAGES) >= 10


def test_every_memory_and_benchmark_is_named_in_the_docs() -> None:
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    missing = [name for name in (*registry.MEMORIES, *registry.BENCHMARKS) if f"`{name}`" not in text]
    assert not missing


def test_no_file_names_a_path_of_the_machine_it_was_made_on() -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    kinds = {".py", ".md", ".toml", ".yaml", ".yml", ".txt", ".sh", ".cff", ""}
    files = [ROOT / name for name in tracked]
    texts = {file: file.read_text(encoding="utf-8", errors="replace") for file in files if file.suffix in kinds}
    found = [str(file) for file, text in texts.items() if FORBIDDEN.search(text)]
    assert not found
