"""A worker that misbehaves: `python bad_worker.py HOW`. It is sound but for that."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from typing import Any


def say(told: Any) -> None:
    print(told if isinstance(told, str) else json.dumps(told), flush=True)


def before(how: str, request: dict[str, Any]) -> None:  # noqa: C901, PLR0912  # a branch each
    """What it does instead of, or before, an answer to a search."""
    number = request["id"]
    if how == "hang":
        time.sleep(60)
    elif how == "wrong_id":
        say({"id": number + 1, "ok": {"items": []}})
    elif how == "neither":
        say({"id": number})
    elif how == "noise":
        for line in ("listening on 8080", "{not json", '{"level": "info"}', "[1, 2]", "NaN", ""):
            say(line)
    elif how == "garbage":
        for _ in range(20_000):
            say("garbage")
    elif how == "huge":
        say({"id": number, "ok": {"items": [{"text": "x" * 20_000_000, "sources": ["m0000"]}]}})
    elif how == "endless":
        while True:
            sys.stdout.write("x" * 1_000_000)
    elif how == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    elif how == "exit":
        print("my token is", os.environ.get("MY_TOKEN"), file=sys.stderr, flush=True)
        sys.exit(3)
    elif how == "orphan":
        subprocess.Popen(["sleep", "60"])
        os._exit(4)
    elif how == "stderr":
        sys.stderr.write("y" * 5_000_000)
    elif how == "nan":
        say(f'{{"id": {number}, "ok": {{"items": [{{"text": "t", "score": NaN}}]}}}}')


def main(how: str) -> None:
    """Answer every request with what is right and small."""
    env = {"items": [{"text": json.dumps(dict(os.environ)), "sources": []}]}
    told: dict[str, Any] = {"hello": {"protocol": 1, "adapter": "bad", "can": []}, "search": env}
    if how == "protocol":
        told["hello"] = {"protocol": 99}
    for line in sys.stdin:
        request = json.loads(line)
        if request["do"] == "search":
            before(how, request)
            if how == "memory":
                bytearray(2**30)
        if how == "slow_exit" and request["do"] == "close":
            time.sleep(60)
        say({"id": request["id"], "ok": told.get(request["do"], {})})


if __name__ == "__main__":
    main(sys.argv[1])
