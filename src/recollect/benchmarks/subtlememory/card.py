"""What a reader of a table must know of this benchmark."""

from __future__ import annotations

from dataclasses import replace

from recollect.benchmarks.subtlememory.histories import NAME, TASK
from recollect.benchmarks.subtlememory.prompts import prompt, two_steps
from recollect.benchmarks.subtlememory.protocol import CONFLICTS, FREE, OUTPUT, REPORT
from recollect.benchmarks.subtlememory.questions import ANSWER, CLASSIFY
from recollect.benchmarks.subtlememory.tables import TABLE
from recollect.contracts.benchmark import Card, Preset, StepSettings, TaskCard

EXPECTED = {"persons": 10, "sessions": 2_364, "cases": 1_090, "questions": 1_522}
"""Of the published data, by the paper's section 3.4."""
TOP_K = 20
"""Of most systems of the paper, its table 9."""
AUTHORS_OUTPUT_TOKENS = 16_384
"""Of every answer model, its table 10."""

DEVIATIONS = {
    "message times": "The data tell the time of sessions alone. Messages follow every 30 seconds, pressed into 90 % of "
    "the way to the next session where they need more, as in the authors' code; seconds and offset stay, which their "
    "code loses.",
    "speakers": "Messages are told as of `User` and `Assistant`, with their times. The authors' oracle also shows ids "
    "of sessions and cases; ours shows no id.",
    "bypass": "The judge weighs every reply. The authors' code asks no judge where a reply equals an accepted or a "
    "known wrong answer but for case and white space; `exact_bypass` counts those.",
    "unusable": "A judge's reply that cannot be used leaves the question undecided; the authors' code counts it as "
    "wrong, and says nothing.",
    "profile": "The judge is not told the profile of the person, as the authors' is; it is told facts, case, relation, "
    "sub-type and source.",
    "default prompt": "`standard` and `paper` take the strong prompt, as the paper does; the default of the authors' "
    "code is the soft one, which the preset `code` takes.",
    "failed search": "What broke down is a fault and stays out of the mean; the authors' code answers from an empty "
    "context and scores that.",
    "generated conflicts": "Of our own questions the two values of a conflict are known, and an answer is right only "
    "if it names both and none of the other choices. The published ones have whole answers only: rules leave them "
    "undecided, and a model weighs them by answers, facts and guidance.",
}
"""Where asking or scoring differs from the authors' released code, on purpose, and with what effect."""

CITATION = """\
@misc{wang2026subtlememory,
  title  = {{SubtleMemory}: A Benchmark for Fine-Grained Relational Memory Discrimination in Long-Horizon {AI} Agents},
  author = {Wang, Wenxuan and Sun, Haoyu and Hou, Fukuan and Song, Mingyang and Zhang, Weinan and Cheng, Yu and
            Yang, Yang},
  year   = {2026},
  note   = {arXiv:2606.05761}
}"""

_STEPS = StepSettings(extra={CONFLICTS: REPORT})
STANDARD = Preset(
    name="standard",
    steps={"*": _STEPS},
    budget_tokens=8_192,
    search_limit=TOP_K,
    prompts={ANSWER: prompt("strong"), CLASSIFY: prompt(CLASSIFY)},
)
PAPER = replace(
    STANDARD,
    name="paper",
    steps={"*": replace(_STEPS, extra={**_STEPS.extra, OUTPUT: str(AUTHORS_OUTPUT_TOKENS)})},
    budget_tokens=131_072,
    output_tokens={TASK: AUTHORS_OUTPUT_TOKENS},
)
CODE = replace(
    PAPER,
    name="code",
    steps={"*": StepSettings(extra={CONFLICTS: FREE, OUTPUT: str(AUTHORS_OUTPUT_TOKENS)})},
    prompts={**PAPER.prompts, ANSWER: prompt("soft")},
)
"""As `paper`, with the prompt that the authors' code takes where none is named."""
SOFT = replace(CODE, name="soft", steps={"*": StepSettings(extra={CONFLICTS: FREE})}, budget_tokens=8_192)
"""As `standard` with the soft prompt; so the two others, each with its own."""
CALIBRATED = replace(STANDARD, name="calibrated", prompts={**STANDARD.prompts, ANSWER: prompt("calibrated")})
TWO_STEP = replace(STANDARD, name="two_step", prompts={**STANDARD.prompts, ANSWER: two_steps()})

_OVERALL = TaskCard(
    name=TASK,
    meaning="Questions whose answer hangs on how several statements of one person's history go together: they complete "
    "each other, hold each under something of its own, or contradict each other; the label `subtype` is one of `K>1` "
    "(several are needed), `any_one` (any is enough), `Temporal`, `Context` and `contradictory`.",
    measure="accuracy by the judge",
    chance=None,
    judged=True,
    split_by="relation",
    constants={
        "clarify": "What I have on this does not agree; please tell me which of them holds.",
        "refuse": "I know nothing about that.",
        "empty": "",
    },
    parts={
        "right": "the primary measure: the judge's verdict",
        "exact_bypass": "the reply equals an accepted or a known wrong answer but for case and white space: the "
        "authors' code would have asked no judge",
        "conflict_named": "of conflicts whose values are known: both are named, and none of the other choices",
        "one_side": "of the same: only one is named",
        "classified": "of probes: the description of the right sub-type is chosen",
    },
)

STEP_SETTINGS = {
    CONFLICTS: "what is expected where statements contradict each other: to `report` it, or an answer that is `free` "
    "to take a side; whoever reads by rules goes by it, a model by its prompt",
    CLASSIFY: "`yes` asks of each question too how the statements behind it go together; or `no`",
    OUTPUT: "longest answer, in tokens",
}

CARD = Card(
    name=NAME,
    title="SubtleMemory: statements that differ in detail",
    version=1,
    summary="Statements of one person that complete, qualify or contradict each other, apart in a long history.",
    citation=CITATION,
    licences={
        "published persons": "not known to us; they stay with you, and are never part of this package",
        "generated persons": "Apache-2.0",
    },
    tasks={TASK: _OVERALL},
    references=("none", "window", "full", "bm25", "files", "oracle"),
    standard=STANDARD,
    paper=PAPER,
    published=None,
    other_presets=(CODE, SOFT, CALIBRATED, TWO_STEP),
    step_settings=STEP_SETTINGS,
    tables=(TABLE,),
)
