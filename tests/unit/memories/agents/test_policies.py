"""Which policy an agent begins with, and who makes the next: rules, its model on list or prompt, or nobody."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from recollect.domain.errors import MalformedError
from recollect.memories.agents.awe import AweConfig
from recollect.memories.agents.awi import AwiConfig
from recollect.memories.agents.chat import Chat
from recollect.memories.agents.extraction import PLACES, filled_in, restored, whole
from recollect.memories.agents.policies import (
    MOST_CHARACTERS,
    MOST_LINES,
    NoMaker,
    PromptMaker,
    RuleMaker,
    SectionMaker,
    policy_at_start,
)
from recollect.memories.agents.prompts import prompt
from recollect.memories.agents.topics import EVERYTHING

from tests.unit.memories.agents.opening import one_round, opened
from tests.unit.memories.published.scripted_chat import ScriptedChat, between

FEEDBACK = ['{"question": "What sport suits my evenings?"}']


def chat(**said: object) -> ScriptedChat:
    return ScriptedChat(lambda _: json.dumps({"changes": ["added sport"], **said}))


def test_rules_begin_with_whatever_tells_something_and_a_model_with_a_list() -> None:
    assert policy_at_start(AweConfig(), "facts") == EVERYTHING
    assert policy_at_start(AweConfig(by="model"), "facts") == prompt("remember").text
    assert policy_at_start(AweConfig(rewrites="nothing", policy="work"), "facts") == "work"


def test_where_the_prompt_evolves_the_list_stands_in_it_and_its_places_are_open() -> None:
    policy = policy_at_start(AwiConfig(by="model", rewrites="prompt", policy="work, $5"), "labels")
    values = {name: f"<{name}>" for name in PLACES["labels"]}
    assert "work, $5" in filled_in(policy, values)
    assert all(one in filled_in(policy, values) for one in values.values())


def test_rules_follow_no_prompt() -> None:
    with pytest.raises(ValueError, match="rewrites `prompt` takes a model"):
        AweConfig(rewrites="prompt")


def test_an_agent_that_rewrites_nothing_stays_with_its_policy() -> None:
    assert NoMaker().propose("work", FEEDBACK) == "work"


def test_a_model_is_shown_policy_and_feedback_and_gives_lines() -> None:
    model = chat(new_types="* food\n\n2. sport")
    assert SectionMaker(Chat(model)).propose("food", FEEDBACK) == "- food\n- sport"
    assert between("policy", model.asked[0]) == "food"
    assert between("feedback", model.asked[0]) == FEEDBACK[0]


def test_a_list_is_cut_at_its_longest() -> None:
    many = "\n".join(f"topic{n}" for n in range(MOST_LINES + 5))
    assert SectionMaker(Chat(chat(new_types=many))).propose("food", FEEDBACK).count("\n") == MOST_LINES - 1


@pytest.mark.parametrize("bad", ["none", '{"new_types": ["food"]}', '{"new_types": " \\n- ", "changes": []}'])
def test_a_list_that_cannot_be_used_is_asked_for_once_more_and_then_a_fault(bad: str) -> None:
    model = ScriptedChat(lambda _: bad)
    with pytest.raises(MalformedError, match="prompt `policy_section`"):
        SectionMaker(Chat(model)).propose("food", FEEDBACK)
    assert len(model.asked) == 2


@pytest.mark.parametrize("role", PLACES)
def test_places_and_the_form_of_the_reply_are_put_back_where_a_new_prompt_lost_them(role: str) -> None:
    made = PromptMaker(Chat(chat(new_prompt="Write down what matters.")), role).propose(whole(role, "food"), FEEDBACK)
    values = {name: f"<{name}>" for name in PLACES[role]}
    assert all(one in filled_in(made, values) for one in values.values())
    assert made.startswith("Write down what matters.")
    assert made.endswith(whole(role, "").rpartition("\n")[2])


@pytest.mark.parametrize("role", PLACES)
def test_a_prompt_that_lost_nothing_stays_as_it_is(role: str) -> None:
    assert restored(role, whole(role, "food")) == whole(role, "food")


def test_a_prompt_that_grows_too_long_is_refused() -> None:
    with pytest.raises(MalformedError, match=f"more than {MOST_CHARACTERS}"):
        PromptMaker(Chat(chat(new_prompt="x" * (MOST_CHARACTERS + 1))), "facts").propose("food", FEEDBACK)


def test_makers_are_told_apart_by_their_fingerprint() -> None:
    model = Chat(chat())
    makers = (RuleMaker(), NoMaker(), SectionMaker(model), PromptMaker(model, "facts"), PromptMaker(model, "labels"))
    assert len({maker.fingerprint for maker in makers}) == len(makers)
    assert model.model.fingerprint in SectionMaker(model).fingerprint


@pytest.mark.parametrize("name", ["awe", "awi"])
def test_an_agent_of_a_whole_prompt_extracts_by_it(name: str, tmp_path: Path) -> None:
    said: dict[str, object] = {"facts": []} if name == "awe" else {"notes": [{"label": "work", "text": "a baker"}]}
    model = ScriptedChat(lambda _: json.dumps(said))
    agent = opened(tmp_path, name, model, rewrites="prompt", ns=0)
    agent.adopt("Only work counts.\n$messages")
    agent.observe(one_round(0, "I am a baker.", "I see."))
    assert model.asked[-1].startswith("Only work counts.")
    assert "I am a baker." in model.asked[-1]
