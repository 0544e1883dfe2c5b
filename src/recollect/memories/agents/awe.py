"""`awe`: agentic write, external. Facts are extracted from what leaves the buffer and written into a memory."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from recollect.contracts.agent import Agent
from recollect.contracts.memory import Room
from recollect.contracts.systems import MAY_EMBED, AgentKind, Inner
from recollect.memories.agents.agent import PolicyAgent, extracts
from recollect.memories.agents.chat import Chat
from recollect.memories.agents.extraction import Facts, facts_by_model, facts_by_rules
from recollect.memories.agents.memory_stores import FactStore, InnerMemory, memory_in
from recollect.memories.agents.policies import Rewrites, check_rewrites, policy_at_start, policy_inputs, policy_maker
from recollect.memories.agents.rag import RagConfig
from recollect.memories.agents.responders import responder_of
from recollect.memories.agents.topics import Sieve
from recollect.memories.prompt_files import by_model

NAME = "awe"
_ROLE = "facts"


@dataclass(frozen=True, slots=True)
class AweConfig(RagConfig):
    """Which memory, the buffer before it, counted in messages, and what is extracted from them."""

    policy: str = ""
    """What to remember to begin with, one topic a line; empty for the built-in one."""
    rewrites: Rewrites = "section"
    """What evolves, where a benchmark lets it: this list, the whole prompt around it, or nothing."""

    def __post_init__(self) -> None:
        RagConfig.__post_init__(self)
        check_rewrites(self)


def _open(config: AweConfig, room: Room) -> Agent:
    facts: Facts = facts_by_rules
    if by_model(config):
        facts = partial(facts_by_model, chat=Chat.of(room, NAME), whole=config.rewrites == "prompt")
    sieve = Sieve(policy_at_start(config, _ROLE))
    return PolicyAgent(
        freq=config.freq,
        ns=config.ns,
        store=FactStore(sieve, facts, InnerMemory(memory_in(room, NAME))),
        responder=responder_of(config.by, room, NAME),
        topk=config.topk,
        keeps_all=False,
        sieve=sieve,
    )


KIND = AgentKind(
    name=NAME,
    version=1,
    summary="extracted facts in a memory of your choice, found by search; the newest messages stay in the talk",
    config=AweConfig,
    traits=extracts,
    open=_open,
    policy_maker=lambda config, room: policy_maker(config, _ROLE, room, NAME),
    needs=(MAY_EMBED,),
    asks=by_model,
    inputs=lambda config: policy_inputs(config, _ROLE, NAME),
    inner=lambda config: Inner(name=config.memory, settings=config.settings),
)
