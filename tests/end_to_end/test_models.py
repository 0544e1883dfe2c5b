"""Runs with models behind endpoints: paid once, on the ledger, within the budget, and no key in any file."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from recollect.records.calls import CallLine

from tests.fakes.model_acts import Act, Call
from tests.fakes.model_runs import OWN, answers, ledger, of, reader, recollect, run_own
from tests.fakes.model_server import ModelServer, Totals

RECOLLECT = Path(sys.executable).parent / "recollect"
PRICES = """
prices:
  - model: stub-1
    input: 1000
    output: 2000
    date: 2026-01-01
    source: made up for a test
"""


def charged(lines: list[CallLine]) -> tuple[int, int]:
    """Tokens in and out that a ledger says were paid for."""
    paid = [line.usage for line in lines if line.status != "cached" and line.usage is not None]
    return sum(usage.input for usage in paid), sum(usage.output for usage in paid)


def told(totals: Totals) -> tuple[int, int]:
    """Tokens in and out that the server says it charged."""
    return totals.tokens_in + totals.wasted_in, totals.tokens_out + totals.wasted_out


def test_the_ledger_agrees_with_the_server_to_the_last_token(tmp_path: Path) -> None:
    """Also for replies that were charged and could not be used."""
    with ModelServer(reply=answers()) as server:
        server.then("ready", Act(text=""), Act(text="x", model="another"))
        assert run_own(tmp_path, server, attempts=4) == 0
        lines, totals = list(ledger(tmp_path)), server.totals["stub-1"]
    assert charged(lines) == told(totals)
    assert totals.wasted_in > 0
    assert Counter(line.status for line in lines)["failed"] == 2
    assert {line.stage for line in lines} == {"probe", "answer"}
    assert all(line.question and line.trial and line.row == "bm25" for line in lines if line.stage == "answer")


def test_a_second_run_and_a_second_row_pay_for_nothing_that_was_paid_for(tmp_path: Path) -> None:
    """Only the trial call is made again; `--fresh` makes all of them again, once."""
    with ModelServer(reply=answers()) as server:
        assert run_own(tmp_path, server, name="first") == 0
        paid = server.requests
        assert run_own(tmp_path, server, name="second") == 0
        assert server.requests == paid + 1
        assert run_own(tmp_path, server, "--fresh", name="third") == 0
        assert server.requests == 2 * paid + 1
        assert run_own(tmp_path, server, "--fresh", name="third") == 0
        assert server.requests == 2 * paid + 1
    cached = [line for line in ledger(tmp_path, "second") if line.status == "cached"]
    assert len(cached) == paid - 1
    assert all(line.money == 0 for line in cached)


def test_runs_that_share_replies_are_the_same_run(tmp_path: Path) -> None:
    """The identity of a run says nothing of who paid."""
    with ModelServer(reply=answers()) as server:
        named = []
        for name in ("first", "second"):
            assert run_own(tmp_path, server, name=name) == 0
            done = subprocess.run(
                [str(RECOLLECT), "score", name, "--json"], cwd=tmp_path, capture_output=True, text=True, check=True
            )
            named.append(json.loads(done.stdout)["identity"])
    assert named[0] == named[1]


def test_a_budget_stops_the_run_before_it_is_passed_and_keeps_what_was_paid(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 3; with a larger budget the run goes on and asks only what it had not."""
    (tmp_path / "prices.yaml").write_text(PRICES, encoding="utf-8")
    with ModelServer(reply=answers()) as server:
        words = ("--prices", "prices.yaml", "--calls", "1")
        assert run_own(tmp_path, server, "--max-cost", "0.25", *words) == 3
        assert "--max-cost" in capsys.readouterr().err
        spent = sum(line.money or 0 for line in ledger(tmp_path))
        asked = server.requests
        assert 0 < asked < 7
        assert spent <= 0.25 + max(line.money or 0 for line in ledger(tmp_path))
        assert recollect(tmp_path, "resume", "r", "--max-cost", "9", *words) == 0
        assert server.requests == 8  # one more trial call, and what was left
    assert charged(list(ledger(tmp_path))) == told(server.totals["stub-1"])


def test_a_budget_without_a_price_is_refused_before_anything_is_sent(tmp_path: Path) -> None:
    """A cap that cannot be kept is no cap."""
    with ModelServer(reply=answers()) as server:
        assert run_own(tmp_path, server, "--max-cost", "1") == 2
        assert server.requests == 0


def test_a_dry_run_sends_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It says how many calls there would be."""
    with ModelServer(reply=answers()) as server:
        assert run_own(tmp_path, server, "--dry-run", "--json") == 0
        assert server.requests == 0
    assert json.loads(capsys.readouterr().out)["answers"] == 6


def test_keys_are_in_no_file_log_report_or_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """A canary is the key and a header; the server even sends both back in its errors and replies."""
    canary, other = "sk-canary-4f9d2c7b1e", "tenant-canary-77aa01"
    monkeypatch.setenv("STUB_KEY", canary)
    monkeypatch.setenv("STUB_TENANT", other)

    def leaky(call: Call) -> Act | str:
        if call.number % 3 == 2:
            seen = json.dumps({"error": {"message": f"bad key {call.headers['authorization']} {other}"}})
            return Act(status=500, body=seen.encode(), headers={"X-Echo": canary})
        return answers()(call)

    config = {
        "benchmark": "own",
        "data": str(OWN),
        "memories": [{"name": "bm25"}],
        "references": False,
        "reader": {
            "name": "openai",
            "settings": {
                "model": "stub-1",
                "base_url": "",
                "key_env": "STUB_KEY",
                "headers": {"X-Tenant": "STUB_TENANT"},
                "attempts": 2,
                "server": "stub",
            },
        },
    }
    with ModelServer(reply=leaky, key=canary) as server:
        config["reader"]["settings"]["base_url"] = server.url  # type: ignore[index]
        (tmp_path / "run.yaml").write_text(json.dumps(config), encoding="utf-8")
        recollect(tmp_path, "run", "--config", "run.yaml", "--name", "r")
        for verb in ("score", "diagnose", "report"):
            recollect(tmp_path, verb, "r")
        recollect(tmp_path, "cache", "export", "calls.gz")
        assert {call.headers["x-tenant"] for call in server.calls} == {other}
        monkeypatch.setenv("STUB_KEY", "sk-wrong-canary-0000")
        recollect(tmp_path, "run", "--config", "run.yaml", "--name", "s")
    out = "".join(capfd.readouterr())
    searched = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert len(searched) > 15
    for secret in (canary, other, "sk-wrong-canary-0000"):
        assert secret not in out
        assert not [file for file in searched if secret.encode() in _plain(file)]


def _plain(file: Path) -> bytes:
    """The bytes of a file, unpacked where it is packed."""
    import gzip

    data = file.read_bytes()
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


def test_a_memory_may_use_an_embedder_behind_an_endpoint(tmp_path: Path) -> None:
    """Vectors are asked for once, each text on its own feet; the ledger has the calls."""
    with ModelServer() as server:
        words = ["run", "own", "--data", str(OWN), "--memory", "dense", "--no-references", "--arm", "system"]
        choice = f"openai:model=embed-1,base_url={server.url},server=stub"
        assert recollect(tmp_path, *words, "--embedder", choice, "--name", "r") == 0
        first = server.requests
        assert recollect(tmp_path, *words, "--embedder", choice, "--name", "again") == 0
        assert server.requests == first + 1  # the trial call
        assert charged(list(ledger(tmp_path)) + list(ledger(tmp_path, "again"))) == told(server.totals["embed-1"])
    _, found = of(tmp_path)
    assert all(cell.status != "fault" for cell in found.cells)


def test_a_model_judge_gives_verdicts_and_its_calls_are_on_the_ledger(tmp_path: Path) -> None:
    """Three votes each; answers that are right word for word need none."""

    def verdict(call: Call) -> str:
        return json.dumps({"verdict": "wrong", "reason": "it names another place"})

    with ModelServer(reply=verdict) as server:
        judge = f"openai:model=judge-1,base_url={server.url},server=stub,votes=3,temperature=0.7"
        words = ["run", "own", "--data", str(OWN), "--memory", "bm25", "--no-references", "--arm", "system"]
        assert recollect(tmp_path, *words, "--judge", judge, "--name", "r") == 0
    _, found = of(tmp_path)
    asked = Counter(line.question for line in ledger(tmp_path) if line.stage == "judge" and line.status == "paid")
    assert set(asked.values()) == {3}
    assert all(cell.status != "fault" for cell in found.cells)


def test_several_votes_at_temperature_zero_are_refused(tmp_path: Path) -> None:
    """They would be one vote asked several times."""
    with ModelServer() as server:
        judge = f"openai:model=judge-1,base_url={server.url},votes=3"
        assert recollect(tmp_path, "run", "own", "--data", str(OWN), "--judge", judge, "--name", "r") == 2
        assert server.requests == 0


@pytest.mark.full
def test_a_run_killed_again_and_again_pays_at_most_for_what_was_in_flight(tmp_path: Path) -> None:
    """`kill -9` five times: then every answer is there, the ledger agrees with the server, few calls were doubled."""
    in_flight = 4
    with ModelServer(reply=answers(), delay_s=0.05) as server:
        words = ["run", "memoryagentbench", "--memory", "bm25", "--no-references", "--arm", "system", "--limit", "60"]
        line = [str(RECOLLECT), *words, "--reader", reader(server), "--name", "r", "--calls", str(in_flight)]
        for wait in (2.5, 2.8, 3.1, 3.4, 3.7):
            process = subprocess.Popen(line, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(wait)
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
        subprocess.run(line, cwd=tmp_path, check=True, capture_output=True)
        time.sleep(0.3)
        prompts = Counter(call.last for call in server.calls)
        totals = server.totals["stub-1"]
    _, found = of(tmp_path)
    assert all(cell.status == "scored" for cell in found.cells)
    doubled = sum(count - 1 for prompt, count in prompts.items() if "test of the connection" not in prompt)
    assert doubled <= 5 * in_flight
    paid = charged(list(ledger(tmp_path)))
    server_said = told(totals)
    lost = doubled * max(len(prompt.split()) for prompt in prompts) + 6 * 20
    assert paid[0] <= server_said[0] <= paid[0] + lost


@pytest.mark.full
def test_a_server_that_fails_three_calls_in_ten_costs_time_and_no_answer(tmp_path: Path) -> None:
    """All are answered, none is wrong because of it, and the ledger says what was waited."""
    with ModelServer(reply=answers(), failing=0.3, seed=1) as server:
        server.then("ready")
        words = ["run", "memoryagentbench", "--memory", "bm25", "--no-references", "--arm", "system", "--limit", "40"]
        assert recollect(tmp_path, *words, "--reader", reader(server, attempts=12), "--name", "flaky") == 0
        refused = sum(count for status, count in server.statuses.items() if status != 200)
        server.failing = 0.0
        assert recollect(tmp_path, *words, "--reader", reader(server, attempts=12), "--fresh", "--name", "sound") == 0
    _, flaky = of(tmp_path, "flaky")
    _, sound = of(tmp_path, "sound")
    assert refused > 5
    assert [(cell.status, cell.value) for cell in flaky.cells] == [(cell.status, cell.value) for cell in sound.cells]
    assert sum(line.waited for line in ledger(tmp_path, "flaky")) > 0


def test_a_finished_run_is_scored_compared_and_verified_without_its_models(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server is gone and the key with it: every number follows from the records."""
    monkeypatch.setenv("STUB_KEY", "k")
    with ModelServer(reply=answers(), key="k") as server:
        assert run_own(tmp_path, server, name="one", key_env="STUB_KEY") == 0
        assert run_own(tmp_path, server, "--seed", "3", name="two", key_env="STUB_KEY") == 0
    monkeypatch.delenv("STUB_KEY")
    for words in (
        ("score", "one"),
        ("diagnose", "one"),
        ("report", "one"),
        ("verify", "one"),
        ("compare", "one:bm25", "two:bm25"),
        ("why", "one", "two"),
    ):
        assert recollect(tmp_path, *words) == 0, words


def test_a_server_that_dies_ends_the_run_soon_and_resume_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Three calls in a row that nobody answers: exit code 4, said on the way; nothing is lost."""
    words = ("run", "memoryagentbench", "--memory", "bm25", "--no-references", "--arm", "system", "--limit", "60")
    with ModelServer(reply=answers(), delay_s=0.02) as server:
        choice = reader(server, attempts=2)

        def dies(call: Call) -> Act | str:
            return answers()(call) if call.number < 20 else Act(close="before_headers")

        server.reply = dies
        assert recollect(tmp_path, *words, "--reader", choice, "--name", "r") == 4
        told = capsys.readouterr().err
        assert "Trying again" in told
        assert "calls in a row were given up" in told
        server.reply = answers()
        assert recollect(tmp_path, "resume", "r") == 0
    _, found = of(tmp_path)
    assert all(cell.status == "scored" for cell in found.cells)


def test_going_on_keeps_the_cap_and_the_prices(tmp_path: Path) -> None:
    """A bare `resume` does not lift the budget that stopped the run."""
    (tmp_path / "prices.yaml").write_text(PRICES, encoding="utf-8")
    with ModelServer(reply=answers()) as server:
        assert run_own(tmp_path, server, "--max-cost", "0.25", "--prices", "prices.yaml", "--calls", "1") == 3
        (tmp_path / "prices.yaml").unlink()
        before = server.requests
        assert recollect(tmp_path, "resume", "r") == 3
        assert server.requests <= before + 1
        assert recollect(tmp_path, "resume", "r", "--max-cost", "9") == 0
    assert all(line.money is not None for line in ledger(tmp_path) if line.status == "paid")


def test_a_run_is_replayed_from_its_cache_without_key_and_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever has the replies needs nothing else; a reply that is missing is a fault and no call."""
    monkeypatch.setenv("STUB_KEY", "k")
    with ModelServer(reply=answers(), key="k") as server:
        assert run_own(tmp_path, server, name="one", key_env="STUB_KEY") == 0
        url = server.url
    monkeypatch.delenv("STUB_KEY")

    class Gone:
        """A server that is no more."""

        def __init__(self) -> None:
            self.url = url

    assert run_own(tmp_path, Gone(), "--replay", name="two", key_env="STUB_KEY") == 0  # type: ignore[arg-type]
    _, one = of(tmp_path, "one")
    _, two = of(tmp_path, "two")
    assert [(cell.status, cell.value) for cell in one.cells] == [(cell.status, cell.value) for cell in two.cells]
    assert {line.status for line in ledger(tmp_path, "two")} == {"cached"}
    other = ("--replay", "--seed", "9")
    assert run_own(tmp_path, Gone(), *other, name="three", key_env="STUB_KEY", seed=4) == 1  # type: ignore[arg-type]
    _, three = of(tmp_path, "three")
    assert {group.cause for group in three.summary.faults} == {"not_cached"}


def test_a_run_that_never_began_gives_way_to_the_next_one_of_its_name(tmp_path: Path) -> None:
    """A mistyped address is mended under the same name; a run with records is not overwritten."""
    with ModelServer(reply=answers()) as server:
        url = server.url
        wrong = reader(server, attempts=1).replace(url, "http://127.0.0.1:9/v1")
        words = ["run", "own", "--data", str(OWN), "--memory", "bm25", "--no-references", "--arm", "system"]
        assert recollect(tmp_path, *words, "--reader", wrong, "--name", "r") == 4
        assert run_own(tmp_path, server) == 0
        assert run_own(tmp_path, server, "--seed", "4") == 3


def test_resume_needs_no_file_but_the_run(tmp_path: Path) -> None:
    """The data were copied into the run's folder when it was made."""
    data = tmp_path / "data"
    data.mkdir()
    for file in OWN.iterdir():
        (data / file.name).write_bytes(file.read_bytes())
    with ModelServer(reply=answers()) as server:
        words = ["run", "own", "--data", "data", "--memory", "bm25", "--no-references", "--arm", "system"]
        server.then("ready", *[Act(status=500, body=b"{}")] * 4)
        recollect(tmp_path, *words, "--reader", reader(server), "--name", "r", "--calls", "1")
        for file in data.iterdir():
            file.unlink()
        data.rmdir()
        elsewhere = tmp_path / "elsewhere"
        elsewhere.mkdir()
        assert recollect(elsewhere, "resume", str(tmp_path / "runs" / "r"), "--runs-dir", str(tmp_path / "runs")) == 0
