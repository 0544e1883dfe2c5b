from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from recollect.domain.exchange import Reply
from recollect.domain.ids import QuestionId
from recollect.domain.outcomes import Verdict
from recollect.domain.questions import AnswerFormat, Key, Option, Question
from recollect.offline.judge.rule_judge import RuleJudge

Ask = Callable[..., Verdict]
Code = Callable[[Verdict], str]
ID = QuestionId("q")
CONFLICT = {"first": ("Graz",), "second": ("Linz",)}


class TableEmbedder:
    """Texts of one group have one direction; any other text has its own."""

    dimensions = 64

    def __init__(self, groups: Sequence[Sequence[str]] = ()) -> None:
        self.groups = groups
        self.calls = 0

    @property
    def fingerprint(self) -> str:
        return "table-1"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.calls += 1
        found = np.zeros((len(texts), self.dimensions), np.float32)
        for row, text in enumerate(texts):
            group = next((at for at, members in enumerate(self.groups) if text in members), None)
            found[row, len(text) % 32 + 32 if group is None else group] = 1.0
        return found


def text_question(text: str = "Where does Ivo live?") -> Question:
    return Question(question_id=ID, text=text)


def key(**fields: object) -> Key:
    return Key(question_id=ID, **fields)  # type: ignore[arg-type]


def test_the_first_part_is_named_right_and_f1_stands_beside(ask: Ask) -> None:
    verdict = ask("Where does Ivo live?", "in Graz", "Graz in Austria")
    assert [part.name for part in verdict.parts] == ["right", "f1"]
    assert verdict.value() == 1.0
    assert verdict.value("f1") == pytest.approx(0.8)  # {in, graz} against {graz, in, austria}: 2 * 2 / (2 + 3)


def test_the_fingerprint_names_the_rules_and_the_embedder() -> None:
    assert RuleJudge().fingerprint == "rules-judge-1"
    assert RuleJudge(TableEmbedder()).fingerprint == "rules-judge-1+table-1"


def test_the_verdict_is_signed_with_the_fingerprint(ask: Ask) -> None:
    assert ask("q", "a b", "a b").judge == RuleJudge().fingerprint


def test_a_key_without_an_answer_stays_undecided(ask: Ask, code: Code) -> None:
    verdict = ask("Where?", (), "Graz")
    assert verdict.value() is None
    assert code(verdict) == "no_reference"


def test_a_summary_stays_undecided_but_has_its_f1() -> None:
    question = Question(question_id=ID, text="Sum it up.", answer_format=AnswerFormat.SUMMARY)
    verdict = RuleJudge().judge(question, key(gold=("a calm week",)), Reply(text="a calm week"))
    assert verdict.value() is None
    assert verdict.value("f1") == 1.0


def test_an_empty_reply_is_wrong_and_no_abstention(ask: Ask, code: Code) -> None:
    assert code(ask("Where?", "Graz", "  ")) == "empty"
    verdict = RuleJudge().judge(text_question(), key(abstain=True), Reply(text=""))
    assert verdict.value() == 0.0


def test_a_flagged_abstention_is_right_exactly_where_the_key_wants_it(code: Code) -> None:
    judge = RuleJudge()
    declined = Reply(text="", abstained=True)
    assert code(judge.judge(text_question(), key(abstain=True), declined)) == "abstained_right"
    verdict = judge.judge(text_question(), key(gold=("Graz",)), declined)
    assert (verdict.value(), code(verdict)) == (0.0, "abstained_wrong")


def test_an_abstention_that_then_guesses_is_neither(code: Code) -> None:
    guess = Reply(text="It is not mentioned, but probably Graz.")
    judge = RuleJudge()
    assert code(judge.judge(text_question(), key(abstain=True), guess)) == "guessed"
    assert judge.judge(text_question(), key(gold=("Graz",)), guess).value() == 0.0


def test_a_gold_that_sounds_like_declining_is_still_an_answer(ask: Ask) -> None:
    assert ask("What does the note say?", "I don't know either", "I don't know either").value() == 1.0


def test_a_dumped_text_is_cut_before_it_is_judged(ask: Ask) -> None:
    """The answer stands behind the 30th word."""
    dumped = " ".join(["so", "on"] * 16) + " Graz"
    verdict = ask("Where does Ivo live?", "Graz", dumped)
    assert verdict.value() == 0.0
    assert "cut to the first 30 of 33 words" in verdict.parts[0].why


def test_a_long_reference_lets_a_long_answer_pass(ask: Ask) -> None:
    """Five times seven words are more than 30."""
    gold = "a small boat with a green sail"
    reply = " ".join(["well"] * 28) + " " + gold
    assert "cut" not in ask("What did she buy?", gold, reply).parts[0].why


def test_all_values_of_a_conflict_must_be_named(code: Code) -> None:
    judge = RuleJudge()
    conflict = key(field_gold=CONFLICT, labels={"conflict": "yes"})
    both = judge.judge(text_question(), conflict, Reply(text="Either Graz or Linz: the notes disagree."))
    assert both.value() == 1.0
    assert [(part.name, part.value) for part in both.parts[2:]] == [("field:first", 1.0), ("field:second", 1.0)]
    one = judge.judge(text_question(), conflict, Reply(text="Linz"))
    assert (one.value(), code(one)) == (0.0, "value_missing")
    assert one.value("field:second") == 1.0


def test_fields_of_a_text_question_are_a_conflict_without_a_label() -> None:
    verdict = RuleJudge().judge(text_question(), key(field_gold=CONFLICT), Reply(text="Graz"))
    assert verdict.value() == 0.0


def test_a_conflict_with_a_value_that_was_never_said_is_wrong(code: Code) -> None:
    conflict = key(field_gold=CONFLICT, rejected=("Wien",))
    verdict = RuleJudge().judge(text_question(), conflict, Reply(text="Graz, Linz or Wien"))
    assert code(verdict) == "rejected_matched"


def test_a_conflict_label_without_values_stays_undecided(code: Code) -> None:
    verdict = RuleJudge().judge(text_question(), key(gold=("x",), labels={"conflict": "yes"}), Reply(text="Graz"))
    assert (verdict.value(), code(verdict)) == (None, "conflict_without_values")


def test_json_fields_are_judged_one_by_one() -> None:
    question = Question(question_id=ID, text="Fill in.", answer_format=AnswerFormat.JSON)
    wanted = key(field_gold={"town": ("Ghent",), "since": ("May 2020",)})
    verdict = RuleJudge().judge(question, wanted, Reply(text='{"Town": "Ghent", "since": "2020-05-04"}'))
    assert verdict.value() == 1.0
    verdict = RuleJudge().judge(question, wanted, Reply(text='{"town": "Ghent", "since": "2021"}'))
    assert [verdict.value(name) for name in ("right", "field:town", "field:since")] == [0.0, 1.0, 0.0]


def test_declining_a_field_question_makes_every_field_wrong() -> None:
    question = Question(question_id=ID, text="Fill in.", answer_format=AnswerFormat.JSON)
    verdict = RuleJudge().judge(question, key(field_gold=CONFLICT), Reply(text="I don't know."))
    assert [part.value for part in verdict.parts if part.name != "f1"] == [0.0, 0.0, 0.0]


def test_a_letter_question_takes_one_letter_only(code: Code) -> None:
    options = tuple(Option(letter=letter, text=letter * 2) for letter in "ABC")
    question = Question(question_id=ID, text="Which?", options=options, answer_format=AnswerFormat.LETTER)
    judge = RuleJudge()
    assert judge.judge(question, key(gold=("B",)), Reply(text="(b)")).value() == 1.0
    assert code(judge.judge(question, key(gold=("B",)), Reply(text="A and B"))) == "letter_missing"
    assert code(judge.judge(question, key(gold=("B",)), Reply(text="C"))) == "letter_other"


def test_an_embedder_accepts_a_paraphrase_that_words_miss(ask: Ask, code: Code) -> None:
    like = [["a puppy", "a young dog", "puppi", "dog", "young"]]
    embedder = TableEmbedder(like)
    assert ask("What pet?", "a puppy", "a young dog").value() == 0.0
    verdict = RuleJudge(embedder).judge(text_question("What pet?"), key(gold=("a puppy",)), Reply(text="a young dog"))
    assert (verdict.value(), code(verdict)) == (1.0, "embedding")


def test_an_embedder_does_not_accept_unlike_words_behind_like_sentences(code: Code) -> None:
    """The whole answers are near, the words that differ are not: gold and silver."""
    embedder = TableEmbedder([["the oak table", "the glass table"]])
    verdict = RuleJudge(embedder).judge(
        text_question("What did she buy?"), key(gold=("the oak table",)), Reply(text="the glass table")
    )
    assert (verdict.value(), code(verdict)) == (0.0, "unlike_words")


@pytest.mark.parametrize(
    ("gold", "reply"), [("gold", "silver"), ("Monday", "Sunday"), ("the red van", "the blue van"), ("Oslo", "Bergen")]
)
def test_no_vector_overrules_a_guard(gold: str, reply: str) -> None:
    """Even where the embedder calls everything equal."""
    everything = TableEmbedder([[gold, reply]])
    verdict = RuleJudge(everything).judge(text_question("Which one?"), key(gold=(gold,)), Reply(text=reply))
    assert verdict.value() == 0.0


def test_a_text_is_embedded_once() -> None:
    embedder = TableEmbedder()
    judge = RuleJudge(embedder)
    for _ in range(3):
        judge.judge(text_question("What pet?"), key(gold=("a puppy",)), Reply(text="a cat"))
    assert embedder.calls == 2


def test_thinking_and_labels_in_front_are_no_part_of_the_answer(ask: Ask) -> None:
    assert ask("Where?", "Graz", "<think>Linz or Wien?</think>Answer: **Graz**").value() == 1.0


@given(st.text(min_size=1).filter(lambda text: any(sign.isalnum() for sign in text)))
def test_the_gold_itself_is_always_right(gold: str) -> None:
    verdict = RuleJudge().judge(text_question(), key(gold=(gold,)), Reply(text=gold))
    assert verdict.value() == 1.0


@given(st.text(), st.text(min_size=1), st.text())
def test_any_text_gets_a_verdict_and_always_the_same(question: str, gold: str, reply: str) -> None:
    judge = RuleJudge()
    first = judge.judge(text_question(question), key(gold=(gold,), rejected=(question,)), Reply(text=reply))
    assert first == judge.judge(text_question(question), key(gold=(gold,), rejected=(question,)), Reply(text=reply))
    assert first.value() in (0.0, 1.0)
