"""Text normalised for matching, and the tokens that a search compares."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise

from recollect.text.numbers import find_numbers
from recollect.text.stemmer import stem
from recollect.text.words import ARTICLES, FUNCTION_WORDS, STOP_WORDS

__all__ = ["FUNCTION_WORDS", "STOP_WORDS", "fold", "normalise", "search_tokens", "stem", "words"]

_MARKS = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "“": '"', "”": '"', "⁄": "/", "−": "-"})
_CURRENCIES = {"$": "dollars", "€": "euros", "£": "pounds", "¥": "yen"}
_accents = re.compile("[\u0300-\u036f]+")
_money = re.compile(r"([$€£¥])\s?(-?\d+(?:\.\d+)?)")
_percent = re.compile(r"(?<=\d)\s*(?:%|per\s+cent\b)")
_not = re.compile(r"\b(?:(ca)n't|(wo)n't|(sha)n't|(\w+)n't|(can)not)\b")
_possessive = re.compile(r"(?<=\w)'s\b|(?<=s)'(?=\s|$)")
_apostrophe = re.compile(r"(?<=\w)'(?=\w)")
_punctuation = re.compile(r"(?<=\d)\.(?=\d)|(?<![^\s(])-(?=\d)|([^\w\s]|_)")
_UNSPACED = r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+"
_unspaced = re.compile(_UNSPACED)
_search_token = re.compile(rf"{_UNSPACED}|\d++(?:[.,]\d++)*+(?![^\W\d_])|[^\W_]+(?:'[^\W_]+)*")


def fold(text: str) -> str:
    """Compatibility forms resolved, Latin accents and case removed, quotes made straight: `Ｃａｆé` is `cafe`."""
    if not text.isascii():
        parts = _accents.sub("", unicodedata.normalize("NFKD", text.translate(_MARKS)))
        text = unicodedata.normalize("NFC", parts.translate(_MARKS))
    return text.casefold()


def normalise(text: str) -> str:
    """The form in which short answers are compared.

    Folded; number words and ordinals as digits, without thousands separators; `%` and `$` as words; `n't` as *not*;
    without possessives, punctuation and articles; single spaces. Where nothing but articles is left they stay, so an
    answer `A` is not the empty one.
    """
    text = _percent.sub(" percent", _with_digits(fold(text)))
    text = _money.sub(lambda match: f"{match[2]} {_CURRENCIES[match[1]]}", text)
    text = _apostrophe.sub("", _possessive.sub("", _not.sub(_spelled_out, text)))
    bare = _punctuation.sub(lambda match: " " if match[1] else match[0], text).split()
    return " ".join([word for word in bare if word not in ARTICLES] or bare)


def words(text: str) -> list[str]:
    """The words of the normalised text."""
    return normalise(text).split()


def search_tokens(text: str, *, stop: bool = True, stemmed: bool = True) -> list[str]:
    """The tokens that a search compares; of Chinese and Japanese, pairs of characters.

    Args:
        text: Any text.
        stop: Leave out stop words.
        stemmed: Replace words by their stems.
    """
    tokens: list[str] = []
    for word in _search_token.findall(fold(text)):
        if word.isascii():
            tokens.append(word.replace(",", ""))
        elif len(word) > 1 and _unspaced.fullmatch(word):
            tokens += [first + second for first, second in pairwise(word)]
        else:
            tokens.append(word)
    kept = [word for word in tokens if word not in STOP_WORDS] if stop else tokens
    return [stem(word) for word in kept] if stemmed else kept


def _with_digits(text: str) -> str:
    """Every number as plain digits; codes with leading zeros stay as they are."""
    pieces, end = [], 0
    for number in find_numbers(text):
        written = text[number.start : number.end]
        code = len(written) > 2 and written.startswith("0") and written.isdigit()
        pieces += [text[end : number.start], written if code else str(number.value)]
        end = number.end
    return "".join([*pieces, text[end:]])


def _spelled_out(match: re.Match[str]) -> str:
    word = match[0].lower()
    irregular = {"can't": "can not", "won't": "will not", "shan't": "shall not", "cannot": "can not"}
    return irregular.get(word, f"{word.removesuffix(chr(39) + 't')[:-1]} not")
