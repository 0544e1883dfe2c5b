"""A memory made of an MCP server's tools: which tool does what, its arguments, and where in its result to look."""

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
class PlainTool:
    """A tool whose result is ignored."""

    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteTool(PlainTool):
    """Called once for each message, or once a batch where `{batch}` stands in the arguments."""

    unit_id: str = ""
    """Path of the stored unit's id in its result; links what is found to what was shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FindTool(PlainTool):
    """A tool that returns a list."""

    items: str = ""
    """Path of the list in its result; the other paths start at each entry."""
    text: str = "text"
    unit_id: str = ""
    sources: str = ""
    """Path of the ids of its messages, if the server can keep them."""
    said_at: str = ""
    score: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """Which tool does what."""

    write: WriteTool
    search: FindTool
    list: FindTool | None = None
    forget: PlainTool | None = None
    """Called once for each unit to forget."""
    settle: PlainTool | None = None

    def __post_init__(self) -> None:
        known = {
            "write": _MESSAGE | {"batch"}, "search": {"cue", "limit", "asked_at"}, "forget": {"unit_id"},
        }  # fmt: skip
        problems = [
            f"`tools.{role}`: `{{{name}}}` is not known; there are {', '.join(sorted(allowed))} and the settings"
            for role, tool in self.named().items()
            for name in sorted(placeholders(tool.arguments))
            if name not in (allowed := known.get(role, frozenset()) | _ROOM) and not name.startswith("settings.")
        ]
        if problems:
            raise ValueError("; ".join(problems))

    def named(self) -> dict[str, PlainTool]:
        """Role -> tool, of those that are given."""
        roles = {name: getattr(self, name) for name in ("write", "search", "list", "forget", "settle")}
        return {name: tool for name, tool in roles.items() if tool is not None}

    @property
    def traced(self) -> str:
        """How sources are known: from the server, by the ids of units, or not at all."""
        if self.search.sources:
            return "native"
        return "mapped" if self.write.unit_id and self.search.unit_id else "none"

    @property
    def can(self) -> frozenset[str]:
        if self.list is None:
            return frozenset()
        can = {Capability.LISTING.value}
        if self.traced != "none":
            can |= {Capability.READBACK.value, *([Capability.FORGET.value] if self.forget is not None else [])}
        return frozenset(can)

    def check(self, server: McpServer) -> None:
        """Refuse tools that the server does not have."""
        offered, problems = server.tools(), []
        for name in dict.fromkeys(tool.tool for tool in self.named().values() if tool.tool not in offered):
            near = get_close_matches(name, offered, n=1) or sorted(offered)[:8]
            problems.append(f"there is no tool `{name}`; there is {', '.join(near)}")
        if problems:
            raise ConfigError(f"MCP server {server.name}", problems)


def mcp_traits(tools: Tools) -> dict[str, Any]:
    """Traits that follow from the tools."""
    return {"provenance": tools.traced, "score": "similarity" if tools.search.score else "none"}


class McpMemory:
    """Messages go to one tool, cues to another."""

    def __init__(self, server: McpServer, tools: Tools, config: Mapping[str, Any], room: Room) -> None:
        self._server, self._tools = server, tools
        settings = {f"settings.{name}": value for name, value in config.items()}
        own = {"folder": str(room.folder.resolve()), "namespace": room.namespace, "seed": room.seed}
        self._known = {**settings, **own}
        self._sources: dict[str, tuple[MessageId, ...]] = {}

    def write(self, batch: Batch) -> Receipt:
        """Call the tool for each message, or once, if it takes the batch."""
        tool = self._tools.write
        if "batch" in placeholders(tool.arguments):
            first = asdict(batch.messages[0]) if batch.messages else {}
            return Receipt.stored(self._stored({**first, "batch": batch.text}, batch.sources))
        each = [self._stored(asdict(message), (message.message_id,)) for message in batch.messages]
        return Receipt.stored(name for names in each for name in names)

    def settle(self) -> None:
        if self._tools.settle is not None:
            self._call(self._tools.settle, {})

    def search(self, cue: Cue) -> Recall:
        """What the tool finds; cut to the limit if the tool does not take one."""
        tool = self._tools.search
        items = self._items(tool, {"cue": cue.text, "limit": cue.limit, "asked_at": cue.asked_at})
        takes_limit = "limit" in placeholders(tool.arguments)
        return Recall(items=tuple(items if takes_limit else items[: cue.limit]))

    def close(self) -> None:
        self._server.end()

    def units(self) -> Iterator[Unit]:
        for number, item in enumerate(self._items(self._tools.list, {}) if self._tools.list is not None else ()):
            name = item.unit_id or UnitId(f"{number}")
            yield Unit(unit_id=name, text=item.text, sources=item.sources, said_at=item.said_at)

    def stored_from(self, sources: Set[MessageId]) -> Recall:
        """The listed units that came from *sources*."""
        items = [
            RecallItem(text=unit.text, sources=unit.sources, unit_id=unit.unit_id, said_at=unit.said_at)
            for unit in self.units()
            if sources & set(unit.sources)
        ]
        return Recall(items=tuple(items), order="time")

    def forget(self, sources: Set[MessageId]) -> None:
        if self._tools.forget is not None:
            for unit in [unit for unit in self.units() if sources & set(unit.sources)]:
                self._call(self._tools.forget, {"unit_id": unit.unit_id})

    def _call(self, tool: PlainTool, values: Mapping[str, Any]) -> Any:
        return self._server.call(tool.tool, filled(tool.arguments, {**self._known, **values}))

    def _stored(self, values: Mapping[str, Any], sources: tuple[MessageId, ...]) -> list[str]:
        tool = self._tools.write
        result = self._call(tool, values)
        names = texts_at(result, tool.unit_id) if tool.unit_id else []
        for name in names:
            self._sources[name] = tuple(dict.fromkeys((*self._sources.get(name, ()), *sources)))
        return names

    def _items(self, tool: FindTool, values: Mapping[str, Any]) -> list[RecallItem]:
        result = self._call(tool, values)
        entries = at(result, tool.items)
        if entries is None and not tool.items:
            entries = []
        if not isinstance(entries, list):
            problem = f"`items: {tool.items}` of tool `{tool.tool}` leads to {entries!r:.60}, not to a list"
            raise MalformedError(f"{problem}, in {result!r:.200}", cause="malformed")
        items = []
        for entry in entries:
            name = text_at(entry, tool.unit_id) if tool.unit_id else None
            sources = texts_at(entry, tool.sources) if tool.sources else []
            items.append(
                RecallItem(
                    text=text_at(entry, tool.text) or "",
                    sources=tuple(map(MessageId, sources)) or self._sources.get(name or "", ()),
                    unit_id=None if name is None else UnitId(name),
                    said_at=text_at(entry, tool.said_at) if tool.said_at else None,
                    score=number_at(entry, tool.score) if tool.score else None,
                )
            )
        return items


_NAME = re.compile(r"\{([\w.]+)\}")


def placeholders(template: Any) -> frozenset[str]:
    """The names in *template*."""
    return frozenset(_NAME.findall(json.dumps(template, ensure_ascii=False)))


def filled(template: Any, known: Mapping[str, Any]) -> Any:
    """*template* with all names replaced; a text that is only a name becomes its value, so numbers stay numbers."""
    if isinstance(template, Mapping):
        return {key: filled(value, known) for key, value in template.items()}
    if isinstance(template, list | tuple):
        return [filled(value, known) for value in template]
    if not isinstance(template, str):
        return template
    alone = _NAME.fullmatch(template)
    if alone:
        return known.get(alone[1])
    texts = {name: "" if value is None else str(value) for name, value in known.items()}
    return _NAME.sub(lambda name: texts.get(name[1], ""), template)


def at(value: Any, path: str) -> Any:
    """The part of *value* at `a.b.0`; `None` if there is none; *value* itself for no path or `.`."""
    for step in filter(None, path.split(".")):
        if isinstance(value, Mapping):
            value = value.get(step)
        elif isinstance(value, list) and step.isdecimal() and int(step) < len(value):
            value = value[int(step)]
        else:
            return None
    return value


def text_at(value: Any, path: str) -> str | None:
    """The text at *path*; several become lines."""
    found = texts_at(value, path)
    return "\n".join(found) if found else None


def texts_at(value: Any, path: str) -> list[str]:
    """All texts at *path*."""
    found = at(value, path)
    listed = found if isinstance(found, list) else [] if found is None else [found]
    return [entry if isinstance(entry, str) else json.dumps(entry, ensure_ascii=False) for entry in listed]


def number_at(value: Any, path: str) -> float | None:
    """The number at *path*."""
    found = at(value, path)
    return float(found) if isinstance(found, int | float) else None
