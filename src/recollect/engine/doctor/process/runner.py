"""Sends a process of its own on an errand, and answers what its models are asked meanwhile."""

from __future__ import annotations

import json
import os
import secrets
import site
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Timer
from typing import Any, BinaryIO, cast

from recollect.contracts.call_context import CallContext
from recollect.contracts.models import ChatRequest, ToolModel
from recollect.domain.errors import CallError, OverBudgetError, RecollectError
from recollect.engine.doctor.bench import Bench, ProcessReport, ProcessTask
from recollect.engine.doctor.models import CallTally, RecordedChat, RecordedEmbedder, recorded
from recollect.engine.doctor.process.child import FOLDERS, STDERR
from recollect.engine.systems.call_context import CurrentCall, run_in_context
from recollect.records.codec import decode, encode
from recollect.records.digests import canonical, digest

PATIENCE_S = 900.0
"""After so long the process is ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessRunner:
    """Starts the process."""

    command: tuple[str, ...]
    """What to run; the seconds that its clock is to be ahead are added."""
    system: Mapping[str, Any]
    """What that process makes the row of."""
    patience_s: float = PATIENCE_S
    environment: Mapping[str, str] = field(default_factory=dict)
    """Beside what it inherits."""

    def __call__(self, errand: ProcessTask, bench: Bench) -> ProcessReport:
        """Do *errand* for the system on *bench*."""
        folder = Path(errand.folder).resolve()
        for name in FOLDERS:
            (folder / name).mkdir(parents=True)
        desk, tally = CurrentCall(), bench.counting()
        desk.now = CallContext(stage="check")
        gateway = bench.gateway(tally)
        access = gateway.open(desk) if gateway else None
        models = _Models(recorded(bench.model, tally), _embedder(bench, tally))
        job = {
            "folder": str(folder),
            "ahead_s": errand.ahead_s,
            "namespace": secrets.token_hex(8),
            "system": self.system,
            "access": None if access is None else encode(access),
            **models.said(),
        }
        try:
            seen = run_in_context(desk.now, lambda: self._talk(folder, errand.ahead_s, job, models), desk)
        finally:
            if gateway is not None and access is not None:
                gateway.close(access.token)
        return _with_prompts(seen, tally)

    def _talk(self, folder: Path, ahead_s: float, job: Mapping[str, Any], models: _Models) -> ProcessReport:
        with (
            (folder / STDERR).open("wb") as said,
            subprocess.Popen(  # noqa: S603  # our own module, with our own interpreter
                [*self.command, str(ahead_s)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=said,
                cwd=folder / "cwd",
                env=self._environment(folder),
            ) as process,
        ):
            alarm = Timer(self.patience_s, process.kill)
            alarm.start()
            try:
                told = models.serve(cast("BinaryIO", process.stdin), cast("BinaryIO", process.stdout), job)
            finally:
                alarm.cancel()
                process.kill()
        if told is None:
            return ProcessReport(error=_last_words(folder / STDERR))
        return decode(ProcessReport, told, where="the process of the doctor")

    def _environment(self, folder: Path) -> dict[str, str]:
        """That of this process, but with a home, and a place for temporary files, of its own."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
        paths = [str(Path(path).resolve()) for path in kept.get("PYTHONPATH", "").split(os.pathsep) if path]
        home, temp = str(folder / "home"), str(folder / "temp")
        return {
            **kept,
            "PYTHONUSERBASE": site.getuserbase(),
            **({"PYTHONPATH": os.pathsep.join(paths)} if paths else {}),
            "PYTHONDONTWRITEBYTECODE": "1",
            "HOME": home,
            "USERPROFILE": home,
            **dict.fromkeys(("TMPDIR", "TEMP", "TMP"), temp),
            **self.environment,
        }


@dataclass(frozen=True, slots=True)
class _Models:
    """Answers what the process asks of models."""

    chat: RecordedChat | None
    embedder: RecordedEmbedder | None

    def said(self) -> dict[str, Any]:
        """What there is, for the process to know."""
        chat, embedder = self.chat, self.embedder
        return {
            "chat": chat and {"fingerprint": chat.fingerprint, "tools": hasattr(chat, "chat")},
            "embedder": embedder and {"fingerprint": embedder.fingerprint, "dimensions": embedder.dimensions},
        }

    def serve(self, there: BinaryIO, back: BinaryIO, job: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Answer until the process says what it has seen; `None` where it goes without a word."""
        try:
            _send(there, job)
            for line in back:
                said = json.loads(line)
                if "seen" in said:
                    seen: Mapping[str, Any] = said["seen"]
                    return seen
                _send(there, self._answer(said))
        except (BrokenPipeError, ValueError):
            return None
        return None

    def _answer(self, said: Mapping[str, Any]) -> dict[str, Any]:
        try:
            return {"reply": self._reply(said)}
        except OverBudgetError:
            raise
        except RecollectError as error:
            return {"error": str(error), "cause": getattr(error, "cause", "")}

    def _reply(self, said: Mapping[str, Any]) -> Any:
        if said["ask"] == "embed" and self.embedder is not None:
            return self.embedder.embed(said["texts"]).tolist()
        if self.chat is None:
            raise CallError(f"there is no model for `{said['ask']}`")
        request = decode(ChatRequest, said["request"], where="the process of the doctor")
        if said["ask"] == "chat":
            return encode(cast("ToolModel", self.chat).chat(request))
        return self.chat.complete(request.turns, max_tokens=request.max_tokens, schema=request.schema)


def _send(there: BinaryIO, said: Mapping[str, Any]) -> None:
    there.write(canonical(said).encode() + b"\n")
    there.flush()


def _embedder(bench: Bench, tally: CallTally) -> RecordedEmbedder | None:
    return RecordedEmbedder(bench.embedder, tally) if bench.embedder is not None else None


def _with_prompts(seen: ProcessReport, tally: CallTally) -> ProcessReport:
    return replace(seen, asked=digest(sorted(tally.asked)))


def _last_words(file: Path) -> str:
    lines: Sequence[str] = file.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return f"its process ended without an answer: {lines[-1][:300] if lines else 'it said nothing'}"
