"""`rag`: an agent that writes raw messages into a memory, any registered one, and finds them again by search."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from recollect.contracts.systems import MAY_EMBED, AgentKind, Inner
from recollect.memories.agents.agent import AGENT_TRAITS, BufferedAgent, check_buffer
from recollect.memories.agents.memory_stores import InnerMemory, memory_in
from recollect.memories.agents.prompts import inputs_where
from recollect.memories.agents.responders import responder_of
from recollect.memories.prompt_files import By, by_model

NAME = "rag"


@dataclass(frozen=True, slots=True)
class RagConfig:
    """Which memory, and the buffer before it, counted in messages."""

    by: By = "rules"
    """Who extracts, if anything is extracted, replies and answers: rules, or the chat model of `--memory-model`."""
    memory: str = "dense"
    """Any memory that takes messages, by the name under which it is registered."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Of that memory, where they differ from its defaults."""
    freq: int = 2
    """Messages written at a time."""
    ns: int = 4
    """Messages that stay local at least."""
    topk: int = 30
    """Memories shown for a message or question."""

    def __post_init__(self) -> None:
        check_buffer(self.freq, self.ns)
        if self.topk < 1:
            raise ValueError(f"topk starts at 1, got {self.topk}; for an agent without a search use `native`")


KIND = AgentKind(
    name=NAME,
    version=1,
    summary="raw messages in a memory of your choice, found by search; the newest stay in the talk",
    config=RagConfig,
    traits=lambda _: AGENT_TRAITS,
    open=lambda config, room: BufferedAgent(
        freq=config.freq,
        ns=config.ns,
        store=InnerMemory(memory_in(room, NAME)),
        responder=responder_of(config.by, room, NAME),
        topk=config.topk,
        keeps_all=True,
    ),
    needs=(MAY_EMBED,),
    asks=by_model,
    inputs=inputs_where(by_model, NAME),
    inner=lambda config: Inner(name=config.memory, settings=config.settings),
)
