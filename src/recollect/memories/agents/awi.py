"""`awi`: agentic write, in context. What leaves the buffer becomes labelled notes, and all of them are always seen."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from recollect.contracts.agent import Agent
from recollect.contracts.memory import Room
from recollect.contracts.systems import MAY_EMBED, AgentKind
from recollect.memories.agents.agent import PolicyAgent, check_buffer, extracts
from recollect.memories.agents.chat import Chat
from recollect.memories.agents.notebook import Labeller, Notebook, label_by_model, label_by_rules
from recollect.memories.agents.policies import Rewrites, check_rewrites, policy_at_start, policy_inputs, policy_maker
from recollect.memories.agents.responders import responder_of
from recollect.memories.agents.topics import Sieve
from recollect.memories.prompt_files import By, by_model

NAME = "awi"
_ROLE = "labels"


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
        check_rewrites(self)


def _open(config: AwiConfig, room: Room) -> Agent:
    labeller: Labeller = label_by_rules
    if by_model(config):
        labeller = partial(label_by_model, chat=Chat.of(room, NAME), whole=config.rewrites == "prompt")
    sieve = Sieve(policy_at_start(config, _ROLE))
    return PolicyAgent(
        freq=config.freq,
        ns=config.ns,
        store=Notebook(sieve, labeller),
        responder=responder_of(config.by, room, NAME),
        topk=1,  # the notebook shows all that it holds, whatever the limit
        keeps_all=False,
        sieve=sieve,
    )


KIND = AgentKind(
    name=NAME,
    version=1,
    summary="labelled notes that it always sees, oldest first; the newest messages stay in the talk",
    config=AwiConfig,
    traits=extracts,
    open=_open,
    policy_maker=lambda config, room: policy_maker(config, _ROLE, room, NAME),
    needs=(MAY_EMBED,),
    asks=by_model,
    inputs=lambda config: policy_inputs(config, _ROLE, NAME),
)
