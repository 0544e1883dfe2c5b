"""Bundles in the shapes of the published files: ids that tell nothing, links that hold, persons that stand alone."""

from __future__ import annotations

import re
from collections import Counter
from datetime import datetime

import pytest

from recollect.benchmarks.subtlememory.generate import assembly, bundles
from recollect.benchmarks.subtlememory.generate.cases import user
from recollect.benchmarks.subtlememory.generate.settings import GenerationSettings
from recollect.benchmarks.subtlememory.items import RELATED, RELATIONS, SUBTYPES, Bundle

from tests.unit.benchmarks.subtlememory.generate.made import topics


@pytest.fixture(autouse=True)
def invented(monkeypatch: pytest.MonkeyPatch) -> None:
    """Topics of the tests instead of the bundled ones."""
    monkeypatch.setattr(user, "topics", topics)
    monkeypatch.setattr(assembly, "topics", topics)


def made(seed: int = 1, **knobs: int | float | str) -> tuple[Bundle, ...]:
    settings = GenerationSettings(**{"personas": 2, "related_cases": 10, "unrelated_cases": 0, **knobs})  # type: ignore[arg-type]
    return bundles(settings, seed)


def test_ids_have_the_published_shapes_and_spell_no_label() -> None:
    """`related-` and `unrelated-` apart; unique over persons."""
    ids: list[str] = []
    for bundle in made(distractors=0.5):
        for talk in bundle.talks:
            short = talk.source.removeprefix("user-")
            assert re.fullmatch(rf"{short}-export-[0-9a-f]{{12}}", talk.case_id)
            assert re.fullmatch(rf"{short}-{bundle.key}-{talk.case_id}-s\d", talk.session_id)
            ids.append(talk.session_id)
        for one in bundle.instances:
            assert re.fullmatch(r"(un)?related-[0-9a-f]{12}", one.instance_id)
            ids.append(one.instance_id)
    assert len(ids) == len(set(ids))
    labels = [word.casefold() for word in (*RELATIONS, *SUBTYPES)]
    assert not [one for one in ids for label in labels if label in one]


def test_sessions_are_numbered_in_the_order_of_time() -> None:
    """Order, timestamps, and the numbers at the end of the ids of a case."""
    for bundle in made():
        assert [talk.order for talk in bundle.talks] == list(range(len(bundle.talks)))
        moments = [datetime.fromisoformat(talk.timestamp) for talk in bundle.talks]
        assert moments == sorted(set(moments))
        assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+08:00", talk.timestamp) for talk in bundle.talks)
        for one in bundle.instances:
            assert [name[-2:] for name in one.session_ids] == [f"s{at}" for at in range(1, len(one.session_ids) + 1)]


def test_every_session_of_a_case_is_linked_and_those_of_none_are_not() -> None:
    """A third more sessions than cases have, of cases that nobody asks about."""
    for bundle in made(distractors=0.33):
        linked = Counter(name for one in bundle.instances for name in one.session_ids)
        assert set(linked.values()) == {1}
        of_cases = [talk for talk in bundle.talks if talk.session_id in linked]
        assert len(of_cases) == len(linked)
        case_of = {name: one.case_id for one in bundle.instances for name in one.session_ids}
        assert all(talk.case_id == case_of[talk.session_id] for talk in of_cases)
        others = [talk for talk in bundle.talks if talk.session_id not in linked]
        assert len(others) == round(0.33 * len(of_cases))
        assert {talk.case_id for talk in others}.isdisjoint(one.case_id for one in bundle.instances)


def test_sessions_have_the_messages_that_their_kind_has() -> None:
    """About the user: 10, 12 or 14, by turns; type, flow and level are told."""
    for bundle in made(distractors=0.5):
        for talk in bundle.talks:
            assert [turn.role for turn in talk.history] == ["user", "assistant"] * (len(talk.history) // 2)
            assert talk.conversation_type
            assert talk.conversation_flow
            if talk.source == RELATED:
                assert len(talk.history) in {10, 12, 14}
                assert talk.persona_signal_level in {"low", "medium", "high"}


def test_what_is_told_stands_in_the_sessions_of_its_case() -> None:
    """Every fact of the invented catalogue has clues of its own; one of each is in the linked session."""
    for bundle in made(clues=1):
        text = {talk.session_id: " ".join(turn.content for turn in talk.history) for talk in bundle.talks}
        for one in bundle.instances:
            assert all("along here" in text[name] for name in one.session_ids)


def test_a_person_does_not_hang_on_the_others() -> None:
    """The first two of twelve are those of two; folders sort as their names do."""
    two, twelve = made(), made(personas=12)
    assert [bundle.key for bundle in twelve][:4] == ["persona_0", "persona_1", "persona_10", "persona_11"]
    assert twelve[:2] == two
    assert len({bundle.instances[0].persona_id for bundle in twelve}) == 12


def test_all_instances_of_a_person_carry_the_same_profile() -> None:
    """And the id of that person."""
    for bundle in made():
        assert len({(one.persona_id, one.persona_str) for one in bundle.instances}) == 1
        assert {talk.persona_id for talk in bundle.talks} == {bundle.instances[0].persona_id}


def test_same_settings_and_seed_give_the_same_and_another_seed_does_not() -> None:
    """All of it."""
    assert made(3) == made(3)
    assert made(3) != made(4)
