"""A benchmark: a card and a few functions."""

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
"""Setting of steps: only so many tokens at the end of the history are shown."""

Variant = Literal["long_context", "rag", "agentic"]
"""How a row gets its context: the whole history, a search, or an agent's own lookups."""


def variant_name(prompt: str, variant: Variant) -> str:
    """The name in `Preset.prompts` of a prompt for rows of one variant."""
    return f"{prompt}@{variant}"


@dataclass(frozen=True, slots=True, kw_only=True)
class StepSettings:
    """Settings of the steps made from a history; part of every key."""

    chunker: str = "none"
    """`none`, `paper` or `boundary`."""
    chunk_tokens: int = 512
    extra: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """The conditions of a table; the same for all its systems."""

    name: str
    steps: Mapping[str, StepSettings]
    """By task; `*` for all others."""
    budget_tokens: int
    """Most tokens of context for systems that search."""
    search_limit: int
    """Items of a search."""
    prompts: Mapping[str, Prompt]
    """By `Question.prompt`; one named by `variant_name` replaces it for rows of that variant."""
    output_tokens: Mapping[str, int] = field(default_factory=dict)
    """Longest answer, by task."""

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
        """A copy with another size of chunks, limit of a search, end of the history that is shown, or other steps."""
        extra = dict(steps or {})
        if context_tokens is not None:
            extra[CONTEXT] = str(context_tokens)
        changed = {task: replace(old, extra={**old.extra, **extra}) for task, old in self.steps.items()}
        if chunk_tokens is not None:
            changed = {task: replace(old, chunk_tokens=chunk_tokens) for task, old in changed.items()}
        return replace(self, steps=changed, search_limit=search_limit or self.search_limit)


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskCard:
    """One task: its questions, its measure, its floor and ceiling."""

    name: str
    meaning: str
    measure: str
    """The paper's primary measure."""
    chance: float | None
    """Score of guessing; `None` where guessing is meaningless."""
    floor: str = "none"
    """The memory whose score is the floor of the lift."""
    ceiling: str = "oracle"
    lenient: str = ""
    """Of a measure that punishes form, the part that reads leniently; empty where the measure itself does."""
    judged: bool = False
    """The outcome needs a judge's verdict."""
    binary: bool = True
    parts: Mapping[str, str] = field(default_factory=dict)
    """Measure -> meaning, of the secondary measures."""
    constants: Mapping[Literal["clarify", "refuse", "empty"], str] = field(default_factory=dict)
    """Constant replies; their scores by the rule judge are shown beside the rows."""
    split_by: str = ""
    """Label by whose values the waterfall is split too; a sheet for people has equally many of each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """Where the published files are, at one immutable revision."""

    repo: str
    """`owner/name` of a data set on the Hugging Face hub."""
    revision: str
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """What a reader of the table must know about a benchmark."""

    name: str
    title: str
    version: int
    """Of the scores: results of different versions never share a table."""
    summary: str
    citation: str
    """BibTeX."""
    licences: Mapping[str, str]
    """Part -> licence and its restrictions."""
    tasks: Mapping[str, TaskCard]
    references: tuple[str, ...]
    """Floor and ceiling rows that every run adds."""
    standard: Preset
    paper: Preset
    published: Published | None = None
    """What `recollect fetch` downloads; `None` if nothing can be."""
    other_presets: tuple[Preset, ...] = ()
    """Such as the conditions of the authors' code."""
    exceptions: tuple[str, ...] = ()
    """Where gold is shown on purpose; never in a standard table."""
    shortens: bool = False
    """Its steps know the setting `context_tokens`."""
    step_settings: Mapping[str, str] = field(default_factory=dict)
    """Other settings of its steps -> effect and values."""
    tables: tuple[PaperTable, ...] = ()
    """The paper's own columns."""

    @property
    def presets(self) -> Mapping[str, Preset]:
        """All, by name."""
        return {preset.name: preset for preset in (self.standard, self.paper, *self.other_presets)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """Histories with their keys, and values that all keys of a task share."""

    benchmark: str
    histories: tuple[Keyed, ...]
    shared: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Task -> JSON object."""
    origin: str = ""
    """A file's digest, or generator, size and seed."""


class StepMaker(Protocol):
    """Makes the steps of an episode; it alone decides what is visible when."""

    def __call__(
        self, history: History, settings: StepSettings, talk: Sequence[Message] | None = None
    ) -> Iterable[Step]:
        """Steps in order; *talk* replaces Converse steps off-policy."""


class Scorer(Protocol):
    """Scores one reply; pure."""

    def __call__(
        self, question: Question, key: Key, reply: Reply, verdict: Verdict | None, shared: Mapping[str, Any]
    ) -> Outcome:
        """The outcome with its parts."""


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
    """Of `generate`; none if nothing is generated."""
    knobs: Mapping[str, str] = field(default_factory=dict)
    """Options of a size, as `SIZE+name=value` -> effect."""
    users: tuple[UserKind, ...] = ()
    """Simulated users, where it converses; the first is the default."""
    build: Callable[[Path, Sequence[str], int], Dataset] | None = None
    """(folder of source data, tasks, seed): the published tasks rebuilt."""
    statistics: Statistics | None = None
    """Figures of its data, with the paper's."""
    sheets: Callable[[Dataset, Dialogues], Sequence[Sheet]] | None = None
    """What people should judge of its data and, where it converses, of a run's dialogues."""


Dialogues = Mapping[HistoryId, Sequence[Message]]
"""The dialogues of a run, by history."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One number of a data set."""

    name: str
    value: float | None
    """A count, or the mean of a range; `None` if there is only a range, or nothing."""
    low: float | None = None
    high: float | None = None
    why: str = ""
    """Why there is no value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """Figures of a benchmark's data."""

    of: Callable[[Dataset, Dialogues], Sequence[Figure]]
    """In order; the dialogues may be empty."""
    paper: Mapping[str, Mapping[str, str]]
    """Name of a figure -> configuration of the paper -> the paper's value."""


@dataclass(frozen=True, slots=True)
class Later:
    """A function whose module is imported at the first call, so that cards load fast."""

    module: str
    name: str

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Import the module and call its function."""
        return getattr(import_module(self.module), self.name)(*args, **kwargs)


def packaged(package: str, card: Card, *, generate: str = "generate") -> Benchmark:
    """The benchmark in a package with the usual modules: `protocol`, `score`, `load`, `write` and `generate`.

    *package* is its `__name__`; *generate* is the module with the function `generate`.
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
    """Refuse unknown settings of steps, for a benchmark without chunks.

    Args:
        settings: What was set.
        benchmark: Its name.
        uncut: What is never cut, such as sessions.
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
    """The steps of a timeline: each session is shown, and questions are asked at their places."""
    questions = {question.question_id: question for question in history.questions}
    for event in history.timeline:
        if isinstance(event, Session):
            yield Observe(session=event)
        elif isinstance(event, Asking):
            yield Ask(checkpoint=event.checkpoint, questions=tuple(questions[name] for name in event.question_ids))
