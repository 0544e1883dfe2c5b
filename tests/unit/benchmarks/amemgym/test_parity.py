"""The authors' scoring on frozen results, to 1e-9; each difference that is meant is named with its case."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from recollect.benchmarks.amemgym.card import DEVIATIONS as EXPLAINED
from recollect.benchmarks.amemgym.score import read_choice, strict_json, strict_states
from recollect.metrics.states import SIMILARITIES, chance, diagnose_states, memory_scores, upper_bound

pytestmark = pytest.mark.real
Case = dict[str, Any]

KINDS = {
    "parse_json": 60,
    "similarity": 47,
    "diagnosis": 30,
    "overall": 28,
    "memory_score": 28,
    "upper_bound": 20,
    "random": 10,
}
DEVIATIONS = {
    "similarity-074": "empty",
    "similarity-075": "empty",
    "upper_bound-150": "bound",
    "upper_bound-153": "bound",
    "diagnosis-171": "state replies",
    "diagnosis-172": "state replies",
    "diagnosis-174": "state replies",
    "diagnosis-175": "state replies",
}
"""Whole case -> its entry in the card. Cells that differ are told by their reply, or by the bound, where they stand."""


def cases(data: Path, kind: str) -> list[Case]:
    found = json.loads((data / "parity" / "amemgym_scores.json").read_text(encoding="utf-8"))["cases"]
    chosen = [case for case in found if case["kind"] == kind]
    assert len(chosen) == KINDS[kind]
    return chosen


def close(ours: Any, wanted: Any, where: str) -> None:
    """Numbers to 1e-9, everything else exactly, lists one by one."""
    if isinstance(wanted, list):
        assert len(ours) == len(wanted), where
        for one, other in zip(ours, wanted, strict=True):
            close(one, other, where)
    elif isinstance(wanted, int | float) and not isinstance(wanted, bool):
        assert ours == pytest.approx(wanted, abs=1e-9), where
    else:
        assert ours == wanted, where


def test_all_223_cases_are_compared(data: Path) -> None:
    found = json.loads((data / "parity" / "amemgym_scores.json").read_text(encoding="utf-8"))["cases"]
    assert Counter(case["kind"] for case in found) == KINDS
    assert sum(KINDS.values()) == 223
    assert set(DEVIATIONS) <= {case["id"] for case in found}


def test_every_difference_is_told_by_the_card() -> None:
    assert set(DEVIATIONS.values()) <= set(EXPLAINED)


def test_replies_in_json(data: Path) -> None:
    """NaN and infinities, which JSON has not, come as the reference gives them."""
    for case in cases(data, "parse_json"):
        said = case["input"]["reply"]
        if "error" in case["expected"]:
            with pytest.raises(TypeError if case["expected"]["error"] == "TypeError" else ValueError):
                strict_json(said)
        else:
            assert spelled(strict_json(said)) == case["expected"]["value"], case["id"]


def spelled(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: spelled(one) for name, one in value.items()}
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else f"{'-' if value < 0 else ''}Infinity"
    return value


def test_similarities(data: Path) -> None:
    for case in cases(data, "similarity"):
        said, wanted, name = case["input"]["a"], case["input"]["b"], case["input"]["metric"]
        error = case["expected"].get("error")
        if case["id"] in DEVIATIONS:
            assert (error, SIMILARITIES[name](said, wanted)) == ("ZeroDivisionError", None), case["id"]
        elif error is not None:
            with pytest.raises((KeyError, ValueError)):  # another name, or other lengths: refused by both
                SIMILARITIES[name](said, wanted)
        else:
            close(SIMILARITIES[name](said, wanted), case["expected"]["value"], case["id"])


def wanted_states(item: Case) -> list[list[list[Any]]]:
    """What each question needs, by period."""
    return [
        [[period["state"][name] for name in qa["required_info"]] for qa in item["qas"]] for period in item["periods"]
    ]


def test_what_guessing_gets(data: Path) -> None:
    for case in cases(data, "random"):
        for name, similarity in SIMILARITIES.items():
            ours = [
                [
                    [
                        chance(qa["answer_choices"], state, similarity)
                        for qa, state in zip(item["qas"], now, strict=True)
                    ]
                    for now in wanted_states(item)
                ]
                for item in case["input"]["items"]
            ]
            close(ours, case["expected"]["value"][name], case["id"])


def cells(case: Case) -> Iterator[tuple[str, Mapping[str, Any], list[Any], str, Mapping[str, Any]]]:
    """Every reply of an `overall` case: where, question, what holds, reply, and the reference's record."""
    item, records = case["input"]["item"], case["expected"]["value"]["records"]
    for period, now in enumerate(wanted_states(item)):
        for place, qa in enumerate(item["qas"]):
            reply = case["input"]["replies"][period][place]
            yield f"{case['id']} {period} {place}", qa, now[place], reply, records[period][place]


def meant(record: Mapping[str, Any], choices: int) -> str:
    """The entry of the card for a reply that we read otherwise; empty where we read the same."""
    said = record["response"]
    if record["json_error"]:
        return ""
    if said is True:
        return "true"
    if said == 0:
        return "zero"
    return "negative" if said < 0 and -said <= choices else ""


def test_choices_and_their_scores(data: Path) -> None:
    """Cell by cell; an unreadable reply stands for choice 1 in the fixture, and is an error by ours too."""
    seen: Counter[str] = Counter()
    for case in cases(data, "overall"):
        for where, qa, now, reply, record in cells(case):
            choices = qa["answer_choices"]
            ours = read_choice(reply, [f"option {number}" for number in range(len(choices))]).strict
            why = meant(record, len(choices)) or ("no gold" if now not in choices else "")
            seen[why] += 1
            if why in ("true", "zero", "negative"):
                assert ours is None, where
                continue
            assert (ours is None) == record["json_error"], where
            assert (ours or 1) == record["response"], where
            state = choices[(ours or 1) - 1]
            assert state == record["response_state"], where
            if why == "no gold":
                assert record["answer"] == len(choices) - 1, where  # the reference takes the last; ours refuses to load
                continue
            assert choices.index(now) == record["answer"], where
            for name, similarity in SIMILARITIES.items():
                close(similarity(state, now), record["scores"][name], where)
    assert set(seen) == {"", "true", "zero", "negative", "no gold"}
    assert {why for why in seen if why} <= set(EXPLAINED)
    assert seen[""] > 150


def scores_of(choices: Sequence[Any], replies: Sequence[str]) -> list[tuple[list[Any], dict[str, float | None]]]:
    """Of each choice of a question, told outright: its state, and how near the chosen one comes."""
    found = []
    for state, reply in zip(choices, replies, strict=True):
        number = read_choice(reply, [str(one) for one in choices]).strict or 1
        said = choices[number - 1]
        found.append((state, {name: similarity(said, state) for name, similarity in SIMILARITIES.items()}))
    return found


def as_reference(choices: Sequence[Any], replies: Sequence[str]) -> list[str]:
    """Replies that we read otherwise, in the words that we and the reference read alike."""
    changed = []
    for reply in replies:
        try:
            value = strict_json(reply)
        except ValueError:
            value = None
        said = value.get("answer") if isinstance(value, dict) else None
        if isinstance(said, int) and (isinstance(said, bool) or -len(choices) < said <= 0):
            place = int(said) - 1
            changed.append(json.dumps({"answer": place % len(choices) + 1}))
        else:
            changed.append(reply)
    return changed


def test_upper_bounds(data: Path) -> None:
    """By question and choice; where two questions share a combination, the fixture has the right table too."""
    compared = 0
    for case in cases(data, "upper_bound"):
        found = [
            [
                scores_of(qa["answer_choices"], as_reference(qa["answer_choices"], replies))
                for qa, replies in zip(item["qas"], asked, strict=True)
            ]
            for item, asked in zip(case["input"]["items"], case["input"]["replies"], strict=True)
        ]
        if case["id"] in DEVIATIONS:
            assert "error" in case["expected"], case["id"]
        else:
            close(
                [[[s for _, s in qa] for qa in user] for user in found], case["expected"]["value"]["choice_scores"], ""
            )
        for name in SIMILARITIES:
            ours = [
                [
                    [
                        upper_bound([(told, scores[name]) for told, scores in qa], now)
                        for qa, now in zip(user, period, strict=True)
                    ]
                    for period in wanted_states(item)
                ]
                for user, item in zip(found, case["input"]["items"], strict=True)
            ]
            if "right" in case:
                close(ours, case["right"]["metrics"][name], case["id"])
                compared += 1
            if not case.get("collision") and case["id"] not in DEVIATIONS:
                close(ours, case["expected"]["value"]["metrics"][name], case["id"])
    assert compared == 3 * 18


def told_last(item: Case) -> list[list[dict[str, int]]]:
    """By period and question: when each variable that it needs was told last."""
    last: dict[str, int] = {}
    found = []
    for number, period in enumerate(item["periods"]):
        last.update(dict.fromkeys(period["updates"], number))
        found.append([{name: last[name] for name in qa["required_info"]} for qa in item["qas"]])
    return found


def test_where_states_were_lost(data: Path) -> None:
    for case in cases(data, "diagnosis"):
        item, replies = case["input"]["item"], case["input"]["replies"]
        said = [
            [strict_states(reply, qa["required_info"]) for reply, qa in zip(period, item["qas"], strict=True)]
            for period in replies
        ]
        know: list[list[dict[str, bool | None]]] = [
            [
                {name: (one or {}).get(name) == period["state"][name] for name in qa["required_info"]}
                for one, qa in zip(row, item["qas"], strict=True)
            ]
            for row, period in zip(said, item["periods"], strict=True)
        ]
        right: list[list[bool | None]] = [[False] * len(row) for row in know]
        found = diagnose_states(know, told_last(item), right)
        if case["id"] in DEVIATIONS:
            assert case["expected"]["error"] == "TypeError", case["id"]
            assert any(one is None for row in said for one in row), case["id"]
            continue
        wanted = case["expected"]["value"]
        metrics = wanted["metrics"]
        close([list(row) for row in found.failures("write")], metrics["write_failure"], case["id"])
        close([list(row) for row in found.failures("read")], metrics["read_failure"], case["id"])
        assert [[int(bool(one)) for one in row] for row in found.remembered] == metrics["memory_success"], case["id"]
        for period, row in enumerate(wanted["records"]):
            for place, records in enumerate(row):
                for record in records:
                    name = record["info_type"]
                    assert record["json_error"] == (name not in (said[period][place] or {})), case["id"]
                    assert know[period][place][name] == bool(record["score"]), case["id"]
                    assert told_last(item)[period][place][name] == record["write_pos"], case["id"]


def finite(value: Any) -> bool:
    return not isinstance(value, str)


def test_memory_scores(data: Path) -> None:
    """A cell that the reference makes infinite or undefined is left out and counted; all others are the same."""
    guarded = 0
    for case in cases(data, "memory_score"):
        grids = (case["input"]["overall"], case["input"]["random"], case["input"]["upper_bound"])
        if "error" in case["expected"]:
            with pytest.raises(ValueError, match="different shapes"):
                memory_scores(*grids)
            continue
        ours, wanted = memory_scores(*grids), case["expected"]["value"]
        odd = 0
        for mine, theirs in zip(ours.cells, wanted["memory_scores"], strict=True):
            for one, other in zip(mine, theirs, strict=True):
                odd += not finite(other)
                assert (one is None) == (not finite(other)), case["id"]
                if one is not None:
                    close(one, other, case["id"])
        assert ours.dropped == odd, case["id"]
        guarded += odd > 0
        for one, other in zip(ours.per_period, wanted["memory_per_period"], strict=True):
            if finite(other):
                close(one, other, case["id"])
        if finite(wanted["memory_headline"]):
            close(ours.mean, wanted["memory_headline"], case["id"])
        close(list(ours.overall_per_period), wanted["overall_per_period"], case["id"])
        close(list(ours.chance_per_period), wanted["random_per_period"], case["id"])
        close(ours.overall, wanted["overall_headline"], case["id"])
        close(ours.upper_bound, wanted["upper_bound_mean"], case["id"])
    assert guarded == 8
