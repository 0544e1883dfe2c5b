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
"""How often it is checked that the parent process still runs."""


class MalformedValueError(ValueError):
    """A value of the adapter is not what the protocol asks for."""

    recollect_kind = "malformed"
    recollect_cause = "malformed"


def peak() -> dict[str, int]:
    """Peak memory of this process in bytes, where the operating system reports it; else nothing.

    The usual `ru_maxrss` includes the memory of the process that started this one.
    """
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
        line = next(line for line in status.splitlines() if line.startswith("VmHWM:"))
        return {"peak_bytes": 1024 * int(line.split()[1])}
    except (OSError, StopIteration, ValueError, IndexError):
        return {}


def lacking_in(adapter: Any, methods: Iterable[str]) -> list[str]:
    """Those of *methods* that the class has not."""
    return [name for name in methods if not callable(getattr(adapter, name, None))]


class Served:
    """The adapter: its module, and its instance once it is open."""

    def __init__(self, file: str) -> None:
        self.module = _load(file)
        self.make: Any = getattr(self.module, "Adapter", None)
        if not callable(self.make):
            raise SystemExit(f"{file}: has no class `Adapter`.")
        lacking = lacking_in(self.make, MUST)
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
        hello: dict[str, Any] = {
            "protocol": PROTOCOL,
            "adapter": str(getattr(self.module, "NAME", Path(str(self.module.__file__)).stem)),
            "versions": versions(getattr(self.module, "PACKAGES", ())),
            "can": [name for name, methods in CAN.items() if not lacking_in(self.make, methods)],
        }
        if getattr(self.module, "STANDS_IN", ""):
            hello["stands_in"] = str(self.module.STANDS_IN)
        traits = getattr(self.module, "TRAITS", None)
        return hello if traits is None else {**hello, "traits": dict(traits)}

    def _call(self, name: str, *arguments: Any) -> Any:
        method = getattr(self.open, name, None)
        if method is None:
            raise NotImplementedError(f"the adapter has no method `{name}`")
        return self._done(method(*arguments))

    def _done(self, result: Any) -> Any:
        """*result*, awaited where it is a coroutine."""
        if not hasattr(result, "__await__"):
            return result
        import asyncio

        async def awaited() -> Any:
            return await result

        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            asyncio.set_event_loop(self._loop)
        return self._loop.run_until_complete(awaited())


def _load(file: str) -> Any:
    """The adapter's module; it can import the files in its folder."""
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


def receipt(result: Any) -> dict[str, Any]:
    """A receipt from what `write` returned: nothing, a status, or a dict."""
    if result is None or isinstance(result, str):
        return {"status": "stored" if result is None else result, "unit_ids": []}
    made = fields(result, ())
    return {"status": made.get("status", "stored"), "unit_ids": made.get("unit_ids") or []}


def recall(result: Any) -> dict[str, Any]:
    """A recall from what `search` returned: nothing, a list of items, or a dict."""
    if result is None:
        return {"items": []}
    made = dict(result) if isinstance(result, Mapping) else {"items": result}
    items = []
    for item in made.get("items") or ():
        is_message = isinstance(item, Mapping) and item.get("message") is not None
        items.append(fields(item, () if is_message else ("text",)))
    return {**made, "items": items}


def fields(value: Any, needed: Iterable[str]) -> dict[str, Any]:
    """*value* as a dict that has all fields that are *needed*."""
    if not isinstance(value, Mapping):
        raise MalformedValueError(f"a dict was expected, got {type(value).__name__}: {value!r:.80}")
    lacking = [name for name in needed if name not in value]
    if lacking:
        raise MalformedValueError(f"{value!r:.80} lacks {', '.join(f'`{name}`' for name in lacking)}")
    return dict(value)


def plain(value: Any) -> Any:
    """*value*, which JSON cannot hold, as a value that it can."""
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
    try:
        message = str(error)
    except Exception:  # noqa: BLE001  # a message that cannot be made is no reason to stop
        message = "(its message cannot be read)"
    own = getattr(error, "recollect_kind", None) in KINDS or type(error) is NotImplementedError
    if not own or not message:
        message = f"{type(error).__name__}: {message}"
    made = {"kind": kind, "message": message[:4000]}
    cause = getattr(error, "recollect_cause", None) or ("timeout" if isinstance(error, TimeoutError) else None)
    return {**made, "cause": cause} if isinstance(cause, str) else made


def answer(served: Served, line: bytes) -> tuple[bytes, bool]:
    """The answer to one line, and whether it was the last."""
    number: Any = None
    last = False
    try:
        request = json.loads(line)
        number = request.get("id")
        last = request.get("do") == "close"
        return _line({"id": number, "ok": served.do(request)}), last
    except BaseException as error:  # noqa: BLE001  # also SystemExit: every line is answered
        if not isinstance(error, NotImplementedError):
            import traceback

            traceback.print_exc()
        return _line({"id": number, "error": error_of(error)}), last


def _line(reply: Mapping[str, Any]) -> bytes:
    try:
        return (json.dumps(reply, default=plain, allow_nan=False) + "\n").encode("ascii")
    except ValueError as error:
        if isinstance(error, MalformedValueError):
            raise
        raise MalformedValueError(f"a number is not finite, or a value holds itself ({error})") from None


def guard() -> tuple[Any, int]:
    """Input and output of the protocol; an adapter's output goes to standard error, its input is empty."""
    requests, replies = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    sys.stdout = sys.stderr
    return os.fdopen(requests, "rb"), replies


def watch_parent() -> None:
    """End when the parent process ends, also in the middle of a call."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(PARENT_S)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def main(file: str) -> None:
    """Answer until `close` or the end of the input."""
    requests, out = guard()
    watch_parent()
    doctor = json.loads(os.environ.pop("RECOLLECT_DOCTOR", "null"))
    if doctor:  # `recollect doctor` sets its clock and its guard before anything of the vendor is imported
        _load(doctor["file"]).watch(doctor)
    served = Served(file)
    for line in requests:
        if not line.strip():
            continue
        made, last = answer(served, line)
        reply = memoryview(made)
        while reply:
            reply = reply[os.write(out, reply) :]
        if last:
            break
    sys.stderr.flush()
    os._exit(0)  # threads of a vendor do not keep it alive


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: recollect_worker.py ADAPTER.py")
    main(sys.argv[1])
