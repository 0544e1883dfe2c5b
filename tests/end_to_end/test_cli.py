"""Every command, as a user types it."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from recollect import __version__

from tests.fakes.command_line import typed

ROOT = Path(__file__).parents[2]
OWN = ROOT / "examples" / "own_data"
TYPED = r"recollect(?:\", \"| |\(\w+, \")([a-z-]+)"
FACTS = "--task factconsolidation_sh_generated --task factconsolidation_mh_generated"
RECOLLECT = Path(sys.executable).parent / "recollect"


def recollect(line: str, cwd: Path, *, code: int = 0) -> subprocess.CompletedProcess[str]:
    """Run a shell line that starts with `recollect`."""
    words = shlex.split(line)
    done = typed(words[1:], cwd)
    assert done.returncode == code, f"{line}\n{done.stdout}\n{done.stderr}"
    return done


def said(line: str, cwd: Path) -> Any:
    """The JSON that a command prints."""
    return json.loads(recollect(f"{line} --json", cwd).stdout)


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which one small run is finished."""
    cwd = tmp_path_factory.mktemp("cli")
    recollect(f"recollect run own --data {OWN} --memory bm25 --name mine", cwd)
    return cwd


def test_the_version_is_said(tmp_path: Path) -> None:
    """Alone, whatever stands behind it."""
    assert recollect("recollect --version", tmp_path).stdout == f"recollect {__version__}\n"


def test_the_help_names_only_commands_that_a_test_here_runs() -> None:
    listed = recollect("recollect --help", ROOT).stdout
    commands = set(re.findall(r"^  ([a-z-]+)  ", listed.split("Commands:")[1], re.M))
    tested = {verb for file in Path(__file__).parent.glob("*.py") for verb in re.findall(TYPED, file.read_text())}
    assert len(commands) >= 15
    assert commands <= tested


def test_run_ends_with_the_path_of_the_report(tmp_path: Path) -> None:
    line = f"recollect run own --data {OWN} --memory bm25 --name mine"
    last = recollect(line, tmp_path).stdout.splitlines()[-1]
    assert last == "runs/mine/report/index.html"
    assert (tmp_path / last).stat().st_size > 10_000


def test_running_again_changes_nothing_and_gives_the_same_identity(done: Path) -> None:
    before = (done / "runs/mine/report/index.html").read_bytes()
    records = {f: f.read_bytes() for f in (done / "runs/mine/trials").rglob("records.jsonl")}
    recollect(f"recollect run own --data {OWN} --memory bm25 --name mine", done)
    assert {f: f.read_bytes() for f in (done / "runs/mine/trials").rglob("records.jsonl")} == records
    assert (done / "runs/mine/report/index.html").read_bytes() == before


def test_the_same_run_elsewhere_has_the_same_identity(done: Path, tmp_path: Path) -> None:
    recollect(f"recollect run own --data {OWN} --memory bm25 --name mine", tmp_path)
    assert identity(done, "mine") == identity(tmp_path, "mine")


def identity(cwd: Path, run: str) -> str:
    return str(said(f"recollect score {run}", cwd)["identity"])


def test_run_prints_json(tmp_path: Path) -> None:
    found = said(f"recollect run own --data {OWN} --memory window --name w", tmp_path)
    assert {row["row"] for row in found["summary"]["rows"]} >= {"window", "none", "full", "bm25", "files", "oracle"}


def test_a_dry_run_says_what_would_be_done_and_does_nothing(tmp_path: Path) -> None:
    plan = said(f"recollect run own --data {OWN} --memory bm25 --dry-run", tmp_path)
    assert plan["histories"] == 2
    assert plan["trials"] == 12
    assert not (tmp_path / "runs").exists() or not list((tmp_path / "runs").glob("*/run.json"))


def test_settings_of_a_memory_and_of_a_file_and_flags_override(tmp_path: Path) -> None:
    config = tmp_path / "run.yaml"
    config.write_text(f"benchmark: own\ndata: {OWN}\nseed: 5\nmemories: [{{name: window, settings: {{tokens: 20}}}}]\n")
    recollect("recollect run --config run.yaml --seed 6 --name y", tmp_path)
    run = json.loads((tmp_path / "runs/y/run.json").read_text())
    assert run["asked"]["seed"] == 6
    assert (run["origins"]["seed"], run["origins"]["data"], run["origins"]["preset"]) == ("flag", "file", "default")
    assert "window(tokens=20)" in {row["label"] for row in run["config"]["rows"]}


def test_your_own_memory_is_a_file(tmp_path: Path) -> None:
    memory = ROOT / "examples" / "overlap_memory.py"
    found = said(f"recollect run own --data {OWN} --memory {memory} --name o", tmp_path)
    assert "overlap" in {row["row"] for row in found["summary"]["rows"]}


def test_score_diagnose_report_status_and_compare_work_from_a_finished_run(done: Path) -> None:
    assert "bm25" in recollect("recollect score mine", done).stdout
    assert "where right answers get lost" in recollect("recollect diagnose mine", done).stdout
    assert recollect("recollect report mine", done).stdout.strip() == "runs/mine/report/index.html"
    assert "bm25" in recollect("recollect status mine", done).stdout
    assert "mine" in {run["run"] for run in said("recollect status", done)}
    assert all(row["done"] == row["planned"] for row in said("recollect status mine", done))
    assert "tie" in recollect("recollect compare mine:bm25 mine:full", done).stdout
    assert said("recollect diagnose mine", done)["waterfalls"]


def test_list_show_and_cite(done: Path) -> None:
    assert "memoryagentbench" in recollect("recollect list", done).stdout
    assert "licences" in recollect("recollect show memoryagentbench", done).stdout
    assert said("recollect show bm25", done)["memory"] == "bm25"
    assert "@" in recollect("recollect cite memoryagentbench", done).stdout


def test_generate_and_check_data(tmp_path: Path) -> None:
    recollect("recollect generate memoryagentbench --size small --seed 3 --out a.jsonl", tmp_path)
    recollect("recollect generate memoryagentbench --size small --seed 3 --out b.jsonl", tmp_path)
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()
    assert said("recollect check-data a.jsonl", tmp_path)["tasks"]
    assert said(f"recollect check-data {OWN}", tmp_path)["tasks"][0]["questions"] == 6


def test_resume_goes_on_with_the_part_that_a_folder_holds(tmp_path: Path) -> None:
    """It does not begin what is another machine's."""
    recollect(f"recollect run own --data {OWN} --memory bm25 --name part1 --shard 1/2", tmp_path)
    begun = sorted((tmp_path / "runs/part1/trials").iterdir())
    told = recollect("recollect resume part1", tmp_path).stderr
    assert sorted((tmp_path / "runs/part1/trials").iterdir()) == begun
    assert "part 1/2" in told


def test_shards_are_merged_to_the_same_identity(done: Path, tmp_path: Path) -> None:
    for part in (1, 2):
        recollect(f"recollect run own --data {OWN} --memory bm25 --name part{part} --shard {part}/2", tmp_path)
    recollect("recollect merge part1 part2 --name mine", tmp_path)
    assert identity(tmp_path, "mine") == identity(done, "mine")


@pytest.mark.real
def test_build_takes_real_source_data(data: Path, tmp_path: Path) -> None:
    line = f"recollect build memoryagentbench --from {data} --task factconsolidation_sh_6k --out fc.jsonl"
    recollect(line, tmp_path)
    found = said("recollect run memoryagentbench --data fc.jsonl --memory bm25 --limit 20 --name fc", tmp_path)
    assert found["summary"]["total"]["planned"] > 100


def test_ctrl_c_keeps_what_is_recorded_and_resume_ends_as_if_nothing_was(tmp_path: Path) -> None:
    words = f"run memoryagentbench {FACTS} --seed 7 --limit 30 --memory bm25 --memory full --name"
    line = f"{RECOLLECT} {words} c"
    running = subprocess.Popen(
        shlex.split(line), cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    wait_for_records(tmp_path / "runs/c/trials", running)
    running.send_signal(signal.SIGINT)
    _, errors = running.communicate(timeout=60)
    assert running.returncode == 130, errors
    assert "interrupted; all that was recorded is kept" in errors
    recollect("recollect resume c", tmp_path)
    recollect(f"recollect {words} d", tmp_path)
    assert identity(tmp_path, "c") == identity(tmp_path, "d")


def wait_for_records(trials: Path, running: subprocess.Popen[str]) -> None:
    """Until some answers are written, so that the interrupt falls into the work."""
    for _ in range(600):
        if sum(file.stat().st_size for file in trials.glob("*/records.jsonl")) > 3000:
            return
        if running.poll() is not None:
            break
        time.sleep(0.05)
    raise AssertionError(f"the run ended before it could be interrupted: {running.communicate()}")


@pytest.mark.parametrize(
    ("line", "code", "hint"),
    [
        pytest.param("recollect run memoryagentbnch", 2, "Did you mean `memoryagentbench`", id="benchmark"),
        pytest.param("recollect run own --memory bm52", 2, "Did you mean `bm25`", id="memory"),
        pytest.param("recollect run own --data nowhere", 2, "no such file or folder", id="data"),
        pytest.param("recollect run memoryagentbench --task factconsolidation", 2, "Known:", id="task"),
        pytest.param("recollect run own --memory bm25:previos=true", 2, "did you mean `previous`", id="setting"),
        pytest.param("recollect run own --reader gpt", 2, "reader `gpt` is not known", id="reader"),
        pytest.param("recollect run own --preset best", 2, "preset `best`", id="preset"),
        pytest.param("recollect run own --limit 0", 2, "`limit` starts at 1", id="limit"),
        pytest.param("recollect run own --shard 3/2", 2, "--shard 3/2", id="shard"),
        pytest.param("recollect run", 2, "`benchmark`", id="nothing"),
        pytest.param("recollect run --config nowhere.yaml", 2, "no such file", id="config"),
        pytest.param("recollect score nowhere", 2, "Known: mine", id="run"),
        pytest.param("recollect compare mine mine", 2, "RUN:ROW", id="row"),
        pytest.param("recollect compare mine:bm25 mine:bm26", 2, "Did you mean `bm25`", id="unknown row"),
        pytest.param("recollect show nothing", 2, "benchmark or memory `nothing`", id="show"),
        pytest.param("recollect check-data nowhere", 2, "no such file", id="check"),
        pytest.param("recollect build own --from . --out x", 2, "not built from source data", id="build"),
        pytest.param("recollect generate own --out x", 2, "own", id="generate"),
        pytest.param("recollect generate memoryagentbench --size hugest --out x", 2, "hugest", id="size"),
        pytest.param("recollect wander", 2, "No such command", id="command"),
    ],
)
def test_wrong_input_is_named_with_what_to_do(line: str, code: int, hint: str, done: Path) -> None:
    if "run own" in line and "--data" not in line:
        line += f" --data {OWN}"
    failed = recollect(line, done, code=code)
    assert hint in failed.stderr
    assert "Traceback" not in failed.stderr


def test_a_changed_config_is_refused_with_the_difference(done: Path) -> None:
    refused = recollect(f"recollect run own --data {OWN} --memory bm25 --seed 9 --name mine", done, code=3)
    assert "`seed` was 0, now 9" in refused.stderr
    assert "--name" in refused.stderr


def test_changed_data_are_refused(done: Path, tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    for file in OWN.iterdir():
        (tmp_path / "own" / file.name).write_text(file.read_text().replace("Arbor 2", "Arbor 3"))
    refused = recollect(f"recollect run own --data {tmp_path / 'own'} --memory bm25 --name mine", done, code=3)
    assert "`data_digest` was" in refused.stderr


def test_bad_data_name_every_problem_and_nothing_is_run(tmp_path: Path) -> None:
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad/sessions.jsonl").write_bytes(b'{"session": 1}\n\xff\n')
    (tmp_path / "bad/questions.jsonl").write_text('{"question": "Why?"}\n')
    failed = recollect("recollect run own --data bad --name bad", tmp_path, code=2)
    for place in ("sessions.jsonl:1", "sessions.jsonl:2", "questions.jsonl:1"):
        assert place in failed.stderr
    assert not (tmp_path / "runs/bad").exists()


def test_a_second_process_on_the_same_run_is_refused(done: Path) -> None:
    from recollect.store.locks import hold

    trial = next((done / "runs/mine/trials").iterdir())
    records = trial / "records.jsonl"
    whole = records.read_bytes()
    records.write_bytes(whole[: len(whole) // 2])
    try:
        with hold(trial / "lock", "test"):
            refused = recollect("recollect resume mine", done, code=3)
        assert f"process {os.getpid()}" in refused.stderr
    finally:
        records.write_bytes(whole)


def test_no_torch_and_no_network_on_the_usual_path(tmp_path: Path) -> None:
    code = (
        "import sys, socket\n"
        "def refuse(*a, **k): raise AssertionError('network')\n"
        "socket.socket.connect = refuse\n"
        "from recollect.cli import command_line\n"
        f"code = command_line(['run','own','--data',{str(OWN)!r},'--memory','bm25','--name','n'])\n"
        "assert code == 0, code\n"
        "assert not {'torch','sentence_transformers','transformers','litellm','openai'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, timeout=120)


@pytest.mark.full
def test_the_demo_runs_offline(tmp_path: Path) -> None:
    lines = recollect("recollect demo", tmp_path).stdout.splitlines()
    pages = [line for line in lines if line.endswith("index.html")]
    names = ("memoryagentbench", "amemgym", "subtlememory")
    assert pages == [f"runs/demo-{name}-0/report/index.html" for name in names]
    assert lines[-1] == pages[-1]
    assert all((tmp_path / page).is_file() for page in pages)


def test_a_full_disk_ends_with_exit_code_4_and_a_resume_goes_on(done: Path, tmp_path: Path) -> None:
    """A bound on the size of files stands for the disk: the kernel refuses to write past it."""
    line = f"{RECOLLECT} run own --data {OWN} --memory bm25 --name mine"
    shell = f"ulimit -f 60; {line}"
    full = subprocess.run(["bash", "-c", shell], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert full.returncode == 4, full.stderr
    assert re.search("then resume|run again", full.stderr)
    assert "Traceback" not in full.stderr
    recollect(f"recollect run own --data {OWN} --memory bm25 --name mine", tmp_path)
    assert identity(tmp_path, "mine") == identity(done, "mine")


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "runs").write_text("a file where a folder should be")
    failed = recollect(f"recollect run own --data {OWN} --memory window --name mine", tmp_path, code=4)
    assert "runs" in failed.stderr
    assert "Traceback" not in failed.stderr


def test_a_terminal_gets_a_bar_with_rate_and_time_left(tmp_path: Path) -> None:
    import pty

    ours, theirs = pty.openpty()
    line = f"{RECOLLECT} run memoryagentbench {FACTS} --limit 12 --memory full --name bar"
    running = subprocess.Popen(
        shlex.split(line), cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=theirs, env={**os.environ, "TERM": "xterm"}
    )
    os.close(theirs)
    seen = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:
            break
        if not part:
            break
        seen += part
    assert running.wait(timeout=120) == 0
    text = seen.decode("utf-8", "replace")
    assert "records" in text
    assert re.search(r"\d+/s", text)
    assert re.search(r"\d:\d\d:\d\d", text)


def test_a_second_process_on_a_run_is_refused_at_once_and_leaves_the_first_alone(done: Path) -> None:
    from recollect.store.locks import hold

    with hold(done / "runs/mine/.lock-whole", "test"):
        refused = recollect("recollect resume mine", done, code=3)
    assert f"process {os.getpid()}" in refused.stderr
    assert "--shard i/n" in refused.stderr


def test_verify_recomputes_the_report_from_the_records(done: Path) -> None:
    """All is well; then one number of the report is changed, and found."""
    assert "all numbers follow from the records" in recollect("recollect verify mine", done).stdout
    table = done / "runs/mine/report/scores.csv"
    kept = table.read_bytes()
    try:
        table.write_bytes(kept.replace(b"0.", b"9.", 1))
        told = recollect("recollect verify mine", done, code=1).stdout
        listed = json.loads(recollect("recollect verify mine --json", done, code=1).stdout)["differences"]
    finally:
        table.write_bytes(kept)
    assert "scores.csv" in told
    assert [one["file"] for one in listed] == ["scores.csv"]


def test_a_copied_run_of_another_name_is_verified_all_the_same(done: Path, tmp_path: Path) -> None:
    """Who unpacks a run calls it what they like."""
    shutil.copytree(done / "runs/mine", tmp_path / "theirs")
    assert "all numbers follow" in recollect("recollect verify theirs --runs-dir .", tmp_path).stdout


def test_verify_needs_neither_key_nor_network_and_sees_a_changed_record(tmp_path: Path) -> None:
    """An answer that is changed in the journal changes a number, and the report is found to say otherwise."""
    recollect(f"recollect run own --data {OWN} --memory bm25 --name mine", tmp_path)
    changed = 0
    for journal in sorted((tmp_path / "runs/mine/trials").glob("*/records.jsonl")):
        lines = journal.read_bytes().splitlines(keepends=True)
        for place, line in enumerate(lines):
            if b'"kind":"answer"' in line and not changed:
                record = json.loads(line)
                record["body"]["text"] = "forty-two"
                lines[place] = json.dumps(record, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
                changed += 1
        journal.write_bytes(b"".join(lines))
    assert changed == 1
    differences = json.loads(recollect("recollect verify mine --json", tmp_path, code=1).stdout)["differences"]
    assert "identity" in {one["place"] for one in differences}


def test_why_names_the_knobs_in_which_two_runs_differ(done: Path) -> None:
    """Another seed and another memory; a run has no knob that differs from itself."""
    recollect(f"recollect run own --data {OWN} --memory bm25:previous=true --seed 3 --name other", done)
    told = recollect("recollect why mine other", done).stdout
    named = {knob["name"] for knob in said("recollect why mine other", done)["knobs"]}
    assert "seed" in told
    assert named == {"seed", "rows.bm25(previous=True)"}
    assert "no knob differs" in recollect("recollect why mine mine", done).stdout


def test_export_writes_a_folder_and_never_over_another(done: Path, tmp_path: Path) -> None:
    """The rest of it is in test_export.py."""
    out = tmp_path / "out"
    assert recollect(f"recollect export mine --to longmemeval --out {out}", done).stdout.splitlines()[-1] == str(out)
    refused = recollect(f"recollect export mine --to longmemeval --out {out}", done, code=2)
    assert "there is something already" in refused.stderr
