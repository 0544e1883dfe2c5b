"""The shipped probes: enough of each kind, from many domains, none twice, and every one with its right verdict."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import get_args

import pytest

from recollect.domain.errors import DataError
from recollect.judging.probes import MEANINGS, Kind, digest_of, read_probes, shipped

PINNED = "r1:825f920d1047025e7f45be0c26f1a42e"
GOOD = "domain: d\nquestions:\n- ask: Who?\n  gold: [Ann]\n  replies:\n    right: Ann.\n"


def words(text: str) -> str:
    """A text without case, punctuation and spaces, to find twins."""
    return "".join(sign for sign in text.casefold() if sign.isalnum())


def test_the_probes_are_pinned() -> None:
    assert digest_of(shipped()) == PINNED, "checks of other probes are other checks: change this only with the probes"


def test_there_are_at_least_300_probes_of_at_least_10_domains_and_25_of_each_kind() -> None:
    kinds = Counter(probe.kind for probe in shipped())
    domains = Counter(probe.domain for probe in shipped())
    assert len(shipped()) >= 300
    assert set(kinds) == set(get_args(Kind)) == set(MEANINGS)
    assert min(kinds.values()) >= 25
    assert len(domains) >= 10
    assert min(domains.values()) >= 30


def test_every_domain_has_every_kind() -> None:
    for domain in {probe.domain for probe in shipped()}:
        assert {probe.kind for probe in shipped() if probe.domain == domain} == set(get_args(Kind))


def test_no_question_and_no_reply_stands_twice_and_none_has_one_kind_twice() -> None:
    probes = shipped()
    assert len({probe.probe_id for probe in probes}) == len(probes)
    assert len({words(probe.reply.text) for probe in probes}) == len(probes)
    asked = {words(probe.question.text): probe.question.question_id for probe in probes}
    assert len(asked) == len({probe.question.question_id for probe in probes})


def test_the_kinds_say_what_is_wanted() -> None:
    for probe in shipped():
        right = probe.kind in ("right", "paraphrased", "abstain-right")
        assert (probe.wanted == "right") == right
        assert probe.key.abstain == (not probe.key.gold)
        if probe.kind == "abstain-right":
            assert probe.key.abstain
        if probe.kind == "abstain-wrong":
            assert probe.wanted == ("wrong" if probe.key.abstain else "abstained")


def test_wrong_replies_of_both_ways_to_abstain_are_there() -> None:
    wanted = Counter(probe.wanted for probe in shipped() if probe.kind == "abstain-wrong")
    assert min(wanted["wrong"], wanted["abstained"]) >= 15


def test_no_reply_but_a_right_one_is_the_accepted_answer_to_the_letter() -> None:
    for probe in shipped():
        if probe.kind not in ("right", "abstain-right", "abstain-wrong"):
            golds = {gold.casefold() for gold in probe.key.gold}
            assert probe.reply.text.casefold().rstrip(".") not in golds, probe.probe_id


def test_the_question_that_a_judge_sees_spells_no_kind() -> None:
    assert not any(kind in probe.question.question_id for probe in shipped() for kind in get_args(Kind))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (GOOD.replace("right", "rihgt"), "rihgt"),
        (GOOD.replace("gold: [Ann]", "gold: [7]"), "string"),
        (GOOD.replace("  gold: [Ann]\n", ""), "question 1 needs `gold` or `abstain`"),
        (GOOD.replace("gold: [Ann]", "gold: [Ann]\n  abstain: true"), "question 1 needs `gold` or `abstain`"),
        (GOOD.replace("gold", "golld"), "unknown key"),
        ("domain: [", "cannot be read"),
    ],
)
def test_a_file_that_is_not_as_it_should_be_is_named(tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / "x.yaml").write_text(text)
    with pytest.raises(DataError, match=problem) as error:
        read_probes(tmp_path)
    assert "x.yaml" in str(error.value)


def test_each_part_of_a_probe_changes_the_digest(tmp_path: Path) -> None:
    seen = set()
    for old, new in (("", ""), ("Who?", "Whom?"), ("[Ann]", "[Bo]"), ("Ann.", "Bo."), ("right:", "partial:")):
        (tmp_path / "x.yaml").write_text(GOOD.replace(old, new) if old else GOOD)
        seen.add(digest_of(read_probes(tmp_path)))
    assert len(seen) == 5
