"""`rag`: an agent that writes raw messages into a memory, any registered one, and finds them again by search."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from recollect.contracts.agent import Agent
from recollect.contracts.memory import Room
from recollect.contracts.systems import MAY_EMBED, AgentKind, Inner
from recollect.memories.agents.agent import AGENT_TRAITS, Buffer, BufferedAgent, asks, check_buffer, prompts_asked
from recollect.memories.agents.memory_stores import InnerMemory, memory_in
from recollect.memories.agents.responders import By, responder_of

NAME = "rag"


@dataclass(frozen=True, slots=True)
class RagConfig:
    """Which memory, and the buffer before it, counted in messages."""

    by: By = "rules"
    """Who replies and answers: rules, or the chat model of `--memory-model`."""
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
        check_topk(self.topk)


def check_topk(topk: int) -> None:
    """Refuse a search that finds nothing.

    Raises:
        ValueError: *topk* is below 1.
    """
    if topk < 1:
        raise ValueError(f"topk starts at 1, got {topk}; for an agent that searches nothing take `native`")


def _open(config: RagConfig, room: Room) -> Agent:
    return BufferedAgent(
        buffer=Buffer(config.freq, config.ns),
        store=InnerMemory(memory_in(room, NAME)),
        voice=responder_of(config.by, room, NAME),
        topk=config.topk,
        keeps_all=True,
    )


KIND = AgentKind(
    name=NAME,
    version=1,
    summary="raw messages in a memory of your choice, found by search; the newest stay in the talk",
    config=RagConfig,
    traits=lambda _: AGENT_TRAITS,
    open=_open,
    needs=(MAY_EMBED,),
    asks=asks,
    inputs=partial(prompts_asked, agent=NAME),
    inner=lambda config: Inner(name=config.memory, settings=config.settings),
)
