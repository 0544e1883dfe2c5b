"""What data are made of: counted by hand on a small file, and named as the paper names it."""

from __future__ import annotations

from dataclasses import replace

from recollect.benchmarks.amemgym import BENCHMARK
from recollect.benchmarks.amemgym.card import ANSWER, DIALOGUE, EXPECTED, FIGURES, QUERY
from recollect.benchmarks.amemgym.generate import generate
from recollect.benchmarks.amemgym.histories import dataset_of
from recollect.benchmarks.amemgym.statistics import statistics
from recollect.contracts.benchmark import Dataset, Dialogues, Figure
from recollect.domain.histories import Script
from recollect.text.tokens import count

from tests.unit.benchmarks.amemgym.lives import mira


def _figures(dataset: Dataset, talks: Dialogues | None = None) -> dict[str, Figure]:
    return {one.name: one for one in statistics(dataset, talks or {})}


def test_one_user_is_counted_by_hand() -> None:
    """Mira: three periods with a talk each; a question of four choices and two states, one of three and one."""
    item = mira()
    found = _figures(dataset_of([item], "test"))
    told = {name: one.value for name, one in found.items()}
    assert (told["users"], told["periods"], told["sessions"], told["questions"]) == (1, 3, 3, 2)
    assert (told["sessions of a user"], told["sessions of a period"], told["variables of a user"]) == (3, 1, 2)
    assert (told["choices of a question"], told["states of a question"], told["age"]) == (3.5, 1.5, 41)


def test_tokens_are_those_of_the_bundled_tokenizer_with_their_range() -> None:
    item = mira()
    queries = [count(talk.query) for period in item.periods for talk in period.sessions]
    found = _figures(dataset_of([item], "test"))
    assert (found[QUERY].low, found[QUERY].high) == (min(queries), max(queries))
    assert found[QUERY].value == round(sum(queries) / len(queries), 2)
    answers = [count(choice.answer) for qa in item.qas for choice in qa.answer_choices]
    assert (found[ANSWER].low, found[ANSWER].high) == (min(answers), max(answers))


def test_the_field_of_a_degree_is_no_level_of_its_own() -> None:
    """`bachelors (botany)` and `bachelors (law)` are one level."""
    one = mira()
    other = replace(one, id="u2", user_profile=replace(one.user_profile, education_level="bachelors (law)", age=43))
    found = _figures(dataset_of([one, other], "test"))
    assert found["education levels"].value == 1
    assert (found["age"].value, found["age"].low, found["age"].high) == (42, 41, 43)


def test_dialogues_are_counted_where_a_run_held_some() -> None:
    dataset = dataset_of([mira()], "test")
    history = dataset.histories[0].history
    opening = next(event for event in history.timeline if isinstance(event, Script)).opening
    none, stranger = _figures(dataset)[DIALOGUE], _figures(dataset, {"h-other": [opening]})[DIALOGUE]  # type: ignore[dict-item]
    assert (none.value, stranger.value) == (None, None)
    assert "takes a run" in none.why
    assert "no dialogues of these users" in stranger.why
    held = _figures(dataset, {history.history_id: [opening, opening]})[DIALOGUE]
    assert held.value == 2 * count(opening.text)


def test_the_papers_figures_are_of_figures_that_are_computed_and_agree_with_the_card() -> None:
    computed = set(_figures(generate("small", 0)))
    assert set(FIGURES) <= computed
    for name, value in EXPECTED.items():
        assert int(FIGURES[name]["base"].replace(",", "")) == value
    assert BENCHMARK.statistics is not None
    assert BENCHMARK.statistics.paper is FIGURES


def test_generated_base_data_have_the_structure_of_the_published() -> None:
    """20 users, 220 periods and 200 questions of 4 to 7 choices as in the paper; sessions within a tenth of its 943."""
    found = _figures(generate("base", 0))
    assert [found[name].value for name in ("users", "periods", "questions")] == [20, 220, 200]
    choices = found["choices of a question"]
    assert choices.low is not None
    assert choices.high is not None
    assert 4 <= choices.low <= choices.high <= 7
    sessions = found["sessions"].value
    assert sessions is not None
    assert abs(sessions - 943) < 94
