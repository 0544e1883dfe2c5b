"""Every session, case and question that named sizes ship, against the validators; values are held in other tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from recollect.benchmarks.subtlememory.generate import assembly, bundles
from recollect.benchmarks.subtlememory.generate.checks.questions import question_problems
from recollect.benchmarks.subtlememory.generate.checks.sessions import session_problems
from recollect.benchmarks.subtlememory.generate.plans import Brief, CasePlan
from recollect.benchmarks.subtlememory.generate.settings import SIZES
from recollect.benchmarks.subtlememory.items import Bundle, Talk, Turn

from tests.unit.benchmarks.subtlememory.generate.case_rules import case_problems, rules_of, told_case


@pytest.mark.parametrize("size", ["small", "small-held-out", pytest.param("base", marks=pytest.mark.full)])
def test_no_session_case_or_question_breaks_a_rule(size: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """And no step stands where it forgets what is told, or gives it away."""
    planned: list[Sequence[CasePlan]] = []
    of_cases = assembly._of_cases

    def noted(cases: Sequence[CasePlan]) -> list[assembly._Session]:
        planned.append(cases)
        return of_cases(cases)

    monkeypatch.setattr(assembly, "_of_cases", noted)
    made = bundles(SIZES.settings(size), 0)
    assert len(planned) == len(made)
    found = [problem for one, cases in zip(made, planned, strict=True) for problem in _problems(one, cases)]
    assert found == []


def _problems(bundle: Bundle, cases: Sequence[CasePlan]) -> Iterator[str]:
    talks = {talk.session_id: talk for talk in bundle.talks}
    for case, instance in zip(cases, bundle.instances, strict=True):
        written = [talks[name] for name in instance.session_ids]
        told = [next(talk for talk in written if _tells(talk, plan.brief)) for plan in case.sessions]
        for number, talk in enumerate(told):
            yield from map(str, session_problems(talk.history, rules_of(case, number)))
            yield from _clashes(talk.history, case.sessions[number].brief)
        days = [talk.timestamp[:10] for talk in told]
        yield from map(str, case_problems(told_case(case, [talk.history for talk in told], days)))
        yield from (str(problem) for qa in case.qas for problem in question_problems(qa))


def _tells(talk: Talk, brief: Brief) -> bool:
    text = " ".join(turn.content for turn in talk.history)
    return all(" ".join(one.text.split()) in text for one in brief.tellings)


def _clashes(turns: Sequence[Turn], brief: Brief) -> Iterator[str]:
    answers = [" ".join(step.assistant.split()) for step in brief.thread.steps]
    places = {answers.index(turn.content): at for at, turn in enumerate(turns) if turn.content in answers}
    for one in brief.tellings:
        at = next(place for place, turn in enumerate(turns) if " ".join(one.text.split()) in turn.content)
        for step, place in places.items():
            if (step in one.precedes and place < at) or (step in one.follows and place > at):
                yield f"step {step} of {brief.thread.task} stands on the wrong side of: {one.text}"
