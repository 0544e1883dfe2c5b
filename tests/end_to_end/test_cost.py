"""What a run took is in its score line, its report and its table, as the server counted it."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.fakes.model_acts import Act
from tests.fakes.model_runs import answers, ledger, recollect, run_own
from tests.fakes.model_server import ModelServer

PRICES = "prices: [{model: stub-1, input: 1000, output: 2000, date: 2026-01-01, source: made up for a test}]\n"
Printed = pytest.CaptureFixture[str]


def test_the_cost_of_a_run_is_told_everywhere_and_agrees_with_the_server(tmp_path: Path, capsys: Printed) -> None:
    """A charged try that gave nothing is in the sums too."""
    (tmp_path / "p.yaml").write_text(PRICES, encoding="utf-8")
    with ModelServer(reply=answers()) as server:
        server.then("ready", Act(text=""))
        assert run_own(tmp_path, server, "--prices", "p.yaml") == 0
        totals = server.totals["stub-1"]
    tokens_in, tokens_out = totals.tokens_in + totals.wasted_in, totals.tokens_out + totals.wasted_out
    money = (1000 * tokens_in + 2000 * tokens_out) / 1e6
    capsys.readouterr()
    assert recollect(tmp_path, "score", "r") == 0
    (line,) = (line for line in capsys.readouterr().out.splitlines() if line.startswith("cost: "))
    assert f"{tokens_in:,} tokens in, {tokens_out:,} out" in line
    assert "7 paid, 0 from the cache (0.0\u00a0%), 1 failed" in line
    assert recollect(tmp_path, "score", "r", "--json") == 0
    total = json.loads(capsys.readouterr().out)["summary"]["costs"]["total"]
    assert (total["input_tokens"], total["output_tokens"]) == (tokens_in, tokens_out)
    assert total["money"] == pytest.approx(money, abs=1e-9)
    report = tmp_path / "runs" / "r" / "report"
    assert "What it cost" in (report / "index.html").read_text(encoding="utf-8")
    *lines, last = csv.DictReader((report / "costs.csv").read_text(encoding="utf-8").splitlines())
    assert int(last["input_tokens"]) == tokens_in == sum(int(line["input_tokens"]) for line in lines)
    assert {line["stage"] for line in lines} == {"probe", "answer"}


def test_a_second_run_takes_its_replies_from_the_cache_and_says_so(tmp_path: Path, capsys: Printed) -> None:
    with ModelServer(reply=answers()) as server:
        assert run_own(tmp_path, server, name="first") == 0
        assert run_own(tmp_path, server, name="second") == 0
    capsys.readouterr()
    assert recollect(tmp_path, "score", "second") == 0
    out = capsys.readouterr().out
    assert "no price known; 7 calls: 1 paid, 6 from the cache (85.7\u00a0%)" in out


def test_rules_take_nothing_and_say_nothing_of_it(tmp_path: Path, capsys: Printed) -> None:
    from tests.fakes.model_runs import OWN

    assert recollect(tmp_path, "run", "own", "--data", str(OWN), "--memory", "bm25", "--name", "r") == 0
    assert recollect(tmp_path, "score", "r") == 0
    assert "cost: " not in capsys.readouterr().out


def test_as_many_answers_are_paid_for_as_a_dry_run_foretells(tmp_path: Path, capsys: Printed) -> None:
    with ModelServer(reply=answers()) as server:
        assert run_own(tmp_path, server, "--dry-run", "--json") == 0
        assert server.requests == 0
        roles = json.loads(capsys.readouterr().out)["forecast"]["roles"]
        assert run_own(tmp_path, server) == 0
    (reader,) = (role for role in roles if role["role"] == "reader")
    assert reader["expected"]["calls"] == sum(line.stage == "answer" for line in ledger(tmp_path))


def test_parts_that_are_merged_have_the_whole_ledger_once(tmp_path: Path, capsys: Printed) -> None:
    """Calls of no trial too; merging again adds nothing."""
    with ModelServer(reply=answers()) as server:
        for part in ("1", "2"):
            assert run_own(tmp_path, server, "--shard", f"{part}/2", name=f"part{part}") == 0
    single = sorted(line.call for part in ("part1", "part2") for line in ledger(tmp_path, part))
    for _ in range(2):
        assert recollect(tmp_path, "merge", "part1", "part2", "--name", "whole") == 0
        assert sorted(line.call for line in ledger(tmp_path, "whole")) == single
    assert "cost: " in capsys.readouterr().out
