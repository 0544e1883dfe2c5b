"""Repeats by stage, the noise floor and ties, as a user types them; reader and judge sample."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path
from typing import Any, cast

import pytest

from recollect import registry
from recollect.cli import command_line
from recollect.store.journal import Journal

from tests.fakes.model_runs import run_own
from tests.fakes.model_server import ModelServer

OWN = Path(__file__).parents[2] / "examples" / "own_data"
BASE = f"run own --data {OWN} --memory bm25 --reader sampling --judge sampling"
QUESTIONS = 6
ROWS = {"bm25", "files", "full", "none", "oracle", "window"}

Recollect = Callable[..., Any]


@pytest.fixture
def recollect(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Recollect:
    """Runs a command line in a folder of its own; gives what it printed, read where it is JSON."""
    toys = (("READERS", "tests.fakes.sampling:SamplingReader"), ("JUDGES", "tests.fakes.sampling:SamplingJudge"))
    for table, toy in toys:
        monkeypatch.setitem(cast("dict[str, str]", getattr(registry, table)), "sampling", toy)
    monkeypatch.chdir(tmp_path)

    def said(line: str, *, code: int = 0) -> Any:
        capsys.readouterr()
        assert command_line(line.split()) == code, capsys.readouterr().err
        printed = capsys.readouterr()
        return json.loads(printed.out) if "--json" in line else printed.out + printed.err

    return said


def identity(recollect: Recollect, run: str) -> str:
    """One digest of all that came of a run."""
    return str(recollect(f"score {run} --json")["identity"])


def config(run: str) -> Mapping[str, Any]:
    """The stored config of a run."""
    return cast("Mapping[str, Any]", json.loads(Path(f"runs/{run}/run.json").read_text())["config"])


def test_each_stage_is_repeated_as_often_as_asked(recollect: Recollect) -> None:
    """Six questions, two ingests, three answers, two verdicts; searched once an ingest."""
    summary = recollect(f"{BASE} --repeats ingest=2,answer=3,judge=2 --name r --json")["summary"]
    number = next(n for n in summary["numbers"] if (n["row"], n["arm"]) == ("bm25", "system"))
    assert (number["counts"]["planned"], number["counts"]["scored"]) == (QUESTIONS * 12, QUESTIONS * 12)
    assert (number["replicates"], number["takes"], number["score"]["n"]) == (2, 6, QUESTIONS)
    kinds: dict[str, int] = {}
    for file in Path("runs/r/trials").glob("*/records.jsonl"):
        facts = json.loads(file.with_name("trial.json").read_text())
        if facts["row"] == "full":
            for entry in Journal(file).done.values():
                kinds[entry.kind] = kinds.get(entry.kind, 0) + 1
    assert (kinds["recall"], kinds["answer"], kinds["verdict"]) == (QUESTIONS * 2, QUESTIONS * 6, QUESTIONS * 12)
    assert config("r")["repeats"] == {"ingest": 2, "answer": 3, "judge": 2}


def test_the_noise_of_each_stage_is_in_summary_table_report_and_diagnosis(recollect: Recollect) -> None:
    """Every row was repeated, so every row has its line."""
    recollect(f"{BASE} --repeats ingest=2,answer=3,judge=2 --name r")
    noise = recollect("score r --json")["summary"]["noise"]
    assert {one["row"] for one in noise} == ROWS
    assert [part["stage"] for part in noise[0]["components"]] == ["ingest", "answer", "judge"]
    judged = [one["components"][2]["variance"] for one in noise]
    assert all(0.05 < variance < 0.4 for variance in judged), judged
    table = recollect("score r")
    assert re.search(r"own +bm25 .* df 36 +\d\.\d\d\d \(2 runs of ingest\)", table)
    assert len(recollect("diagnose r --json")["noise"]) == len(ROWS)
    assert "Noise floor" in Path("runs/r/report/index.html").read_text()
    assert "takes" in Path("runs/r/report/scores.csv").read_text().splitlines()[0]


def test_the_same_command_elsewhere_comes_to_the_same_and_takes_differ(recollect: Recollect) -> None:
    """The draws depend on what a call is for, and on nothing else: no take has the answer of another."""
    for name in ("a", "b"):
        recollect(f"{BASE} --repeats answer=4 --name {name}")
    assert identity(recollect, "a") == identity(recollect, "b")
    texts = [
        body.text
        for file in Path("runs/a/trials").glob("*/records.jsonl")
        for _, body in Journal(file).bodies("answer")
        if body.text.startswith("nonsense")
    ]
    assert len(texts) > QUESTIONS
    assert len(set(texts)) == len(texts)


def test_a_run_that_lost_half_of_its_records_goes_on_to_the_same_end(recollect: Recollect) -> None:
    """What is cut off is asked again, take by take."""
    recollect(f"{BASE} --repeats answer=2,judge=2 --name r")
    before = identity(recollect, "r")
    for file in Path("runs/r/trials").glob("*/records.jsonl"):
        whole = file.read_bytes()
        file.write_bytes(whole[: len(whole) * 2 // 3])
    recollect("resume r")
    assert identity(recollect, "r") == before


def test_parts_of_a_run_with_takes_merge_to_the_whole(recollect: Recollect) -> None:
    """A trial with all its takes is in one part."""
    repeats = "--repeats ingest=2,answer=2,judge=2"
    recollect(f"{BASE} {repeats} --name whole")
    for part in (1, 2):
        recollect(f"{BASE} {repeats} --name part{part} --shard {part}/2")
    recollect("merge part1 part2 --name merged")
    assert identity(recollect, "merged") == identity(recollect, "whole")
    assert "all numbers follow from the records" in recollect("verify merged")


def test_a_limit_counts_questions_and_not_takes(recollect: Recollect) -> None:
    """Four questions, each with all of its takes."""
    plan = recollect(f"{BASE} --repeats answer=2,judge=3 --limit 4 --dry-run --json")
    found = recollect(f"{BASE} --repeats answer=2,judge=3 --limit 4 --name l --json")["summary"]
    number = next(n for n in found["numbers"] if (n["row"], n["arm"]) == ("bm25", "system"))
    assert (number["score"]["n"], number["counts"]["planned"]) == (4, 24)
    written = [len(list(Journal(f).bodies("answer"))) for f in Path("runs/l/trials").glob("*/records.jsonl")]
    left_out = sum(n["counts"].get("not_available", 0) for n in found["numbers"]) // 3
    assert plan["answers"] == sum(written) + left_out


@pytest.mark.parametrize("said", ["2", "ingest=2"])
def test_whole_trials_are_stored_as_the_number_that_they_always_were(said: str, recollect: Recollect) -> None:
    """Two ways to say it, one config, one identity."""
    recollect(f"{BASE} --repeats {said} --name n")
    recollect(f"{BASE} --repeats 2 --name m")
    assert config("n")["repeats"] == 2
    assert identity(recollect, "n") == identity(recollect, "m")


def test_a_run_without_repeats_is_what_it_was(recollect: Recollect) -> None:
    """Neither its config nor its summary names noise."""
    summary = recollect(f"{BASE} --name plain --json")["summary"]
    assert config("plain")["repeats"] == 1
    assert "noise" not in summary
    assert not any("takes" in number for number in summary["numbers"])
    assert "noise" not in recollect("score plain")


def test_a_file_says_repeats_by_stage_too(recollect: Recollect, tmp_path: Path) -> None:
    """As a mapping, and a flag overrides it."""
    (tmp_path / "run.yaml").write_text(
        f"benchmark: own\ndata: {OWN}\nmemories: [{{name: bm25}}]\nrepeats: {{answer: 2, judge: 3}}\n"
    )
    recollect("run --config run.yaml --name f")
    assert config("f")["repeats"] == {"ingest": 1, "answer": 2, "judge": 3}
    recollect("run --config run.yaml --repeats 2 --name g")
    assert config("g")["repeats"] == 2


def test_aa_runs_all_twice_states_the_floor_and_compare_says_tie(recollect: Recollect) -> None:
    """Two runs of one system: no difference between them is a win."""
    told = recollect(f"{BASE} --aa --name first")
    assert "noise floor" in told
    assert config("first")["repeats"] == 2
    recollect(f"{BASE} --aa --name second --seed 1")
    result = recollect("compare first:bm25 second:bm25 --json")["tasks"][0]
    assert result["verdict"] == "tie"
    assert result["tie"]
    assert result["first_floor"]["source"] == "ingest"
    printed = recollect("compare first:bm25 second:bm25")
    assert re.search(r"noise floor of first:bm25 on own: \d\.\d\d\d \(2 runs of ingest\)", printed)


def test_aa_adds_ingests_to_repeats_of_other_stages_and_keeps_more_of_them(recollect: Recollect) -> None:
    """At least two, never fewer than asked."""
    plan = recollect(f"{BASE} --aa --repeats answer=2 --dry-run --json")
    assert plan["trials"] == 2 * 2 * len(ROWS)
    assert recollect(f"{BASE} --aa --repeats 3 --dry-run --json")["trials"] == 3 * 2 * len(ROWS)


def test_compare_without_repeats_says_how_to_know_the_floor(recollect: Recollect) -> None:
    """Unknown is never taken for 0."""
    recollect(f"{BASE} --name plain")
    printed = recollect("compare plain:bm25 plain:none")
    assert "noise floor of plain:bm25 on own: unknown: run with --repeats or --aa" in printed
    assert recollect("compare plain:bm25 plain:none --json")["tasks"][0]["first_floor"]["half_width"] is None


def test_rules_repeat_themselves_and_are_called_deterministic(recollect: Recollect) -> None:
    """All components are 0, and no win comes of that."""
    line = f"run own --data {OWN} --memory bm25 --repeats ingest=2,answer=2,judge=2 --name rules --json"
    noise = recollect(line)["summary"]["noise"]
    assert all(one["deterministic"] for one in noise)
    assert {part["variance"] for one in noise for part in one["components"]} == {0.0}
    printed = recollect("compare rules:bm25 rules:full")
    assert "0 (2 runs of ingest: deterministic)" in printed
    assert "tie" in printed


@pytest.mark.parametrize(
    ("said", "hint"),
    [
        ("0", "`repeats` of `ingest` lie in 1 to 1000, got 0"),
        ("answer=0", "`repeats` of `answer` lie in 1 to 1000, got 0"),
        ("answers=2", "did you mean `answer`?"),
        ("answer", "write a number, or ingest=2,answer=3,judge=2"),
        ("judge=two", "`judge`"),
    ],
)
def test_wrong_repeats_are_named_with_what_to_write(said: str, hint: str, recollect: Recollect) -> None:
    """A usage error, and nothing is run."""
    assert hint in recollect(f"{BASE} --repeats {said} --name bad", code=2)
    assert not Path("runs/bad").exists()


def test_a_changed_number_of_repeats_is_refused_under_the_same_name(recollect: Recollect) -> None:
    """The table of a run has one number of takes."""
    recollect(f"{BASE} --name r")
    assert "`repeats` was 1, now" in recollect(f"{BASE} --repeats answer=2 --name r", code=3)


@pytest.mark.parametrize("temperature", [0, 1])
def test_each_take_of_a_model_is_a_call_of_its_own_and_is_paid_once(temperature: int, tmp_path: Path) -> None:
    """Six questions, two ingests, three answers: 36 calls, in whichever order; the same again from the cache alone."""
    numbers = count()
    with ModelServer(reply=lambda call: f"reply {next(numbers)}") as server:
        repeats = ("--repeats", "ingest=2,answer=3")
        assert run_own(tmp_path, server, *repeats, name="one", temperature=temperature) == 0
        assert server.requests == 1 + QUESTIONS * 6
        texts = [text for file in answered(tmp_path, "one") for text in file]
        assert len(set(texts)) == len(texts) == QUESTIONS * 6
        assert run_own(tmp_path, server, *repeats, name="two", temperature=temperature) == 0
        assert server.requests == 2 + QUESTIONS * 6, "one more trial call"
        assert sorted(answered(tmp_path, "one")) == sorted(answered(tmp_path, "two"))


def answered(cwd: Path, run: str) -> list[list[str]]:
    """The answers of each trial of a run, in order of their keys."""
    journals = [Journal(file) for file in (cwd / "runs" / run / "trials").glob("*/records.jsonl")]
    return [[body.text for _, body in sorted(j.bodies("answer"), key=lambda one: one[0])] for j in journals]


def test_records_of_a_run_without_repeats_serve_one_with_them(recollect: Recollect) -> None:
    """The first takes have the same keys: copied into the new run's folder, they are not asked again."""
    recollect(f"{BASE} --name once")
    recollect(f"{BASE} --repeats answer=2 --name twice")
    wanted = identity(recollect, "twice")
    for trial in Path("runs/once/trials").iterdir():
        shutil.copy(trial / "records.jsonl", Path("runs/twice/trials") / trial.name / "records.jsonl")
    recollect("resume twice")
    assert identity(recollect, "twice") == wanted
