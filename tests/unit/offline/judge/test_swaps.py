"""Replies that name all values, but give to one thing what is true of another."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from recollect.domain.exchange import Reply
from recollect.domain.ids import QuestionId
from recollect.domain.outcomes import Verdict
from recollect.domain.questions import AnswerFormat, Key, Question
from recollect.offline.judge.rule_judge import RuleJudge
from recollect.offline.judge.swaps import swapped

Gold = Mapping[str, tuple[str, ...]]

ID = QuestionId("q")
RINDS = "With what are the rinds of the Varn Blue and the Morvane rubbed?"
RIND: Gold = {"the Varn Blue": ("paprika",), "the Morvane": ("cider",)}
DAIRIES = "How many dairies make each of the Krilo Wheel, the Tegor Wheel and Sumbane Farmhouse?"
COUNT: Gold = {"the Krilo Wheel": ("1,234", "1234"), "the Tegor Wheel": ("12",), "Sumbane Farmhouse": ("37",)}
BREEDERS = "Who raised the Drin Pippin and the Galdo Pippin?"
WHO: Gold = {"the Drin Pippin": ("Adela Bladrend", "Bladrend"), "the Galdo Pippin": ("Ivo Tolbek", "Tolbek")}

SWAPPED = [
    "Varn Blue: cider. Morvane: paprika.",
    "Varn Blue cider, Morvane paprika",
    "Cider for the Varn Blue and paprika for the Morvane.",
    "Cider: Varn Blue. Paprika: Morvane.",
    "Varn Blue (cider), Morvane (paprika)",
    "Varn Blue → cider / Morvane → paprika",
    "The rind of the Varn Blue is rubbed with cider, while that of the Morvane is rubbed with paprika.",
    "They rub cider into the Varn Blue and paprika into the Morvane.",
    "The varn blue with cider and the morvane with paprika.",
    "- **Varn Blue**: cider\n- **Morvane**: paprika",
    "1) Varn Blue - cider\n2) Morvane - paprika",
    "| Cheese | Rubbed with |\n|---|---|\n| Varn Blue | cider |\n| Morvane | paprika |",
    "Varn Blue:\n  cider\nMorvane:\n  paprika",
    '{"Varn Blue": "cider", "Morvane": "paprika"}',
    "You asked about the Varn Blue and the Morvane. Varn Blue: cider. Morvane: paprika.",
    "The Varn Blue and the Morvane: cider for the Varn Blue, paprika for the Morvane.",
    "Paprika and cider: the Varn Blue with cider and the Morvane with paprika.",
    "Paprika and cider: paprika for the Morvane and cider for the Varn Blue.",
    "There is no doubt: the Varn Blue has cider, the Morvane paprika.",
    "The Varn Blue's rind gets cider. As for the second cheese, paprika.",
]
RIGHT = [
    "paprika, cider",
    "Paprika and cider, in that order.",
    "In the order of your question, paprika and cider.",
    "1. paprika\n2. cider",
    "The Varn Blue and the Morvane are rubbed with paprika and cider, respectively.",
    "Varn Blue / Morvane: paprika / cider",
    "The Morvane and the Varn Blue are rubbed with cider and paprika.",
    "Varn Blue: paprika. Morvane: cider.",
    "Varn Blue, paprika, Morvane, cider",
    "paprika, Varn Blue, cider, Morvane",
    "Cider for the Morvane and paprika for the Varn Blue.",
    "Paprika! (the Varn Blue) - and cider! (the Morvane)",
    "The Varn Blue? Paprika. And the Morvane? Cider.",
    "Their rinds are rubbed with paprika (Varn Blue) and with cider (Morvane).",
    "The Varn Blue has paprika. The Morvane has cider.",
    "You asked about the Varn Blue and the Morvane. The former gets paprika, the latter cider.",
    "| Varn Blue | Morvane |\n|---|---|\n| paprika | cider |",
    "| Varn Blue | paprika |\n| Morvane | cider |",
    "Varn Blue\npaprika\nMorvane\ncider",
    "Varn Blue:\n- paprika\n\nMorvane:\n- cider",
    "For the Varn Blue and the Morvane:\n- paprika\n- cider",
    '{"Varn Blue": "paprika", "Morvane": "cider"}',
    "With paprika and cider: the Morvane with cider and the Varn Blue with paprika.",
]
CAREFUL = [
    pytest.param("The Varn Blue, unlike the Morvane with its cider, is rubbed with paprika.", id="compared"),
    pytest.param("The Varn Blue is not rubbed with cider. It takes paprika.", id="denied"),
    pytest.param("Formerly it was cider for the Varn Blue. It is paprika; the Morvane has that now.", id="outdated"),
    pytest.param("I thought of cider for the Varn Blue. It is paprika, and cider for the Morvane.", id="taken-back"),
    pytest.param("Varn Blue: cider. Wait. Varn Blue: paprika. Morvane: cider.", id="has-its-own-too"),
    pytest.param("Morvane: cider. A little cider goes on the Varn Blue. Mostly paprika.", id="other-has-it-too"),
    pytest.param("The first has paprika. At the second, the Morvane, it is cider.", id="points-back"),
    pytest.param("The first has paprika, and for the Morvane see below. Cider it is.", id="points-to-a-place"),
    pytest.param("Cider, listed next to the Varn Blue, goes on the Morvane. Paprika is left.", id="no-even-number"),
    pytest.param("Of the Varn Blue and the Morvane: paprika came before the Morvane. Cider is left.", id="one-pair"),
    pytest.param("The Varn Blue has cider or paprika, I am unsure which.", id="two-values"),
    pytest.param("Paprika for the blue one, and cider for the Morvane.", id="part-of-a-name"),
    pytest.param("Paprika and cider. Relatives of the Varn Blue are known for cider.", id="listed-before"),
    pytest.param("The Varn Blue, found beside cider-washed Morvane, has paprika.", id="no-border-between-pairs"),
    pytest.param("Paprrika goes on the Varn Blue, cider on the Morvane.", id="slip"),
]


def judged(question: str, gold: Gold, text: str, label: str | None = "no") -> Verdict:
    labels = {} if label is None else {"conflict": label}
    key = Key(question_id=ID, field_gold=gold, labels=labels)
    return RuleJudge().judge(Question(question_id=ID, text=question), key, Reply(text=text))


@pytest.mark.parametrize("text", SWAPPED)
def test_values_that_change_places_are_wrong(text: str) -> None:
    verdict = judged(RINDS, RIND, text)
    assert verdict.value() == 0.0
    assert verdict.parts[0].why.startswith("value_of_another: ")


@pytest.mark.parametrize("text", RIGHT)
def test_values_in_their_places_or_without_names_are_right(text: str) -> None:
    assert judged(RINDS, RIND, text).value() == 1.0


@pytest.mark.parametrize("text", CAREFUL)
def test_what_may_be_read_in_another_way_is_no_swap(text: str) -> None:
    assert swapped(RINDS, RIND, text) == {}


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Krilo Wheel 1234, Tegor Wheel 37, Sumbane Farmhouse 12", {"the Tegor Wheel", "Sumbane Farmhouse"}),
        ("Krilo: 12; Tegor: 1,234; Sumbane: 37", {"the Krilo Wheel", "the Tegor Wheel"}),
        ("1. Krilo Wheel: 12\n2. Tegor Wheel: 37\n3. Sumbane Farmhouse: 1,234", set(COUNT)),
        ("Krilo Wheel 1234, Tegor Wheel 12, Sumbane Farmhouse 37", set()),
        ("1. Krilo Wheel: 1,234\n2. Tegor Wheel: 12\n3. Sumbane Farmhouse: 37", set()),
        ("Krilo, Tegor and Sumbane are made by 1234, 12 and 37 dairies.", set()),
        ("Krilo has 1234, which is more than Tegor with 12 and Sumbane with 37.", set()),
    ],
)
def test_each_field_that_has_the_value_of_another_is_named(text: str, wrong: set[str]) -> None:
    verdict = judged(DAIRIES, COUNT, text)
    assert {name for name in COUNT if verdict.value(f"field:{name}") == 0.0} == wrong
    assert verdict.value() == float(not wrong)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("The Drin Pippin was raised by Tolbek and the Galdo Pippin by Bladrend.", 0.0),
        ("Ivo Tolbek raised the Drin Pippin, and Adela Bladrend the Galdo.", 0.0),
        ("Drin: Tolbek. Galdo: Bladrend.", 0.0),
        ("Bladrend raised the Drin Pippin. Ivo Tolbek raised the Galdo.", 1.0),
        ("The Drin and the Galdo Pippin were raised by Adela Bladrend and Ivo Tolbek.", 1.0),
    ],
)
def test_names_and_values_may_be_shortened(text: str, right: float) -> None:
    assert judged(BREEDERS, WHO, text).value() == right


def test_the_reason_says_whose_value_it_is() -> None:
    found = swapped(RINDS, RIND, SWAPPED[0])
    assert found["the Varn Blue"].why == "value_of_another: the Varn Blue has that of the Morvane"


def test_a_field_whose_value_is_missing_stays_missing() -> None:
    verdict = judged(DAIRIES, COUNT, "Krilo Wheel: 12; Tegor Wheel: 37; Sumbane Farmhouse: a few")
    codes = {part.name: part.why.partition(":")[0] for part in verdict.parts}
    assert codes["field:the Krilo Wheel"] == "value_missing"
    assert codes["field:the Tegor Wheel"] == "value_of_another"


def test_a_value_half_of_which_is_told_elsewhere_keeps_a_clause_from_being_read() -> None:
    gold = {"the Varn Blue": ("sweet paprika",), "the Morvane": ("cider",)}
    assert (
        judged(RINDS, gold, "The Varn Blue has paprika, the sweet kind, cider being for what is left.").value() == 1.0
    )


def test_numbers_of_a_list_are_no_values() -> None:
    gold = {"the Krilo Wheel": ("2",), "the Tegor Wheel": ("1",), "Sumbane Farmhouse": ("3",)}
    listed = "1) Krilo Wheel\n2) Tegor Wheel\n(3) Sumbane Farmhouse\nThe numbers are 2, 1 and 3."
    assert judged(DAIRIES, gold, listed).value() == 1.0


def test_a_name_that_two_fields_have_is_passed_over() -> None:
    gold = {"the Morvane": ("cider",), "Morvane": ("paprika",)}
    assert swapped(RINDS, gold, "The Morvane has cider.") == {}


def test_a_value_that_two_have_is_nobody_elses() -> None:
    gold = {"the Krilo Wheel": ("12",), "the Tegor Wheel": ("12",), "Sumbane Farmhouse": ("37",)}
    assert swapped(DAIRIES, gold, "Krilo Wheel: 12; Tegor Wheel: 12; Sumbane Farmhouse: 37") == {}
    assert set(swapped(DAIRIES, gold, "Krilo Wheel: 12; Tegor Wheel: 37; Sumbane Farmhouse: 12")) == {
        "the Tegor Wheel",
        "Sumbane Farmhouse",
    }


def test_a_value_that_is_part_of_a_name_is_not_read_in_it() -> None:
    question, gold = (
        "Which colour have the Varn Blue and the Morvane?",
        {"the Varn Blue": ("red",), "the Morvane": ("blue",)},
    )
    assert swapped(question, gold, "The Varn Blue is red, the Morvane blue.") == {}
    assert len(swapped(question, gold, "The Varn Blue is blue, the Morvane red.")) == 2


def test_a_correction_behind_the_cut_is_read() -> None:
    """The judge reads 30 words for what is named, and all of them for what is given to whom."""
    words = "Now this takes a while to tell as there is a lot to say on it and all of it matters. " * 2
    assert (
        judged(
            RINDS, RIND, f"Varn Blue: cider. Morvane: paprika. {words} So Varn Blue: paprika, Morvane: cider"
        ).value()
        == 1.0
    )


@pytest.mark.parametrize(
    ("question", "label"),
    [
        pytest.param(RINDS, "yes", id="conflict"),
        pytest.param(RINDS, None, id="no-label"),
        pytest.param("With what are they rubbed?", "no", id="question-without-names"),
        pytest.param("With what is the rind of the Morvane rubbed?", "no", id="question-with-one-name"),
    ],
)
def test_other_keys_are_judged_by_what_is_named(question: str, label: str | None) -> None:
    assert judged(question, RIND, SWAPPED[0], label).value() == 1.0


def test_forms_are_judged_field_by_field_as_ever() -> None:
    key = Key(question_id=ID, field_gold=RIND, labels={"conflict": "no"})
    form = Question(question_id=ID, text=RINDS, answer_format=AnswerFormat.JSON)
    verdict = RuleJudge().judge(form, key, Reply(text='{"the Varn Blue": "cider", "the Morvane": "paprika"}'))
    assert verdict.value() == 0.0
    assert not any(part.why.startswith("value_of_another") for part in verdict.parts)
