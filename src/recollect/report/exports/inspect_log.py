"""A run as logs that `inspect view` opens: one for each row on each task, a sample a question, a score an arm.

So the list of logs is the table of the report, and the list of samples shows beside each other what a question got
with the system's own context, with the evidence, and with what was stored of it.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from recollect.domain.errors import MissingExtraError
from recollect.domain.steps import Arm
from recollect.records.digests import opaque
from recollect.records.tables.cells import CellOutcome
from recollect.report.exports.folders import FileNames
from recollect.report.exports.inspect_samples import Take, sample, usage_of
from recollect.report.exports.material import Material, Written
from recollect.report.status import ARMS
from recollect.report.text import asked_of

Block = dict[tuple[str, int], dict[Arm, CellOutcome]]
"""(Question name, number of its take) -> arm -> cell."""


def check() -> None:
    """Raise an error if Inspect is not installed."""
    if importlib.util.find_spec("inspect_ai") is None:
        raise MissingExtraError("`--to inspect`", "inspect-ai", "pip install 'recollect[inspect]'")


def write(material: Material, folder: Path) -> Sequence[Written]:
    """Write a log for each task and row; probes, which no score counts, are left out of them."""
    from inspect_ai.log import write_eval_log

    names, written = FileNames(), []
    known = dict.fromkeys((cell.task, cell.row) for cell in material.cells)
    stamp = material.made_at.replace(":", "-")
    for facts in material.summary.rows:
        for task, row in (pair for pair in known if pair[1] == facts.row):
            cells = [cell for cell in material.cells if (cell.task, cell.row) == (task, row)]
            scored = [cell for cell in cells if cell.purpose == "score"]
            takes = sorted({(cell.replicate, cell.take) for cell in scored})
            block: Block = {}
            for cell in scored:
                name = (material.names[asked_of(cell)], takes.index((cell.replicate, cell.take)) + 1)
                block.setdefault(name, {})[cell.arm] = cell
            title = "-".join(one.replace("_", "-").replace("/", "-") for one in (task, row))
            file = names.of(f"{stamp}_{title}_{_id(material, task, row)}", ".eval")
            write_eval_log(_log(material, task, row, block), str(folder / file))
            probes = {(asked_of(cell), cell.replicate, cell.take) for cell in cells if cell.purpose != "score"}
            written.append(Written(file, len(block), len(probes)))
    return written


def _log(material: Material, task: str, row: str, block: Block) -> Any:
    from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalSpec, EvalStats

    ids = list(dict.fromkeys(name for name, _ in block))
    samples = [sample(material, Take(name=name, epoch=epoch, arms=arms)) for (name, epoch), arms in block.items()]
    facts = next(one for one in material.summary.rows if one.row == row)
    config = material.summary.config
    reader = config.get("reader", "")  # Inspect names a model with its provider in front
    model = f"recollect/{reader or 'rules'}"
    if isinstance(reader, Mapping):
        model = str(reader.get("settings", {}).get("model", "model"))
        model = model if "/" in model else f"{reader.get('name', 'openai')}/{model}"
    calls = [call for arms in block.values() for cell in arms.values() for call in material.calls_of(cell)]
    spec = EvalSpec(
        created=material.made_at,
        eval_id=_id(material, task, row),
        run_id=_id(material),
        task_id=_id(material, task, row),
        task=f"{task}/{row}",
        task_version=material.summary.version,
        dataset=EvalDataset(name=f"{material.summary.benchmark}/{task}", samples=len(ids), sample_ids=ids),
        model=model,
        config=EvalConfig(epochs=max((epoch for _, epoch in block), default=1)),
        tags=[material.run, row, *facts.marks, *(["reference"] if facts.reference else [])],
        task_args={"row": row, "system": dict(facts.system)},
        metadata={
            "run": material.run,
            "benchmark": material.summary.benchmark,
            "row": row,
            "ran": facts.ran,
            "identity": material.identity,
            "judge": config.get("judge_fingerprint"),
            "budget_tokens": config.get("budget_tokens"),
            "preset": config.get("preset"),
            "made_by": "recollect",
        },
    )
    return EvalLog(
        status="success",
        eval=spec,
        results=_results(material, task, row, block),
        stats=EvalStats(
            started_at=material.made_at,
            completed_at=material.ended_at,
            model_usage=usage_of((call.model, call) for call in calls),
        ),
        samples=samples,
    )


def _results(material: Material, task: str, row: str, block: Block) -> Any:
    from inspect_ai.log import EvalMetric, EvalResults, EvalScore

    numbers = [one for one in material.summary.numbers if (one.task, one.row, one.purpose) == (task, row, "score")]
    scores = []
    for number in sorted(numbers, key=lambda one: ARMS.index(one.arm)):
        values = {"mean": number.score.estimate, "low": number.score.low, "high": number.score.high}
        score = EvalScore(
            name=str(number.arm),
            scorer=str(number.arm),
            scored_samples=number.counts.counted,
            unscored_samples=number.counts.planned - number.counts.counted,
            metrics={name: EvalMetric(name=name, value=value) for name, value in values.items() if value is not None},
            metadata={"interval": number.score.method, "level": number.score.level, "why": number.score.why},
        )
        scores.append(score)
    return EvalResults(total_samples=len(block), completed_samples=len(block), scores=scores)


def _id(material: Material, *parts: str) -> str:
    return opaque("e", material.identity, material.run, *parts)
