"""What the kinds of agents say of themselves, by who speaks for them."""

from __future__ import annotations

from typing import Any

import pytest

from recollect import registry
from recollect.contracts.traits import Capability
from recollect.memories.agents.agent import extracts
from recollect.memories.agents.native import NativeConfig
from recollect.memories.agents.prompts import inputs_where
from recollect.memories.prompt_files import by_model

RULES, MODEL = NativeConfig(), NativeConfig(by="model")


def test_rules_ask_no_model_and_have_no_prompt_in_their_key() -> None:
    assert not by_model(RULES)
    assert inputs_where(by_model, "native")(RULES) == {}


def test_a_models_prompts_are_part_of_the_key() -> None:
    """Each agent has its own: `rag` has one for its replies, and `native` replies without."""
    assert by_model(MODEL)
    assert len(inputs_where(by_model, "rag")(MODEL)) == len(inputs_where(by_model, "native")(MODEL)) + 1


@pytest.mark.parametrize(("config", "provenance"), [(RULES, "native"), (MODEL, "mapped")])
def test_what_a_model_takes_out_is_mapped_to_its_messages(config: NativeConfig, provenance: str) -> None:
    """Only a model is asked while writing; either follows a policy, and keeps some of what is said."""
    traits = extracts(config)
    assert (traits.provenance, traits.models_on_write, traits.keeps) == (provenance, by_model(config), "some")
    assert Capability.POLICY in traits.can


@pytest.mark.parametrize(("name", "keeps"), [("native", "all"), ("rag", "all"), ("awe", "some"), ("awi", "some")])
@pytest.mark.parametrize("by", ["rules", "model"])
def test_agents_that_extract_keep_some_and_the_others_all(name: str, keeps: str, by: Any) -> None:
    kind = registry.agent(name)
    config = kind.config(by=by)
    traits = kind.traits(config)
    assert traits.keeps == keeps
    assert (Capability.POLICY in traits.can) == (keeps == "some") == (kind.policy_maker is not None)
    assert kind.asks is not None
    assert kind.asks(config) == (by == "model")
