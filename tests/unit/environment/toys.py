"""An environment over toy episodes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from recollect.domain.exchange import Reply
from recollect.domain.outcomes import Outcome, Verdict
from recollect.domain.questions import Key, Question
from recollect.environment import Environment, Story
from recollect.environment.episodes import AgentContext

from tests.fakes.harness import PROMPT
from tests.fakes.toy_protocols import converse
from tests.fakes.toy_systems import ScriptedUser


def score(question: Question, key: Key, reply: Reply, verdict: Verdict | None, shared: Mapping[str, Any]) -> Outcome:
    """Right or wrong by the gold value."""
    return Outcome.scored(float(reply.text in key.gold))


def environment(*made: tuple[Any, Any]) -> Environment:
    stories = [Story(keyed=keyed, steps=tuple(steps)) for keyed, steps in made or (converse("one"), converse("two"))]
    return Environment(stories, ScriptedUser(), score, AgentContext(prompts={"answer": PROMPT}))
