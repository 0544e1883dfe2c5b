"""The English stemmer Porter2, written from its published description; search matches words by their stems."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

_VOWELS = "aeiouy"
_doubled = re.compile(r"(?<!\A[aeo])(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)\Z")
_region = re.compile(r"[^aeiouy]*[aeiouy]+[^aeiouy]")
_short_end = re.compile(r"(?:[^aeiouy][aeiouy][^aeiouywxY]|\A[aeiouy][^aeiouy]|\Apast)\Z")

_EXCEPTIONS: Mapping[str, str] = {
    "skis": "ski", "skies": "sky", "idly": "idl", "gently": "gentl",
    "ugly": "ugli", "early": "earli", "only": "onli", "singly": "singl",
    **{word: word for word in ("sky", "news", "howe", "atlas", "cosmos", "bias", "andes")},
}  # fmt: skip
_DONE_EARLY = frozenset(
    ("inning", "outing", "canning", "herring", "earring", "evening", "proceed", "exceed", "succeed")
)
_STARTS = ("gener", "commun", "arsen", "past", "univers", "later", "emerg", "organ", "inter")
"""Words that start so have their first region right behind."""

_STEP_2: Mapping[str, str] = {
    "ization": "ize", "ational": "ate", "fulness": "ful", "ousness": "ous", "iveness": "ive", "tional": "tion",
    "biliti": "ble", "lessli": "less", "entli": "ent", "ation": "ate", "ogist": "og", "alism": "al", "aliti": "al",
    "ousli": "ous", "iviti": "ive", "fulli": "ful", "enci": "ence", "anci": "ance", "abli": "able", "izer": "ize",
    "ator": "ate", "alli": "al", "bli": "ble", "ogi": "og", "li": "",
}  # fmt: skip
_STEP_3: Mapping[str, str] = {
    "ational": "ate", "tional": "tion", "alize": "al", "icate": "ic", "iciti": "ic", "ative": "", "ical": "ic",
    "ness": "", "ful": "",
}  # fmt: skip
_STEP_4 = (
    "ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ism", "ate", "iti", "ous", "ive", "ize", "ion",
    "al", "er", "ic",
)  # fmt: skip


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """The stem of an English word; it is lower-cased first, and words of one or two letters stay.

    Source:
        M. F. Porter, The English (Porter2) stemming algorithm, snowballstem.org, as of October 2025; checked against
        its sample vocabulary in `tests/unit/text/test_stemmer.py`.
    """
    word = word.lower().replace("’", "'")
    if len(word) <= 2:
        return word
    word = word.removeprefix("'")
    if word in _EXCEPTIONS:
        return _EXCEPTIONS[word]
    word = _plural(_without_possessive(_mark_consonants(word)))
    if word in _DONE_EARLY:
        return word
    first, second = _regions(word)
    word = _final_y(_past(word, first))
    word = _longer_suffix(word, first, second)
    return _final_e_or_l(_last_suffix(word, second), first, second).replace("Y", "y")


def _mark_consonants(word: str) -> str:
    """A y at the start or after a vowel is a consonant, written Y."""
    return re.sub(r"(?<=[aeiouy])y|\Ay", "Y", word)


def _without_possessive(word: str) -> str:
    for suffix in ("'s'", "'s", "'"):
        if word.endswith(suffix):
            return word.removesuffix(suffix)
    return word


def _regions(word: str) -> tuple[int, int]:
    """Where the two regions start that suffixes must lie in: after the first, and the next, consonant after a vowel."""
    start = next((len(start) for start in _STARTS if word.startswith(start)), None)
    if start is None:
        found = _region.match(word)
        start = found.end() if found else len(word)
    found = _region.match(word, start)
    return start, found.end() if found else len(word)


def _is_short(word: str, first: int) -> bool:
    """Ends in a short syllable, and nothing lies in the first region."""
    return first >= len(word) and _short_end.search(word) is not None


def _has_vowel(part: str) -> bool:
    return any(letter in _VOWELS for letter in part)


def _plural(word: str) -> str:
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith(("ied", "ies")):
        return word[:-2] if len(word) > 4 else word[:-1]
    if word.endswith(("us", "ss")) or not word.endswith("s"):
        return word
    return word[:-1] if _has_vowel(word[:-2]) else word


def _past(word: str, first: int) -> str:
    if word.endswith(("eed", "eedly")):
        base = word.removesuffix("ly")
        return base[:-1] if len(base) - 3 >= first else word
    for suffix in ("ingly", "edly", "ing", "ed"):
        if word.endswith(suffix):
            base = word.removesuffix(suffix)
            if suffix == "ing" and len(base) == 2 and base[1] == "y" and base[0] not in _VOWELS:
                return base[0] + "ie"
            return _mended(base, first) if _has_vowel(base) else word
    return word


def _mended(base: str, first: int) -> str:
    """Give back the e, or take the doubled letter, that the suffix changed."""
    if base.endswith(("at", "bl", "iz")):
        return base + "e"
    if _doubled.search(base):
        return base[:-1]
    return base + "e" if _is_short(base, first) else base


def _final_y(word: str) -> str:
    return word[:-1] + "i" if len(word) > 2 and word[-1] in "yY" and word[-2] not in _VOWELS else word


def _longer_suffix(word: str, first: int, second: int) -> str:
    """Steps 2 and 3: two suffixes become one, and some go."""
    suffix = next((end for end in _STEP_2 if word.endswith(end)), "")
    if suffix and len(word) - len(suffix) >= first and _stands(word, suffix):
        word = word.removesuffix(suffix) + _STEP_2[suffix]
    suffix = next((end for end in _STEP_3 if word.endswith(end)), "")
    place = len(word) - len(suffix)
    if suffix and place >= (second if suffix == "ative" else first):
        word = word[:place] + _STEP_3[suffix]
    return word


def _stands(word: str, suffix: str) -> bool:
    """What must stand before the suffixes `ogi` and `li`."""
    before = word.removesuffix(suffix)[-1:]
    return {"ogi": before == "l", "li": before != "" and before in "cdeghkmnrt"}.get(suffix, True)


def _last_suffix(word: str, second: int) -> str:
    suffix = next((end for end in _STEP_4 if word.endswith(end)), "")
    place = len(word) - len(suffix)
    if not suffix or place < second or (suffix == "ion" and word[place - 1 : place] not in ("s", "t")):
        return word
    return word[:place]


def _final_e_or_l(word: str, first: int, second: int) -> str:
    place = len(word) - 1
    if word.endswith("e") and (place >= second or (place >= first and not _short_end.search(word[:-1]))):
        return word[:-1]
    return word[:-1] if word.endswith("ll") and place >= second else word
