"""What a user can go on with after the first message, without telling anything new."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from recollect.benchmarks.amemgym.generate.catalogue import LifeDomain, read_catalogue
from recollect.benchmarks.amemgym.generate.classify import Classifier, Schema
from recollect.benchmarks.amemgym.generate.talks import small_talk


def neutral_turns(
    variables: Iterable[str], schema: Schema, domains: Sequence[LifeDomain] | None = None
) -> tuple[str, ...]:
    """Turns that go on with a talk about some variables and tell no value of any: first those of their domains.

    Args:
        variables: What the talk is about; names that the catalogue does not know bring nothing of their own.
        schema: All variables of the user with their values; turns that might show one of them are left out.
        domains: The catalogue, if it is not the bundled one.
    """
    chosen = tuple(read_catalogue() if domains is None else domains)
    about = set(variables)
    near = [one for one in chosen if about & {variable.name for variable in one.variables}]
    turns = (*(turn for one in near for turn in one.chat), *small_talk().neutral)
    classifier = _classifier(tuple((name, tuple(values)) for name, values in schema.items()), chosen)
    return tuple(turn for turn in turns if not classifier.leaks(turn))


@lru_cache(maxsize=64)
def _classifier(schema: tuple[tuple[str, tuple[str, ...]], ...], domains: tuple[LifeDomain, ...]) -> Classifier:
    return Classifier(dict(schema), domains)
