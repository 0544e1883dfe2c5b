"""Both layouts, there and back; broken files are refused with every problem, odd ones are read and told."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from recollect.benchmarks.locomo import BENCHMARK
from recollect.benchmarks.locomo.histories import EXPECTED_QUESTIONS
from recollect.contracts.benchmark import Dataset, StepSettings
from recollect.domain.errors import DataError, RecollectError, UsageError
from recollect.domain.exchange import Reply
from recollect.domain.questions import Key
from recollect.domain.steps import Ask, Observe

from tests.unit.benchmarks.locomo.talks import folder_of_two, nested, saved, talk

COUNTED = {"multi_hop": 204, "temporal": 238, "open_domain": 76, "single_hop": 662, "adversarial": 347}
"""Questions of the seven conversations at hand, by the field `category` of the files."""
Change = Callable[[dict[str, Any]], object]


def keys_of(data: Dataset) -> list[Key]:
    return [one.keys[question.question_id] for one in data.histories for question in one.history.questions]


def loaded(folder: Path, change: Change = lambda flat: None) -> Dataset:
    flat = talk()
    change(flat)
    return BENCHMARK.load(saved(folder / "invented.json", flat))


def test_a_conversation_becomes_sessions_with_times_speakers_and_pictures(tmp_path: Path) -> None:
    one, again = loaded(tmp_path).histories
    assert [one.task, again.task] == ["qa", "adversarial"]
    assert [m.text for m in again.history.messages()] == [m.text for m in one.history.messages()]
    messages = list(one.history.messages())
    assert [m.said_at for m in messages] == ["2024-02-03T09:05"] * 4 + ["2024-03-01T00:10"] * 2 + [
        "2024-03-20T16:45"
    ] * 3
    assert [m.speaker for m in messages[:3]] == ["Ines", "Tomek", "Ines"]
    assert messages[1].text == "Lovely! I finally sold my old tandem. [shows: a photo of a green tandem against a wall]"
    assert messages[6].text == "[shows: a photo of a bowl of figs on a balcony]"


def test_keys_hold_category_evidence_and_what_to_decline(tmp_path: Path) -> None:
    data = loaded(tmp_path)
    messages = [m.message_id for m in data.histories[0].history.messages()]
    both, when, number, open_one, _, _, trap, with_answer = keys_of(data)
    assert both.evidence == (messages[0], messages[8])
    assert both.labels == {"category": "multi_hop"}
    assert (when.gold, number.gold) == (("2 February 2024",), ("3",))
    assert open_one.gold == ("Likely yes", "Likely yes; he binds books")
    assert (trap.gold, trap.rejected, trap.abstain) == ((), ("a goose",), True)
    assert trap.labels == {"category": "adversarial"}
    assert trap.evidence == (list(data.histories[1].history.messages())[8].message_id,)
    assert (with_answer.gold, with_answer.labels["answer_in_file"]) == ((), "No")


def test_both_layouts_say_the_same(tmp_path: Path) -> None:
    flat = BENCHMARK.load(saved(tmp_path / "conv.json", talk()))
    later = BENCHMARK.load(saved(tmp_path / "all.json.gz", [nested(talk(), "conv")]))
    alone = BENCHMARK.load(saved(tmp_path / "one.json", nested(talk(), "conv")))
    assert flat.histories == later.histories == alone.histories


def test_what_is_written_is_loaded_unchanged(tmp_path: Path) -> None:
    def odd(flat: dict[str, Any]) -> None:
        flat["qa"][0]["evidence"] = ["D1:01; D3:3", "D9:9"]
        flat["session_9_date_time"] = "1:00 pm on 9 April, 2024"
        del flat["session_2_date_time"]
        flat["session_1"].insert(2, {"speaker": "Ines", "dia_id": "D1:99", "text": " "})
        flat["session_4"] = [{"speaker": "Ines", "dia_id": "D4:1", "text": ""}]
        flat["session_5"] = [{"speaker": "Ines", "dia_id": "D5:1", "text": "Bye."}]

    first = loaded(tmp_path, odd)
    for name in ("again.json", "again.json.gz"):
        BENCHMARK.write(first, tmp_path / name)
        assert BENCHMARK.load(tmp_path / name) == first


def test_the_same_data_are_the_same_bytes_also_gzipped(tmp_path: Path) -> None:
    data = BENCHMARK.load(folder_of_two(tmp_path / "two"))
    for name in ("a.json.gz", "b.json.gz"):
        BENCHMARK.write(data, tmp_path / name)
    assert (tmp_path / "a.json.gz").read_bytes() == (tmp_path / "b.json.gz").read_bytes()
    assert BENCHMARK.load(tmp_path / "a.json.gz") == data


def test_the_written_layout_is_the_published_one(tmp_path: Path) -> None:
    BENCHMARK.write(loaded(tmp_path), tmp_path / "again.json")
    (said,) = json.loads((tmp_path / "again.json").read_text())
    assert said["sample_id"] == "invented"
    assert said["conversation"]["session_1_date_time"] == "9:05 am on 3 February, 2024"
    picture = {
        "speaker": "Ines",
        "dia_id": "D3:1",
        "blip_caption": "a photo of a bowl of figs on a balcony",
        "text": "",
    }
    assert said["conversation"]["session_3"][0] == picture
    assert [said["conversation"][name] for name in ("speaker_a", "speaker_b")] == ["Ines", "Tomek"]
    answers = [
        {**question, "answer": str(question["answer"])} if "answer" in question else question
        for question in talk()["qa"]
    ]
    assert said["qa"] == answers


def test_what_is_odd_is_told_in_the_origin(tmp_path: Path) -> None:
    def odd(flat: dict[str, Any]) -> None:
        for place, evidence in enumerate((["D1:1; D3:3"], ["D"], ["D1:1", "D1:1"], [])):
            flat["qa"][place]["evidence"] = evidence
        flat["qa"].append(dict(flat["qa"][4]))
        flat["session_7_date_time"] = "1:00 pm on 9 April, 2024"
        del flat["session_2_date_time"]
        flat["session_1"].append({"speaker": "Ines", "dia_id": "D1:5", "text": ""})

    origin = loaded(tmp_path, odd).origin
    for told in (
        "1 reference to evidence mended (qa.0 'D1:1; D3:3')",
        "1 reference to evidence lost (qa.1 'D')",
        "1 reference to evidence doubled (qa.2 'D1:1')",
        "1 question without evidence (qa.3)",
        "1 question asked twice",
        "1 time of sessions without a turn",
        "1 session without a time",
        "1 turn without a word left out",
        "1 adversarial question with an answer that does not count",
    ):
        assert told in origin
    assert loaded(tmp_path).origin.count(",") == 1  # the answer that does not count, and nothing else


def test_a_published_conversation_with_other_questions_is_told(tmp_path: Path) -> None:
    data = BENCHMARK.load(saved(tmp_path / "conv-26.json", talk()))
    assert "8 questions where the published conversation has 199" in data.origin


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        pytest.param(lambda f: f.pop("qa"), "`qa`: there is no list", id="no-questions"),
        pytest.param(lambda f: f.update(qa=[]), "`qa`: there is no question", id="empty-questions"),
        pytest.param(lambda f: f["qa"][0].update(category=6), "`qa.0.category`: 6 is none of", id="category"),
        pytest.param(lambda f: f["qa"][1].pop("answer"), "`qa.1.answer`: there is none", id="answer"),
        pytest.param(lambda f: f["qa"][1].update(answer=" "), "`qa.1.answer`: there is none", id="blank-answer"),
        pytest.param(lambda f: f["qa"][1].update(answer=["a"]), "`qa.1.answer", id="answer-a-list"),
        pytest.param(lambda f: f["qa"][2].update(question=""), "`qa.2.question`: it is empty", id="question"),
        pytest.param(lambda f: f["qa"].append("x"), "`qa.8`: it is a text", id="question-no-object"),
        pytest.param(lambda f: f["qa"][2].update(evidence={}), "`qa.2.evidence`", id="evidence"),
        pytest.param(lambda f: f.update(session_2="x"), "`session_2`: it is a text", id="session"),
        pytest.param(lambda f: f.update(session_2=[3]), "`session_2.0`: it is a number", id="turn"),
        pytest.param(lambda f: f["session_2"][1].pop("speaker"), "`session_2.1.speaker`", id="speaker"),
        pytest.param(lambda f: f["session_2"][1].update(dia_id="D1:01"), "`D1:01` stands twice", id="twice"),
        pytest.param(
            lambda f: f.update(session_2_date_time="May"), "`session_2_date_time`: 'May' is no time", id="time"
        ),
        pytest.param(lambda f: f.update(recollect={"schema": 9, "origin": ""}), "`recollect.schema`: 9", id="schema"),
        pytest.param(lambda f: [f.pop(f"session_{n}") for n in (1, 2, 3)], "there is no `session_1`", id="no-session"),
    ],
)
def test_a_broken_conversation_is_refused(change: Change, problem: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="invented") as caught:
        loaded(tmp_path, change)
    assert problem in str(caught.value)


def test_all_problems_of_all_files_are_named_at_once(tmp_path: Path) -> None:
    first, second = talk(), talk()
    first["qa"][0]["category"], first["qa"][1]["category"] = 0, 9
    second["session_1_date_time"] = "noon"
    saved(tmp_path / "a.json", [nested(first, "one")])
    saved(tmp_path / "b.json.gz", second)
    (tmp_path / "c.json").write_bytes(b"{")
    with pytest.raises(DataError) as caught:
        BENCHMARK.load(tmp_path)
    for told in (
        "4 problems",
        "a.json[0]: `qa.0",
        "a.json[0]: `qa.1",
        "b.json.gz: `session_1_date_time`",
        "c.json: it is",
    ):
        assert told in str(caught.value)


def test_a_conversation_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    saved(tmp_path / "x.json", talk())
    saved(tmp_path / "x.json.gz", talk())
    with pytest.raises(DataError, match=r"`x` is there twice, first in x\.json"):
        BENCHMARK.load(tmp_path)


@pytest.mark.parametrize(
    "junk",
    [
        pytest.param(gzip.compress(b"[1, 2, 3]")[:-9], id="torn-gzip"),
        pytest.param(b"[]", id="empty-list"),
        pytest.param(b"[" * 100_000, id="deep"),
        pytest.param(b'{"qa": "\\ud800"}', id="half-a-character"),
    ],
)
def test_a_file_that_is_no_conversation_is_a_data_error(junk: bytes, tmp_path: Path) -> None:
    (tmp_path / "junk.json").write_bytes(junk)
    with pytest.raises(DataError, match="junk"):
        BENCHMARK.load(tmp_path / "junk.json")


def test_a_folder_without_a_file_of_its_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"no file that ends in \.json or \.json\.gz"):
        BENCHMARK.load(tmp_path)


def test_data_of_another_benchmark_are_not_written(tmp_path: Path) -> None:
    with pytest.raises(RecollectError, match="`own`, not of `locomo`"):
        BENCHMARK.write(Dataset(benchmark="own", histories=()), tmp_path / "x.json")


def test_nothing_is_generated_and_the_message_says_where_the_data_are() -> None:
    with pytest.raises(UsageError, match=r"snap-research/locomo.*CC BY-NC 4\.0"):
        BENCHMARK.generate("small", 0)


def test_all_is_shown_before_anything_is_asked(tmp_path: Path) -> None:
    for one in loaded(tmp_path).histories:
        kinds = [type(step) for step in BENCHMARK.steps(one.history, StepSettings())]
        assert kinds == [Observe, Observe, Observe, Ask]


def test_nothing_that_a_system_sees_tells_the_category(tmp_path: Path) -> None:
    """Adversarial questions look like all others: same prompt, same format, ids by place."""
    asked = [question for one in loaded(tmp_path).histories for question in one.history.questions]
    shapes = {(q.prompt, q.answer_format, q.output_tokens, q.cue, q.asked_at) for q in asked}
    assert len(shapes) == 1


def test_questions_of_one_kind_alone_make_one_history(tmp_path: Path) -> None:
    (one,) = loaded(tmp_path, lambda flat: flat.update(qa=flat["qa"][:3])).histories
    assert one.task == "qa"


@pytest.mark.real
def test_the_published_gold_scores_one(data: Path) -> None:
    """None of the 1,180 golds is nothing but articles and punctuation, which no reply could meet."""
    found = BENCHMARK.load(data / "locomo10")
    wanted = [key.gold[0] for key in keys_of(found) if key.gold]
    assert len(wanted) == 1_180
    for one in found.histories:
        for question in one.history.questions:
            key = one.keys[question.question_id]
            for gold in key.gold[:1]:
                assert BENCHMARK.score(question, key, Reply(text=gold), None, {}).value == 1.0, key.original_id


@pytest.mark.real
def test_the_published_conversations(data: Path, tmp_path: Path) -> None:
    """Counts of the first release: data/locomo10/README.md of the source; evidence counted by hand in the files."""
    found = BENCHMARK.load(data / "locomo10")
    asked = Counter(one.original_id for one in found.histories for _ in one.history.questions)
    assert asked == EXPECTED_QUESTIONS
    assert Counter(key.labels["category"] for key in keys_of(found)) == COUNTED
    assert sum(1 for one in found.histories for _ in one.history.messages()) == 2 * 4_329  # once for each task
    assert all(message.said_at for one in found.histories for message in one.history.messages())
    told = [found.origin.count(f"to evidence {what}") for what in ("mended", "lost", "doubled")]
    assert told == [3, 2, 1]
    assert sum(not key.evidence for key in keys_of(found)) == 4  # whoever loses a reference has another
    BENCHMARK.write(found, tmp_path / "again.json.gz")
    assert BENCHMARK.load(tmp_path / "again.json.gz") == found
