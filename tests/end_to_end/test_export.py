"""A finished run in the formats of others, as a user asks for it; what needs an optional package is skipped without."""

from __future__ import annotations

import importlib.util
import json
import shlex
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from recollect.domain.ids import SessionId
from recollect.metrics.retrieval import longmemeval_ndcg_at_k, session_cutoff
from recollect.records.tables.cells import CellOutcome
from recollect.report.exports.longmemeval import TYPES

from tests.fakes.command_line import typed
from tests.fakes.model_acts import Act, fail
from tests.fakes.model_runs import OWN, answers, ledger, of, recollect, run_own
from tests.fakes.model_server import ModelServer
from tests.fakes.one_user import write_one_user

RECOLLECT = Path(sys.executable).parent / "recollect"
quiet_packages = pytest.mark.filterwarnings("ignore::DeprecationWarning")


def shell(line: str, cwd: Path, *, code: int = 0) -> subprocess.CompletedProcess[str]:
    """Run a shell line that starts with `recollect`."""
    words = shlex.split(line)[1:]
    done = typed(words, cwd)
    assert done.returncode == code, f"{line}\n{done.stdout}\n{done.stderr}"
    return done


def lines_of(file: Path) -> list[Any]:
    """The values of a file of JSON lines."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def needs(module: str) -> None:
    """Skip where a package is not installed."""
    if importlib.util.find_spec(module) is None:
        pytest.skip(f"{module} is not installed")


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run by rules, and one by a model for which one question ended in a fault."""
    cwd = tmp_path_factory.mktemp("export")
    shell(f"recollect run own --data {OWN} --memory bm25 --name rules", cwd)

    def broken(question: dict[str, Any]) -> Act | None:
        return fail(400, "no such thing") if "Bo's router" in question["question"] else None

    with ModelServer(reply=answers(broken)) as server:
        assert run_own(cwd, server, "--repeats", "answer=2", name="model", temperature=0.5) == 1
    return cwd


def files_of(folder: Path) -> dict[str, bytes]:
    """All files below a folder."""
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_answers_and_references_fit_longmemevals_script(done: Path, tmp_path: Path) -> None:
    """Every answer has its reference, with the fields and the types that the script knows."""
    shell(f"recollect export rules --to longmemeval --out {tmp_path / 'out'}", done)
    references = json.loads((tmp_path / "out/reference.json").read_text(encoding="utf-8"))
    known = {entry["question_id"]: entry for entry in references}
    said = lines_of(tmp_path / "out/bm25.jsonl")
    assert len(known) == len(references) == len(said) == 6
    assert all(set(line) == {"question_id", "hypothesis"} for line in said)
    assert {line["question_id"] for line in said} == set(known)
    assert {entry["question_type"] for entry in references} <= set(TYPES)
    (declining,) = [entry for entry in references if "_abs" in entry["question_id"]]
    assert declining["question"] == "What is the name of Bo's dog?"
    (cell,) = [c for c in of(done, "rules")[1].cells if (c.row, c.arm, c.question) == _cell_of(said[1])]
    assert said[1]["hypothesis"] == cell.answer


def _cell_of(line: dict[str, Any]) -> tuple[str, str, str]:
    return ("bm25", "system", line["question_id"].removesuffix("_abs"))


def test_a_haystack_ends_where_the_question_is_asked(done: Path, tmp_path: Path) -> None:
    """The first question is asked after one session, the same words again after three; each has its own answer."""
    shell(f"recollect export rules --to longmemeval --out {tmp_path / 'out'}", done)
    first, second = json.loads((tmp_path / "out/reference.json").read_text(encoding="utf-8"))[:2]
    assert first["question"] == second["question"]
    assert (first["answer"], second["answer"]) == ("Lumen 4", "Arbor 2")
    assert [len(entry["haystack_sessions"]) for entry in (first, second)] == [1, 3]
    assert second["question_type"] == "knowledge-update"
    assert second["haystack_dates"] == ["2024/03/04 (Mon) 09:12", "2024/03/06 (Wed) 11:02", "2024/03/08 (Fri) 17:40"]
    held = second["haystack_sessions"][second["haystack_session_ids"].index(*second["answer_session_ids"])]
    assert [turn["content"] for turn in held if turn.get("has_answer")] == [
        "I replaced the router: my router is an Arbor 2 now."
    ]
    assert {turn["role"] for session in first["haystack_sessions"] for turn in session} == {"user", "assistant"}


def test_the_reference_is_what_longmemevals_measures_ask_for(done: Path, tmp_path: Path) -> None:
    """From its fields and a recall alone follows the figure that the messages themselves give."""
    shell(f"recollect export rules --to longmemeval --out {tmp_path / 'out'}", done)
    references = json.loads((tmp_path / "out/reference.json").read_text(encoding="utf-8"))
    _, found = of(done, "rules")
    cells = {c.question: c for c in found.cells if (c.row, c.arm) == ("bm25", "system")}
    measured = 0
    for entry in references:
        cell, gold = cells[entry["question_id"].removesuffix("_abs")], set(entry["answer_session_ids"])
        corpus = [
            name
            for name, turns in zip(entry["haystack_session_ids"], entry["haystack_sessions"], strict=True)
            for _ in turns
        ]
        ranked = [_session(cell, message) for message in _ranked(cell)]
        first = longmemeval_ndcg_at_k(ranked[: session_cutoff(ranked, k=1)], gold, corpus, k=1)
        if not gold:
            assert first is None
            continue
        assert first == float(_ranked(cell)[0] in _of_evidence_sessions(cell))
        measured += 1
    assert measured == 5


def _ranked(cell: CellOutcome) -> list[str]:
    assert cell.recall is not None
    return [message for item in cell.recall.items for message in item.covers]


def _sessions(cell: CellOutcome) -> dict[str, SessionId]:
    return _known_sessions[cell.history]


_known_sessions: dict[str, dict[str, SessionId]] = {}


@pytest.fixture(autouse=True)
def _sessions_of_the_run(done: Path) -> None:
    folder, _ = of(done, "rules")
    for keyed in folder.histories():
        _known_sessions[keyed.history.history_id] = {m.message_id: m.session_id for m in keyed.history.messages()}


def _session(cell: CellOutcome, message: str) -> str:
    return _sessions(cell)[message]


def _of_evidence_sessions(cell: CellOutcome) -> set[str]:
    """Messages that lie in a session with evidence."""
    known = _sessions(cell)
    wanted = {known[message] for message in cell.evidence}
    return {message for message, session in known.items() if session in wanted}


def test_figures_are_files_that_stand_alone(done: Path, tmp_path: Path) -> None:
    """One for each chart of the report; the same run gives the same bytes, and `--json` lists what is there."""
    told = json.loads(shell(f"recollect export rules --to figures --out {tmp_path / 'out'} --json", done).stdout)
    shell(f"recollect export rules --to figures --out {tmp_path / 'again'}", done)
    made = files_of(tmp_path / "out")
    assert made == files_of(tmp_path / "again")
    assert {one["file"]: one["rows"] for one in told["files"]} == {
        "scores-own.svg": 6,
        "waterfall-own-bm25.svg": 1,
        "waterfall-own-bm25_readback_pure.svg": 1,
        "evidence-own.svg": 5,
    }
    assert set(made) == {one["file"] for one in told["files"]}
    assert told["left_out"] == 0
    for content in made.values():
        assert ElementTree.fromstring(content).tag == "{http://www.w3.org/2000/svg}svg"
        assert b"<script" not in content
        assert b"href" not in content


def test_figures_of_states_and_policies_are_there_where_the_report_has_them(tmp_path: Path) -> None:
    """An agent whose policy evolves: heat maps and curves of both sections, each with the name of its measure."""
    write_one_user(tmp_path / "one.json")
    shell(
        "recollect run amemgym --data one.json --agent awi:policy=work --no-references --arm system "
        "--step evolve=complete --name r",
        tmp_path,
    )
    shell("recollect export r --to figures --out out", tmp_path)
    assert {
        "scores-overall.svg",
        "states-overall-losses.svg",
        "states-overall-right_answers.svg",
        "states-overall-right_answers_by_row.svg",
        "policies-overall-right_answers.svg",
        "policies-overall-states_that_a_line_of_the_policy_names.svg",
    } <= set(files_of(tmp_path / "out"))


def test_what_has_no_answer_is_left_out_and_counted(done: Path, tmp_path: Path) -> None:
    """A fault is no wrong answer in any format; each repeat has a file of its own."""
    told = shell(f"recollect export model --to longmemeval --out {tmp_path / 'out'} --json", done).stdout
    listed = {one["file"]: one for one in json.loads(told)["files"]}
    assert set(listed) == {"reference.json", "bm25.jsonl", "bm25.a1.jsonl"}
    assert (listed["bm25.jsonl"]["rows"], listed["bm25.jsonl"]["left_out"]) == (5, 1)
    assert len(lines_of(tmp_path / "out/bm25.jsonl")) == 5
    assert json.loads(told)["left_out"] == 2


def test_a_place_that_is_taken_is_left_as_it_is(done: Path, tmp_path: Path) -> None:
    """Whatever is there: a file, a folder, a link that leads nowhere."""
    (tmp_path / "file").write_text("mine")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("nowhere")
    for name in ("file", "folder", "link"):
        refused = shell(f"recollect export rules --to longmemeval --out {tmp_path / name}", done, code=2)
        assert "there is something already" in refused.stderr
    assert (tmp_path / "file").read_text() == "mine"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["file", "folder", "link"]


def test_an_export_changes_nothing_of_the_run(done: Path, tmp_path: Path) -> None:
    """It reads records, and makes neither a call nor a cache."""
    before = files_of(done / "runs")
    shell(f"recollect export rules --to longmemeval --out {tmp_path / 'out'}", done)
    assert files_of(done / "runs") == before


def test_wrong_words_are_named(done: Path, tmp_path: Path) -> None:
    """An unknown run, an unknown format."""
    assert "Known: model, rules" in shell("recollect export nothing --to longmemeval --out x", done, code=2).stderr
    assert "longmemeval" in shell("recollect export rules --to word --out x", done, code=2).stderr
    assert not (done / "x").exists()


@pytest.mark.parametrize(("to", "package"), [("inspect", "inspect-ai"), ("parquet", "pyarrow")])
def test_a_missing_package_is_named_before_anything_is_done(
    to: str, package: str, done: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the line that installs it."""
    real = importlib.util.find_spec
    gone = {"inspect_ai", "pyarrow"}
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name in gone else real(name))
    assert recollect(done, "export", "rules", "--to", to, "--out", "nothing") == 2
    told = capsys.readouterr().err
    assert package in told
    assert f"pip install 'recollect[{to}]'" in told
    assert not (done / "nothing").exists()


def test_parquet_holds_cells_recalls_and_calls(done: Path, tmp_path: Path) -> None:
    """Every planned cell, every item that was found, every call on the ledger; joined by numbers."""
    needs("pyarrow")
    import pyarrow.parquet

    shell(f"recollect export model --to parquet --out {tmp_path / 'out'}", done)
    tables = {
        name: pyarrow.parquet.read_table(tmp_path / f"out/{name}.parquet") for name in ("cells", "recalls", "calls")
    }
    cells, recalls, calls = (tables[name].to_pylist() for name in ("cells", "recalls", "calls"))
    _, found = of(done, "model")
    assert [(row["question"], row["status"], row["value"], row["answer"]) for row in cells] == [
        (cell.question, cell.status, cell.value, cell.answer) for cell in found.cells
    ]
    assert all(row["gold"] or "dog" in row["question_text"] for row in cells)
    texts = {
        number: [row["text"] for row in recalls if row["recall"] == number] for number in {r["recall"] for r in recalls}
    }
    for row, cell in zip(cells, found.cells, strict=True):
        assert texts.get(row["recall"], []) == [item.text for item in (cell.recall.items if cell.recall else ())]
    spent = [line.usage for line in ledger(done, "model") if line.usage]
    assert len(calls) == len(ledger(done, "model"))
    assert sum(row["input"] or 0 for row in calls) == sum(usage.input for usage in spent)


def test_tables_of_two_runs_fit_together(done: Path, tmp_path: Path) -> None:
    """Also where a column of one of them is empty: a run by rules has no call and no money."""
    needs("pyarrow")
    import pyarrow
    import pyarrow.parquet

    for run in ("rules", "model"):
        shell(f"recollect export {run} --to parquet --out {tmp_path / run}", done)
    for name in ("cells", "recalls", "calls"):
        both = [pyarrow.parquet.read_table(tmp_path / f"{run}/{name}.parquet") for run in ("rules", "model")]
        assert both[0].schema.equals(both[1].schema), name
        assert pyarrow.concat_tables(both).num_rows == both[0].num_rows + both[1].num_rows


def eval_logs(folder: Path) -> dict[str, Any]:
    """The logs of a folder by task and row, as Inspect reads them."""
    from inspect_ai.log import list_eval_logs, read_eval_log

    logs = [read_eval_log(info) for info in list_eval_logs(str(folder))]
    return {log.eval.task: log for log in logs}


@quiet_packages
def test_inspect_reads_the_same_scores(done: Path, tmp_path: Path) -> None:
    """A log for each row, a sample a question, a score an arm, and the totals of the report."""
    needs("inspect_ai")
    shell(f"recollect export rules --to inspect --out {tmp_path / 'out'}", done)
    logs = eval_logs(tmp_path / "out")
    _, found = of(done, "rules")
    assert set(logs) == {f"own/{row.row}" for row in found.summary.rows}
    for cell in found.cells:
        (sample,) = [one for one in logs[f"own/{cell.row}"].samples if one.id == cell.question]
        score = sample.scores[str(cell.arm)]
        assert (score.value, score.answer) == (cell.value, cell.answer)
        assert cell.why in (score.explanation or "")
        assert sample.metadata["history"] == cell.history
        assert [one["id"] for one in sample.metadata["evidence"]] == list(cell.evidence)
    for number in found.summary.numbers:
        (total,) = [one for one in logs[f"own/{number.row}"].results.scores if one.name == number.arm]
        assert total.metrics["mean"].value == number.score.estimate


@quiet_packages
def test_inspect_shows_prompts_as_they_were_sent_and_faults_as_errors(done: Path, tmp_path: Path) -> None:
    """Repeats are epochs; tokens and calls are there; what broke is unscored and never a zero."""
    needs("inspect_ai")
    shell(f"recollect export model --to inspect --out {tmp_path / 'out'}", done)
    (log,) = eval_logs(tmp_path / "out").values()
    assert log.eval.model == "openai/stub-1"
    assert {sample.epoch for sample in log.samples} == {1, 2}
    assert len(log.samples) == 12
    broken = [sample for sample in log.samples if sample.error is not None]
    assert len(broken) == 2
    assert all(sample.scores["system"].value != sample.scores["system"].value for sample in broken)  # it is no number
    assert log.results.scores[0].unscored_samples == 2
    whole = [sample for sample in log.samples if sample.error is None]
    for sample in whole:
        assert sample.metadata["prompt"] == "as it was sent"
        assert sample.input in sample.messages[0].text
        assert "Memories:" in sample.messages[0].text
        assert sample.messages[-1].text == sample.output.completion == sample.scores["system"].answer
        (event,) = sample.events
        assert event.output.completion == sample.output.completion
    usage = [line.usage for line in ledger(done, "model") if line.stage == "answer" and line.usage]
    assert sum(sample.model_usage["stub-1"].input_tokens for sample in whole) == sum(one.input for one in usage)


def test_inspect_view_serves_the_logs(done: Path, tmp_path: Path) -> None:
    """The viewer of Inspect itself, on loopback: the page, and the list of logs."""
    needs("inspect_ai")
    shell(f"recollect export rules --to inspect --out {tmp_path / 'out'}", done)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    line = [str(RECOLLECT.parent / "inspect"), "view", "start", "--host", "127.0.0.1", "--port", str(port)]
    viewer = subprocess.Popen(
        [*line, "--log-dir", str(tmp_path / "out")], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=tmp_path
    )
    try:
        assert _fetched(f"http://127.0.0.1:{port}/")[0] == 200
        status, listed = _fetched(f"http://127.0.0.1:{port}/api/logs")
    finally:
        viewer.terminate()
        viewer.wait(30)
    assert status == 200
    assert len(json.loads(listed)["files"]) == 6


def _fetched(url: str) -> tuple[int, bytes]:
    """What a server that is just starting answers."""
    for _ in range(120):
        try:
            with urllib.request.urlopen(url, timeout=10) as answer:
                return int(answer.status), answer.read()
        except urllib.error.HTTPError as error:
            return error.code, b""
        except OSError:
            time.sleep(0.5)
    raise AssertionError(f"nothing answers at {url}")


def test_no_key_is_in_an_export(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The canary was the key of every call."""
    canary = "sk-canary-77aa01c5b3"
    monkeypatch.setenv("STUB_KEY", canary)
    with ModelServer(reply=answers(), key=canary) as server:
        assert run_own(tmp_path, server, name="r", key_env="STUB_KEY") == 0
    formats = [
        to
        for to, module in (("longmemeval", "json"), ("parquet", "pyarrow"), ("inspect", "inspect_ai"))
        if importlib.util.find_spec(module)
    ]
    for to in formats:
        shell(f"recollect export r --to {to} --out {to}", tmp_path)
        assert not [name for name, data in files_of(tmp_path / to).items() if canary.encode() in _unzipped(data)]


def _unzipped(data: bytes) -> bytes:
    """The contents of a zip, where it is one that is packed in a way we know."""
    import io
    import zipfile

    if not zipfile.is_zipfile(io.BytesIO(data)):
        return data
    if importlib.util.find_spec("zipfile_zstd") is not None:
        importlib.import_module("zipfile_zstd")
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        return b"".join(packed.read(name) for name in packed.namelist())
