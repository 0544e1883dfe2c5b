"""What the simulated user and an agent's own model take for each user of AMemGym, as their server counted it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.fakes.model_acts import Call
from tests.fakes.model_runs import ledger, recollect
from tests.fakes.model_server import ModelServer

MINI = Path(__file__).parents[1] / "data" / "amemgym" / "data.json"
PRICES = """prices:
- {model: talker, input: 1000, output: 2000, date: 2026-01-01, source: made up for a test}
- {model: thinker, input: 10, output: 20, date: 2026-01-01, source: made up for a test}
"""


def _reply(call: Call) -> str:
    """A curious user; an agent that notes nothing and always takes the first answer."""
    if call.body["model"] == "talker":
        return "Could you tell me a bit more about that?"
    return json.dumps({"answer": 1})


def test_tokens_of_a_user_are_told_by_role_and_agree_with_the_server(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "p.yaml").write_text(PRICES, encoding="utf-8")
    with ModelServer(reply=_reply) as server:
        way = f"base_url={server.url},attempts=2,timeout_s=5,server=stub"
        models = ["--user", f"openai:model=talker,{way}", "--memory-model", f"openai:model=thinker,{way}"]
        agents = ["--agent", "native:by=model", "--no-references", "--arm", "system"]
        words = ["run", "amemgym", "--data", str(MINI), *agents, *models, "--prices", "p.yaml", "--name", "r"]
        assert recollect(tmp_path, *words) == 0
        totals = dict(server.totals)
    capsys.readouterr()
    assert recollect(tmp_path, "score", "r", "--json") == 0
    costs = json.loads(capsys.readouterr().out)["summary"]["costs"]
    roles = {one["role"]: one for one in costs["roles"]}
    assert set(roles) == {"user", "memory"}
    for role, model in (("user", "talker"), ("memory", "thinker")):
        # before the run each model is asked once whether it is there: a call of no history
        probe = next(line.usage for line in ledger(tmp_path) if line.stage == "probe" and line.role == role)
        assert probe is not None
        told = roles[role]
        assert told["histories"] == 2
        assert told["input_tokens"]["total"] == totals[model].tokens_in - probe.input
        assert told["output_tokens"]["total"] == totals[model].tokens_out - probe.output
        assert told["input_tokens"]["mean"] == told["input_tokens"]["total"] / 2
    user = roles["user"]
    spent = (1000 * user["input_tokens"]["total"] + 2000 * user["output_tokens"]["total"]) / 1e6
    assert user["money"]["total"] == pytest.approx(spent)
    page = (tmp_path / "runs" / "r" / "report" / "index.html").read_text(encoding="utf-8")
    assert "what a history takes, by role" in page
