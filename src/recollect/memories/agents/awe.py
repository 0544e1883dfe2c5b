"""`awe`: agentic write, external. Facts are extracted from what leaves the buffer and written into a memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from recollect.contracts.agent import Agent, PolicyMaker
from recollect.contracts.memory import Room
from recollect.contracts.systems import MAY_EMBED, AgentKind, Inner
from recollect.memories.agents.agent import Buffer, PolicyAgent, asks, check_buffer, extracts
from recollect.memories.agents.chat import Chat
from recollect.memories.agents.extraction import Facts, ModelFacts, RuleFacts
from recollect.memories.agents.memory_stores import FactStore, InnerMemory, memory_in
from recollect.memories.agents.policies import Beginning, Rewrites
from recollect.memories.agents.rag import check_topk
from recollect.memories.agents.responders import By, responder_of
from recollect.memories.agents.topics import Sieve

NAME = "awe"
_ROLE = "facts"


@dataclass(frozen=True, slots=True)
class AweConfig:
    """Which memory, the buffer before it, counted in messages, and what is taken out of them."""

    by: By = "rules"
    """Who extracts, replies and answers: rules, or the chat model of `--memory-model`."""
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
    policy: str = ""
    """What to remember to begin with, one topic a line; empty for the built-in one."""
    rewrites: Rewrites = "section"
    """What evolves, where a benchmark lets it: this list, the whole prompt around it, or nothing."""

    def __post_init__(self) -> None:
        check_buffer(self.freq, self.ns)
        Beginning.of(self, _ROLE)
        check_topk(self.topk)


def _open(config: AweConfig, room: Room) -> Agent:
    facts: Facts = ModelFacts(Chat.of(room, NAME), config.rewrites == "prompt") if asks(config) else RuleFacts()
    sieve = Sieve(Beginning.of(config, _ROLE).policy)
    store = FactStore(sieve, facts, InnerMemory(memory_in(room, NAME)))
    return PolicyAgent(
        buffer=Buffer(config.freq, config.ns),
        store=store,
        voice=responder_of(config.by, room, NAME),
        topk=config.topk,
        keeps_all=False,
        extraction=store,
    )


def _policy_maker(config: AweConfig, room: Room) -> PolicyMaker:
    return Beginning.of(config, _ROLE).maker(room, NAME)


def _inputs(config: AweConfig) -> Mapping[str, str]:
    return Beginning.of(config, _ROLE).inputs(NAME)


KIND = AgentKind(
    name=NAME,
    version=1,
    summary="extracted facts in a memory of your choice, found by search; the newest messages stay in the talk",
    config=AweConfig,
    traits=extracts,
    open=_open,
    policy_maker=_policy_maker,
    needs=(MAY_EMBED,),
    asks=asks,
    inputs=_inputs,
    inner=lambda config: Inner(name=config.memory, settings=config.settings),
)
