"""Words that the rule judge knows; English, general, of no benchmark."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _phrases(text: str) -> tuple[str, ...]:
    return tuple(text.split(", "))


def _pairs(text: str) -> tuple[tuple[str, str], ...]:
    return tuple((one, other) for one, _, other in (pair.partition("/") for pair in text.split()))


_GIVEN = "(?:mentioned|specified|stated|known|given|provided|said|recorded|discussed|available|clear|possible to)"
_MATTER = "(?:information|info|mention|records?|memory|memories|data|evidence|details?|answer|indication|context)"
_SOURCE = (
    "(?:conversations?|memory|memories|contexts?|texts?|records?|notes?|history|dialogues?|dialogs?|passages?|documents?"
    "|information|messages?|chats?|logs?|data|it|that|this)"
)
_CANNOT = "(?:cannot|can't|can not|could not|couldn't|do not|don't|did not|didn't)"
_HELD = "(?:there is|there's|there was|i have|we have|i see|i find|i found|contains?|holds?|has)"
_KNOW = "(?:know|recall|remember|tell|say|find|determine|answer|see any|have (?:that|this|any|enough|the|such|access))"
_NEVER = "(?:does not|doesn't|do not|don't|did not|didn't|never)"
_TELL = "(?:mention|say|specify|state|contain|provide|tell|indicate|reveal|record|include)"
ABSTENTIONS = (
    rf"(?:^|\bi |\bwe ){_CANNOT} (?:\w+ly )?{_KNOW}",
    rf"\b(?:is|was|are|were|been|it's|that's) (?:not|never) (?:\w+ )?{_GIVEN}",
    rf"\b(?:isn't|wasn't|aren't|weren't) (?:\w+ )?{_GIVEN}",
    rf"^(?:not|never) (?:\w+ )?(?:{_GIVEN}|sure)\b",
    rf"\b{_HELD} (?:no|not enough|insufficient) (?:\w+ ){{0,2}}{_MATTER}",
    r"\b(?:i have|there is|there's) nothing (?:\w+ )?(?:about|on)\b",
    rf"^(?:no|not enough|insufficient) (?:\w+ )?{_MATTER}\b",
    r"\b(?:cannot|can't|can not|could not|couldn't) be (?:\w+ )?(?:determined|answered|inferred|known|found|told)",
    rf"\b{_SOURCE} (?:\w+ ){{0,2}}?{_NEVER} (?:\w+ )?{_TELL}",
    r"^(?:unknown|unanswerable|unsure|unclear|undetermined|n/a|none given|no idea|no answer|not applicable)\b",
    r"^(?:i am|i'm) (?:not sure|unsure|not certain|unable|afraid i (?:do not|don't))",
    r"^unable to\b",
)
"""Patterns over the case-folded text: the answer declines."""

GUESSES = _words("maybe perhaps probably possibly likely but however might guess presumably although though")
"""Behind an abstention they announce an answer after all."""

HEDGES = _words(
    "likely probably possibly perhaps maybe presumably apparently well think believe guess would say i it is that most "
    "very quite almost certainly definitely of course"
)
"""They may stand before a yes or a no."""

YES = _words("yes yeah yep yup true correct affirmative indeed absolutely definitely certainly")
NO = _words("no nope nah false incorrect negative not never")
NEGATORS = _words("no not never none neither nor nobody nothing without hardly")
"""`n't` is spelled out before."""
DENYING = _words("quit quits stopped stops lack lacks avoid avoids refuse refuses refused")
"""Verbs that deny what follows."""
PLAIN_YES = _words("yes yeah yep")
PLAIN_NO = _words("nope nah")
CONFIRMING = _phrases(
    "no doubt, without doubt, without a doubt, without question, no question, not only, nothing but, none other than, "
    "why not"
)
"""They hold a negator and deny nothing."""

EXCLUDERS = _phrases(
    "except, except for, excluding, apart from, aside from, other than, instead of, rather than, as opposed to, "
    "everything but, anything but, all but, but no, but not, no longer, far from, unlike"
)
"""What follows directly is shut out."""

UNIVERSAL = _words("all every everything everyone everybody everywhere any anything anyone anybody anywhere")
"""With `but` behind them they shut out what follows."""
ALTERNATIVE = "or"

PAST_CUES = _phrases(
    "used to, formerly, previously, earlier, before, originally, once, in the past, had been, was, were, left, quit, "
    "sold, moved from, moved away from, moved out of, changed from, switched from, no longer, not anymore, until, "
    "gave up, replaced, at first, initially, from"
)
NOW_CUES = _phrases(
    "now, currently, at present, these days, nowadays, today, since then, has since, moved to, changed to, "
    "switched to, updated to, is, are, lives, works, to"
)
LATER_PAST = _words("before previously formerly earlier until anymore originally initially")
"""Behind a value they put it into the past."""
LATER_NOW = _words("now currently nowadays today")
"""They say what holds, before a value or behind it."""
PAST_QUESTION = _words("was were did used previous previously former formerly original originally first before earlier")
"""A question with one of these asks for a state that has passed."""

CHANGES_MEANING = _words(
    "table american vice deputy assistant former ex fake non anti step mock toy ice water guinea root half "
    "great grand co pseudo sub failed aspiring retired imitation artificial"
)
"""In front of a word they make another thing of it."""

GENERIC = _words(
    "school high university college hospital street road avenue lane city town village club company museum park centre "
    "center station hotel restaurant cafe shop store bank church group team band day year month week person man woman "
    "friend place thing one house mr mrs ms dr saint new north south east west river lake mount san st"
)
"""Words that alone name nothing."""

OPPOSITES = _pairs(
    "more/less more/fewer increase/decrease up/down north/south east/west left/right open/closed open/close "
    "married/single married/divorced alive/dead like/hate love/hate like/dislike enjoy/hate enjoy/dislike pass/fail "
    "win/lose accept/reject accept/decline agree/refuse agree/disagree buy/sell start/stop begin/end before/after "
    "early/late first/last high/low hot/cold warm/cold big/small large/small long/short old/new old/young happy/sad "
    "true/false yes/no male/female man/woman brother/sister mother/father son/daughter husband/wife boy/girl "
    "uncle/aunt nephew/niece rise/fall rose/fell raise/lower good/bad best/worst rich/poor strong/weak boring/exciting "
    "easy/hard easy/difficult safe/dangerous present/absent morning/evening day/night indoor/outdoor inside/outside "
    "public/private full/empty cheap/expensive healthy/sick dry/wet light/dark include/exclude with/without "
    "always/never all/none remember/forget arrive/leave arrive/depart come/go employed/unemployed odd/even major/minor "
    "positive/negative able/unable possible/impossible honest/dishonest relieved/disappointed proud/ashamed "
    "calm/anxious confident/insecure allowed/forbidden gold/silver gold/bronze silver/bronze summer/winter "
    "spring/autumn spring/fall vegetarian/carnivore introvert/extrovert"
)
"""Pairs that cannot both hold."""

CLASSES = (
    _words(
        "red blue green yellow black white brown grey gray pink purple orange silver gold golden teal amber violet "
        "beige turquoise maroon navy crimson ivory tan"
    ),
    _words("monday tuesday wednesday thursday friday saturday sunday"),
    _words("january february march april june july august september october november december"),
    _words("spring summer autumn fall winter"),
    _words("north south east west northern southern eastern western"),
    _words("breakfast lunch dinner supper brunch"),
    _words("second minute hour day week month year decade century"),
)
"""Closed classes: one member in place of another is another answer."""

ALIASES = dict(
    _pairs(
        "grandma/grandmother granny/grandmother grandpa/grandfather mom/mother mum/mother mommy/mother dad/father "
        "daddy/father kid/child kids/children bike/bicycle photo/photograph photos/photographs pic/photograph "
        "tv/television fridge/refrigerator phone/telephone cellphone/telephone cinema/theater theatre/theater "
        "colour/color favourite/favorite st/saint min/minute mins/minute hr/hour hrs/hour sec/second secs/second "
        "yr/year yrs/year &/and vs/versus approx/about"
    )
)
"""Short forms, each with its full one."""

CAPITALS = {
    "C++": "cplusplus",
    "C#": "csharp",
    "USA": "United States",
    "US": "United States",
    "UK": "United Kingdom",
    "UAE": "United Arab Emirates",
    "NYC": "New York",
    "LA": "Los Angeles",
    "SF": "San Francisco",
    "DC": "Washington",
    "United States of America": "United States",
    "New York City": "New York",
    "Washington, D.C.": "Washington",
}
"""Short forms that are names only as they stand here."""

CURRENCIES = dict(
    _pairs(
        "$/dollar usd/dollar dollars/dollar bucks/dollar €/euro eur/euro euros/euro £/pound gbp/pound pounds/pound "
        "¥/yen jpy/yen %/percent"
    )
)

KEPT = _words("more less few fewer up down inside outside all none few")
"""Function words that still tell answers apart."""

SIDES = {
    "before": "before",
    "prior to": "before",
    "until": "before",
    "by": "before",
    "after": "after",
    "since": "after",
    "following": "after",
}
"""Words that put a time on one side of a date."""
DATE_WORDS = _words(
    "week weekend month year day date monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat "
    "sun january february march april may june july august september october november december beginning end start "
    "early late mid before after around about approximately between from until sometime"
)
"""They belong to the telling of a date."""
TIME_UNITS = _words(
    "second seconds minute minutes hour hours day days night nights week weeks fortnight month months year years "
    "decade decades century centuries half quarter couple"
)
APPROXIMATE = _words("about around approximately roughly nearly almost total altogether ago")
"""They leave a number what it is."""
LIGHT = _words("find finds found think thinks thought feel feels felt seem seems say says said would")
"""Verbs that only bring in what is thought or said."""
PARTS_OF_TIME = _words("early mid late beginning end start middle")
"""They narrow a month or a year down."""
