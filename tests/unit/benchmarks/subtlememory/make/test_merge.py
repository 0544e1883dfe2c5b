"""Cases about the world join persons: none too near, as many as their own, balanced, none twice, within their span."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from hashlib import blake2b
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from recollect.benchmarks.subtlememory.histories import dataset_of
from recollect.benchmarks.subtlememory.items import (
    RELATED,
    RELATIONS,
    SUBTYPES,
    UNRELATED,
    Bundle,
    Instance,
    Qa,
    Talk,
    Turn,
)
from recollect.benchmarks.subtlememory.load import load
from recollect.benchmarks.subtlememory.make.merge import merge, merged_data, nearest
from recollect.benchmarks.subtlememory.make.sources.neighbours import BATCH
from recollect.benchmarks.subtlememory.write import write
from recollect.domain.errors import DataError

START = datetime.fromisoformat("2025-04-01T10:01:07+08:00")
OF = {"complementary": "any_one", "nuanced": "Temporal", "contradictory": "a_user_vs_user"}


def embed(texts: Sequence[str]) -> NDArray[np.float32]:
    """A direction for each word; texts with no word in common are orthogonal."""
    rows = np.zeros((len(texts), 4096), dtype=np.float32)
    for number, text in enumerate(texts):
        for word in text.casefold().split():
            rows[number, int(blake2b(word.encode(), digest_size=4).hexdigest(), 16) % 4096] += 1
    return rows


def instance(name: str, source: str, subtype: str, facts: Sequence[str], person: str = "p") -> Instance:
    short = source.removeprefix("user-")
    return Instance(
        instance_id=f"{short}-{name}",
        persona_id=person,
        persona_str=f'{{"name": "{person}"}}',
        source=source,
        case_id=f"{short}-{name}",
        topic="Seats",
        relation_type=SUBTYPES.get(subtype, "contradictory"),
        relation_subtype=subtype,
        case="It is about seats.",
        facts=tuple(facts),
        qas=(Qa(query=f"What of {name}?", correct_answers=("this",), incorrect_answers=("that",)),),
        session_ids=tuple(f"{short}-{name}-s{number}" for number in range(1, len(facts) + 1)),
    )


def bundle(key: str, instances: Sequence[Instance], start: datetime = START, days: float = 2.0) -> Bundle:
    names = [(one, session) for one in instances for session in one.session_ids]
    talks = [
        Talk(
            order=order,
            persona_id=one.persona_id,
            session_id=session,
            timestamp=(start + timedelta(days=days * order)).isoformat(),
            source=one.source,
            case_id=one.case_id,
            conversation_type=None,
            conversation_flow=None,
            persona_signal_level=None,
            history=(Turn(role="user", content=f"About {session}."), Turn(role="assistant", content="I see.")),
        )
        for order, (one, session) in enumerate(names)
    ]
    return Bundle(key=key, talks=tuple(talks), instances=tuple(instances))


def related(persons: int = 2, cases: int = 4) -> list[Bundle]:
    """Persons of so many cases, two facts each."""
    return [
        bundle(
            f"persona_{person}",
            [
                instance(
                    f"u{person}{case}",
                    RELATED,
                    "Context",
                    [f"own{person}{case}a likes", f"own{person}{case}b likes"],
                    str(person),
                )
                for case in range(cases)
            ],
        )
        for person in range(persons)
    ]


def pool(each: int = 6, *, near: int = 0) -> list[Bundle]:
    """So many cases of each relation, three facts each; the first *near* of each say what a user's case says."""
    made = []
    for relation, subtype in OF.items():
        for number in range(each):
            words = (
                ["own00a likes", "own00b likes"]
                if number < near
                else [f"w{relation}{number}x", f"w{number}y{relation}"]
            )
            made.append(instance(f"{relation[:4]}{number:02d}", UNRELATED, subtype, [*words, f"z{relation}{number}"]))
    return [bundle("pool", made)]


def test_each_person_gets_as_many_as_their_own_balanced_and_none_twice() -> None:
    """Four cases: two nuanced, one contradictory, one complementary, as what does not divide goes for users."""
    bundles, report = merge(related(), pool(), embed, seed=1)
    taken: list[str] = []
    for one in bundles:
        world = [each for each in one.instances if each.source == UNRELATED]
        counts = Counter("nuanced" if each.relation_subtype == "Temporal" else each.relation_type for each in world)
        assert counts == {"nuanced": 2, "contradictory": 1, "complementary": 1}
        assert [each.source for each in one.instances][:4] == [RELATED] * 4
        taken += [each.instance_id for each in world]
    assert len(set(taken)) == len(taken) == 8
    assert [share.related for share in report.persons] == [4, 4]
    assert report.pool == dict.fromkeys(RELATIONS, 6)
    assert (report.related, report.left) == (8, 10)


def test_what_is_near_to_any_user_goes_to_nobody() -> None:
    """Two of three facts are those of a case of person 0: cosine 0.8, above 0.4; person 1 does not get it either."""
    bundles, report = merge(related(), pool(near=2), embed, seed=1)
    given = {each.instance_id for one in bundles for each in one.instances if each.source == UNRELATED}
    assert not given & {f"unrelated-{relation[:4]}0{number}" for relation in OF for number in range(2)}
    assert report.near == dict.fromkeys(RELATIONS, 2)
    assert all(share.nearest < 0.4 for share in report.persons)
    wide, lax = merge(related(), pool(near=2), embed, seed=1, limit=1.1)
    assert lax.near == dict.fromkeys(RELATIONS, 0)
    assert wide != bundles


def test_the_limit_itself_is_too_near() -> None:
    """Two words of five in common at unit weights: 2 / 5 exactly."""
    user = [bundle("persona_0", [instance("u", RELATED, "Context", ["a b c d e"], "0")])]
    world = [instance("w", UNRELATED, "Temporal", ["a b x y z"])]
    value = nearest([" ".join(world[0].facts)], ["a b c d e"], embed)
    assert value == pytest.approx([0.4])
    with pytest.raises(DataError, match="1 nuanced cases about the world are needed, and 0"):
        merge(user, [bundle("pool", world)], embed, seed=1, limit=float(value[0]))
    assert merge(user, [bundle("pool", world)], embed, seed=1, limit=0.41)


def test_times_lie_within_the_span_and_sessions_in_their_order() -> None:
    for one in merge(related(), pool(), embed, seed=3).bundles:
        times = [datetime.fromisoformat(talk.timestamp) for talk in one.talks]
        assert times == sorted(times)
        assert len(set(times)) == len(times)
        assert (one.talks[0].source, one.talks[-1].source) == (RELATED, RELATED)
        assert [talk.order for talk in one.talks] == list(range(len(one.talks)))
        places = {talk.session_id: number for number, talk in enumerate(one.talks)}
        for each in one.instances:
            there = [places[name] for name in each.session_ids]
            assert there == sorted(there)
        world = [talk for talk in one.talks if talk.source == UNRELATED]
        assert all(talk.session_id.startswith(f"unrelated-{one.key}-") for talk in world)
        assert all(8 <= datetime.fromisoformat(talk.timestamp).hour < 23 for talk in world)


def test_sessions_about_the_world_are_spread_evenly() -> None:
    """Of 12 sessions over 14 days two neighbours lie no more than twice the mean apart."""
    (one, _) = merge(related(), pool(), embed, seed=3).bundles
    times = [datetime.fromisoformat(talk.timestamp) for talk in one.talks if talk.source == UNRELATED]
    gaps = np.diff([time.timestamp() for time in times])
    assert gaps.max() <= 2 * gaps.mean()
    assert all(
        one.talks[first].case_id != one.talks[first + 1].case_id
        for first in range(len(one.talks) - 1)
        if one.talks[first].source == UNRELATED
    )


def test_persons_take_the_cases_over_with_their_own_profile() -> None:
    for one in merge(related(), pool(), embed, seed=1).bundles:
        assert len({(each.persona_id, each.persona_str) for each in one.instances}) == 1
        assert len({talk.persona_id for talk in one.talks}) == 1


def test_the_same_seed_gives_the_same_and_another_another() -> None:
    first, again, other = (merge(related(), pool(), embed, seed=seed) for seed in (1, 1, 2))
    assert first == again
    given = [{one.instance_id for bundle in each.bundles for one in bundle.instances} for each in (first, other)]
    assert given[0] != given[1]


def test_the_order_in_which_the_pool_comes_does_not_matter() -> None:
    (whole,) = pool()
    turned = replace(whole, instances=whole.instances[::-1])
    assert merge(related(), [turned], embed, seed=1) == merge(related(), [whole], embed, seed=1)


def test_too_few_cases_are_told_for_every_relation() -> None:
    with pytest.raises(DataError) as caught:
        merge(related(), pool(1), embed, seed=1)
    said = str(caught.value)
    assert "4 nuanced cases about the world are needed, and 1 are near to no user" in said
    assert "2 contradictory cases" in said


def test_clashing_ids_lost_sessions_and_mixed_sources_are_refused() -> None:
    (whole,) = pool()
    twins = [replace(whole, key="a"), replace(whole, key="b")]
    with pytest.raises(DataError, match="instance `unrelated-comp00` is there 2 times"):
        merge(related(), twins, embed, seed=1)
    with pytest.raises(DataError, match="names no session"):
        merge(related(), [replace(whole, talks=whole.talks[1:])], embed, seed=1)
    with pytest.raises(DataError, match="is user-unrelated, not user-related"):
        merge([whole], [whole], embed, seed=1)


def test_texts_are_embedded_in_batches_and_only_once() -> None:
    sizes: list[int] = []

    def counting(texts: Sequence[str]) -> NDArray[np.float32]:
        sizes.append(len(texts))
        return embed(texts)

    merge(related(2, 4), pool(50), counting, seed=1)
    assert sizes == [BATCH, 150 - BATCH, 8]


def test_nearest_is_the_highest_cosine_as_counted_one_by_one() -> None:
    """Against the definition, pair by pair; a text without direction is near to none."""
    rng = np.random.default_rng(7)
    rows = {f"t{number}": rng.normal(size=8).astype(np.float32) for number in range(9)} | {"": np.zeros(8, np.float32)}

    def known(texts: Sequence[str]) -> NDArray[np.float32]:
        return np.stack([rows[text] for text in texts])

    first, second = ["t0", "t1", "t2", ""], [f"t{number}" for number in range(3, 9)]
    wanted = [
        max(float(rows[a] @ rows[b] / (np.linalg.norm(rows[a]) * np.linalg.norm(rows[b]) or 1)) for b in second)
        for a in first
    ]
    assert nearest(first, second, known) == pytest.approx(wanted, abs=1e-6)


def test_two_data_sets_become_one_that_loads(tmp_path: Path) -> None:
    users, world = dataset_of(related(), "made of users"), dataset_of(pool(), "made of the world")
    dataset, report = merged_data(users, world, embed, seed=4)
    write(dataset, tmp_path / "data")
    assert load(tmp_path / "data") == dataset
    assert dataset.origin == "merged with seed 4, similarity below 0.4: made of users | made of the world"
    assert sum(sum(share.unrelated.values()) for share in report.persons) == 8
