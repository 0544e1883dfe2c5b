"""The rule classifier: what a text shows, and when it says nothing."""

from __future__ import annotations

import pytest

from recollect.benchmarks.amemgym.generate.catalogue import LifeDomain, read_catalogue, small_talk
from recollect.benchmarks.amemgym.generate.classify import Classifier
from recollect.benchmarks.amemgym.items import Item


@pytest.fixture
def classifier(stall: LifeDomain) -> Classifier:
    """Of the market stall, all values."""
    return Classifier({one.name: [value.value for value in one.values] for one in stall.variables}, [stall])


def test_a_sentence_of_the_catalogue_is_found_wherever_it_stands(classifier: Classifier) -> None:
    """Two joined by a bridge, in small letters and with an opener."""
    text = (
        "Hi there. My bees were slow this spring, so the shelf is half empty. Besides, my nephew wraps while I take "
        "the money, and so the queue moves. What belongs on a good price sign?"
    )
    assert classifier.exposed(text) == {"stall_wares": "honey", "stall_hands": "one_helper"}


def test_a_held_out_sentence_and_an_event_show_their_value(classifier: Classifier) -> None:
    """They are of the catalogue too."""
    assert classifier.exposed("Thorns are the reason why I wear plasters all year.") == {"stall_wares": "flowers"}
    assert classifier.exposed("A nephew came back from sea and put on the second apron.") == {
        "stall_hands": "one_helper"
    }


def test_a_sentence_in_other_words_shows_the_value_it_is_clearly_nearest_to(classifier: Classifier) -> None:
    """Kiln, clay, mugs and glaze are words of one value only."""
    assert classifier.exposed("The glaze on the mugs from my kiln shows the clay.") == {"stall_wares": "pottery"}


@pytest.mark.parametrize(
    "text",
    ["", "How are you?", "The weather was fine on the square.", "I sold tulips, honey, bowls and a spoon to Tom."],
)
def test_where_nothing_is_clear_nothing_is_shown(text: str, classifier: Classifier) -> None:
    """Too few words, or words of several values."""
    assert classifier.exposed(text) == {}


def test_variables_outside_the_schema_are_never_shown(stall: LifeDomain) -> None:
    """Neither are values that the schema does not have."""
    classifier = Classifier({"stall_wares": ["honey", "pottery"]}, [stall])
    assert classifier.exposed("My fingers smell of tulips, and the buckets have soaked my shoes.") == {}
    assert classifier.exposed("My nephew wraps while I take the money, and so the queue moves.") == {}


def test_an_answer_fits_the_combination_of_its_clauses(classifier: Classifier, stall: LifeDomain) -> None:
    """In the order in which the variables are asked for; `None` where a clause is missing."""
    first = stall.variables[0].values[2].advice[1]
    second = stall.variables[1].values[0].advice[0]
    wanted = ("stall_hands", "stall_rhythm")
    assert classifier.answer_state(f"{first} {second}", wanted) == ("alone", "daily")
    assert classifier.answer_state(first, wanted) == (None, "daily")


@pytest.mark.parametrize(
    ("turn", "leak"),
    [
        pytest.param(
            "And my bees were slow this spring, so the shelf is half empty.", ("stall_wares", "honey"), id="told"
        ),
        pytest.param("I have a small crew now.", ("stall_hands", "small_crew"), id="named"),
        pytest.param("Honey is what my wares are.", ("stall_wares", "honey"), id="named-with-its-variable"),
        pytest.param(
            "Hang a rota by the coffee machine and name somebody who decides when you are not there to be asked.",
            ("stall_hands", "small_crew"),
            id="advised",
        ),
    ],
)
def test_a_turn_that_tells_or_names_a_value_leaks(turn: str, leak: tuple[str, str], classifier: Classifier) -> None:
    """In the catalogue's words or in its own."""
    assert leak in classifier.leaks(turn)


def test_talk_that_is_to_tell_nothing_leaks_nothing(base: tuple[Item, ...]) -> None:
    """Small talk never, and of the four turns of a domain three, whatever else the user's schema holds."""
    chat = {variable.name: domain.chat for domain in read_catalogue() for variable in domain.variables}
    for item in base[:5]:
        classifier = Classifier(item.state_schema)
        for name in item.state_schema:
            assert sum(not classifier.leaks(turn) for turn in chat[name]) >= 3
        assert sum(not classifier.leaks(turn) for turn in small_talk().neutral) >= 11
