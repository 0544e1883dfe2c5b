"""Every check of the doctor can fail: a memory that breaks one promise is caught by the check of that promise."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import pytest

from recollect.contracts.models import ChatReply, ChatRequest, ToolCall, Turn
from recollect.contracts.traits import Traits
from recollect.engine.doctor.bench import Bench
from recollect.engine.doctor.checks.findings import Finding
from recollect.engine.doctor.checks.table import CHECKS
from recollect.engine.doctor.examination import ExaminedSystem, checked, examine
from recollect.engine.doctor.process.runner import ProcessRunner
from recollect.engine.rows import Row

from tests.fakes import broken_memories, doctor_memories
from tests.fakes.doctor_memories import SOUND, TWINS, TwinConfig

ROOT = Path(__file__).parents[4]
BY_NAME = {check.name: check for check in CHECKS}
OUTSIDE = {"sockets", "files", "clock"}
PATIENT = ExaminedSystem(name="twin", version=1, settings={}, rules=False, date="2024-05-01")


@dataclass(frozen=True)
class SaysKeep:
    """A model that keeps everything, as JSON or by a tool."""

    @property
    def fingerprint(self) -> str:
        return "says-keep-1"

    def complete(
        self, turns: Sequence[Turn], *, max_tokens: int | None = None, schema: Mapping[str, Any] | None = None
    ) -> str:
        return '{"keep": true}'

    def chat(self, request: ChatRequest) -> ChatReply:
        return ChatReply(text="", calls=(ToolCall(call_id="1", name="keep", arguments='{"keep": true}'),))


def bench(twin: str, place: Path, *, outside: bool = False) -> Bench:
    config = TwinConfig(twin=twin)
    row = Row(
        label=twin,
        kind="memory",
        fingerprint={"name": "twin", "version": 1, "config": {"twin": twin}},
        traits=doctor_memories.KIND.traits(config),
        open_memory=lambda room: doctor_memories.KIND.open(config, room),
    )
    return Bench(row=row, folder=place, model=SaysKeep(), send=sender(twin) if outside else None)


def sender(twin: str) -> ProcessRunner:
    return ProcessRunner(
        command=(sys.executable, "-m", "recollect.runs.trust.doctor_process"),
        system={"name": str(ROOT / "tests" / "fakes" / "doctor_memories.py"), "settings": {"twin": twin}},
        environment={"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "src")])},
    )


def found(twin: str, check: str, place: Path) -> Finding:
    examined = bench(twin, place, outside=check in OUTSIDE)
    try:
        return checked(examined, BY_NAME[check])
    finally:
        examined.close()


@pytest.fixture(autouse=True)
def _nobody_from_before() -> None:
    broken_memories.SharesAStoreWithAll.everything.clear()
    doctor_memories.EmptiesAllOnClose.everybody.clear()


@pytest.mark.parametrize(("twin", "check"), [pytest.param(name, told[2], id=name) for name, told in TWINS.items()])
def test_a_broken_promise_fails_its_check(twin: str, check: str, tmp_path: Path) -> None:
    caught = found(twin, check, tmp_path)
    assert caught.result == "fail", caught


def test_every_check_has_a_memory_that_fails_it() -> None:
    assert {told[2] for told in TWINS.values()} == set(BY_NAME)


@pytest.mark.parametrize("twin", SOUND)
def test_a_sound_memory_fails_no_check(twin: str, tmp_path: Path) -> None:
    card = examine(bench(twin, tmp_path, outside=True), PATIENT)
    assert [(line.name, line.why) for line in card.checks if line.result == "fail"] == []


def test_a_sound_memory_passes_all_that_can_be_told_of_it(tmp_path: Path) -> None:
    """What is not available names its reason, and is nothing that this memory does."""
    card = examine(bench("honest", tmp_path, outside=True), PATIENT)
    spared = {line.name: line.why for line in card.checks if line.result == "not available"}
    assert set(spared) == {"bound", "paid_once", "server_errors", "prose", "empty_calls"}
    assert all(spared.values())


@pytest.mark.parametrize(
    ("twin", "check"), [("extractor", "prose"), ("tools", "empty_calls"), ("extractor", "server_errors")]
)
def test_a_memory_that_says_when_its_model_is_ill_passes(twin: str, check: str, tmp_path: Path) -> None:
    assert found(twin, check, tmp_path).result == "pass"


def test_a_swallowed_error_that_a_run_sees_is_told_as_that(tmp_path: Path) -> None:
    seen = found("SwallowsErrors", "server_errors", tmp_path)
    assert seen.result == "pass"
    assert "a run sees each failed call: server_error" in seen.why


def test_what_does_not_open_is_not_examined_further(tmp_path: Path) -> None:
    card = examine(bench("NoForget", tmp_path), PATIENT)
    assert card.failed == ("opens",)
    assert {line.why for line in card.checks[1:]} == {"it could not be opened"}


def test_the_card_says_every_word_of_the_traits(tmp_path: Path) -> None:
    said = examine(bench("honest", tmp_path), PATIENT).traits
    assert set(said) == {word.name for word in fields(Traits)}
    assert (said["keeps"], said["takes"], said["provenance"]) == ("all", "message", "native")
    assert said["can"] == ["forget", "listing", "readback", "snapshot"]


def test_a_late_settle_is_told_from_none_at_all(tmp_path: Path) -> None:
    late = found("SettlesLate", "visible", tmp_path)
    assert late.number is not None
    assert 0 < late.number < 2
    assert "too early" in late.why
    assert "too early" not in found("NeverSettles", "visible", tmp_path).why


def test_the_card_is_the_same_on_another_day_and_with_other_seconds(tmp_path: Path) -> None:
    one, other = (
        examine(
            bench("honest", tmp_path / day), ExaminedSystem(name="twin", version=1, settings={}, rules=False, date=day)
        )
        for day in ("2024-05-01", "2031-05-01")
    )
    assert one.date != other.date
    assert one.card == other.card


def test_another_result_is_another_card(tmp_path: Path) -> None:
    honest = bench("honest", tmp_path / "a")
    broken = bench("LosesTheTime", tmp_path / "b")
    broken.row = honest.row.__class__(**{**_fields(broken.row), "fingerprint": honest.row.fingerprint})
    assert examine(honest, PATIENT).card != examine(broken, PATIENT).card


def _fields(row: Row) -> dict[str, Any]:
    return {name: getattr(row, name) for name in Row.__dataclass_fields__}


@pytest.mark.parametrize(("twin", "rules", "model"), [("extractor", "rules", "model"), ("honest", "none", "none")])
def test_a_card_says_what_its_chat_model_was(twin: str, rules: str, model: str, tmp_path: Path) -> None:
    """Only where the memory calls a chat model at all; the system itself ran in any case."""
    one, other = (examine(bench(twin, tmp_path / str(said)), replace(PATIENT, rules=said)) for said in (True, False))
    assert (one.model, other.model) == (rules, model)
    assert (one.ran, one.ran_why) == ("ran", "")


def test_a_card_says_what_stood_in_the_systems_place(tmp_path: Path) -> None:
    made = bench("honest", tmp_path)
    made.row = replace(made.row, stands_in="a server of ours")
    card = examine(made, PATIENT)
    assert (card.ran, card.ran_why) == ("ran against a fake", "a server of ours")
