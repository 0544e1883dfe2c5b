"""EventQA from novels: people told apart by rule, their deeds in order, and questions about what came next."""

from __future__ import annotations

import lzma
import re
from pathlib import Path
from random import Random

import pytest

from recollect.benchmarks.memoryagentbench.build import build
from recollect.benchmarks.memoryagentbench.build.event_people import Names, people_of
from recollect.benchmarks.memoryagentbench.build.events import SHAPES, TOKENS, cut, deeds_of, swapped
from recollect.benchmarks.memoryagentbench.families.events import context_of
from recollect.benchmarks.memoryagentbench.load import load
from recollect.benchmarks.memoryagentbench.write import write
from recollect.contracts.benchmark import Dataset
from recollect.domain.errors import DataError
from recollect.domain.histories import Keyed
from recollect.text.tokens import count

PEOPLE = ("Mr. Tarrow", "Colm Reed", "Dr. Vane", "Hob", "Mrs. Tarrow", "Una Bell", "Miss Sedge", "Wenna")
VERBS = ("carried", "brought", "took", "dragged", "pushed", "sent")
THINGS = ("lantern", "ladder", "saddle", "kettle", "barrel", "ledger", "anchor", "mirror")
PLACES = ("mill", "harbour", "chapel", "quarry", "orchard", "tavern", "smithy", "bridge")


def _novel(seed: int, sentences: int) -> str:
    """Four men and four women who move things about; wrapped lines, and talk that is no event."""
    rng = Random(seed)
    told = []
    for number in range(sentences):
        name = PEOPLE[rng.randrange(len(PEOPLE))]
        he = "She" if name in PEOPLE[4:] else "He"
        day = "".join(rng.choice(["ba", "ko", "ri", "mu", "te"]) for _ in range(4))
        told.append(
            f"{name} {rng.choice(VERBS)} the {rng.choice(THINGS)} to the {rng.choice(PLACES)}\n"
            f"and stayed there till the evening of {day}. {he} was tired.\n"
        )
        if number % 5 == 0:
            told.append(f'"We are late," said {name}, and nobody answered him or her.\n')
    return "\n".join(["THE TALE", "", *told])


@pytest.fixture(scope="module")
def novels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("source")
    (folder / "novels").mkdir()
    (folder / "novels" / "README.md").write_text("no novel")
    (folder / "novels" / "long.txt.xz").write_bytes(lzma.compress(_novel(1, 200).encode()))
    (folder / "novels" / "short.txt").write_text(_novel(2, 60))
    return folder


@pytest.fixture(scope="module")
def built(novels: Path) -> Dataset:
    return build(novels, ["eventqa_full"], 1)


def test_titles_first_names_and_surnames_make_people() -> None:
    book = (
        "Mr. Micawber rose. Micawber sat, and he slept. Mrs. Micawber came, and she left. Mr. Micawber said so. "
        "Wilkins Micawber smiled. Jean Valjean rose. Valjean said nothing. When Jean Valjean came, he slept. "
        "They went to London. London lay in the fog. "
    ) * 10
    people = people_of(book, Names(book + " when they went."))
    assert [(person.name, person.sex, person.mentions) for person in people] == [
        ("Mr. Micawber", "m", 40),
        ("Jean Valjean", "m", 30),
        ("Mrs. Micawber", "f", 10),
    ]
    assert people[0].forms == ("Wilkins Micawber", "Mr. Micawber", "Micawber")
    assert people[1].forms == ("Jean Valjean", "Valjean")


def test_a_word_that_opens_a_sentence_is_no_part_of_a_name() -> None:
    text = "Then Javert came and then Javert left."
    assert [one.form for one in Names(f"{text} then then").of(text)] == ["Javert", "Javert"]


def test_a_name_without_title_goes_where_its_pronouns_point() -> None:
    """As with Peggotty, who is a woman, and Mr. Peggotty, her brother."""
    book = "Peggotty sat down, and she wept. Mr. Peggotty came in, and he laughed. " * 10
    people = people_of(book, Names(book))
    assert [(person.name, person.sex, person.mentions) for person in people] == [
        ("Mr. Peggotty", "m", 10),
        ("Peggotty", "f", 10),
    ]


def _deeds(passage: str) -> list[tuple[str, str]]:
    book = "Una Bell said so, and she left. Colm Reed said so, and he left. then " * 10
    names = Names(book)
    found = deeds_of([passage], names, people_of(book, names), least_words=8)
    return [(deed.person.name, deed.text) for deed in found]


@pytest.mark.parametrize(
    ("passage", "who"),
    [
        pytest.param("Una Bell carried the lantern over to the\nold mill.", "Una Bell", id="at-the-front"),
        pytest.param("When the bell rang, Colm Reed slowly took up his hat.", "Colm Reed", id="behind-a-clause"),
        pytest.param("The letter was for Una Bell and nobody ever read it.", None, id="no-subject"),
        pytest.param("They looked at Una Bell carried by four men in black.", None, id="behind-a-preposition"),
        pytest.param("Una Bell is carrying the lantern over to the old mill.", None, id="not-in-the-past"),
        pytest.param("Una Bell indeed, the best of us all and the kindest.", None, id="no-verb"),
        pytest.param("Una Bell left.", None, id="too-short"),
        pytest.param(f"Una Bell left {'and came back ' * 12}.", None, id="too-long"),
        pytest.param('Una Bell said "no" and left the old mill at once.', None, id="with-talk-in-it"),
        pytest.param('"Well. Una Bell carried the lantern over to the old mill. Yes."', None, id="within-talk"),
        pytest.param("Una Bell carried the lantern to the mill in 1823 again.", None, id="with-figures"),
        pytest.param("Who was it when Una Bell carried the lantern away?", None, id="a-question"),
    ],
)
def test_an_event_is_a_sentence_in_which_somebody_acts(passage: str, who: str | None) -> None:
    assert [name for name, _ in _deeds(passage)] == ([who] if who else [])


def test_he_is_the_one_person_of_the_sentence_before() -> None:
    said = "Colm Reed carried the lantern over to the mill. He left it there by the door for me."
    assert [text for _, text in _deeds(said)][1] == "Colm Reed left it there by the door for me."
    assert len(_deeds(said.replace("He left", "She left"))) == 1
    assert len(_deeds(said.replace("to the mill", "with Una Bell"))) == 1


def test_a_sentence_that_stands_twice_is_no_event() -> None:
    once = "Una Bell carried the lantern over to the old mill. "
    assert len(_deeds(once)) == 1
    assert _deeds(once * 2) == []


def test_a_swap_puts_another_person_in_every_place_of_the_first() -> None:
    book = "Una Bell said so, and she left. Bell sat. Wenna Hale said so, and she left. then when " * 10
    names = Names(book)
    people = people_of(book, names)
    text = "When Bell rose, Una Bell took up the lantern and Wenna Hale wept."
    (deed,) = deeds_of([text], names, people, least_words=8)
    other = next(person for person in people if person is not deed.person)
    assert swapped(deed, other) == "When Wenna Hale rose, Wenna Hale took up the lantern and Wenna Hale wept."
    assert deed.others == {"Wenna Hale"}


def test_a_cut_keeps_whole_passages_up_to_the_size() -> None:
    text = _novel(1, 40)
    whole, part = cut(Path("a.txt"), text, None), cut(Path("a.txt"), text, 300)
    assert context_of(whole.passages) == text
    assert text.startswith(context_of(part.passages))
    assert 250 < part.tokens <= 300
    assert part.tokens == sum(map(count, part.passages))


def test_every_book_is_a_row_and_the_origin_says_how_far_it_reaches(built: Dataset) -> None:
    assert [len(one.history.questions) for one in built.histories] == [100, _reached(built)]
    assert "2 of 5 novels (eventqa_full from long: 100 of 100 questions" in built.origin
    assert f"short: {_reached(built)} of 100 questions" in built.origin


def _reached(built: Dataset) -> int:
    return len(built.histories[1].history.questions)


def test_the_same_seed_gives_the_same_and_another_seed_others(built: Dataset, novels: Path) -> None:
    assert build(novels, ["eventqa_full"], 1) == built
    assert build(novels, ["eventqa_full"], 2).histories[1] != built.histories[1]


def test_a_built_data_set_survives_the_disk(built: Dataset, tmp_path: Path) -> None:
    write(built, tmp_path / "a.jsonl")
    assert load(tmp_path / "a.jsonl") == built


def test_questions_follow_the_book_and_wrong_options_do_not(built: Dataset) -> None:
    for one in built.histories:
        _check_questions(one)


def _check_questions(one: Keyed) -> None:
    """Gold is told behind the last event shown; of the others, some are told elsewhere and some nowhere."""
    book = " ".join("".join(message.text for message in one.history.messages()).split())
    order = {message.message_id: place for place, message in enumerate(one.history.messages())}
    for question in one.history.questions:
        key = one.keys[question.question_id]
        assert order[key.evidence[0]] <= order[key.evidence[-1]]
        assert count(key.gold[1]) <= TOKENS
        assert (6 - int(key.labels["altered"])) in {events for events, _ in SHAPES}
        last = question.variables["previous_events"].split("\n")[-1].partition(". ")[2]
        places = {text: book.find(re.sub(r"^\S+ ", "", text)) for text in (last, key.gold[1])}
        assert -1 not in places.values()
        assert places[last] < places[key.gold[1]]


@pytest.mark.parametrize(
    ("name", "data", "problem"),
    [
        pytest.param("a.txt", b"\xff\xfe", "not UTF-8", id="not-utf-8"),
        pytest.param("a.txt.xz", b"no xz", "cannot be read", id="no-xz"),
        pytest.param("a.txt", b"Nothing happens here.", "there are 0 events", id="no-events"),
        pytest.param("a.md", b"# a", "has no file", id="no-novel"),
    ],
)
def test_novels_that_cannot_be_asked_about_are_a_data_error(
    name: str, data: bytes, problem: str, tmp_path: Path
) -> None:
    (tmp_path / "novels").mkdir()
    (tmp_path / "novels" / name).write_bytes(data)
    with pytest.raises(DataError, match=problem):
        build(tmp_path, ["eventqa_full"], 1)


@pytest.mark.real
@pytest.mark.slow
@pytest.mark.parametrize(
    ("task", "reached"),
    [("eventqa_65536", [40, 30, 40]), ("eventqa_131072", [39, 100, 76]), ("eventqa_full", [100, 100, 77])],
)
def test_real_novels_reach_what_the_docs_say(task: str, reached: list[int], data: Path, tmp_path: Path) -> None:
    """Measured on David Copperfield, Les Misérables and The Adventures of Sherlock Holmes with seed 1."""
    made = build(data, [task], 1)
    assert [len(one.history.questions) for one in made.histories] == reached
    for one in made.histories:
        for question in one.history.questions:
            assert len({option.text for option in question.options}) == 6
    write(made, tmp_path / "a.jsonl")
    assert load(tmp_path / "a.jsonl") == made
