"""Words that the rule judge knows; English, general, of no benchmark."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ABSTENTIONS = (
    r"(?:i )?(?:do not|don't|did not|didn't|cannot|can't|could not|couldn't) (?:actually |really |currently )?"
    r"(?:know|recall|remember|tell|say|find|determine|answer|have (?:that|this|any|enough|the|such|access)|see any)",
    r"(?:is|was|are|were|it's|that's) (?:not|never|n't) (?:\w+ )?"
    r"(?:mentioned|specified|stated|known|given|provided|said|recorded|discussed|available|clear|possible to)",
    r"(?:isn't|wasn't|aren't|weren't) (?:\w+ )?"
    r"(?:mentioned|specified|stated|known|given|provided|said|recorded|discussed|available|clear|possible to)",
    r"^(?:not|never|n't) (?:\w+ )?(?:mentioned|specified|stated|known|given|provided|recorded|discussed|available|sure)\b",
    r"(?:there is|there's|there was|i have|we have|have|has|contains?|holds?) (?:no|not enough|insufficient|nothing) "
    r"(?:\w+ )?(?:information|mention|record|memory|memories|data|evidence|details?|answer|about|on|indication)",
    r"^(?:no|not enough|insufficient) (?:\w+ )?(?:information|mention|record|memory|memories|data|evidence|details?|answer)\b",
    r"(?:cannot|can't|can not|could not|couldn't) be (?:\w+ )?(?:determined|answered|inferred|said|known|found|told)",
    r"(?:does not|doesn't|do not|don't|did not|didn't|never) (?:\w+ )?"
    r"(?:mention|say|specify|state|contain|provide|tell|indicate|reveal|record|include (?:any )?information)",
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
NEGATORS = _words(
    "no not never none neither nor nobody nothing without n't hardly cannot isn't aren't wasn't weren't don't doesn't "
    "didn't won't wouldn't can't couldn't shouldn't hasn't haven't hadn't ain't"
)
CONFIRMING = (
    "no doubt",
    "without doubt",
    "without a doubt",
    "without question",
    "no question",
    "not only",
    "nothing but",
    "none other than",
    "why not",
)
"""They hold a negator and deny nothing."""

EXCLUDERS = (
    "except",
    "except for",
    "excluding",
    "apart from",
    "aside from",
    "other than",
    "instead of",
    "rather than",
    "as opposed to",
    "everything but",
    "anything but",
    "all but",
    "but no",
    "but not",
    "no longer",
    "far from",
    "unlike",
)
"""What follows directly is shut out."""

LINKING = _words("or and plus")
ALTERNATIVE = "or"

PAST_CUES = (
    "used to",
    "formerly",
    "previously",
    "earlier",
    "before",
    "originally",
    "once",
    "in the past",
    "had been",
    "was",
    "were",
    "left",
    "quit",
    "sold",
    "moved from",
    "moved away from",
    "moved out of",
    "changed from",
    "switched from",
    "no longer",
    "not anymore",
    "until",
    "gave up",
    "replaced",
    "at first",
    "initially",
    "from",
)
NOW_CUES = (
    "now",
    "currently",
    "at present",
    "these days",
    "nowadays",
    "today",
    "since then",
    "has since",
    "moved to",
    "changed to",
    "switched to",
    "updated to",
    "is",
    "are",
    "lives",
    "works",
    "to",
)
PAST_QUESTION = _words("was were did used previous previously former formerly original originally first before earlier")
"""A question with one of these asks for a state that has passed."""

CHANGES_MEANING = _words(
    "table american vice deputy assistant former ex fake non anti step mock toy ice water field guinea root half "
    "ghost great-grand grand junior senior co pseudo sub super would-be failed aspiring retired wannabe imitation artificial"
)
"""In front of a word they make another thing of it."""

GENERIC = _words(
    "school high university college hospital street road avenue lane city town village club company museum park centre "
    "center station hotel restaurant cafe shop store bank church group team band day year month week person man woman "
    "friend place thing one house mr mrs ms dr saint new north south east west river lake mount san st"
)
"""Words that alone name nothing."""

OPPOSITES = tuple(
    tuple(pair.split("/"))
    for pair in ["more/less", "more/fewer", "increase/decrease", "up/down", "north/south", "east/west", "left/right", "open/closed", "open/close", "married/single", "married/divorced", "alive/dead", "like/hate", "love/hate", "like/dislike", "enjoy/hate", "enjoy/dislike", "pass/fail", "win/lose", "accept/reject", "accept/decline", "agree/refuse", "agree/disagree", "buy/sell", "start/stop", "begin/end", "before/after", "early/late", "first/last", "high/low", "hot/cold", "warm/cold", "big/small", "large/small", "long/short", "old/new", "old/young", "happy/sad", "true/false", "yes/no", "male/female", "man/woman", "brother/sister", "mother/father", "son/daughter", "husband/wife", "boy/girl", "uncle/aunt", "nephew/niece", "rise/fall", "rose/fell", "raise/lower", "good/bad", "best/worst", "rich/poor", "strong/weak", "boring/exciting", "easy/hard", "easy/difficult", "safe/dangerous", "present/absent", "morning/evening", "day/night", "indoor/outdoor", "inside/outside", "public/private", "full/empty", "cheap/expensive", "healthy/sick", "dry/wet", "light/dark", "include/exclude", "with/without", "always/never", "all/none", "remember/forget", "arrive/leave", "arrive/depart", "come/go", "employed/unemployed", "odd/even", "major/minor", "positive/negative", "able/unable", "possible/impossible", "honest/dishonest", "relieved/disappointed", "proud/ashamed", "calm/anxious", "confident/insecure", "allowed/forbidden", "gold/silver", "gold/bronze", "silver/bronze", "summer/winter", "spring/autumn", "spring/fall", "vegetarian/carnivore", "introvert/extrovert"]
)
"""Pairs that cannot both hold."""

COLOURS = _words(
    "red blue green yellow black white brown grey gray pink purple orange silver gold golden teal amber violet beige "
    "turquoise maroon navy crimson ivory tan"
)

ALIASES = {
    "grandma": "grandmother",
    "granny": "grandmother",
    "grandpa": "grandfather",
    "mom": "mother",
    "mum": "mother",
    "mommy": "mother",
    "dad": "father",
    "daddy": "father",
    "kid": "child",
    "kids": "children",
    "bike": "bicycle",
    "photo": "photograph",
    "photos": "photographs",
    "pic": "photograph",
    "tv": "television",
    "fridge": "refrigerator",
    "phone": "telephone",
    "cellphone": "telephone",
    "cinema": "theater",
    "theatre": "theater",
    "colour": "color",
    "favourite": "favorite",
    "st": "saint",
    "mr": "mr",
    "usa": "united states",
    "us": "united states",
    "u.s": "united states",
    "u.s.": "united states",
    "u.s.a": "united states",
    "u.s.a.": "united states",
    "america": "united states",
    "uk": "united kingdom",
    "u.k.": "united kingdom",
    "uae": "united arab emirates",
    "nyc": "new york",
    "la": "los angeles",
    "sf": "san francisco",
    "dc": "washington",
    "min": "minute",
    "mins": "minute",
    "hr": "hour",
    "hrs": "hour",
    "sec": "second",
    "secs": "second",
    "yr": "year",
    "yrs": "year",
    "&": "and",
    "vs": "versus",
    "approx": "about",
}
"""Short forms, each with its full one."""

CURRENCIES = {
    "$": "dollar",
    "usd": "dollar",
    "dollars": "dollar",
    "bucks": "dollar",
    "€": "euro",
    "eur": "euro",
    "euros": "euro",
    "£": "pound",
    "gbp": "pound",
    "pounds": "pound",
    "¥": "yen",
    "jpy": "yen",
    "%": "percent",
}
GLUE = _words(
    "a an the of to in on at by for with from as and or is are was were be been being it its he she they his her their "
    "him them i you my your our we this that these those there here do does did has have had will would can could so "
    "because since just only also about around approximately roughly exactly nearly almost some any very s"
)
"""Function words; alone they answer nothing."""
