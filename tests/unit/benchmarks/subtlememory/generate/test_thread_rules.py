"""Each rule of threads: what breaks it is found, alone and with its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from recollect.benchmarks.subtlememory.generate.catalogue.texts import (
    ASIDE,
    ENTITY,
    FLOWS,
    SAID,
    Kind,
    Thread,
    Topic,
    kinds,
    topics,
)
from recollect.benchmarks.subtlememory.generate.rules.kinds import kind_problems
from recollect.benchmarks.subtlememory.generate.rules.threads import texts_of
from recollect.benchmarks.subtlememory.generate.rules.topics import topic_problems
from recollect.benchmarks.subtlememory.items import TYPES
from recollect.records.codec import decode
from recollect.text.normal import normalise
from recollect.text.sentences import split

from tests.unit.benchmarks.subtlememory.generate.rows import Change, Row, kind_row, topic_row

ROWS: dict[str, Callable[[], Row]] = {"user": topic_row, "world": kind_row}


def problems(row: Row) -> list[str]:
    """What is found."""
    if "traits" in row:
        return list(topic_problems(decode(Topic, row, where="test")))
    return list(kind_problems(decode(Kind, row, where="test")))


def _step(**new: str) -> Change:
    return lambda row: row["threads"][0]["steps"][0].update(new)


def _longer(name: str, text: str) -> Change:
    """A sentence more in a text of the first step."""

    def change(row: Row) -> None:
        step = row["threads"][0]["steps"][0]
        step[name] = f"{step[name]} {text}"

    return change


def _replaced(row: Row, name: str, old: str, new: str) -> None:
    step = row["threads"][0]["steps"][0]
    step[name] = step[name].replace(old, new, 1)


def _tell(row: Row, at: int = 0, role: str = "user") -> dict[str, str]:
    """The so many-th step in which *role* tells something."""
    tells = [one for thread in row["threads"] for one in thread["tells"]]
    found: dict[str, str] = [one for one in tells if SAID in one[role]][at]
    return found


def _told(**new: Any) -> Change:
    return lambda row: _tell(row).update(new)


TOLD = (
    "There is something to be said of how the rooms at our place have come about over the years. {said} So I thought."
)
BROKEN = [
    pytest.param(lambda row: row["threads"].pop(), "4 threads, not 5", id="thread-missing"),
    pytest.param(
        lambda row: row["threads"][1].update(
            conversation_type=row["threads"][0]["conversation_type"], flow=row["threads"][0]["flow"]
        ),
        "two threads are of one type",
        id="type-twice",
    ),
    pytest.param(lambda row: row["threads"][0].update(flow="chat"), "`chat` is no flow of", id="flow-unknown"),
    pytest.param(lambda row: row["threads"][0]["steps"].pop(), "4 steps, not 5", id="step-missing"),
    pytest.param(lambda row: _replaced(row, "user", ASIDE, ""), "stands 0 times in `user`", id="no-place"),
    pytest.param(_longer("user", ASIDE), "stands 2 times in `user`", id="two-places"),
    pytest.param(
        lambda row: row["threads"][0]["steps"][0].update(
            user=row["threads"][0]["steps"][0]["user"].replace(ASIDE, "") + " We have, I think, {aside} a door."
        ),
        "stands inside a sentence",
        id="place-inside-a-sentence",
    ),
    pytest.param(_step(aside="Well."), "aside: 1 words, not 5 to 22", id="too-short"),
    pytest.param(_longer("assistant", "So it goes on. " * 40), "words, not 55 to 110", id="too-long"),
    pytest.param(_step(aside="Now for the facts of it, I was told at last."), "says `facts`", id="label"),
    pytest.param(_step(aside="A rustic smell comes up from the yard."), "has the word rustic", id="value"),
    pytest.param(_step(aside="Three things are on my list * and none is done."), "has the sign `*`", id="markdown"),
    pytest.param(_step(aside="I had a orange for breakfast and nothing else."), "wrong article", id="grammar"),
    pytest.param(
        lambda row: row["threads"][1]["steps"][0].update(aside=row["threads"][0]["steps"][0]["aside"]),
        "sentence stands 2 times",
        id="said-twice",
    ),
    pytest.param(lambda row: row["threads"][0]["opening"].update(user="Hm."), "opening.user: 1 words", id="bare"),
    pytest.param(lambda row: row["threads"][0].update(task=""), "task: ", id="no-task"),
    pytest.param(lambda row: row["threads"][0].update(task="The old quay."), "task: ", id="task-with-stop"),
    pytest.param(
        lambda row: row["threads"][1].update(task=row["threads"][0]["task"]), "have one task", id="task-twice"
    ),
]  # fmt: skip
BROKEN_WORLD = [
    pytest.param(_step(aside="I have 3 cups of tea before me as I write."), "has a number", id="number"),
    pytest.param(lambda row: row["threads"][0]["tells"].pop(), "tells ", id="property-without-a-step"),
    pytest.param(lambda row: _tell(row).update(of="wallpaper"), ", not ", id="step-of-another-property"),
    pytest.param(_told(user=TOLD.replace(SAID, "")), "`{said}` stands 0 times", id="nothing-told"),
    pytest.param(_told(user=f"{TOLD} {SAID}"), "`{said}` stands 2 times", id="told-twice"),
    pytest.param(_told(user=TOLD.replace("years. ", "years: ")), "stands inside a sentence", id="behind-a-colon"),
    pytest.param(_told(assistant=f"So be it, as you say. {SAID} " * 8), "stands 8 times", id="told-by-the-other"),
    pytest.param(
        lambda row: _tell(row).update(assistant=f"Good. {_tell(row)['assistant']}"),
        "begins with an acknowledgement: Good.",
        id="hollow",
    ),
    pytest.param(
        _told(user=TOLD.replace("rooms", "lentil rooms")), "has the word lentil of a value", id="tell-with-value"
    ),
    *(
        pytest.param(_told(told=f"{{entity}} {verb} {{value}}{end}."), f"says `{sign}`", id=sign.replace(" ", "-"))
        for verb, end, sign in (
            ("was in truth run by", "", "in truth"),
            ("belongs to", ", as far as I know", "as far as I"),
            ("currently goes to", "", "currently"),
            ("usually goes to", "", "usually"),
        )
    ),
    pytest.param(
        lambda row: row["threads"][1]["tells"][0].update(
            of=row["threads"][0]["tells"][0]["of"],
            told=row["threads"][0]["tells"][0]["told"].rstrip(".") + ", they say.",
        ),
        "one is part of another",
        id="part-of-another",
    ),
    pytest.param(_told(held_out="{entity} really goes to {value}."), "says `really`", id="insisting-held-out"),
    pytest.param(_told(follows=[3, 4], precedes=[0, 1]), "has no place among 5 exchanges", id="behind-and-ahead"),
    pytest.param(
        lambda row: _tell(row, 1).update(user=_tell(row)["user"]), "sentence stands 2 times", id="told-alike"
    ),
    pytest.param(
        lambda row: [one.update(user=f"So. {SAID}") for each in row["threads"] for one in each["tells"]],
        "5 reports and 0 lookups, not at least 2 each",
        id="never-asked",
    ),
    pytest.param(
        lambda row: _tell(row, role="assistant").update(
            user=_tell(row, role="assistant")["user"].replace(ENTITY, "it")
        ),
        "`{entity}` 0 times",
        id="asked-without-a-name",
    ),
    pytest.param(
        lambda row: _tell(row, role="assistant").update(user=_tell(row, role="assistant")["user"].replace("?", ".")),
        "asks nothing",
        id="nothing-asked",
    ),
    pytest.param(
        lambda row: _tell(row, role="assistant").update(assistant="It is not known."),
        "`{said}` stands 0 times",
        id="nothing-answered",
    ),
]  # fmt: skip


@pytest.mark.parametrize("folder", sorted(ROWS))
def test_whole_threads_break_no_rule(folder: str) -> None:
    """The others below are these with one thing changed."""
    assert problems(ROWS[folder]()) == []


@pytest.mark.full
@pytest.mark.parametrize(("change", "told"), BROKEN)
def test_what_breaks_a_rule_is_found(change: Change, told: str) -> None:
    """With what it says."""
    row = topic_row()
    change(row)
    assert any(told in problem for problem in problems(row)), problems(row)


@pytest.mark.parametrize(("change", "told"), BROKEN_WORLD)
def test_what_breaks_a_rule_of_the_world_is_found(change: Change, told: str) -> None:
    """Threads about the world are asked for by what they are about, and the assistant tells in some moments."""
    row = kind_row()
    change(row)
    assert any(told in problem for problem in problems(row)), problems(row)


def test_a_thread_with_too_few_words_is_found() -> None:
    """Though each of its texts is long enough."""
    row = topic_row()
    for step in row["threads"][0]["steps"]:
        step["user"] = " ".join(step["user"].replace(ASIDE, "").split()[:27]) + f". {ASIDE}"
        step["assistant"] = " ".join(step["assistant"].split()[:57]) + "."
    assert any("words, not 640" in problem for problem in problems(row))


def _all() -> list[tuple[Thread, ...]]:
    return [*(one.threads for one in topics()), *(one.threads for one in kinds())]


def test_there_are_three_flows_of_each_type_and_all_are_used() -> None:
    """Thirty names; each flow in at least four threads, user and world together."""
    assert set(FLOWS) == set(TYPES)
    assert len({name for names in FLOWS.values() for name in names}) == 30
    used = Counter(thread.flow for threads in _all() for thread in threads)
    assert set(used) == {name for names in FLOWS.values() for name in names}
    assert min(used.values()) >= 4


def test_no_long_sentence_stands_in_two_files() -> None:
    """Talk of one topic is not borrowed from another."""
    said = Counter(
        sentence
        for threads in _all()
        for sentence in {
            normalise(each)
            for thread in threads
            for _, text in texts_of(thread)
            for each in split(text.replace(ASIDE, ""))
        }
        if sentence.count(" ") >= 7
    )
    assert [text for text, times in said.items() if times > 1] == []
