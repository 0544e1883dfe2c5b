"""What counts as right for questions about dialogues: one text for each type, pinned."""

from __future__ import annotations

from hashlib import sha256

import pytest

from recollect.benchmarks.memoryagentbench.families.dialogues import TEXTS, VERSION, guidance_of

PINNED = {1: "865ccadbbc35ae77"}


@pytest.mark.parametrize(
    ("question_type", "says"),
    [
        ("single-session-user", "only a part of what the accepted answer says is wrong"),
        ("single-session-assistant", "all the steps"),
        ("multi-session", "An answer that means the same counts"),
        ("temporal-reasoning", "off by one is no error"),
        ("knowledge-update", "It may tell the earlier state beside it"),
        ("single-session-preference", "need not touch all points"),
    ],
)
def test_each_type_of_question_has_its_rule(question_type: str, says: str) -> None:
    """The rules of LongMemEval's judge, section 2.2.5 of the paper's protocol: one for each type."""
    assert says in guidance_of(question_type, abstain=False)


def test_three_types_share_a_rule_and_the_others_have_their_own() -> None:
    assert len(TEXTS) == 6
    assert len(set(TEXTS.values())) == 4


@pytest.mark.parametrize("question_type", sorted(TEXTS))
def test_what_cannot_be_known_must_be_said_to_be_so_whatever_the_type(question_type: str) -> None:
    assert "cannot be answered" in guidance_of(question_type, abstain=True)
    assert guidance_of(question_type, abstain=True) not in TEXTS.values()


def test_an_unknown_type_is_named_with_those_there_are() -> None:
    with pytest.raises(ValueError, match="'two-hop'; there are knowledge-update, multi-session"):
        guidance_of("two-hop", abstain=False)


def test_the_texts_of_a_version_are_never_edited() -> None:
    """They stand in keys, so that another text names other verdicts: give it another version, then pin it here."""
    texts = "\n".join([*(TEXTS[name] for name in sorted(TEXTS)), guidance_of("multi-session", abstain=True)])
    assert PINNED[VERSION] == sha256(texts.encode()).hexdigest()[:16]
