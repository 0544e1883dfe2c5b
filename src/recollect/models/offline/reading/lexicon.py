"""Every word that the rule reader knows, in one place, so that a test can hold it against generators' catalogues.

Function words and general English only: nothing here names a subject, a relation or a value of any benchmark.
"""

from __future__ import annotations

import re


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ARTICLES = _words("a an the")
PREPOSITIONS = _words(
    "about above across after against along among around as at before behind below beneath beside between beyond by "
    "despite down during except for from in inside into near of off on onto out outside over past per since through "
    "throughout till to toward towards under until up upon via with within without"
)
AUXILIARIES = _words(
    "am is are was were be been being do does did done doing has have had having can could may might must shall should "
    "will would ought need isn't aren't wasn't weren't don't doesn't didn't hasn't haven't hadn't can't couldn't won't "
    "wouldn't shouldn't"
)
PRONOUNS = _words(
    "i me my mine myself we us our ours ourselves you your yours yourself he him his himself she her hers herself it "
    "its itself they them their theirs themselves one ones this that these those there here i'm i've i'd i'll it's "
    "he's she's we're they're you're that's there's"
)
CONJUNCTIONS = _words("and or but nor so yet if because while although though than then also too either neither both")
QUESTION_WORDS = _words("what which who whom whose where when why how what's who's where's when's how's")
SMALL = _words(
    "'s ’s not no s t please just only very really ever any some such own same all each every more most much many"
)
FUNCTION = ARTICLES | PREPOSITIONS | AUXILIARIES | PRONOUNS | CONJUNCTIONS | QUESTION_WORDS | SMALL
"""Words that carry no content of a question."""

NAME_LINKS = _words("of the and de da di du la le van von der den del al bin ibn y & for")
"""Uncapitalised words inside names."""

LOCATIVE = _words("in at near from")
"""Words before a place."""

VERBS = _words(
    "is are was were am be been has have had does did do made became began won wrote led sang ran gave took came went "
    "got said saw knew held kept left met paid put read sold sent set shot spoke spent stood taught told thought wore "
    "built bought brought caught chose drew drove ate fell felt found flew forgot grew heard hit hurt let lost meant "
    "rose sat slept stole swam threw understood woke"
)
_REGULAR_VERB = re.compile(r"[a-z]{2,}(?:s|ed)")


def looks_like_verb(low: str) -> bool:
    """A verb by form: a known one, or a regular third person or past."""
    return low in VERBS or _REGULAR_VERB.fullmatch(low) is not None


DISAGREEMENT = re.compile(
    r"\b(?:disagree\w*|conflict(?:s|ing|ed)?|contradict\w*|inconsisten\w*|discrepan\w*|different (?:answers|accounts|versions))\b"
)
TIME_UNITS = ("minute", "hour", "day", "week", "month", "year")
_UNIT = rf"(?:(?:working|business|calendar|full|whole|consecutive)[ -])*(?:{'|'.join(TIME_UNITS)}|workday|weekday|weekend|night)s?"
DURATION_QUESTION = re.compile(
    rf"\bhow long\b|\bhow (?:many|much) (?:more )?{_UNIT}\b|\b(?:number|count) of {_UNIT}\b|\bduration\b"
    rf"|\bhow much time\b|\bin how many {_UNIT}\b"
)
WHEN_QUESTION = re.compile(
    r"\bwhen\b(?! (?:i|we|you|he|she|it|they|the|a|my|our|his|her|their)\b.*\?.*\bwh)|\b(?:what|which) (?:exact )?"
    r"(?:date|day|month|year|time|weekday|week)\b|\bon what date\b|\bsince when\b|\bdate of\b"
)
BIGGER = _words(
    "older longer later larger bigger greater higher heavier taller farther further wider deeper faster hotter warmer "
    "richer stronger louder busier more oldest longest latest largest biggest greatest highest heaviest tallest farthest "
    "furthest widest deepest fastest hottest warmest richest strongest loudest busiest most second last after pricier "
    "priciest costlier costliest"
)
SMALLER = _words(
    "younger shorter earlier smaller less lower lighter nearer closer narrower shallower slower colder cooler poorer "
    "weaker quieter fewer cheaper youngest shortest earliest smallest least lowest lightest nearest closest narrowest "
    "shallowest slowest coldest coolest poorest weakest quietest fewest cheapest first before sooner soonest"
)
ABOUT_TIME = _words("earlier later earliest latest first last before after sooner soonest second")
"""Comparatives whose measure is a date."""
ABOUT_AGE = _words("older younger oldest youngest")
"""Comparatives where an earlier date means more."""
AMBIGUOUS = _words("more most less least second last first latest after before further closer closest")
"""Comparatives that mostly mean something else when no rivals are named."""
_PLAIN = "|".join(sorted((BIGGER | SMALLER) - AMBIGUOUS))
_ANY = "|".join(sorted(BIGGER | SMALLER))
_WH = r"\b(?:which|who|whose|what|whom)\b"
_FEW = r"(?:\s+(?!when\b|while\b|because\b|if\b|since\b)[^\s?.!,;]+){0,6}?"
COMPARISON_QUESTION = re.compile(
    rf"{_WH}{_FEW}\s+(?:{_PLAIN})\b|{_WH}{_FEW}\s+(?:{_ANY})\b[^?.!]*\bor\b|{_WH}[^?.!,]*,[^?.!]*\bor\b"
    rf"|\b(?:more|less|fewer|{_PLAIN})\b[^?.!]*\bthan\b|\b(?:which|who) (?:of|among) (?:the|these|those) (?:two|three|four)\b"
    r"|\bcompar(?:e|ed|ing|ison)\b"
)
SUM_QUESTION = re.compile(
    r"\b(?:how (?:much|many)|what)\b[^?.!]*\b(?:in total|altogether|in all|overall|combined|all together|in sum)\b"
    r"|\b(?:total|combined|overall) (?:amount|number|cost|price|sum|value|spending|expenses?|of)\b|\bsum of\b|\bwhat is the total\b"
    r"|\bwhat (?:was|are|were) the total\b"
)
COUNT_QUESTION = re.compile(r"\bhow many\b|\bnumber of\b|\bhow often\b|\bcount (?:of|the)\b")
SET_QUESTION = re.compile(
    r"\b(?:list|name|enumerate|give|tell) (?:me )?(?:all|every|each|both|the (?:two|three|four|five))\b|\blist\b"
    r"|\b(?:what|which|who) (?:are|were) all\b|\bwhat are (?:the|my|your|his|her|their|our)\b|\ball (?:of )?the\b"
    r"|\b(?:which|what) (?:different|kinds of|types of|sorts of)\b"
)
YES_NO_QUESTION = re.compile(
    r"^\W*(?:is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|should|may|might|must)\b"
)
NOW = _words("now current currently presently nowadays still latest newest today")
NEGATIONS = _words("not no never none neither nor cannot without don't doesn't didn't isn't aren't wasn't weren't")
PLACED = _words("in at near from to on inside outside behind under beside")
"""Words before the answer to *where*."""
BREAKS = _words("and but so because which that when while where with for since before after until by as if then")
"""Words that open another phrase."""
LEADS = _words(
    "'s ’s is are was were am be been being to that and but so then also the a an just really i i'm i've it it's"
)
"""Words that an answer does not start with."""
BOTH = "Two values are held and nothing tells which one holds: {first} and {second}."
NOT_MENTIONED = "This is not mentioned."
YES, NO = "yes", "no"
CURRENCY_WORDS = "dollars?|euros?|pounds?|yen|rupees?|usd|eur|gbp|bucks?"
CURRENCY_SIGNS = {
    "dollar": "$",
    "usd": "$",
    "buck": "$",
    "euro": "€",
    "eur": "€",
    "pound": "£",
    "gbp": "£",
    "rupee": "₹",
    "yen": "¥",
}
BETWEEN = re.compile(
    r"\bbetween (?P<one>.+?),? and (?:when |the (?:day|date|time) (?:when |that )?)?(?P<other>[^?]+)"
    r"|\bfrom (?:when |the (?:day|date|time) (?:when |that )?)?(?P<one2>.+?),? (?:to|until|till|through) (?:when |the (?:day|date|time) (?:when |that )?)?(?P<other2>[^?]+)",
    re.IGNORECASE,
)
AFTER = re.compile(
    r"\b(?:after|since) (?P<one>.+?)(?:,| (?:did|was|were|does|do|had|has)\b) ?(?P<other>[^?]+)", re.IGNORECASE
)
BEFORE = re.compile(r"\bbefore (?P<other>.+?)(?:,| (?:did|was|were|does|do|had|has)\b) ?(?P<one>[^?]+)", re.IGNORECASE)
PASSED = re.compile(r"\b(?:passed|elapsed|lie|lay|went by)\b", re.IGNORECASE)
AGO = re.compile(r"\bago\b|\bsince\b|\bso far\b|\bhas (?:it )?been\b|\bhave (?:i|we|they|you) been\b", re.IGNORECASE)
UNTIL = re.compile(r"\buntil\b|\bleft\b|\btill\b", re.IGNORECASE)
BOTH_COUNTED = re.compile(
    r"\binclusive\b|\binclud\w+ (?:both|the (?:first|start|end|last))|\bboth (?:\w+ )*(?:days|dates|ends)?\s*(?:are )?(?:included|counted)|\bcounting both\b",
    re.IGNORECASE,
)
NEITHER_COUNTED = re.compile(
    r"\b(?:neither|strictly between|excluding both|exclud\w+ (?:the )?(?:first and (?:the )?last|start and (?:the )?end|both)|(?:without|not) counting either)\b",
    re.IGNORECASE,
)
START_LEFT_OUT = re.compile(
    r"\bexclusive\b|\b(?:exclud\w+|not count\w*|without count\w*) the (?:first|start)", re.IGNORECASE
)
WORKING = re.compile(r"\b(?:working|business|work|week)[ -]?days?\b", re.IGNORECASE)
DURATION_UNIT = re.compile(r"\b(minute|hour|day|week|month|year)s?\b|\b(night|workday|weekday)s?\b", re.IGNORECASE)
DATE_PART = re.compile(r"\b(?:what|which) (?:exact )?(day of the week|weekday|year|month)\b")
SUM_WORDS = re.compile(
    r"\b(?:in total|total|altogether|in all|overall|combined|all together|in sum|sum|how much|how many)\b",
    re.IGNORECASE,
)
COUNTED = re.compile(
    r"\bhow many (?:different |distinct |unique |more |other |times )?|\bnumber of (?:different |distinct )?|\bhow often\b"
)
BARE_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
OWNERS = _words("my your his her its our their")
RIVALS_BETWEEN = re.compile(r"\bbetween (?P<one>.+?) and (?P<other>[^,?]+)", re.IGNORECASE)
THAN = re.compile(
    r"^\W*(?:is|are|was|were|am|do|does|did|has|have|had|will|would|can)\s+(?P<one>.+?)\s+(?:\w+\s+){0,2}?"
    rf"(?:more|less|fewer|{_PLAIN}|earlier|later|further|closer)\b[^?]*?\bthan\s+(?P<other>[^?]+)",
    re.IGNORECASE,
)
SAME = "the same"
