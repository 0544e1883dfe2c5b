"""The published layouts of five sources: how their records are recognised and read as seeds.

Fields that are read; all others are ignored.

* FanOutQA: `id`, `question`, `answer`, and of the tree `decomposition` of each sub-question `question`, `answer`,
  `decomposition`. Checked against the published development set.
* MuSiQue: `id`, `question`, `answer`, `answer_aliases`, `answerable`, `question_decomposition` (`question` with `#1`
  for an answer before it, `answer`, `paragraph_support_idx`), `paragraphs` (`idx`, `paragraph_text`). After public data
  cards.
* AmbigQA: `id`, `question`, `annotations` (`type`, `qaPairs` with `question` and `answer`), as objects or as the lists
  of columns in which a well-known mirror holds them. After its public read-me and data card.
* HoH: `question`, `answer`, `evidence`, `last_modified_time`, `outdated_infos` (`answer`, `evidence`,
  `last_modified_time`), `document` (`id`, `title`). After its public code. No record has a name, so question and
  document make one.
* QACC: no public description of its files was found. Taken are `question` (or `query`), and the first list named
  `contexts`, `search_results`, `results`, `entries` or `evidence` whose objects have a text (`context`, `snippet`,
  `text`, `content`, `evidence`) and an answer (`answer`, `answers`); a file whose name has `qacc` is taken for one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from recollect.benchmarks.subtlememory.make.sources.seeds import (
    ANY_ONE,
    CONTEXT,
    CONTRADICTORY,
    K_FACTS,
    TEMPORAL,
    Evidence,
    Seed,
)
from recollect.benchmarks.subtlememory.rows import ROWS, SAID, Shape, shown, wrong
from recollect.records.digests import opaque
from recollect.text.normal import normalise

FEWEST_LINKED, LINKS, FEWEST_OUTDATED, FEWEST_PAIRS, CONFLICTING = 5, 4, 3, 4, 3
"""The paper's thresholds: linked items of FanOutQA and MuSiQue, outdated values, pairs for contexts and conflicts."""
MOST_TOLD = 6
"""Most facts of a case."""
TEXT_SIGNS = 600
"""Characters that are kept of the text around an answer."""
LISTS = ("contexts", "search_results", "results", "entries", "evidence")
TEXTS = ("context", "snippet", "text", "content", "evidence")
_BACK = re.compile(r"#(\d+)")
_DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_ANSWER = Shape(said="an answer, or a list of them", fits=lambda value: bool(_wordings(value)))
Row = Mapping[str, Any]
Read = Callable[[Row, str, list[str]], Seed | None]


class Layout(NamedTuple):
    """Layout of a source's records."""

    family: str
    claims: Callable[[Row, Path], bool]
    read: Read
    """(record, place, problems) -> its seed; `None` if it is unfit, or if problems were added."""


def layout_of(row: Any, file: Path) -> Layout | None:
    """The layout of a record; `None` if it is unknown."""
    if not isinstance(row, Mapping):
        return None
    return next((one for one in LAYOUTS if one.claims(row, file)), None)


def said(value: Any) -> str:
    """An answer of any type as text."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, Mapping):
        return "; ".join(f"{name}: {said(one)}" for name, one in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(said, value))
    return "" if value is None else " ".join(str(value).split())


def _wordings(value: Any) -> tuple[str, ...]:
    """All wordings of one answer, none twice."""
    found: dict[str, str] = {}
    for text in map(said, value if isinstance(value, list | tuple) else [value]):
        if text:
            found.setdefault(normalise(text), text)
    return tuple(found.values())


def _seed(
    family: str, subtype: str, row: Row, place: str, *, facts: Iterable[Row], answers: tuple[str, ...] = ()
) -> Seed:
    """A seed of numbered evidence; *facts* holds the other fields of each."""
    return Seed(
        family=family,
        name=said(row.get("id")) or opaque("s", row.get("question")),
        subtype=subtype,
        question=said(row["question"]),
        answers=answers,
        evidence=tuple(Evidence(memory_id=f"e{number}", **fact) for number, fact in enumerate(facts, start=1)),
        place=place,
    )


def _fanoutqa(row: Row, place: str, problems: list[str]) -> Seed | None:
    if told := list(wrong(row, {"question": SAID, "decomposition": ROWS}, place)):
        problems += told
        return None
    before = len(problems)
    leaves = list(_leaves(row["decomposition"], f"{place}.decomposition", problems))
    if len(problems) > before or len(leaves) < FEWEST_LINKED:
        return None
    facts = [{"asked": one["question"], "accepted": (said(one["answer"]),)} for one in leaves]
    answers = (said(row["answer"]),) if said(row.get("answer")) else ()
    return _seed("fanoutqa", K_FACTS, row, place, facts=facts, answers=answers)


def _leaves(parts: Sequence[Any], place: str, problems: list[str]) -> Iterator[Row]:
    """Sub-questions that are not divided further and have an answer."""
    for number, one in enumerate(parts):
        where = f"{place}[{number}]"
        if told := list(wrong(one, {"question": SAID}, where)):
            problems += told
        elif isinstance(one.get("decomposition"), list) and one["decomposition"]:
            yield from _leaves(one["decomposition"], f"{where}.decomposition", problems)
        elif said(one.get("answer")):
            yield one


def _musique(row: Row, place: str, problems: list[str]) -> Seed | None:
    shapes = {"question": SAID, "question_decomposition": ROWS, "answer": _ANSWER}
    told = list(wrong(row, shapes, place))
    steps = row["question_decomposition"] if not told else []
    for number, one in enumerate(steps):
        told += wrong(one, {"question": SAID, "answer": _ANSWER}, f"{place}.question_decomposition[{number}]")
    if told:
        problems += told
        return None
    if len(steps) != LINKS or row.get("answerable") is False:
        return None
    answers = _wordings([row["answer"], *(row.get("answer_aliases") or ())])
    paragraphs = [one for one in row.get("paragraphs") or () if isinstance(one, Mapping)]
    texts = {one.get("idx"): said(one.get("paragraph_text")) for one in paragraphs}

    def answer(found: re.Match[str]) -> str:
        """The answer that `#1` and so on refer to."""
        number = int(found[1])
        return said(steps[number - 1]["answer"]) if 0 < number <= len(steps) else found[0]

    facts = [
        {
            "asked": _BACK.sub(answer, one["question"]),
            "accepted": answers if number == len(steps) else _wordings(one["answer"]),
            "text": texts.get(one.get("paragraph_support_idx"), "")[:TEXT_SIGNS],
        }
        for number, one in enumerate(steps, start=1)
    ]
    return _seed("musique", K_FACTS, row, place, facts=facts, answers=answers)


def _ambigqa(row: Row, place: str, problems: list[str]) -> Seed | None:
    if told := list(wrong(row, {"question": SAID}, place)):
        problems += told
        return None
    pairs = max(_paired(row["annotations"], f"{place}.annotations", problems), key=len, default=[])
    answers = {normalise(wordings[0]) for _, wordings in pairs}
    if len(pairs) < CONFLICTING or len(answers) < 2:
        return None
    facts = [{"asked": asked, "accepted": wordings} for asked, wordings in pairs[:MOST_TOLD]]
    subtype = CONTEXT if len(pairs) >= FEWEST_PAIRS else CONTRADICTORY
    return _seed("ambigqa", subtype, row, place, facts=facts)


def _paired(annotations: Any, place: str, problems: list[str]) -> Iterator[list[tuple[str, tuple[str, ...]]]]:
    """Questions with their answers, for each annotation."""
    for number, one in enumerate(_objects(annotations)):
        found = []
        for turn, pair in enumerate(_objects(one.get("qaPairs") or one.get("qa_pairs") or [])):
            where = f"{place}[{number}].qaPairs[{turn}]"
            if told := list(wrong(pair, {"question": SAID, "answer": _ANSWER}, where)):
                problems += told
            else:
                found.append((said(pair["question"]), _wordings(pair["answer"])))
        yield found


def _objects(value: Any) -> list[Any]:
    """A list of objects, also if it is given as columns."""
    if isinstance(value, Mapping):
        columns = {name: column for name, column in value.items() if isinstance(column, list)}
        size = max(map(len, columns.values()), default=0)
        return [{name: column[at] for name, column in columns.items() if at < len(column)} for at in range(size)]
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []


def _hoh(row: Row, place: str, problems: list[str]) -> Seed | None:
    shapes = {"answer": _ANSWER, "last_modified_time": Shape(said="a date", fits=lambda one: bool(_day(one)))}
    told = list(wrong(row, {"question": SAID, "outdated_infos": ROWS, **shapes}, place))
    for number, one in enumerate(row["outdated_infos"] if not told else ()):
        told += wrong(one, shapes, f"{place}.outdated_infos[{number}]")
    if told:
        problems += told
        return None
    if len(row["outdated_infos"]) < FEWEST_OUTDATED:
        return None
    dated = _changes(sorted([*row["outdated_infos"], row], key=lambda one: _day(one["last_modified_time"])))
    if len(dated) < FEWEST_OUTDATED:
        return None
    if len(dated) > MOST_TOLD:
        # as many as a case can tell, evenly from the first to the last
        dated = [dated[round(place * (len(dated) - 1) / (MOST_TOLD - 1))] for place in range(MOST_TOLD)]
    facts = [
        {
            "asked": row["question"],
            "accepted": _wordings(one["answer"]),
            "text": said(one.get("evidence"))[:TEXT_SIGNS],
            "date": _day(one["last_modified_time"]),
        }
        for one in dated
    ]
    document = row.get("document")
    name = said(document.get("id") or document.get("title")) if isinstance(document, Mapping) else ""
    named = {**row, "id": row.get("id") or opaque("s", row["question"], name)}
    return _seed("hoh", TEMPORAL, named, place, facts=facts)


def _changes(dated: Sequence[Row]) -> list[Row]:
    """Snapshots whose value differs from the one before, one a day."""
    kept: list[Row] = []
    for one in dated:
        same = kept and normalise(said(kept[-1]["answer"])) == normalise(said(one["answer"]))
        if not same and not (kept and _day(kept[-1]["last_modified_time"]) == _day(one["last_modified_time"])):
            kept.append(one)
    return kept


def _day(value: Any) -> str:
    found = _DAY.match(said(value))
    return found[0] if found else ""


def _qacc(row: Row, place: str, problems: list[str]) -> Seed | None:
    question = said(row.get("question") or row.get("query"))
    if not question:
        problems.append(f"{place}.question: it is {shown(row.get('question'))}, and should be a text that is not empty")
        return None
    entries = next((found for name in LISTS if (found := _objects(row.get(name)))), [])
    told = [(_text(one), _wordings(one.get("answer") or one.get("answers"))) for one in entries]
    told = [(text, wordings) for text, wordings in told if text and wordings]
    counts = Counter(normalise(wordings[0]) for _, wordings in told)
    usual, count = max(counts.items(), key=lambda pair: pair[1], default=("", 0))
    if count < 2:
        return None
    same = [(text, wordings) for text, wordings in told if normalise(wordings[0]) == usual][:MOST_TOLD]
    facts = [{"asked": question, "accepted": wordings, "text": text[:TEXT_SIGNS]} for text, wordings in same]
    return _seed("qacc", ANY_ONE, {**row, "question": question}, place, facts=facts, answers=same[0][1])


def _text(entry: Row) -> str:
    return next((text for name in TEXTS if (text := said(entry.get(name)))), "")


def _has_entries(row: Row, file: Path) -> bool:
    named = "qacc" in file.as_posix().casefold() and ("question" in row or "query" in row)
    return named or any(
        isinstance(one, Mapping) and _text(one) and ("answer" in one or "answers" in one)
        for name in LISTS
        for one in _objects(row.get(name))
    )


LAYOUTS = (
    Layout("musique", lambda row, _: "question_decomposition" in row, _musique),
    Layout("fanoutqa", lambda row, _: "decomposition" in row, _fanoutqa),
    Layout("hoh", lambda row, _: "outdated_infos" in row, _hoh),
    Layout("ambigqa", lambda row, _: "annotations" in row, _ambigqa),
    Layout("qacc", _has_entries, _qacc),
)
"""A record has the first layout that claims it."""
