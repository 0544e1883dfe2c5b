"""All words in one place, and none of a benchmark's."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from recollect.offline import reading
from recollect.offline.reading import lexicon

FOLDER = Path(reading.__file__).parent


@pytest.mark.parametrize("path", sorted(FOLDER.rglob("*.py")), ids=lambda path: path.stem)
def test_word_lists_stand_in_the_lexicon_alone(path: Path) -> None:
    """No other module holds a string of four or more plain words that is not a sentence of its documentation."""
    if path.stem == "lexicon":
        return
    code = re.sub(r'"""(?:.|\n)*?"""', "", path.read_text(encoding="utf-8"))
    lists = re.findall(r'"[a-z]+(?: [a-z]+){5,}"', code)
    assert not lists


def test_a_word_list_elsewhere_would_be_seen() -> None:
    """A twin that breaks the rule."""
    assert re.findall(r'"[a-z]+(?: [a-z]+){5,}"', 'X = "red green blue pink grey white"')


def test_the_relations_of_the_fact_benchmark_are_not_known() -> None:
    """Nouns and verbs of its templates: what the reader knows of them it counts in the context."""
    source = (FOLDER / "lexicon.py").read_text(encoding="utf-8")
    known = set(re.findall(r"[a-z]+", source.casefold()))
    templates = (
        "capital citizen country continent religion founded founder spouse married employer headquarters broadcaster",
        "chairperson genre birthplace sport language author director governor president",
    )
    assert not known & set(" ".join(templates).split())


def test_function_words_hold_no_content_word() -> None:
    assert not lexicon.FUNCTION & (lexicon.MONEY | lexicon.ABOUT_AGE | lexicon.NOW)
