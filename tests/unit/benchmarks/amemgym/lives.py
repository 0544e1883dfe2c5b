"""Users for the tests: two written by hand, and any number that Hypothesis invents."""

from __future__ import annotations

import json
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import asdict
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from recollect.benchmarks.amemgym.items import Choice, Item, Period, Profile, Qa, Talk, Update
from recollect.benchmarks.amemgym.rows import item_of
from recollect.benchmarks.amemgym.settings import EnvConfig

MINI = Path(__file__).parents[3] / "data" / "amemgym" / "data.json"
"""Mira, whose nephew comes and goes, and a baker who speaks Chinese; nothing of it is from the published data."""
_WORDS = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc", "Zs")), min_size=1, max_size=8)
_VALUES = st.lists(_WORDS, min_size=2, max_size=4, unique=True)
_START = date(2020, 10, 1)


def write_config(config: EnvConfig, file: Path) -> None:
    """A configuration in the authors' form, without fields that are unknown to them."""
    data = {name: value for name, value in asdict(config).items() if name != "extra"}
    for model in ("llm_config_high_temp", "llm_config_low_temp"):
        del data[model]["extra"]
    file.write_text(json.dumps(data), encoding="utf-8")


def rows() -> list[dict[str, Any]]:
    """The rows of the file, to be changed at will."""
    found: list[dict[str, Any]] = json.loads(MINI.read_text(encoding="utf-8"))
    return found


def mira(**changed: Any) -> Item:
    """Mira, or what a changed row of hers says."""
    return told({**rows()[0], **changed})


def told(row: Mapping[str, Any]) -> Item:
    """The user of a row that has no problem."""
    item, problems = item_of(deepcopy(row))
    assert item is not None, problems
    return item


@st.composite
def lives(draw: st.DrawFn) -> Item:
    """A user whose data keep every promise of the format."""
    schema = draw(st.dictionaries(_WORDS, _VALUES, min_size=1, max_size=3))
    states = [{name: draw(st.sampled_from(values)) for name, values in schema.items()}]
    for _ in range(draw(st.integers(0, 3))):
        states.append({name: draw(st.sampled_from(values)) for name, values in schema.items()})
    changes = [{n for n in schema if now[n] != was.get(n)} for was, now in zip([{}, *states], states, strict=False)]
    counts = {name: sum(name in one for one in changes[1:]) for name in schema}
    name = draw(_WORDS)
    return Item(
        id=name,
        start_time=str(_START),
        user_profile=draw(_profiles(name)),
        state_schema={variable: tuple(values) for variable, values in schema.items()},
        periods=tuple(_period(draw, number, states, changes[number], counts) for number in range(len(states))),
        qas=tuple(draw(_asked(schema, states)) for _ in range(draw(st.integers(1, 2)))),
        extra=draw(st.dictionaries(_WORDS.map(lambda one: f"x-{one.replace('/', '')}"), st.integers(), max_size=2)),
    )


@st.composite
def _profiles(draw: st.DrawFn, name: str) -> Profile:
    some: Any = st.one_of(_WORDS, st.lists(_WORDS, max_size=2).map(tuple))
    said = {field: draw(_WORDS) for field in ("gender", "marital_status", "education_level", "occupation")}
    return Profile(
        uuid=name,
        name=draw(_WORDS),
        age=draw(st.integers(18, 90)),
        hobbies_and_interests=draw(some),
        skills_and_expertise=draw(some),
        complementary_info=draw(_WORDS),
        formatted_str=draw(_WORDS),
        **said,
    )


def _period(
    draw: st.DrawFn, number: int, states: list[dict[str, str]], changed: set[str], counts: dict[str, int]
) -> Period:
    end = _START + timedelta(days=90 * number)
    state, before = states[number], states[number - 1] if number else {}
    talks = [sorted(changed)] if draw(st.booleans()) else [[name] for name in sorted(changed)]
    return Period(
        period_start=str(end - timedelta(days=90)) if number else None,
        period_end=str(end),
        period_summary=draw(st.none() | _WORDS),
        sessions=tuple(
            Talk(
                event=draw(st.none() | _WORDS),
                exposed_states={name: state[name] for name in names},
                query=draw(_WORDS),
                session_time=f"{end - timedelta(days=len(talks) - 1 - place)} 19:00:0{place}",
                has_messages=draw(st.booleans()),
            )
            for place, names in enumerate(talks)
            if names
        ),
        state=state,
        updates={name: Update(old=before.get(name), new=state[name]) for name in sorted(changed)},
        update_cnts=counts,
    )


@st.composite
def _asked(draw: st.DrawFn, schema: dict[str, list[str]], states: list[dict[str, str]]) -> Qa:
    names = tuple(draw(st.lists(st.sampled_from(sorted(schema)), min_size=1, max_size=2, unique=True)))
    held = list(dict.fromkeys(tuple(state[name] for name in names) for state in states))
    other = tuple(draw(st.sampled_from(schema[name])) for name in names)
    pool = [*held, *([other] if other not in held else [])]
    if len(pool) < 2:
        pool.append(next((value, *held[0][1:]) for value in schema[names[0]] if value != held[0][0]))
    return Qa(
        query=draw(_WORDS),
        required_info=names,
        answer_choices=tuple(
            Choice(state=one, answer=f"{draw(_WORDS)} {place}", type="experience" if one in held else "random")
            for place, one in enumerate(draw(st.permutations(pool)))
        ),
    )
