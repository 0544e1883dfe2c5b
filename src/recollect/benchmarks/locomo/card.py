"""What a reader of a table must know of this benchmark."""

from __future__ import annotations

from recollect.benchmarks.locomo.categories import ADVERSARIAL as DECLINING
from recollect.benchmarks.locomo.categories import CATEGORIES
from recollect.benchmarks.locomo.prompts import prompt
from recollect.contracts.benchmark import Card, Preset, StepSettings, TaskCard
from recollect.contracts.tables import Column, PaperTable

NAME = "locomo"
QA, ADVERSARIAL = "qa", "adversarial"
OUTPUT_TOKENS = 50
"""The authors' allowance for one answer; the longest of the 1,182 published answers at hand has 44 tokens."""
SOURCE = "`data/locomo10.json` of github.com/snap-research/locomo"

EXPECTED_QUESTIONS = {
    "conv-26": 199,
    "conv-41": 193,
    "conv-42": 260,
    "conv-43": 242,
    "conv-47": 190,
    "conv-48": 239,
    "conv-50": 204,
}
"""Questions of seven of the ten published conversations; counted in the first release."""

DEVIATIONS = {
    "overall": "Adversarial questions are a task of their own; `paper_columns` puts them into the overall mean again. "
    "Each conversation is therefore shown twice, once for each task; `--task qa` leaves the second out.",
    "choice": "Adversarial questions are asked like all others. The authors' code offers the trap and `not mentioned` "
    "as two options, which tells the reader which questions are adversarial, and what not to say.",
    "hints": "The hint to date from the time of the conversation, and the way out `not mentioned`, stand in the prompt "
    "of every question; the authors give each to one category only, which gives the category away.",
    "pictures": "The caption of a picture stands in its message in every condition, as `[shows: …]`; the authors' "
    "retrieval leaves captions out.",
    "declining": "A system that flags its reply as declined has declined, whatever the words; the authors know two "
    "phrases. In the other categories such a reply has no words in common with anything.",
    "own answers": "Adversarial questions need no field `answer`; the authors' code stops where it lacks. Where it is "
    "there, it does not count, as with the authors.",
    "evidence": "References that are written wrongly are read where they can be, and a turn counts once; the authors "
    "count such a reference as never found. A question without evidence has no recall; the authors give it 1.",
    "missing": "A question that broke down is a fault and stays out of the mean; the authors' summary counts it as 0.",
    "exact match": "Stands beside only: equality after the usual normalisation, which keeps `and` and the order of "
    "words; the authors compare sets of words.",
}
"""Where scoring or asking differs from the authors' released code, on purpose."""

FOLLOWED = {
    "and": "`and` goes with the articles, in answer and gold.",
    "commas": "A multi-hop answer is parted at every comma, also inside `1,522`; what is said too much costs nothing.",
    "reasons": "Of an open-domain answer only what stands before the first semicolon counts; a reason behind a comma "
    "does.",
    "hard gold": "A gold that is nothing but articles and punctuation could never be met; none of the published is.",
}
"""Known oddities of the authors' measure that `f1` has too, since it is theirs to 1e-9."""

CITATION = """\
@inproceedings{maharana2024locomo,
  title     = {Evaluating Very Long-Term Conversational Memory of {LLM} Agents},
  author    = {Maharana, Adyasha and Lee, Dong-Ho and Tulyakov, Sergey and Bansal, Mohit and Barbieri, Francesco
               and Fang, Yuwei},
  booktitle = {Proceedings of the 62nd Annual Meeting of the Association for Computational Linguistics},
  year      = {2024},
  note      = {arXiv:2402.17753}
}"""


def _preset(name: str, role: str, *, budget_tokens: int, search_limit: int) -> Preset:
    return Preset(
        name=name,
        steps={"*": StepSettings()},
        budget_tokens=budget_tokens,
        search_limit=search_limit,
        prompts={"answer": prompt(role)},
        output_tokens={QA: OUTPUT_TOKENS, ADVERSARIAL: OUTPUT_TOKENS},
    )


_BESIDE = {
    "declined": "the reply declines, by its flag or one of the authors' two phrases",
}
_QA = TaskCard(
    name=QA,
    meaning="Short answers about a conversation of two people over months; the label `category` is one of "
    + ", ".join(f"`{one.name}` ({one.meaning})" for number, one in CATEGORIES.items() if number != DECLINING)
    + ".",
    measure="F1 of stemmed words, by category as the authors score it",
    chance=None,
    judged=True,
    binary=False,
    parts={
        "f1": "the primary measure: stemmed words in common with the answer; multi-hop answers are parted at commas, "
        "and the mean is over the wanted parts",
        "right": "the judge's verdict",
        **_BESIDE,
        "exact_match": "equal to the answer after normalisation",
    },
)
_ADVERSARIAL = TaskCard(
    name=ADVERSARIAL,
    meaning="Questions about what was never said, mostly asked of the wrong one of the two; right is to decline. Apart "
    "from the others, since a memory that keeps nothing gets them all right: read it beside `declined` of `qa`.",
    measure="share declined, by the authors' two phrases",
    chance=None,
    judged=True,
    parts={
        **_BESIDE,
        "right": "the judge's verdict whether the reply declines, in whatever words",
        "trap_f1": "stemmed words in common with what the question tempts one to say; low is good",
    },
)

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

CARD = Card(
    name=NAME,
    title="LoCoMo: very long conversations of two people",
    version=1,
    summary="Questions about ten conversations of two people over months; your copy of the data, with evidence recall.",
    citation=CITATION,
    licences={"conversations and questions": "CC BY-NC 4.0: not for commercial use; never part of this package"},
    tasks={task.name: task for task in (_QA, _ADVERSARIAL)},
    references=("none", "window", "full", "bm25", "files", "oracle"),
    standard=_preset("standard", "answer", budget_tokens=2_000, search_limit=20),
    paper=_preset("paper", "answer_paper", budget_tokens=131_072, search_limit=10),
    tables=(TABLE,),
)
