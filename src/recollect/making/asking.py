"""One result of one step: the model is asked, its reply is read and checked, and what is wrong is asked for again."""

from __future__ import annotations

from string import Template

from recollect.contracts.models import ChatRequest, ToolModel, Turn
from recollect.domain.ids import RecordKey
from recollect.making.prompts import again
from recollect.making.reply import MOST_PROBLEMS, Read, one_line, read
from recollect.making.shape import unbounded
from recollect.making.steps import Given, Item, Step
from recollect.records.digests import digest
from recollect.records.kinds import FailedTry, MadeRecord, RejectedRecord

VERSION = 1
"""Of this module: goes up when the same step and reply may give another result."""
ECHOED = 6000
"""Characters of a reply that is quoted back."""


def result_key(step: Step, item: Item, part: str, given: Given, fingerprint: str) -> RecordKey:
    """Names a result by everything that can change it: step, prompt, what it sees, model, settings."""
    asked = {
        "making": VERSION,
        "step": [step.name, step.version],
        "prompts": [step.prompt.digest, again().digest],
        "item": [item.key, item.take, part],
        "given": given,
        "model": fingerprint,
        "shape": step.shape_for(given),
        "checks": [check.name for check in step.checks],
        "settings": [step.temperature, step.max_tokens, step.repairs],
    }
    return RecordKey(digest(asked))


def ask(step: Step, item: Item, part: str, given: Given, model: ToolModel) -> MadeRecord | RejectedRecord:
    """What *model* makes of *given*; after `step.repairs` more tries, why it made nothing.

    Raises:
        CallError: The model failed: that says nothing of the item.
    """
    shape = step.shape_for(given)
    turns = [Turn(role="user", text=step.text(given))]
    failed: list[FailedTry] = []
    while len(failed) <= step.repairs:
        request = ChatRequest(
            turns=tuple(turns), max_tokens=step.max_tokens, temperature=step.temperature, schema=unbounded(shape)
        )
        reply = model.chat(request)
        found = read(reply.text, shape, cut=reply.finish == "length")
        problem = _problem(step, given, found, reply.text)
        if problem is None:
            return MadeRecord(item=item.key, step=step.name, part=part, value=found.value, failed=tuple(failed))
        failed.append(problem)
        turns += [Turn(role="assistant", text=reply.text[:ECHOED] or "(no text)"), _again(problem)]
    return RejectedRecord(item=item.key, step=step.name, part=part, check=failed[-1].checks[0], failed=tuple(failed))


def _problem(step: Step, given: Given, found: Read, said: str) -> FailedTry | None:
    if found.broken:
        return FailedTry(checks=(found.broken,), problems=found.problems, said=one_line(said))
    problems = {check.name: tuple(check.find(found.value, given)) for check in step.checks}
    broken = {name: told for name, told in problems.items() if told}
    if not broken:
        return None
    told = tuple(one for several in broken.values() for one in several)
    return FailedTry(checks=tuple(broken), problems=told[:MOST_PROBLEMS], said=one_line(said))


def _again(problem: FailedTry) -> Turn:
    told = "\n".join(f"- {one}" for one in problem.problems)
    return Turn(role="user", text=Template(again().text).substitute(problems=told))
