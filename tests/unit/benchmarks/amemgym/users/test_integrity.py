"""What the checker sees in a turn, and what it lets pass."""

from __future__ import annotations

import json

import pytest

from recollect.benchmarks.amemgym.generate.catalogue import read_catalogue
from recollect.benchmarks.amemgym.users.integrity import Checker, checker_of, told

from tests.unit.benchmarks.amemgym.users.dialogues import SCHEMA, STATE, generated, script, scripts


def _found(text: str) -> dict[tuple[str, str], bool]:
    """(variable, value) -> whether it is sure."""
    return {(one.variable, one.value): one.sure for one in checker_of(script()).findings(text)}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("I am strictly vegan.", {("diet", "strictly_vegan"): True}, id="phrase"),
        pytest.param("You know I'm a meat-eater!", {("diet", "meat_eater"): True}, id="hyphen"),
        pytest.param("STRICTLY, VEGAN", {("diet", "strictly_vegan"): True}, id="case-and-punctuation"),
        pytest.param("For the marathon runners among us?", {("running_level", "marathon_runner"): True}, id="plural"),
        pytest.param("My running is regular.", {("running_level", "regular"): True}, id="one-word-beside-its-variable"),
        pytest.param("Any regular shop will do.", {("running_level", "regular"): False}, id="one-word-alone"),
        pytest.param("Is that regularly so?", {}, id="another-word-of-one-stem"),
        pytest.param("My running is fine. A regular shop?", {("running_level", "regular"): False}, id="sentence-apart"),
        pytest.param("A potato on the couch?", {}, id="words-in-another-order"),
        pytest.param("How long do lentils take?", {}, id="harmless"),
        pytest.param("", {}, id="empty"),
    ],
)
def test_a_value_is_told_by_its_words_as_a_phrase(text: str, found: dict[tuple[str, str], bool]) -> None:
    """One common word alone is only suspected."""
    assert _found(text) == found


def test_a_value_that_is_part_of_a_longer_one_is_not_told_with_it() -> None:
    """`vegan` is a value of its own, and stands in `strictly vegan`."""
    assert ("diet", "vegan") not in _found("Being strictly vegan, what else?")
    assert _found("A vegan diet, what else?") == {("diet", "vegan"): True}


def test_a_value_that_two_variables_share_is_taken_for_the_one_that_holds() -> None:
    """`strictly_vegan` is a value of the noise, too, which it is not."""
    (finding,) = checker_of(script()).findings("I am strictly vegan.")
    assert (finding.variable, finding.contradicts) == ("diet", False)


def test_a_finding_says_whether_the_value_holds() -> None:
    """That the person runs marathons is not true."""
    checker = checker_of(script())
    (shown,) = checker.findings("I am strictly vegan.")
    (wrong,) = checker.findings("As a couch potato, what should I do?")
    assert (shown.contradicts, wrong.contradicts) == (False, True)
    assert list(told([shown, wrong])) == [
        "`diet` = `strictly_vegan`",
        "`running_level` = `couch_potato`, which is not even true",
    ]


def test_small_words_may_stand_between_the_words_of_a_value() -> None:
    """Nobody says `works home`."""
    checker = Checker({"place": ["works_at_home", "works_abroad"]}, {"place": "works_abroad"})
    assert [one.value for one in checker.findings("She works from her home.")] == ["works_at_home"]


def test_a_negation_is_part_of_a_value() -> None:
    """A value and its opposite are two."""
    checker = Checker({"art": ["keen_fan", "not_a_keen_fan"]}, {"art": "keen_fan"})
    assert [one.value for one in checker.findings("I'm not a keen fan.")] == ["not_a_keen_fan"]
    assert [one.value for one in checker.findings("I'm a keen fan.")] == ["keen_fan"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("我是素食主义者。", [("素食主义", True)], id="phrase"),
        pytest.param("难度高吗？", [("高", False)], id="one-character"),
        pytest.param("谢谢，接下来呢？", [], id="harmless"),
    ],
)
def test_chinese_values_are_found_without_spaces(text: str, found: list[tuple[str, bool]]) -> None:
    """Chinese writes none."""
    checker = Checker({"diet": ["素食主义", "杂食"], "level": ["高", "低"]}, {})
    assert [(one.value, one.sure) for one in checker.findings(text)] == found


def test_a_value_without_letters_cannot_be_told() -> None:
    """Else every turn would tell it."""
    assert Checker({"mood": ["…", "__"]}, {}).findings("Well… what now?") == ()


def test_every_sentence_of_the_catalogue_tells_its_value() -> None:
    """The generator's own words for each value of one user; no name of a value stands in them."""
    one = next(scripts(generated()[0]))
    checker = checker_of(one)
    words = {variable.name: variable for domain in read_catalogue() for variable in domain.variables}
    for name, values in json.loads(one.variables["schema"]).items():
        for value in values:
            for sentence in words[name].named(value).told:
                found = {(finding.variable, finding.value) for finding in checker.findings(sentence) if finding.sure}
                assert (name, value) in found, sentence


def test_what_touches_a_value_is_more_than_what_tells_it() -> None:
    """Such a word is not told, and still not repeated."""
    checker = checker_of(script())
    assert checker.findings("Vegan cheese")
    assert checker.touches("Vegan cheese")
    assert not checker.findings("A couch")
    assert checker.touches("A couch")
    assert not checker.touches("Red lentils")


def test_a_script_without_states_has_nothing_to_tell() -> None:
    """Data of another kind have no such variables."""
    bare = script(schema={}, state={}, exposed={})
    assert checker_of(bare).findings("I am strictly vegan.") == ()


def test_all_that_a_schema_has_can_be_found() -> None:
    """Each value, said in so many words beside its variable."""
    for variable, values in SCHEMA.items():
        for value in values:
            said = f"My {variable} is {value}.".replace("_", " ")
            pairs = {(one.variable, one.value): one.sure for one in checker_of(script()).findings(said)}
            assert pairs.get((variable, value)) or (value == "strictly_vegan" and STATE[variable] != value)
