"""What is foretold of a run is what happens, as far as it can be told; else it says that it cannot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from recollect.contracts.traits import Traits
from recollect.domain.steps import Arm
from recollect.engine.estimate.contexts import ContextEstimates
from recollect.engine.estimate.run import Assumed, Judging, RoleEstimate, RunEstimate, estimate_run
from recollect.engine.plan import Trial
from recollect.engine.rows import Row, oracle_row
from recollect.models.prices import Price, Prices
from recollect.models.settings import ModelSettings, Role
from recollect.text.tokens import count

from tests.fakes import toy_systems as toy
from tests.fakes.harness import Harness, agent_row, memory_row

ARMS = (Arm.SYSTEM, Arm.READBACK)
SHOWS_ALL = replace(toy.TOY, bound="window", limit="fixed")
PRICES = Prices([Price(model="big", input=Decimal(2), output=Decimal(10), date="2026-11-20")])
BIG = ModelSettings(model="big", base_url="http://127.0.0.1:9/v1", max_tokens=50)


class ShowsAll(toy.ToyMemory):
    """Finds everything, in the order in which it was said."""

    def search(self, cue: Any) -> Any:
        return self.stored_from({message.message_id for message in self.messages})


def foretold(harness: Harness, trials: list[Trial], **assumed: Any) -> RunEstimate:
    told = {"window_tokens": harness.reader.window_tokens, "prices": PRICES, **assumed}
    return estimate_run(trials, Assumed(conditions=harness.conditions, **told))


def role(found: RunEstimate, name: Role) -> RoleEstimate:
    return next(one for one in found.roles if one.role == name)


def models(**settings: ModelSettings) -> Mapping[Role, ModelSettings]:
    return settings  # type: ignore[return-value]


def test_calls_are_those_that_are_made(tmp_path: Path) -> None:
    """Readers and judges are called as often as foretold, arms that cannot be filled left out."""
    harness = Harness(tmp_path / "run")
    mute = replace(toy.TOY, can=toy.PLAIN_SAVES.can)
    rows = [
        memory_row(toy.ToyMemory, toy.TOY, arms=ARMS),
        memory_row(toy.ToyMemory, mute, label="mute", arms=ARMS),
        agent_row(toy.BufferAgent, toy.AGENT),
        oracle_row(),
    ]
    trials = harness.trials("observe_all", *rows)
    found = foretold(harness, trials)
    harness.run(trials)
    reader, judge = role(found, "reader"), role(found, "judge")
    assert reader.expected is not None
    assert judge.expected is not None
    assert reader.expected.calls == harness.reader.calls
    assert judge.expected.calls == harness.judge.calls
    assert "agent" not in reader.rows
    assert {row: amount.calls for row, amount in reader.rows.items()} == {"mute": 6, "oracle": 6, "toy": 12}


@pytest.mark.parametrize("protocol", ["observe_all", "chunked", "checkpoints", "merged_units"])
def test_contexts_of_what_is_given_and_of_what_is_shown_whole_are_exact(protocol: str, tmp_path: Path) -> None:
    harness = Harness(tmp_path / "run")
    rows = [memory_row(ShowsAll, SHOWS_ALL, label="full", arms=ARMS), oracle_row()]
    trials = harness.trials(protocol, *rows)
    harness.run(trials)
    contexts = ContextEstimates(harness.conditions, harness.reader.window_tokens)
    for trial in trials:
        for stage in trial.stages:
            for cell in stage.cells:
                bounds = contexts.of(trial, stage, cell)
                answer = harness.journal(trial).body(cell.answer)
                assert bounds.expected == answer.context_tokens, (trial.row.label, cell.arm)
                assert bounds.most >= answer.context_tokens


@pytest.mark.parametrize("window", [60, 40, 25, 0])
def test_a_window_that_is_too_small_is_filled(window: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Within the tokens that joining costs where the last piece is cut."""
    monkeypatch.setattr(toy.ToyReader, "window_tokens", window)
    harness = Harness(tmp_path / "run")
    trials = harness.trials("observe_all", memory_row(ShowsAll, SHOWS_ALL, label="full"), oracle_row())
    harness.run(trials)
    contexts = ContextEstimates(harness.conditions, window)
    for trial in trials:
        for stage in trial.stages:
            for cell in stage.cells:
                answer = harness.journal(trial).body(cell.answer)
                assert 0 <= contexts.of(trial, stage, cell).expected - answer.context_tokens <= 2


def test_a_memory_that_searches_finds_as_many_pieces_as_it_may_of_the_mean_length(tmp_path: Path) -> None:
    harness = Harness(tmp_path / "run", search_limit=3)
    (trial, *_) = harness.trials("observe_all", memory_row(toy.ToyMemory, toy.TOY))
    stage = trial.stages[-1]
    found = ContextEstimates(harness.conditions, 100_000).of(trial, stage, stage.cells[0])
    sizes = [count(f"Ann: {m.text}") + count("\n") for m in trial.keyed.history.messages()]
    assert found.expected == round(3 * sum(sizes) / len(sizes))
    assert found.most == sum(sizes)


@pytest.mark.parametrize(
    ("traits", "kept", "expected"),
    [
        pytest.param(toy.TOY, {}, 20, id="the-budget-binds-what-searches"),
        pytest.param(replace(toy.TOY, limit="tokens"), {}, 20, id="asked-for-tokens"),
        pytest.param(replace(toy.TOY, limit="fixed"), {}, 20, id="of-unknown-size"),
        pytest.param(replace(toy.TOY, limit="fixed"), {"toy": 1}, 6, id="of-known-size-the-newest-stays"),
        pytest.param(replace(toy.TOY, holds_nothing=True), {}, 0, id="holds-nothing"),
    ],
)
def test_the_budget_and_a_fixed_size_bound_a_context(
    traits: Traits, kept: Mapping[str, int], expected: int, tmp_path: Path
) -> None:
    harness = Harness(tmp_path / "run", budget_tokens=20)
    (trial, *_) = harness.trials("observe_all", memory_row(toy.ToyMemory, traits))
    stage = trial.stages[-1]
    assert ContextEstimates(harness.conditions, 100_000, kept).of(trial, stage, stage.cells[0]).expected == expected


def test_only_what_was_shown_before_a_question_counts(tmp_path: Path) -> None:
    harness = Harness(tmp_path / "run", search_limit=100)
    (trial, *_) = harness.trials("checkpoints", memory_row(toy.ToyMemory, toy.TOY))
    contexts = ContextEstimates(harness.conditions, 100_000)
    found = [contexts.of(trial, stage, cell).most for stage in trial.stages for cell in stage.cells]
    assert found == sorted(found)
    assert len(set(found)) == 5


def test_rules_cost_nothing_and_their_tokens_are_told(tmp_path: Path) -> None:
    harness = Harness(tmp_path / "run")
    found = foretold(harness, harness.trials("observe_all", memory_row(toy.ToyMemory, toy.TOY)))
    reader = role(found, "reader")
    assert (reader.model, reader.why) == ("rules", "")
    assert reader.expected is not None
    assert reader.expected.money == 0.0
    assert (reader.expected.input or 0) > 0
    assert (found.expected_money, found.most_money) == (0.0, 0.0)


def test_money_is_tokens_at_the_models_price(tmp_path: Path) -> None:
    """2 dollars a million in, 10 out."""
    harness = Harness(tmp_path / "run")
    trials = harness.trials("observe_all", memory_row(toy.ToyMemory, toy.TOY))
    reader = role(foretold(harness, trials, models=models(reader=BIG)), "reader")
    for amount in (reader.expected, reader.most):
        assert amount is not None
        assert amount.input is not None
        assert amount.output is not None
        assert amount.money == round((2 * amount.input + 10 * amount.output) / 1e6, 9)
    assert reader.most is not None
    assert reader.most.output == 6 * 50


def test_a_model_without_price_has_no_money_and_one_without_limit_no_bound(tmp_path: Path) -> None:
    harness = Harness(tmp_path / "run")
    trials = harness.trials("observe_all", memory_row(toy.ToyMemory, toy.TOY))
    unknown = replace(BIG, model="mine", max_tokens=None)
    found = foretold(harness, trials, models=models(reader=unknown))
    reader = role(found, "reader")
    assert reader.expected is not None
    assert reader.most is not None
    assert reader.expected.money is None
    assert (reader.most.output, reader.most.money) == (None, None)
    assert (reader.most.input or 0) > 0
    assert "--prices" in reader.why
    assert "max_tokens" in reader.why
    assert found.expected_money is None


def test_a_judge_is_asked_for_every_vote(tmp_path: Path) -> None:
    """Six answers, three votes each; a vote that cannot be used is asked for again, at most."""
    harness = Harness(tmp_path / "run")
    trials = harness.trials("observe_all", memory_row(toy.ToyMemory, toy.TOY))
    told = models(reader=BIG, judge=BIG)
    judge = role(foretold(harness, trials, models=told, judging=Judging(votes=3, retries=1)), "judge")
    assert judge.expected is not None
    assert judge.most is not None
    assert (judge.expected.calls, judge.most.calls) == (18, 36)
    assert (judge.most.money or 0) > (judge.expected.money or 0) > 0


def test_a_system_that_asks_its_own_model_cannot_be_told(tmp_path: Path) -> None:
    harness = Harness(tmp_path / "run")
    asking = replace(toy.TOY, models_on_write=True)
    found = foretold(harness, harness.trials("observe_all", memory_row(toy.ToyMemory, asking)))
    memory = role(found, "memory")
    assert (memory.expected, memory.most) == (None, None)
    assert memory.why.startswith("adaptive")
    assert found.expected_money is None
    assert role(found, "reader").expected is not None


def test_a_dialogue_cannot_be_told(tmp_path: Path) -> None:
    harness = Harness(tmp_path / "run")
    found = foretold(harness, harness.trials("converse", agent_row(toy.BufferAgent, toy.AGENT)))
    assert role(found, "user").expected is None


def embedding_row(label: str) -> Row:
    traits = replace(toy.TOY, models_on_write=True, models_on_search=True)
    row = memory_row(toy.ToyMemory, traits, label=label)
    return replace(row, fingerprint={**row.fingerprint, "embedder": "e"})


def test_texts_are_embedded_once_whoever_asks(tmp_path: Path) -> None:
    """Two rows with the same texts: expected is one of them, at most both; and no model of their own is foretold."""
    harness = Harness(tmp_path / "run")
    trials = harness.trials("observe_all", embedding_row("a"), embedding_row("b"))
    found = foretold(harness, trials, models=models(reader=BIG, embedder=replace(BIG, model="big")))
    embedder = role(found, "embedder")
    assert [one.role for one in found.roles if one.role == "memory"] == []
    assert embedder.expected is not None
    assert embedder.most is not None
    assert embedder.expected.calls is None
    messages = {m.text for trial in trials for m in trial.keyed.history.messages()}
    cues = {q.text for trial in trials for q in trial.keyed.history.questions}
    assert embedder.expected.input == sum(map(count, messages | cues))
    assert (embedder.most.input or 0) == 4 * embedder.expected.input  # two rows, two episodes that say the same


def test_no_trials_take_nothing() -> None:
    harness = Harness(Path("nowhere"))
    found = foretold(harness, [])
    assert found.expected_money == 0.0
    assert role(found, "reader").expected is not None
