"""Invented chats: each gold is worked out again from the evidence, by code that shares nothing with the maker."""

from __future__ import annotations

import re
from calendar import day_name, month_name
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from pathlib import Path
from random import Random

import pytest

from recollect.benchmarks.memoryagentbench.families.dialogues import MADE, TYPES
from recollect.benchmarks.memoryagentbench.generate.dialogue_words import (
    KINDS,
    DialogueWords,
    Talk,
    begun,
    chat_times,
    day_counts,
    dialogue_words,
    name_day,
    worded,
)
from recollect.benchmarks.memoryagentbench.generate.dialogues import SIZES, SPECS, ChatSize, make_history
from recollect.benchmarks.memoryagentbench.load import load
from recollect.benchmarks.memoryagentbench.write import write
from recollect.contracts.benchmark import Dataset
from recollect.domain.histories import Keyed
from recollect.domain.messages import Message
from recollect.domain.questions import Key, Question
from recollect.memories.window import WindowConfig
from recollect.metrics.text_match import normalise, word_match
from recollect.text.sentences import split
from recollect.text.tokens import count

from tests.unit.benchmarks.memoryagentbench.generated import generated

MONTHS, DAYS = tuple(month_name)[1:], tuple(day_name)
A_FEW_PERCENT = 0.05


@pytest.fixture(scope="module", params=[False, True], ids=["shown", "held-out"])
def made(request: pytest.FixtureRequest) -> list[Keyed]:
    return list(generated(SPECS, "small", 5, request.param))


@pytest.fixture(scope="module")
def larger() -> list[Keyed]:
    return list(generated(SPECS, "medium", 2, False))


def _asked(histories: Sequence[Keyed]) -> Iterator[tuple[Question, Key, list[Message], Keyed]]:
    for one in histories:
        for question in one.history.questions:
            key = one.keys[question.question_id]
            yield question, key, [m for m in one.history.messages() if m.message_id in key.evidence], one


def _day_told(message: Message) -> date:
    """The day a message speaks of, by the calendar."""
    assert message.said_at is not None
    today, text = datetime.fromisoformat(message.said_at).date(), message.text.casefold()
    exact = re.search(rf"\bon ({'|'.join(MONTHS).casefold()}) (\d+)", text)
    if exact:
        month = [name.casefold() for name in MONTHS].index(exact[1]) + 1
        years = (date(year, month, int(exact[2])) for year in (today.year, today.year - 1))
        return next(day for day in years if day <= today)
    for words, back in (("two days ago", 2), ("three days ago", 3), ("yesterday", 1), ("today", 0)):
        if words in text:
            return today - timedelta(days=back)
    named = re.search(rf"\blast ({'|'.join(DAYS).casefold()})", text)
    assert named, message.text
    wanted = [name.casefold() for name in DAYS].index(named[1])
    return next(day for n in range(1, 8) if (day := today - timedelta(days=n)).weekday() == wanted)


def _gold(question: Question, key: Key, evidence: list[Message]) -> str:
    asks_for = key.labels["asks_for"]
    days = sorted(_day_told(message) for message in evidence) if asks_for.startswith("days") else []
    if asks_for == "count":
        return str(len(evidence))
    if asks_for == "sum":
        amounts = [int(re.findall(r"(\d+) euros", message.text)[0]) for message in evidence]
        return f"{sum(amounts)} euros"
    if asks_for == "days_between":
        return f"{(days[1] - days[0]).days} days"
    assert question.asked_at is not None
    return f"{(datetime.fromisoformat(question.asked_at).date() - days[0]).days} days"


def test_what_is_reckoned_is_right(made: list[Keyed], larger: list[Keyed]) -> None:
    kinds = Counter[str]()
    for question, key, evidence, _ in _asked([*made, *larger]):
        if key.labels["asks_for"] in ("count", "sum", "days_between", "days_ago") and not key.abstain:
            assert _gold(question, key, evidence) == key.gold[0].replace("1 day ", "1 days ") or key.gold[0] == "1 day"
            kinds[key.labels["asks_for"]] += 1
    assert {"count", "sum", "days_between", "days_ago"} == set(kinds)


def test_what_came_first_did_and_an_order_names_all(made: list[Keyed], larger: list[Keyed]) -> None:
    seen = Counter[str]()
    nouns = {event.noun: event for half in (False, True) for event in dialogue_words(held_out=half).subjects["events"]}
    for _, key, evidence, _ in _asked([*made, *larger]):
        if key.labels["asks_for"] not in ("first", "order"):
            continue
        seen[key.labels["asks_for"]] += 1
        in_time = sorted(evidence, key=_day_told)
        assert len({_day_told(message) for message in evidence}) == len(evidence)
        for noun, message in zip(key.gold[0].split(", then "), in_time, strict=False):
            tellings = {
                re.sub(r"\W", "", said.user.partition("{when}")[0])[:12] for said in _every_say(nouns[noun].name)
            }
            assert any(start.casefold() in re.sub(r"\W", "", message.text).casefold() for start in tellings)
    assert set(seen) == {"first", "order"}


def _every_say(name: str) -> Iterator[Talk]:
    for half in (False, True):
        for event in dialogue_words(held_out=half).subjects["events"]:
            if event.name == name:
                yield from event.say


def test_a_value_stands_in_its_evidence_and_nowhere_else(made: list[Keyed], larger: list[Keyed]) -> None:
    for _, key, evidence, one in _asked([*made, *larger]):
        if key.labels["asks_for"] not in ("name", "value") or key.abstain:
            continue
        holders = [m for m in one.history.messages() if key.gold[0].casefold() in m.text.casefold()]
        assert holders
        assert set(holders) <= set(evidence)
        if key.labels["question_type"] == "knowledge-update":
            assert holders == evidence[1:]
            assert word_match(evidence[0].text, key.rejected[0])
        role = "assistant" if key.labels["question_type"] == "single-session-assistant" else "user"
        assert {m.role for m in evidence} == {role}


def test_what_is_told_of_others_is_no_answer(made: list[Keyed]) -> None:
    for _, key, _, one in _asked(made):
        if key.labels["question_type"] == "single-session-user" and not key.abstain:
            (rival,) = [m for m in one.history.messages() if word_match(m.text, key.rejected[0])]
            assert rival.message_id not in key.evidence


def test_every_type_is_asked_for_and_some_questions_have_no_answer(made: list[Keyed]) -> None:
    for one in made:
        types = {key.labels["question_type"] for key in one.keys.values()}
        assert types == set(TYPES)
        without = [key for key in one.keys.values() if key.abstain]
        assert len(without) == SIZES["small"].quotas["absent"]
        for key in without:
            assert key.evidence == ()
            assert key.labels["question_id"].endswith("_abs")


def test_evidence_of_several_chats_is_in_several(made: list[Keyed]) -> None:
    for _, key, evidence, _ in _asked(made):
        assert len({message.session_id for message in evidence}) == len(evidence)
        if key.labels["question_type"] in ("multi-session", "knowledge-update") and not key.abstain:
            assert len(evidence) >= 2


def test_questions_are_asked_after_the_last_chat_and_chats_go_on_for_months(made: list[Keyed]) -> None:
    for one in made:
        times = [m.said_at for m in one.history.messages() if m.said_at]
        assert times == sorted(times)
        assert all(question.asked_at and question.asked_at > times[-1] for question in one.history.questions)
        assert 90 < (datetime.fromisoformat(times[-1]) - datetime.fromisoformat(times[0])).days < 400


def test_chats_have_six_to_twelve_messages_in_turns_and_the_size_that_is_wanted(made: list[Keyed]) -> None:
    for one in made:
        sessions = defaultdict(list)
        for message in one.history.messages():
            sessions[message.session_id].append(message.role)
        assert len(sessions) == SIZES["small"].length
        assert all(6 <= len(roles) <= 12 for roles in sessions.values())
        assert all(roles == ["user", "assistant"] * (len(roles) // 2) for roles in sessions.values())
        tokens = sum(count(message.text) for message in one.history.messages())
        assert 2 * WindowConfig().tokens < tokens < 8_000


@pytest.mark.parametrize("held_out", [False, True], ids=["shown", "held-out"])
def test_no_long_sentence_is_in_more_than_a_few_percent_of_the_chats(held_out: bool) -> None:
    """Names and figures masked; eight words or more; over enough chats for a share to mean something."""
    made = [one for seed in (5, 6, 7) for one in generated(SPECS, "small", seed, held_out)]
    met: dict[str, set[str]] = defaultdict(set)
    sessions = {m.session_id for one in made for m in one.history.messages()}
    for message in (m for one in made for m in one.history.messages()):
        for sentence in split(message.text):
            masked = re.sub(r"(?<!^)\b[A-Z][a-z]+\b", "N", re.sub(r"\d+", "0", sentence))
            if len(masked.split()) >= 8:
                met[masked].add(message.session_id)
    assert max(len(where) for where in met.values()) <= A_FEW_PERCENT * len(sessions)


def test_sentences_begin_and_end_as_they_should_and_nothing_is_left_open(made: list[Keyed]) -> None:
    for message in (m for one in made for m in one.history.messages()):
        assert not re.search(r"[{}|]|\(\w", message.text), message.text
        assert message.text[0].isupper() or not message.text[0].isalpha()
        assert not re.search(r"[.!?] [a-z]", message.text), message.text
        assert message.text[-1] in ".?!", message.text
        assert "  " not in message.text


def test_the_same_seed_gives_the_same_and_another_another() -> None:
    assert list(generated(SPECS, "small", 3, False)) == list(generated(SPECS, "small", 3, False))
    assert list(generated(SPECS, "small", 3, False)) != list(generated(SPECS, "small", 4, False))


def test_held_out_wordings_are_never_used_elsewhere() -> None:
    shown, held = (dialogue_words(held_out=half) for half in (False, True))
    assert not {topic.name for topic in shown.topics} & {topic.name for topic in held.topics}
    assert not set(_wordings(shown)) & set(_wordings(held))
    for kind in KINDS:
        assert [one.name for one in shown.subjects[kind]] == [one.name for one in held.subjects[kind]]


def _wordings(words: DialogueWords) -> Iterator[str]:
    for subjects in words.subjects.values():
        for one in subjects:
            yield from (said for talks in (one.say, one.later, one.rival) for talk in talks for said in talk)
            yield from (*one.ask, *one.absent)
    yield from (*words.leads, *words.turns, *words.untold, *(ask for asks in words.event_asks.values() for ask in asks))


@pytest.mark.parametrize("half", [False, True])
def test_no_value_and_no_word_that_is_counted_stands_in_anything_else(half: bool) -> None:
    """Else a filler could answer a question by chance; what is never told stands nowhere at all."""
    words = dialogue_words(held_out=half)
    texts = [(name, f" {normalise(text)} ") for name, text in _all_texts(words)]
    for kind in KINDS:
        for one in words.subjects[kind]:
            others = [text for name, text in texts if name != one.name]
            for marked in (*one.mark, *(one.values if kind != "counted" else ())):
                assert not [text for text in others if f" {normalise(marked)} " in text], marked
            assert not [text for _, text in texts for never in one.never if f" {normalise(never)} " in text]


def _all_texts(words: DialogueWords) -> Iterator[tuple[str, str]]:
    for topic in words.topics:
        slots = (value for values in topic.slots.values() for value in values)
        for said in (*slots, *(said for talk in topic.exchanges for said in talk)):
            yield topic.name, re.sub(r"[()|]", " ", said)
    for subjects in words.subjects.values():
        for one in subjects:
            talks = (said for group in (one.say, one.later, one.rival) for talk in group for said in talk)
            yield from ((one.name, said) for said in (*talks, *one.values))


def test_the_maker_refuses_a_history_in_which_something_else_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mutant of the catalogue: what closes every chat tells a value."""
    words = dialogue_words(held_out=False)
    quotas = {**SIZES["small"].quotas, "told": len(words.subjects["told"]), "absent": 0}
    leaky = tuple(Talk(talk.user, " ".join(("Yes:", *_values(words)))) for talk in words.closings)
    size = ChatSize(histories=1, length=70, questions=0, quotas=quotas)
    make_history(words, size, 0, Random(1), Counter())
    changed = DialogueWords(**{**{name: getattr(words, name) for name in DialogueWords.__slots__}, "closings": leaky})
    with pytest.raises(ValueError, match=r"answers .* and stands in messages"):
        make_history(changed, size, 0, Random(1), Counter())


def _values(words: DialogueWords) -> Iterator[str]:
    return (value for one in words.subjects["told"] for value in one.values)


def test_too_much_for_the_catalogue_or_the_chats_is_said() -> None:
    words, quotas = dialogue_words(held_out=False), SIZES["small"].quotas
    with pytest.raises(ValueError, match="too few subjects of kind 'told'"):
        make_history(
            words, ChatSize(histories=1, length=99, questions=0, quotas={**quotas, "told": 99}), 0, Random(1), Counter()
        )
    with pytest.raises(ValueError, match="things are told, but there are 5 chats"):
        make_history(words, ChatSize(histories=1, length=5, questions=0, quotas=quotas), 0, Random(1), Counter())


def test_days_are_named_so_that_nobody_can_take_them_for_others() -> None:
    rng = Random(3)
    for at in chat_times(300, rng):
        day, name = name_day(at, rng)
        message = Message(message_id="m", session_id="s", text=f"It was {name}.", said_at=at.isoformat())  # type: ignore[arg-type]
        assert _day_told(message) == day


@pytest.mark.parametrize(
    ("days", "said"),
    [(1, ("1 day", "1")), (7, ("7 days", "7", "1 week", "one week")), (14, ("14 days", "14", "2 weeks", "two weeks"))],
)
def test_a_number_of_days_may_be_said_in_weeks(days: int, said: tuple[str, ...]) -> None:
    assert day_counts(days) == said


def test_wordings_draw_one_of_several_and_fill_their_slots() -> None:
    assert {worded("(a|b) {x}", {"x": "y"}, Random(seed)) for seed in range(9)} == {"a y", "b y"}
    assert begun("one. two? Three: four 6.5 pm") == "One. Two? Three: four 6.5 pm"


def test_who_only_knows_other_histories_is_at_chance() -> None:
    """The most frequent answers to a question elsewhere are rarely right; a count is one of three, as it must be."""
    golds: dict[str, Counter[str]] = defaultdict(Counter)
    for seed in range(4):
        for question, key, _, _ in _asked(list(generated(SPECS, "small", seed, False))):
            if not key.abstain and key.labels["asks_for"] != "rubric":
                golds[question.text][key.gold[0]] += 1
    right = total = 0
    for question, key, _, _ in _asked(list(generated(SPECS, "small", 77, False))):
        if not key.abstain and key.labels["asks_for"] != "rubric":
            total += 1
            right += golds[question.text].most_common(1)[:1] == [(key.gold[0], golds[question.text][key.gold[0]])]
    assert right / total < 0.3


def test_generated_rows_survive_the_disk(made: list[Keyed], tmp_path: Path) -> None:
    data = Dataset(benchmark="memoryagentbench", histories=tuple(made), origin="generated: a test")
    write(data, tmp_path / "a.jsonl")
    assert load(tmp_path / "a.jsonl") == data
    assert {one.task for one in made} == {MADE}


def test_every_size_is_made() -> None:
    for size, wanted in SIZES.items():
        one = next(generated(SPECS, size, 1, False))
        assert len(one.history.questions) == sum(wanted.quotas.values())
