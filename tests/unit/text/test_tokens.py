"""The bundled tokenizer: how near it is to o200k_base, and what it promises exactly."""

from __future__ import annotations

import json
import lzma
import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from recollect.domain.errors import UnknownNameError
from recollect.text import tokens
from recollect.text import tokens as o200k
from recollect.text.tokens import BUNDLED, LONGEST, NAME, count, counter, cut_end, cut_front, spans

TEXTS = st.text(
    alphabet=st.one_of(st.sampled_from("abAB é'’_12.,!\n\r \t-—中가Жя😀\u0301\u3000½"), st.characters()), max_size=60
)

# Invented texts with the number of tokens that tiktoken 0.14.0 gives for o200k_base.
MEASURED = [
    pytest.param(
        "Maria moved to Lisbon in March 2021 because her company opened a new office there. She didn't speak "
        "Portuguese at first, so she took evening classes twice a week and practised with her neighbours.",
        40,
        id="prose",
    ),
    pytest.param(
        "[2024-05-17T09:30] Tom: I'll be 15 minutes late, sorry! The train from Basel was cancelled again; can you "
        "start without me?",
        37,
        id="chat",
    ),
    pytest.param(
        "12. The headquarters of Northwind Logistics is located in Gothenburg.\n"
        '13. The author of "The Salt Road" is Ines Calvão.\n'
        "14. The spouse of Peter Halloran is Judith Marsh.\n",
        43,
        id="facts",
    ),
    pytest.param(
        "Order #48213: 2 x espresso machine (EUR 349.90 each), 1 x grinder; total 1,049.70. Ship to 14 Rue des Lilas, "
        "75019 Paris.",
        45,
        id="figures",
    ),
    pytest.param(
        'def total(prices: list[float]) -> float:\n    """Sum of all prices."""\n    return sum(prices)\n',
        25,
        id="code",
    ),
]


@pytest.mark.parametrize(("text", "expected"), MEASURED)
def test_counts_are_within_a_tenth_of_o200k_base(text: str, expected: int) -> None:
    assert count(text) == pytest.approx(expected, rel=0.1)


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        pytest.param("Hello world", ["Hello", " world"], id="space-belongs-to-the-word"),
        pytest.param("on 12345", ["on", " ", "123", "45"], id="digits-by-three"),
        pytest.param("uncharacteristically", ["uncharac", "teristic", "ally"], id="long-word"),
        pytest.param("it's the LGBTQ", ["it's", " the", " LGB", "TQ"], id="clitics-and-capitals"),
        pytest.param('"Stop!"\n\nNo.', ['"', "Stop", '!"\n\n', "No", "."], id="signs-with-line-ends"),
        pytest.param("a  b", ["a", "  ", "b"], id="white-space"),
        pytest.param("你好 мир", ["你", "好", " мир"], id="other-scripts"),
        pytest.param("", [], id="empty"),
    ],
)
def test_pieces_are_those_of_the_rules(text: str, pieces: list[str]) -> None:
    assert [text[start:end] for start, end in spans(text)] == pieces


@given(TEXTS)
def test_spans_cover_the_text_without_gap_or_overlap(text: str) -> None:
    found = spans(text)
    assert len(found) == count(text)
    assert "".join(text[start:end] for start, end in found) == text
    assert all(0 < end - start <= LONGEST for start, end in found)


@given(TEXTS, st.integers(-1, 40))
def test_a_cut_has_just_the_tokens_asked_for(text: str, limit: int) -> None:
    wanted = max(0, min(limit, count(text)))
    front, end = cut_front(text, limit), cut_end(text, limit)
    assert (count(front), count(end)) == (wanted, wanted)
    assert text.endswith(front)
    assert text.startswith(end)


@given(TEXTS, st.integers(1, 6))
def test_a_cut_far_from_the_start_is_that_of_the_whole_text(text: str, limit: int) -> None:
    """Reading only the tail must not move a border."""
    longer = 40 * (text + " and ") + text
    expected = [longer[start:] for start, _ in spans(longer)[-limit:]]
    assert cut_front(longer, limit) == (expected[0] if expected else "")


@given(TEXTS, TEXTS)
@example("ab", "cdefghij")
@example("x\n", "\ny")
@example("rock'", "s")
def test_what_fits_piece_by_piece_fits_joined(first: str, second: str) -> None:
    assert count(first + second) <= count(first) + count(second)


def test_a_rule_that_looks_ahead_would_break_the_sum() -> None:
    """The check above can fail: a word that is one token only where it ends costs more when it is joined."""
    looks_ahead = re.compile(r"\w{1,8}(?!\w)|.", re.DOTALL)
    first, second = "harbour", "master"
    assert len(looks_ahead.findall(first)) + len(looks_ahead.findall(second)) == 2
    assert len(looks_ahead.findall(first + second)) == 6


def test_the_bundled_tokenizer_is_named_with_its_version() -> None:
    assert counter(NAME) is BUNDLED
    assert BUNDLED.name == "recollect-bpe-free-1"


def test_auto_is_the_bundled_one_where_the_table_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(o200k, "o200k_available", lambda: False)
    assert counter().name == NAME


def test_auto_is_o200k_base_where_it_is_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(o200k, "o200k_available", lambda: True)
    monkeypatch.setattr(o200k, "o200k_tokenizer", lambda: tokens.Tokenizer(
        name=o200k.O200K_NAME, count=len, spans=spans, cut_front=cut_front, cut_end=cut_end,
    ))  # fmt: skip
    assert counter().name == "o200k_base"


def test_an_unknown_name_is_an_error_with_the_known_ones() -> None:
    with pytest.raises(UnknownNameError, match="o200k_base"):
        counter("o200k")


@pytest.mark.real
@pytest.mark.parametrize(
    ("file", "expected"),
    [
        pytest.param("novels/sherlock_holmes_1661.txt.xz", 137_362, id="novel"),
        pytest.param("mquake/cf_3k.jsonl.xz", 122_653, id="questions"),
    ],
)
def test_counts_of_whole_books_are_within_a_twentieth(data: Path, file: str, expected: int) -> None:
    """Expected: tiktoken 0.14.0, o200k_base; of MQuAKE the questions, one a line."""
    text = lzma.decompress((data / file).read_bytes()).decode()
    if file.endswith("jsonl.xz"):
        text = "\n".join(question for line in text.splitlines() for question in json.loads(line)["questions"])
    assert count(text) == pytest.approx(expected, rel=0.05)
