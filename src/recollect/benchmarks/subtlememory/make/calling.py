"""How the steps ask: at the temperatures of the authors, and as often again as they do."""

from __future__ import annotations

from recollect.benchmarks.subtlememory.make.prompts import prompt
from recollect.making.calling import Caller, Manner

SENTENCE, MESSAGE, LABEL = 400, 4_000, 60
"""Most characters of a statement, a message and a name."""
WRITING, ORDERING, DECIDING = Manner(0.4, repairs=2), Manner(0.2, repairs=2), Manner(0.0, repairs=4)
"""About the world the authors make three attempts, five of a decision; their temperatures there are not known, so these
are those which they use for users."""
CALLER = Caller(
    prompt=prompt,
    max_tokens=8_192,
    usual=ORDERING,
    manners={
        "topics": Manner(0.0, repairs=2),
        "plan": Manner(0.1, repairs=4),
        "case_filter": Manner(0.0, repairs=2),
        "session": WRITING,
        "session_filter": Manner(0.0, repairs=2),
        "questions": Manner(0.3, repairs=2),
        "question_filter": Manner(0.0, repairs=2),
        "world_session": WRITING,
        "world_session_filter": DECIDING,
        "world_questions": WRITING,
        "world_question_filter": DECIDING,
        "world_answer_filter": DECIDING,
    },
)
"""The authors make three attempts where they make more than one. A plan is asked for again more often, since it costs a
whole person."""
step = CALLER.step
