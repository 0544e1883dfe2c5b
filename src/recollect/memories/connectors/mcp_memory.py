"""A memory made of an MCP server's tools: which tool does what, with which arguments, and where its result stands."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import asdict, dataclass, field
from difflib import get_close_matches
from typing import Any

from recollect.contracts.memory import Room
from recollect.contracts.traits import Capability
from recollect.domain.errors import ConfigError, MalformedError
from recollect.domain.exchange import Batch, Cue, Recall, RecallItem, Receipt, Unit
from recollect.domain.ids import MessageId, UnitId
from recollect.domain.messages import Message
from recollect.memories.connectors.mcp_server import McpServer

_ROOM = frozenset({"folder", "namespace", "seed"})
_MESSAGE = frozenset(Message.__dataclass_fields__)


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteTool:
    """Called once for each message, or once a batch where `{batch}` stands in the arguments."""

    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    unit_id: str = ""
    """Where in its result the id of what was stored stands; ties what is found to what was shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FindTool:
    """A tool that gives a list of things."""

    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    items: str = ""
    """Where in its result the list stands; the rest is looked for in each of its entries."""
    text: str = "text"
    unit_id: str = ""
    sources: str = ""
    """Where the ids of the messages stand that it came from, if the server can keep them."""
    said_at: str = ""
    score: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainTool:
    """A tool whose result says nothing."""

    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """Which tool does what."""

    write: WriteTool
    search: FindTool
    list: FindTool | None = None
    forget: PlainTool | None = None
    """Called once for each unit that came from what is forgotten."""
    settle: PlainTool | None = None

    def __post_init__(self) -> None:
        known = {
            "write": _MESSAGE | {"batch"}, "search": {"cue", "limit", "asked_at"}, "forget": {"unit_id"},
        }  # fmt: skip
        problems = [
            f"`tools.{role}`: `{{{name}}}` is not known; there are {', '.join(sorted(allowed))} and the settings"
            for role, one in self.named().items()
            for name in sorted(placeholders(one.arguments))
            if name not in (allowed := known.get(role, frozenset()) | _ROOM) and not name.startswith("settings.")
        ]
        if problems:
            raise ValueError("; ".join(problems))

    def named(self) -> dict[str, WriteTool | FindTool | PlainTool]:
        """Role -> tool, of those that are given."""
        roles = {name: getattr(self, name) for name in ("write", "search", "list", "forget", "settle")}
        return {name: tool for name, tool in roles.items() if tool is not None}

    @property
    def traced(self) -> str:
        """How sources are known: told by the server, by the ids of units, or not at all."""
        if self.search.sources:
            return "native"
        return "mapped" if self.write.unit_id and self.search.unit_id else "none"

    @property
    def can(self) -> frozenset[str]:
        """What the tools make possible."""
        lists = {Capability.LISTING.value} if self.list is not None else set()
        traced = self.list is not None and self.traced != "none"
        back = {Capability.READBACK.value} if traced else set()
        return frozenset(lists | back | ({Capability.FORGET.value} if traced and self.forget is not None else set()))

    def check(self, server: McpServer) -> None:
        """Refuse tools that the server does not have.

        Raises:
            ConfigError: With each of them, and the nearest names.
        """
        there = server.tools()
        wrong = [tool.tool for tool in self.named().values() if tool.tool not in there]
        near = {name: get_close_matches(name, there, n=1) or sorted(there)[:8] for name in wrong}
        if wrong:
            told = [f"there is no tool `{name}`; there is {', '.join(near[name])}" for name in dict.fromkeys(wrong)]
            raise ConfigError(f"MCP server {server.name}", told)


def mcp_traits(tools: Tools) -> dict[str, Any]:
    """What can be said without asking."""
    return {"provenance": tools.traced, "score": "similarity" if tools.search.score else "none"}


class McpMemory:
    """Messages go to one tool, cues to another."""

    def __init__(self, server: McpServer, tools: Tools, known: Mapping[str, Any]) -> None:
        self._server, self._tools, self._known = server, tools, dict(known)
        self._sources: dict[str, tuple[MessageId, ...]] = {}

    @classmethod
    def opened(cls, server: McpServer, tools: Tools, config: Mapping[str, Any], room: Room) -> McpMemory:
        """The memory in *room*."""
        settings = {f"settings.{name}": value for name, value in config.items()}
        own = {"folder": str(room.folder.resolve()), "namespace": room.namespace, "seed": room.seed}
        return cls(server, tools, {**settings, **own})

    def write(self, batch: Batch) -> Receipt:
        """Call the tool for each message; or once, where it wants the batch."""
        tool = self._tools.write
        if "batch" in placeholders(tool.arguments):
            first = asdict(batch.messages[0]) if batch.messages else {}
            return Receipt.stored(self._stored({**first, "batch": batch.text}, batch.sources))
        units = [name for one in batch.messages for name in self._stored(asdict(one), (one.message_id,))]
        return Receipt.stored(units)

    def settle(self) -> None:
        """Call the tool for it, if there is one."""
        if self._tools.settle is not None:
            self._call(self._tools.settle, {})

    def search(self, cue: Cue) -> Recall:
        """What the tool finds; a tool that cannot be told the limit is cut here."""
        tool = self._tools.search
        result = self._call(tool, {"cue": cue.text, "limit": cue.limit, "asked_at": cue.asked_at})
        items = [self._item(tool, one) for one in _entries(tool, result)]
        told = "limit" in placeholders(tool.arguments)
        return Recall(items=tuple(items if told else items[: cue.limit]))

    def close(self) -> None:
        """End the server."""
        self._server.end()

    def units(self) -> Iterator[Unit]:
        """What the tool lists."""
        tool = self._tools.list
        for number, one in enumerate(_entries(tool, self._call(tool, {})) if tool is not None else ()):
            item = self._item(tool, one) if tool is not None else None
            if item is not None:
                name = item.unit_id or UnitId(f"{number}")
                yield Unit(unit_id=name, text=item.text, sources=item.sources, said_at=item.said_at)

    def stored_from(self, sources: Set[MessageId]) -> Recall:
        """The listed units that came from *sources*."""
        found = [unit for unit in self.units() if sources & set(unit.sources)]
        return Recall(
            items=tuple(
                RecallItem(text=unit.text, sources=unit.sources, unit_id=unit.unit_id, said_at=unit.said_at)
                for unit in found
            ),
            order="time",
        )

    def forget(self, sources: Set[MessageId]) -> None:
        """Call the tool for each unit that came from *sources*."""
        if self._tools.forget is not None:
            for unit in [unit for unit in self.units() if sources & set(unit.sources)]:
                self._call(self._tools.forget, {"unit_id": unit.unit_id})

    def _call(self, tool: WriteTool | FindTool | PlainTool, said: Mapping[str, Any]) -> Any:
        return self._server.call(tool.tool, filled(tool.arguments, {**self._known, **said}))

    def _stored(self, said: Mapping[str, Any], sources: tuple[MessageId, ...]) -> list[str]:
        tool = self._tools.write
        result = self._call(tool, said)
        named = texts_at(result, tool.unit_id) if tool.unit_id else []
        for name in named:
            before = self._sources.get(name, ())
            self._sources[name] = tuple(dict.fromkeys((*before, *sources)))
        return named

    def _item(self, tool: FindTool, one: Any) -> RecallItem:
        name = text_at(one, tool.unit_id) if tool.unit_id else None
        sources = [MessageId(source) for source in texts_at(one, tool.sources)] if tool.sources else []
        return RecallItem(
            text=text_at(one, tool.text) or "",
            sources=tuple(sources) or self._sources.get(name or "", ()),
            unit_id=None if name is None else UnitId(name),
            said_at=text_at(one, tool.said_at) if tool.said_at else None,
            score=number_at(one, tool.score) if tool.score else None,
        )


def _entries(tool: FindTool, result: Any) -> list[Any]:
    found = at(result, tool.items)
    if found is None and not tool.items:
        return []
    if not isinstance(found, list):
        told = f"`items: {tool.items}` of tool `{tool.tool}` leads to {found!r:.60}, not to a list, in {result!r:.200}"
        raise MalformedError(told, cause="malformed")
    return found


_NAME = re.compile(r"\{([\w.]+)\}")


def placeholders(template: Any) -> frozenset[str]:
    """The names that stand in *template*."""
    return frozenset(_NAME.findall(json.dumps(template, ensure_ascii=False)))


def filled(template: Any, known: Mapping[str, Any]) -> Any:
    """*template* with all names replaced; a text that is one name alone becomes the value, so numbers stay numbers."""
    if isinstance(template, Mapping):
        return {key: filled(value, known) for key, value in template.items()}
    if isinstance(template, list | tuple):
        return [filled(value, known) for value in template]
    if not isinstance(template, str):
        return template
    alone = _NAME.fullmatch(template)
    if alone:
        return known.get(alone[1])
    return _NAME.sub(lambda name: _worded(known.get(name[1])), template)


def _worded(value: Any) -> str:
    return "" if value is None else str(value)


def at(value: Any, path: str) -> Any:
    """What stands in *value* at `a.b.0`; `None` where the path leads nowhere; the value itself for no path or `.`."""
    for step in filter(None, path.split(".")):
        if isinstance(value, Mapping):
            value = value.get(step)
        elif isinstance(value, list) and step.isdecimal() and int(step) < len(value):
            value = value[int(step)]
        else:
            return None
    return value


def text_at(value: Any, path: str) -> str | None:
    """The text at *path*; several are put in lines."""
    found = texts_at(value, path)
    return "\n".join(found) if found else None


def texts_at(value: Any, path: str) -> list[str]:
    """All texts at *path*."""
    found = at(value, path)
    listed = found if isinstance(found, list) else [] if found is None else [found]
    return [one if isinstance(one, str) else json.dumps(one, ensure_ascii=False) for one in listed]


def number_at(value: Any, path: str) -> float | None:
    """The number at *path*."""
    found = at(value, path)
    return float(found) if isinstance(found, int | float) else None
