"""What a data set is made of: the paper's tables 7 and 8, and what an audit of it finds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from recollect.benchmarks.subtlememory.audit import audited, spread
from recollect.benchmarks.subtlememory.bundles import bundle_of_rows
from recollect.benchmarks.subtlememory.histories import ROWS, TASK
from recollect.benchmarks.subtlememory.items import FOLDED, Bundle, Instance
from recollect.benchmarks.subtlememory.paper_figures import TOKENS, TOKENS_OF_HISTORY, questions, sets
from recollect.benchmarks.subtlememory.rows import INSTANCE_ROWS, SESSION_ROWS
from recollect.contracts.benchmark import Dataset, Dialogues, Figure

_CJK = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_TOKEN = re.compile(rf"[{_CJK}]|[^\W{_CJK}]+|[^\w\s]")
_NO_DOMAINS = "the files name topics, and no domains"


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
