"""The English stemmer Porter2, from its published description; search compares stems."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

_VOWELS = "aeiouy"
_doubled = re.compile(r"(?<!\A[aeo])(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)\Z")
_possessive = re.compile(r"(?:'s'|'s|')\Z")
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
"""The first region of words that start so begins right after."""

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
    # A y at the start or after a vowel is a consonant, written Y.
    word = _plural(_possessive.sub("", re.sub(r"(?<=[aeiouy])y|\Ay", "Y", word)))
    if word in _DONE_EARLY:
        return word
    # Suffixes must lie in two regions: after the first, and the next, consonant after a vowel.
    first = next((len(start) for start in _STARTS if word.startswith(start)), None) or _region_after(word, 0)
    second = _region_after(word, first)
    word = _past(word, first)
    if len(word) > 2 and word[-1] in "yY" and word[-2] not in _VOWELS:
        word = word[:-1] + "i"
    word = _longer_suffix(word, first, second)
    return _last_suffix(word, first, second).replace("Y", "y")


def _region_after(word: str, start: int) -> int:
    found = _region.match(word, start)
    return found.end() if found else len(word)


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
    suffix = next((end for end in ("ingly", "edly", "ing", "ed") if word.endswith(end)), None)
    if suffix is None:
        return word
    base = word.removesuffix(suffix)
    if suffix == "ing" and len(base) == 2 and base[1] == "y" and base[0] not in _VOWELS:
        return base[0] + "ie"
    if not _has_vowel(base):
        return word
    # The e, or the doubled letter, that the suffix changed; a short word gets its e back too.
    if _doubled.search(base):
        return base[:-1]
    short = first >= len(base) and _short_end.search(base)
    return base + "e" if short or base.endswith(("at", "bl", "iz")) else base


def _longer_suffix(word: str, first: int, second: int) -> str:
    suffix = next((end for end in _STEP_2 if word.endswith(end)), "")
    before = word.removesuffix(suffix)
    valid = {"ogi": before.endswith("l"), "li": before.endswith(tuple("cdeghkmnrt"))}.get(suffix, True)
    if suffix and len(before) >= first and valid:
        word = before + _STEP_2[suffix]
    suffix = next((end for end in _STEP_3 if word.endswith(end)), "")
    before = word.removesuffix(suffix)
    return before + _STEP_3[suffix] if suffix and len(before) >= (second if suffix == "ative" else first) else word


def _last_suffix(word: str, first: int, second: int) -> str:
    suffix = next((end for end in _STEP_4 if word.endswith(end)), "")
    before = word.removesuffix(suffix)
    if suffix and len(before) >= second and (suffix != "ion" or before.endswith(("s", "t"))):
        word = before
    last = len(word) - 1
    if word.endswith("e") and (last >= second or (last >= first and not _short_end.search(word[:-1]))):
        return word[:-1]
    return word[:-1] if word.endswith("ll") and last >= second else word
