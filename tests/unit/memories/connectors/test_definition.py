"""A YAML file is a memory; what is wrong with it is said at once, before a run begins."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from recollect import registry
from recollect.contracts.systems import MemoryKind
from recollect.contracts.traits import Capability
from recollect.domain.errors import ConfigError, MissingExtraError, UsageError
from recollect.domain.exchange import Cue

from tests.fakes.http_worker import serving
from tests.fakes.workers import FAKES, OVERLAP, room
from tests.unit.memories.small_history import HISTORY, feed, ids

BAD = f"kind: worker\ncommand: [{sys.executable}, {FAKES / 'bad_worker.py'}, fine]\n"


def door(tmp_path: Path, text: str) -> MemoryKind:
    """What the file that says *text* describes."""
    (tmp_path / "adapter.py").write_text(OVERLAP.read_text())
    (tmp_path / "mine.yaml").write_text(text)
    return registry.memory(str(tmp_path / "mine.yaml"))


def test_an_adapter_is_a_memory_with_the_traits_that_it_tells(tmp_path: Path) -> None:
    kind = door(tmp_path, "kind: python\nadapter: adapter.py\nsettings: {least: 2}\n")
    traits = kind.traits(kind.config())
    assert (kind.name, traits.keeps, traits.score) == ("mine", "all", "similarity")
    assert traits.can == {Capability.LISTING, Capability.READBACK, Capability.SNAPSHOT, Capability.FORGET}
    for settings, found in ((kind.config(), []), (kind.config(least=1), ["m0003"])):
        memory = kind.open(settings, room(tmp_path / f"room{len(found)}"))
        feed(memory, HISTORY)
        assert ids(memory.search(Cue(text="adopted", limit=5))) == found
        memory.close()


def test_traits_of_the_file_go_before_those_that_are_told(tmp_path: Path) -> None:
    kind = door(tmp_path, "kind: python\nadapter: adapter.py\ntraits: {can: [listing], takes: session}\n")
    traits = kind.traits(kind.config())
    assert traits.can == {Capability.LISTING}
    assert (traits.takes.value, traits.keeps) == ("session", "all")


def test_settings_have_the_types_of_their_defaults(tmp_path: Path) -> None:
    from recollect.records.codec import read

    kind = door(
        tmp_path, "kind: python\nadapter: adapter.py\nsettings: {top: 3, fast: true, word: a, more: {x: [1]}}\n"
    )
    assert read(kind.config, {"top": "many"})[1]
    assert read(kind.config, {"topp": 3})[1] == ("unknown key `topp` (did you mean `top`?)",)
    made, problems = read(kind.config, {"top": 4})
    assert (made.top, made.fast, made.word, made.more, problems) == (4, True, "a", {"x": [1]}, ())


def test_whatever_it_is_made_of_is_in_the_key(tmp_path: Path) -> None:
    text = "kind: python\nadapter: adapter.py\nfiles: [data.txt]\n"
    (tmp_path / "data.txt").write_text("1")

    def inputs() -> str:
        kind = door(tmp_path, text)
        assert kind.inputs is not None
        return json.dumps(dict(kind.inputs(kind.config())), sort_keys=True)

    first = inputs()
    assert inputs() == first
    (tmp_path / "data.txt").write_text("2")
    second = inputs()
    text += "summary: another\n"
    assert len({first, second, inputs()}) == 3


def test_a_server_is_a_memory(tmp_path: Path) -> None:
    with serving() as server:
        kind = door(tmp_path, f"kind: http\nurl: {server.url}\n")
        memory = kind.open(kind.config(), room(tmp_path / "room"))
        feed(memory, HISTORY)
        assert ids(memory.search(Cue(text="Pebble", limit=5))) == ["m0003", "m0004"]
        memory.close()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param("", "holds NoneType", id="empty"),
        pytest.param("[1]", "holds list", id="a list"),
        pytest.param("a: [", "cannot be read as YAML", id="no YAML"),
        pytest.param("kind: grpc", "it may be worker, python, http, mcp", id="kind"),
        pytest.param("kind: worker", "`command`", id="lacks a field"),
        pytest.param("kind: python\nadapter: adapter.py\nadaptor: x\n", "did you mean `adapter`", id="unknown field"),
        pytest.param("kind: python\nadapter: gone.py", "`gone.py`: there is no such file beside it", id="no file"),
        pytest.param("kind: python\nadapter: adapter.py\ntraits: {takes: words}", "`takes`", id="traits"),
        pytest.param("kind: python\nadapter: adapter.py\ntraits: {can: [policy]}", "policy", id="cannot"),
        pytest.param("kind: python\nadapter: adapter.py\nsettings: {a-b: 1}", "no name of a setting", id="setting"),
        pytest.param("kind: python\nadapter: adapter.py\nneeds: [magic]", "gateway", id="needs"),
        pytest.param("kind: worker\ncommand: [no-such-program]", "cannot be started", id="no program"),
        pytest.param("kind: worker\ncommand: ['true']", "ended by itself", id="ends at once"),
        pytest.param("kind: worker\ncommand: [sleep, '30']\nopen_timeout_s: 0.2", r"silent for 0\.2 s", id="silent"),
        pytest.param("kind: http\nurl: http://127.0.0.1:9/", "nobody listens", id="no server"),
        pytest.param(
            "kind: http\nurl: http://x/\nheaders_from_env: {A: NO_SUCH}", "NO_SUCH, which is not set", id="env"
        ),
        pytest.param("kind: mcp\ncommand: [x]\ntools: {write: {tool: a}}", "`tools.search`", id="lacks a tool"),
    ],
)
def test_what_is_wrong_is_said_before_a_run(text: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=says):
        door(tmp_path, text)


def test_all_problems_are_said_at_once(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        door(tmp_path, "kind: worker\ntimeout_s: soon\nmemory_mb: much\ncommand: 7\n")
    assert all(name in str(caught.value) for name in ("timeout_s", "memory_mb", "command"))


def test_an_adapter_that_is_broken_shows_its_error(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("import no_such_module\n")
    with pytest.raises(UsageError, match="No module named 'no_such_module'"):
        door(tmp_path, "kind: python\nadapter: broken.py\n")


def test_a_missing_environment_names_the_line_that_makes_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOLLECT_HOME", str(tmp_path / "home"))
    (tmp_path / "requirements.txt").write_text("some-package>=1\n")
    with pytest.raises(MissingExtraError, match=r"Install it with `recollect install .*mine\.yaml`"):
        door(tmp_path, "kind: python\nadapter: adapter.py\nrequirements: requirements.txt\n")
    found = registry.environment(str(tmp_path / "mine.yaml"))
    assert found is not None
    assert found.requirements == tmp_path / "requirements.txt"


def test_a_worker_that_promises_nothing_is_a_memory_too(tmp_path: Path) -> None:
    kind = door(tmp_path, f"{BAD}traits: {{provenance: none}}\n")
    assert kind.traits(kind.config()).can == frozenset()
