"""The columns of the paper's tables 2 and 3."""

from __future__ import annotations

from recollect.benchmarks.locomo.histories import ADVERSARIAL, QA
from recollect.benchmarks.locomo.rows import ADVERSARIAL as DECLINING
from recollect.benchmarks.locomo.rows import CATEGORIES
from recollect.contracts.tables import Column, PaperTable

TABLE = PaperTable(
    title="Tables 2 and 3 of the paper",
    columns=(
        *(
            Column(name=one.name, tasks=(QA,), label="category", value=one.name)
            for number, one in CATEGORIES.items()
            if number != DECLINING
        ),
        Column(name=CATEGORIES[DECLINING].name, tasks=(ADVERSARIAL,)),
        Column(name="overall", tasks=(QA, ADVERSARIAL), over="questions"),
    ),
    note="Overall is over all questions, those of both tasks together, as the authors take it.",
)
