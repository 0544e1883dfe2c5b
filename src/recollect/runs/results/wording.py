"""Values that a terminal shows, and the words in which the report says them, so that both say the same."""

from recollect.contracts.benchmark import Figure
from recollect.contracts.memory import Access
from recollect.contracts.verdicts import UNCALIBRATED
from recollect.diagnose.summary import Findings
from recollect.engine.estimate.run import Amount, RunEstimate
from recollect.judging.check import CheckResult, Rate
from recollect.making.agreement import PairAgreement, Rater, SheetFindings
from recollect.records.codec import encode
from recollect.records.memory_card import NOT_EXAMINED, MemoryCard
from recollect.records.provenance import RAN
from recollect.records.tables.cells import Estimate
from recollect.records.tables.costs import Costs
from recollect.records.tables.multi_run import Ablation, Concordance, RankedRow, RankTable
from recollect.records.tables.policies import ModelRecall, PolicyNumbers, PolicyRow
from recollect.records.tables.states import StateRow
from recollect.records.tables.summary import Comparison, Number, RowFacts, Summary, TaskComparison
from recollect.records.tables.supplement import PaperNumbers, SplitPart, SplitRow
from recollect.report.numbers import component_said, floor_said, money, percent_with_unit, reasons, seconds
from recollect.report.page.splits import LEAKS, corner, corners, said
from recollect.report.page.states import BOUNDS, remarks
from recollect.report.status import (
    PLUMBING,
    RULES,
    absent_rows,
    card_of,
    cards_by_row,
    check_worded,
    checks_of,
    provenance_by_row,
    rule_based_rows,
)
from recollect.stats.agreement import Agreement
from recollect.stats.estimate import Interval
from recollect.store.run_folder import RunFolder
