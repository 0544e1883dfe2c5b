from __future__ import annotations

import json
from dataclasses import replace

import pytest

from recollect.domain.ids import HistoryId, MessageId
from recollect.records.tables.cells import Recalled, RecalledItem
from recollect.report.page.payload import BEYOND, LISTED, Json, _ranges, payload
from recollect.report.recalls import Recalls
from recollect.report.text import question_names

from tests.fakes.report_builder import Made, run


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return run(tmp_path_factory.mktemp("payload") / "run", histories=2, questions=3, tasks=("facts",))


def of(made: Made) -> Json:
    return payload(made.folder.histories(), made.cells, made.folder.prompts(), Recalls())


def test_every_question_is_there_with_every_cell(made: Made) -> None:
    said = of(made)
    assert len(said["entries"]) == 6
    assert sum(len(entry["cells"]) for entry in said["entries"]) == len(made.cells)


def test_each_text_and_each_item_is_said_once(made: Made) -> None:
    said = of(made)
    assert len({json.dumps(text) for text in said["texts"]}) == len(said["texts"])
    assert len({json.dumps(item, sort_keys=True) for item in said["items"]}) == len(said["items"])


def test_numbers_lead_to_the_words_of_the_history(made: Made) -> None:
    said = of(made)
    entry = said["entries"][0]
    keyed = next(iter(made.folder.histories()))
    key = next(iter(keyed.keys.values()))
    evidence = said["messages"][entry["evidence"][0]]
    texts = {message.message_id: message.text for message in keyed.history.messages()}
    assert evidence["i"] == key.evidence[0]
    assert said["texts"][evidence["t"]] == texts[key.evidence[0]]
    assert said["texts"][entry["gold"][0]] == key.gold[0]


def test_a_long_recall_is_listed_in_part_and_far_evidence_all_the_same(made: Made) -> None:
    cell = next(one for one in made.cells if one.row == "full")
    far = RecalledItem(text="far", sources=cell.evidence, covers=cell.evidence)
    items = (*(RecalledItem(text=f"item {n}", sources=(MessageId(f"x{n}"),)) for n in range(1000)), far)
    long = replace(cell, recall=Recalled(items=items))
    said = payload(made.folder.histories(), [long], {}, Recalls())
    (told,) = said["recalls"]
    assert (len(told["i"]), told["n"]) == (LISTED, 1001)
    assert [place for place, _ in said["entries"][0]["cells"][0]["beyond"]] == [1000]
    assert len(said["items"]) <= LISTED + BEYOND


def test_of_a_recall_in_time_the_end_is_listed(made: Made) -> None:
    items = tuple(RecalledItem(text=f"item {n}") for n in range(100))
    cell = replace(made.cells[0], recall=Recalled(items=items, order="time"))
    said = payload(made.folder.histories(), [cell], {}, Recalls())
    assert said["recalls"][0]["a"] == 100 - LISTED
    assert said["texts"][said["items"][0]["t"]] == f"item {100 - LISTED}"


def test_a_cell_of_an_unknown_history_is_shown_all_the_same(made: Made) -> None:
    cell = replace(made.cells[0], history=HistoryId("elsewhere"))
    assert payload(made.folder.histories(), [cell], {}, Recalls())["entries"][0]["history"] == -1


def test_names_are_as_short_as_they_may_be() -> None:
    asked = [("h", "end", "q1"), ("h", "one", "q2"), ("h", "two", "q2"), ("a", "end", "q3"), ("b", "end", "q3")]
    assert question_names(asked) == ["q1", "q2@one", "q2@two", "q3@end@a", "q3@end@b"]


def test_ranges_hold_each_number_once() -> None:
    assert _ranges([1, 2, 2, 3, 7]) == [1, 3, 7, 7]
    assert _ranges([]) == []


def test_rows_under_test_and_rows_that_keep_nothing_are_named(made: Made) -> None:
    said = payload(made.folder.histories(), made.cells, {}, Recalls(), {"facts": "none"})
    assert set(said["systems"]) == {"extractor", "graph-memory (k=20, rerank)"}
    assert said["floors"] == {"facts": "none"}
