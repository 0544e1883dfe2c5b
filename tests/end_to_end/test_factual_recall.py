"""A model checks, from the records of a run, what agents held of the newest states; its replies are paid for once."""

from __future__ import annotations

import json
import re
from contextlib import chdir
from pathlib import Path

import pytest

from recollect.cli.trust.factual_recall import factual_recall
from recollect.domain.errors import UsageError
from recollect.runs.trust.checks import RECALL_FILE

from tests.fakes.model_acts import Call
from tests.fakes.model_runs import reader, recollect
from tests.fakes.model_server import ModelServer

RUN = ("run", "amemgym", "--no-references", "--arm", "system", "--step", "probes=no", "--name", "r")


def yes(call: Call) -> str:
    """All claims hold, whatever they are."""
    claims = call.last.partition("<<< claims")[2]
    return json.dumps(dict.fromkeys(re.findall(r"^(\d+)\. ", claims, re.MULTILINE), "yes"))


def test_every_claim_is_checked_and_asked_again_it_costs_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert recollect(tmp_path, *RUN, "--agent", "awi:policy=work") == 0
    with ModelServer(reply=yes) as server:
        assert recollect(tmp_path, "factual-recall", "r", "--judge", reader(server)) == 0
        calls = server.requests
        assert recollect(tmp_path, "factual-recall", "r", "--judge", reader(server)) == 0
        again = server.requests - calls
    said = json.loads((tmp_path / "runs" / "r" / "report" / RECALL_FILE).read_text())
    assert {one["row"] for one in said["recall"]} == {"awi(policy=work)"}
    assert {one["recall"]["estimate"] for one in said["recall"]} == {1.0}
    assert again <= 1, "the trial call alone"
    assert "awi(policy=work)" in capsys.readouterr().out


def test_rules_check_nothing_and_a_run_without_policies_has_nothing_to_check(tmp_path: Path) -> None:
    assert recollect(tmp_path, *RUN, "--agent", "rag", "--limit", "4") == 0
    with chdir(tmp_path), pytest.raises(UsageError, match="no row that follows a policy"):
        factual_recall("r", "rules")
