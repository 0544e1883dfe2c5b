"""Text of a run made fit to be shown: what cannot be seen, or would move its neighbours, is spelled out."""

from __future__ import annotations

import re

_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff\ufffe\uffff]"
)


def plain(text: str) -> str:
    """*text* with control signs, bidi overrides and lone surrogates as `⟨U+202E⟩`; tabs and line feeds stay."""
    return _UNSEEN.sub(lambda sign: f"⟨U+{ord(sign.group()):04X}⟩", text.replace("\r\n", "\n"))


def shortened(text: str, limit: int) -> str:
    """*text*, or its beginning with its length said."""
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text):,} characters)"
