"""A rule-based splitter of English sentences.

A sentence ends at white space after `.`, `!`, `?` or an ellipsis with its closing quotes and brackets, and at a blank
line. A full stop does not end one after an abbreviation, an initial, a list number at the start of a line, or where a
closing quote is followed by a small letter; after an abbreviation that may also end a sentence (`etc.`, `p.m.`, `U.S.`)
a word that mostly opens sentences decides. Chinese and Japanese stops end a sentence without white space.
"""

from __future__ import annotations

import re

from recollect.text.words import listed

Span = tuple[int, int]

NAME = "recollect-rules-1"

_CLOSERS = "\"'”’»)\\]*_"
_ends = re.compile(
    r"[.!?…。！？\n](?:"  # one set of characters first, so that the scan between ends is fast
    rf"(?<=[.!?…])(?<![.!?…]{{2}})[.!?…]*+[{_CLOSERS}]*+\s+"
    r"|(?<=\n)[ \t\r]*\n\s*"
    r"|(?<=[。！？])[。！？]*[」』”’）]*)"
)
_word_before = re.compile(r"[^\s(\[“\"‘'—–/]+\Z")
_opening = re.compile(r"[(\[“\"‘'*_—–-]*([^\W_]+)?")
_initials = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]")
_list_number = re.compile(
    r"(?:\A|\n)[ \t]*(?:\d{1,3}|[ivxIVX]{1,5}|[a-zA-Z])\Z|(?:\A|[.!?:;\"'”’)\]]\s*\n|\n\s*\n)[ \t]*\d{4,7}\Z"
)
_LOOK_BACK = 24

_NEVER_LAST = listed("mr mrs ms mx dr prof messrs mme mlle vs v viz cf e.g i.e al approx ca")
_TITLES = listed("St Mt Ft Fr Gen Col Capt Lt Maj Sgt Cpl Adm Cmdr Rev Hon Sen Rep Gov Pres Supt Insp")
"""Never last, if written with a capital: `rep` and `sat` are words."""
_BEFORE_NUMBERS = listed("no nos fig figs vol vols p pp ch sec art eq ex ed pt para")
"""Abbreviations before a number, words or the like elsewhere."""
_EITHER = listed(
    "Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec Mon Tue Tues Wed Thu Thur Thurs Fri Sat Sun "
    "Inc Ltd Co Corp Bros LLC Dept Univ Assn Ave Blvd Rd Hwy Apt Jr Sr Esq "
    "inc ltd corp dept jr sr esq tel ext Ph.D M.D B.A M.A B.Sc M.Sc a.m p.m A.M P.M"
)
"""Abbreviations, as they are written, that may stand last."""
_MOSTLY_LAST = listed("etc hr hrs min mins sec secs oz lb lbs mi km kg cm mm misc")
"""Abbreviations that go on in a small letter only."""
_OPENERS = listed(
    "a after all although an and another any as at because before but by did do does each even every for from had has "
    "have he her here his how however i if in is it its let many maybe meanwhile most my never no not now of on once "
    "one or our perhaps she since so some still such that the their then there these they this those though thus to "
    "today under unless until was we were what when where whether which while who why will with would yes yet you "
    "your"
)


def spans(text: str) -> list[Span]:
    """Start and end of each sentence, without the white space around it; in order, none empty."""
    found: list[Span] = []
    start = len(text) - len(text.lstrip())
    for end in _ends.finditer(text, start):
        if end.end() < len(text) and _is_border(text, end):
            stop = end.start() + len(end[0].rstrip())
            while text[stop - 1].isspace():  # for a blank line, white space starts before the match
                stop -= 1
            found.append((start, stop))
            start = end.end()
    stop = len(text.rstrip())
    return [*found, (start, stop)] if start < stop else found


def split(text: str) -> list[str]:
    """The sentences of *text*."""
    return [text[start:end] for start, end in spans(text)]


def _is_border(text: str, end: re.Match[str]) -> bool:
    mark = end[0]
    if mark[0] in "。！？\n" or mark.count("\n") > 1:
        return True
    opening = _opening.match(text, end.end())
    following = (opening[1] or "") if opening else ""
    quoted = mark.rstrip()[-1] not in ".!?…"
    trailing_off = "…" in mark or mark.startswith("..")
    if following[:1].islower() and (quoted or trailing_off):
        return False
    return trailing_off or mark[0] != "." or _stop_ends(text, end.start(), following)


def _stop_ends(text: str, place: int, following: str) -> bool:
    """Whether the single full stop at *place* ends the sentence, by the word before and the word after it."""
    before = text[max(0, place - _LOOK_BACK) : place]
    if _list_number.search(before) and (place < _LOOK_BACK or "\n" in before):
        return False
    found = _word_before.search(before)
    word = found[0] if found else ""
    name = word.lower()
    if name in _NEVER_LAST or word in _TITLES or (name in _BEFORE_NUMBERS and following[:1].isdigit()):
        return False
    if name in _MOSTLY_LAST:
        return not following[:1].islower()
    if word in _EITHER or _initials.fullmatch(word):
        return following[:1].isupper() and following.lower() in _OPENERS
    return True
