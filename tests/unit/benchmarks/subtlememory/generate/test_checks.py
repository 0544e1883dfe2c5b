"""Checks of sessions, questions and cases: what is sound passes, and every mutant of a rule is caught."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import get_args

import pytest

from recollect.benchmarks.subtlememory.generate.checks.questions import question_problems
from recollect.benchmarks.subtlememory.generate.checks.sessions import Breach, Rule, SessionRules, session_problems
from recollect.benchmarks.subtlememory.generate.sessions.writer import write_session
from recollect.benchmarks.subtlememory.items import Asked, Qa, Turn
from recollect.worlds.checks import repeated

from tests.unit.benchmarks.subtlememory.generate.case_rules import (
    ToldCase,
    case_problems,
    repetition_problems,
    rules_of,
    told_case,
)
from tests.unit.benchmarks.subtlememory.generate.spoken import (
    CLUES,
    brief,
    choice,
    dated_case,
    question,
    related_case,
)

Turns = tuple[Turn, ...]
STOPS = (("141",), ("152",))


def _turns(number: int = 0) -> Turns:
    return write_session(related_case().sessions[number].brief, Random(number))


def _rules() -> SessionRules:
    return rules_of(related_case(), 0, values=(("minimalist",), ("crowded", "loud")), name="Nora")


def _told() -> ToldCase:
    plan = dated_case()
    written = [write_session(one.brief, Random(place)) for place, one in enumerate(plan.sessions)]
    return told_case(plan, written, ("2025-05-02", "2025-06-20"), STOPS)


def _asked(qa: Qa) -> Asked:
    assert qa.asked is not None
    return qa.asked


def _put(turns: Turns, place: int, content: str) -> Turns:
    return (*turns[:place], replace(turns[place], content=content), *turns[place + 1 :])


def _added(turns: Turns, place: int, sentence: str) -> Turns:
    return _put(turns, place, f"{turns[place].content} {sentence}")


def _without(turns: Turns, sentence: str) -> Turns:
    return tuple(replace(turn, content=turn.content.replace(sentence, "").strip()) for turn in turns)


def _fronted(turns: Turns) -> Turns:
    return _added(_without(turns, CLUES[0]), 0, CLUES[0])


def _one_telling(rules: SessionRules) -> SessionRules:
    return replace(rules, told=(replace(rules.told[0], text=CLUES[0]),))


SESSION_MUTANTS: dict[str, tuple[str, Callable[[Turns], Turns]]] = {
    "two user turns in a row": ("roles alternate", lambda turns: (turns[0], turns[2], *turns[2:])),
    "the assistant begins": ("roles alternate", lambda turns: turns[1:]),
    "a message less": ("length", lambda turns: turns[:-1]),
    "an exchange too many": ("length", lambda turns: (*turns, *turns[:2])),
    "a label word": ("label word", lambda turns: _added(turns, 3, "That is stored in my memory.")),
    "an id": ("label word", lambda turns: _added(turns, 3, "See related-export-0a1b2c3d4e5f.")),
    "a sub-type": ("label word", lambda turns: _added(turns, 2, "It is K>1.")),
    "a sentence twice": ("repeated sentence", lambda turns: _added(turns, 5, turns[4].content.split(". ")[0] + ".")),
    "evidence removed": ("evidence", lambda turns: _without(turns, CLUES[0])),
    "evidence changed": (
        "evidence",
        lambda turns: tuple(replace(turn, content=turn.content.replace("pale", "dark")) for turn in turns),
    ),
    "evidence in the wrong order": (
        "evidence",
        lambda turns: tuple(
            replace(
                turn, content=turn.content.replace(CLUES[0], "@").replace(CLUES[1], CLUES[0]).replace("@", CLUES[1])
            )
            for turn in turns
        ),
    ),
    "a clue in another message": ("evidence", lambda turns: _added(_without(turns, CLUES[1]), 8, CLUES[1])),
    "evidence by the other role": ("evidence", lambda turns: _added(_without(turns, CLUES[1]), 11, CLUES[1])),
    "a sibling told": ("sibling told", lambda turns: _added(turns, 4, "My nephew's shelf glows in six shades.")),
    "a sibling's value": ("sibling value", lambda turns: _added(turns, 4, "It may be a bit crowded there.")),
    "the fact outright": (
        "explicit",
        lambda turns: _added(turns, 4, "Nora keeps a living room minimalist and uncluttered."),
    ),
    "the fact nearly outright": (
        "explicit",
        lambda turns: _added(turns, 4, "I keep my living room minimalist, so uncluttered."),
    ),
}


@pytest.mark.parametrize("name", SESSION_MUTANTS)
def test_a_mutant_of_a_session_is_caught_by_its_rule(name: str) -> None:
    """A sound session breaks no rule; changed at one point, it breaks that one."""
    rule, change = SESSION_MUTANTS[name]
    assert session_problems(_turns(), _rules()) == ()
    assert rule in _broken(session_problems(change(_turns()), _rules()))


def test_all_in_the_opening_is_caught() -> None:
    """One sentence that tells all may not be in the first message; nor may a value be named nowhere else."""
    rules = _one_telling(_rules())
    assert "all in the opening" not in _broken(session_problems(_turns(), rules))
    assert "all in the opening" in _broken(session_problems(_fronted(_turns()), rules))
    named = replace(rules, told=(), named=(("pale wood",),))
    assert "all in the opening" in _broken(session_problems(_fronted(_turns()), named))


def test_a_session_of_a_model_is_checked_by_the_values_it_must_name() -> None:
    """Where no sentences are given, one accepted wording of each value must occur."""
    rules = SessionRules(lengths=(12,), named=(("nothing here", "pale wood"),))
    assert session_problems(_turns(), rules) == ()
    assert _broken(session_problems(_without(_turns(), CLUES[0]), rules)) == {"evidence"}


def test_common_phrases_with_a_label_word_are_allowed() -> None:
    """`In case` and `in fact` betray nothing; the words alone do."""
    turns = _added(_turns(), 3, "Take a spare one in case it rains, in fact take two.")
    assert session_problems(turns, _rules()) == ()
    assert _broken(session_problems(_added(_turns(), 3, "That is the case."), _rules())) == {"label word"}


QUESTION_MUTANTS: dict[str, tuple[str, Callable[[], Qa]]] = {
    "a choice twice": (
        "options",
        lambda: _with(
            question(), template={**_asked(question()).template, "Light": "one of: candles / candles / daylight"}
        ),
    ),
    "an option twice": ("options", lambda: _with(choice(), options=("Pinewell", *_asked(choice()).options[:3]))),
    "an option listed twice": (
        "options",
        lambda: replace(choice(), query=f"{choice().query}\n- Kubbo: stairs to climb and a slide"),
    ),
    "an option that is not in the question": (
        "options",
        lambda: replace(choice(), query=choice().query.replace("Studio Fenn", "Studio Finn")),
    ),
    "two options described alike": (
        "options",
        lambda: _with(choice(), described={**_asked(choice()).described, "Kubbo": "pale wood and nothing on display"}),
    ),
    "gold that is no option": ("gold", lambda: _with(choice(), fields={"choice": ("Larkspur",)})),
    "two values swapped": (
        "gold",
        lambda: _with(question(), fields={"Room style": ("daylight",), "Light": ("plain",)}),
    ),
    "no gold": ("gold", lambda: _with(choice(), fields={})),
    "gold that is rejected": ("gold", lambda: _with(choice(), others=("Pinewell", "Kubbo"))),
    "an empty side": ("sides", lambda: replace(question(), incorrect_answers=())),
    "an empty answer": ("sides", lambda: replace(question(), incorrect_answers=("", "a", "b"))),
    "two answers": ("sides", lambda: replace(question(), correct_answers=question().correct_answers[:2])),
    "an answer twice": (
        "sides",
        lambda: replace(choice(), correct_answers=("Pinewell", "Pinewell.", "I take Pinewell.")),
    ),
    "an answer on both sides": (
        "sides",
        lambda: replace(choice(), incorrect_answers=("Pinewell", *choice().incorrect_answers[1:])),
    ),
    "sides swapped": (
        "answers",
        lambda: replace(
            choice(), correct_answers=choice().incorrect_answers, incorrect_answers=choice().correct_answers
        ),
    ),
    "a correct answer with one field wrong": (
        "answers",
        lambda: replace(
            question(),
            correct_answers=('{"Room style": "rustic", "Light": "daylight"}', *question().correct_answers[1:]),
            incorrect_answers=("Light: candles", *question().incorrect_answers[1:]),
        ),
    ),
    "a wrong answer that is right": (
        "answers",
        lambda: replace(choice(), incorrect_answers=("Go for Pinewell, then.", *choice().incorrect_answers[1:])),
    ),
    "another chance": ("chance", lambda: _with(question(), chance=1 / 4)),
}


@pytest.mark.parametrize("name", QUESTION_MUTANTS)
def test_a_mutant_of_a_question_is_caught_by_its_rule(name: str) -> None:
    """A sound question of either form breaks no rule."""
    rule, made = QUESTION_MUTANTS[name]
    assert question_problems(question()) == question_problems(choice()) == ()
    assert rule in _broken(question_problems(made()))


def test_a_conflict_needs_both_values_and_cannot_be_guessed() -> None:
    """The chance is 0, and one side alone is a wrong answer."""
    asked = replace(
        _asked(choice()),
        fields={"Pinewell": ("Pinewell",), "Kubbo": ("Kubbo",)},
        others=("Garnet House", "Studio Fenn"),
        chance=0.0,
    )
    both = ("Both Pinewell and Kubbo fit.", "Pinewell or Kubbo? You said both.", "It is open: Kubbo, Pinewell.")
    qa = replace(choice(), correct_answers=both, incorrect_answers=("Pinewell", "Kubbo", "Nothing known."), asked=asked)
    assert question_problems(qa) == ()
    assert _broken(question_problems(replace(qa, asked=replace(asked, chance=0.25)))) == {"chance"}
    assert _broken(question_problems(replace(qa, correct_answers=("Only Kubbo.", *both[1:])))) == {"answers"}


def test_published_questions_may_have_fewer_answers() -> None:
    """The authors' filter has removed some."""
    qa = Qa(query="Which seat?", correct_answers=("Aisle",), incorrect_answers=("Window", "Middle"))
    assert question_problems(qa, generated=False) == ()
    assert _broken(question_problems(qa)) == {"sides"}


def _moved(case: ToldCase, place: int, day: str) -> ToldCase:
    sessions = list(case.sessions)
    sessions[place] = replace(sessions[place], day=day)
    return replace(case, sessions=tuple(sessions))


def _telling(case: ToldCase, *facts: tuple[int, ...]) -> ToldCase:
    sessions = zip(case.sessions, facts, strict=False)
    return replace(case, sessions=tuple(replace(one, facts=told) for one, told in sessions))


def _swapped(case: ToldCase) -> ToldCase:
    """Each session tells the other's value."""
    first, second = case.sessions
    return replace(
        case,
        sessions=(
            replace(first, said={0: (second.said[1][0].replace("1 March 2025", "1 June 2024"),)}),
            replace(second, said={1: (first.said[0][0].replace("1 June 2024", "1 March 2025"),)}),
        ),
    )


def _opposed(case: ToldCase, *situations: str) -> ToldCase:
    """A conflict about the user, each side told of a situation."""
    pairs = enumerate(zip(case.sessions, situations, strict=True))
    return replace(
        case,
        source="user-related",
        relation_subtype="contradictory",
        sessions=tuple(replace(one, said={fact: (f"{when}, I have them oiled.",)}) for fact, (one, when) in pairs),
        values=(),
    )


CASE_MUTANTS: dict[str, tuple[str, Callable[[ToldCase], ToldCase]]] = {
    "a fact that nobody tells": ("coverage", lambda case: _telling(case, (0,), (0,))),
    "a fact told twice": ("coverage", lambda case: _telling(case, (0,), (1, 0))),
    "a fact that does not exist": ("coverage", lambda case: _telling(case, (0,), (1, 2))),
    "one session": ("session count", lambda case: _telling(case, (0, 1))),
    "a session that tells nothing": ("session count", lambda case: _telling(case, (0, 1), ())),
    "two facts about the user in one session": (
        "session count",
        lambda case: _telling(replace(case, source="user-related"), (0, 1), ()),
    ),
    "a conflict in one session": (
        "session count",
        lambda case: _telling(replace(case, relation_subtype="a_user_vs_user"), (0, 1), ()),
    ),
    "a side of a conflict told of winters": ("settled", lambda case: _opposed(case, "Usually", "In winter")),
    "two values swapped": ("evidence", _swapped),
    "a date moved in the text": (
        "dates",
        lambda case: replace(case, facts=(case.facts[0].replace("1 June", "2 June"), case.facts[1])),
    ),
    "a session before its stretch": ("dates", lambda case: _moved(case, 1, "2025-05-30")),
    "a session after its stretch": ("dates", lambda case: _moved(case, 0, "2025-06-01")),
    "a session before what it tells": ("dates", lambda case: _moved(case, 1, "2025-02-28")),
}


@pytest.mark.parametrize("name", CASE_MUTANTS)
def test_a_mutant_of_a_case_is_caught_by_its_rule(name: str) -> None:
    """A sound case breaks no rule."""
    rule, change = CASE_MUTANTS[name]
    assert case_problems(_told()) == ()
    assert rule in _broken(case_problems(change(_told())))


def test_sides_of_a_conflict_that_hold_as_a_rule_settle_nothing() -> None:
    """So the mutant is caught for its winters alone."""
    assert case_problems(_opposed(_told(), "Usually", "As a rule")) == ()


def test_every_rule_has_its_mutants() -> None:
    """48 mutants for 19 rules: the tests above catch all, those for openings and stock sentences have their own."""
    mutants = [*SESSION_MUTANTS.values(), *QUESTION_MUTANTS.values(), *CASE_MUTANTS.values()]
    assert (len(SESSION_MUTANTS), len(QUESTION_MUTANTS), len(CASE_MUTANTS)) == (17, 18, 13)
    rules = {rule for rule, _ in mutants} | {"all in the opening", "stock sentence"}
    assert rules == set(get_args(Rule))


def test_a_sentence_that_many_sessions_share_is_found_under_its_mask() -> None:
    """Two of three sessions hold it, each with another name; short sentences are not counted."""
    sessions = [
        _only("I asked Mia Ott to bring the long ladder on Friday. So be it."),
        _only("I asked Ben to bring the long ladder on Friday. So be it."),
        _only("Nobody asked for anything in the whole long week. So be it."),
    ]
    said = [[turn.content for turn in turns] for turns in sessions]
    found = repeated(said, ("Mia Ott", "Ben"))
    assert found == {"i asked _ to bring the long ladder on friday": pytest.approx(2 / 3)}
    assert repeated(said, ()) == {}
    assert _broken(repetition_problems(sessions, ("Mia Ott", "Ben"))) == {"stock sentence"}
    assert repetition_problems(sessions, ("Mia Ott", "Ben"), most=0.7) == ()


def test_both_sessions_of_a_planned_case_keep_all_rules() -> None:
    """What the writer makes goes through the checks as they are for a plan."""
    plan = related_case()
    for number, one in enumerate(plan.sessions):
        rules = rules_of(plan, number, values=(("minimalist",), ("crowded", "loud")), name="Nora")
        assert session_problems(write_session(one.brief, Random(number)), rules) == ()
    assert rules_of(plan, 0).siblings == ("My nephew's shelf glows in six shades.",)
    assert rules_of(dated_case(), 0, values=STOPS).named == (("141",),)
    assert brief(1).messages == 12


def _with(qa: Qa, **changes: object) -> Qa:
    return replace(qa, asked=replace(_asked(qa), **changes))  # type: ignore[arg-type]


def _only(text: str) -> Turns:
    return (Turn(role="user", content=text), Turn(role="assistant", content="Fine."))


def _broken(found: Sequence[Breach]) -> set[str]:
    assert all(str(one).startswith(f"{one.rule}: ") for one in found)
    return {one.rule for one in found}
