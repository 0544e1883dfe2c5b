"""The columns of the paper's table 2: of published tasks, and of their generated twins, which never mix."""

from __future__ import annotations

from collections.abc import Mapping

from recollect.benchmarks.memoryagentbench.families import EXAMPLES, SOURCES
from recollect.contracts.tables import Column, PaperTable

Named = Mapping[str, tuple[str, ...]]
"""Column -> its tasks."""
GROUPS: Mapping[str, tuple[str, ...]] = {
    "AR": ("SH-QA", "MH-QA", "LME(S*)", "EventQA"),
    "TTL": ("MCC", "Recom"),
    "LRU": ("Summ", "DetQA"),
    "SF": ("FC-SH", "FC-MH"),
}
"""Column of means -> the columns it is the mean of; all four have the same weight in `overall`."""
MCC = tuple(name for name, source in SOURCES.items() if source.family is EXAMPLES and not source.made)

COLUMNS: Mapping[str, tuple[tuple[str, ...], str]] = {
    "SH-QA": (("ruler_qa1_197K",), "ruler_qa1_generated"),
    "MH-QA": (("ruler_qa2_421K",), "ruler_qa2_generated"),
    "LME(S*)": (("longmemeval_s*",), "longmemeval_generated"),
    "EventQA": (("eventqa_full",), "eventqa_generated"),
    "MCC": (MCC, "icl_intents_generated"),
    "Recom": (("recsys_redial_full",), "recsys_generated"),
    "Summ": (("infbench_sum_eng_shots2",), "summary_generated"),
    "DetQA": (("detective_qa",), "detective_generated"),
    "FC-SH": (("factconsolidation_sh_262k",), "factconsolidation_sh_generated"),
    "FC-MH": (("factconsolidation_mh_262k",), "factconsolidation_mh_generated"),
}
"""Column -> its published tasks, and their generated twin."""
PUBLISHED: Named = {column: tasks for column, (tasks, _) in COLUMNS.items()}
GENERATED: Named = {column: (twin,) for column, (_, twin) in COLUMNS.items()}


def _table(title: str, named: Named, note: str) -> PaperTable:
    columns: list[Column] = []
    for group, members in GROUPS.items():
        columns += [Column(name=name, tasks=named[name]) for name in members]
        columns.append(Column(name=group, columns=members))
    return PaperTable(title=title, columns=(*columns, Column(name="overall", columns=tuple(GROUPS))), note=note)


PAPER = _table(
    "Table 2 of the paper",
    PUBLISHED,
    "MCC is the mean of its five tasks, FC-SH and FC-MH are those at 262K; every mean gives its parts equal weight.",
)
TWINS = _table(
    "Table 2 of the paper, of generated twins",
    GENERATED,
    "Invented data of another length stand in the place of the paper's: not to be compared with its numbers.",
)
