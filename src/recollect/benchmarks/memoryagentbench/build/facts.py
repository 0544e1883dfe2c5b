"""FactConsolidation rebuilt from MQuAKE: one list of facts per size, and 100 questions of one and of several hops."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path
from random import Random
from typing import Any

from recollect.benchmarks.memoryagentbench.build.words import subjects
from recollect.benchmarks.memoryagentbench.families import fact_lists as facts
from recollect.benchmarks.memoryagentbench.families.fact_lists import KeyOf, Track
from recollect.benchmarks.memoryagentbench.families.facts import HOPS, SIZES, source_of
from recollect.benchmarks.memoryagentbench.generate.facts import fact_words
from recollect.benchmarks.memoryagentbench.histories import keyed
from recollect.benchmarks.memoryagentbench.questions import Asked
from recollect.domain.errors import DataError
from recollect.domain.histories import Keyed
from recollect.metrics.text_match import substring_match
from recollect.records.data_files import text_of
from recollect.text.tokens import count

QUOTAS = {2: 34, 3: 33, 4: 33}
UNIQUE = 26
"""Single-hop questions about a fact that never changed, as many as the published 6K row has: the control."""
LEAST = 0.9
"""Share of a size that must be reached."""


def build_facts(folder: Path, tasks: Sequence[str], seed: int) -> tuple[list[Keyed], str]:
    """The rows of the named sources; both rows of a size share their context."""
    cases = read_cases(folder)
    made: list[Keyed] = []
    origins: list[str] = []
    for size in SIZES:
        sources = {hops: source_of(hops, size) for hops in HOPS}
        if any(source.name in tasks for source in sources.values()):
            texts, asked, origin = _world(cases, size, seed, folder / FOLDER)
            made += [keyed(source, 0, texts, asked[hops]) for hops, source in sources.items() if source.name in tasks]
            origins.append(origin)
    return made, f"{FOLDER} ({len(cases)} cases; {'; '.join(origins)})"


def _world(
    cases: Sequence[Case], size: str, seed: int, where: Path
) -> tuple[Sequence[str], dict[str, list[Asked]], str]:
    """Texts of one size, questions by kind (`sh` and `mh`), and how much of the size there is, and of what."""
    rng = Random(f"factconsolidation {size} {seed}")
    # the right answer may not be part of the one before the edits, or of one that a stale fact gives
    ends = [(case, case.hops[-1].value, {case.old_answer, case.hops[-1].old or case.old_answer}) for case in cases]
    cases = [case for case, right, old in ends if not any(substring_match(end, right) for end in old)]
    rng.shuffle(cases)
    limit = SIZES[size]
    found = choose(cases, QUOTAS, limit)
    if found is None:
        raise DataError(f"there are not {sum(QUOTAS.values())} chains that agree within {limit} tokens", where)
    selection, chains = found
    full = fill(selection, limit, cases, rng)
    real = selection.statements
    if not full:
        fill_from(selection, limit, invented(cases, Random(f"invented {size} {seed}")))
    if selection.tokens < LEAST * limit:
        share = f"{selection.tokens} tokens, {selection.tokens / limit:.0%} of size {size}"
        fix = "Take a smaller size, or add cases."
        raise DataError(f"all facts that agree, and all invented ones, make {share}", where, fix=fix)
    texts, places = facts.shuffled(selection.tracks, rng)
    book = facts.FactBook(tracks=selection.tracks, places=places)
    single = _single(book, selection, rng)
    share = f"{1 - real / selection.statements:.1%} of the statements invented"
    origin = f"{size}: {selection.tokens:,} of {limit:,} tokens, {share}"
    return texts, {"sh": single, "mh": [_chained(book, case, rng) for case in chains]}, origin


def _single(book: facts.FactBook, selection: Selection, rng: Random) -> list[Asked]:
    """Questions about one fact, mostly an edited one; none whose stale value contains the right one."""
    keys = sorted(key for key in selection.tracks if selection.hops[key].question)  # none asks about invented facts
    rng.shuffle(keys)
    first: dict[str, str] = {}
    for key in keys:
        first.setdefault(selection.hops[key].question, key)
    stale = {
        key: [value for value in reversed(track.values) if value != track.value] for key, track in book.tracks.items()
    }
    clear = [k for k in first.values() if not any(substring_match(old, book.tracks[k].value) for old in stale[k])]
    unique = [key for key in clear if not stale[key]][:UNIQUE]
    edited = [key for key in clear if stale[key]][: sum(QUOTAS.values()) - len(unique)]
    chosen = [*unique, *edited]
    rng.shuffle(chosen)
    hops = [(key, selection.hops[key]) for key in chosen]
    return [book.asked(hop.question, (hop.value, *hop.aliases), [key], stale[key]) for key, hop in hops]


def _chained(book: facts.FactBook, case: Case, rng: Random) -> Asked:
    """A question over a chain; its answer is walked in the final facts."""
    start, hops = case.hops[0].subject, [hop.key_of for hop in case.hops]
    found = facts.walk(book.tracks, start, hops)
    last = case.hops[-1]
    if found is None or found.end != last.value:
        raise ValueError(f"case {case.case_id}: the facts lead to {found and found.end!r}, not to {last.value!r}")
    rejected = [*facts.stale_ends(book.tracks, start, hops), case.old_answer]
    return book.asked(rng.choice(case.questions), (last.value, *last.aliases), found.keys, rejected)


class Selection:
    """Facts chosen so far, and what they cost."""

    def __init__(self) -> None:
        self.tracks: dict[str, facts.Track] = {}
        self.hops: dict[str, Hop] = {}
        """The hop each key came from."""
        self.statements = 0
        self.tokens = count(f"{facts.HEADER}\n")

    def agrees(self, hops: Iterable[Hop]) -> bool:
        """Whether no key would end with another value than it has, or have another old one."""
        wanted: dict[str, facts.Track] = {}
        for hop in hops:
            new, known = hop.track, wanted.get(hop.key) or self.tracks.get(hop.key)
            if known is not None:
                added = min(len(new.values), len(known.values)) == 1  # one of them has no old value
                if new.value != known.value or not (added or new.values == known.values):
                    return False
            wanted[hop.key] = new
        return True

    def take(self, hop: Hop, limit: float = inf) -> bool:
        """Add a fact that agrees, unless all would be more than *limit* tokens; whether there was room."""
        known = self.tracks.get(hop.key)
        old = known.statements if known is not None else ()
        new = dict.fromkeys(statement for statement in hop.track.statements if statement not in old)
        numbered = enumerate(new, start=self.statements)  # which numbers they get does not matter to the sum
        tokens = self.tokens + sum(count(f"{serial}. {statement}\n") for serial, statement in numbered)
        if tokens > limit:
            return False
        self.tokens = tokens
        self.statements += len(new)
        if known is None or len(known.values) < len(hop.track.values):
            self.tracks[hop.key] = hop.track
        self.hops.setdefault(hop.key, hop)
        return True


def choose(cases: Sequence[Case], quotas: Mapping[int, int], limit: int) -> tuple[Selection, list[Case]] | None:
    """Chains by number of hops, in turn, whose facts agree; `None` where they are too few or too long."""
    selection = Selection()
    waiting = {hops: iter([case for case in cases if len(case.hops) == hops]) for hops in quotas}
    chosen: list[Case] = []
    turns = [hops for number in range(max(quotas.values())) for hops, quota in quotas.items() if number < quota]
    for hops in turns:
        case = next((case for case in waiting[hops] if selection.agrees(case.hops)), None)
        if case is None:
            return None
        for hop in case.hops:
            selection.take(hop)
        chosen.append(case)
    return (selection, chosen) if selection.tokens <= limit else None


def fill(selection: Selection, limit: int, cases: Sequence[Case], rng: Random) -> bool:
    """Further facts up to the limit, edited ones with their old values first; whether it was reached."""
    hops = {hop.key: hop for case in cases for hop in case.hops if hop.key not in selection.tracks}
    edited = [hop for case in cases for hop in case.hops if hop.old is not None]
    single = [hop for hop in hops.values() if hop.old is None]
    for group in (edited, single):
        rng.shuffle(group)
        if fill_from(selection, limit, group):
            return True
    return False


def fill_from(selection: Selection, limit: int, hops: Iterable[Hop]) -> bool:
    """Those facts that are new, while there is room; whether it ran out."""
    return any(hop.key not in selection.tracks and not selection.take(hop, limit) for hop in hops)


FOLDER = "mquake"
CASES = ("cf_3k.jsonl.xz", "hard_4hop.jsonl.xz")
TEMPLATES = "cloze_templates.json"
_FIX = "Copy it again from the source that the folder's README names."


@dataclass(frozen=True, slots=True, kw_only=True)
class Hop:
    """One fact of a chain, as it is after the edits."""

    template: str
    """With `[X]` for the subject; the value follows."""
    subject: str
    value: str
    aliases: tuple[str, ...]
    question: str
    old: str | None
    """What it said before, if it was edited."""

    @property
    def key(self) -> str:
        """The statement up to its value, which two facts must share to contradict each other."""
        return self.key_of(self.subject)

    @property
    def key_of(self) -> KeyOf:
        """The key of the same relation for any subject."""
        return lambda subject: self.template.replace("[X]", subject)

    @property
    def track(self) -> Track:
        """The fact, and what it said before."""
        values = (self.value,) if self.old is None else (self.old, self.value)
        return Track(values=values, statements=tuple(statement(self.key, value) for value in values))


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One chain with its questions."""

    case_id: int
    hops: tuple[Hop, ...]
    questions: tuple[str, ...]
    """The same question in three wordings."""
    old_answer: str
    """Where the chain led before the edits."""


def statement(key: str, value: str) -> str:
    """A fact as a sentence; a value that ends in a full stop needs no second one."""
    return f"{key} {value}".removesuffix(".") + "."


def read_cases(folder: Path) -> list[Case]:
    """All cases, sorted by id.

    Raises:
        DataError: A file is missing or malformed.
    """
    path = folder / FOLDER / TEMPLATES
    try:
        templates = {name: text.removesuffix(" __") for name, text in json.loads(text_of(path, fix=_FIX)).items()}
    except (ValueError, AttributeError) as error:
        raise DataError(f"it is not a JSON object of templates ({error})", path, fix=_FIX) from None
    cases = []
    for file in (folder / FOLDER / name for name in CASES):
        for number, line in enumerate(text_of(file, fix=_FIX).splitlines(), start=1):
            try:
                cases.append(_case(json.loads(line), templates))
            except (ValueError, KeyError, TypeError) as error:
                raise DataError(f"it is not a case of MQuAKE ({error!r})", file, line=number, fix=_FIX) from None
    return sorted(cases, key=lambda case: case.case_id)


def _case(data: Mapping[str, Any], templates: Mapping[str, str]) -> Case:
    edits = {(edit["relation_id"], edit["subject"]): edit for edit in data["requested_rewrite"]}
    chain = data["orig"]
    edited = {tuple(triple) for triple in chain["edit_triples"]}
    hops = []
    facts = zip(chain["new_triples"], chain["new_triples_labeled"], data["new_single_hops"], strict=True)
    for triple, labels, hop in facts:
        rewrite = edits[triple[1], labels[0]] if tuple(triple) in edited else None
        hops.append(
            Hop(
                template=templates[triple[1]],
                subject=labels[0],
                value=hop["answer"],
                aliases=tuple(hop["answer_alias"]),
                question=hop["question"],
                old=rewrite["target_true"]["str"] if rewrite else None,
            )
        )
    return Case(
        case_id=data["case_id"], hops=tuple(hops), questions=tuple(data["questions"]), old_answer=data["answer"]
    )


COUNTS = {"person": 600, "company": 200, "work": 300, "town": 100, "team": 60}


def invented(cases: Sequence[Case], rng: Random) -> Iterator[Hop]:
    """Facts about nobody in random order, each with what it said before; as many as there are names for.

    Relations with fewer than five values in the source, over all edits, are left out.
    """
    found: dict[str, set[str]] = {}
    for hop in (hop for case in cases for hop in case.hops):
        found.setdefault(hop.template, set()).update(value for value in (hop.value, hop.old) if value)
    values = {template: sorted(known) for template, known in found.items() if len(known) >= 5}
    subjects_known = {hop.subject for case in cases for hop in case.hops}
    about = [
        (template, name)
        for kind, templates in subjects().items()
        for name in _names(kind, rng)
        if name not in subjects_known
        for template in templates
        if template in values
    ]
    rng.shuffle(about)
    for template, name in about:
        old, new = rng.sample(values[template], 2)
        yield Hop(template=template, subject=name, value=new, aliases=(), question="", old=old)


def _names(kind: str, rng: Random) -> list[str]:
    """Different names of a kind, in random order."""
    names = fact_words(held_out=False).names
    parts = (names["book"][0], (" ",), *names["town"]) if kind == "work" else names[kind]
    drawn: dict[str, None] = {}
    while len(drawn) < COUNTS[kind]:
        drawn["".join(rng.choice(part) for part in parts)] = None
    return list(drawn)
