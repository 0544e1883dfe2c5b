"""`awi`: agentic write, in context. What leaves the buffer becomes labelled notes, and all of them are always seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from recollect.contracts.agent import Agent, PolicyMaker
from recollect.contracts.memory import Room
from recollect.contracts.systems import MAY_EMBED, AgentKind
from recollect.memories.agents.agent import Buffer, PolicyAgent, asks, check_buffer, extracts
from recollect.memories.agents.chat import Chat
from recollect.memories.agents.notebook import Labeller, ModelLabeller, Notebook, RuleLabeller
from recollect.memories.agents.policies import Beginning, Rewrites
from recollect.memories.agents.responders import By, responder_of
from recollect.memories.agents.topics import Sieve

NAME = "awi"
_ROLE = "labels"
_ALL = 1
"""The notebook shows all that it holds, whatever the limit."""


@dataclass(frozen=True, slots=True)
class AwiConfig:
    """The buffer before the notes, counted in messages, and what is noted."""

    by: By = "rules"
    """Who notes, replies and answers: rules, or the chat model of `--memory-model`."""
    freq: int = 2
    """Messages noted at a time."""
    ns: int = 4
    """Messages that stay local at least."""
    policy: str = ""
    """What to remember to begin with, one topic a line; empty for the built-in one."""
    rewrites: Rewrites = "section"
    """What evolves, where a benchmark lets it: this list, the whole prompt around it, or nothing."""

    def __post_init__(self) -> None:
        check_buffer(self.freq, self.ns)
        Beginning.of(self, _ROLE)


def _open(config: AwiConfig, room: Room) -> Agent:
    labeller: Labeller = (
        ModelLabeller(Chat.of(room, NAME), config.rewrites == "prompt") if asks(config) else RuleLabeller()
    )
    store = Notebook(Sieve(Beginning.of(config, _ROLE).policy), labeller)
    return PolicyAgent(
        buffer=Buffer(config.freq, config.ns),
        store=store,
        voice=responder_of(config.by, room, NAME),
        topk=_ALL,
        keeps_all=False,
        extraction=store,
    )


def _policy_maker(config: AwiConfig, room: Room) -> PolicyMaker:
    return Beginning.of(config, _ROLE).maker(room, NAME)


def _inputs(config: AwiConfig) -> Mapping[str, str]:
    return Beginning.of(config, _ROLE).inputs(NAME)


KIND = AgentKind(
    name=NAME,
    version=1,
    summary="labelled notes that it always sees, oldest first; the newest messages stay in the talk",
    config=AwiConfig,
    traits=extracts,
    open=_open,
    policy_maker=_policy_maker,
    needs=(MAY_EMBED,),
    asks=asks,
    inputs=_inputs,
)
