"""How the sparse index reads English: what is one term, and which words say too little to be searched for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tantivy import TextAnalyzer

NAME = "recollect-english-1"
"""Part of an index's schema, so that an index of another analysis does not open; a change gets a new number."""

_FUNCTION_WORDS = """
a an the this that these those
i me my myself we our ours ourselves you your yours yourself yourselves he him his himself
she her hers herself it its itself they them their theirs themselves
am is are was were be been being do does did doing have has had having
can could will would shall should
and or but nor if because so than then as while until
at by for from in into of off on onto out over to under up with about above after again against
before below between down during through
what when where which who whom whose why how
all any both each few more most other own same some such no not only too very just now here there once
s t d ll m re ve don didn doesn isn wasn aren weren won wouldn couldn shouldn hasn haven hadn ain
"""
STOP_WORDS = tuple(sorted(_FUNCTION_WORDS.split()))
"""English function words and the tails that an apostrophe leaves; no word that also names a month or a country."""

_LONGEST_TERM = 100
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+")


def analyzer() -> TextAnalyzer:
    """Words, lower case, no accents, no stop words, English stems."""
    from tantivy import Filter, TextAnalyzerBuilder, Tokenizer

    builder = TextAnalyzerBuilder(Tokenizer.simple()).filter(Filter.remove_long(_LONGEST_TERM))
    builder = builder.filter(Filter.lowercase()).filter(Filter.ascii_fold())
    return builder.filter(Filter.custom_stopword(list(STOP_WORDS))).filter(Filter.stemmer("english")).build()


def readable(text: str) -> str:
    """*text* as the analyzer can take it: no lone surrogates, and scripts without spaces cut into pairs of signs."""
    if text.isascii():
        return text
    return _UNSPACED.sub(_pairs, text.encode("utf-8", "replace").decode())


def _pairs(run: re.Match[str]) -> str:
    signs = run.group()
    pairs = [signs[at : at + 2] for at in range(max(1, len(signs) - 1))]
    return f" {' '.join(pairs)} "
