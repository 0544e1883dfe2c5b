"""Every word that the rule reader knows, in one place, so that a test can hold it against generators' catalogues.

Function words and general English only: nothing here names a subject, a relation or a value of any benchmark.
"""

from __future__ import annotations

import re


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _pairs(text: str) -> dict[str, str]:
    return {form: base for form, _, base in (pair.partition(":") for pair in text.split())}


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


# Words without content.

ARTICLES = _words("a an the")
OWNERS = _words("my your his her its our their")
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
SELF = _words("i me my mine myself we us our ours ourselves i'm i've i'd i'll")
ASSISTANTS = _words("assistant system bot ai")
"""Speakers that tell nothing of whoever asks."""
QUESTION_WORDS = _words("what which who whom whose where when why how what's who's where's when's how's")
SMALL = _words(
    "'s ’s not no s t please just only very really ever any some such own same all each every more most much many"
)
FUNCTION = ARTICLES | PREPOSITIONS | AUXILIARIES | PRONOUNS | CONJUNCTIONS | QUESTION_WORDS | SMALL
"""Words that carry no content of a question."""
NEGATIONS = _words("not no never none neither nor cannot without don't doesn't didn't isn't aren't wasn't weren't")
NOW = _words("now current currently presently nowadays still latest newest today")
LEADS = _words(
    "'s ’s is are was were am be been being to that and but so then also the a an just really i i'm i've it it's"
)
"""Words that an answer does not start with."""
BREAKS = _words("and but so because which that when while where with for since before after until by as if then")
"""Words that open another phrase."""
NAME_LINKS = _words("of the and de da di du la le van von der den del al bin ibn y & for")
"""Uncapitalised words inside names."""
LOCATIVE = _words("in at near from")
"""Words before a place."""
PLACED = LOCATIVE | _words("to on inside outside behind under beside")
"""Words before the answer to *where*."""
AGENT, AS, OF = "by", "as", "of"
"""Between a passive verb and who does it; before a role."""
POSSESSIVE = _words("'s ’s")
HOLDS = _words("has have had")

# Verbs, and irregular forms.

VERBS = _words(
    "is are was were am be been has have had does did do made became began won wrote led sang ran gave took came went "
    "got said saw knew held kept left met paid put read sold sent set shot spoke spent stood taught told thought wore "
    "built bought brought caught chose drew drove ate fell felt found flew forgot grew heard hit hurt let lost meant "
    "rose sat slept stole swam threw understood woke"
)
_regular_verb = re.compile(r"[a-z]{2,}(?:s|ed)")
IRREGULAR = _pairs(
    "made:make became:become began:begin begun:begin wrote:write written:write won:win led:lead sang:sing sung:sing "
    "ran:run gave:give given:give took:take taken:take came:come went:go gone:go got:get gotten:get said:say saw:see "
    "seen:see knew:know known:know held:hold kept:keep met:meet paid:pay sold:sell sent:send shot:shoot spoke:speak "
    "spoken:speak spent:spend stood:stand taught:teach told:tell thought:think wore:wear worn:wear woke:wake "
    "built:build bought:buy brought:bring caught:catch chose:choose chosen:choose drew:draw drawn:draw drove:drive "
    "driven:drive ate:eat eaten:eat fell:fall fallen:fall felt:feel flew:fly flown:fly forgot:forget "
    "forgotten:forget grew:grow grown:grow heard:hear left:leave lost:lose meant:mean rose:rise sat:sit slept:sleep "
    "stole:steal stolen:steal swam:swim threw:throw thrown:throw understood:understand rode:ride ridden:ride "
    "broke:break broken:break hid:hide hidden:hide froze:freeze shook:shake lent:lend lit:light fed:feed fought:fight "
    "sought:seek dealt:deal dug:dig drank:drink drunk:drink struck:strike swore:swear swept:sweep wept:weep "
    "withdrew:withdraw men:man women:woman children:child people:person feet:foot teeth:tooth mice:mouse wives:wife"
)
"""Irregular form -> base form."""


def looks_like_verb(low: str) -> bool:
    """A verb by form: a known one, or a regular third person or past."""
    return low in VERBS or _regular_verb.fullmatch(low) is not None


# Money, numbers, time.

CURRENCY_WORDS = "dollars?|euros?|pounds?|yen|rupees?|usd|eur|gbp|bucks?"
CURRENCY_SIGNS = _pairs("dollar:$ usd:$ buck:$ euro:€ eur:€ pound:£ gbp:£ rupee:₹ yen:¥")
MONEY = _words(
    "cost costs price priced prices pay paid spend spent expensive cheap money worth fee dollars euros pounds earn "
    "earned"
)
"""Words of a question that compares amounts of money."""
BARE_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
TIME_UNITS = ("minute", "hour", "day", "week", "month", "year")
DURATION_UNIT = _any(r"\b(minute|hour|day|week|month|year)s?\b", r"\b(?:night|workday|weekday)s?\b")
WORKING = _any(r"\b(?:working|business|work|week)[ -]?days?\b")
BOTH_COUNTED = _any(
    r"\binclusive\b",
    r"\binclud\w+ (?:both|the (?:first|start|end|last))",
    r"\bboth (?:\w+ ){0,3}(?:are )?(?:included|counted)",
    r"\bcounting both\b",
    r"\bcount both\b",
)
NEITHER_COUNTED = _any(
    r"\bneither\b",
    r"\bstrictly between\b",
    r"\bexclud\w+ (?:the )?(?:both|first and (?:the )?last|start and (?:the )?end)\b",
    r"\b(?:without|not) counting either\b",
)
START_LEFT_OUT = _any(r"\bexclusive\b", r"\b(?:exclud\w+|not count\w*|without count\w*) the (?:first|start)")

# Comparatives.

BIGGER = _words(
    "older longer later larger bigger greater higher heavier taller farther further wider deeper faster quicker hotter "
    "warmer richer stronger louder busier pricier costlier more oldest longest latest largest biggest greatest highest "
    "heaviest tallest farthest furthest widest deepest fastest quickest hottest warmest richest strongest loudest "
    "busiest priciest costliest most last"
)
SMALLER = _words(
    "younger shorter earlier smaller less lower lighter nearer closer narrower shallower slower colder cooler poorer "
    "weaker quieter fewer cheaper sooner youngest shortest earliest smallest least lowest lightest nearest closest "
    "narrowest shallowest slowest coldest coolest poorest weakest quietest fewest cheapest soonest first"
)
ABOUT_TIME = _words("earlier later earliest latest first last sooner soonest")
"""Comparatives whose measure is a date."""
ABOUT_AGE = _words("older younger oldest youngest")
"""Comparatives where an earlier date means more."""
ABOUT_LENGTH = _words("longer longest shorter shortest")
"""Comparatives whose measure may be a length of time."""
ABOUT_SPEED = _words("faster fastest quicker quickest slower slowest")
"""Comparatives where a shorter time means more."""
ABOUT_MONEY = _words("cheaper cheapest pricier priciest costlier costliest")
ABOUT_COUNT = _words("more most less least fewer fewest")
"""Comparatives of what stands behind them."""
AMBIGUOUS = ABOUT_COUNT | _words("last first latest further closer closest")
"""Comparatives that mostly mean something else when no rivals are named."""
SAME = "the same"

# Forms of questions, matched against folded text.

_aux = "(?:is|are|was|were|am|do|does|did|has|have|had|will|would|can|could|shall|should|may|might|must)"
_units = "|".join((*TIME_UNITS, "workday", "weekday", "weekend", "night"))
_unit = rf"(?:(?:working|business|calendar|full|whole|consecutive)[ -]){{0,2}}(?:{_units})s?"
_plain = "|".join(sorted((BIGGER | SMALLER) - AMBIGUOUS))
_comparative = "|".join(sorted(BIGGER | SMALLER))
_wh = r"\b(?:which|who|whose|what|whom)\b"
_few = r"(?:\s+(?!when\b|while\b|because\b|if\b|since\b)[^\s?.!,;]+){0,6}?"

DISAGREEMENT = _any(
    r"\bdisagree\w*\b",
    r"\bconflict(?:s|ing|ed)?\b",
    r"\bcontradict\w*\b",
    r"\binconsisten\w*\b",
    r"\bdiscrepan\w*\b",
    r"\bdifferent (?:answers|accounts|versions)\b",
)
DURATION_QUESTION = _any(
    r"\bhow long\b",
    rf"\bhow (?:many|much) (?:more )?{_unit}\b",
    rf"\b(?:number|count) of {_unit}\b",
    r"\bduration\b",
    r"\bhow much time\b",
)
WHEN_QUESTION = _any(
    r"^\W*(?:\w+ )?when\b",
    rf"\bwhen {_aux}\b",
    r"\b(?:what|which) (?:exact )?(?:date|day|month|year|time|weekday|week)\b",
    r"\bdate of\b",
)
DATE_PART = re.compile(r"\b(?:what|which) (?:exact )?(day of the week|weekday|year|month)\b")
COMPARISON_QUESTION = _any(
    rf"{_wh}{_few}\s+(?:{_plain})\b",
    rf"{_wh}{_few}\s+(?:{_comparative})\b[^?.!]*\bor\b",
    rf"\b(?:more|less|fewer|{_plain})\b[^?.!]*\bthan\b",
    r"\b(?:which|who) (?:of|among) (?:the|these|those) (?:two|three|four)\b",
    r"\bcompar(?:e|ed|ing|ison)\b",
    rf"{_wh}{_few}\s+(?:more|less|fewer|most|least|first|last)\s*\?\s*$",
)
SUM_QUESTION = _any(
    r"\b(?:how (?:much|many)|what)\b[^?.!]*\b(?:in total|altogether|in all|overall|combined|all together|in sum)\b",
    r"\b(?:total|combined|overall) (?:amount|number|cost|price|sum|value|spending|expenses?|of)\b",
    r"\bsum of\b",
    r"\bwhat (?:is|was|are|were) the total\b",
)
SUM_WORDS = _any(r"\b(?:in total|total|altogether|in all|overall|combined|all together|in sum|sum|how much|how many)\b")
COUNT_QUESTION = _any(r"\bhow many\b", r"\bnumber of\b", r"\bhow often\b", r"\bcount (?:of|the)\b")
COUNTED = _any(
    r"\bhow many (?:different |distinct |unique |more |other |times )?",
    r"\bnumber of (?:different |distinct )?",
    r"\bhow often\b",
)
"""What stands before the counted noun."""
SET_QUESTION = _any(
    r"\b(?:list|name|enumerate|give|tell) (?:me )?(?:all|every|each|both|the (?:two|three|four|five))\b",
    r"\blist\b",
    r"\b(?:what|which|who) (?:are|were) all\b",
    r"\bwhat are (?:the|my|your|his|her|their|our)\b",
    r"\ball (?:of )?the\b",
    r"\b(?:which|what) (?:different|kinds of|types of|sorts of)\b",
)
COMMANDS = _any(
    r"^\W*(?:please |can you |could you )?(?:list|name|enumerate|give|tell|show|mention)(?: me)?\b",
    r"\ball (?:of )?(?:the )?(?:things?|items?)\b",
)
"""The words of a request that say nothing of what is wanted."""
YES_NO_QUESTION = _any(rf"^\W*{_aux}\b")

# Parts of questions.

_that = r"(?:when |the (?:day|date|time) (?:when |that )?)?"
BETWEEN = _any(
    rf"\bbetween {_that}(?P<one>.+?),? and {_that}(?P<other>[^?]+)",
    rf"\bfrom {_that}(?P<one2>.+?),? (?:to|until|till|through) {_that}(?P<other2>[^?]+)",
)
AFTER = _any(rf"\b(?:after|since) (?P<one>.+?)(?:,| {_aux}\b) ?(?P<other>[^?]+)")
BEFORE = _any(rf"\bbefore (?P<other>.+?)(?:,| {_aux}\b) ?(?P<one>[^?]+)")
PASSED = _any(r"\b(?:passed|elapsed|lie|lay|went by)\b")
AGO = _any(r"\bago\b", r"\bsince\b", r"\bso far\b", r"\bhas (?:it )?been\b", r"\bhave (?:i|we|they|you) been\b")
UNTIL = _any(r"\buntil\b", r"\bleft\b", r"\btill\b")
RIVALS_BETWEEN = _any(r"\bbetween (?P<one>.+?) and (?P<other>[^,?]+)")
THAN = _any(
    rf"^\W*{_aux}\s+(?P<one>.+?)\s+(?:more|less|fewer|{_plain}|earlier|later|further|closer)\b[^?]*?"
    r"\bthan\s+(?P<other>[^?]+)"
)

# What the reader says itself.

BOTH = "Two values are held and nothing tells which one holds: {first} and {second}."
NOT_MENTIONED = "This is not mentioned."
YES, NO = "yes", "no"
