"""What a benchmark offers: a card and a few functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, Protocol

from recollect.contracts.agent import UserKind
from recollect.contracts.reading import Prompt
from recollect.contracts.sheets import Sheet
from recollect.contracts.tables import PaperTable
from recollect.domain.errors import ConfigError
from recollect.domain.exchange import Reply
from recollect.domain.histories import Asking, History, Keyed
from recollect.domain.ids import HistoryId
from recollect.domain.messages import Message, Session
from recollect.domain.outcomes import Outcome, Verdict
from recollect.domain.questions import Key, Question
from recollect.domain.steps import Ask, Observe, Step

CONTEXT = "context_tokens"
"""Setting of steps: so many tokens at the end of what there is to remember are shown, and what lies before is not."""

Variant = Literal["long_context", "rag", "agentic"]
"""How a row comes to its context: all is shown to it, it was searched for, or an agent looks it up by itself."""


def variant_name(prompt: str, variant: Variant) -> str:
    """The name in `Preset.prompts` of a prompt that is for rows of one variant alone."""
    return f"{prompt}@{variant}"


@dataclass(frozen=True, slots=True, kw_only=True)
class StepSettings:
    """What changes the steps made of a history; part of every key."""

    chunker: str = "none"
    """`none`, `paper` or `boundary`."""
    chunk_tokens: int = 512
    extra: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """The conditions of a table; two systems in one table share all of them."""

    name: str
    steps: Mapping[str, StepSettings]
    """By task; the entry `*` is for all others."""
    budget_tokens: int
    """Most tokens of context for systems that search."""
    search_limit: int
    """Items asked of a search."""
    prompts: Mapping[str, Prompt]
    """By `Question.prompt`; one named by `variant_name` takes its place for rows of that variant."""
    output_tokens: Mapping[str, int] = field(default_factory=dict)
    """By task; answers are asked to stay below."""

    def steps_for(self, task: str) -> StepSettings:
        """The settings of one task."""
        return self.steps.get(task, self.steps.get("*", StepSettings()))

    def changed(
        self,
        *,
        chunk_tokens: int | None = None,
        search_limit: int | None = None,
        context_tokens: int | None = None,
        steps: Mapping[str, str] | None = None,
    ) -> Preset:
        """The same with chunks of another size, other many items asked of a search, less shown, or other steps."""
        extra, made = dict(steps or {}), self.steps
        if context_tokens is not None:
            extra[CONTEXT] = str(context_tokens)
        if extra:
            made = {task: replace(one, extra={**one.extra, **extra}) for task, one in made.items()}
        if chunk_tokens is not None:
            made = {task: replace(one, chunk_tokens=chunk_tokens) for task, one in made.items()}
        return replace(self, steps=made, search_limit=search_limit or self.search_limit)


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskCard:
    """One task: what is asked, how it is scored, what no and perfect memory reach."""

    name: str
    meaning: str
    measure: str
    """The paper's primary measure."""
    chance: float | None
    """Score of guessing; `None` where guessing has no meaning."""
    floor: str = "none"
    """The memory whose score is the floor of the lift."""
    ceiling: str = "oracle"
    judged: bool = False
    """The outcome needs a judge's verdict."""
    binary: bool = True
    parts: Mapping[str, str] = field(default_factory=dict)
    """Measure -> meaning, for all that stand beside."""
    constants: Mapping[Literal["clarify", "refuse", "empty"], str] = field(default_factory=dict)
    """Replies that know nothing, whatever is asked; what they would score by the rule judge stands beside the rows."""
    split_by: str = ""
    """Label by whose values the waterfall is told apart too, and of each of which a sheet for people has as many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """Where the published files are, at one revision that does not change."""

    repo: str
    """`owner/name` of a data set on the Hugging Face hub."""
    revision: str
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """What a reader of the table must know of a benchmark."""

    name: str
    title: str
    version: int
    """Of the scores: results of different versions never share a table."""
    summary: str
    citation: str
    """BibTeX."""
    licences: Mapping[str, str]
    """Part -> licence and what it forbids."""
    tasks: Mapping[str, TaskCard]
    references: tuple[str, ...]
    """Floor and ceiling rows that every run adds."""
    standard: Preset
    paper: Preset
    published: Published | None = None
    """What `recollect fetch` gets; `None` where the data stay with the user."""
    other_presets: tuple[Preset, ...] = ()
    """Conditions that matter beside these two, such as those of the authors' code."""
    exceptions: tuple[str, ...] = ()
    """Where gold is shown on purpose; such rows are never in a standard table."""
    shortens: bool = False
    """Its steps know the setting `context_tokens`."""
    step_settings: Mapping[str, str] = field(default_factory=dict)
    """What else its steps know -> what it does, and the values it takes."""
    tables: tuple[PaperTable, ...] = ()
    """The paper's own columns."""

    @property
    def presets(self) -> Mapping[str, Preset]:
        """All, by name."""
        return {preset.name: preset for preset in (self.standard, self.paper, *self.other_presets)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """Histories with their keys, and what all keys of a task share."""

    benchmark: str
    histories: tuple[Keyed, ...]
    shared: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Task -> JSON object."""
    origin: str = ""
    """Where it is from: a file's digest, or generator, size and seed."""


class StepMaker(Protocol):
    """Makes the steps of an episode; the one place that decides what is visible when."""

    def __call__(
        self, history: History, settings: StepSettings, talk: Sequence[Message] | None = None
    ) -> Iterable[Step]:
        """Steps in order; *talk* replaces Converse steps off-policy."""
        ...


class Scorer(Protocol):
    """Scores one reply; pure."""

    def __call__(
        self, question: Question, key: Key, reply: Reply, verdict: Verdict | None, shared: Mapping[str, Any]
    ) -> Outcome:
        """The outcome with its parts."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Benchmark:
    """A registered benchmark."""

    card: Card
    steps: StepMaker
    score: Scorer
    load: Callable[[Path], Dataset]
    write: Callable[[Dataset, Path], None]
    generate: Callable[[str, int], Dataset]
    """(size, seed); no model."""
    sizes: tuple[str, ...] = ()
    """That `generate` knows; none where nothing is generated."""
    knobs: Mapping[str, str] = field(default_factory=dict)
    """What may be set beside a size, as `SIZE+name=value` -> what it does."""
    users: tuple[UserKind, ...] = ()
    """Who may play the simulated user, where it converses; the first where none is named."""
    build: Callable[[Path, Sequence[str], int], Dataset] | None = None
    """(folder of source data, tasks, seed): the published tasks rebuilt."""
    statistics: Statistics | None = None
    """What its data are made of, beside the paper's figures."""
    sheets: Callable[[Dataset, Dialogues], Sequence[Sheet]] | None = None
    """What people should judge of its data; the dialogues of a run too, where it converses."""


Dialogues = Mapping[HistoryId, Sequence[Message]]
"""What was said in the dialogues of a run, by history."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One number of a data set."""

    name: str
    value: float | None
    """A count, or a mean where there is a range; `None` where there is only a range, or nothing."""
    low: float | None = None
    """The least of single values."""
    high: float | None = None
    why: str = ""
    """Why there is nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """What a benchmark says of the make-up of its data."""

    of: Callable[[Dataset, Dialogues], Sequence[Figure]]
    """In the order of reading; the talks may be empty."""
    paper: Mapping[str, Mapping[str, str]]
    """Name of a figure -> configuration of the paper -> what the paper says of it."""


@dataclass(frozen=True, slots=True)
class Later:
    """A function whose module is imported at the first call: cards are light, what they lead to is not."""

    module: str
    name: str

    def __call__(self, *given: Any, **named: Any) -> Any:
        """Import the module and call its function."""
        return getattr(import_module(self.module), self.name)(*given, **named)


def packaged(package: str, card: Card, *, generate: str = "generate") -> Benchmark:
    """The benchmark in a package with the usual modules: `protocol`, `score`, `load`, `write` and `generate`.

    Args:
        package: Its `__name__`.
        card: Its card.
        generate: The module with the function `generate`, where it is another one.
    """
    return Benchmark(
        card=card,
        steps=Later(f"{package}.protocol", "steps"),
        score=Later(f"{package}.score", "score"),
        load=Later(f"{package}.load", "load"),
        write=Later(f"{package}.write", "write"),
        generate=Later(f"{package}.{generate}", "generate"),
    )


def check_settings(
    settings: StepSettings, benchmark: str, *, uncut: str, numbers: Sequence[str], choices: Mapping[str, Sequence[str]]
) -> None:
    """Refuse settings of steps that a benchmark without chunks does not know.

    Args:
        settings: What was set.
        benchmark: Whose steps they are for.
        uncut: What is shown as it is, such as sessions.
        numbers: Settings that are whole numbers from 1 on.
        choices: Setting -> its values.

    Raises:
        ConfigError: With every problem.
    """
    problems = [] if settings.chunker == "none" else [f"`chunker`: {uncut} are not cut, got {settings.chunker!r}"]
    for name, value in settings.extra.items():
        if name in numbers:
            if not value.isdecimal() or int(value) < 1:
                problems.append(f"`{name}` is a number from 1 on, got {value!r}")
        elif name not in choices:
            problems.append(f"`{name}` is not known, only {', '.join((*numbers, *choices))}")
        elif value not in choices[name]:
            problems.append(f"`{name}` is one of {', '.join(choices[name])}, got {value!r}")
    if problems:
        raise ConfigError(f"steps of {benchmark}", problems)


def in_order(history: History) -> Iterator[Step]:
    """The timeline as it is: each session is shown, and questions are asked where they stand."""
    questions = {question.question_id: question for question in history.questions}
    for event in history.timeline:
        if isinstance(event, Session):
            yield Observe(session=event)
        elif isinstance(event, Asking):
            yield Ask(checkpoint=event.checkpoint, questions=tuple(questions[name] for name in event.question_ids))
