"""Each rule of threads: what breaks it is found, alone and with its place."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from recollect.benchmarks.subtlememory.generate.catalogue import FOLDER, kinds, topics
from recollect.benchmarks.subtlememory.generate.catalogue_words import content
from recollect.benchmarks.subtlememory.generate.thread_rules import texts_of, thread_problems
from recollect.benchmarks.subtlememory.generate.threads import FLOWS, SAID, Thread
from recollect.benchmarks.subtlememory.items import TYPES
from recollect.records.codec import decode
from recollect.text.normal import normalise
from recollect.text.sentences import split

Row = list[dict[str, Any]]
Change = Callable[[Row], Any]
FILES = {"user": "interior_design.json", "world": "river_ferry_line.json"}


def rows(folder: str = "user") -> Row:
    """The threads of one topic, as they are in the file."""
    read: Row = json.loads((FOLDER / "threads" / folder / FILES[folder]).read_text(encoding="utf-8"))["threads"]
    return read


def problems(threads: Row, folder: str = "user") -> list[str]:
    """What is found."""
    read = tuple(decode(Thread, one, where="test") for one in threads)
    return list(thread_problems(read, _named(folder), world=folder == "world"))


def _named(folder: str) -> frozenset[str]:
    """Stems of the names of all values of the topic."""
    given = json.loads((FOLDER / folder / FILES[folder]).read_text(encoding="utf-8"))
    if folder == "user":
        values = [value["value"] for trait in given["traits"] for value in trait["values"]]
    else:
        values = [value for one in given["properties"] if one["kind"] == "choice" for value in one["values"]]
    return frozenset(word for value in values for word in content(value))


def _step(**new: str) -> Change:
    return lambda threads: threads[0]["steps"][0].update(new)


def _longer(name: str, text: str) -> Change:
    """A sentence more in a text of the first step."""

    def change(threads: Row) -> None:
        step = threads[0]["steps"][0]
        step[name] = f"{step[name]} {text}"

    return change


def _replaced(threads: Row, name: str, old: str, new: str) -> None:
    step = threads[0]["steps"][0]
    step[name] = step[name].replace(old, new, 1)


BROKEN = [
    pytest.param(lambda threads: threads.pop(), "4 threads, not 5", id="thread-missing"),
    pytest.param(
        lambda threads: threads[1].update(
            conversation_type=threads[0]["conversation_type"], flow=threads[0]["flow"]
        ),
        "two threads are of one type",
        id="type-twice",
    ),
    pytest.param(lambda threads: threads[0].update(flow="small_talk"), "`small_talk` is no flow of", id="flow-unknown"),
    pytest.param(lambda threads: threads[0]["steps"].pop(), "4 steps, not 5", id="step-missing"),
    pytest.param(lambda threads: _replaced(threads, "user", SAID, ""), "stands 0 times in `user`", id="no-place"),
    pytest.param(_longer("user", SAID), "stands 2 times in `user`", id="two-places"),
    pytest.param(
        lambda threads: threads[0]["steps"][0].update(
            user=threads[0]["steps"][0]["user"].replace(SAID, "") + " We have, I think, {said} a door."
        ),
        "stands inside a sentence",
        id="place-inside-a-sentence",
    ),
    pytest.param(_step(lead="You should know how I am in such rooms"), "`lead` ends with no mark", id="lead-open"),
    pytest.param(
        lambda threads: threads[0]["steps"][0].update(assistant=f"Good. {threads[0]['steps'][0]['assistant']}"),
        "begins with an acknowledgement: Good.",
        id="taken-note-of-twice",
    ),
    pytest.param(_step(ask="And what of {entity}?"), "`ask` and `found` are for the world", id="ask-about-the-user"),
    pytest.param(_step(aside=""), "aside: is empty", id="empty"),
    pytest.param(_step(take="Fine."), "take: 1 words, not 3 to 16", id="too-short"),
    pytest.param(_longer("assistant", "So it goes. " * 40), "words, not 60 to 110", id="too-long"),
    pytest.param(_step(lead="Now for the facts of it:"), "says `facts`", id="label"),
    pytest.param(_step(lead="I am all for the rustic, as you know:"), "has the word rustic of a value", id="value"),
    pytest.param(_step(aside="Three things are on my list * and none is done."), "has the sign `*`", id="markdown"),
    pytest.param(_step(aside="I had a orange for breakfast and nothing else."), "wrong article", id="grammar"),
    pytest.param(
        lambda threads: threads[1]["steps"][0].update(aside=threads[0]["steps"][0]["aside"]),
        "sentence stands 2 times",
        id="said-twice",
    ),
    pytest.param(
        lambda threads: threads[0]["opening"].update(user="Hm."), "opening.user: 1 words", id="bare"
    ),
]  # fmt: skip
BROKEN_WORLD = [
    pytest.param(_step(ask="And what do you know about it, by the way?"), "`ask` needs `{entity}` once", id="no-name"),
    pytest.param(_step(ask="Tell me what you know about {entity}, please."), "and a question mark", id="no-question"),
    pytest.param(_step(found=""), "`found` is empty", id="nothing-found"),
    pytest.param(_step(aside="I have 3 cups of tea before me as I write."), "has a number", id="number"),
    pytest.param(lambda threads: threads[0].update(task=""), "has no task", id="no-task"),
    pytest.param(lambda threads: threads[0].update(task="The old quay."), "task: ", id="task-with-stop"),
    pytest.param(
        lambda threads: threads[1].update(task=threads[0]["task"]), "two threads have one task", id="task-twice"
    ),
]


def test_whole_threads_break_no_rule() -> None:
    """The others below are these with one thing changed."""
    assert problems(rows()) == []
    assert problems(rows("world"), "world") == []


@pytest.mark.parametrize(("change", "told"), BROKEN)
def test_what_breaks_a_rule_is_found(change: Change, told: str) -> None:
    """With what it says."""
    threads = rows()
    change(threads)
    assert any(told in problem for problem in problems(threads)), problems(threads)


@pytest.mark.parametrize(("change", "told"), BROKEN_WORLD)
def test_what_breaks_a_rule_of_the_world_is_found(change: Change, told: str) -> None:
    """They are more, for the assistant tells of the world."""
    threads = rows("world")
    change(threads)
    assert any(told in problem for problem in problems(threads, "world")), problems(threads, "world")


def test_a_thread_with_too_few_words_is_found() -> None:
    """Though each of its texts is long enough."""
    threads = rows()
    for step in threads[0]["steps"]:
        step["user"] = " ".join(step["user"].replace(SAID, "").split()[:27]) + f". {SAID}"
        step["assistant"] = " ".join(step["assistant"].split()[:62]) + "."
    assert any("words, not 740" in problem for problem in problems(threads))


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
            for each in split(text.replace(SAID, ""))
        }
        if sentence.count(" ") >= 7
    )
    assert [text for text, times in said.items() if times > 1] == []
