"""An MCP server's tools become a memory by configuration."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from recollect.contracts.traits import Traits
from recollect.domain.errors import CallError, ConfigError, MalformedError
from recollect.domain.exchange import Cue
from recollect.memories.connectors.mcp_memory import FindTool, McpMemory, PlainTool, Tools, WriteTool, mcp_traits
from recollect.memories.connectors.mcp_server import McpServer
from recollect.memories.worker.memory import Patience
from recollect.memories.worker.process import ProcessEnvironment

from tests.fakes.workers import FAKES, room
from tests.unit.memories import memory_checks as checks
from tests.unit.memories.small_history import HISTORY, BuiltIn, Maker, batch, feed, ids

FOUND: dict[str, Any] = {"items": "result.notes", "text": "body", "unit_id": "id"}
MAPPED = Tools(
    write=WriteTool(tool="add_note", arguments={"text": "{text}"}, unit_id="note.id"),
    search=FindTool(tool="find_notes", arguments={"query": "{cue}", "top": "{limit}"}, score="hits", **FOUND),
    list=FindTool(tool="list_notes", **FOUND),
    forget=PlainTool(tool="delete_note", arguments={"name": "{unit_id}"}),
)
NATIVE = replace(
    MAPPED,
    write=WriteTool(tool="add_note", arguments={"text": "{text}", "ref": "{message_id}", "at": "{said_at}"}),
    search=replace(MAPPED.search, sources="meta.ref", said_at="meta.at"),
    list=FindTool(tool="list_notes", sources="meta.ref", said_at="meta.at", **FOUND),
)


def server(folder: Path, how: str = "") -> McpServer:
    around = ProcessEnvironment(command=(sys.executable, str(FAKES / "mcp_notes.py"), how))
    return McpServer(around.start_in(room(folder)), "the server", Patience(open_s=20, request_s=20))


def opened(folder: Path, tools: Tools = MAPPED, how: str = "", **settings: Any) -> McpMemory:
    return McpMemory(server(folder, how), tools, settings, room(folder))


@pytest.mark.parametrize("tools", [MAPPED, NATIVE], ids=["mapped", "native"])
@pytest.mark.parametrize(
    "check",
    [
        checks.check_searching_twice_is_equal,
        checks.check_searching_changes_nothing,
        checks.check_no_item_comes_twice,
        checks.check_the_limit_holds,
        checks.check_an_empty_memory_finds_nothing,
        checks.check_unheard_words_find_nothing,
        checks.check_settled_writes_are_found,
        checks.check_readback_is_exact,
        checks.check_forgetting_the_unknown_changes_nothing,
        checks.check_two_never_meet,
    ],
    ids=lambda check: check.__name__.removeprefix("check_"),
)
def test_it_keeps_its_promises(tools: Tools, check: Any, tmp_path: Path) -> None:
    traits = Traits(can=frozenset(map(cast("Any", str), tools.can)), **mcp_traits(tools))

    def make(folder: Path) -> BuiltIn:
        return cast("BuiltIn", opened(folder, tools))

    check(Maker(name="mcp", open=make, traits=traits, lexical=True), tmp_path)


def test_what_is_known_of_sources_follows_from_the_tools() -> None:
    assert (MAPPED.traced, NATIVE.traced) == ("mapped", "native")
    assert MAPPED.can == {"listing", "readback", "forget"}
    bare = Tools(write=WriteTool(tool="add_note"), search=FindTool(tool="find_notes"))
    assert (bare.traced, bare.can) == ("none", frozenset())


def test_time_and_score_come_from_where_the_file_says(tmp_path: Path) -> None:
    memory = opened(tmp_path / "a", NATIVE)
    feed(memory, HISTORY)
    (first, *_) = memory.search(Cue(text="the grey cat called Pebble", limit=3)).items
    memory.close()
    assert (first.sources, first.said_at, first.unit_id) == (("m0003",), HISTORY[3].said_at, "note3")
    assert first.score == 4.0  # grey, cat, called, Pebble


def test_a_result_that_is_text_is_read_as_json(tmp_path: Path) -> None:
    memory = opened(tmp_path / "a", how="text")
    feed(memory, HISTORY)
    assert ids(memory.search(Cue(text="Pebble", limit=9))) == ["m0003", "m0004"]
    memory.close()


def test_plain_texts_are_items(tmp_path: Path) -> None:
    tools = replace(MAPPED, search=FindTool(tool="plain_find", arguments={"query": "{cue}"}, items="texts", text="."))
    memory = opened(tmp_path / "a", tools)
    feed(memory, HISTORY)
    found = memory.search(Cue(text="Pebble", limit=1)).items
    memory.close()
    assert [item.text for item in found] == [HISTORY[3].text], "cut here, as the tool knows no limit"


def test_a_batch_goes_in_one_call_where_the_tool_wants_it(tmp_path: Path) -> None:
    tools = replace(MAPPED, write=WriteTool(tool="add_note", arguments={"text": "{batch}"}, unit_id="note.id"))
    memory = opened(tmp_path / "a", tools)
    assert memory.write(batch(*HISTORY[:3])).unit_ids == ("note0",)
    (unit,) = memory.units()
    memory.close()
    assert unit.sources == ("m0000", "m0001", "m0002")


def test_settings_and_the_room_stand_in_arguments(tmp_path: Path) -> None:
    write = WriteTool(tool="add_note", arguments={"text": "{settings.mark} {namespace} {seed}"})
    memory = opened(tmp_path / "a", replace(MAPPED, write=write), mark="M")
    memory.write(batch(HISTORY[0]))
    (unit,) = memory.units()
    memory.close()
    assert unit.text == "M n1 7"


def test_a_tool_that_fails_is_a_named_fault(tmp_path: Path) -> None:
    memory = opened(tmp_path / "a", how="fails")
    with pytest.raises(CallError, match="the index is gone") as caught:
        memory.search(Cue(text="x", limit=1))
    assert caught.value.cause == "tool_error"
    memory.settle()
    memory.close()


def test_arguments_that_a_tool_refuses_are_a_named_fault(tmp_path: Path) -> None:
    tools = replace(MAPPED, search=replace(MAPPED.search, arguments={"question": "{cue}"}))
    memory = opened(tmp_path / "a", tools)
    with pytest.raises(CallError, match="bad arguments") as caught:
        memory.search(Cue(text="x", limit=1))
    assert caught.value.cause == "tool_error"
    memory.close()


def test_a_path_that_leads_nowhere_is_malformed_and_never_an_empty_search(tmp_path: Path) -> None:
    memory = opened(tmp_path / "a", replace(MAPPED, search=replace(MAPPED.search, items="results")))
    with pytest.raises(MalformedError, match="`items: results` of tool `find_notes`"):
        memory.search(Cue(text="x", limit=1))
    memory.close()


def test_a_tool_that_is_not_there_is_refused_with_the_nearest(tmp_path: Path) -> None:
    running = server(tmp_path / "a")
    with pytest.raises(ConfigError, match="no tool `find_note`; there is find_notes"):
        replace(MAPPED, search=replace(MAPPED.search, tool="find_note")).check(running)
    MAPPED.check(running)
    running.end()


def test_a_name_that_cannot_be_filled_is_refused() -> None:
    with pytest.raises(ValueError, match=r"`tools.search`: `\{query\}` is not known; there are asked_at, cue"):
        replace(MAPPED, search=replace(MAPPED.search, arguments={"q": "{query}"}))
