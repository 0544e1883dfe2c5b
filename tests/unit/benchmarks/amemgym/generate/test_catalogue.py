"""Files of the catalogue, read and checked."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from recollect.benchmarks.amemgym.generate.catalogue import LifeDomain, read_catalogue
from recollect.benchmarks.amemgym.generate.catalogue_rules import check_catalogue, main
from recollect.domain.errors import DataError
from recollect.worlds.catalogues import read

Row = dict[str, Any]


def _value(row: Row) -> Row:
    found: Row = row["variables"][1]["values"][1]
    return found


def _set(place: str, new: Any) -> Callable[[Row], None]:
    """Put *new* where `stall_hands.one_helper` has *place*."""

    def change(row: Row) -> None:
        name, _, number = place.partition(" ")
        if number:
            _value(row)[name][int(number)] = new
        else:
            _value(row)[name] = new

    return change


def _both_alike(row: Row) -> None:
    values = row["variables"][1]["values"]
    values[0]["told"][0] = "If I need soup, I ask the cheese man to watch my till."
    values[1]["told"][0] = "If I need soup, I ask the cheese man to watch my till again."


BROKEN = [
    pytest.param(
        _set("told 0", "My helper wraps while I take the money, and so the queue moves."),
        "helper of the value",
        id="value-named",
    ),
    pytest.param(
        _set("told 0", "My nephew at the stall wraps while I take the money there."),
        "stall of the variable",
        id="variable-named",
    ),
    pytest.param(
        _set("event", "A helper came back from sea and put on the second apron."),
        "helper of the value",
        id="event-names",
    ),
    pytest.param(_set("told 0", "My nephew wraps."), "3 words, not 9 to 20", id="told-too-short"),
    pytest.param(_set("advice 0", "Split the counter in two."), "5 words, not 14 to 28", id="advice-too-short"),
    pytest.param(
        _set("told 0", "The nephew wraps while somebody else takes the money every day."),
        "first person",
        id="third-person",
    ),
    pytest.param(
        _set("told 0", "My nephew wraps. I take the money and so the queue moves."),
        "not one sentence",
        id="two-sentences",
    ),
    pytest.param(
        _set("told 0", "I do the wrapping while the nephew takes all of the money."),
        "start 'i do the'",
        id="same-start",
    ),
    pytest.param(
        _set("told", ["My nephew wraps while I take the money, and so the queue moves."]),
        "1 told, not 4",
        id="too-few",
    ),
    pytest.param(
        _set("advice 0", "Let the nephew know that while I take the money is what you say when queues grow long."),
        "repeats",
        id="advice-copies",
    ),
    pytest.param(_set("value", "OneHelper"), "not snake_case", id="value-not-snake"),
    pytest.param(_both_alike, "of the content words are the same", id="values-alike"),
    pytest.param(
        lambda row: row["asks"].__setitem__(0, "How do I work with a small crew?"),
        "crew, small of a value",
        id="ask-names",
    ),
    pytest.param(
        lambda row: row["questions"].__setitem__(1, row["questions"][0]), "cover all three", id="questions-overlap"
    ),
    pytest.param(
        lambda row: row["questions"][0]["needs"].__setitem__(0, "weather"),
        "unknown variables ['weather']",
        id="unknown-need",
    ),
    pytest.param(lambda row: row["variables"].pop(), "2 variables, not 3", id="two-variables"),
    pytest.param(lambda row: row["variables"][1].__setitem__("name", "stall_rhythm"), "occurs twice", id="name-twice"),
    pytest.param(lambda row: row["chat"].__setitem__(0, row["asks"][0]), "occurs twice", id="sentence-twice"),
    pytest.param(lambda row: row.__setitem__("mood", 1), "mood", id="unknown-field"),
    pytest.param(lambda row: row.pop("asks"), "asks", id="field-missing"),
    pytest.param(lambda row: row["variables"][0].__setitem__("kind", "cardinal"), "kind", id="unknown-kind"),
]


def _written(row: Row, folder: Path) -> Path:
    (folder / "market_stall.json").write_text(json.dumps(row), encoding="utf-8")
    return folder


def test_a_domain_that_keeps_the_rules_has_no_problems(stall_rows: Row, tmp_path: Path) -> None:
    """The example of the rules passes them."""
    assert check_catalogue(_written(stall_rows, tmp_path)) == ()


@pytest.mark.parametrize(("change", "problem"), BROKEN)
def test_each_broken_rule_is_named_with_its_file(
    change: Callable[[Row], None], problem: str, stall_rows: Row, tmp_path: Path
) -> None:
    """A domain with one fault gives a problem that says which."""
    change(stall_rows)
    found = check_catalogue(_written(stall_rows, tmp_path))
    assert any(problem in one for one in found), found


def test_a_file_that_is_no_json_is_a_problem_and_no_crash(tmp_path: Path) -> None:
    """The other files are still checked."""
    (tmp_path / "torn.json").write_text('{"domain": ', encoding="utf-8")
    assert "torn.json: is not valid JSON" in check_catalogue(tmp_path)[0]
    with pytest.raises(DataError, match="is not valid JSON"):
        read(LifeDomain, tmp_path / "torn.json")


def test_a_file_is_called_as_its_domain(stall_rows: Row, tmp_path: Path) -> None:
    """Otherwise the order of the files would not be that of the domains."""
    stall_rows["domain"] = "market"
    assert any("should be market.json" in one for one in check_catalogue(_written(stall_rows, tmp_path)))


def test_the_check_says_how_much_it_found(stall_rows: Row, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its exit status is 1 where anything is wrong."""
    file = _written(stall_rows, tmp_path) / "market_stall.json"
    assert main([str(file)]) == 0
    stall_rows["chat"].pop()
    _written(stall_rows, tmp_path)
    assert main([str(file)]) == 1
    assert capsys.readouterr().out.endswith("domain: 3 chat, not 4\n1 files, 1 problems\n")


def test_the_bundled_catalogue_keeps_its_rules() -> None:
    """All domains together."""
    assert check_catalogue() == ()


def test_the_bundled_catalogue_is_read_in_the_order_of_names() -> None:
    """Enough domains for ten questions of different ones, and read only once."""
    names = [one.domain for one in read_catalogue()]
    assert names == sorted(names)
    assert len(names) >= 30
    assert read_catalogue() is read_catalogue()
