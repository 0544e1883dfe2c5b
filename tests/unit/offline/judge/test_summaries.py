"""Summaries under the rule judge: hand-made ones with their labels, and each check that turns a verdict.

The labels are of one author, who wrote both halves before there were rules; the rules were tuned on the first half.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from recollect.domain.exchange import Reply
from recollect.domain.ids import QuestionId
from recollect.domain.outcomes import Verdict
from recollect.domain.questions import AnswerFormat, Key, Question
from recollect.offline.judge.rule_judge import RuleJudge
from recollect.offline.judge.statements import Text, borne_out, reads_well, sentence_findings
from recollect.offline.judge.summary_parts import sentences_of
from recollect.offline.judge.texts import prepare

FOLDER = Path(__file__).parent
ID = QuestionId("q")
ASKED = Question(question_id=ID, text="Sum up the novel.", answer_format=AnswerFormat.SUMMARY)


class Labelled(NamedTuple):
    """A summary with what a reader finds in it."""

    name: str
    key: Key
    text: str
    fluent: bool
    has: frozenset[str]
    borne_out: tuple[bool, ...]

    @property
    def f1(self) -> float:
        """By hand."""
        recall, precision = len(self.has) / len(self.key.field_gold), sum(self.borne_out) / len(self.borne_out)
        both = recall + precision
        return self.fluent * 2 * recall * precision / both if both else 0.0


def labelled(half: str) -> Iterator[Labelled]:
    stories = yaml.safe_load((FOLDER / f"summaries_{half}.yaml").read_text(encoding="utf-8"))
    for story in stories:
        points = {name: (text,) for name, text in story["points"].items()}
        for reply in story["replies"]:
            yield of_reply(story, Key(question_id=ID, gold=(story["gold"],), field_gold=points), reply)


def of_reply(story: dict[str, Any], key: Key, reply: dict[str, Any]) -> Labelled:
    said: list[str] = reply["said"]
    return Labelled(
        name=f"{story['story']}/{reply['kind']}",
        key=key,
        text=" ".join(line[2:] for line in said),
        fluent=reply["fluent"],
        has=frozenset(reply["has"]),
        borne_out=tuple(line[0] == "+" for line in said),
    )


ALL = {one.name: one for half in ("seen", "held_out") for one in labelled(half)}


def judged(one: Labelled) -> Verdict:
    return RuleJudge().judge(ASKED, one.key, Reply(text=one.text))


def agreement(half: str, what: str) -> Counter[tuple[bool, bool]]:
    """(by hand, by the rules) -> how often."""
    pairs: list[tuple[bool, bool]] = []
    for one in labelled(half):
        verdict = judged(one)
        if what == "points":
            pairs += [(name in one.has, verdict.value(f"field:{name}") == 1.0) for name in one.key.field_gold]
        elif what == "sentences":
            found = sentence_findings(sentences_of(one.text), one.key.gold[0]).values()
            pairs += [(wanted, part.value == 1.0) for wanted, part in zip(one.borne_out, found, strict=True)]
        else:
            pairs.append((one.fluent, verdict.value("fluency") == 1.0))
    return Counter(pairs)


@pytest.mark.parametrize(
    ("half", "what", "found", "missed", "refused", "mistaken"),
    [
        ("seen", "points", 33, 13, 65, 1),
        ("seen", "sentences", 32, 14, 18, 1),
        ("seen", "fluency", 11, 0, 4, 0),
        ("held_out", "points", 29, 15, 66, 2),
        ("held_out", "sentences", 25, 17, 18, 1),
        ("held_out", "fluency", 11, 0, 3, 0),
    ],
)
def test_how_often_the_rules_agree_with_a_reader(
    half: str, what: str, found: int, missed: int, refused: int, mistaken: int
) -> None:
    """As measured, and told in docs/judge.md: a change of the rules shows here."""
    wanted = {(True, True): found, (True, False): missed, (False, False): refused, (False, True): mistaken}
    assert agreement(half, what) == Counter(wanted)


@pytest.mark.parametrize("kind", ["off-topic", "repeated", "truncated", "notes"])
def test_what_is_no_summary_of_the_text_scores_zero(kind: str) -> None:
    values = [judged(one).value("f1_summary") for name, one in ALL.items() if name.endswith(kind)]
    assert values
    assert set(values) == {0.0}


def test_what_is_told_in_other_words_counts_for_nothing_which_is_the_price_of_rules() -> None:
    """By hand 1.00, 0.93, 0.86 and 0.93."""
    found = [judged(one).value("f1_summary") for name, one in ALL.items() if name.endswith("paraphrased")]
    assert found == [0.0, 0.0, 0.0, 0.0]


def test_a_full_summary_scores_above_a_partial_one_and_that_above_a_contradicting_one() -> None:
    for story in ("salt", "observatory", "letters", "orchard"):
        full, partial, contradicting = (
            judged(ALL[f"{story}/{kind}"]).value("f1_summary") for kind in ("full", "partial", "contradicting")
        )
        assert full is not None
        assert partial is not None
        assert contradicting is not None
        assert full > partial > contradicting


def test_the_parts_of_a_verdict_on_a_summary() -> None:
    """Partial summary of the first story: 3 of 7 points, 3 of 3 sentences; F1 is 2 * 3/7 / (3/7 + 1) = 0.6."""
    one = ALL["salt/partial"]
    verdict = judged(one)
    assert [part.name for part in verdict.parts] == [
        *("right", "fluency", "recall", "precision", "f1_summary"),
        *(f"field:{name}" for name in one.key.field_gold),
        "f1",
    ]
    assert verdict.value("recall") == pytest.approx(3 / 7)
    assert verdict.value("f1_summary") == pytest.approx(0.6)
    assert verdict.value() is None, "a summary between is neither right nor wrong"
    assert verdict.parts[0].why.startswith("summary_graded")
    assert verdict.parts[4].why == (
        "summary_f1: fluency 1, recall 0.429, precision 1; uncalibrated, for no judge check has summaries"
    )


def test_a_summary_that_has_all_is_right_and_one_with_nothing_is_wrong() -> None:
    assert judged(ALL["salt/full"]).value() == 1.0
    assert judged(ALL["salt/off-topic"]).value() == 0.0


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (Reply(text=""), "empty"),
        (Reply(text="..."), "empty"),
        (Reply(text="", abstained=True), "abstained_wrong"),
        (Reply(text="I do not know."), "abstained_wrong"),
    ],
)
def test_no_summary_at_all_is_zero_throughout(reply: Reply, code: str) -> None:
    verdict = RuleJudge().judge(ASKED, ALL["salt/full"].key, reply)
    assert {part.value for part in verdict.parts} == {0.0}
    assert verdict.parts[0].why.partition(":")[0] == code


def test_somebody_who_does_not_know_something_makes_a_long_summary_no_refusal() -> None:
    one = ALL["salt/full"]
    verdict = RuleJudge().judge(ASKED, one.key, Reply(text=f"{one.text} Where he went is not known."))
    assert verdict.value("recall") == 1.0


def test_without_a_gold_summary_the_sentences_stay_undecided() -> None:
    one = ALL["salt/partial"]
    verdict = RuleJudge().judge(ASKED, Key(question_id=ID, field_gold=one.key.field_gold), Reply(text=one.text))
    assert verdict.value("recall") == pytest.approx(3 / 7)
    assert verdict.value("precision") is None
    assert verdict.value("f1_summary") is None


TEXT = (
    "Nora Bell sells the red boat to Karl in May 1920, although her father forbids it. "
    "Karl, a smuggler, never pays. In June the coastguard Ines Roth finds the boat with 40 crates aboard."
)


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("Nora sells the boat to Karl.", "covered"),
        ("Karl never pays.", "covered"),
        ("Ines Roth finds the boat with 40 crates.", "covered"),
        ("Nora does not sell the red boat to Karl.", "negated"),
        ("Nora refuses to sell the red boat to Karl.", "negated"),
        ("Nora sells the blue boat to Karl.", "other_member"),
        ("Nora sells the red boat to Karl in 1921.", "number_other"),
        ("Ines Roth finds the boat with 60 crates.", "number_other"),
        ("Nora buys the red boat of Karl.", "opposite"),
        ("Jonas sells the red boat to Karl.", "name_missing"),
        ("Ines finds the boat of Karl Winter with 40 crates.", "name_missing"),
        ("A priest hears her confession in the church.", "not_covered"),
    ],
)
def test_each_check_that_turns_a_statement(statement: str, code: str) -> None:
    text = Text.of(list(sentences_of(TEXT).values()), ["He asked Jonas for it."])
    finding = borne_out(prepare(statement), text)
    assert (finding.code, finding.right) == (code, code == "covered")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("She leaves the town and never comes back.", "reads_well"),
        ('He says: "I was there."', "reads_well"),
        ("She leaves the town and never", "cut_off"),
        ("Nora, boat, Karl, smuggler, May, coastguard, crates.", "no_sentences"),
        ("She leaves. He stays. She leaves. He stays. She leaves. He stays.", "repetitive"),
        (", ".join(["She leaves the town with all she has"] * 3) + ".", "repetitive"),
    ],
)
def test_how_a_summary_reads(text: str, code: str) -> None:
    assert reads_well(text).code == code
