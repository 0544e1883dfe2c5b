"""What the paper says that its data are made of."""

from __future__ import annotations

from collections.abc import Mapping

QUERY, ANSWER, DIALOGUE = "tokens of a query", "tokens of an answer", "dialogue tokens of a user"
PAPER: Mapping[str, Mapping[str, str]] = {
    "users": {"base": "20", "extra": "20"},
    "periods": {"base": "220", "extra": "420"},
    "sessions": {"base": "943", "extra": "1,632"},
    "sessions of a user": {"base": "47.15", "extra": "81.60"},
    "sessions of a period": {"base": "4.29", "extra": "3.89"},
    "questions": {"base": "200", "extra": "200"},
    "choices of a question": {"base": "4 to 7", "extra": "4 to 7"},
    "states of a question": {"base": "2", "extra": "3"},
    QUERY: {"both": "about 21 (13 to 32)"},
    ANSWER: {"both": "about 60 (39 to 98)"},
    DIALOGUE: {"base": "60,000 to 140,000, by model"},
    "age": {"both": "18 to 85"},
    "education levels": {"both": "9"},
    "occupations": {"both": "16"},
}
"""Figure -> configuration -> what appendix C.1 says; its tokens are those of the authors' tokenizer."""
