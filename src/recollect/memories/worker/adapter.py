"""A system behind an adapter file in Python, run by `recollect_worker.py` in a Python of its own."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from recollect.contracts.memory import Memory, Room
from recollect.contracts.systems import Environment, MemoryKind
from recollect.contracts.traits import Traits
from recollect.memories.worker.installations import folder_of, python_of, stand_in_of, versions_of
from recollect.memories.worker.links import PipeLink
from recollect.memories.worker.memory import Patience, open_worker
from recollect.memories.worker.process import ProcessEnvironment
from recollect.records.digests import digest

ADAPTER = "adapter"
"""Among the inputs of a kind: the digest of the adapter's files; all else there are versions."""
CHILD = Path(__file__).with_name("child") / "recollect_worker.py"


@dataclass(frozen=True, slots=True, kw_only=True)
class AdapterSystem:
    """An adapter and the environment that it runs in."""

    who: str
    """Its name in messages."""
    adapter: Path
    files: Sequence[Path] = ()
    """More files that belong to it."""
    environment: Environment | None = None
    """`None` for the Python of Recollect."""
    python: str = sys.executable
    """Used without an environment."""
    env: Sequence[str] = ()
    set_env: Mapping[str, str] = field(default_factory=dict)
    memory_mb: int | None = None
    patience: Patience = field(default_factory=Patience)

    def inputs(self) -> dict[str, str]:
        """What its keys hold beside its config: the digest of its files, and the installed versions."""
        installed = {} if self.environment is None else versions_of(self.environment)
        files = sorted({self.adapter, *self.files})
        source = digest([[file.parent.name, file.name, digest(file.read_bytes().hex())] for file in files])
        return {**installed, ADAPTER: source}

    def surroundings(self) -> ProcessEnvironment:
        python, fixed = self.python, dict(self.set_env)
        if self.environment is not None:
            python = str(python_of(self.environment))
            fixed["RECOLLECT_ENV"] = str(folder_of(self.environment).resolve())
        return ProcessEnvironment(
            command=(python, "-s", str(CHILD), str(self.adapter)),
            env=self.env,
            set_env=fixed,
            memory_mb=self.memory_mb,
        )

    def open(self, traits: Traits, config: Mapping[str, Any], room: Room) -> Memory:
        link = PipeLink(self.surroundings().start_in(room), self.who)
        return open_worker(link, traits, self.patience, config, room)


def adapter_kind(
    adapted: AdapterSystem,
    *,
    version: int,
    summary: str,
    config: type[Any],
    traits: Callable[[Any], Traits],
    needs: tuple[str, ...] = (),
) -> MemoryKind:
    """The kind of a system with an adapter; the adapter's files and the installed versions are part of every key."""
    environment = adapted.environment
    return MemoryKind(
        name=adapted.who,
        version=version,
        summary=summary,
        config=config,
        traits=traits,
        open=lambda settings, room: adapted.open(traits(settings), asdict(settings), room),
        needs=needs,
        inputs=lambda _: adapted.inputs(),
        environment=environment,
        stands_in=None if environment is None else lambda _: stand_in_of(environment),
    )
