"""The rules know no generator: not its phrases, and not better the wordings that were shown than those held out."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from pathlib import Path
from statistics import fmean

import pytest

from recollect.benchmarks.memoryagentbench import BENCHMARK
from recollect.benchmarks.memoryagentbench.generate.examples import intent_words
from recollect.benchmarks.memoryagentbench.generate.facts import fact_words
from recollect.benchmarks.memoryagentbench.generate.spec import read_catalogue
from recollect.domain.errors import NotAvailableError
from recollect.domain.exchange import Context, Recall, Reply
from recollect.domain.histories import Keyed
from recollect.domain.messages import Message
from recollect.domain.questions import Question
from recollect.engine.feeding.wording import ContextMaker
from recollect.memories.window import WindowConfig
from recollect.offline.reading import RuleReader
from recollect.text.normal import search_tokens
from recollect.text.tokens import count

SRC = Path(__file__).parents[2] / "src" / "recollect"
RULES = [*(SRC / "models" / "offline").rglob("*.py"), *(SRC / "judging").rglob("*.py")]
GAP = 0.05
SEEDS = (0, 1, 2, 3, 4)
SINGLE, CHAINED, LABELS = "factconsolidation_sh_generated", "factconsolidation_mh_generated", "icl_intents_generated"


def literals(files: list[Path]) -> Iterator[str]:
    """Every string that a rule could compare with; docstrings are not among them."""
    for file in files:
        tree = ast.parse(file.read_text(encoding="utf-8"))
        documents = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documents:
                yield node.value


def pairs(text: str) -> set[tuple[str, str]]:
    """Content words that stand side by side."""
    words = search_tokens(re.sub(r"\{\w+\}", " . ", text))
    return set(pairwise(words))


def phrases() -> set[tuple[str, str]]:
    """Pairs of content words of every wording of every catalogue."""
    facts = read_catalogue("facts.yaml")
    intents = read_catalogue("intents.yaml")
    said = [w for r in facts["relations"].values() for kind in ("statements", "ask", "chain") for w in r[kind]]
    said += [p for d in intents["domains"].values() for patterns in d["intents"].values() for p in patterns]
    return {pair for wording in said for pair in pairs(wording)}


def is_list_of_words(text: str) -> bool:
    """A word list, not a phrase: its neighbours stand there by the alphabet or by chance."""
    return len(text.split()) > 12 and not re.search(r"[\\|?(]", text)


def test_no_rule_holds_a_phrase_of_a_catalogue() -> None:
    known = {pair for text in literals(RULES) if not is_list_of_words(text) for pair in pairs(text)}
    assert len(phrases()) > 300
    assert not known & phrases()


def test_a_rule_with_a_phrase_of_a_catalogue_would_be_seen() -> None:
    assert pairs("buys its materials from") <= pairs("{s} buys its materials from a supplier called {o}.")
    assert pairs("buys its materials from") & phrases()


def test_no_name_of_a_generator_stands_in_a_rule() -> None:
    names = {part for kind in fact_words(held_out=False).names.values() for parts in kind for part in parts}
    invented = {name for name in names if len(name) > 5 and name[0].isupper() and " " not in name}
    text = "\n".join(literals(RULES))
    common = {"Silver", "Copper", "Garden", "Winter", "Evening", "Golden", "Valley", "Letters", "Paper", "Midnight"}
    found = {name for name in invented - common if re.search(rf"\b{re.escape(name)}\b", text)}
    assert not found


def test_what_is_shown_and_what_is_held_out_have_nothing_in_common() -> None:
    shown, held = fact_words(held_out=False), fact_words(held_out=True)
    for one, other in zip(shown.relations, held.relations, strict=True):
        assert not set(one.statements) & set(other.statements)
        assert not set(one.questions) & set(other.questions)
        assert not set(one.chains) & set(other.chains)
        assert one.statements
        assert other.statements
    domains = [{i.name for d in intent_words(held_out=h).domains for i in d} for h in (False, True)]
    assert not domains[0] & domains[1]


def scores(size: str, seed: int, *, shown: str) -> dict[str, float]:
    """Task -> score of the rule reader, with everything, the newest, the evidence or nothing in its context."""
    reader, found = RuleReader(), dict[str, list[float]]()
    for keyed in BENCHMARK.generate(size, seed).histories:
        if keyed.task not in (SINGLE, CHAINED, LABELS):  # the other families say it of themselves, in their own tests
            continue
        messages = list(keyed.history.messages())
        maker = ContextMaker({m.message_id: m for m in messages})
        whole = messages if shown == "full" else newest(messages) if shown == "window" else []
        same = maker.make(Recall.of_messages(whole, order="time"), limit=10**6)
        for question in keyed.history.questions:
            evidence = [m for m in messages if m.message_id in keyed.keys[question.question_id].evidence]
            given = maker.make(Recall.of_messages(evidence, order="time"), limit=10**6) if shown == "oracle" else same
            found.setdefault(keyed.task, []).append(value(reader, keyed, question, given))
    return {task: fmean(values) for task, values in found.items()}


def newest(messages: list[Message]) -> list[Message]:
    """What the memory `window` keeps as it comes."""
    sizes = accumulate(count(message.text) for message in reversed(messages))
    kept = sum(size <= WindowConfig().tokens for size in sizes)
    return messages[len(messages) - kept :]


def means(size: str, *, shown: str, seeds: Sequence[int] = SEEDS) -> dict[str, float]:
    """Task -> mean score over several seeds."""
    rows = [scores(size, seed, shown=shown) for seed in seeds]
    return {task: fmean(row[task] for row in rows) for task in rows[0]}


def value(reader: RuleReader, keyed: Keyed, question: Question, context: Context) -> float:
    """0 too where the reader cannot answer: what is compared is the reader."""
    try:
        reply = reader.read(context, question, BENCHMARK.card.standard.prompts[question.prompt])
    except NotAvailableError:
        reply = Reply(text="")
    return BENCHMARK.score(question, keyed.keys[question.question_id], reply, None, {}).value or 0.0


@pytest.mark.full
def test_the_reader_is_not_better_on_shown_wordings_than_on_held_out_ones() -> None:
    """Measured in the mean of the three tasks: 92.0 % against 90.1 %, 1.9 points of the 5 allowed."""
    seen, held = (means(size, shown="full", seeds=(1, 2, 3)) for size in ("medium", "medium-held-out"))
    print(f"\nreader on shown wordings {seen}, on held-out ones {held}")
    assert fmean(seen.values()) - fmean(held.values()) <= GAP


@pytest.mark.full
@pytest.mark.parametrize("size", ["small", "small-held-out"])
def test_the_evidence_is_enough_for_the_reader(size: str) -> None:
    """Else the ceiling of generated data says nothing about memories."""
    evidence = means(size, shown="oracle")
    print(f"\nreader with the evidence, {size}: {evidence}")
    assert evidence[SINGLE] >= 0.95  # measured: 1.000, held out 1.000
    assert evidence[CHAINED] >= 0.90  # measured: 0.971, held out 0.983
    assert evidence[LABELS] >= 0.95  # measured: 1.000, held out 1.000


@pytest.mark.full
@pytest.mark.parametrize("size", ["small", "small-held-out"])
def test_a_reader_without_memory_is_at_chance(size: str) -> None:
    """Measured: 0 of all; the rules decline where nothing was found."""
    for task, score in means(size, shown="none").items():
        assert score <= (BENCHMARK.card.tasks[task].chance or 0.0), task


@pytest.mark.full
def test_the_newest_messages_are_not_enough() -> None:
    """A history is so long that a memory which drops the oldest loses: the rows of a demonstration differ."""
    everything, last = means("small", shown="full"), means("small", shown="window")
    print(f"\nreader with everything {everything}, with the newest messages {last}")
    for task, score in last.items():
        assert score <= everything[task] - 0.1, task  # measured: 0.35, 0.68 and 0.22 less
