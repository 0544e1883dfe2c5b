"""What generated users promise beyond what every user does, so that a made one can be checked too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from recollect.benchmarks.amemgym.generate.catalogue import LifeDomain, VariableWords, content, read_catalogue
from recollect.benchmarks.amemgym.generate.classify import Classifier
from recollect.benchmarks.amemgym.generate.settings import GenerationSettings
from recollect.benchmarks.amemgym.items import Item, Period, Qa, Talk

MOST_TOLD = 3
"""Variables that one query of period 0 tells."""
MOST_TOGETHER = 2
"""Variables that one event changes."""


def breaches(item: Item, settings: GenerationSettings, domains: Sequence[LifeDomain] | None = None) -> list[str]:
    """Every limit of the settings that a user breaks, and every text that tells another thing than it should.

    Args:
        item: A user whose values are of the catalogue.
        settings: Those it was made with.
        domains: The catalogue, if it is not the bundled one.
    """
    return list(_Check(item, settings, read_catalogue() if domains is None else domains).all())


@dataclass(frozen=True)
class _Check:
    item: Item
    settings: GenerationSettings
    domains: Sequence[LifeDomain]

    @cached_property
    def classifier(self) -> Classifier:
        return Classifier(self.item.state_schema, self.domains)

    @cached_property
    def variables(self) -> dict[str, VariableWords]:
        return {one.name: one for domain in self.domains for one in domain.variables}

    def all(self) -> Iterator[str]:
        for name, times in self.item.periods[-1].update_cnts.items():
            if times > self.settings.max_changes_per_state:
                yield f"{name} changes {times} times, more than {self.settings.max_changes_per_state}"
        for number, period in enumerate(self.item.periods):
            found = [*(self._changes(period) if number else ()), *self._sessions(number, period)]
            yield from (f"period {number}: {one}" for one in found)
        for place, qa in enumerate(self.item.qas):
            yield from (f"question {place}: {one}" for one in self._question(qa))

    def _changes(self, period: Period) -> Iterator[str]:
        wanted = self.settings.num_changes_per_period
        if abs(len(period.updates) - wanted) > 1:
            yield f"{len(period.updates)} changes, not {wanted} or one more or less"
        for name, update in period.updates.items():
            values = [one.value for one in self.variables[name].values]
            step = abs(values.index(update.new) - values.index(update.old)) if update.old else 0
            if self.variables[name].kind == "ordinal" and step > 1:
                yield f"{name} goes {step} steps at once"

    def _sessions(self, number: int, period: Period) -> Iterator[str]:
        most = MOST_TOGETHER if number else MOST_TOLD
        for place, talk in enumerate(period.sessions):
            if not 1 <= len(talk.exposed_states) <= most:
                yield f"session {place} tells {len(talk.exposed_states)} variables, not 1 to {most}"
            if not "19:00:00" <= talk.session_time[11:] <= "22:00:00":
                yield f"session {place} is at {talk.session_time[11:]}, not in the evening"
            yield from (f"session {place} {one}" for one in self._query(talk))

    def _query(self, talk: Talk) -> Iterator[str]:
        shown = self.classifier.exposed(talk.query)
        if shown != dict(talk.exposed_states):
            yield f"tells {shown}, not {dict(talk.exposed_states)}: {talk.query}"
        for value in talk.exposed_states.values():
            if named := sorted(content(value) & content(talk.query)):
                yield f"has the word {', '.join(named)} of the value {value}: {talk.query}"

    def _question(self, qa: Qa) -> Iterator[str]:
        number = len(qa.answer_choices)
        if not self.settings.min_state_variants <= number <= self.settings.max_state_variants:
            yield f"{number} choices, not {self.settings.min_state_variants} to {self.settings.max_state_variants}"
        if len({choice.answer for choice in qa.answer_choices}) < number:
            yield "two choices have the same text"
        held = {tuple(period.state[name] for name in qa.required_info) for period in self.item.periods}
        if len(held) < 2 and self.settings.num_periods:
            yield "the right answer never changes"
        for choice in qa.answer_choices:
            if (fits := self.classifier.answer_state(choice.answer, qa.required_info)) != choice.state:
                yield f"the answer fits {fits}, not {choice.state}: {choice.answer}"
