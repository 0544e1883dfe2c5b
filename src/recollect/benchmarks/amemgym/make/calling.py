"""How the steps ask: at one of two temperatures, with replies of some length."""

from __future__ import annotations

from recollect.benchmarks.amemgym.make.persons import HIGH, LOW, MAX_TOKENS
from recollect.benchmarks.amemgym.make.progress import QUESTIONS, UPDATES
from recollect.benchmarks.amemgym.make.prompts import prompt
from recollect.making.calling import Caller, Manner

PARAGRAPH, SENTENCES = 4_000, 1_200
"""Most characters of a description, and of a message, an answer or an event."""
NAME, VALUE, QUESTION = 60, 120, 400
CALLER = Caller(
    prompt=prompt,
    max_tokens=MAX_TOKENS,
    usual=Manner(LOW),
    manners={QUESTIONS: Manner(HIGH), UPDATES: Manner(HIGH)},
)
"""Where many replies are right, and a test lives on their variety, the temperature is high."""
step = CALLER.step
