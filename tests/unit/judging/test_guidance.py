"""The key's own words on what counts as right: the model is told, rules say that they were not, verdicts are named."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from string import Template

import pytest

from recollect.domain.exchange import Reply
from recollect.domain.histories import Keyed
from recollect.domain.ids import QuestionId
from recollect.domain.questions import AnswerFormat, Key, Question
from recollect.engine.plan import Cell
from recollect.judging.model_judge import ModelJudge
from recollect.judging.prompts import prompt
from recollect.judging.requests import asks_of
from recollect.offline.judge.rule_judge import UNREAD, RuleJudge
from recollect.records.codec import encode
from recollect.records.digests import digest

from tests.fakes import toy_systems as toy
from tests.fakes.harness import Harness, memory_row
from tests.fakes.stub_judges import ScriptedChat
from tests.fakes.toy_protocols import PROTOCOLS

ID = QuestionId("q")
CITY = Question(question_id=ID, text="Where does Ivo live?")
GRAZ = Key(question_id=ID, gold=("Graz",), rejected=("Linz",))
SUMMARY = Question(question_id=ID, text="Sum up.", answer_format=AnswerFormat.SUMMARY)
POINTS = Key(question_id=ID, gold=("It rains.",), field_gold={"rain": ("It rains.",)})
WORDS = "A village near it counts as well; the $price of it does not."
ORDINARY = "r1:f1f3cc1d79efa1f8ac8b9ba2efd638db"
KINDS = {
    "single": (CITY, GRAZ),
    "declining": (CITY, Key(question_id=ID, abstain=True)),
    "fields": (CITY, Key(question_id=ID, field_gold={"city": ("Graz",)})),
    "summary": (SUMMARY, POINTS),
}


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_guidance_stands_between_rules_and_material_in_every_prompt(kind: str) -> None:
    question, key = KINDS[kind]
    for ask in asks_of(question, replace(key, guidance=WORDS), "Ivo lives in Graz."):
        rules, _, material = ask.text(1).partition(WORDS)
        assert "How to decide:" in rules
        assert rules.endswith("these hold:\n")
        assert material.startswith("\n\n<<< ")


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_without_guidance_every_prompt_is_its_file_filled_in_and_nothing_more(kind: str) -> None:
    question, key = KINDS[kind]
    for ask in asks_of(question, key, "Ivo lives in Graz."):
        text = ask.text(1)
        mark = text.rpartition("\n>>> ")[2].partition("\n")[0]
        assert text == Template(prompt(ask.role).text).substitute(ask.places, mark=mark)


def test_the_first_prompt_of_an_ordinary_question_is_the_very_same_call_as_ever() -> None:
    """Digest of the text as it was before keys had guidance; kept verdicts and replies of models stay theirs."""
    (ask,) = asks_of(CITY, GRAZ, "It is Graz.")
    assert digest(ask.text(1)) == ORDINARY


def test_an_exact_answer_is_shown_to_the_model_where_guidance_may_say_otherwise() -> None:
    model = ScriptedChat('{"reason": "r", "verdict": "wrong"}')
    judge = ModelJudge(model)
    assert judge.judge(CITY, GRAZ, Reply(text="Graz")).value() == 1.0
    assert judge.judge(CITY, replace(GRAZ, guidance=WORDS), Reply(text="Graz")).value() == 0.0
    assert len(model.asked) == 1


@pytest.mark.parametrize(
    ("reply", "noted"),
    [
        (Reply(text="He lives in Graz, I think"), True),
        (Reply(text="Vienna"), True),
        (Reply(text="Graz"), False),
        (Reply(text=""), False),
        (Reply(text="", abstained=True), False),
    ],
)
def test_rules_weigh_as_without_guidance_and_say_so_where_it_may_matter(reply: Reply, noted: bool) -> None:
    plain, guided = (RuleJudge().judge(CITY, key, reply) for key in (GRAZ, replace(GRAZ, guidance=WORDS)))
    assert [part.value for part in guided.parts] == [part.value for part in plain.parts]
    assert guided.parts[0].why.endswith(UNREAD) == noted
    assert not plain.parts[0].why.endswith(UNREAD)


def test_a_key_without_guidance_has_the_digest_it_always_had() -> None:
    assert "guidance" not in encode(GRAZ)
    assert digest(encode(GRAZ)) != digest(encode(replace(GRAZ, guidance=WORDS)))


def test_other_guidance_names_another_verdict_and_the_same_answer(tmp_path: Path) -> None:
    cells = [first_cell(tmp_path, guidance) for guidance in ("", WORDS, "Something else.")]
    assert len({cell.verdict for cell in cells}) == 3
    assert len({cell.answer for cell in cells}) == 1


def first_cell(folder: Path, guidance: str) -> Cell:
    keyed, steps = PROTOCOLS["observe_all"]("one")
    keys = {name: replace(key, guidance=guidance) for name, key in keyed.keys.items()}
    row = memory_row(toy.ToyMemory, toy.TOY)
    trial = Harness(folder / "run").trial(Keyed(history=keyed.history, keys=keys, task="toy"), steps, row)
    return next(iter(trial.cells))
