"""What every adapter of a third-party system stands on. Standard library only: it runs in the system's own Python.

Nothing here knows Recollect; values are plain dicts as the worker protocol has them.
"""

from __future__ import annotations

import json
import re
import socket
import urllib.error
import urllib.request
import uuid
from importlib import metadata
from random import Random
from threading import Lock

TIMEOUT_S = 120
BATCH = 64
"""Texts of one embedding call."""


class AdapterError(Exception):
    """Something that a run should note as a fault; *kind* and *cause* are words of the worker protocol."""

    def __init__(self, message, kind="raised", cause=""):
        super().__init__(message)
        self.kind, self.cause = kind, cause


def malformed(message, cause="wrong_schema"):
    """A model's reply that the system cannot use, and would have passed over in silence."""
    return AdapterError(message, kind="malformed", cause=cause)


def version_within(package, low, below):
    """The installed version of *package*, if it is at least *low* and under *below*.

    Raises:
        AdapterError: It is not installed, or of another version; the message says which is wanted.
    """
    try:
        found = metadata.version(package)
    except metadata.PackageNotFoundError:
        raise AdapterError(f"{package} is not installed in this environment", kind="not_available") from None
    if not _numbers(low) <= _numbers(found) < _numbers(below):
        raise AdapterError(
            f"{package} {found} is installed; this adapter knows {low} up to below {below}", kind="not_available"
        )
    return found


def marked(owner, *names):
    """Check that *owner* is the package it should be: all *names* are there.

    Raises:
        AdapterError: One is missing, so another package goes by the same name.
    """
    missing = [name for name in names if not hasattr(owner, name)]
    if missing:
        told = getattr(owner, "__name__", owner)
        raise AdapterError(f"{told} has no {', '.join(missing)}: another package by the same name?", "not_available")


def _numbers(version):
    return tuple(int(number) for number in re.findall(r"\d+", version.split("+")[0])[:4])


class SeededIds:
    """Makes `uuid.uuid4` of this process draw from a seed.

    The systems name what they hold, and some of their prompts, by it. So the same history asks the same and is paid for
    once, and a step that is done again does what its record says.
    """

    def __init__(self, seed):
        self._random, self.drawn, self._lock = Random(seed), 0, Lock()

    def install(self):
        """From now on; nothing else in this process needs real randomness of an id."""
        uuid.uuid4 = self._draw

    def advance(self, drawn):
        """Go on as after *drawn* ids, as a loaded state does."""
        while self.drawn < drawn:
            self._draw()

    def _draw(self):
        with self._lock:
            self.drawn += 1
            return uuid.UUID(int=self._random.getrandbits(128), version=4)


class Endpoint:
    """The embeddings of the room's endpoint, over the standard library."""

    def __init__(self, access, model="memory"):
        if not access:
            raise AdapterError("this system calls models, and the room has no access to any", kind="not_available")
        self.base_url, self.token, self.model = access["base_url"].rstrip("/"), access["token"], model
        self._dimensions = 0

    @property
    def dimensions(self):
        """Length of a vector; asked for once."""
        if not self._dimensions:
            self._dimensions = len(self.embed(["dimensions"])[0])
        return self._dimensions

    def embed(self, texts):
        """Vectors of *texts*, in order.

        Raises:
            AdapterError: The endpoint refused or failed; kinds as the worker protocol has them.
        """
        texts = list(texts)
        found = []
        for start in range(0, len(texts), BATCH):
            found.extend(self._embed(texts[start : start + BATCH]))
        return found

    def _embed(self, texts):
        body = {"model": self.model, "input": [text or " " for text in texts], "encoding_format": "float"}
        data = self._post("/embeddings", body).get("data")
        if not isinstance(data, list) or len(data) != len(texts):
            raise malformed(f"{len(texts)} texts were sent for vectors, and something else came back")
        return [entry["embedding"] for entry in sorted(data, key=lambda entry: entry["index"])]

    def _post(self, path, body):
        headers = {"Content-Type": "application/json", "Authorization": "Bearer " + self.token}
        request = urllib.request.Request(self.base_url + path, json.dumps(body).encode(), headers)  # noqa: S310
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_S) as reply:  # noqa: S310
                return json.loads(reply.read())
        except urllib.error.HTTPError as error:
            raise AdapterError(f"embeddings: HTTP {error.code}", kind=kind_of_status(error.code)) from None
        except (urllib.error.URLError, socket.timeout, ConnectionError) as error:
            raise AdapterError(f"embeddings: {error}", kind="retryable", cause="connection_closed") from None
        except ValueError:
            raise malformed("embeddings: the reply is no JSON", cause="not_json") from None


def kind_of_status(status):
    """The kind of error of an HTTP status: what may go through later, and what will not."""
    return "retryable" if status in (408, 409, 425, 429) or status >= 500 else "refused"


def raised_by_model(error):
    """An error of an OpenAI SDK, or one that was raised from it, in the words of the worker protocol; else None."""
    seen = error
    while seen is not None:
        status = getattr(seen, "status_code", None)
        if isinstance(status, int):
            return AdapterError(f"{type(error).__name__}: {error}"[:500], kind=kind_of_status(status))
        if type(seen).__name__ in ("APIConnectionError", "APITimeoutError"):
            return AdapterError(f"{type(error).__name__}: {error}"[:500], kind="retryable", cause="connection_closed")
        if isinstance(seen, AdapterError):
            return seen
        seen = seen.__cause__ or seen.__context__
    return None


def parsed_object(text):
    """The JSON object that a model wrote, with or without a fence around it.

    Raises:
        AdapterError: It is none.
    """
    bare = re.sub(r"^\s*```(?:json)?\s*|\s*```\s*$", "", text or "")
    try:
        found = json.loads(bare, strict=False)
    except ValueError:
        raise malformed("the model was asked for JSON and wrote something else", cause="not_json") from None
    if not isinstance(found, dict):
        raise malformed("the model was asked for a JSON object and wrote another value")
    return found
