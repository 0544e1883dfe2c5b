"""Recommendations: dialogues cut, titles scored by entity, the names of entities stored once, both builders."""

from __future__ import annotations

import gzip
import json
import lzma
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from recollect.benchmarks.memoryagentbench.build import build
from recollect.benchmarks.memoryagentbench.build.recommendations import worded
from recollect.benchmarks.memoryagentbench.card import CARD
from recollect.benchmarks.memoryagentbench.families import SOURCES
from recollect.benchmarks.memoryagentbench.families.blocks import context_of, numbered
from recollect.benchmarks.memoryagentbench.families.recommendations import (
    ENTITIES,
    FILMS,
    MADE,
    MADE_FILMS,
    REDIAL,
    TITLES,
    WORD,
    Mentions,
    asked,
    read_entities,
    texts_of,
)
from recollect.benchmarks.memoryagentbench.histories import keyed
from recollect.benchmarks.memoryagentbench.load import load
from recollect.benchmarks.memoryagentbench.score import score
from recollect.benchmarks.memoryagentbench.write import write
from recollect.domain.errors import DataError
from recollect.domain.exchange import Reply
from recollect.domain.outcomes import Outcome, Status
from recollect.domain.questions import AnswerFormat
from recollect.text.tokens import count

NAMES = {"7": "Night Ferry", "12": "The Glass Duke", "31": "Orm Mill", "40": "Bel Rusk", "55": "Copper Bay"}
MAP = {f"<http://dbpedia.org/resource/{name.replace(' ', '_')}_(film)>": int(key) for key, name in NAMES.items()}
SHARED = {ENTITIES: NAMES, FILMS: ["7", "12", "31", "55"]}


def _scored(said: str, wanted: tuple[str, ...], data: Mapping[str, Any] = SHARED) -> Outcome:
    one = keyed(SOURCES[REDIAL], 0, ["Dialogue 1:\nUser: Hi"], [asked("User: And now?", wanted)])
    question = one.history.questions[0]
    return score(question, one.keys[question.question_id], Reply(text=said), None, data)


def _parts(outcome: Outcome) -> dict[str, float | None]:
    return {part.name: part.value for part in outcome.parts}


def test_recall_is_the_share_of_right_films_among_the_first_titles() -> None:
    """Recall@5 is the paper's measure: 1 of 2 films among five titles, the other behind them."""
    outcome = _scored(
        "1. Copper Bay\n2. Nigth Ferry\n3. Copper Bay\n4. The Glass Duke\n5. Copper Bay\n6. Orm Mill", ("7", "31")
    )
    assert outcome.value == 0.5
    assert _parts(outcome) == {"recall@5": 0.5, "recall@1": 0.0, "recall@10": 1.0, "lenient_recall@5": 0.5}


def test_empty_lines_cost_places_in_the_strict_reading_and_none_in_the_lenient_one() -> None:
    said = "1. Copper Bay\n\n\n\n\n2. Night Ferry"
    assert _parts(_scored(said, ("7",))) | {"recall@10": 0.0} == {
        "recall@5": 0.0,
        "recall@1": 0.0,
        "recall@10": 0.0,
        "lenient_recall@5": 1.0,
    }


def test_the_lenient_reading_takes_titles_for_films_alone() -> None:
    """`Bel Ruskin` is two edits from the person Bel Rusk, and from no film less than seven."""
    parts = _parts(_scored("1. Bel Ruskin", ("40",)))
    assert (parts["recall@5"], parts["lenient_recall@5"]) == (1.0, 0.0)
    without = _parts(_scored("1. Bel Ruskin", ("40",), {ENTITIES: NAMES}))
    assert (without["recall@5"], without["lenient_recall@5"]) == (1.0, 1.0)


@pytest.mark.parametrize("said", ["", " \n "])
def test_an_empty_reply_recommends_nothing(said: str) -> None:
    short = {**SHARED, ENTITIES: {**NAMES, "9": "A"}, FILMS: ["9"]}
    assert _scored(said, ("9",), short).value == 0.0


@pytest.mark.parametrize(
    ("data", "why"),
    [({}, "put `entity2id.json` into the folder of the rows"), ({ENTITIES: {"1": "A"}}, "entity 7 has no name")],
)
def test_without_names_a_score_is_not_available_and_never_zero(data: Mapping[str, Any], why: str) -> None:
    outcome = _scored("1. Night Ferry", ("7",), data)
    assert (outcome.status, outcome.value) == (Status.NOT_AVAILABLE, None)
    assert why in outcome.why


def test_scores_of_two_sets_of_names_are_kept_apart() -> None:
    other = {ENTITIES: {"7": "Silent Quay", "8": "Night Ferry"}}
    assert [_scored("1. Night Ferry", ("7",), data).value for data in (other, SHARED, other)] == [0.0, 1.0, 0.0]


def test_the_card_has_the_papers_measure_and_is_graded() -> None:
    """MemoryAgentBench, section 3.3 and tables 13 and 14: Recall@5, 300 tokens, chunks of 4096."""
    for task in (REDIAL, MADE):
        card = CARD.tasks[task]
        assert (card.measure, card.binary) == ("recall@5", False)
        assert set(card.parts) >= {"recall@1", "recall@5", "recall@10"}
        assert CARD.paper.output_tokens[task] == 300
    assert CARD.paper.steps_for(REDIAL).chunk_tokens == 4096
    assert CARD.tasks[MADE].chance == pytest.approx(5 / MADE_FILMS)
    assert "where the published row has 1.44M" in CARD.tasks[REDIAL].meaning


# Published rows and the files beside them

DIALOGUES = [
    "User: I liked Night Ferry (1999).\nSystem: Then Copper Bay (2001)?",
    "User: Copper Bay was fine, midnight ferry (1999) was not.\nSystem: Right.",
    "User: The glass duke (1980)!\nSystem: Good.",
]


def _published(folder: Path) -> Path:
    row = {
        "context": context_of(numbered(DIALOGUES, WORD)),
        "questions": ["User: Something on a ship?", "User: Anything else?"],
        "answers": [["7"], ["12", "31"]],
        "metadata": {
            **dict.fromkeys(("demo", "haystack_sessions", "keypoints", "previous_events", "question_dates")),
            **dict.fromkeys(("question_ids", "question_types")),
            "source": REDIAL,
            "qa_pair_ids": [f"{REDIAL}_no0", f"{REDIAL}_no1"],
        },
    }
    path = folder / "rows.jsonl"
    path.write_text(f"{json.dumps(row)}\n")
    return path


@pytest.mark.parametrize("packed", [False, True])
def test_a_published_row_takes_its_names_from_the_file_beside_it(packed: bool, tmp_path: Path) -> None:
    data = json.dumps(MAP).encode()
    name = "entity2id.json.gz" if packed else "entity2id.json"
    (tmp_path / name).write_bytes(gzip.compress(data) if packed else data)
    (tmp_path / "item_ids.json").write_text("[7, 12, 31, 55]")
    made = load(_published(tmp_path))
    assert made.shared == {REDIAL: {ENTITIES: NAMES, FILMS: ["7", "12", "31", "55"]}}
    first, second = made.histories[0].history.questions
    keys = made.histories[0].keys
    assert (first.answer_format, first.items) == (AnswerFormat.LIST, TITLES)
    assert keys[second.question_id].gold == ("1. The Glass Duke\n2. Orm Mill",)
    assert keys[second.question_id].field_gold == {ENTITIES: ("12", "31")}
    ids = [message.message_id for message in made.histories[0].history.messages()]
    assert [ids.index(name) for name in keys[first.question_id].evidence] == [0]
    assert [ids.index(name) for name in keys[second.question_id].evidence] == [2]
    assert keys[first.question_id].labels["evidence"] == "by_rule"
    whole = score(
        second, keys[second.question_id], Reply(text=keys[second.question_id].gold[0]), None, made.shared[REDIAL]
    )
    assert whole.value == 1.0
    write(made, tmp_path / "again" / "b.jsonl")
    again = load(tmp_path / "again" / "b.jsonl")
    assert (again.histories, again.shared) == (made.histories, made.shared)


def test_a_published_row_without_that_file_loads_and_says_what_is_missing_when_scored(tmp_path: Path) -> None:
    made = load(_published(tmp_path))
    assert made.shared == {}
    one = made.histories[0]
    question = one.history.questions[0]
    assert one.keys[question.question_id].gold == ("7",)
    outcome = score(question, one.keys[question.question_id], Reply(text="1. Night Ferry"), None, {})
    assert outcome.status is Status.NOT_AVAILABLE
    assert "entity2id.json" in outcome.why


@pytest.mark.parametrize(
    ("name", "text"),
    [
        pytest.param("entity2id.json", "[1]", id="no object"),
        pytest.param("entity2id.json", '{"a": "b"}', id="no number"),
        pytest.param("entity2id.json", "{", id="torn"),
        pytest.param("item_ids.json", "{}", id="no list"),
        pytest.param("item_ids.json", "[999]", id="a film without a name"),
    ],
)
def test_a_broken_file_beside_the_rows_is_named(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / "entity2id.json").write_text(json.dumps(MAP))
    (tmp_path / name).write_text(text)
    with pytest.raises(DataError, match=name):
        read_entities(tmp_path)


def test_an_answer_that_is_no_id_is_refused_with_its_place(tmp_path: Path) -> None:
    path = _published(tmp_path)
    path.write_text(path.read_text().replace('["7"]', '["Night Ferry"]'))
    with pytest.raises(DataError, match=r"questions\.0.*`Night Ferry` is no id"):
        load(path)


def test_a_title_is_named_only_with_a_year_behind_it_and_from_its_first_word() -> None:
    found = Mentions(["It (2017) is good", "Visit (2015)? Did it (1990) scare you?", "I like it (a lot)", ""])
    assert found.of("It") == {0, 1}
    assert found.of("Good") == set()


def test_a_context_without_dialogues_is_refused() -> None:
    with pytest.raises(ValueError, match="no dialogue in it"):
        texts_of("User: Hi\nSystem: Hello")


# Rebuilt


@pytest.fixture
def redial(tmp_path: Path) -> Path:
    """Invented turns in the shape of the recommendation turns of ReDial."""
    folder = tmp_path / "redial"
    folder.mkdir()
    names = {f"<http://dbpedia.org/resource/Film_{number}>": number for number in range(60)}
    (folder / "entity2id.json.gz").write_bytes(gzip.compress(json.dumps(names).encode()))
    (folder / "item_ids.json").write_text(json.dumps(list(range(60))))
    rows = [row for number in range(230) for row in _turns(number)]
    text = "".join(f"{json.dumps(row)}\n" for row in rows)
    (folder / "test.jsonl.xz").write_bytes(lzma.compress(text.encode()))
    return tmp_path


def _turns(number: int) -> list[dict[str, Any]]:
    """Two turns of a dialogue in which the user speaks first; the second recommends one film again."""
    first, second = number % 60, (number + 7) % 60
    opening = ["", f"Talk {number}: I want\na film", f"Film {first} (1990)?", "Seen it"]
    common = {"dialog_id": f"d{number}", "is_user": 0, "entity": [first], "entity_name": [], "input": ""}
    return [
        {**common, "context": opening[:2], "resp": opening[2], "rec": [first], "prev_entity": [], "turn_id": 1},
        {
            **common,
            "context": opening,
            "resp": f"Film {second} (1991), or Film {first}",
            "rec": [second, first],
            "prev_entity": [first],
            "turn_id": 2,
        },
    ]


def test_recommendation_is_built_with_its_names_and_what_it_reached(redial: Path, tmp_path: Path) -> None:
    made = build(redial, [REDIAL], 1)
    assert f"{REDIAL} (200 of 200 questions, 30 dialogues, " in made.origin
    assert made.origin.endswith("tokens of 1440000 asked for)")
    assert made.shared[REDIAL][ENTITIES]["31"] == "Film 31"
    write(made, tmp_path / "a.jsonl")
    assert load(tmp_path / "a.jsonl") == made
    assert build(redial, [REDIAL], 1) == made
    assert build(redial, [REDIAL], 2).histories != made.histories


def test_questions_are_cut_before_a_new_recommendation_and_kept_out_of_the_context(redial: Path) -> None:
    one = build(redial, [REDIAL], 1).histories[0]
    context = context_of([message.text for message in one.history.messages()])
    for question in one.history.questions:
        lines = question.text.split("\n")
        assert lines[-1].startswith("User: ")
        number = int(lines[0].removeprefix("User: Talk ").partition(":")[0])
        assert f"Talk {number}:" not in context
        wanted = one.keys[question.question_id].field_gold[ENTITIES]
        assert wanted == ((str((number + 7) % 60),) if len(lines) == 3 else (str(number % 60),))


def test_evidence_is_every_dialogue_that_names_a_wanted_film(redial: Path) -> None:
    one = build(redial, [REDIAL], 1).histories[0]
    texts = {message.message_id: message.text for message in one.history.messages()}
    for key in one.keys.values():
        named = {name for name, text in texts.items() if f"Film {key.field_gold[ENTITIES][0]} (" in text}
        assert named == set(key.evidence)
        assert key.labels["met"] == str(len(named))


def test_speakers_are_told_from_the_last_turn_backwards() -> None:
    assert worded(["", "Hello", "Hi", "A film?"], last="System") == "System: Hello\nUser: Hi\nSystem: A film?"
    assert worded(["", "I want a film"]) == "User: I want a film"


@pytest.mark.parametrize("lacking", ["entity2id.json.gz", "test.jsonl.xz"])
def test_a_missing_source_file_is_named(lacking: str, redial: Path) -> None:
    (redial / "redial" / lacking).unlink()
    with pytest.raises(DataError, match=lacking.removesuffix(".gz")):
        build(redial, [REDIAL], 0)


def test_a_film_without_a_name_and_a_torn_line_are_named(redial: Path) -> None:
    path = redial / "redial" / "test.jsonl.xz"
    path.write_bytes(lzma.compress(json.dumps({**_turns(1)[0], "rec": [99]}).encode()))
    with pytest.raises(DataError, match=r"film 99 has no name"):
        build(redial, [REDIAL], 0)
    path.write_bytes(lzma.compress(b'{"dialog_id": 1}'))
    with pytest.raises(DataError, match=r"no[t]? .*turn of ReDial"):
        build(redial, [REDIAL], 0)


@pytest.mark.real
def test_real_dialogues_give_200_questions_and_titles_are_found_as_annotated(data: Path, tmp_path: Path) -> None:
    """ReDial's test split aligned to DBpedia has 992 dialogues and 31,161 entities, of which 6,281 are films."""
    made = build(data, [REDIAL], 0)
    one, names = made.histories[0], made.shared[REDIAL]
    assert (len(one.history.questions), len(names[ENTITIES]), len(names[FILMS])) == (200, 31_161, 6_281)
    texts = [message.text for message in one.history.messages()]
    assert len(texts) == 992 - 200
    assert count(context_of(texts)) == pytest.approx(119_500, rel=0.01)
    for question in one.history.questions:
        key = one.keys[question.question_id]
        assert score(question, key, Reply(text=key.gold[0]), None, names).value == 1.0
    write(made, tmp_path / "a.jsonl")
    assert load(tmp_path / "a.jsonl") == made
    mentions, ids = Mentions(texts), [message.message_id for message in one.history.messages()]
    both = found = known = 0
    for key in one.keys.values():
        ours = set().union(*(mentions.of(names[ENTITIES][film]) for film in key.field_gold[ENTITIES]))
        theirs = {ids.index(name) for name in key.evidence}
        both, found, known = both + len(ours & theirs), found + len(ours), known + len(theirs)
    assert both >= 0.94 * found
    assert both >= 0.97 * known
