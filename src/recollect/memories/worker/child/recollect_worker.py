"""Serves one adapter over standard input and output, one JSON object a line. Needs Python 3.9 and nothing else.

`python recollect_worker.py ADAPTER.py` loads the file and its class `Adapter`; docs/worker_protocol.md has the rest.
This file is run in environments that have no Recollect, so it may import only the standard library.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
import threading
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

PROTOCOL = 1
KINDS = ("retryable", "refused", "malformed", "not_available", "raised")
MUST = ("write", "settle", "search", "close")
CAN = {"listing": ("units",), "readback": ("stored_from",), "snapshot": ("save", "load"), "forget": ("forget",)}
PARENT_S = 1.0
"""How often it is checked that somebody still waits for the answer."""


class MalformedValueError(ValueError):
    """A value of the adapter is not what the protocol asks for."""

    recollect_kind = "malformed"
    recollect_cause = "malformed"


def peak() -> dict[str, int]:
    """Most memory that this process has taken, in bytes, where the system tells; nothing elsewhere.

    The usual `ru_maxrss` would begin with what the process took that started this one.
    """
    try:
        told = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
        line = next(line for line in told.splitlines() if line.startswith("VmHWM:"))
        return {"peak_bytes": 1024 * int(line.split()[1])}
    except (OSError, StopIteration, ValueError, IndexError):
        return {}


class Served:
    """The adapter: its module, and its instance once it is open."""

    def __init__(self, file: str) -> None:
        self.module = _load(file)
        self.make: Any = getattr(self.module, "Adapter", None)
        if not callable(self.make):
            raise SystemExit(f"{file}: has no class `Adapter`.")
        lacking = [name for name in MUST if not callable(getattr(self.make, name, None))]
        if lacking:
            raise SystemExit(f"{file}: `Adapter` lacks {', '.join(f'`{name}`' for name in lacking)}.")
        self.open: Any = None
        self._loop: Any = None

    def do(self, request: Mapping[str, Any]) -> Any:
        """The `ok` of one request."""
        what = request.get("do")
        if what == "hello":
            return self._hello()
        if what == "open":
            room = {name: request.get(name) for name in ("folder", "namespace", "seed", "access")}
            self.open = self._done(self.make(request.get("config") or {}, room))
            return {}
        if self.open is None and what != "close":
            raise MalformedValueError(f"`{what}` came before `open`")
        return self._act(str(what), request)

    def _act(self, what: str, request: Mapping[str, Any]) -> Any:
        if what == "write":
            return receipt(self._call("write", request["batch"]))
        if what == "search":
            return recall(self._call("search", request["cue"]))
        if what == "units":
            return {"units": [fields(unit, ("unit_id", "text", "sources")) for unit in self._call("units")]}
        if what == "stored_from":
            return recall(self._call("stored_from", set(request["sources"])))
        if what in ("save", "load"):
            self._call(what, request["folder"])
        elif what == "forget":
            self._call("forget", set(request["sources"]))
        elif what == "settle":
            self._call(what)
            return peak()
        elif what == "close":
            self._close()
        else:
            raise MalformedValueError(f"there is no request `{what}` in protocol {PROTOCOL}")
        return {}

    def _close(self) -> None:
        if self.open is not None:
            self._call("close")
        if self._loop is not None:
            self._loop.close()
        self.open = self._loop = None

    def _hello(self) -> dict[str, Any]:
        told: dict[str, Any] = {
            "protocol": PROTOCOL,
            "adapter": str(getattr(self.module, "NAME", Path(str(self.module.__file__)).stem)),
            "versions": versions(getattr(self.module, "PACKAGES", ())),
            "can": [name for name, methods in CAN.items() if all(map(self._has, methods))],
        }
        if getattr(self.module, "STANDS_IN", ""):
            told["stands_in"] = str(self.module.STANDS_IN)
        traits = getattr(self.module, "TRAITS", None)
        return told if traits is None else {**told, "traits": dict(traits)}

    def _has(self, method: str) -> bool:
        return callable(getattr(self.make, method, None))

    def _call(self, name: str, *given: Any) -> Any:
        method = getattr(self.open, name, None)
        if method is None:
            raise NotImplementedError(f"the adapter has no method `{name}`")
        return self._done(method(*given))

    def _done(self, result: Any) -> Any:
        """What was returned, waited for where it is a coroutine."""
        if not hasattr(result, "__await__"):
            return result
        import asyncio

        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            asyncio.set_event_loop(self._loop)
        return self._loop.run_until_complete(_awaited(result))


async def _awaited(result: Any) -> Any:
    return await result


def _load(file: str) -> Any:
    """The adapter's module; files beside it can be imported by it."""
    path = Path(file).resolve()
    sys.path[0] = str(path.parent)  # where this file's folder stood: nothing in it is for adapters
    spec = importlib.util.spec_from_file_location(f"recollect_adapter_{path.stem}", path)
    if spec is None or spec.loader is None or not path.is_file():
        raise SystemExit(f"{file}: cannot be loaded as a Python module.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def versions(packages: Iterable[str]) -> dict[str, str]:
    """Name -> version of what is installed of *packages*."""
    from importlib.metadata import PackageNotFoundError, version

    found = {}
    for name in packages:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def receipt(said: Any) -> dict[str, Any]:
    """A receipt; who says nothing has stored."""
    if said is None:
        return {"status": "stored", "unit_ids": []}
    if isinstance(said, str):
        return {"status": said, "unit_ids": []}
    made = fields(said, ())
    return {"status": made.get("status", "stored"), "unit_ids": made.get("unit_ids") or []}


def recall(said: Any) -> dict[str, Any]:
    """A recall; a bare list of items will do."""
    if said is None:
        return {"items": []}
    made = dict(said) if isinstance(said, Mapping) else {"items": said}
    made["items"] = [fields(item, () if _whole(item) else ("text",)) for item in made.get("items") or ()]
    return made


def _whole(item: Any) -> bool:
    return isinstance(item, Mapping) and item.get("message") is not None


def fields(value: Any, needed: Iterable[str]) -> dict[str, Any]:
    """*value* as a dict that has all fields that are *needed*."""
    if not isinstance(value, Mapping):
        raise MalformedValueError(f"a dict was expected, got {type(value).__name__}: {value!r:.80}")
    lacking = [name for name in needed if name not in value]
    if lacking:
        raise MalformedValueError(f"{value!r:.80} lacks {', '.join(f'`{name}`' for name in lacking)}")
    return dict(value)


def plain(value: Any) -> Any:
    """What JSON has no word for, in words it has."""
    for name in ("isoformat", "tolist", "item", "__fspath__"):
        if callable(getattr(value, name, None)):
            return getattr(value, name)()
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    if isinstance(value, Iterable) and not isinstance(value, (bytes, bytearray)):
        return list(value)
    raise MalformedValueError(f"a value is a {type(value).__name__}, which is no JSON: {value!r:.80}")


def error_of(error: BaseException) -> dict[str, Any]:
    """The `error` of an answer."""
    kind = getattr(error, "recollect_kind", None)
    if kind not in KINDS:
        kind = "raised"
        if isinstance(error, NotImplementedError):
            kind = "not_available"
        elif isinstance(error, (TimeoutError, ConnectionError)):
            kind = "retryable"
    told = {"kind": kind, "message": _message(error)}
    cause = getattr(error, "recollect_cause", None) or ("timeout" if isinstance(error, TimeoutError) else None)
    return {**told, "cause": cause} if isinstance(cause, str) else told


def _message(error: BaseException) -> str:
    try:
        said = str(error)
    except Exception:  # noqa: BLE001  # a message that cannot be made is no reason to stop
        said = "(its message cannot be read)"
    own = getattr(error, "recollect_kind", None) in KINDS or type(error) is NotImplementedError
    return (said if own and said else f"{type(error).__name__}: {said}")[:4000]


def answer(served: Served, line: bytes) -> tuple[bytes, bool]:
    """The answer to one line, and whether it was the last."""
    number: Any = None
    last = False
    try:
        request = json.loads(line)
        number = request.get("id")
        last = request.get("do") == "close"
        told = {"id": number, "ok": served.do(request)}
        return _line(told), last
    except BaseException as error:  # noqa: BLE001  # also SystemExit: whatever a vendor does, the line is answered
        if not isinstance(error, NotImplementedError):
            import traceback

            traceback.print_exc()
        return _line({"id": number, "error": error_of(error)}), last


def _line(told: Mapping[str, Any]) -> bytes:
    try:
        return (json.dumps(told, default=plain, allow_nan=False) + "\n").encode("ascii")
    except ValueError as error:
        if isinstance(error, MalformedValueError):
            raise
        raise MalformedValueError(f"a number is not finite, or a value holds itself ({error})") from None


def guard() -> tuple[Any, int]:
    """The protocol's own ways in and out; all that prints goes to standard error, all that reads finds the end."""
    given, taken = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    sys.stdout = sys.stderr
    return os.fdopen(given, "rb"), taken


def put(out: int, line: bytes) -> None:
    """Write all of *line*."""
    view = memoryview(line)
    while view:
        view = view[os.write(out, view) :]


def watch_parent() -> None:
    """End with the process that started this one, also in the middle of a call."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(PARENT_S)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def be_watched() -> None:
    """Where `recollect doctor` looks on, take its clock and its guard, before anything of the vendor is imported."""
    said = json.loads(os.environ.pop("RECOLLECT_DOCTOR", "null"))
    if said:
        _load(said["file"]).watch(said)


def main(file: str) -> None:
    """Answer until `close` or the end of the input."""
    given, out = guard()
    watch_parent()
    be_watched()
    served = Served(file)
    for line in given:
        if not line.strip():
            continue
        reply, last = answer(served, line)
        put(out, reply)
        if last:
            break
    sys.stderr.flush()
    os._exit(0)  # threads of a vendor do not keep it alive


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: recollect_worker.py ADAPTER.py")
    main(sys.argv[1])
