"""A prompt of two calls: both texts are in the keys, on record, and foretold; rules read as ever."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from hashlib import sha256
from pathlib import Path

import pytest

from recollect.contracts.reading import Prompt
from recollect.domain.exchange import Context
from recollect.engine.estimate.run import EXTRACT, Amount, Assumed, estimate_run
from recollect.engine.execution.executor import Limits, execute
from recollect.engine.plan import Trial, episode, plan_trial
from recollect.engine.rows import Conditions, oracle_row
from recollect.models.prices import Price, Prices
from recollect.models.reader import ModelReader, fill
from recollect.models.settings import ModelSettings
from recollect.text.tokens import count

from tests.fakes import toy_systems as toy
from tests.fakes.harness import PROMPT, Harness, memory_row
from tests.fakes.stub_judges import ScriptedChat
from tests.fakes.toy_protocols import PROTOCOLS

FIRST = Prompt(name="toy/extract.v1", text="Take out what matters.\n$context\n$question")
TWO = replace(PROMPT, first=FIRST)
PRICES = Prices([Price(model="big", input=Decimal(2), output=Decimal(10), date="2026-11-20")])
BIG = ModelSettings(model="big", base_url="http://127.0.0.1:9/v1", max_tokens=1_000)


def with_prompt(harness: Harness, prompt: Prompt) -> Conditions:
    return replace(harness.conditions, prompts={"answer": prompt})


def planned(harness: Harness, prompt: Prompt) -> Trial:
    keyed, steps = PROTOCOLS["observe_all"]("one")
    row = memory_row(toy.ToyMemory, toy.TOY)
    return plan_trial(row, episode(keyed, steps, {}), with_prompt(harness, prompt), harness.cast)


def test_one_call_has_the_digest_of_its_text_alone() -> None:
    """So that no key of a prompt without a first call has changed."""
    assert PROMPT.digest == sha256(PROMPT.text.encode()).hexdigest()[:16]
    assert PROMPT.whole == PROMPT.text


@pytest.mark.parametrize("other", [PROMPT, replace(TWO, first=replace(FIRST, text="List it.\n$context")), FIRST])
def test_another_first_call_names_other_answers_and_the_same_recalls(other: Prompt, tmp_path: Path) -> None:
    harness = Harness(tmp_path / "run")
    mine, others = (list(planned(harness, prompt).cells) for prompt in (TWO, other))
    assert not {cell.answer for cell in mine} & {cell.answer for cell in others}
    assert [cell.recall for cell in mine] == [cell.recall for cell in others]


def test_the_texts_of_both_calls_make_the_digest_in_their_order() -> None:
    turned = replace(FIRST, first=PROMPT)
    assert len({TWO.digest, turned.digest, PROMPT.digest, FIRST.digest}) == 4
    assert TWO.whole.startswith(FIRST.text)
    assert TWO.whole.endswith(PROMPT.text)


def amounts(harness: Harness, prompt: Prompt) -> tuple[Amount, Amount]:
    """What is expected of the reader for one question, and at most."""
    keyed, steps = PROTOCOLS["observe_all"]("one")
    trial = plan_trial(oracle_row(), episode(keyed, steps, {}), with_prompt(harness, prompt), harness.cast)
    assumed = Assumed(
        conditions=with_prompt(harness, prompt),
        window_tokens=100_000,
        prices=PRICES,
        models={"reader": BIG},
    )
    (reader, *_) = estimate_run([trial], assumed).roles
    assert reader.expected is not None
    assert reader.most is not None
    return reader.expected, reader.most


def test_two_calls_are_foretold_and_the_second_reads_the_reply_to_the_first(tmp_path: Path) -> None:
    harness = Harness(tmp_path / "run")
    (one, most_of_one), (two, most_of_two) = (amounts(harness, prompt) for prompt in (PROMPT, TWO))
    calls = one.calls or 0
    assert (two.calls, most_of_two.calls) == (2 * calls, 2 * calls)
    questions = PROTOCOLS["observe_all"]("one")[0].history.questions
    first = [count(fill(FIRST, Context(items=(), text="", tokens=0), question)) for question in questions]
    assert len(first) == calls
    assert (two.input or 0) - (one.input or 0) == sum(first) + calls * EXTRACT
    assert two.output == (one.output or 0) + calls * EXTRACT
    assert (most_of_two.output or 0) == 2 * (most_of_one.output or 0)
    assert (most_of_two.input or 0) > 1_000 * calls


def test_as_many_calls_are_made_as_foretold_and_the_record_names_both_prompts(tmp_path: Path) -> None:
    model = ScriptedChat("something")
    harness = Harness(tmp_path / "run")
    harness.reader = ModelReader(model, 100_000)  # type: ignore[assignment]
    trial = planned(harness, TWO)
    execute(
        [trial],
        harness.folder,
        roles=harness.cast,
        conditions=with_prompt(harness, TWO),
        limits=Limits(trials=1, calls=1),
    )
    assert len(model.asked) == 2 * len(list(trial.cells))
    assert {harness.journal(trial).body(cell.answer).prompt for cell in trial.cells} == {TWO.digest}
