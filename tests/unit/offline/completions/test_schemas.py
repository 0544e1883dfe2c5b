"""A filled schema is always followed, and holds what was read where its names ask for it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from recollect.offline.completions.lexicon import words_of
from recollect.offline.completions.material import read_material
from recollect.offline.completions.schemas import Filler

PROMPT = """# Messages
Ann: I like tea. My cat Rex is grey.
Bo: I live in Oslo.
# Date
2024-03-02"""
MATERIAL = read_material([{"role": "user", "content": PROMPT}])
FACTS = list(MATERIAL.facts)
TEXTS = {"type": "array", "items": {"type": "string"}}


def filled(schema: Any) -> Any:
    """A value for *schema*, which it follows."""
    value = Filler(MATERIAL, schema).fill(schema)
    Draft202012Validator(schema).validate(value)
    return value


def fields(**properties: Any) -> Any:
    """The schema of an object."""
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def test_there_is_something_to_fill_in() -> None:
    """Else the tests below could not fail."""
    assert FACTS == ["Ann likes tea. Ann's cat Rex is grey.", "Bo lives in Oslo."]


@pytest.mark.parametrize("name", ["facts", "memories", "extracted_facts", "newMemories", "observations"])
def test_a_list_of_texts_for_facts_holds_the_facts(name: str) -> None:
    """By any name that says so."""
    assert filled(fields(**{name: TEXTS})) == {name: FACTS}


@pytest.mark.parametrize("name", ["linked_memory_ids", "existing_memories", "suggested_connections", "odd"])
def test_a_list_of_what_is_held_already_or_of_who_knows_what_is_empty(name: str) -> None:
    """The rules know nothing of that."""
    assert filled(fields(**{name: TEXTS})) == {name: []}


def test_a_list_of_objects_has_one_a_fact() -> None:
    """Numbered, dated, and for the one who spoke."""
    item = fields(
        id={"type": "string"},
        text={"type": "string"},
        attributed_to={"type": "string", "enum": ["assistant", "user"]},
        when={"type": "string"},
        linked_memory_ids=TEXTS,
        event={"enum": ["NONE", "ADD"]},
        importance={"type": "integer", "minimum": 1, "maximum": 10},
    )
    items = filled(fields(memory={"type": "array", "items": item}))["memory"]
    assert [one["text"] for one in items] == FACTS
    assert [one["id"] for one in items] == ["0", "1"]
    assert items[0] == {
        "id": "0",
        "text": FACTS[0],
        "attributed_to": "user",
        "when": "2024-03-02T00:00:00",
        "linked_memory_ids": [],
        "event": "ADD",
        "importance": 1,
    }


def test_a_list_of_entities_has_one_a_name() -> None:
    """And one of relations, of which the rules know nothing, is empty."""
    entity = fields(name={"type": "string"}, entity_type_id={"type": "integer"})
    relation = fields(source={"type": "string"}, target={"type": "string"}, relation={"type": "string"})
    found = filled(
        fields(extracted_entities={"type": "array", "items": entity}, relations={"type": "array", "items": relation})
    )
    assert [one["name"] for one in found["extracted_entities"]] == ["Ann", "Bo", "Rex", "Oslo"]
    assert found["relations"] == []


def test_keywords_names_and_texts_are_told_by_their_names() -> None:
    """A summary is of all facts; a doubt is no."""
    found = filled(
        fields(
            keywords=TEXTS,
            participants=TEXTS,
            summary={"type": "string"},
            should_evolve={"type": "boolean"},
            topic_tags={"type": "string"},
            odd={"type": "string"},
        )
    )
    assert found["keywords"][:3] == ["like", "tea", "cat"]
    assert found["participants"][:2] == ["Ann", "Bo"]
    assert found["summary"] == " ".join(FACTS)
    assert (found["should_evolve"], found["odd"]) == (False, "")


def test_references_and_alternatives_are_followed() -> None:
    """As schemas of Python classes have them; one that leads to itself ends."""
    schema = {
        "$defs": {
            "Fact": {"type": "object", "properties": {"content": {"type": "string"}}, "required": ["content"]},
            "Node": {
                "type": "object",
                "properties": {"next": {"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}], "default": None}},
            },
        },
        "type": "object",
        "properties": {
            "facts": {"type": "array", "items": {"$ref": "#/$defs/Fact"}},
            "note": {"anyOf": [{"type": "null"}, {"type": "string"}]},
            "tree": {"$ref": "#/$defs/Node"},
            "kind": {"allOf": [{"type": "string"}, {"enum": ["a", "b"]}]},
        },
        "required": ["facts", "note", "tree", "kind"],
    }
    found = filled(schema)
    assert [one["content"] for one in found["facts"]] == FACTS
    assert found["note"] == " ".join(FACTS)
    assert found["kind"] == "a"


def test_what_is_not_required_is_left_out_unless_it_is_told() -> None:
    """And defaults stay."""
    schema = {
        "type": "object",
        "properties": {
            "content": {"type": "string", "default": ""},
            "weight": {"type": "number"},
            "mode": {"type": "string", "default": "fast"},
        },
        "required": ["mode"],
    }
    assert filled(schema) == {"content": " ".join(FACTS), "mode": "fast"}


def test_bounds_of_lists_are_kept() -> None:
    """Filled up where too few were found, cut where too many were."""
    assert len(filled(fields(facts={**TEXTS, "maxItems": 1}))["facts"]) == 1
    assert len(filled(fields(odd={**TEXTS, "minItems": 3}))["odd"]) == 3


NAMES = st.sampled_from(["facts", "id", "name", "keywords", "memory", "date", "odd", "action", "entities", "text"])
LEAVES = st.sampled_from(
    [
        {"type": "string"},
        {"type": "integer"},
        {"type": "number", "minimum": 2},
        {"type": "boolean"},
        {"type": "null"},
        {"type": ["string", "null"]},
        {"enum": ["x", 3]},
        {"const": 7},
        {"type": "string", "minLength": 1},
        {"anyOf": [{"type": "null"}, {"type": "integer"}]},
    ]
)


def _wider(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    lists = st.builds(lambda item, least: {"type": "array", "items": item, "minItems": least}, inner, st.integers(0, 2))
    return lists | st.dictionaries(NAMES, inner, max_size=4).map(lambda properties: fields(**properties))


@given(st.recursive(LEAVES, _wider, max_leaves=12))
def test_whatever_the_schema_is_the_value_follows_it(schema: Any) -> None:
    """Of the forms that systems use."""
    filled(schema)


@pytest.mark.parametrize("name", ["new_tags", "newTags", "NewTags", "New tags", "NEW_TAGS"])
def test_a_name_has_the_same_words_however_it_is_written(name: str) -> None:
    """Else a field of another style would stay empty."""
    assert words_of(name) == {"new", "tags"}
