"""Rows of three kinds are asked in three variants of a prompt, and everything that a run says of itself names them."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import pytest

from recollect import registry
from recollect.benchmarks.memoryagentbench.card import CARD
from recollect.benchmarks.memoryagentbench.families import FAMILIES
from recollect.benchmarks.memoryagentbench.load import load
from recollect.benchmarks.memoryagentbench.protocol import steps
from recollect.cli import run as command_line
from recollect.contracts.agent import Agent
from recollect.contracts.benchmark import Preset, variant_name
from recollect.contracts.memory import Room
from recollect.contracts.systems import AgentKind
from recollect.contracts.traits import Capability, Traits
from recollect.domain.exchange import Batch, Recall, Receipt, Reply, Unit
from recollect.domain.ids import MessageId, UnitId
from recollect.domain.messages import Message
from recollect.domain.questions import Question
from recollect.domain.steps import Arm
from recollect.engine.plan import Trial, episode, plan_trial
from recollect.engine.prompts import prompt_name, prompts_used, question_for, variant_of, variant_used
from recollect.engine.rows import Conditions, Roles, Row, oracle_row
from recollect.records.codec import encode
from recollect.records.digests import digest
from recollect.store.run_folder import RunFolder

from tests.fakes.toy_systems import ToyReader

FAMILY = "factconsolidation"
ROW: dict[str, Any] = {
    "context": "Here is a list of facts:\n0. The capital of Orvalia is Denn.\n1. Tam Rusk is a citizen of Orvalia.\n"
    "2. The capital of Orvalia is Quill Bay.\n",
    "questions": ["What is the capital of Orvalia?", "What is the capital of the country Tam Rusk is a citizen of?"],
    "answers": [["Quill Bay"], ["Quill Bay", "Quillbay"]],
    "metadata": {"source": "factconsolidation_mh_6k"},
}
EMPTY = {"demo", "haystack_sessions", "keypoints", "previous_events", "qa_pair_ids"}
EMPTY |= {"question_dates", "question_ids", "question_types"}
PAPER, RAG, AGENTIC = (
    CARD.paper.prompts[name].digest for name in (FAMILY, variant_name(FAMILY, "rag"), variant_name(FAMILY, "agentic"))
)


@dataclass
class Parrot:
    """An agent that answers with what it was asked, and with what may be searched for."""

    said: list[Message]

    def observe(self, batch: Batch) -> Receipt:
        """Keep the batch."""
        self.said.extend(batch.messages)
        return Receipt.stored(message.message_id for message in batch.messages)

    def settle(self) -> None:
        """All is kept at once."""

    def answer(self, question: Question, given: Recall | None = None) -> Reply:
        """Both in one text."""
        return Reply(text=f"{question.text}\n<{question.seen_by_search}>", recall=given or Recall())

    def reply(self, message: Message, reply_id: MessageId) -> Reply:
        """Nothing is said to it."""
        raise NotImplementedError

    def units(self) -> list[Unit]:
        """What it holds."""
        return [
            Unit(unit_id=UnitId(one.message_id), text=one.text, sources=(one.message_id,), said_at=None)
            for one in self.said
        ]

    def close(self) -> None:
        """Nothing is open."""


@dataclass(frozen=True, slots=True)
class ParrotConfig:
    """Nothing to set."""


def _open(_: ParrotConfig, __: Room) -> Agent:
    return cast("Agent", Parrot([]))


KIND = AgentKind(
    name="parrot",
    version=1,
    summary="answers with the question",
    config=ParrotConfig,
    traits=lambda _: Traits(can=frozenset({Capability.LISTING})),
    open=_open,
)

Recollect = Callable[..., str]


@pytest.fixture
def recollect(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Recollect:
    """Runs a command line in a folder with one row of facts and an agent that repeats what it is asked."""
    monkeypatch.setitem(cast("dict[str, str]", registry.AGENTS), "parrot", f"{__name__}:KIND")
    monkeypatch.chdir(tmp_path)
    _rows(tmp_path)

    def said(line: str) -> str:
        capsys.readouterr()
        assert command_line(line.split()) == 0, capsys.readouterr().err
        return capsys.readouterr().out

    return said


def _rows(folder: Path) -> Path:
    path = folder / "rows.jsonl"
    path.write_text(json.dumps({**ROW, "metadata": {**dict.fromkeys(EMPTY), **ROW["metadata"]}}) + "\n")
    return path


def _config(run: str) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", json.loads(Path(f"runs/{run}/run.json").read_text())["config"])


def _asked_as(run: str) -> dict[str, str | None]:
    return {row["label"]: row.get("asked_as") for row in _config(run)["rows"]}


def _answers(run: str) -> dict[str, list[Any]]:
    """Row -> its answer records."""
    folder = RunFolder(Path("runs") / run)
    found: dict[str, list[Any]] = defaultdict(list)
    for trial, planned in folder.planned().items():
        found[planned.row].extend(body for _, body in folder.journal(trial).bodies("answer"))
    return found


def _row(kind: Any, label: str = "toy", **traits: Any) -> Row:
    system = {"name": label, "version": 1, "config": {}}
    return Row(label=label, kind=kind, fingerprint=system, traits=Traits(**traits), arms=(Arm.SYSTEM, Arm.READBACK))


@pytest.mark.parametrize(
    ("row", "wanted"),
    [
        pytest.param(_row("memory", bound="window", limit="fixed"), "long_context", id="full"),
        pytest.param(_row("memory", limit="fixed"), "long_context", id="window"),
        pytest.param(_row("memory", limit="fixed", score="similarity"), "rag", id="searches-without-a-limit"),
        pytest.param(_row("memory", score="similarity"), "rag", id="searches"),
        pytest.param(_row("memory", limit="tokens"), "rag", id="searches-by-tokens"),
        pytest.param(_row("memory", holds_nothing=True), "rag", id="finds-nothing"),
        pytest.param(oracle_row(), "rag", id="oracle"),
        pytest.param(_row("agent", limit="fixed"), "agentic", id="agent"),
        pytest.param(_row("agent", bound="window"), "agentic", id="agent-that-shows-all"),
        pytest.param(_row("agent", bound="window", holds_nothing=True), None, id="answers-given-beforehand"),
    ],
)
def test_a_row_has_the_variant_of_its_kind(row: Row, wanted: str | None) -> None:
    assert variant_of(row) == wanted
    name = prompt_name(row, FAMILY, CARD.paper.prompts)
    assert name == (f"{FAMILY}@{wanted}" if wanted in ("rag", "agentic") else FAMILY)
    assert variant_used(row, CARD.paper.prompts) == (wanted if wanted in ("rag", "agentic") else None)
    assert prompt_name(row, FAMILY, CARD.standard.prompts) == FAMILY
    assert variant_used(row, CARD.standard.prompts) is None


def test_both_presets_of_the_paper_have_every_family_in_three_variants_that_differ() -> None:
    for name in ("paper", "code"):
        prompts = CARD.presets[name].prompts
        assert set(prompts) == {*FAMILIES, *(f"{one}@{kind}" for one in FAMILIES for kind in ("rag", "agentic"))}
        assert len({prompt.digest for prompt in prompts.values()}) == 3 * len(FAMILIES) == 24
        for family in FAMILIES:
            assert "$context" in prompts[f"{family}@rag"].text
            assert "$context" not in prompts[f"{family}@agentic"].text
            assert "rchival memory" in prompts[f"{family}@agentic"].text
    assert set(CARD.standard.prompts) == set(FAMILIES)


def test_rows_without_a_variant_hold_what_all_are_asked_with() -> None:
    given = _row("agent", holds_nothing=True)
    assert list(prompts_used([given], [FAMILY], CARD.paper.prompts)) == [FAMILY]


def test_each_row_of_a_run_is_asked_in_its_variant(recollect: Recollect) -> None:
    recollect("run memoryagentbench --data rows.jsonl --preset paper --memory bm25 --agent parrot --name mine")
    answers = _answers("mine")
    assert {row: {body.prompt for body in bodies} for row, bodies in answers.items()} == {
        **{row: {RAG} for row in ("bm25", "none", "files", "oracle")},
        **{row: {PAPER} for row in ("window", "full")},
        "parrot": {AGENTIC},
    }
    assert _asked_as("mine") == {
        **dict.fromkeys(("bm25", "none", "files", "oracle"), "rag"),
        **dict.fromkeys(("window", "full")),
        "parrot": "agentic",
    }
    assert _config("mine")["prompts"] == {FAMILY: PAPER, f"{FAMILY}@agentic": AGENTIC, f"{FAMILY}@rag": RAG}


def test_an_agent_is_put_the_worded_question_and_searches_for_the_bare_one(recollect: Recollect) -> None:
    """In every arm; without variants it gets the question as it is."""
    line = "run memoryagentbench --data rows.jsonl --no-references --agent parrot --arm system --arm oracle"
    recollect(f"{line} --preset paper --name mine")
    texts = [body.text for body in _answers("mine")["parrot"]]
    assert len(texts) == 4
    for text in texts:
        worded, _, searched = text.rpartition("\n")
        assert worded.startswith("You are in charge of an archival memory.")
        assert searched.strip("<>") in ROW["questions"]
        assert f"Going by the archival memory, {searched.strip('<>')}" in worded
    recollect(f"{line} --name plain")
    bare = _answers("plain")["parrot"]
    assert {body.text for body in bare} == {f"{question}\n<{question}>" for question in ROW["questions"]}
    assert {body.prompt for body in bare} == {""}


@pytest.mark.parametrize(
    ("rows", "held"),
    [
        pytest.param("--memory bm25", [f"{FAMILY}@rag"], id="searches"),
        pytest.param("--memory full", [FAMILY], id="shows-all"),
        pytest.param("--agent parrot", [f"{FAMILY}@agentic"], id="agent"),
    ],
)
def test_a_run_holds_only_the_prompts_that_it_asks_with(rows: str, held: list[str], recollect: Recollect) -> None:
    recollect(f"run memoryagentbench --data rows.jsonl --no-references --preset paper {rows} --name mine")
    assert list(_config("mine")["prompts"]) == held
    texts = {CARD.paper.prompts[name].digest: CARD.paper.prompts[name].text for name in held}
    assert RunFolder(Path("runs/mine")).prompts() == texts


def test_why_names_the_variant_in_which_two_runs_differ(recollect: Recollect) -> None:
    base = "run --no-references"
    for name, memory in (("found", "bm25"), ("shown", "full")):
        config = {"benchmark": "memoryagentbench", "data": "rows.jsonl", "preset": "paper"}
        config["memories"] = [{"name": memory, "label": "mine"}]  # type: ignore[assignment]
        Path(f"{name}.yaml").write_text(json.dumps(config))
        recollect(f"{base} --config {name}.yaml --name {name}")
    printed = json.loads(recollect("why found shown --json"))
    text = json.dumps(printed)
    assert f"prompts.{FAMILY}@rag" in text
    assert "rows.mine.asked_as" in text


def _trial(row: Row, preset: Preset, tmp_path: Path) -> Trial:
    (one,) = load(_rows(tmp_path)).histories
    settings = preset.steps_for(one.task)
    made = episode(one, tuple(steps(one.history, settings)), encode(settings))
    conditions = Conditions(
        budget_tokens=preset.budget_tokens, search_limit=preset.search_limit, prompts=dict(preset.prompts)
    )
    return plan_trial(row, made, conditions, Roles(reader=ToyReader()))


STANDARD_KEYS = {
    "memory": "r1:d974789aef5887a9a5e03d6f230b4c0e",
    "window": "r1:43cbc7368d9602d4c567104dac5f2130",
    "agent": "r1:b0bd7a3d4f21e9157104ea9c754d9d4c",
    "oracle": "r1:de779eaedbc9133af2a0bcfab747ecaa",
}
"""Digest of all keys of a trial under `standard`; from the code as it was before there were variants."""


def _kinds() -> dict[str, Row]:
    return {
        "memory": _row("memory"),
        "window": _row("memory", bound="window", limit="fixed"),
        "agent": _row("agent"),
        "oracle": oracle_row(),
    }


@pytest.mark.parametrize("kind", STANDARD_KEYS)
def test_variants_change_no_key_of_the_standard_preset(kind: str, tmp_path: Path) -> None:
    trial = _trial(_kinds()[kind], CARD.standard, tmp_path)
    assert digest(sorted(trial.keys())) == STANDARD_KEYS[kind]


@pytest.mark.parametrize(
    ("kind", "variant"), [("memory", "rag"), ("window", None), ("agent", "agentic"), ("oracle", "rag")]
)
def test_another_wording_of_a_variant_changes_the_answers_of_its_rows_alone(
    kind: str, variant: str | None, tmp_path: Path
) -> None:
    row, prompts = _kinds()[kind], CARD.paper.prompts
    before = _trial(row, CARD.paper, tmp_path)
    for name in (FAMILY, f"{FAMILY}@rag", f"{FAMILY}@agentic"):
        reworded = {**prompts, name: replace(prompts[name], text=f"Now. {prompts[name].text}")}
        after = _trial(row, replace(CARD.paper, prompts=reworded), tmp_path)
        mine = name == (FAMILY if variant is None else f"{FAMILY}@{variant}")
        changed = [one.answer != other.answer for one, other in zip(before.cells, after.cells, strict=True)]
        assert changed == [mine] * len(changed) != []
        sought = [one.recall != other.recall for one, other in zip(before.cells, after.cells, strict=True)]
        assert sought == [mine and kind == "agent"] * len(sought)
        assert before.trial_id == after.trial_id


def test_two_templates_that_read_alike_never_share_a_key(tmp_path: Path) -> None:
    """Their records name different digests, and one key never has two records."""
    name = variant_name(FAMILY, "agentic")
    text = CARD.paper.prompts[name].text
    other = replace(CARD.paper.prompts[name], text=text.replace("$question", "${question}"))
    assert other.text != text
    first, second = (
        _trial(_row("agent"), replace(CARD.paper, prompts=prompts), tmp_path)
        for prompts in (CARD.paper.prompts, {**CARD.paper.prompts, name: other})
    )
    assert [cell.recall for cell in first.cells] == [cell.recall for cell in second.cells]
    assert not {cell.answer for cell in first.cells} & {cell.answer for cell in second.cells}


def test_the_question_that_is_scored_is_never_the_worded_one(tmp_path: Path) -> None:
    trial = _trial(_row("agent"), CARD.paper, tmp_path)
    assert {cell.question.text for cell in trial.cells} == set(ROW["questions"])
    worded = [question_for(trial.row, cell.question, CARD.paper.prompts) for cell in trial.cells]
    assert all(len(one.text) > 400 and one.cue in ROW["questions"] for one in worded)
