"""Closed word classes of English, and the words that a search ignores."""

from __future__ import annotations


def listed(words: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(words.split())


ARTICLES = listed("a an the")
NEGATIONS = listed("no not never none nobody nothing nowhere neither nor cannot without")
PRONOUNS = listed(
    "i me my mine myself you your yours yourself yourselves he him his himself she her hers herself it its itself we "
    "us our ours ourselves they them their theirs themselves one oneself this that these those someone somebody "
    "something anyone anybody anything everyone everybody everything each other another"
)
QUESTION_WORDS = listed("who whom whose what which when where why how whoever whatever whichever whenever wherever")
AUXILIARIES = listed(
    "am is are was were be been being do does did doing done have has had having will would shall should can could may "
    "might must ought"
)
PREPOSITIONS = listed(
    "of in to for with on at from by about as into like through after over between out against during before under "
    "around among across behind beyond near off onto per since than toward towards until till up upon via within above "
    "below along beside besides despite except inside outside past throughout unlike"
)
CONJUNCTIONS = listed("and or but if because while although though whether so yet unless whereas")
DETERMINERS = listed(
    "all any both each either every few less little many more most much other own same several some such"
)
PARTICLES = listed(
    "there here then now just only also too very again ever even still already almost quite rather really"
)
CONTRACTIONS = listed(
    "i'm i've i'll i'd you're you've you'll you'd he's he'll he'd she's she'll she'd it's it'll it'd we're we've we'll "
    "we'd they're they've they'll they'd that's that'll there's here's what's who's where's when's how's why's let's "
    "isn't aren't wasn't weren't don't doesn't didn't haven't hasn't hadn't won't wouldn't shan't shouldn't can't "
    "couldn't mightn't mustn't ain't"
)

FUNCTION_WORDS = ARTICLES.union(
    NEGATIONS, PRONOUNS, QUESTION_WORDS, AUXILIARIES, PREPOSITIONS, CONJUNCTIONS, DETERMINERS, PARTICLES
)
"""Words that carry grammar and no topic; negations are among them, so remove `NEGATIONS` where polarity counts."""

STOP_WORDS = (FUNCTION_WORDS | CONTRACTIONS) - listed("may might past like own little")
"""Words that a search ignores; those that are as often names, nouns or verbs are not among them."""
