"""A canary in every field of the key is seen by no system, reader or user in the arms where that would be cheating."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from recollect.domain.histories import Keyed
from recollect.domain.ids import QuestionId
from recollect.domain.questions import Key
from recollect.domain.steps import Arm
from recollect.engine.plan import Trial

from tests.fakes import toy_systems as toy
from tests.fakes.harness import Harness, agent_row, memory_row
from tests.fakes.toy_protocols import PROTOCOLS

CANARY = "zq9canary"


def tainted(key: Key) -> Key:
    """Every field of the key but its ids of messages."""
    return replace(
        key,
        gold=(f"{CANARY}gold",),
        rejected=(f"{CANARY}rejected",),
        field_gold=dict.fromkeys(key.field_gold, (f"{CANARY}field",)),
        oracle_text=f"{CANARY}oracle",
        guidance=f"{CANARY}guidance",
        labels={f"{CANARY}name": f"{CANARY}label"},
        original_id=f"{CANARY}id",
    )


class Ear:
    """Hears all that passes to a system, reader or user."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def spy(self, system: Any, *names: str) -> Any:
        for name in names:
            setattr(system, name, self._listening(getattr(system, name)))
        return system

    def _listening(self, real: Any) -> Any:
        def call(*args: Any, **kwargs: Any) -> Any:
            self.heard.append(repr((args, kwargs)))
            return real(*args, **kwargs)

        return call


def listen(harness: Harness, protocol: str, row: Any, *, taint: bool = True) -> list[Trial]:
    trials = []
    for name in ("one", "two"):
        keyed, steps = PROTOCOLS[protocol](name)
        keys = {q: tainted(key) for q, key in keyed.keys.items()} if taint else keyed.keys
        trials.append(harness.trial(Keyed(history=keyed.history, keys=keys, task="toy"), steps, row))
    harness.run(trials)
    return trials


@pytest.mark.parametrize("protocol", ["observe_all", "checkpoints", "chunked", "json_template", "merged_units"])
def test_a_memory_and_the_reader_hear_nothing_of_the_key(protocol: str, tmp_path: Path) -> None:
    ear, harness = Ear(), Harness(tmp_path / "run")
    ear.spy(harness.reader, "read")
    names = ("write", "search", "stored_from", "settle")
    row = memory_row(
        lambda: ear.spy(toy.ToyMemory(), *names), toy.TOY, arms=(Arm.SYSTEM, Arm.READBACK, Arm.READBACK_PURE)
    )
    listen(harness, protocol, row)
    assert len(ear.heard) > 6
    assert CANARY not in "".join(ear.heard)


@pytest.mark.parametrize("protocol", ["converse", "evolving"])
def test_an_agent_its_user_and_its_policy_maker_hear_nothing_of_the_key(protocol: str, tmp_path: Path) -> None:
    ear, harness = Ear(), Harness(tmp_path / "run")
    row = agent_row(lambda: ear.spy(toy.BufferAgent(), "observe", "reply", "answer", "adopt"), toy.AGENT)
    listen(harness, protocol, row)
    assert len(ear.heard) > 6
    assert CANARY not in "".join(ear.heard)


def test_the_judge_and_the_oracle_do_hear_of_it(tmp_path: Path) -> None:
    """The twin that proves that the ear works."""
    ear, harness = Ear(), Harness(tmp_path / "run")
    ear.spy(harness.judge, "judge")
    ear.spy(harness.reader, "read")
    from recollect.engine.rows import oracle_row

    listen(harness, "observe_all", oracle_row())
    heard = "".join(ear.heard)
    assert f"{CANARY}gold" in heard
    assert f"{CANARY}oracle" in heard
    assert f"{CANARY}guidance" in heard


def test_every_field_of_the_key_that_holds_words_is_tainted() -> None:
    """A new field must not slip past the canary; ids of messages are what a system was shown anyway."""
    full = Key(question_id=QuestionId("q"), field_gold={"city": ("Graz",)})
    untainted = {field.name for field in fields(Key) if CANARY not in repr(getattr(tainted(full), field.name))}
    assert untainted == {"question_id", "evidence", "field_evidence", "abstain"}
