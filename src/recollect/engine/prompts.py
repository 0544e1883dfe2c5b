"""Selects the prompt of the preset for a row; used by plan, answers and forecast."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from recollect.contracts.benchmark import Variant, variant_name
from recollect.contracts.reading import Prompt
from recollect.domain.exchange import Context
from recollect.domain.questions import Question
from recollect.engine.rows import Row

Prompts = Mapping[str, Prompt]
_NOTHING = Context(items=(), text="", tokens=0)


def variant_of(row: Row) -> Variant | None:
    """The variant of a prompt for a row; the oracle's evidence counts as found, so that only the search differs.

    A memory shows everything if its traits bind it to the reader's window, or if no limit reaches it and it ranks
    nothing: then it hands over whatever it still holds. `None`: an agent that holds nothing, whose answers were given
    beforehand.
    """
    traits = row.traits
    if row.kind == "agent":
        return None if traits.holds_nothing else "agentic"
    shows_all = traits.bound == "window" or (traits.limit == "fixed" and traits.score == "none")
    return "long_context" if row.kind == "memory" and shows_all else "rag"


def prompt_name(row: Row, asked: str, prompts: Collection[str]) -> str:
    """The name of the row's prompt for questions with prompt *asked*: its own variant, or the one for all rows."""
    variant = variant_of(row)
    own = asked if variant is None else variant_name(asked, variant)
    return own if own in prompts else asked


def prompt_of(row: Row, question: Question, prompts: Prompts) -> Prompt:
    """The prompt with which the harness's reader is asked for a row."""
    return prompts[prompt_name(row, question.prompt, prompts)]


def prompts_used(rows: Iterable[Row], asked: Iterable[str], prompts: Prompts) -> dict[str, Prompt]:
    """Those of *prompts* with which some row is asked."""
    wanted = list(asked)
    used = {prompt_name(row, name, prompts) for row in rows for name in wanted}
    return {name: prompt for name, prompt in prompts.items() if name in used}


def variant_used(row: Row, prompts: Prompts) -> Variant | None:
    """The row's variant where *prompts* have some of it; `None` where it is asked as all rows are."""
    variant = variant_of(row)
    if variant is None or not any(name.endswith(variant_name("", variant)) for name in prompts):
        return None
    return variant


def agents_prompt(row: Row, question: Question, prompts: Prompts) -> Prompt | None:
    """The prompt that words a question for an agent; `None` where the agent words it by itself."""
    name = prompt_name(row, question.prompt, prompts)
    return prompts[name] if row.kind == "agent" and name != question.prompt else None


def question_for(row: Row, question: Question, prompts: Prompts) -> Question:
    """The question as a row's system sees it: worded for an agent where the preset does that.

    The text for retrieval stays as it was: nobody searches for instructions.
    """
    prompt = agents_prompt(row, question, prompts)
    if prompt is None:
        return question
    from recollect.models.reader import fill

    return replace(question, text=fill(prompt, _NOTHING, question), cue=question.seen_by_search, prompt="")
