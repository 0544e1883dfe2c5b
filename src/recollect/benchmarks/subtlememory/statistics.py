"""What a data set is made of: the paper's tables 7 and 8, and what an audit of it finds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from statistics import fmean

from recollect.benchmarks.subtlememory.histories import ROWS, TASK
from recollect.benchmarks.subtlememory.items import FOLDED, Bundle, Instance, time_of
from recollect.benchmarks.subtlememory.load.bundles import bundle_of_rows
from recollect.benchmarks.subtlememory.rows import INSTANCE_ROWS, SESSION_ROWS
from recollect.benchmarks.subtlememory.tables import TOKENS, TOKENS_OF_HISTORY, questions, sets
from recollect.contracts.benchmark import Dataset, Dialogues, Figure

_CJK = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_TOKEN = re.compile(rf"[{_CJK}]|[^\W{_CJK}]+|[^\w\s]")
_NO_DOMAINS = "the files name topics, and no domains"
NEAR = 2
"""Sessions of a case with fewer others between them lie next to each other, as good as."""
LABEL_WORDS = re.compile(
    r"\b(?:complementary|nuanced?|nuances|contradict\w*|any[_-]one|multi-evidence"
    r"|[abc]_(?:user|non_user)_vs_\w+)\b|\bK[>=]1\b",
    re.IGNORECASE,
)
"""Names of relations and sub-types, and words of their kind, in a text."""
_LABEL_PARTS = re.compile(
    r"(?:^|[^a-z])(?:comp(?:lementary)?|nu|nuanced?|ctr|contradict\w*|temp(?:oral)?|ctx|context(?:ual)?"
    r"|any[_-]?one|k[>=]?1)(?=$|[^a-z])",
    re.IGNORECASE,
)
"""The same in an id, where short forms of them stand between other signs."""
_DAY_S = 86400.0


def statistics(dataset: Dataset, talks: Dialogues) -> tuple[Figure, ...]:
    """Counts and tokens as the paper gives them, then the audit; *talks* are of no use here."""
    del talks
    kept = dataset.shared[TASK][ROWS]
    names = [keyed.original_id for keyed in dataset.histories]
    bundles = [bundle_of_rows(name, kept[name][SESSION_ROWS], kept[name][INSTANCE_ROWS]) for name in names]
    return (*composition(bundles, _domains(dataset)), *audited(bundles))


def composition(bundles: Sequence[Bundle], domains: Mapping[str, str] | None = None) -> Iterator[Figure]:
    """Histories, sessions, tokens, and sets and questions by what they are.

    Args:
        bundles: Persons.
        domains: Topic -> domain, where one is known.
    """
    instances = [instance for bundle in bundles for instance in bundle.instances]
    tokens = [sum(tokens_of(turn.content) for talk in one.talks for turn in talk.history) for one in bundles]
    yield Figure(name="histories", value=len(bundles))
    yield Figure(name="sessions", value=sum(len(bundle.talks) for bundle in bundles))
    yield spread("sessions of a history", [len(bundle.talks) for bundle in bundles])
    yield Figure(name="messages", value=sum(len(talk.history) for bundle in bundles for talk in bundle.talks))
    yield Figure(name=TOKENS, value=sum(tokens))
    yield spread(TOKENS_OF_HISTORY, tokens)
    yield Figure(name="sets", value=len(instances))
    yield Figure(name="questions", value=sum(len(instance.qas) for instance in instances))
    yield from _by("source", instances, {one.instance_id: one.source for one in instances})
    yield from _by("relation", instances, {one.instance_id: one.relation_type for one in instances})
    folded = {one.instance_id: FOLDED.get(one.relation_subtype, one.relation_subtype) for one in instances}
    yield from _by("sub-type", instances, folded)
    raw = {one.instance_id: one.relation_subtype for one in instances if one.relation_subtype in FOLDED}
    yield from _by("sub-type as spelt", instances, raw)
    yield from _by_domain(instances, domains or {})
    yield from _by("topic", instances, {one.instance_id: one.topic for one in instances})


def tokens_of(text: str) -> int:
    """Tokens by the authors' rule: one for each Chinese character, each word and each mark of punctuation."""
    return len(_TOKEN.findall(text))


def _by(stratum: str, instances: Sequence[Instance], kinds: Mapping[str, str]) -> Iterator[Figure]:
    """Sets and questions of each kind, the most frequent first; instances without a kind do not count."""
    found = Counter(kinds[one.instance_id] for one in instances if one.instance_id in kinds)
    asked = Counter[str]()
    for one in instances:
        if one.instance_id in kinds:
            asked[kinds[one.instance_id]] += len(one.qas)
    for kind, count in sorted(found.items(), key=lambda pair: (-pair[1], pair[0])):
        yield Figure(name=sets(stratum, kind), value=count)
        yield Figure(name=questions(stratum, kind), value=asked[kind])


def _by_domain(instances: Sequence[Instance], domains: Mapping[str, str]) -> Iterator[Figure]:
    kinds = {one.instance_id: domains[one.topic] for one in instances if one.topic in domains}
    yield Figure(name="domains", value=len(set(kinds.values())) or None, why="" if kinds else _NO_DOMAINS)
    yield from _by("domain", instances, kinds)


def _domains(dataset: Dataset) -> dict[str, str]:
    """Topic -> domain, as the keys' labels say it."""
    labels = [key.labels for keyed in dataset.histories for key in keyed.keys.values()]
    return {one["topic"]: one["domain"] for one in labels if "topic" in one and one.get("domain")}


def audited(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """All figures of the audit."""
    yield spread("days that a history spans", [_days(bundle) for bundle in bundles], digits=1)
    yield from _closeness(bundles)
    yield from _repeats(bundles)
    yield from _words(bundles)
    told = [len(bundle.instances) - len({one.persona_str for one in bundle.instances}) for bundle in bundles]
    yield Figure(name="profiles that repeat another of the person", value=sum(told))


def spread(name: str, values: Sequence[float], *, digits: int = 2) -> Figure:
    """A mean with its range; nothing where there are no values."""
    if not values:
        return Figure(name=name, value=None, why="there is none")
    low, high = round(min(values), digits), round(max(values), digits)
    return Figure(name=name, value=round(fmean(values), digits), low=low, high=high)


def _days(bundle: Bundle) -> float:
    times = [time_of(talk) for talk in bundle.talks]
    return (max(times) - min(times)).total_seconds() / _DAY_S


def _closeness(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """How far the sessions of one case are from each other, in sessions and in days."""
    between: list[int] = []
    days: list[float] = []
    near = cases = 0
    for bundle in bundles:
        places = {talk.session_id: number for number, talk in enumerate(bundle.talks)}
        times = [time_of(talk) for talk in bundle.talks]
        for instance in bundle.instances:
            there = sorted({places[name] for name in instance.session_ids})
            gaps = [second - first - 1 for first, second in pairwise(there)]
            between += gaps
            days += [(times[second] - times[first]).total_seconds() / _DAY_S for first, second in pairwise(there)]
            cases += bool(gaps)
            near += bool(gaps) and min(gaps) < NEAR
    share = round(near / cases, 4) if cases else None
    why = "" if cases else "no case has two sessions"
    yield Figure(name=f"share of cases with sessions less than {NEAR} others apart", value=share, why=why)
    yield spread("sessions between two of one case", between)
    yield spread("days between two sessions of one case", days)


def _repeats(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    instances = [instance for bundle in bundles for instance in bundle.instances]
    told = [" ".join(turn.content for turn in talk.history) for bundle in bundles for talk in bundle.talks]
    yield _repeated("sessions that repeat another", told)
    yield _repeated("facts that repeat another", [fact for one in instances for fact in one.facts])
    yield _repeated("questions that repeat another", [qa.query for one in instances for qa in one.qas])
    linked = {(bundle.key, name) for bundle in bundles for one in bundle.instances for name in one.session_ids}
    yield Figure(name="sessions of no set", value=len(told) - len(linked))


def _repeated(name: str, texts: Iterable[str]) -> Figure:
    """How many are as others before them, but for case and white space."""
    counts = Counter(" ".join(text.casefold().split()) for text in texts)
    first = next((text for text, count in counts.items() if count > 1), "")
    return Figure(name=name, value=counts.total() - len(counts), why=_such_as(first))


def _words(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """Where a relation is spelt: in ids, which no system sees, and in what it does see."""
    talks = [talk for bundle in bundles for talk in bundle.talks]
    instances = [instance for bundle in bundles for instance in bundle.instances]
    ids = {talk.session_id for talk in talks} | {name for one in instances for name in (one.case_id, one.instance_id)}
    yield _spelling("ids that spell a label", sorted(ids), _LABEL_PARTS)
    yield _spelling("sessions with a label word", ["\n".join(t.content for t in one.history) for one in talks])
    yield _spelling("questions with a label word", [qa.query for one in instances for qa in one.qas])


def _spelling(name: str, texts: Iterable[str], words: re.Pattern[str] = LABEL_WORDS) -> Figure:
    found = [match for text in texts if (match := words.search(text))]
    shown = ""
    if found:
        place = found[0]
        shown = place.string[max(0, place.start() - 30) : place.end() + 30].strip()
    return Figure(name=name, value=len(found), why=_such_as(shown))


def _such_as(text: str) -> str:
    said = " ".join(text.split())
    return f"such as `{said if len(said) <= 80 else f'{said[:77]}...'}`" if said else ""
