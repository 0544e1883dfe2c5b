"""Words that the rule extractor, its slots and the rule chat know; English, general, of no benchmark."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


PRONOUNS = _words(
    "i me my mine myself we us our ours ourselves he him his himself she her hers herself they them their theirs "
    "i'm i've i'd i'll we're we've we'd we'll he's she's they're they've they'd they'll"
)
"""A sentence with one of these speaks of a person."""

GREETINGS = _words(
    "hi hey hello howdy greetings bye goodbye cheers thanks thank thx wow oh ah haha yeah yep yes no nope ok okay "
    "sure great awesome cool nice amazing wonderful fantastic lovely absolutely definitely exactly totally "
    "congrats congratulations welcome sorry good take talk see later anytime agreed right true indeed sounds glad"
)
"""A short sentence that opens with one of these is talk about the talk."""

CHANGES = _words(
    "start started starting stop stopped stopping begin began begun quit finish finished end ended become became "
    "change changed switch switched move moved moving join joined leave left retire retired graduate graduated "
    "enrol enroll enrolled marry married divorce divorced born die died lose lost win won gain gained break broke "
    "broken recover recovered hire hired fire fired promote promoted build built create created make made launch "
    "launched open opened close closed adopt adopted sell sold buy bought purchase purchased receive received got "
    "get gave give pass passed fail failed turn turned grow grew replace replaced upgrade upgraded cancel "
    "cancelled canceled postpone postponed accept accepted reject rejected sign signed apply applied learn "
    "learned learnt teach taught meet met visit visited travel travelled traveled went go going gone come came "
    "return returned attend attended write wrote written paint painted bake baked cook cooked run ran read play "
    "played watch watched try tried volunteer volunteered organize organized organise organised plan planned "
    "planning decide decided book booked"
)
HOLDINGS = _words(
    "have has had own owns owned keep keeps kept live lives lived work works worked study studies studied belong "
    "belongs belonged named called use uses used wear wears drive drives ride rides collect collects earn earns "
    "need needs weigh weighs cost costs speak speaks member allergic pregnant engaged employed"
)
TASTES = _words(
    "like likes liked love loves loved enjoy enjoys enjoyed prefer prefers preferred hate hates hated dislike "
    "dislikes disliked want wants wanted hope hopes hoped wish wishes wished favorite favourite interested "
    "interest passion passionate dream dreams dreamed fan avoid avoids avoided miss misses missed adore adores "
    "fond afraid scared keen believe believes value values goal goals hobby hobbies obsessed"
)
SIGNALS = CHANGES | HOLDINGS | TASTES
"""Verbs and nouns of change, possession and preference."""

TIMES = _words(
    "today yesterday tomorrow tonight ago week weeks weekend month months year years day days morning evening "
    "summer winter spring autumn fall monday tuesday wednesday thursday friday saturday sunday january february "
    "march april june july august september october november december daily weekly monthly yearly annual birthday "
    "anniversary recently lately soon since until"
)
COUNTS = _words(
    "one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred thousand "
    "million first second third fourth fifth once twice dozen couple several half both"
)

FIRST_PERSON = {
    "i": "{name}",
    "me": "{name}",
    "myself": "{name}",
    "my": "{name}'s",
    "mine": "{name}'s",
    "i'm": "{name} is",
    "i've": "{name} has",
    "i'd": "{name} would",
    "i'll": "{name} will",
}
"""How first-person words are put when the speaker is named."""

AFTER_NAME = {
    "am": "is",
    "have": "has",
    "do": "does",
    "don't": "doesn't",
    "haven't": "hasn't",
    "go": "goes",
}
"""Verbs that change when `I` gives way to a name."""

AGREEING = _words(
    "like love enjoy prefer hate dislike want hope wish need own keep live work use wear drive ride collect earn "
    "speak think know feel believe play read write paint cook bake run plan start teach learn visit travel miss "
    "adore avoid value see remember guess make take get give spend volunteer dream eat drink swim hike sing dance "
    "listen look agree plan"
)
"""Verbs that take an -s after a name."""

ADVERBS = _words(
    "also really totally always just still never usually often only actually currently now recently definitely"
)
"""They may stand between `I` and its verb."""
FUTURE = _words("will gonna going plan plans planning planned hope next soon upcoming later tomorrow")
"""With one of these a weekday without more is the next one."""

LINKS = _words("is are was were be been am being 's")
"""Verbs between a thing and its value."""

BRIDGES = _words(
    "a an the of to in on at by for with from into as and or his her their its my your our is are was were be "
    "been has have had do does did will would can could may might shall should must not that which who whose "
    "where"
)
"""Function words: a value begins behind the last of them."""

MANY_VALUED = _words(
    "like likes liked love loves loved enjoy enjoys enjoyed hate hates hated dislike dislikes visit visited "
    "visits buy bought buys read reads watch watched watches play plays played collect collects meet met meets "
    "know knows want wants wanted went go goes going see saw seen eat eats ate try tried tries learn learned "
    "learns make made makes paint painted bake baked cook cooked attend attended win won hope hopes feel feels "
    "felt think thinks say said says told tell tells need needs has have had got get gets took take takes gave "
    "give gives found find finds "
    "keep keeps kept start starts started begin begins began stop stops stopped let lets help helps helped come comes "
    "came do does miss misses missed dream dreams fan excited passionate proud sure glad happy ready able interested"
)
"""A second value of these does not push out the first."""

ORDERS = _words(
    "answer reply respond be do don't never always use keep write return output avoid speak follow make give ask "
    "act remember ensure stay only if when you your"
)
"""A listed line that opens with one of these tells the model what to do and is no memory."""

MEMORY_WORDS = _words(
    "memory memories remember remembered recall recalled recollection known know knowledge fact facts note notes "
    "noted context record records history background found retrieved profile observations earlier past stored"
)
"""A heading or tag with one of these announces what a memory found."""

ASKERS = _words(
    "what who whom whose which where when why how is are am was were do does did can could will would shall "
    "should may might have has had"
)
"""A sentence that opens with one of these asks something."""

STATUS = _words("position role rank title post office job language religion party team status")
"""With one of these even a verb of many values has one: plays the role of."""
FILLERS = _words("now currently nowadays also really still just recently actually instead always usually then well so")
"""They stand in no part of a slot."""
VERBS = (SIGNALS | AGREEING | frozenset(f"{verb}s" for verb in AGREEING)) - _words(
    "named called member allergic favorite favourite interest interested passion passionate dream fan fond afraid "
    "scared keen value values goal goals hobby hobbies obsessed use book play plan cost costs need needs end open "
    "run cook work works study studies drive ride hope pass turn sign move change start finish miss care"
) | _words("plays works costs studies speaks performed died founded developed")
"""What parts a subject from what is said of it, beside links."""

ANSWER = "From what I keep of our talks: “{memory}”"
NO_MEMORY = "I find nothing on that in what I keep of our talks. Would you tell me?"
NOTED = "Thank you for telling me, that stays with me."
NOTED_BESIDE = "Thank you for telling me, that stays with me. It stands beside this: “{memory}”"
GREETING = "Good to hear from you. What would you like to talk about?"
NOTHING_SAID = "I am listening."
FRAMES = tuple(
    part
    for frame in (ANSWER, NO_MEMORY, NOTED, NOTED_BESIDE, GREETING, NOTHING_SAID)
    for part in (frame.partition("{")[0].strip(), "It stands beside this:", "Would you tell me?")
)
"""How the rule chat's own sentences begin."""
