"""Porter's stemmer for English, in the variant that the ROUGE and LoCoMo scorers use.

The variant is NLTK's default: Porter (1980) with Martin Porter's two later rules (`bli`, `logi`), a gentler `y`,
`ied` and `fulli`, short words in `ies` and `ied` kept longer, and a table of irregular words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

_VOWELS = "aeiou"
_IRREGULAR: Mapping[str, str] = {
    **dict.fromkeys(("sky", "skies"), "sky"),
    **{f"{start}ying": f"{start}ie" for start in "dlt"},
    **dict.fromkeys(("innings", "inning"), "inning"),
    **dict.fromkeys(("outings", "outing"), "outing"),
    **dict.fromkeys(("cannings", "canning"), "canning"),
    **{word: word for word in ("news", "howe", "proceed", "exceed", "succeed")},
}


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """The stem of a word; words of one or two letters stay as they are, lower-cased.

    Source:
        Porter (1980), Program 14(3); checked against nltk 3.10.4 in `tests/reference/test_metrics_values.py`.
    """
    word = word.lower()
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) <= 2:
        return word
    for step in (_plural, _past, _final_y, _double_suffix, _final_suffixes):
        word = step(word)
    return word


def _is_consonant(word: str, position: int) -> bool:
    if word[position] == "y":
        return position == 0 or not _is_consonant(word, position - 1)
    return word[position] not in _VOWELS


def _measure(part: str) -> int:
    """How many times a vowel is followed by a consonant."""
    kinds = [_is_consonant(part, position) for position in range(len(part))]
    return sum(1 for before, after in pairwise(kinds) if after and not before)


def _ends_short(word: str) -> bool:
    """Consonant, vowel, consonant other than w, x, y; or a two-letter word of vowel and consonant."""
    kinds = "".join("c" if _is_consonant(word, position) else "v" for position in range(len(word)))
    return (kinds.endswith("cvc") and word[-1] not in "wxy") or kinds == "vc"


def _plural(word: str) -> str:
    if word.endswith("ies") and len(word) == 4:
        return word[:-1]
    for suffix, instead in (("sses", "ss"), ("ies", "i"), ("ss", "ss"), ("s", "")):
        if word.endswith(suffix):
            return word[: -len(suffix)] + instead
    return word


def _past(word: str) -> str:
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for suffix in ("ed", "ing"):
        part = word[: -len(suffix)]
        if not word.endswith(suffix) or all(_is_consonant(part, position) for position in range(len(part))):
            continue
        if part.endswith(("at", "bl", "iz")):
            return part + "e"
        if len(part) > 1 and part[-1] == part[-2] and _is_consonant(part, len(part) - 1):
            return part if part[-1] in "lsz" else part[:-1]
        return part + "e" if _measure(part) == 1 and _ends_short(part) else part
    return word


def _final_y(word: str) -> str:
    if word.endswith("y") and len(word) > 2 and _is_consonant(word, len(word) - 2):
        return word[:-1] + "i"
    return word


Rule = tuple[str, str, Callable[[str], bool]]


def _replace_first(word: str, rules: Sequence[Rule]) -> str:
    """Apply the first rule whose suffix is there; if its condition fails, no other is tried."""
    for suffix, instead, allowed in rules:
        if word.endswith(suffix):
            part = word[: len(word) - len(suffix)]
            return part + instead if allowed(part) else word
    return word


def _positive(part: str) -> bool:
    return _measure(part) > 0


def _long(part: str) -> bool:
    return _measure(part) > 1


_DOUBLE: Sequence[Rule] = [
    *(
        (suffix, instead, _positive)
        for suffix, instead in (
            ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"),
            ("bli", "ble"), ("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous"),
            ("ization", "ize"), ("ation", "ate"), ("ator", "ate"), ("alism", "al"), ("iveness", "ive"),
            ("fulness", "ful"), ("ousness", "ous"), ("aliti", "al"), ("iviti", "ive"), ("biliti", "ble"),
            ("fulli", "ful"),
        )
    ),
    ("logi", "log", lambda part: _positive(part + "l")),
]  # fmt: skip
_LONG: Sequence[Rule] = [
    (suffix, instead, _positive)
    for suffix, instead in (
        ("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""), ("ness", ""),
    )
]  # fmt: skip
_LAST: Sequence[Rule] = [
    *((suffix, "", _long) for suffix in ("al", "ance", "ence", "er", "ic", "able", "ible", "ant")),
    *((suffix, "", _long) for suffix in ("ement", "ment", "ent")),
    ("ion", "", lambda part: _long(part) and part[-1:] in ("s", "t")),
    *((suffix, "", _long) for suffix in ("ou", "ism", "ate", "iti", "ous", "ive", "ize")),
]


def _double_suffix(word: str) -> str:
    if word.endswith("alli") and _positive(word[:-4]):
        return _double_suffix(word[:-4] + "al")
    return _replace_first(word, _DOUBLE)


def _final_suffixes(word: str) -> str:
    word = _replace_first(_replace_first(word, _LONG), _LAST)
    if word.endswith("e"):
        size = _measure(word[:-1])
        word = word[:-1] if size > 1 or (size == 1 and not _ends_short(word[:-1])) else word
    return word[:-1] if word.endswith("ll") and _long(word[:-1]) else word
