"""A summary weighed by rules: its points and its sentences by the words that they share, and how it reads by its form.

Rules see words, not meaning. What is told in other words counts as missing, and what swaps two persons inside one
sentence may count as there. `tests/unit/judging/test_summaries.py` measures both.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from recollect.domain.outcomes import Judgement
from recollect.domain.questions import Key
from recollect.judging.findings import Finding, no, yes
from recollect.judging.said import prepare
from recollect.judging.statements import Text, borne_out
from recollect.judging.summary_parts import NO_GOLD, sentences_of, share_of, summary_parts
from recollect.judging.votes import Counted
from recollect.text.words import FUNCTION_WORDS

MOST_REPEATED = 0.25
"""Share of the sentences, or of the runs of words, that may have stood before."""
RUN = 6
LEAST_SMALL_WORDS = 0.15
"""Share of function words below which a text is a heap of words."""

_ended = re.compile(r"[.!?…][\"'”’»)\]*_]*\Z")


def judge_summary(key: Key, text: str) -> list[Judgement]:
    """The parts of the verdict on *text*, which has a sentence at least."""
    sentences = sentences_of(text)
    listed = [value for values in key.field_gold.values() for value in values]
    said = Text.of(list(sentences.values()), [*listed, *(key.gold[:1])])
    points = {name: _any(values, said) for name, values in key.field_gold.items()}
    precision = share_of(sentence_findings(sentences, key.gold[0]), "sentences") if key.gold else NO_GOLD
    return summary_parts(_counted(reads_well(text)), share_of(points, "points"), precision, points)


def reads_well(text: str) -> Finding:
    """Whether *text* has the form of whole sentences, comes to an end, and does not repeat itself."""
    sentences = [prepare(sentence) for sentence in sentences_of(text).values()]
    words = [word for sentence in sentences for word in sentence.words]
    small = sum(word in FUNCTION_WORDS for word in words) / max(1, len(words))
    if small < LEAST_SMALL_WORDS:
        return no("no_sentences", f"{small:.0%} function words")
    repeated = max(_repeated([one.stems for one in sentences]), _repeated(_runs(words)))
    if repeated > MOST_REPEATED:
        return no("repetitive", f"{repeated:.0%} stood before")
    return yes("reads_well") if _ended.search(text.strip()) else no("cut_off", f"ends in {text.strip()[-30:]!r}")


def sentence_findings(sentences: Mapping[str, str], gold: str) -> dict[str, Counted]:
    """Name of a sentence -> whether *gold* bears it out."""
    reference = Text.of(list(sentences_of(gold).values()), list(sentences.values()))
    return {name: _counted(_whole(sentence, reference)) for name, sentence in sentences.items()}


def _whole(sentence: str, reference: Text) -> Finding:
    ended = _ended.search(sentence.strip())
    return borne_out(prepare(sentence), reference) if ended else no("cut_off", "the sentence has no end")


def _any(values: Sequence[str], said: Text) -> Counted:
    """The finding on the first wording that is there, else on the first."""
    found = [borne_out(prepare(value), said) for value in values]
    return _counted(next((one for one in found if one.right), found[0] if found else no("no_reference")))


def _counted(found: Finding) -> Counted:
    return Counted(float(found.right), found.why)


def _repeated(pieces: Sequence[tuple[str, ...]]) -> float:
    return 1 - len(set(pieces)) / len(pieces) if pieces else 0.0


def _runs(words: Sequence[str]) -> list[tuple[str, ...]]:
    return [tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1)]
