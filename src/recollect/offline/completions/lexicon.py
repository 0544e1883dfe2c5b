"""Words by which the rules tell what a heading announces, what a field holds and what a tool does; of no one system."""

from __future__ import annotations

import re


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_NAME = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")


def words_of(name: str) -> frozenset[str]:
    """The words of a name: of `new_tags`, `newTags`, `NewTags` and `New tags` alike."""
    return frozenset(word.lower() for word in _NAME.findall(name))


# headings and tags

MATERIAL = _words(
    "message messages conversation conversations convo dialogue dialog chat transcript session sessions content text "
    "document documents passage passages input inputs episode episodes note notes turn turns utterance utterances "
    "article chunk data observation observations trajectory interaction"
)
"""A heading or tag with one of these announces what is to be read."""
BESIDE = _words(
    "existing previous past last recent recently retrieved known stored old older earlier current memory memories "
    "summary summaries neighbor neighbors neighbour neighbours nearest related relevant context history profile "
    "background output outputs example examples format rule rules schema guideline guidelines instruction "
    "instructions language requirement requirements task role goal goals date time keywords keyword tags tag "
    "response answer reply facts fact entities relations types type persona constraints steps important "
    "remember based custom feedback"
)
"""With one of these it announces something else."""
NEW = _words("new latest")
"""With one of these it is to be read whatever else stands beside it."""
DATED = _words("date time timestamp datetime")

# fields

FACTS = _words(
    "fact facts memory memories statement statements observation observations insight insights detail details "
    "finding findings preference preferences information learnings events"
)
KEYWORDS = _words("keyword keywords tag tags topic topics theme themes concept concepts label labels")
NAMES = _words("entity entities name names person people participant participants speaker speakers who")
TEXTS = _words(
    "text content memory fact statement value description observation detail what information note message body data "
    "insight summary context title headline theme topic reason reasoning explanation"
)
DATES = DATED | _words("when day")
WHO = _words("attributed speaker role who author by subject user")
NUMBERED = _words("id index number key")
LINKED = _words(
    "linked related connection connections suggested existing previous update delete remove neighbor neighbors "
    "neighborhood neighbour neighbours neighbourhood"
)
"""A list named by these is of things held already, of which the rules touch none."""
ACTIONS = _words("event action operation")
ADDING = ("ADD", "CREATE", "INSERT", "NEW")

# tools

STORING = _words("add create insert save store remember memory memories extract record write manage upsert")
CHANGING = _words("patch update delete remove forget search find get list read done finish no noop")
"""Tools that work on what is held already, or end the work: the rules do neither unless they must."""

# prompts

DISTILLING = _words("summarize summarise summary extract condense distil distill rewrite compress")
"""A prompt with one of these wants the facts, not a reply."""
