"""Runs a task in a process of its own, and answers its model calls."""

from __future__ import annotations

import json
import os
import secrets
import site
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Timer
from typing import Any, BinaryIO, cast

from recollect.contracts.call_context import CallContext
from recollect.contracts.models import ChatRequest, ToolModel
from recollect.domain.errors import CallError, OverBudgetError, RecollectError
from recollect.engine.doctor.bench import Bench, ProcessReport, ProcessTask
from recollect.engine.doctor.models import RecordedChat, RecordedEmbedder, recorded
from recollect.engine.doctor.process.child import FOLDERS, STDERR
from recollect.engine.systems.call_context import CurrentCall, run_in_context
from recollect.records.codec import decode, encode
from recollect.records.digests import canonical, digest

PATIENCE_S = 900.0
"""Then the process is killed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessRunner:
    """Starts the process."""

    command: tuple[str, ...]
    """What to run; the seconds that its clock is ahead are added."""
    system: Mapping[str, Any]
    """The settings from which the process makes the row."""
    patience_s: float = PATIENCE_S
    environment: Mapping[str, str] = field(default_factory=dict)
    """Added to what it inherits."""

    def __call__(self, task: ProcessTask, bench: Bench) -> ProcessReport:
        """Run *task* for the system on *bench*."""
        folder = Path(task.folder).resolve()
        for name in FOLDERS:
            (folder / name).mkdir(parents=True)
        context, tally = CallContext(stage="check"), bench.counting()
        current = CurrentCall(now=context)
        gateway = bench.gateway(tally)
        access = gateway.open(current) if gateway else None
        embedder = RecordedEmbedder(bench.embedder, tally) if bench.embedder is not None else None
        models = _Models(recorded(bench.model, tally), embedder)
        job = {
            "folder": str(folder),
            "ahead_s": task.ahead_s,
            "namespace": secrets.token_hex(8),
            "system": self.system,
            "access": None if access is None else encode(access),
            **models.description(),
        }
        try:
            report = run_in_context(context, lambda: self._run(folder, task.ahead_s, job, models), current)
        finally:
            if gateway is not None and access is not None:
                gateway.close(access.token)
        return replace(report, asked=digest(sorted(tally.asked)))

    def _run(self, folder: Path, ahead_s: float, job: Mapping[str, Any], models: _Models) -> ProcessReport:
        with (
            (folder / STDERR).open("wb") as errors,
            subprocess.Popen(  # noqa: S603  # our own module, with our own interpreter
                [*self.command, str(ahead_s)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                cwd=folder / "cwd",
                env=self._environment(folder),
            ) as process,
        ):
            alarm = Timer(self.patience_s, process.kill)
            alarm.start()
            try:
                report = models.serve(cast("BinaryIO", process.stdin), cast("BinaryIO", process.stdout), job)
            finally:
                alarm.cancel()
                process.kill()
        if report is None:
            lines = (folder / STDERR).read_text(encoding="utf-8", errors="replace").strip().splitlines()
            last = lines[-1][:300] if lines else "it said nothing"
            return ProcessReport(error=f"its process ended without an answer: {last}")
        return decode(ProcessReport, report, where="the process of the doctor")

    def _environment(self, folder: Path) -> dict[str, str]:
        """That of this process, but with a home and a temporary folder of its own."""
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
    """Answers the model calls of the process."""

    chat: RecordedChat | None
    embedder: RecordedEmbedder | None

    def description(self) -> dict[str, Any]:
        """The models, for the process."""
        chat, embedder = self.chat, self.embedder
        return {
            "chat": chat and {"fingerprint": chat.fingerprint, "tools": hasattr(chat, "chat")},
            "embedder": embedder and {"fingerprint": embedder.fingerprint, "dimensions": embedder.dimensions},
        }

    def serve(self, stdin: BinaryIO, stdout: BinaryIO, job: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Answer model calls until the report comes; `None` where the process ends without one."""

        def send(message: Mapping[str, Any]) -> None:
            stdin.write(canonical(message).encode() + b"\n")
            stdin.flush()

        try:
            send(job)
            for line in stdout:
                message = json.loads(line)
                if "seen" in message:
                    report: Mapping[str, Any] = message["seen"]
                    return report
                try:
                    send({"reply": self._reply(message)})
                except OverBudgetError:
                    raise
                except RecollectError as error:
                    send({"error": str(error), "cause": getattr(error, "cause", "")})
        except (BrokenPipeError, ValueError):
            return None
        return None

    def _reply(self, message: Mapping[str, Any]) -> Any:
        if message["ask"] == "embed" and self.embedder is not None:
            return self.embedder.embed(message["texts"]).tolist()
        if self.chat is None:
            raise CallError(f"there is no model for `{message['ask']}`")
        request = decode(ChatRequest, message["request"], where="the process of the doctor")
        if message["ask"] == "chat":
            return encode(cast("ToolModel", self.chat).chat(request))
        return self.chat.complete(request.turns, max_tokens=request.max_tokens, schema=request.schema)
