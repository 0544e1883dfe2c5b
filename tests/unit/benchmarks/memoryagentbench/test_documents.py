"""Documents: cut, written, scored, their evidence found by rule, rebuilt and invented."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from recollect.benchmarks.memoryagentbench.build import build
from recollect.benchmarks.memoryagentbench.card import CARD
from recollect.benchmarks.memoryagentbench.families import SOURCES
from recollect.benchmarks.memoryagentbench.families.blocks import body_of, context_of, numbered
from recollect.benchmarks.memoryagentbench.families.documents import (
    CHAINED,
    SINGLE,
    WORD,
    document_finder,
    document_set,
    texts_of,
    title_of,
)
from recollect.benchmarks.memoryagentbench.load import load
from recollect.benchmarks.memoryagentbench.questions import Asked
from recollect.benchmarks.memoryagentbench.score import score
from recollect.benchmarks.memoryagentbench.write import write
from recollect.contracts.benchmark import Dataset
from recollect.domain.errors import DataError
from recollect.domain.exchange import Reply
from recollect.domain.histories import Keyed
from recollect.text.tokens import count

EMPTY = dict.fromkeys(
    ("demo", "haystack_sessions", "keypoints", "previous_events", "question_dates", "question_ids", "question_types")
)


def _published(task: str, documents: list[str], *asked: tuple[str, str]) -> dict[str, Any]:
    """A row as published, without our field."""
    pairs = [f"{task}_no{place}" for place in range(len(asked))]
    return {
        "context": context_of(numbered(documents, WORD)),
        "questions": [question for question, _ in asked],
        "answers": [[answer] for _, answer in asked],
        "metadata": {**EMPTY, "source": task, "qa_pair_ids": pairs},
    }


def _loaded(row: dict[str, Any], folder: Path) -> Keyed:
    path = folder / "rows.jsonl"
    path.write_text(f"{json.dumps(row)}\n")
    return load(path).histories[0]


def _places(one: Keyed, number: int = 0) -> list[int]:
    names = [message.message_id for message in one.history.messages()]
    return [names.index(name) for name in one.keys[one.history.questions[number].question_id].evidence]


def _parts(task: str, gold: tuple[str, ...], said: str) -> dict[str, float | None]:
    row = make_row(task, gold)
    question = row.history.questions[0]
    outcome = score(question, row.keys[question.question_id], Reply(text=said), None, {})
    return {"value": outcome.value, **{part.name: part.value for part in outcome.parts}}


def make_row(task: str, gold: tuple[str, ...]) -> Keyed:
    from recollect.benchmarks.memoryagentbench.histories import keyed

    return keyed(SOURCES[task], 0, ["Document 1:\nAny."], [Asked(text="What?", gold=gold)])


def test_documents_are_cut_at_headers_that_count_on() -> None:
    context = "Document 1:\nTitle\nIt quotes a list:\n\nDocument 7:\nno header.\n\nDocument 2:\nSecond.\n"
    texts = texts_of(context)
    assert texts == ["Document 1:\nTitle\nIt quotes a list:\n\nDocument 7:\nno header.", "Document 2:\nSecond."]
    assert context_of(texts) == context.rstrip("\n")
    assert [body_of(text, WORD) for text in texts][1] == "Second."
    assert [title_of(text) for text in texts] == ["Title", ""]


@pytest.mark.parametrize("context", ["", "no document\n", "Document 3:\nstarts late\n"])
def test_a_context_without_documents_is_refused(context: str) -> None:
    with pytest.raises(ValueError, match="no document in it"):
        texts_of(context)


def test_what_stands_before_the_first_document_is_kept() -> None:
    assert texts_of("Here they are:\n\nDocument 0:\nA.\n\nDocument 1:\nB.")[0] == "Here they are:"


def test_the_only_document_that_holds_the_answer_is_its_evidence(tmp_path: Path) -> None:
    documents = ["The mill of Orm was built in 1804.", "The mill of Denn burned down.", "Denn had 1804 mills, it says."]
    row = _published(
        SINGLE, documents, ("What happened to the mill of Denn?", "burned down"), ("When was it built?", "1804")
    )
    one = _loaded(row, tmp_path)
    assert (_places(one, 0), _places(one, 1)) == ([1], [])
    assert one.keys[one.history.questions[0].question_id].labels["evidence"] == "by_rule"
    assert "evidence" not in one.keys[one.history.questions[1].question_id].labels


LINKED = [
    "Orm Mill\nOrm Mill is a mill that was built by Tam Rusk near a bridge.",
    "Tam Rusk\nTam Rusk was a miller from Quill Bay.",
    "Bel Rusk\nBel Rusk was a sailor from Denn.",
    "Denn\nDenn is a town. Bel Rusk once visited Quill Bay from there.",
]


@pytest.mark.parametrize(
    ("question", "answer", "places"),
    [
        pytest.param("Where was the builder of Orm Mill from?", "Quill Bay", [0, 1], id="one leads to the other"),
        pytest.param("Were Tam Rusk and Bel Rusk both millers?", "no", [1, 2], id="two named, yes or no"),
        pytest.param("Who was a sailor, Tam Rusk or Bel Rusk?", "Bel Rusk", [1, 2], id="two named, one is the answer"),
        pytest.param("What was the trade of the man?", "miller", [], id="nothing is named"),
        pytest.param("Is Denn a town?", "yes", [], id="one is named"),
    ],
)
def test_two_documents_are_found_by_titles_and_absent_where_the_titles_do_not_tell(
    question: str, answer: str, places: list[int], tmp_path: Path
) -> None:
    assert _places(_loaded(_published(CHAINED, LINKED, (question, answer)), tmp_path)) == places


def test_a_longer_title_hides_one_inside_it() -> None:
    find = document_finder(numbered(["York\nA city.", "New York\nA city.", "Denn\nA town."], WORD))
    assert find(Asked(text="Are New York and Denn cities?", gold=("no",))) == (
        (1, 2),
        (),
        {"evidence": "by_rule", "depth": "6"},
    )


@pytest.mark.parametrize("task", [SINGLE, CHAINED])
def test_the_papers_measure_takes_an_answer_anywhere_in_the_reply(task: str) -> None:
    """MemoryAgentBench, RULER QA: substring match, raw or parsed; exact match and F1 beside it."""
    parts = _parts(task, ("Quill Bay", "Quillbay"), "It was the quillbay.")
    assert (parts["value"], parts["exact_match"], parts["lenient_word_match"]) == (1.0, 0.0, 1.0)
    assert _parts(task, ("Quill Bay",), "Answer: Quill Bay\nAs I said.")["exact_match"] == 1.0
    assert _parts(task, ("Quill Bay",), "Denn")["value"] == 0.0
    assert "stale" not in parts


def test_limits_and_chunks_are_the_papers() -> None:
    """MemoryAgentBench, tables 13 and 14: 50 tokens, chunks of 512."""
    for task in (SINGLE, CHAINED):
        assert CARD.paper.output_tokens[task] == 50
        assert CARD.paper.steps_for(task).chunk_tokens == 512
        assert "where the published row has" in CARD.tasks[task].meaning


def test_documents_are_there_once_in_an_order_of_the_seed() -> None:
    need = ("Where?", ("there",), ("b is there",), "single")
    made = document_set(["a", "b is there", "c", "a"], [need], Random(1))
    assert sorted(body_of(text, WORD) for text in made.texts) == ["a", "b is there", "c"]
    (place,) = made.asked[0].evidence
    assert body_of(made.texts[place], WORD) == "b is there"
    assert made.asked[0].labels == {"kind": "single", "answer_in": "1", "depth": str(10 * place // 3)}
    orders = {tuple(document_set("abcdef", [], Random(seed)).texts) for seed in range(9)}
    assert len(orders) > 5


# Rebuilt


@pytest.fixture
def documents_source(tmp_path: Path) -> Path:
    """Invented files in the shape of XQuAD and of the HotpotQA sample."""
    paragraphs = [
        {
            "context": f"Paragraph {number} says that thing {number} is red and thing {number}b is blue. ",
            "qas": [
                {"id": f"{number}{side}", "question": f"What colour has thing {number}{side}?", "answers": answers}
                for side, answers in (("", [{"text": "red", "answer_start": 30}] * 2), ("b", [{"text": "blue"}]))
            ],
        }
        for number in range(110)
    ]
    _write(tmp_path / "xquad_en" / "xquad.en.json.gz", json.dumps({"data": [{"paragraphs": paragraphs}]}))
    rows = [
        {
            "id": str(number),
            "question": f"Where was the maker of Work {number} born?",
            "answer": f"Town {number}",
            "type": "bridge",
            "supporting_facts": [[f"Work {number}", 0], [f"Maker {number}", 1], [f"Work {number}", 1]],
            "context": [
                ["Common", ["Known to all."]],
                [f"Maker {number}", ["A maker.", f" Born in Town {number}."]],
                [f"Work {number}", [f"Made by Maker {number}.", " It is old."]],
            ],
        }
        for number in range(6)
    ]
    _write(tmp_path / "hotpotqa_sample" / "distractor.jsonl.gz", "".join(f"{json.dumps(row)}\n" for row in rows))
    return tmp_path


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(gzip.compress(text.encode(), mtime=0))


def _task(dataset: Dataset, task: str) -> Keyed:
    return next(one for one in dataset.histories if one.task == task)


def test_both_tasks_are_built_with_what_they_reached_and_survive_the_disk(
    documents_source: Path, tmp_path: Path
) -> None:
    made = build(documents_source, [SINGLE, CHAINED], 1)
    assert f"{SINGLE} (100 of 100 questions, 110 documents, " in made.origin
    assert f"{CHAINED} (6 of 100 questions, 13 documents, " in made.origin
    assert "tokens of 421000 asked for)" in made.origin
    write(made, tmp_path / "a.jsonl")
    assert load(tmp_path / "a.jsonl") == made
    assert build(documents_source, [CHAINED], 1).histories[0] == _task(made, CHAINED)
    assert build(documents_source, [CHAINED], 2).histories[0] != _task(made, CHAINED)


def test_evidence_is_the_paragraph_asked_about_and_both_paragraphs_of_a_chain(documents_source: Path) -> None:
    made = build(documents_source, [SINGLE, CHAINED], 1)
    one = _task(made, SINGLE)
    texts = [body_of(message.text, WORD) for message in one.history.messages()]
    for number, question in enumerate(one.history.questions):
        (place,) = _places(one, number)
        assert question.text.split()[-1].rstrip("?") in texts[place]
        assert len(one.keys[question.question_id].gold) == 1
    assert len({tuple(_places(one, number)) for number in range(100)}) == 100, "one of each document comes first"
    linked = _task(made, CHAINED)
    titles = [title_of(message.text) for message in linked.history.messages()]
    for number, question in enumerate(linked.history.questions):
        which = question.text.split()[6]
        assert [titles[place] for place in _places(linked, number)] == [f"Work {which}", f"Maker {which}"]


@pytest.mark.parametrize(
    ("task", "spoil"),
    [
        (SINGLE, lambda folder: (folder / "xquad_en" / "xquad.en.json.gz").unlink()),
        (SINGLE, lambda folder: _write(folder / "xquad_en" / "xquad.en.json.gz", "[1]")),
        (CHAINED, lambda folder: _write(folder / "hotpotqa_sample" / "distractor.jsonl.gz", '{"question": "Who?"}\n')),
        (CHAINED, lambda folder: (folder / "hotpotqa_sample" / "distractor.jsonl.gz").write_bytes(b"torn")),
    ],
)
def test_a_source_file_that_is_not_what_it_should_be_is_named(
    task: str, spoil: Callable[[Path], object], documents_source: Path
) -> None:
    spoil(documents_source)
    with pytest.raises(DataError, match=r"(xquad_en/xquad\.en\.json|hotpotqa_sample/distractor\.jsonl)\.gz"):
        build(documents_source, [task], 0)


@pytest.mark.real
def test_real_documents_are_built_and_their_evidence_is_found_again_by_rule(data: Path, tmp_path: Path) -> None:
    """Asked for are 197K and 421K tokens with 100 questions each; the card names what the data at hand reach."""
    made = build(data, [SINGLE, CHAINED], 0)
    assert [len(one.history.questions) for one in made.histories] == [100, 75]
    tokens = [count(context_of([message.text for message in one.history.messages()])) for one in made.histories]
    assert tokens == [pytest.approx(31_000, rel=0.01), pytest.approx(99_000, rel=0.01)]
    for one, least_told, least_right in zip(made.histories, (70, 36), (1.0, 0.85), strict=True):
        find = document_finder([message.text for message in one.history.messages()])
        told = [
            (set(found.evidence), set(_places(one, number)))
            for number, question in enumerate(one.history.questions)
            if (found := find(Asked(text=question.text, gold=one.keys[question.question_id].gold)))
        ]
        assert len(told) >= least_told
        assert sum(ours == theirs for ours, theirs in told) >= least_right * len(told)
    write(made, tmp_path / "a.jsonl")
    assert load(tmp_path / "a.jsonl") == made
