"""Makes the tables and the sessions of docs/subtlememory.md and docs/three_sessions.md.

python scripts/subtlememory_docs.py blind
python scripts/subtlememory_docs.py sessions > docs/three_sessions.md
python scripts/subtlememory_docs.py run RUN_FOLDER
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from recollect.benchmarks.subtlememory.generate import bundles
from recollect.benchmarks.subtlememory.generate.blind import blind_rows
from recollect.benchmarks.subtlememory.generate.settings import SIZES
from recollect.benchmarks.subtlememory.items import RELATED, UNRELATED, Bundle, Instance, Qa, Talk
from recollect.worlds.solvers import BlindRow

SUBTYPES = {
    "K>1": "Multi-evidence",
    "any_one": "Any-one",
    "Temporal": "Temporal",
    "Context": "Contextual",
    "contradictory": "Contradictory",
}
SOLVERS = {
    "first": "first option",
    "middle": "middle option",
    "last": "last option",
    "shortest": "shortest option",
    "longest": "longest option",
    "most_alike": "most like the others",
    "least_alike": "least like the others",
    "at_random": "at random",
    "clarify": "always asks back",
    "refuse": "always knows nothing",
    "empty": "always empty",
    "name_all": "names everything",
}
COLUMNS = {
    "K>1": "Multi-evidence",
    "any_one": "Any-one",
    "complementary": "Compl.",
    "Temporal": "Temporal",
    "Context": "Contextual",
    "nuanced": "Nuanced",
    "contradictory": "Contradictory",
}
KINDS = ("relation", "subtype")
"""Labels of the numbers that stand in those columns."""
SHOWN = {
    ("contradictory", RELATED): "Contradictory, about the user: a fact of one of two sessions",
    ("Context", RELATED): "Contextual, about the user: a fact for one of the situations",
    ("Temporal", UNRELATED): "Temporal, about the world: dated figures",
}
"""Sub-type and source -> heading; of each the first set of the first person."""
HEAD = """# Three generated sessions, and what is asked about them

From `recollect generate subtlememory --size base --seed 0`, the first person: as they stand in the files. Each is one
of two or more sessions of its set; the others hold the other facts. [What it is for](subtlememory.md)."""


def blind() -> Iterator[str]:
    """Who sees only the question: shares in percent, with the upper end of the interval."""
    rows = {(row.solver, row.group): row for row in blind_rows(bundles(SIZES.settings("base"), 0))}
    given = [rows["first", subtype] for subtype in SUBTYPES]
    yield f"| who | {' | '.join(SUBTYPES.values())} |"
    yield "|---" * (1 + len(SUBTYPES)) + "|"
    yield f"| questions | {' | '.join(str(row.questions) for row in given)} |"
    yield f"| chance | {' | '.join(f'{100 * row.chance:.1f}' for row in given)} |"
    for solver, name in SOLVERS.items():
        yield f"| {name} | {' | '.join(_share(rows[solver, subtype]) for subtype in SUBTYPES)} |"


def _share(row: BlindRow) -> str:
    return f"{100 * row.share:.1f} ({100 * row.upper:.1f})"


def sessions() -> Iterator[str]:
    """Three sessions of the first person, with facts and questions."""
    first = bundles(SIZES.settings("base"), 0)[0]
    yield HEAD
    for (subtype, source), title in SHOWN.items():
        found = [one for one in first.instances if _is(one, subtype, source)]
        yield from ("", f"## {title}", *_session(first, found[0]))


def _is(one: Instance, subtype: str, source: str) -> bool:
    return one.source == source and subtype in (one.relation_subtype, one.relation_type)


def _session(bundle: Bundle, case: Instance) -> Iterator[str]:
    talks = {talk.session_id: talk for talk in bundle.talks}
    yield from _talk(talks[case.session_ids[0]])
    yield from ("", "The facts of the set:", "", *(f"* {fact}" for fact in case.facts))
    for number, qa in enumerate(case.qas, 1):
        yield from _question(number, qa)


def _talk(talk: Talk) -> Iterator[str]:
    yield from ("", f"{talk.timestamp}, `{talk.conversation_type}`, {len(talk.history)} messages.", "")
    for number, turn in enumerate(talk.history):
        yield from (*([">"] if number else []), f"> **{turn.role.capitalize()}.** {turn.content}")


def _question(number: int, qa: Qa) -> Iterator[str]:
    yield from ("", f"Question {number}:", "", "```text", qa.query, "```")
    for name, answers in (("Right", qa.correct_answers), ("Wrong", qa.incorrect_answers)):
        yield from ("", f"{name}: {' / '.join(f'*{answer}*' for answer in answers)}")


def run(folder: str) -> Iterator[str]:
    """Scores and waterfalls by relation of a finished run, from its exports."""
    report = Path(folder, "report")
    yield from _scores(list(csv.DictReader((report / "scores.csv").open(encoding="utf-8"))))
    yield ""
    yield from _waterfalls(list(csv.DictReader((report / "waterfalls.csv").open(encoding="utf-8"))))


def _scores(rows: Sequence[dict[str, str]]) -> Iterator[str]:
    yield f"| row | {' | '.join(COLUMNS.values())} | all, with 95 % over histories |"
    yield "|---" * (2 + len(COLUMNS)) + "|"
    shares: dict[str, dict[str, str]] = {}
    for row in rows:
        arm = "oracle" if row["row"] == "oracle" else "system"
        if (row["what"], row["purpose"], row["arm"]) == ("score", "score", arm) and row["label"] in ("", *KINDS):
            name = row["stratum"] if row["label"] else ""
            low_high = f" [{_percent(row['low'])}, {_percent(row['high'])}]" if not name else ""
            shares.setdefault(row["row"], {})[name] = f"{_percent(row['estimate'])}{low_high}"
    for name, found in shares.items():
        yield f"| {name} | {' | '.join(found.get(column, '–') for column in (*COLUMNS, ''))} |"


def _waterfalls(rows: Sequence[dict[str, str]]) -> Iterator[str]:
    yield from ("| row | relation | preserved | retrieved |", "|---|---|---|---|")
    before = ""
    for row in rows:
        wanted = (row["reading"] != "", row["variant"], row["reference"], row["label"], row["value"] != "all")
        if wanted == (True, "readback", "false", "relation", True):
            name, before = "" if row["row"] == before else row["row"], row["row"]
            yield f"| {name} | {row['value']} | {_part(row, 'p_preserve')} | {_part(row, 'p_retrieve')} |"


def _part(row: dict[str, str], name: str) -> str:
    if not row[name]:
        return f"– of {row[f'{name}_of']}"
    low, high = (f"{100 * float(row[f'{name}_{end}']):.0f}" for end in ("low", "high"))
    return f"{100 * float(row[name]):.0f} % [{low}, {high}] of {row[f'{name}_of']}"


def _percent(share: str) -> str:
    return f"{100 * float(share):.1f}" if share else "–"


PARTS: dict[str, Callable[..., Iterator[str]]] = {"blind": blind, "sessions": sessions, "run": run}


if __name__ == "__main__":
    part, *rest = sys.argv[1:] or ["blind"]
    print("\n".join(PARTS[part](*rest)))
