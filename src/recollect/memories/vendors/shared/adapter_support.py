"""What every adapter of a third-party system stands on. Standard library only: it runs in the system's own Python.

Nothing here knows Recollect; values are plain dicts, as docs/worker_protocol.md has them.
"""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterable, Mapping, Sequence
from importlib import metadata
from random import Random
from threading import Lock
from typing import Any

TIMEOUT_S = 120
BATCH = 64
"""Texts of one embedding call."""
MODEL = "memory"
"""The endpoint of a room has one model for each kind of call, whatever it is called by."""


class AdapterError(Exception):
    """What a run should note as a fault, with a kind and a cause of the worker protocol."""

    def __init__(self, message: str, kind: str = "raised", cause: str | None = None) -> None:
        super().__init__(message)
        self.recollect_kind, self.recollect_cause = kind, cause


def malformed(message: str, cause: str = "wrong_schema") -> AdapterError:
    """A model's reply that the system cannot use, and would have passed over in silence."""
    return AdapterError(message, "malformed", cause)


def check_version(package: str, low: str, below: str) -> None:
    """Check that *package* is installed, at least *low* and under *below*.

    Raises:
        AdapterError: It is not; the message says what is there and what is wanted.
    """
    try:
        found = metadata.version(package)
    except metadata.PackageNotFoundError:
        raise AdapterError(f"{package} is not installed in this environment", "not_available") from None
    if not _numbers(low) <= _numbers(found) < _numbers(below):
        raise AdapterError(f"{package} is {found}; this adapter knows {low} up to below {below}", "not_available")


def check_marks(owner: Any, *names: str) -> None:
    """Check that *owner* is what it should be: all *names* are there. Packages of other people share names.

    Raises:
        AdapterError: One is missing.
    """
    missing = [name for name in names if not hasattr(owner, name)]
    if missing:
        told = getattr(owner, "__name__", str(owner))
        raise AdapterError(f"{told} has no {', '.join(missing)}: another package of that name?", "not_available")


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", version.split("+", maxsplit=1)[0])[:4])


class SeededIds:
    """Makes `uuid.uuid4` of this process draw from a seed.

    Systems name what they hold by it, and put it into prompts. Seeded, the same history asks the same and is paid for
    once, and a step that is done again does what its record says.
    """

    def __init__(self, seed: int) -> None:
        self._random, self._lock = Random(seed), Lock()
        self.drawn = 0

    def install(self) -> None:
        """From now on, in this process."""
        uuid.uuid4 = self._draw

    def advance(self, drawn: int) -> None:
        """Go on as after *drawn* ids, as a state that was loaded does."""
        while self.drawn < drawn:
            self._draw()

    def _draw(self) -> uuid.UUID:
        with self._lock:
            self.drawn += 1
            return uuid.UUID(int=self._random.getrandbits(128), version=4)


class Endpoint:
    """The room's model server: where it is, and its embeddings."""

    def __init__(self, access: Mapping[str, Any] | None) -> None:
        if not access:
            raise AdapterError("this system calls models, and its room has no access to any", "not_available")
        self.base_url, self.token = access["base_url"].rstrip("/"), access["token"]
        self._dimensions = int(access.get("dimensions") or 0)

    @property
    def dimensions(self) -> int:
        """Length of a vector; asked for once where the room does not tell it."""
        if not self._dimensions:
            self._dimensions = len(self.embed(["dimensions"])[0])
        return self._dimensions

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """A vector for each text, in order.

        Raises:
            AdapterError: The server refused, failed, or sent no vectors.
        """
        starts = range(0, len(texts), BATCH)
        return [vector for start in starts for vector in self._embed(texts[start : start + BATCH])]

    def _embed(self, texts: Sequence[str]) -> list[list[float]]:
        body = {"model": MODEL, "input": [text or " " for text in texts], "encoding_format": "float"}
        data = self._post("/embeddings", body).get("data")
        if not isinstance(data, list) or len(data) != len(texts):
            raise malformed(f"{len(texts)} texts were sent for vectors, and something else came back")
        return [entry["embedding"] for entry in sorted(data, key=lambda entry: int(entry["index"]))]

    def _post(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self.token}"}
        request = urllib.request.Request(self.base_url + path, json.dumps(body).encode(), headers)  # noqa: S310
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_S) as reply:  # noqa: S310
                return dict(json.loads(reply.read()))
        except urllib.error.HTTPError as error:
            error.close()
            kind, cause = of_status(error.code)
            raise AdapterError(f"embeddings: HTTP {error.code}", kind, cause) from None
        except OSError as error:
            raise AdapterError(f"embeddings: {error}", "retryable", "connection_closed") from None
        except ValueError:
            raise malformed("embeddings: the reply is no JSON", "not_json") from None


def of_status(status: int) -> tuple[str, str]:
    """Kind and cause of an HTTP status."""
    if status == 429:
        return "retryable", "rate_limited"
    if status in (408, 409, 425) or status >= 500:
        return "retryable", "server_error"
    return "refused", "not_allowed" if status in (401, 403) else "bad_request"


def told(error: BaseException) -> BaseException:
    """*error* in the words of the worker protocol, if a model's failure lies below it; else as it is."""
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, AdapterError):
            return seen
        status = getattr(seen, "status_code", None)
        if isinstance(status, int):
            kind, cause = of_status(status)
            return AdapterError(f"{type(seen).__name__}: {seen}"[:500], kind, cause)
        if type(seen).__name__ in ("APIConnectionError", "APITimeoutError"):
            return AdapterError(f"{type(seen).__name__}: {seen}"[:500], "retryable", "connection_closed")
        seen = seen.__cause__ or seen.__context__
    return error


def parsed(text: str | None, needed: Iterable[str]) -> dict[str, Any]:
    """The JSON object that a model wrote, with or without a fence around it.

    Raises:
        AdapterError: It wrote none, or one that lacks a field.
    """
    bare = re.sub(r"^\s*```(?:json)?\s*|\s*```\s*$", "", text or "")
    try:
        found = json.loads(bare, strict=False)
    except ValueError:
        raise malformed("the model was asked for JSON and wrote something else", "not_json") from None
    lacking = [name for name in needed if not isinstance(found, dict) or name not in found]
    if lacking:
        raise malformed(f"the model's JSON has no {', '.join(f'`{name}`' for name in lacking)}")
    return dict(found)


def last_time(messages: Iterable[Mapping[str, Any]]) -> str | None:
    """When the last of *messages* that has a time was said."""
    times = [message["said_at"] for message in messages if message.get("said_at")]
    return times[-1] if times else None


def ids(messages: Iterable[Mapping[str, Any]]) -> list[str]:
    """Their ids, in order."""
    return [message["message_id"] for message in messages]


def chosen(units: Iterable[Mapping[str, Any]], sources: Iterable[str]) -> list[Mapping[str, Any]]:
    """Those of *units* that came, wholly or partly, from any of *sources*."""
    wanted = set(sources)
    return [unit for unit in units if wanted.intersection(unit["sources"])]
