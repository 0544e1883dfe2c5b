"""Each rule of the catalogue: what breaks it is found, alone and with the sentence."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from recollect.benchmarks.subtlememory.generate.catalogue.texts import Kind, Topic, kinds, topics
from recollect.benchmarks.subtlememory.generate.rules.check import check_catalogue, main
from recollect.benchmarks.subtlememory.generate.rules.kinds import kind_problems
from recollect.benchmarks.subtlememory.generate.rules.topics import topic_problems
from recollect.records.codec import decode
from recollect.worlds.catalogues import catalogue
from recollect.worlds.sentences import content, likeness

from tests.unit.benchmarks.subtlememory.generate.rows import ROOMS, Change, Row, kind_row, less, put, topic_row

KITES = Path(__file__).parent / "data" / "kite_festival.json"


def _problems_of_topic(row: Row) -> list[str]:
    return _without_tells(topic_problems(decode(Topic, row, where="topic")))


def _problems_of_kind(row: Row) -> list[str]:
    return _without_tells(kind_problems(decode(Kind, row, where="kind")))


def _without_tells(problems: Iterable[str]) -> list[str]:
    """Steps and showings go by the names of what is changed here; what they break has tests of its own."""
    return [
        problem
        for problem in problems
        if not re.search(r" tells |^tells of| in \w+: names | in \w+: says out", problem)
    ]


FARM = "traits 0 values 1"
LONG = [
    "a heavy trestle that three men can hardly lift over the doorstep",
    "gingham covers and rush seats for six people and a sleepy hound",
    "pottery in earthy brown with a hutch and a rack for pewter",
    "turned elm legs under a slab from the kitchens of upland holdings",
]
BROKEN_TOPICS = [
    pytest.param(put("domain", "Sports"), "domain `Sports` is none of the ten", id="unknown-domain"),
    pytest.param(put("topic", "interior design"), "topic: does not start with a capital", id="topic-small"),
    pytest.param(lambda row: row["traits"].pop(), "topic: 2 traits, not 3", id="two-traits"),
    pytest.param(
        put("traits 1 name", "room style"),
        "name of the traits: occurs twice: room style",
        id="trait-twice",
    ),
    pytest.param(put("traits 1 field", "Room style"), "field of the traits: occurs twice", id="field-twice"),
    pytest.param(
        put("traits 1 wanted", "one furniture package for the living room"), "occurs twice", id="wanted-twice"
    ),
    pytest.param(put("traits 0 values", less), "room style: 3 values, not 4", id="three-values"),
    pytest.param(put("traits 0 conditions", less), "room style: 2 conditions, not 3", id="two-conditions"),
    pytest.param(put(f"{FARM} accepted 1", "Factory style"), "room style: occurs twice", id="accepted-of-another"),
    pytest.param(put(f"{FARM} accepted", less), "1 accepted, not 2", id="one-accepted"),
    pytest.param(put(f"{FARM} facts", less), "2 facts, not 3", id="two-facts"),
    pytest.param(put(f"{FARM} resources", less), "3 resources, not 4", id="three-resources"),
    pytest.param(
        put(f"{FARM} value", "rustic farmhouse with a barn"), "5 words, not 1 to 4: rustic", id="value-too-long"
    ),
    pytest.param(put("traits 0 field", "Style."), "room style.field: ends with a mark", id="field-with-stop"),
    pytest.param(put("traits 0 wanted", "One set of chairs"), "starts with a capital: One set", id="wanted-capital"),
    pytest.param(put("traits 0 wanted", "one rustic set of chairs"), "has the word rustic", id="wanted-names"),
    pytest.param(put("traits 0 field", "Loft style"), "field: has the word loft", id="field-names"),
    pytest.param(put(f"{FARM} facts 0", "They live like farmers."), "slots [], not ['name']", id="fact-without-name"),
    pytest.param(put(f"{FARM} facts 0", "{name} [likes|loves] it rural."), "1 choices, not 0 to 0", id="fact-choice"),
    pytest.param(
        put(f"{FARM} resources 0", "galvanised shelving with pipe fittings and mossy planks"),
        "of the content words are the same",
        id="resources-alike",
    ),
    pytest.param(put(f"{FARM} resources 0", "pine and gingham"), "3 words, not 6 to 12", id="resource-too-short"),
    pytest.param(
        put(f"{FARM} resources 0", "Rough-sawn pine, gingham covers and a latched door"),
        "starts with a capital",
        id="resource-capital",
    ),
    pytest.param(
        put(f"{FARM} resources 0", "rough-sawn pine, gingham covers and a latched door."),
        "ends with a mark",
        id="resource-with-stop",
    ),
    pytest.param(
        put(f"{FARM} resources 0", "country pine, gingham covers and a latched door"),
        "has the word countri of the value's name",
        id="resource-names",
    ),
    pytest.param(
        put(f"{FARM} resources 0", "the opposite of strict minimalism, with a latched door"),
        "names `strict minimalism`, another value",
        id="resource-names-another-value",
    ),
    pytest.param(put(f"{FARM} resources", LONG), "resources of rustic farmhouse are longer by", id="resources-longer"),
    pytest.param(put("traits 0 conditions 0 said", "The cabin"), "a capital: The cabin", id="said-capital"),
    pytest.param(
        put("traits 0 conditions 0 asked", "our {name} hut by the lake"), "slots ['name'], not []", id="slot-in-asked"
    ),
    pytest.param(
        put("traits 0 conditions 0 fact", "for the cabin of {name} and {name}"),
        "once each",
        id="name-twice-at-the-end",
    ),
    pytest.param(
        put("traits 0 conditions 0 asked", "our family loft by the lake"), "has the word loft", id="condition-names"
    ),
    pytest.param(
        put("traits 0 conditions 0 asked", "rooms where we spend evenings"),
        "conditions: share evening, room, spend",
        id="conditions-alike",
    ),
    pytest.param(put("traits 0 conditions 0 reason", "It depends."), "2 words, not 7 to 22", id="reason-too-short"),
    pytest.param(
        put("traits 0 conditions 0 reason", "how I live goes by who is there to see it."),
        "a capital",
        id="reason-small",
    ),
    pytest.param(
        put("traits 0 conditions 0 reason", "My loft goes by who is there to see it."),
        "has the word loft",
        id="reason-names",
    ),
    pytest.param(
        put("traits 0 stretches 0 reason", "Nobody who lives here is quite as they were before."),
        "does not tell of",
        id="reason-without-the-stretch",
    ),
    pytest.param(
        put(
            "traits 0 stretches 1",
            {
                "said": "while I'm alone",
                "fact": "while {name} is alone",
                "asked": "the empty house",
                "reason": "I'm alone in a house that is empty but for me.",
            },
        ),
        "told with empti, hous of what is asked",
        id="reason-in-the-words-of-the-question",
    ),
    pytest.param(
        lambda row: row["traits"][0]["conditions"][1].update(reason=row["traits"][0]["conditions"][0]["reason"]),
        "sentence stands 2 times",
        id="reason-twice",
    ),
    pytest.param(
        put("traits 0 together", [["industrial loft", "tent"]]),
        "together: industrial loft and tent are not two of its values",
        id="together-with-nothing",
    ),
    pytest.param(
        put("traits 0 together", [["industrial loft", "industrial loft"]]),
        "together: industrial loft and industrial loft are not two",
        id="together-with-itself",
    ),
    pytest.param(
        put("traits 0 together", [["industrial loft", "rustic farmhouse"], ["rustic farmhouse", "industrial loft"]]),
        "together: rustic farmhouse and industrial loft stand twice",
        id="together-twice",
    ),
    pytest.param(put("traits 0 stretches", less), "room style: 4 stretches, not 5", id="four-stretches"),
    pytest.param(put("traits 0 stretches 0 said", "While it snows"), "a capital: While", id="stretch-capital"),
    pytest.param(
        put("traits 0 stretches 0 asked", "the whole winter in a loft"), "has the word loft", id="stretch-names"
    ),
    pytest.param(
        lambda row: row["traits"][0]["stretches"][0].update(
            said="while lodgers sleep upstairs", asked="the weeks with lodgers"
        ),
        "stretches: asked for with the word lodgers",
        id="stretch-asked-alike",
    ),
    pytest.param(
        put("traits 0 stretches 0 asked", "the week of family life"),
        "stretches: share famili, week",
        id="stretches-alike",
    ),
    pytest.param(
        put(f"{FARM} facts 0", "At home, {name} goes for factory style, or so {name} says."),
        "once each",
        id="name-twice-in-fact",
    ),
    pytest.param(
        put(f"{FARM} facts 0", "At home, {name} goes for a rural style."),
        "stands 2 times in the file",
        id="fact-twice",
    ),
    pytest.param(
        put(f"{FARM} accepted 1", "rural style with this or that about it"), "8 words, not 1 to 6", id="accepted-long"
    ),
]
TOWN = "properties 3"
BROKEN_KINDS = [
    pytest.param(put("domain", "Sports"), "domain `Sports` is none of the ten", id="unknown-domain"),
    pytest.param(put("topic", "Kites."), "topic: ends", id="topic-no-label"),
    pytest.param(put("noun", "Kite festival"), "noun: starts with a capital", id="noun-capital"),
    pytest.param(put("names", less), "kind: 3 names, not 4", id="three-names"),
    pytest.param(put("names 0", "the Kite Festival"), "names: slots [], not ['word']", id="name-without-slot"),
    pytest.param(put("names 0", "The {word} Kites"), "names: starts with a capital", id="name-capital"),
    pytest.param(put("names 0", "the {word} Kite Days"), "names: occurs twice", id="name-twice"),
    pytest.param(put("properties", less), "kind: 3 properties, not 4", id="three-properties"),
    pytest.param(put(f"{TOWN} name", "founder"), "properties: occurs twice: founder", id="property-twice"),
    pytest.param(put("properties 1 changes", False), "no number or year changes", id="nothing-changes"),
    pytest.param(put("properties 0 editions", []), "no choice of 8 values has editions", id="no-editions"),
    pytest.param(put("properties 0 editions", less), "symbol: 2 editions, not 3", id="two-editions"),
    pytest.param(put("properties 0 values", less), "no choice of 8 values has editions", id="seven-values"),
    pytest.param(put("properties 2 kind", "place"), "none is a person", id="no-person"),
    pytest.param(put(f"{TOWN} told", less), "town: 3 told, not 4", id="three-told"),
    pytest.param(put(f"{TOWN} held_out", less), "town: 1 held_out, not 2", id="one-held-out"),
    pytest.param(put(f"{TOWN} asked", less), "town: 2 asked, not 3", id="two-asked"),
    pytest.param(
        put(f"{TOWN} told 0", "{entity} takes place on the meadows of that town, [behind|beside] the station."),
        "slots ['entity'], not ['entity', 'value']",
        id="told-without-value",
    ),
    pytest.param(
        put(f"{TOWN} told 0", "{entity} takes place in {value}, on the {value} meadows [behind|beside] the station."),
        "once each",
        id="value-twice",
    ),
    pytest.param(
        put(f"{TOWN} told 0", "{entity} takes place in [lovely|old] {value}."), "not 8 to 20", id="told-too-short"
    ),
    pytest.param(
        put(f"{TOWN} told 0", "{entity} takes place on the meadows of {value}, behind the station."),
        "0 choices, not 1 to 2",
        id="told-without-choice",
    ),
    pytest.param(
        put(f"{TOWN} told 0", "{entity} takes place on a {value} meadow [behind|beside] the station."),
        "an article before the value",
        id="article-before-a-name",
    ),
    pytest.param(
        put("properties 0 told 0", "{entity} shows a {value} on its [posters|flags] and on every ticket."),
        "with `otter`",
        id="article-before-some-values",
    ),
    pytest.param(
        put("properties 0 told 0", "The [posters|flags] of {entity} show the {value}, and tickets do so too."),
        "does not begin with the entity",
        id="edition-before-something-else",
    ),
    pytest.param(put(f"{TOWN} asked 0", "Where does it take place?"), "slots [], not ['entity']", id="asked-of-none"),
    pytest.param(put(f"{TOWN} asked 0", "{entity} is where."), "does not end with ?", id="asked-without-mark"),
    pytest.param(
        put("properties 0 asked 0", "Does the hedgehog stand for {entity}?"), "has the word hedgehog", id="asked-names"
    ),
    pytest.param(
        put(f"{TOWN} asked_of_all", "Where is {entity} held?"), "not ['entities'] once each", id="all-without-all"
    ),
    pytest.param(put("properties 1 adds_up", "How many kites in all?"), "adds_up: slots []", id="sum-of-none"),
    pytest.param(
        put(f"{TOWN} adds_up", "How many towns do {entities} have together?"), "only numbers have", id="sum-of-towns"
    ),
    pytest.param(put("properties 0 editions 0 told", "in winter"), "editions: does not start", id="edition-small"),
    pytest.param(put("properties 0 editions 0 asked", "In its winter edition"), "starts with a", id="asked-capital"),
    pytest.param(put("properties 0 editions 0 told", "In its night edition"), "occurs twice", id="edition-twice"),
    pytest.param(put("properties 0 editions 0 asked", "in its edition after dark"), "occurs twice", id="same-end"),
    pytest.param(put(f"{TOWN} values", ["Bath"]), "a place has none", id="place-with-values"),
    pytest.param(put("properties 1 values", ["many", "more"]), "not the least and the most", id="no-numbers"),
    pytest.param(put("properties 1 values", ["980", "120"]), "is not below the most", id="range-upside-down"),
    pytest.param(put("properties 0 values 0", "brown barn owl"), "do not exclude each other", id="values-overlap"),
    pytest.param(
        put("properties 0 values 0", "grey heron sleeping somewhat awry"), "5 words, not 1 to 4", id="long-value"
    ),
    pytest.param(
        put("threads 0 steps 0 aside", "A heron stands on my sill as I write this."),
        "has the word heron",
        id="thread-names",
    ),
    pytest.param(
        put(f"{TOWN} told 0", "{entity} takes place on the [wide|wide] meadows of {value}, behind the station."),
        "2 to 4 different alternatives",
        id="choice-of-one",
    ),
    pytest.param(
        put(f"{TOWN} told 0", "{entity} takes place on the [wide|green meadows of {value}, behind the station."),
        "square brackets open",
        id="bracket-open",
    ),
    pytest.param(
        put(f"{TOWN} told 0", "{entity} takes place on the [wide|[green|old]] meadows of {value}, by the station."),
        "square brackets open, nested",
        id="bracket-nested",
    ),
    pytest.param(
        put(f"{TOWN} told 0", "{entity} takes place on the [wide|green] meadows { of {value}, behind the station."),
        "curly brackets",
        id="brace-open",
    ),
    pytest.param(
        put(f"{TOWN} told 0", "{entity} is flown over {value}. [Every|Each] year it is on the same old meadow."),
        "is not one sentence",
        id="two-sentences",
    ),
    pytest.param(
        put(f"{TOWN} told 1", "this year, {entity} takes place on the [wide|green] meadows of old {value}."),
        "does not start with a capital",
        id="told-small",
    ),
    pytest.param(
        put(f"{TOWN} told 0", "{entity} takes place on the [wide|green] meadows of {value}, behind the station"),
        "does not end with .",
        id="told-without-stop",
    ),
    pytest.param(
        put(f"{TOWN} told 0", "{entity} takes place on a [wide|old] meadow near {value}, behind the station."),
        "wrong article in `a old",
        id="wrong-article",
    ),
    pytest.param(
        put(f"{TOWN} told 0", "{entity} takes place on the [wide|the green] meadows of {value}, by the station."),
        "says `the the`",
        id="word-twice",
    ),
    pytest.param(
        put(f"{TOWN} told 0", "{entity} takes place on a [wide|green] meadow of {value}, in memory of the founder."),
        "has the word `memory` of the benchmark",
        id="word-of-the-benchmark",
    ),
    pytest.param(
        put(f"{TOWN} asked 1", "Where does {entity} take place?"), "stands 2 times in the file", id="sentence-twice"
    ),
]


@pytest.mark.full
@pytest.mark.parametrize(("change", "problem"), BROKEN_TOPICS)
def test_a_topic_that_breaks_one_rule_has_one_problem(change: Change, problem: str) -> None:
    """It says which rule, and no other rule is taken for broken."""
    row = topic_row()
    change(row)
    found = _problems_of_topic(row)
    assert len(found) == 1, found
    assert problem in found[0]


@pytest.mark.parametrize(("change", "problem"), BROKEN_KINDS)
def test_a_kind_that_breaks_one_rule_has_one_problem(change: Change, problem: str) -> None:
    """It says which rule, and no other rule is taken for broken."""
    row = kind_row(KITES)
    change(row)
    found = _problems_of_kind(row)
    assert len(found) == 1, found
    assert problem in found[0]


def test_a_topic_and_a_kind_that_keep_the_rules_have_no_problem() -> None:
    """What is changed above is right before."""
    assert _problems_of_topic(topic_row()) == []
    assert _problems_of_kind(kind_row(KITES)) == []


def test_another_choice_needs_six_values_where_one_has_eight() -> None:
    """A second choice may have fewer, yet not as few as five."""
    row = kind_row(KITES)
    row["properties"][3] = {
        **row["properties"][3],
        "kind": "choice",
        "values": ["tin", "zinc", "pewter", "slate", "oak"],
    }
    assert _problems_of_kind(row) == ["town.values: 5 values, not at least 6"]


def test_words_that_every_name_of_a_trait_has_may_stand_in_its_field() -> None:
    """A word that does not tell the values apart tells none."""
    row = topic_row()
    for value in row["traits"][0]["values"]:
        value["value"] = f"{value['value'].split()[0]} parlour"
    row["traits"][0]["field"] = "Parlour"
    assert not [one for one in _problems_of_topic(row) if one.startswith("room style.field")]


def test_all_wordings_count_when_content_is_compared() -> None:
    """Words inside a choice are words of the pattern; slots and words without a topic are not."""
    assert content("The [cats|dogs] of {name} own a bone.") == {"cat", "dog", "bone"}
    assert likeness("[cats|dogs] bark", "cats purr") == pytest.approx(1 / 4)  # cat of cat, dog, bark, purr


def test_numbers_and_particles_are_no_content() -> None:
    """Two sentences about two things are not alike for their `two`."""
    assert content("Twice I went back with two jars.") == content("Went with jars")


@pytest.mark.parametrize(
    "text", [pytest.param("on Sundays in the dark season", id="day"), pytest.param("when I go by the U8", id="letter")]
)
def test_what_only_looks_like_a_breach_of_a_situation_is_none(text: str) -> None:
    """Days have capitals, and so has I."""
    row = topic_row()
    put("traits 0 conditions 0 said", text)(row)
    assert _problems_of_topic(row) == []


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('"Come to {value}," [says|writes] {entity}, "and bring a kite of your own."', id="quote"),
        pytest.param("{entity} has a [big|tall] S and a U on its gate in the town of {value}.", id="letter"),
    ],
)
def test_what_only_looks_like_a_breach_of_a_statement_is_none(text: str) -> None:
    """Speech ends in quotes, letters and numbers have articles of their own."""
    row = kind_row(KITES)
    put(f"{TOWN} told 0", text)(row)
    assert _problems_of_kind(row) == []


@pytest.mark.full
def test_the_check_names_file_and_count(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that cannot be read is a problem like others, and the rest is still checked."""
    folder = tmp_path / "user"
    folder.mkdir()
    row = topic_row()
    row["traits"][0]["values"][0]["facts"].pop()
    (folder / "rooms.json").write_text(json.dumps(row), encoding="utf-8")
    (folder / "torn.json").write_text('{"topic": ', encoding="utf-8")
    found = check_catalogue(tmp_path)
    assert found[0] == "user/rooms.json: room style.strict minimalism: 2 facts, not 3"
    assert "torn.json: is not valid JSON" in found[1]
    assert main([str(folder / "rooms.json")]) == 1
    assert capsys.readouterr().out.endswith("1 files, 1 problems\n")
    assert main([str(catalogue("subtlememory") / "user" / ROOMS)]) == 0


@pytest.mark.full
def test_the_shipped_catalogue_keeps_its_rules() -> None:
    """All topics and kinds."""
    assert check_catalogue() == ()


def test_the_shipped_catalogue_is_read_by_name_and_each_file_is_called_as_what_it_holds() -> None:
    """Names are in order and occur once; files are named in snake case."""
    names = [one.topic for one in topics()]
    nouns = [one.kind for one in kinds()]
    assert names == sorted(set(names))
    assert nouns == sorted(set(nouns))
    for folder, held in (("user", names), ("world", nouns)):
        files = {file.stem for file in (catalogue("subtlememory") / folder).glob("*.json")}
        assert files == {re.sub(r"\W+", "_", name.casefold()) for name in held}
