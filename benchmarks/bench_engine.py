"""What the engine itself costs: CPU per question with an instant reader and judge, resume scans, disk.

Run: python benchmarks/bench_engine.py
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from time import perf_counter, process_time

sys.path.insert(0, str(Path(__file__).parents[1]))

from recollect.contracts.reading import Prompt
from recollect.contracts.traits import Capability, Traits
from recollect.domain.exchange import Context, Cue, Recall, Reply
from recollect.domain.histories import Asking, History, Keyed
from recollect.domain.ids import CheckpointId, HistoryId, MessageId, QuestionId, SessionId
from recollect.domain.messages import Message, Session
from recollect.domain.outcomes import Judgement, Verdict
from recollect.domain.questions import Key, Question
from recollect.domain.steps import Arm, Ask, Observe, Step
from recollect.engine.execution.executor import Limits, execute
from recollect.engine.plan import episode, plan_trial
from recollect.engine.rows import Conditions, Roles, Row
from recollect.records.digests import digest, opaque
from recollect.records.kinds import AnswerRecord
from recollect.store.journal import Journal
from recollect.store.run_folder import RunFolder
from recollect.text.tokens import count

from tests.fakes.toy_systems import ToyMemory

QUESTIONS = 300
CHUNK_TOKENS = 512
TEXT = "the river runs past an old mill where nobody has ground corn since the flood of that year"
WORDS = TEXT.split()


class Instant:
    """A reader and judge that take no time."""

    fingerprint, window_tokens = "instant", 1_000_000

    def read(self, context: Context, question: Question, prompt: Prompt) -> Reply:
        return Reply(text="the mill")

    def judge(self, question: Question, key: Key, reply: Reply) -> Verdict:
        return Verdict(parts=(Judgement(name="right", value=1.0, why="exact"),), judge="instant")


class Rotating(ToyMemory):
    """Finds a number of chunks at once, other ones for every question."""

    def __init__(self, found: int) -> None:
        super().__init__()
        self.found = found

    def search(self, cue: Cue) -> Recall:
        if self.found >= len(self.messages):
            return Recall.of_messages(self.messages, order="time")
        start = int(opaque("x", cue.text)[1:], 16) % (len(self.messages) - self.found)
        return Recall.of_messages(self.messages[start : start + self.found])


def chunk(number: int) -> str:
    text = " ".join(WORDS[(number + i) % len(WORDS)] for i in range(CHUNK_TOKENS))
    return text[: int(len(text) * CHUNK_TOKENS / count(text))]


def material(tokens: int) -> tuple[Keyed, list[Step]]:
    messages = [
        Message(
            message_id=MessageId(opaque("m", n)), session_id=SessionId(opaque("s", n)), text=chunk(n), role="document"
        )
        for n in range(tokens // CHUNK_TOKENS)
    ]
    sessions = [Session(session_id=m.session_id, messages=(m,)) for m in messages]
    questions = tuple(Question(question_id=QuestionId(opaque("q", n)), text=f"What of {n}?") for n in range(QUESTIONS))
    ask = Asking(checkpoint=CheckpointId("end"), question_ids=tuple(q.question_id for q in questions))
    history = History(history_id=HistoryId(opaque("h", tokens)), timeline=(*sessions, ask), questions=questions)
    keys = {q.question_id: Key(question_id=q.question_id, gold=("the mill",)) for q in questions}
    steps: list[Step] = [*(Observe(session=s) for s in sessions), Ask(checkpoint=ask.checkpoint, questions=questions)]
    return Keyed(history=history, keys=keys, task="bench"), steps


def per_question(tokens: int, found: int, folder: Path) -> tuple[float, int]:
    """CPU milliseconds a question, ingest left out, and bytes on disk."""
    keyed, steps = material(tokens)
    cast = Roles(reader=Instant(), judge=Instant())
    prompt = Prompt(name="bench/answer.v1", text="Answer. $context $question")
    conditions = Conditions(
        budget_tokens=tokens, search_limit=found, prompts={"answer": prompt}, judged=frozenset({"bench"})
    )
    traits = Traits(can=frozenset({Capability.LISTING}))

    def row(label: str, asked: list[Step]) -> float:
        made = Row(
            label=label,
            kind="memory",
            fingerprint={"name": label},
            traits=traits,
            arms=(Arm.SYSTEM,),
            open_memory=lambda room: Rotating(found),
        )
        trial = plan_trial(made, episode(keyed, asked, {}), conditions, cast)
        run = RunFolder(folder / label)
        run.write_data([keyed], {}, {prompt.digest: prompt.text})
        started = process_time()
        execute([trial], run, cast=cast, conditions=conditions, limits=Limits(trials=1, calls=8))
        return process_time() - started

    unasked = row("ingest", steps[:-1])
    whole = row("whole", steps)
    size = sum(file.stat().st_size for file in (folder / "whole").rglob("*") if file.is_file())
    return 1000 * (whole - unasked) / QUESTIONS, size


def resume_scan(records: int, folder: Path) -> float:
    """Seconds to find out what is done."""
    body = AnswerRecord(checkpoint=CheckpointId("end"), question=QuestionId("q"), arm=Arm.SYSTEM, text="the mill " * 10)
    journal = Journal(folder / "big.jsonl", write=True)
    for number in range(records):
        journal.append(digest(number), body, "answer")
    journal.close()
    started = perf_counter()
    assert len(Journal(folder / "big.jsonl").done) == records
    return perf_counter() - started


def main() -> None:
    """Print the table."""
    for tokens, found, target in ((100_000, 15, 2.0), (100_000, 1_000, 6.0)):
        with tempfile.TemporaryDirectory() as folder:
            cost, size = per_question(tokens, found, Path(folder))
        context = min(tokens, found * CHUNK_TOKENS)
        print(
            f"context {context:7,} tokens: {cost:.2f} ms CPU a question (bound {target}); "
            f"{QUESTIONS} questions on {tokens:,} tokens: {size / 1e6:.2f} MB on disk (bound 1)"
        )
    with tempfile.TemporaryDirectory() as folder:
        print(f"resume scan of 225,000 records: {resume_scan(225_000, Path(folder)):.2f} s (bound 1)")


if __name__ == "__main__":
    main()
