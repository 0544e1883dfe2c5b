"""Questions with replies whose right verdict is known: what every judge is checked on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeAlias

from recollect.domain.errors import DataError
from recollect.domain.exchange import Reply
from recollect.domain.ids import QuestionId
from recollect.domain.questions import Key, Question
from recollect.records.codec import decode
from recollect.records.digests import digest, opaque

FOLDER = Path(__file__).parent / "probes"
Kind: TypeAlias = Literal[
    "right",
    "paraphrased",
    "specific-wrong",
    "vague-wrong",
    "partial",
    "hedged",
    "dumped",
    "abstain-right",
    "abstain-wrong",
]
Wanted: TypeAlias = Literal["right", "wrong", "abstained"]
MEANINGS: Mapping[Kind, str] = {
    "right": "the accepted answer, in nearly its own words",
    "paraphrased": "the accepted answer, in other words",
    "specific-wrong": "another answer, just as definite",
    "vague-wrong": "on the topic, and less definite than the answer",
    "partial": "only a part of what is asked for",
    "hedged": "the accepted answer and another one, without settling on either",
    "dumped": "a heap of facts with the accepted answer among them",
    "abstain-right": "declines where nothing is known",
    "abstain-wrong": "declines where there is an answer, or answers where nothing is known",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """A reply that a judge is to weigh, and the verdict that is right."""

    probe_id: str
    """`file/number/kind`; the judge never sees it."""
    domain: str
    question: Question
    key: Key
    reply: Reply
    kind: Kind
    wanted: Wanted
    """`abstained` where an answer was there; a judge must not accept it, nor what is `wrong`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """A question as the files have it."""

    ask: str
    replies: Mapping[Kind, str]
    gold: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()
    abstain: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _File:
    domain: str
    questions: tuple[_Asked, ...]


@cache
def shipped() -> tuple[Probe, ...]:
    """The probes of this package."""
    return read_probes(FOLDER)


def read_probes(folder: Path) -> tuple[Probe, ...]:
    """The probes of all files in *folder*, by file and place.

    Raises:
        DataError: A file is not what its schema says, or a question has neither an answer nor `abstain`.
    """
    import yaml

    probes: list[Probe] = []
    for path in sorted(folder.glob("*.yaml")):
        try:
            data = yaml.safe_load(path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
            raise DataError(f"cannot be read ({error})", path) from None
        file = decode(_File, data, where=str(path))
        for number, asked in enumerate(file.questions, start=1):
            if bool(asked.gold) == asked.abstain:
                raise DataError(f"question {number} needs `gold` or `abstain`, and not both", path)
            probes += _probes_of(f"{path.stem}/{number:02}", file.domain, asked)
    return tuple(probes)


def digest_of(probes: tuple[Probe, ...]) -> str:
    """Of all that a judge sees of *probes*, and of what is wanted."""
    rows: list[list[Any]] = []
    for probe in probes:
        question, key = probe.question, probe.key
        rows.append([probe.probe_id, question.text, list(key.gold), list(key.rejected), key.abstain])
        rows[-1] += [probe.reply.text, probe.kind, probe.wanted]
    return digest(rows)


def _probes_of(where: str, domain: str, asked: _Asked) -> Iterator[Probe]:
    question_id = QuestionId(opaque("q", where))
    for kind, text in asked.replies.items():
        declines_for_nothing = kind == "abstain-wrong" and not asked.abstain
        accepted = kind in ("right", "paraphrased", "abstain-right")
        yield Probe(
            probe_id=f"{where}/{kind}",
            domain=domain,
            question=Question(question_id=question_id, text=asked.ask),
            key=Key(question_id=question_id, gold=asked.gold, rejected=asked.rejected, abstain=asked.abstain),
            reply=Reply(text=text),
            kind=kind,
            wanted="right" if accepted else "abstained" if declines_for_nothing else "wrong",
        )
