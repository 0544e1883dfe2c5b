"""What a reader of a table must know of this benchmark."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from recollect.benchmarks.amemgym.histories import NAME, ROUNDS, TASK
from recollect.benchmarks.amemgym.prompts import prompt
from recollect.benchmarks.amemgym.protocol import OUTPUT, RANDOM, ROUNDS_INIT, ROUNDS_UPDATE, UNREADABLE
from recollect.benchmarks.amemgym.questions import CHOOSE, OUTPUT_TOKENS, PROBE
from recollect.contracts.benchmark import Card, Preset, Published, StepSettings, TaskCard, variant_name

EXPECTED = {"users": 20, "periods": 220, "sessions": 943, "questions": 200}
"""Of the published `v1.base`, by the paper's table 4."""
QUERY, ANSWER, DIALOGUE = "tokens of a query", "tokens of an answer", "dialogue tokens of a user"
FIGURES: Mapping[str, Mapping[str, str]] = {
    "users": {"base": "20", "extra": "20"},
    "periods": {"base": "220", "extra": "420"},
    "sessions": {"base": "943", "extra": "1,632"},
    "sessions of a user": {"base": "47.15", "extra": "81.60"},
    "sessions of a period": {"base": "4.29", "extra": "3.89"},
    "questions": {"base": "200", "extra": "200"},
    "choices of a question": {"base": "4 to 7", "extra": "4 to 7"},
    "states of a question": {"base": "2", "extra": "3"},
    QUERY: {"both": "about 21 (13 to 32)"},
    ANSWER: {"both": "about 60 (39 to 98)"},
    DIALOGUE: {"base": "60,000 to 140,000, by model"},
    "age": {"both": "18 to 85"},
    "education levels": {"both": "9"},
    "occupations": {"both": "16"},
}
"""Figure -> configuration -> what appendix C.1 says; its tokens are those of the authors' tokenizer."""

TOP_K = 30
"""Of the paper's agents, in its main setting."""
AUTHORS_OUTPUT_TOKENS = 8_192

DEVIATIONS = {
    "zero": "The answer 0 is an error; the authors' code takes the last choice.",
    "negative": "A negative number is an error; the authors' code counts from the end, and errs only beyond the first.",
    "true": "`true` is an error; the authors' code takes it for 1.",
    "other forms": "A bare number, a letter, or prose that names exactly one option is that choice, and "
    "`strict_accuracy` and `json_error` stand beside; the authors' code reads JSON alone. In the preset `paper` so do "
    "we: an unreadable reply is then a random choice, as theirs.",
    "guess": "The random choice of the preset `paper` goes by the question; the authors draw from one generator for "
    "all replies, so that it depends on what was unreadable before.",
    "no gold": "A question without exactly one right choice at each period is refused when loading; the authors' code "
    "takes the last choice for right.",
    "bound": "The upper bound is by question and choice; the authors look it up by the values alone, so that "
    "questions with the same values share one score, and stop where a combination is missing.",
    "no bound": "Cells whose upper bound is what guessing gets have no memory score, are left out and counted; the "
    "authors divide by zero, and the headline is infinite or undefined.",
    "state replies": "A reply about states that is JSON but no object knows nothing; the authors' code may stop there. "
    "Outside the preset `paper` an object amid other words is read too.",
    "empty": "Without a value, hamming and jaccard are undefined; the authors' code stops.",
    "utilisation": "Failures of utilisation, lucky answers and all rates are computed; the authors' code has counts "
    "of writing and reading only.",
    "simulated user": "It may know the state at the end of the period, as the paper says; the authors' code tells it "
    "none.",
}
"""Where scoring or asking differs from the authors' released code, on purpose, and with what effect."""

CITATION = """\
@misc{cheng2026amemgym,
  title  = {{AMemGym}: Interactive Memory Benchmarking for Assistants in Long-Horizon Conversations},
  author = {Cheng, Jiayang and Ru, Dongyu and Qiu, Lin and Li, Yiyang and Cao, Xuezhi and Song, Yangqiu and
            Cai, Xunliang},
  year   = {2026},
  note   = {arXiv:2603.01966}
}"""

_STEPS = StepSettings(extra={ROUNDS_INIT: str(ROUNDS[0]), ROUNDS_UPDATE: str(ROUNDS[1])})
STANDARD = Preset(
    name="standard",
    steps={"*": _STEPS},
    budget_tokens=8_192,
    search_limit=TOP_K,
    prompts={CHOOSE: prompt(CHOOSE), PROBE: prompt(PROBE)},
    output_tokens={TASK: OUTPUT_TOKENS},
)
_PAPER_STEPS = StepSettings(
    extra={**_STEPS.extra, "bound": "choices", UNREADABLE: RANDOM, OUTPUT: str(AUTHORS_OUTPUT_TOKENS)}
)
PAPER = replace(
    STANDARD,
    name="paper",
    steps={"*": _PAPER_STEPS},
    budget_tokens=131_072,
    prompts={
        CHOOSE: prompt(f"{CHOOSE}_paper"),
        PROBE: prompt(f"{PROBE}_paper"),
        variant_name(CHOOSE, "agentic"): prompt(f"{CHOOSE}_agentic_paper"),
        variant_name(PROBE, "agentic"): prompt(f"{PROBE}_agentic_paper"),
    },
    output_tokens={TASK: AUTHORS_OUTPUT_TOKENS},
)
EXTRA = replace(
    PAPER,
    name="extra",
    steps={"*": replace(_PAPER_STEPS, extra={**_PAPER_STEPS.extra, ROUNDS_INIT: "2", ROUNDS_UPDATE: "5"})},
)

_OVERALL = TaskCard(
    name=TASK,
    meaning="After each period of a user's life, which of several answers suits the user as things are now. Nobody is "
    "told outright: the user shows it in dialogues that the system itself must hold.",
    measure="accuracy",
    chance=None,
    parts={
        "accuracy": "the primary measure: the answer that suits the current values of all variables is chosen",
        "hamming": "share of the variables for whose value the chosen answer is made",
        "jaccard": "the same by pairs of variable and value that both have, over all that either has",
        "strict_accuracy": "right in the one form that the authors' code reads; all else counts as wrong",
        "json_error": "the reply is not in that form, whatever it says",
        "no_choice": "nobody could tell which answer the reply chooses",
        "stale": "the chosen answer was right in an earlier period and is not now",
    },
)

STEP_SETTINGS = {
    ROUNDS_INIT: "user turns of a dialogue of period 0, from 1 on",
    ROUNDS_UPDATE: "user turns of a later dialogue, from 1 on",
    OUTPUT: "longest answer, in tokens",
    "bound": "`choices` first asks each question with the state of each choice told outright; or `none`",
    "probes": "`yes` also asks for the states themselves; or `no`",
    "schema": "`known` first shows the names of all variables; or `hidden`",
    "evolve": "what a system's policy learns from between two periods: `none`, `questions`, `answers` or `complete`",
    UNREADABLE: "an unreadable reply is `wrong`, or a guess at `random` as the authors have it",
}

CARD = Card(
    name=NAME,
    title="AMemGym: dialogues with a user whose life changes",
    version=1,
    summary="An assistant talks with a user over years of changing states, and is asked after every period.",
    citation=CITATION,
    licences={"published users": "CC BY 4.0", "generated users": "Apache-2.0"},
    tasks={TASK: _OVERALL},
    references=("none", "native", "oracle"),
    standard=STANDARD,
    paper=PAPER,
    published=Published(repo="AGI-Eval/AMemGym", revision="4b8f64f", files=("v1.base/data.json",)),
    other_presets=(EXTRA,),
    step_settings=STEP_SETTINGS,
    exceptions=(
        "`schema` = `known` shows the names of all variables before the first dialogue.",
        "`evolve` = `complete` tells a system the right choices of a period and the states told, before the next one.",
        "`bound` = `choices` gives the state of a choice outright, to the harness's own reader alone.",
    ),
)
