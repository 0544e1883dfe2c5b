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

PUBLISHED: Named = {
    "SH-QA": ("ruler_qa1_197K",),
    "MH-QA": ("ruler_qa2_421K",),
    "LME(S*)": ("longmemeval_s*",),
    "EventQA": ("eventqa_full",),
    "MCC": MCC,
    "Recom": ("recsys_redial_full",),
    "Summ": ("infbench_sum_eng_shots2",),
    "DetQA": ("detective_qa",),
    "FC-SH": ("factconsolidation_sh_262k",),
    "FC-MH": ("factconsolidation_mh_262k",),
}
GENERATED: Named = {
    "SH-QA": ("ruler_qa1_generated",),
    "MH-QA": ("ruler_qa2_generated",),
    "LME(S*)": ("longmemeval_generated",),
    "EventQA": ("eventqa_generated",),
    "MCC": ("icl_intents_generated",),
    "Recom": ("recsys_generated",),
    "Summ": ("summary_generated",),
    "DetQA": ("detective_generated",),
    "FC-SH": ("factconsolidation_sh_generated",),
    "FC-MH": ("factconsolidation_mh_generated",),
}


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
