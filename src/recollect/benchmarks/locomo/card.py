"""The card: what a reader of a table must know about this benchmark."""

from __future__ import annotations

from recollect.benchmarks.locomo.histories import ADVERSARIAL, NAME, OUTPUT_TOKENS, QA
from recollect.benchmarks.locomo.prompts import prompt
from recollect.benchmarks.locomo.rows import ADVERSARIAL as DECLINING
from recollect.benchmarks.locomo.rows import CATEGORIES
from recollect.benchmarks.locomo.tables import TABLE
from recollect.contracts.benchmark import Card, Preset, StepSettings, TaskCard

SOURCE = "`data/locomo10.json` of github.com/snap-research/locomo"

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


_DECLINED = {"declined": "the reply declines, by its flag or one of the authors' two phrases"}
_QA = TaskCard(
    name=QA,
    meaning="Short answers about a conversation of two people over months; the label `category` is one of "
    + ", ".join(f"`{one.name}` ({one.meaning})" for number, one in CATEGORIES.items() if number != DECLINING)
    + ".",
    measure="F1 of stemmed words, by category as the authors score it",
    chance=None,
    lenient="right",
    judged=True,
    binary=False,
    parts={
        "f1": "the primary measure: stemmed words in common with the answer; multi-hop answers are parted at commas, "
        "and the mean is over the wanted parts",
        "right": "the judge's verdict",
        **_DECLINED,
        "exact_match": "equal to the answer after normalisation",
    },
)
_ADVERSARIAL = TaskCard(
    name=ADVERSARIAL,
    meaning="Questions about what was never said, mostly asked of the wrong one of the two; right is to decline. Apart "
    "from the others, since a memory that keeps nothing gets them all right: read it beside `declined` of `qa`.",
    measure="share declined, by the authors' two phrases",
    chance=None,
    lenient="right",
    judged=True,
    parts={
        **_DECLINED,
        "right": "the judge's verdict whether the reply declines, in whatever words",
        "trap_f1": "stemmed words in common with what the question tempts one to say; low is good",
    },
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
