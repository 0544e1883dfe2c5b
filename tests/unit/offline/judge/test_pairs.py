"""The judge on hand-made pairs: one half seen while rules were made, the other written before and never used."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from recollect.domain.exchange import Reply
from recollect.domain.questions import AnswerFormat
from recollect.metrics.text_match import exact_match, substring_match, token_f1
from recollect.offline.judge.rule_judge import RuleJudge

Pairs = Mapping[str, Sequence[Any]]


class Agreement(NamedTuple):
    share: float
    kappa: float
    false_accepts: int
    false_rejects: int


def agreement(said: Sequence[bool], wanted: Sequence[bool]) -> Agreement:
    """Share of equal labels, Cohen's kappa, and the two kinds of error."""
    count = len(wanted)
    share = sum(one == other for one, other in zip(said, wanted, strict=True)) / count
    yes_said, yes_wanted = sum(said) / count, sum(wanted) / count
    by_chance = yes_said * yes_wanted + (1 - yes_said) * (1 - yes_wanted)
    return Agreement(
        share,
        (share - by_chance) / (1 - by_chance),
        sum(one and not other for one, other in zip(said, wanted, strict=True)),
        sum(other and not one for one, other in zip(said, wanted, strict=True)),
    )


def verdicts(pairs: Sequence[Any]) -> list[bool]:
    judge = RuleJudge()
    return [judge.judge(pair.question, pair.key, pair.reply).value() == 1.0 for pair in pairs]


def plain(pairs: Sequence[Any]) -> list[Any]:
    """Pairs that the simple baselines can take: a text with a gold answer."""
    return [
        pair
        for pair in pairs
        if pair.key.gold and not pair.key.abstain and pair.question.answer_format is AnswerFormat.TEXT
    ]


BASELINES: Mapping[str, Callable[[str, str], bool]] = {
    "exact": exact_match,
    "substring": substring_match,
    "f1": lambda reply, gold: token_f1(reply, gold).f1 >= 0.5,
}


def test_there_are_enough_pairs_and_no_pair_is_in_both_halves(pairs: Pairs) -> None:
    """Spec: at least 160, with wrong and right ones in like numbers."""
    seen, held_out = pairs["seen"], pairs["held_out"]
    assert len(seen) + len(held_out) >= 160
    texts = [{(p.question.text, p.key.gold, p.reply.text) for p in half} for half in (seen, held_out)]
    assert not texts[0] & texts[1]
    for half in (seen, held_out):
        assert 0.4 <= sum(pair.right for pair in half) / len(half) <= 0.6


def test_the_rules_agree_with_the_seen_pairs(pairs: Pairs) -> None:
    """Measured: 169 of 179, kappa .89, 2 false accepts, 8 false rejects, most of them free paraphrases.

    The last 52 were written when the rules stood; on their first run 43 agreed (kappa .65), and three rules came of it.
    """
    found = agreement(verdicts(pairs["seen"]), [pair.right for pair in pairs["seen"]])
    assert found.share >= 0.94
    assert found.false_accepts <= 2


def test_the_rules_agree_with_pairs_that_no_rule_was_made_from(pairs: Pairs) -> None:
    """Measured: 110 of 116, kappa .90, 1 false accept, 5 false rejects; 108 on the first run."""
    found = agreement(verdicts(pairs["held_out"]), [pair.right for pair in pairs["held_out"]])
    assert found.share >= 0.93
    assert found.kappa >= 0.87
    assert found.false_accepts <= 1


@pytest.mark.parametrize("half", ["seen", "held_out"])
@pytest.mark.parametrize("baseline", sorted(BASELINES))
def test_the_rules_agree_far_better_than_a_simple_measure(pairs: Pairs, half: str, baseline: str) -> None:
    """Exact match, containment and token F1 agree with about half of the pairs, which were made to be hard."""
    taken = plain(pairs[half])
    wanted = [pair.right for pair in taken]
    simple = [any(BASELINES[baseline](pair.reply.text, gold) for gold in pair.key.gold) for pair in taken]
    assert agreement(verdicts(taken), wanted).kappa > agreement(simple, wanted).kappa + 0.5


def test_every_gold_answer_is_right_by_itself(pairs: Pairs) -> None:
    judge = RuleJudge()
    for pair in [*plain(pairs["seen"]), *plain(pairs["held_out"])]:
        for gold in pair.key.gold:
            assert judge.judge(pair.question, pair.key, Reply(text=gold)).value() == 1.0


def test_every_verdict_opens_with_a_reason_code(pairs: Pairs) -> None:
    judge = RuleJudge()
    for pair in [*pairs["seen"], *pairs["held_out"]]:
        for part in judge.judge(pair.question, pair.key, pair.reply).parts:
            if part.name != "f1":
                assert part.why.partition(":")[0].replace("_", "").isalnum(), part.why
