"""Questions with replies whose right verdict is known: what every judge is checked on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, TypeAlias

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
    return tuple(probe for path in sorted(folder.glob("*.yaml")) for probe in _of_file(path))


def digest_of(probes: tuple[Probe, ...]) -> str:
    """Of all that a judge sees of *probes*, and of what is wanted."""
    return digest(
        [
            [
                *(probe.probe_id, probe.question.text, list(probe.key.gold), list(probe.key.rejected)),
                *(probe.key.abstain, probe.reply.text, probe.kind, probe.wanted),
            ]
            for probe in probes
        ]
    )


def _of_file(path: Path) -> Iterator[Probe]:
    import yaml

    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise DataError(f"cannot be read ({error})", path) from None
    file = decode(_File, data, where=str(path))
    for number, asked in enumerate(file.questions, start=1):
        if bool(asked.gold) == asked.abstain:
            raise DataError(f"question {number} needs `gold` or `abstain`, and not both", path)
        yield from _of_question(f"{path.stem}/{number:02}", file.domain, asked)


def _of_question(where: str, domain: str, asked: _Asked) -> Iterator[Probe]:
    name = QuestionId(opaque("q", where))
    for kind, said in asked.replies.items():
        yield Probe(
            probe_id=f"{where}/{kind}",
            domain=domain,
            question=Question(question_id=name, text=asked.ask),
            key=Key(question_id=name, gold=asked.gold, rejected=asked.rejected, abstain=asked.abstain),
            reply=Reply(text=said),
            kind=kind,
            wanted=_wanted(kind, abstain=asked.abstain),
        )


def _wanted(kind: Kind, *, abstain: bool) -> Wanted:
    if kind in ("right", "paraphrased", "abstain-right"):
        return "right"
    return "abstained" if kind == "abstain-wrong" and not abstain else "wrong"
