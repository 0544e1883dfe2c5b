"""A model that answers rightly if, and only if, the evidence stands in the prompt it got, in the form asked for.

    player = Player(Library.of(benchmark, dataset, preset))
    with ModelServer(reply=player) as server: ...

It knows the key of every question of a data set and nothing of the run: which row, arm or preset asks is told by the
prompt alone. `wordy` gives the same answers as models like to word them, and `ignorant` answers in the right form
whatever the prompt holds. Where the evidence is missing all three guess, always the same for one question.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from random import Random
from typing import Any, Literal

from recollect.contracts.benchmark import Benchmark, Dataset, Preset
from recollect.domain.histories import Keyed
from recollect.domain.questions import AnswerFormat, Key, Question
from recollect.domain.steps import Ask

from tests.fakes.model_acts import Call
from tests.fakes.model_server import count_tokens
from tests.fakes.stub_judges import sections_of

Manner = Literal["ideal", "wordy", "ignorant"]
Form = Literal["text", "letter", "option", "json number", "json option", "json", "label", "notes"]

FORMS: Sequence[tuple[str, Form]] = (
    (r"Do not answer\. Write down what in the memory bears on it", "notes"),
    (r'JSON object of the form \{"answer": <number>\}|whose field "answer" is the whole number', "json number"),
    (r'\{"answer": "<letter>\. <words>"', "json option"),
    (r"Write that event alone", "option"),
    (r"JSON object that has each field|JSON object that maps each name|one JSON object with these fields", "json"),
    (r"Return JSON with every field|as one JSON object", "json"),
    (r"Reply with the letter|Answer with the letter|Reply with the sign in front", "letter"),
    (r"the form of a JSON list|on a line of its own", "text"),
    (r'Write only "label: \{label\}"', "label"),
)
"""How a prompt words the form of its answer, the first that is found in its end; a plain text where none is."""
UNKNOWN = "I do not know; that was never said."
DECLINE = re.compile(r"(?:answer|reply): (not mentioned[^.\n]*)\.", re.IGNORECASE)
"""How a prompt words what is to be said where nothing is known."""


def squeezed(text: str) -> str:
    """*text* with every run of white space as one blank: prompts break lines where they like."""
    return " ".join(text.split())


def stands_in(text: str, prompt: str) -> bool:
    """Whether *prompt* holds *text*, also where a chunk ends in the middle of it or quotes are escaped.

    Of a short text every word counts, in its order; of a long one nine of ten runs of eight words.
    """
    if text in prompt:
        return True
    words, found = _WORDS.findall(text.replace("\\n", " ")), " ".join(_WORDS.findall(prompt.replace("\\n", " ")))
    runs = [" ".join(words[at : at + RUN]) for at in range(max(1, len(words) - RUN + 1))]
    return sum(run in found for run in runs) >= SHARE * len(runs)


_WORDS = re.compile(r"\w+")
RUN, SHARE = 8, 0.9


@dataclass(frozen=True)
class Entry:
    """One question with all that is needed to answer it."""

    question: Question
    key: Key
    evidence: tuple[str, ...]
    """Texts that must stand in a prompt."""
    labels: tuple[str, ...]
    """Answers of the same task, of which one may be guessed."""

    @cached_property
    def needle(self) -> str:
        """How a prompt names the question."""
        return squeezed(self.question.text)

    @cached_property
    def other_needles(self) -> tuple[str, ...]:
        """Values of the prompt's own placeholders that stand in place of the text."""
        return tuple(squeezed(value) for value in self.question.variables.values() if len(value) > 8)

    def asked_at(self, prompt: str) -> int:
        """Where *prompt* ends to name the question; -1 where it does not."""
        for needle in (self.needle, *self.other_needles):
            at = prompt.rfind(needle)
            if needle and at >= 0:
                return at + len(needle)
        return -1

    def has_options_in(self, prompt: str) -> bool:
        return all(squeezed(option.text) in prompt for option in self.question.options)

    def is_borne_out_by(self, prompt: str) -> bool:
        return bool(self.evidence) and all(stands_in(text, prompt) for text in self.evidence)

    def guess(self) -> str:
        """An answer in form by somebody who knows nothing."""
        rng = Random(f"guess:{self.question.question_id}")
        if self.question.options and self.question.answer_format is AnswerFormat.LETTER:
            return rng.choice(self.question.options).letter
        if self.question.template:
            return json.dumps({name: rng.choice(_values(told)) for name, told in self.question.template.items()})
        return rng.choice(self.labels) if self.labels else UNKNOWN

    def answer(self) -> str:
        """The accepted answer; a letter where there are options."""
        return UNKNOWN if self.key.abstain or not self.key.gold else self.key.gold[0]


def _values(told: str) -> list[str]:
    return re.split(r" [|/] ", told.removeprefix("one of: "))


@dataclass(frozen=True)
class Library:
    """All that may be asked of a data set."""

    entries: tuple[Entry, ...]

    @classmethod
    def of(cls, benchmark: Benchmark, data: Dataset, preset: Preset) -> Library:
        return cls(tuple(entry for keyed in data.histories for entry in _entries(benchmark, keyed, data, preset)))

    def asked(self, prompt: str) -> list[Entry]:
        """The questions that the end of *prompt* may ask: more than one where several checkpoints ask the same."""
        found = [(entry.asked_at(prompt), entry) for entry in self.entries]
        found = [(at, entry) for at, entry in found if at >= 0 and entry.has_options_in(prompt)]
        last = max((at for at, _ in found), default=-1)
        latest = [entry for at, entry in found if at == last]
        longest = max((len(entry.needle) for entry in latest), default=0)
        return [entry for entry in latest if len(entry.needle) == longest]


def _entries(benchmark: Benchmark, keyed: Keyed, data: Dataset, preset: Preset) -> Iterator[Entry]:
    texts = {message.message_id: squeezed(message.text) for message in keyed.history.messages()}
    steps = benchmark.steps(keyed.history, preset.steps_for(keyed.task))
    questions = {q.question_id: q for step in steps if isinstance(step, Ask) for q in step.questions}
    questions |= {q.question_id: q for q in keyed.history.questions}
    golds = _labels(keyed)
    for name, question in questions.items():
        key = keyed.keys[name]
        evidence = tuple(texts[one] for one in key.evidence if one in texts)
        if key.oracle_text is not None:
            evidence = (squeezed(key.oracle_text),)
        yield Entry(question, key, evidence, golds)


def _labels(keyed: Keyed) -> tuple[str, ...]:
    """The answers of a task that has few: labels, among which one may guess."""
    golds = sorted({key.gold[0] for key in keyed.keys.values() if key.gold})
    return tuple(golds) if golds and all(gold.isdecimal() and len(gold) < 4 for gold in golds) else ()


@dataclass
class Player:
    """What the model says to a call, by what it is asked for."""

    library: Library
    manner: Manner = "ideal"
    answered: list[tuple[Entry, bool]] = field(default_factory=list)
    """Each question that was asked, and whether its evidence stood there."""

    def __call__(self, call: Call) -> str:
        prompt = "\n".join(str(turn.get("content") or "") for turn in call.body["messages"])
        form = call.body.get("response_format") or {}
        schema = form.get("json_schema", {}).get("schema")
        fenced = sections_of(prompt)
        if schema is not None:
            writer = _WRITERS.get(_names(schema))
            if writer is None and not fenced:
                raise AssertionError(f"no rule for a reply with {sorted(_names(schema))}: {prompt[-300:]!r}")
            made = _verdict(fenced, schema) if writer is None else writer(self, prompt)
            return json.dumps(made, ensure_ascii=False)
        return self._said(prompt)

    def _said(self, prompt: str) -> str:
        text = squeezed(prompt)
        entries = self.library.asked(text)
        if not entries:
            return self._beside(prompt)
        known = [entry for entry in entries if entry.is_borne_out_by(text)]
        entry = known[-1] if known else entries[-1]
        knows = bool(known) and self.manner != "ignorant"
        self.answered += [(one, knows and one in known) for one in entries]
        form = form_of(prompt)
        if form == "notes":
            return "\n".join(entry.evidence) if knows else "nothing"
        answer = entry.answer() if knows or entry.key.abstain else entry.guess()
        if answer == UNKNOWN:
            decline = DECLINE.findall(prompt)
            return decline[-1] if decline else UNKNOWN
        return worded(entry, answer, form, self.manner)

    def _beside(self, prompt: str) -> str:
        """What is no question of the data: a trial call, a turn of a dialogue, a summary."""
        return (
            _between(prompt, "notes")
            or "Thank you for telling me; I will keep it in mind. What would you like to do next?"
        )


def form_of(prompt: str) -> Form:
    """The form that the end of a prompt asks for."""
    found = [(match.end(), form) for pattern, form in FORMS for match in re.finditer(pattern, prompt)]
    return max(found)[1] if found else "text"


def worded(entry: Entry, answer: str, form: Form, manner: Manner) -> str:
    """*answer* as the model says it; a wordy one as wordily as the limit of the answer lets it."""
    said = _in_form(entry, answer, form)
    if manner != "wordy":
        return said
    if form.startswith("json"):
        return f"Sure, here it is:\n```json\n{said}\n```\nTell me if you need anything else."
    if entry.question.answer_format is AnswerFormat.SUMMARY:
        return said  # a summary is prose anyway
    if entry.question.answer_format is AnswerFormat.LIST:
        return f"Here you go:\n\n{said}"
    bold = f"**({said})**" if form == "letter" else f"**{said}**"
    wordings = (f"Going by what I have, the answer is {bold}.", f"The answer is {bold}.", bold)
    limit = entry.question.output_tokens
    fitting = [one for one in wordings if limit is None or count_tokens(one) <= limit]
    return fitting[0] if fitting else said


def _in_form(entry: Entry, answer: str, form: Form) -> str:
    options = {option.letter: option.text for option in entry.question.options}
    if form == "json number":
        return json.dumps({"answer": int(answer)})
    if form == "json option":
        return json.dumps({"answer": f"{answer}. {options[answer]}", "reasoning": "the passages tell it"})
    if form == "option" and answer in options:
        return options[answer]
    return answer


# Writing and weighing


Writer = Callable[[Player, str], Mapping[str, Any]]


def _names(schema: Mapping[str, Any]) -> frozenset[str]:
    return frozenset(schema.get("properties", {}))


def _between(prompt: str, name: str) -> str:
    found = re.findall(rf"<{name}>\n(.*?)\n</{name}>", prompt, re.DOTALL)
    return str(found[-1]) if found else ""


def _numbered(prompt: str) -> list[tuple[int, str]]:
    """The messages of an extraction prompt, with their numbers."""
    found = re.findall(r"^(\d+)\. (.*?)(?=^\d+\. |\Z)", _between(prompt, "messages"), re.M | re.S)
    return [(int(number), squeezed(text)) for number, text in found]


def _facts(_: Player, prompt: str) -> Mapping[str, Any]:
    """All that was said, word for word; of the authors' kind of graph, each passage as one fact."""
    passage = _between(prompt, "passage")
    if passage:
        return {"facts": [["the speaker", "says", squeezed(passage)]]}
    return {"facts": [{"text": text, "from": [number]} for number, text in _numbered(prompt)]}


def _labels_of_all(_: Player, prompt: str) -> Mapping[str, Any]:
    notes = {sha256(text.encode()).hexdigest()[:12]: text for _, text in _numbered(prompt)}
    return {"notes": [{"label": label, "text": text} for label, text in notes.items()]}


def _concepts(_: Player, prompt: str) -> Mapping[str, Any]:
    words = re.findall(r"\b[A-Z]\w{3,}", _between(prompt, "passage"))
    return {"concepts": list(dict.fromkeys(words))[:8]}


def _entities(_: Player, prompt: str) -> Mapping[str, Any]:
    return {"entities": list(dict.fromkeys(re.findall(r"\b\w{5,}", _between(prompt, "question"))))[:8]}


def _relevant(player: Player, prompt: str) -> Mapping[str, Any]:
    """A passage helps if it holds a part of the evidence."""
    entries = player.library.asked(squeezed(_between(prompt, "question")))
    passage = squeezed(_between(prompt, "passage"))
    return {"relevant": any(text in passage for entry in entries for text in entry.evidence)}


_WRITERS: Mapping[frozenset[str], Writer] = {
    frozenset({"facts"}): _facts,
    frozenset({"notes"}): _labels_of_all,
    frozenset({"concepts"}): _concepts,
    frozenset({"entities"}): _entities,
    frozenset({"relevant"}): _relevant,
    frozenset({"complete"}): lambda *_: {"complete": True},
    frozenset({"retrieve"}): lambda *_: {"retrieve": True},
    frozenset({"support", "usefulness"}): lambda *_: {"support": "full", "usefulness": 5},
    frozenset({"new_types", "changes"}): lambda *_: {"new_types": "- everything that was said", "changes": []},
    frozenset({"new_prompt", "changes"}): lambda _, prompt: {"new_prompt": _between(prompt, "policy"), "changes": []},
}
"""Fields of a schema -> what the model writes."""


def _verdict(fenced: Mapping[str, str], schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a fair judge says of replies of this model."""
    properties = schema["properties"]
    if "supported" in properties:
        return {"reason": "by the words", "supported": _supported(fenced)}
    if "verdict" in properties:
        words = properties["verdict"]["enum"]
        return {"reason": "by the words", "verdict": words[0] if _is_right(fenced) else _else(fenced, words)}
    wanted = dict(re.findall(r"^(f\d+) \(.*?\): (.*)$", fenced["wanted"], re.M))
    reply = squeezed(fenced["reply"]).casefold()
    return {
        label: {"reason": "by the words", "verdict": "right" if _says(reply, wanted[label].split(" | ")) else "wrong"}
        for label in properties
    }


def _is_right(fenced: Mapping[str, str]) -> bool:
    if "accepted" in fenced:
        return _says(squeezed(fenced["reply"]).casefold(), fenced["accepted"].splitlines())
    return "summary" in fenced or _declines(fenced["reply"])


def _else(fenced: Mapping[str, str], words: Sequence[str]) -> str:
    return "abstained" if "abstained" in words and _declines(fenced.get("reply", "")) else words[1]


def _declines(reply: str) -> bool:
    return any(phrase in reply.casefold() for phrase in (UNKNOWN.casefold(), "not mentioned"))


def _says(reply: str, accepted: Sequence[str]) -> bool:
    return any(squeezed(text).casefold() in reply for text in accepted)


def _supported(fenced: Mapping[str, str]) -> list[int]:
    """The points or sentences of which the other side has nearly all words."""
    listed, text = (
        (fenced["points"], fenced["summary"]) if "points" in fenced else (fenced["sentences"], fenced["reference"])
    )
    words = set(re.findall(r"\w+", text.casefold()))
    numbered = re.findall(r"^(\d+): (.*)$", listed, re.M)
    return [int(number) for number, said in numbered if len(set(re.findall(r"\w+", said.casefold())) - words) <= 1]
