"""A few figures of other tools, committed, so that the metrics are checked without any data.

Stems from nltk 3.10.4 (PorterStemmer, default mode), ROUGE from rouge_score 0.1.2 with stemming, each run once in
Python 3.11 on words and texts of our own. Beyond these, 41,554 words and 6,000 ROUGE values were compared
once with the same tools without a difference.
"""

from __future__ import annotations

import pytest

from recollect.metrics.porter import stem
from recollect.metrics.rouge import rouge_l, rouge_lsum

STEMS = {
    "flies": "fli", "dies": "die", "sky": "sky", "skies": "sky", "dying": "die", "innings": "inning",
    "running": "run", "hopping": "hop", "falling": "fall", "hoping": "hope", "happy": "happi", "enjoy": "enjoy",
    "by": "by", "relational": "relat", "conditional": "condit", "rationally": "ration", "hopefully": "hope",
    "archaeology": "archaeolog", "adjustment": "adjust", "adoption": "adopt", "controlling": "control",
    "rate": "rate", "cease": "ceas", "roll": "roll", "tied": "tie", "tried": "tri", "agreed": "agre",
    "feed": "feed", "bled": "bled", "motoring": "motor", "fizzed": "fizz", "national": "nation",
    "generalizations": "gener", "oscillators": "oscil", "electricity": "electr",
}  # fmt: skip


@pytest.mark.parametrize(("word", "wanted"), STEMS.items())
def test_stems_as_nltk(word: str, wanted: str) -> None:
    assert stem(word) == wanted


@pytest.mark.parametrize(
    ("said", "wanted", "line", "lines"),
    [
        ("the cat sat on the mat", "a cat is sitting on mats", (0.5, 0.5, 0.5), (0.5, 0.5, 0.5)),
        ("line one\nline two\nline three", "line two\nline one", (0.6, 0.5, 0.75), (0.8, 0.6666666666666666, 1.0)),
        ("running runner runs", "run", (0.5, 0.3333333333333333, 1.0), (0.5, 0.3333333333333333, 1.0)),
        (
            "Orvalia fell.\nThe queen of Denn left the city.",
            "The queen left Denn.\nOrvalia had fallen by then.",
            (0.3333333333333333, 0.3333333333333333, 0.3333333333333333),
            (0.4444444444444444, 0.4444444444444444, 0.4444444444444444),
        ),
    ],
)
def test_rouge_as_rouge_score(said: str, wanted: str, line: tuple[float, ...], lines: tuple[float, ...]) -> None:
    """F, precision and recall, over the text and line by line."""
    assert rouge_l(said, wanted) == pytest.approx(line, abs=1e-9)
    assert rouge_lsum(said, wanted) == pytest.approx(lines, abs=1e-9)
