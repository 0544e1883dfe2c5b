"""`python -m tests.fakes.misbehaving`: a run against a server that misbehaves, and its ledger, as in docs/faults.md."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.fakes.model_acts import FAULTS, Act, Call
from tests.fakes.model_runs import ledger, reader, recollect
from tests.fakes.model_server import ModelServer

PRICES = """
prices:
  - {model: stub-1, input: 2, output: 8, date: 2026-11-21, source: made up for this page}
"""
RUN = ["run", "memoryagentbench", "--task", "factconsolidation_sh_generated", "--memory", "bm25", "--no-references"]


def reply(call: Call) -> Act | str:
    """A guess; prose that is no JSON for every question that asks for an employer."""
    if "employ" in call.last.rpartition("Question:")[2]:
        return FAULTS["not_json"]
    return "Lisbon"


def main() -> None:
    """Run, then print the ledger by status and cause."""
    with TemporaryDirectory() as folder, ModelServer(reply=reply, failing=0.3, seed=4) as server:
        home = Path(folder)
        (home / "prices.yaml").write_text(PRICES, encoding="utf-8")
        server.then("ready")
        said = [*RUN, "--arm", "system", "--limit", "60", "--prices", "prices.yaml", "--name", "shown"]
        code = recollect(home, *said, "--reader", reader(server, attempts=8))
        print(f"exit code {code}")
        recollect(home, "diagnose", "shown")
        lines, totals = ledger(home, "shown"), server.totals["stub-1"]
    statuses = Counter(line.status for line in lines)
    causes = Counter(cause for line in lines for cause in line.causes)
    charged = [line.usage for line in lines if line.usage and line.status != "cached"]
    print("lines:", ", ".join(f"{count} {status}" for status, count in sorted(statuses.items())))
    print("tries that failed:", ", ".join(f"{count} {cause}" for cause, count in sorted(causes.items())))
    print(f"waited {sum(line.waited for line in lines):.1f} s, paid {sum(line.money or 0 for line in lines):.6f} USD")
    print("tokens in by the ledger", sum(usage.input for usage in charged), end=", ")
    print("by the server", totals.tokens_in + totals.wasted_in)


if __name__ == "__main__":
    main()
