"""Similarity of a short answer to its gold: normalised equality, containment, word overlap, ROUGE-L.

Each measure is the best over the aliases of the gold.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from recollect.metrics.rouge import Overlap, rouge_l, rouge_lsum

_ARTICLE = re.compile(r"\b(a|an|the)\b")
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ALL_OR_NOTHING = frozenset({"yes", "no", "noanswer"})

Aliases: TypeAlias = "str | Sequence[Aliases]"
"""One gold string, or several, nested as deep as a file has them."""


def normalise(text: str) -> str:
    """Lower-case, without ASCII punctuation, articles and surplus white space.

    Order matters: `A.B.` becomes `ab`, since the stops go before the articles do.

    Source:
        DrQA (Chen et al. 2017), as in the SQuAD evaluation; checked in `tests/reference/test_metrics_parity.py`.
    """
    return " ".join(_ARTICLE.sub(" ", text.lower().translate(_NO_PUNCTUATION)).split())


def exact_match(prediction: str, answer: str) -> bool:
    """Whether both are the same after `normalise`."""
    return normalise(prediction) == normalise(answer)


def substring_match(prediction: str, answer: str) -> bool:
    """Whether the normalised answer occurs in the normalised prediction, also inside a word.

    An answer that normalises to nothing occurs everywhere, as in the reference.
    """
    return normalise(answer) in normalise(prediction)


def word_match(prediction: str, answer: str) -> bool:
    """`substring_match` at word borders only: `art` is not in `party`, and an empty answer is in nothing else."""
    wanted, answered = normalise(answer), normalise(prediction)
    return f" {wanted} " in f" {answered} " if wanted else not answered


def token_f1(prediction: str, answer: str) -> Overlap:
    """Overlap of the normalised words as bags.

    All or nothing where either side is `yes`, `no` or `noanswer`.

    Source:
        Yang et al. (2018), HotpotQA evaluation; checked in `tests/reference/test_metrics_parity.py`.
    """
    answered, wanted = normalise(prediction), normalise(answer)
    if answered != wanted and {answered, wanted} & _ALL_OR_NOTHING:
        return Overlap(0.0, 0.0, 0.0)
    ours, theirs = answered.split(), wanted.split()
    return Overlap.of((Counter(ours) & Counter(theirs)).total(), len(ours), len(theirs))


class TextScores(NamedTuple):
    """The text measures of one answer, each at its best over the aliases; ratios in [0, 1]."""

    exact_match: float
    """1 where the answer equals an alias after normalisation."""
    substring_match: float
    """1 where an alias occurs in the answer, also inside a word."""
    word_match: float
    """1 where an alias occurs in the answer at word borders."""
    f1: float
    """Word overlap."""
    rouge_l_f1: float
    """ROUGE-L, stemmed, F measure."""
    rouge_l_recall: float
    """ROUGE-L, stemmed, share of the alias."""
    rouge_lsum_f1: float
    """ROUGE-Lsum, stemmed, F measure."""
    rouge_lsum_recall: float
    """ROUGE-Lsum, stemmed, share of the alias."""


def text_scores(prediction: str, answers: Aliases) -> TextScores:
    """All text measures at once, best value of each over the aliases.

    Args:
        prediction: The answer, raw or parsed.
        answers: One alias or several, nested or not.

    Raises:
        TypeError: If the prediction or an alias is no string.
        ValueError: If there is no alias: a measure without gold is undefined, not 0.

    Source:
        MemoryAgentBench, text metrics; checked in `tests/reference/test_metrics_parity.py`.
    """
    if not isinstance(prediction, str):
        raise TypeError(f"an answer is text, got {type(prediction).__name__}: {prediction!r}")
    aliases = flat_aliases(answers)
    if not aliases:
        raise ValueError("no gold answer to compare with: the measures are undefined")
    found = []
    for alias in aliases:
        line, lines = rouge_l(prediction, alias), rouge_lsum(prediction, alias)
        scores = TextScores(
            exact_match=float(exact_match(prediction, alias)),
            substring_match=float(substring_match(prediction, alias)),
            word_match=float(word_match(prediction, alias)),
            f1=token_f1(prediction, alias).f1,
            rouge_l_f1=line.f1,
            rouge_l_recall=line.recall,
            rouge_lsum_f1=lines.f1,
            rouge_lsum_recall=lines.recall,
        )
        found.append(scores)
    return best_scores(found)


def best_scores(several: Iterable[TextScores]) -> TextScores:
    """The best value of each measure, such as over the raw and the parsed form of one answer.

    Raises:
        ValueError: If there are no scores.
    """
    columns = list(zip(*several, strict=True))
    if not columns:
        raise ValueError("no scores to take the best of")
    return TextScores(*map(max, columns))


def flat_aliases(answers: Aliases) -> list[str]:
    """Every string among the aliases, however deep, in order.

    Raises:
        TypeError: If something in it is neither a string nor a sequence of them.
    """
    if isinstance(answers, str):
        return [answers]
    if not isinstance(answers, list | tuple):
        raise TypeError(f"a gold answer is text or a list of texts, got {type(answers).__name__}: {answers!r}")
    return [alias for part in answers for alias in flat_aliases(part)]


def contained_share(prediction: str, wanted: Sequence[str]) -> float | None:
    """Share of the wanted strings that occur in the answer; case does not matter.

    Args:
        prediction: The raw answer.
        wanted: The strings, each counted once; not aliases of each other.

    Returns:
        A ratio in [0, 1]; `None` where nothing is wanted.

    Raises:
        TypeError: If *wanted* is a single string, whose letters would be counted.

    Source:
        RULER (Hsieh et al. 2024), string match for several values; EventQA's recall asks for a share of 1.
    """
    if isinstance(wanted, str):
        raise TypeError(f"the wanted strings come as a list, got the one string {wanted!r}")
    if not wanted:
        return None
    answer = prediction.lower()
    return sum(text.lower() in answer for text in wanted) / len(wanted)
