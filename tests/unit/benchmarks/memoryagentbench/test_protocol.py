"""Everything is shown in chunks that cover it, then everything is asked."""

from __future__ import annotations

from itertools import chain

import pytest

from recollect.benchmarks.memoryagentbench.card import CARD, TIME
from recollect.benchmarks.memoryagentbench.protocol import steps
from recollect.contracts.benchmark import Dataset, StepSettings
from recollect.domain.errors import ConfigError, UnknownNameError
from recollect.domain.histories import Keyed
from recollect.domain.steps import Ask, Observe
from recollect.records.codec import encode
from recollect.records.digests import canonical
from recollect.text.chunking import chunk_sentences
from recollect.text.tokens import count

SETTINGS = [
    StepSettings(chunker="none"),
    StepSettings(chunker="boundary", chunk_tokens=64),
    StepSettings(chunker="boundary", chunk_tokens=7),
    StepSettings(chunker="paper", chunk_tokens=64),
    StepSettings(chunker="paper", chunk_tokens=7),
    StepSettings(chunker="paper", chunk_tokens=512, extra={"wrapper": "v1"}),
]
TIMED = StepSettings(chunker="paper", chunk_tokens=512, extra={"wrapper": "v2", "clock": "2031-05-06 07:08:09"})
EACH = pytest.mark.parametrize("settings", SETTINGS, ids=lambda s: f"{s.chunker}-{s.chunk_tokens}-{len(s.extra)}")


def _shown(one: Keyed, settings: StepSettings) -> list[Observe]:
    return [step for step in steps(one.history, settings) if isinstance(step, Observe)]


def _facts(dataset: Dataset) -> Keyed:
    return next(one for one in dataset.histories if one.task == "factconsolidation_sh_generated")


def _covered(step: Observe) -> list[str]:
    """Messages of the history in all that the step shows."""
    shown = (message.message_id for message in step.session.messages)
    return list(chain.from_iterable(step.covers.get(name, (name,)) for name in shown))


@EACH
def test_all_is_shown_in_order_then_all_is_asked_once(settings: StepSettings, small: Dataset) -> None:
    for one in small.histories[::3]:
        made = list(steps(one.history, settings))
        *shown, last = made
        assert all(isinstance(step, Observe) for step in shown)
        assert isinstance(last, Ask)
        assert last.questions == one.history.questions
        order: list[str] = [message.message_id for message in one.history.messages()]
        covered = list(chain.from_iterable(_covered(step) for step in shown if isinstance(step, Observe)))
        assert set(covered) == set(order)
        assert covered == sorted(covered, key=order.index)


@EACH
def test_a_session_is_one_chunk_of_one_message_with_ids_of_its_own(settings: StepSettings, small: Dataset) -> None:
    one = _facts(small)
    shown = _shown(one, settings)
    names = [message.message_id for step in shown for message in step.session.messages]
    assert len(set(names)) == len(names)
    assert len({step.session.session_id for step in shown}) == len(shown)
    if settings.chunker != "none":
        assert all(len(step.session.messages) == 1 and step.session.messages[0].text.strip() for step in shown)
        assert not set(names) & {message.message_id for message in one.history.messages()}


def test_a_boundary_chunk_holds_whole_messages_up_to_its_size(small: Dataset) -> None:
    one = _facts(small)
    texts = {message.message_id: message.text for message in one.history.messages()}
    shown = _shown(one, StepSettings(chunker="boundary", chunk_tokens=64))
    for step in shown:
        text = step.session.messages[0].text
        assert count(text) <= 64
        assert text == "\n".join(texts[name] for name in step.covers[step.session.messages[0].message_id])
    assert sum(len(_covered(step)) for step in shown) == len(texts)


def test_a_message_parted_over_two_chunks_is_covered_by_both(small: Dataset) -> None:
    one = next(one for one in small.histories if one.task.startswith("icl"))
    covered = [
        name for step in _shown(one, StepSettings(chunker="boundary", chunk_tokens=7)) for name in _covered(step)
    ]
    assert len(covered) > len(set(covered)) == sum(1 for _ in one.history.messages())


def test_the_papers_chunks_are_those_of_the_whole_context(small: Dataset) -> None:
    examples = next(one for one in small.histories if one.task == "icl_intents_generated")
    for one, joint in ((_facts(small), "\n"), (examples, "\n\n")):
        whole = joint.join(message.text for message in one.history.messages())
        wanted = [chunk.text for chunk in chunk_sentences(whole, 64) if chunk.text]
        shown = _shown(one, StepSettings(chunker="paper", chunk_tokens=64))
        assert [step.session.messages[0].text for step in shown] == wanted


def test_a_wrapper_goes_around_the_chunk_and_covers_the_same(small: Dataset) -> None:
    bare = _shown(_facts(small), StepSettings(chunker="paper", chunk_tokens=512))
    wrapped = _shown(_facts(small), SETTINGS[-1])
    for one, other in zip(bare, wrapped, strict=True):
        assert one.session.messages[0].text in other.session.messages[0].text
        assert other.session.messages[0].text.startswith("User: These are facts")
        assert _covered(one) == _covered(other)


def test_a_wrapper_with_a_time_says_that_of_the_settings(small: Dataset) -> None:
    """And is the wrapper without one in all else."""
    untimed, timed = (_shown(_facts(small), settings) for settings in (SETTINGS[-1], TIMED))
    for one, other in zip(untimed, timed, strict=True):
        first, _, rest = other.session.messages[0].text.partition("\n")
        assert first == "A dialogue between user and assistant on 2031-05-06 07:08:09:"
        assert rest == one.session.messages[0].text
        assert _covered(one) == _covered(other)


def test_under_the_papers_presets_every_chunk_but_those_of_chats_says_one_fixed_time(small: Dataset) -> None:
    for one, preset in ((one, preset) for one in small.histories[::2] for preset in (CARD.paper, CARD.presets["code"])):
        texts = {step.session.messages[0].text for step in _shown(one, preset.steps_for(one.task))}
        timed = [text.startswith(f"A dialogue between user and assistant on {TIME}:\nUser: ") for text in texts]
        assert timed == [one.task != "longmemeval_generated"] * len(texts)


@EACH
def test_steps_are_the_same_each_time_and_show_nothing_of_the_keys(settings: StepSettings, small: Dataset) -> None:
    for one in small.histories[::3]:
        text = canonical([encode(step) for step in steps(one.history, settings)])
        assert text == canonical([encode(step) for step in steps(one.history, settings)])
        assert one.task not in text
        assert one.original_id not in text
        assert not any(key.original_id in text for key in one.keys.values())


@pytest.mark.parametrize(
    ("settings", "error", "said"),
    [
        (StepSettings(chunker="papre"), UnknownNameError, "Did you mean `paper`"),
        (StepSettings(chunker="paper", extra={"wraper": "v1"}), ConfigError, "`wraper` is not known"),
        (StepSettings(chunker="paper", extra={"output_tokens": "many"}), ConfigError, "a number of tokens"),
        (StepSettings(chunker="boundary", chunk_tokens=0), ConfigError, "starts at 1, got 0"),
        (StepSettings(chunker="paper", extra={"wrapper": "v9"}), ConfigError, r"`memorise_\w+\.v9`"),
        (StepSettings(chunker="paper", extra={"wrapper": "v2"}), ConfigError, "v2 says a time; set `clock`"),
    ],
)
def test_wrong_settings_are_refused(settings: StepSettings, error: type[Exception], said: str, small: Dataset) -> None:
    with pytest.raises(error, match=said):
        list(steps(small.histories[0].history, settings))
