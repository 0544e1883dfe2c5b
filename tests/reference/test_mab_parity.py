"""Frozen results of MemoryAgentBench: recommendations and the summary judge; text measures are in another module.

Where ours differs on purpose, the case is named in `DEVIATIONS` with the reason.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from recollect.judging.parsing import Unusable, one_object
from recollect.metrics.recommendation import CUTOFFS, Entities, entity_name, recommendation_recall, recommended
from recollect.metrics.recommendation import strict_titles as titles
from recollect.metrics.summaries import SummaryCounts, published_summary_scores, share, summary_f1

DATA = os.environ.get("RECOLLECT_DATA")
pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(not DATA, reason="RECOLLECT_DATA names no folder with the source data"),
]
Case = dict[str, Any]

HERE = {"movie_name", "recommendation_list", "recsys", "summary_reply", "summary_scores"}
IN_TEST_METRICS_PARITY = {"normalize", "f1", "metrics", "parse_output", "post_process"}
DEVIATIONS = {
    "recsys-242": "no gold: the reference divides by zero, ours is undefined",
    "summary_reply-276": "two objects with prose around them: the reference takes the last one, ours asks again",
    "summary_reply-279": "something else before the object: the same",
    "summary_reply-281": "an object within an object: the reference finds none unless it is fenced, ours reads it",
    "summary_reply-286": "words behind the object: the reference passes over them, ours asks again",
    "summary_scores-294": "a row without a reference ends the whole evaluation with an error; ours goes on without it",
    "summary_scores-295": "the same",
    "summary_scores-296": "no row can be used: the reference ends with an error, ours has no mean",
}


@cache
def fixture() -> dict[str, Any]:
    path = Path(str(DATA)) / "parity" / "mab_metrics.json"
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def of_addresses(addresses: dict[str, int]) -> Entities:
    """From DBpedia addresses with their ids."""
    return Entities({entity_id: entity_name(uri) for uri, entity_id in addresses.items()})


@pytest.fixture(scope="module")
def entities() -> Entities:
    return of_addresses(fixture()["shared"]["entity2id"])


def cases(kind: str) -> Iterator[Case]:
    """The cases of a kind that are not named as deviations."""
    found = [case for case in fixture()["cases"] if case["kind"] == kind]
    assert found, f"no case of {kind}"
    yield from (case for case in found if case["id"] not in DEVIATIONS)


def case_of(name: str) -> Case:
    found: Case = next(case for case in fixture()["cases"] if case["id"] == name)
    return found


def test_every_kind_of_the_300_cases_is_compared() -> None:
    kinds = [case["kind"] for case in fixture()["cases"]]
    assert len(kinds) == 300
    assert set(kinds) == HERE | IN_TEST_METRICS_PARITY


def test_names_of_entities() -> None:
    for case in cases("movie_name"):
        assert entity_name(case["input"]["text"]) == case["expected"]["value"], case["id"]


def test_lists_of_titles() -> None:
    for case in cases("recommendation_list"):
        assert titles(case["input"]["text"]) == case["expected"]["value"]["items"], case["id"]


def test_recommendations(entities: Entities) -> None:
    """Among names that are equally near the reference takes any; ours takes the smallest id."""
    for case in cases("recsys"):
        said, answer, wanted = case["input"]["output"], case["input"]["answer"], case["expected"].get("value")
        if wanted is None:
            with pytest.raises((TypeError, ValueError)):
                recall_of(said, answer, entities, k=1)
            continue
        lines = titles(said)
        assert lines == [line["text"] for line in wanted["lines"]], case["id"]
        for title, line in zip(lines, wanted["lines"], strict=True):
            nearest = entities.nearest(title)
            assert (nearest.name in line["nearest"], nearest.distance) == (True, line["distance"]), (case["id"], title)
        for k in CUTOFFS:
            reachable = wanted[f"recsys_recall@{k}"]
            choices = reachable if isinstance(reachable, list) else [reachable]
            assert any(recall_of(said, answer, entities, k=k) == pytest.approx(one, abs=1e-9) for one in choices)


def recall_of(said: str, answer: Sequence[str], entities: Entities, *, k: int) -> float | None:
    gold = [entities.name_of(name) for name in answer]
    return recommendation_recall(recommended(titles(said), entities), gold, k=k)


def test_the_nearest_of_all_entities_is_that_of_a_full_scan() -> None:
    """ReDial's 31,161 entities; every 1,500th name with two slips, against a scan of all names in the order of ids."""
    import gzip

    from rapidfuzz.distance import Levenshtein

    ids = json.loads(gzip.decompress((Path(str(DATA)) / "redial" / "entity2id.json.gz").read_bytes()))
    assert len(ids) == 31_161
    entities = of_addresses(ids)
    names = sorted((entity_id, entity_name(uri)) for uri, entity_id in ids.items())
    for _, name in names[::1500]:
        title = f"x{name[:-2]}{name[-1:]}"
        found = entities.nearest(title)
        wanted = min((Levenshtein.distance(title.lower(), other.lower()), entity_id) for entity_id, other in names)
        assert (found.distance, found.entity_id) == wanted, title


def test_replies_of_the_summary_judge() -> None:
    for case in cases("summary_reply"):
        ours = one_object(case["input"]["text"])
        assert (None if isinstance(ours, Unusable) else ours) == case["expected"]["value"], case["id"]


def test_scores_of_summaries() -> None:
    """To the letter, and with sound counts: there the share of more than all is all, and of nothing undefined."""
    for case in cases("summary_scores"):
        wanted = case["expected"]["value"]
        counts = [counts_of(row) for row in case["input"]["rows"]]
        for found, row in zip(counts, wanted["per_row"], strict=True):
            assert (found is None) == (row is None), case["id"]
            if found is None:
                continue
            ours = published_summary_scores(found)
            names = ("fluency", "recall", "precision", "f1")
            assert ours == pytest.approx(tuple(row[name] for name in names), abs=1e-9), case["id"]
            assert_sound(found, row)
        known = [published_summary_scores(found) for found in counts if found is not None]
        for place, name in enumerate(("fluency", "recall", "precision", "f1")):
            mean = sum(scores[place] for scores in known) / len(known)
            assert mean == pytest.approx(wanted["mean"][f"gpt-4-{name}"], abs=1e-9), (case["id"], name)


def assert_sound(counts: SummaryCounts, row: Mapping[str, float]) -> None:
    recall, precision = share(counts.points_found, counts.points), share(counts.sentences_found, counts.sentences)
    assert recall == (pytest.approx(min(1.0, row["recall"])) if counts.points else None)
    assert precision == (pytest.approx(min(1.0, row["precision"])) if counts.sentences else None)
    if counts.points_found <= counts.points and counts.sentences_found <= counts.sentences and counts.points:
        assert (summary_f1(float(counts.fluency), recall, precision) or 0.0) == pytest.approx(row["f1"], abs=1e-9)


def counts_of(row: Mapping[str, Any]) -> SummaryCounts | None:
    """The three replies of a row as the reference reads them: the last object that holds no other."""
    found = [_last_object(reply) for reply in row["replies"]]
    if any(reply is None for reply in found):
        return None
    fluency, recall, precision = (reply or {} for reply in found)
    points = len(row["key_points"])
    return SummaryCounts(
        fluency["fluency"], recall["recall"], points, precision["precision"], precision["sentence_count"]
    )


def _last_object(reply: str | None) -> dict[str, Any] | None:
    objects = re.findall(r"\{[^{}]*\}", reply or "")
    found: dict[str, Any] | None = json.loads(objects[-1]) if objects else None
    return found


@pytest.mark.parametrize("name", [name for name in DEVIATIONS if name.startswith("summary_reply")])
def test_a_reply_that_is_read_in_another_way_really_differs(name: str) -> None:
    ours = one_object(case_of(name)["input"]["text"])
    assert (None if isinstance(ours, Unusable) else ours) != case_of(name)["expected"]["value"]


@pytest.mark.parametrize("name", [name for name in DEVIATIONS if not name.startswith("summary_reply")])
def test_where_the_reference_ends_with_an_error_ours_tells_what_it_can(name: str, entities: Entities) -> None:
    case = case_of(name)
    assert "error" in case["expected"]
    if case["kind"] == "recsys":
        assert recall_of(case["input"]["output"], case["input"]["answer"], entities, k=1) is None
        return
    rows = case["input"]["rows"]
    known = [counts for row in rows if row["known"] and (counts := counts_of(row)) is not None]
    assert all(published_summary_scores(counts) for counts in known)
    assert bool(known) == (name != "summary_scores-296")
