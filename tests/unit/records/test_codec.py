"""Values to JSON and back; unknown fields and all problems are named."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.domain import errors
from recollect.domain.histories import Keyed
from recollect.domain.messages import Message
from recollect.domain.outcomes import Judgement, Verdict
from recollect.domain.questions import Key, Question
from recollect.domain.steps import Arm
from recollect.records.codec import decode, encode, read
from recollect.records.digests import KEY_LENGTH, canonical, digest, opaque
from recollect.records.kinds import BODIES, AnswerRecord, ContentRecord, StoredItem, VerdictRecord
from recollect.records.lines import UPGRADES, body_of, head_of, schema_of, to_line

from tests.fakes.toy_protocols import PROTOCOLS

texts = st.text(max_size=50)
messages = st.builds(Message, message_id=texts, session_id=texts, text=texts, speaker=texts, channel=texts)
items = st.builds(
    StoredItem,
    message=st.none() | texts,
    text=st.none() | texts,
    sources=st.lists(texts, max_size=3).map(tuple),
    score=st.none() | st.floats(allow_nan=False, allow_infinity=False),
)
bodies = st.one_of(
    st.builds(ContentRecord, items=st.lists(items, max_size=4).map(tuple), rendered=st.none() | texts),
    st.builds(AnswerRecord, checkpoint=texts, question=texts, arm=st.sampled_from(Arm), text=texts),
    st.builds(
        VerdictRecord,
        checkpoint=texts,
        question=texts,
        arm=st.sampled_from(Arm),
        verdict=st.builds(
            Verdict,
            judge=texts,
            parts=st.lists(
                st.builds(Judgement, name=texts, value=st.none() | st.floats(0, 1), why=texts), max_size=2
            ).map(tuple),
        ),
    ),
)
KIND = {body: kind for kind, body in BODIES.items()}


@given(messages)
def test_a_message_comes_back_as_it_was(message: Message) -> None:
    assert decode(Message, encode(message), where="here") == message


@given(bodies)
def test_a_record_comes_back_as_it_was(body: object) -> None:
    line = to_line(digest("key"), body, KIND[type(body)])
    assert head_of(line) == (digest("key"), KIND[type(body)])
    assert body_of(line, where="here") == body
    assert line.count(b"\n") == 1


@pytest.mark.parametrize("name", sorted(PROTOCOLS))
def test_a_history_with_its_keys_comes_back_as_it_was(name: str) -> None:
    keyed, _ = PROTOCOLS[name]("one")
    assert decode(Keyed, encode(keyed), where="here") == keyed


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | texts, lambda inner: st.lists(inner) | st.dictionaries(texts, inner)
    )
)
def test_no_json_crashes_the_decoder(data: object) -> None:
    _, problems = read(Question, data)
    assert problems


def test_a_key_that_is_unknown_is_offered_the_nearest() -> None:
    _, problems = read(Key, {"question_id": "q", "gld": ["a"]})
    assert problems == ("unknown key `gld` (did you mean `gold`?)",)


def test_all_problems_come_at_once_with_their_paths() -> None:
    with pytest.raises(errors.DataError) as caught:
        decode(Message, {"message_id": 1, "text": None, "said_at": "noon"}, where="file", line=3)
    said = str(caught.value)
    assert said.startswith("file:3: ")
    for path in ("`message_id`", "`session_id`", "`text`"):
        assert path in said


def test_a_default_field_changes_no_digest() -> None:
    plain = Question(question_id="q", text="Who?")  # type: ignore[arg-type]
    assert digest(encode(plain)) == digest({"question_id": "q", "text": "Who?"})


def test_a_digest_has_its_recipe_and_length_and_never_changes() -> None:
    """Computed once with blake2b of the canonical JSON `{"a":1}`; other code must get the same."""
    assert len(digest(1)) == KEY_LENGTH
    assert canonical({"b": 1, "a": [1, "ü"]}) == '{"a":[1,"ü"],"b":1}'
    assert digest({"a": 1}) == "r1:" + __import__("hashlib").blake2b(b'{"a":1}', digest_size=16).hexdigest()


def test_nan_is_refused() -> None:
    with pytest.raises(ValueError, match="JSON"):
        digest(float("nan"))


def test_opaque_ids_spell_nothing_and_differ() -> None:
    assert opaque("m", "gold", "label") != opaque("m", "goldlabel")
    assert "gold" not in opaque("m", "gold")


@pytest.mark.parametrize("kind", sorted(BODIES))
def test_every_kind_of_record_has_its_golden_file(kind: str) -> None:
    """Kept for ever, one file per schema number: each must still be read, upgraded step by step."""
    folder = Path(__file__).parents[2] / "data" / "records"
    for number in range(1, schema_of(kind) + 1):
        for line in (folder / f"{kind}.v{number}.jsonl").read_bytes().splitlines():
            assert isinstance(body_of(line, where=kind), BODIES[kind])


def test_upgrades_go_one_named_step_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(UPGRADES, "answer", {1: lambda old: {**old, "text": old["said"]} | {}, 2: _drop_said})
    line = (
        b'{"key":"%s","kind":"answer","schema":1,"body":{"checkpoint":"end","question":"q","arm":"system","said":"x"}}\n'
        % digest("k").encode()
    )
    assert body_of(line, where="old").text == "x"
    assert schema_of("answer") == 3


def _drop_said(old: dict[str, object]) -> dict[str, object]:
    return {key: value for key, value in old.items() if key != "said"}


@pytest.mark.parametrize(
    "error",
    [
        errors.ConfigError("run.yaml", ["a", "b"]),
        errors.UnknownNameError("memory", "bm52", ["bm25"]),
        errors.MissingExtraError("dense", "weights", "pip install weights"),
        errors.DataError("bad", "file", line=3, fix="Mend it."),
        errors.ChangedConfigError("runs/a", ["`seed` was 1, now 2"]),
        errors.BusyError("busy"),
        errors.RetryableError("later"),
        errors.InterruptedRunError(),
    ],
)
def test_errors_pickle(error: errors.RecollectError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert str(again) == str(error)


def test_errors_say_where_what_and_what_to_do() -> None:
    assert str(errors.UnknownNameError("memory", "bm52", ["bm25", "dense"])) == (
        "memory `bm52` is not known. Did you mean `bm25`? Known: bm25, dense."
    )
    assert str(errors.DataError("field `x` is missing", "a.jsonl", line=7, fix="Add it.")) == (
        "a.jsonl:7: field `x` is missing. Add it."
    )
