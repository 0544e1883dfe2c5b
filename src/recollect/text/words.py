"""Closed word classes of English, and the words that a search leaves out."""

from __future__ import annotations


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


ARTICLES = _listed("a an the")
NEGATIONS = _listed("no not never none nobody nothing nowhere neither nor cannot without")
PRONOUNS = _listed(
    "i me my mine myself you your yours yourself yourselves he him his himself she her hers herself it its itself we "
    "us our ours ourselves they them their theirs themselves one oneself this that these those someone somebody "
    "something anyone anybody anything everyone everybody everything each other another"
)
QUESTION_WORDS = _listed("who whom whose what which when where why how whoever whatever whichever whenever wherever")
AUXILIARIES = _listed(
    "am is are was were be been being do does did doing done have has had having will would shall should can could may "
    "might must ought"
)
PREPOSITIONS = _listed(
    "of in to for with on at from by about as into like through after over between out against during before under "
    "around among across behind beyond near off onto per since than toward towards until till up upon via within above "
    "below along beside besides despite except inside outside past throughout unlike"
)
CONJUNCTIONS = _listed("and or but if because while although though whether so yet unless whereas")
DETERMINERS = _listed(
    "all any both each either every few less little many more most much other own same several some such"
)
PARTICLES = _listed(
    "there here then now just only also too very again ever even still already almost quite rather really"
)
CONTRACTIONS = _listed(
    "i'm i've i'll i'd you're you've you'll you'd he's he'll he'd she's she'll she'd it's it'll it'd we're we've we'll "
    "we'd they're they've they'll they'd that's that'll there's here's what's who's where's when's how's why's let's "
    "isn't aren't wasn't weren't don't doesn't didn't haven't hasn't hadn't won't wouldn't shan't shouldn't can't "
    "couldn't mightn't mustn't ain't"
)

FUNCTION_WORDS = (
    ARTICLES
    | NEGATIONS
    | PRONOUNS
    | QUESTION_WORDS
    | AUXILIARIES
    | PREPOSITIONS
    | CONJUNCTIONS
    | DETERMINERS
    | PARTICLES
)
"""Words that carry grammar and no topic; negations are among them, so take `NEGATIONS` away where polarity counts."""

STOP_WORDS = (FUNCTION_WORDS | CONTRACTIONS) - _listed("may might past like own little")
"""What a search leaves out; words that are as often names, nouns or verbs stay in."""
