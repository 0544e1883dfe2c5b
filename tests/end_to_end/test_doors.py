"""A user's own system by every door, from a shell line; and what happens when it breaks in the middle."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.end_to_end.test_cli import OWN, ROOT, identity, recollect, said
from tests.fakes.http_worker import serving
from tests.fakes.workers import FAKES, OVERLAP

TYPESCRIPT = ROOT / "examples" / "worker_typescript"


def score(cwd: Path, run: str, row: str) -> float:
    """The score of a row by its own search; every question counts."""
    numbers = said(f"recollect score {run}", cwd)["summary"]["numbers"]
    (found,) = [one for one in numbers if one["row"] == row and one["arm"] == "system"]
    assert found["counts"].get("scored", 0) + found["counts"].get("abstained", 0) == found["counts"]["planned"] == 6
    return float(found["score"]["estimate"])


def run(cwd: Path, memory: object, name: str = "mine", *, code: int = 0) -> str:
    """A run of one memory of the user's own."""
    line = f"recollect run own --data {OWN} --memory {memory} --name {name} --no-references"
    done = recollect(line, cwd, code=code)
    return done.stdout + done.stderr


def test_an_adapter_in_python_by_a_process(tmp_path: Path) -> None:
    run(tmp_path, ROOT / "examples" / "worker_python" / "words.yaml")
    assert score(tmp_path, "mine", "words-py") > 0.5
    run(tmp_path, f"{ROOT / 'examples' / 'worker_python' / 'words.yaml'}:least=4", "strict")
    assert score(tmp_path, "strict", "words-py(least=4)") < 0.5
    told = said(f"recollect show {ROOT / 'examples' / 'worker_python' / 'words.yaml'}", tmp_path)
    assert told["settings"] == {"least": 1}
    assert told["traits"]["can"] == ["forget", "listing", "readback", "snapshot"]


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not here")
def test_a_process_in_typescript(tmp_path: Path) -> None:
    run(tmp_path, TYPESCRIPT / "words.yaml")
    assert score(tmp_path, "mine", "words-ts") > 0.5


def test_the_typescript_example_is_built(tmp_path: Path) -> None:
    """What node runs is what the compiler makes of what people read."""
    compiler = shutil.which("tsc") or TYPESCRIPT / "node_modules" / ".bin" / "tsc"
    if not Path(compiler).exists():
        pytest.skip("tsc is not here; `npm install` in the example's folder brings it")
    subprocess.run([str(compiler), "--outDir", str(tmp_path)], cwd=TYPESCRIPT, check=True)
    assert (tmp_path / "worker.js").read_text() == (TYPESCRIPT / "worker.js").read_text()


def test_a_server_by_http(tmp_path: Path) -> None:
    with serving() as server:
        (tmp_path / "mine.yaml").write_text(f"kind: http\nname: server\nurl: {server.url}\n")
        run(tmp_path, "mine.yaml")
        assert len({one["namespace"] for one in server.seen} - {None}) == 2, "a namespace a history"
    assert score(tmp_path, "mine", "server") > 0.5
    assert "nobody listens" in run(tmp_path, "mine.yaml", "gone", code=2)


def test_an_mcp_server_by_configuration(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(
        f"""
kind: mcp
name: notes
command: [{sys.executable}, {FAKES / "mcp_notes.py"}]
tools:
  write: {{tool: add_note, arguments: {{text: "{{text}}", ref: "{{message_id}}", at: "{{said_at}}"}}}}
  search:
    tool: find_notes
    arguments: {{query: "{{cue}}", top: "{{limit}}"}}
    items: result.notes
    text: body
    unit_id: id
    sources: meta.ref
    said_at: meta.at
    score: hits
  list: {{tool: list_notes, items: result.notes, text: body, unit_id: id, sources: meta.ref, said_at: meta.at}}
"""
    )
    run(tmp_path, "mine.yaml")
    assert score(tmp_path, "mine", "notes") >= 0.5  # no speaker and no time stand in a note
    text = (tmp_path / "mine.yaml").read_text().replace("find_notes", "find_note")
    (tmp_path / "typo.yaml").write_text(text)
    assert "there is no tool `find_note`; there is find_notes" in run(tmp_path, "typo.yaml", "t", code=2)


def test_answers_that_were_given_elsewhere(tmp_path: Path) -> None:
    recollect(f"recollect check-data {OWN} --questions questions.jsonl", tmp_path)
    asked = [json.loads(line) for line in (tmp_path / "questions.jsonl").read_text().splitlines()]
    assert len(asked) == 6
    rows = map(json.loads, (OWN / "questions.jsonl").read_text().splitlines())
    gold = {row["question"]: row["answers"][0] for row in rows if row.get("answers")}
    assert not any(one.keys() & {"answers", "gold", "evidence"} for one in asked), "questions hold no answers"
    lines = [{"question_id": one["question_id"], "answer": gold.get(one["text"], "")} for one in asked]
    (tmp_path / "given.jsonl").write_text("\n".join(map(json.dumps, lines)))
    recollect(f"recollect run own --data {OWN} --answers given.jsonl --name a", tmp_path)
    assert score(tmp_path, "a", "given") >= 0.5
    (tmp_path / "half.jsonl").write_text("\n".join(map(json.dumps, lines[:3])))
    done = recollect(f"recollect run own --data {OWN} --answers half.jsonl --name b", tmp_path, code=1)
    assert "withheld" in done.stdout
    assert "no_answer" in recollect("recollect diagnose b", tmp_path).stdout


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("not json\n", "answers.jsonl:1: no JSON"),
        ('{"question_id": "q"}\n', "`answer` is missing"),
        ('{"question_id": "q", "answer": 7}\n', "`answer`: unknown, or of a wrong type"),
        (
            '{"question_id": "q", "answer": "a"}\n{"question_id": "q", "answer": "b"}\n',
            "answers.jsonl:2: question `q` is",
        ),
    ],
)
def test_answers_that_cannot_be_read_are_refused(text: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "answers.jsonl").write_text(text)
    line = f"recollect run own --data {OWN} --answers answers.jsonl --name a"
    assert says in recollect(line, tmp_path, code=2).stderr


@pytest.mark.full
def test_a_worker_killed_in_the_middle_is_a_fault_and_the_next_run_ends_as_if_nothing_was(tmp_path: Path) -> None:
    """The adapter kills its own process in the first search for a router, once."""
    for name in ("whole", "broken"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "mine.yaml").write_text("kind: python\nadapter: adapter.py\nenv: [KILL_ONCE]\n")
        (tmp_path / name / "adapter.py").write_text(
            OVERLAP.read_text()
            + "\n\nimport os\n\n_search = Adapter.search\n\n\ndef _mortal(self, cue):\n"
            + "    mark = os.environ.get('KILL_ONCE')\n"
            + "    if mark and not os.path.exists(mark) and 'router' in cue['text']:\n"
            + "        open(mark, 'w').close()\n        os.kill(os.getpid(), 9)\n    return _search(self, cue)\n\n\n"
            + "Adapter.search = _mortal\n"
        )
    run(tmp_path / "whole", "mine.yaml")
    line = f"recollect run own --data {OWN} --memory mine.yaml --name mine --no-references"
    env = {**os.environ, "KILL_ONCE": str(tmp_path / "killed")}
    words = [str(Path(sys.executable).parent / "recollect"), *line.split()[1:]]
    first = subprocess.run(words, cwd=tmp_path / "broken", env=env, capture_output=True, text=True, check=False)
    assert first.returncode == 1, first.stderr
    told = recollect("recollect diagnose mine", tmp_path / "broken").stdout
    assert "worker_died" in told
    assert identity(tmp_path / "broken", "mine") != identity(tmp_path / "whole", "mine")
    second = subprocess.run(words, cwd=tmp_path / "broken", env=env, capture_output=True, text=True, check=False)
    assert second.returncode == 0, second.stderr
    assert identity(tmp_path / "broken", "mine") == identity(tmp_path / "whole", "mine")


@pytest.mark.full
def test_install_makes_an_environment_that_a_run_then_uses(tmp_path: Path) -> None:
    """Of a requirement file that names what is there anyway: nothing is fetched."""
    (tmp_path / "mine.yaml").write_text("kind: python\nadapter: adapter.py\nrequirements: requirements.txt\n")
    apart = "import sys\nassert sys.prefix != sys.base_prefix\nNAME ="
    (tmp_path / "adapter.py").write_text(OVERLAP.read_text().replace("NAME =", apart))
    (tmp_path / "requirements.txt").write_text("pip>=20\n")
    assert "Install it with `recollect install mine.yaml`" in run(tmp_path, "mine.yaml", code=2)
    assert "pip" in recollect("recollect install mine.yaml", tmp_path).stdout
    assert said("recollect install mine.yaml", tmp_path)["named"].keys() == {"pip"}
    run(tmp_path, "mine.yaml")
    assert score(tmp_path, "mine", "mine") > 0.5
    assert "needs no environment" in recollect("recollect install bm25", tmp_path, code=2).stderr
