"""What is made of all that may come back from a chat endpoint."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.contracts.models import ChatReply, ChatRequest, ToolCall, Turn, Usage
from recollect.domain.errors import CallError, MalformedError, RefusedError, RetryableError
from recollect.models.settings import ModelSettings
from recollect.models.wire.chat import chat_body, kept_chat, read_chat
from recollect.models.wire.usage import usage_of

SETTINGS = ModelSettings(model="m", base_url="http://127.0.0.1:1/v1")


def reply(**changes: Any) -> dict[str, Any]:
    """A sound reply with some fields changed; `...` takes a field away."""
    message = {"role": "assistant", "content": "yes"} | changes.pop("message", {})
    choice = {"index": 0, "message": message, "finish_reason": "stop"} | changes.pop("choice", {})
    usage = {"prompt_tokens": 7, "completion_tokens": 2, "total_tokens": 9}
    whole = {"id": "r1", "model": "m", "choices": [choice], "usage": usage} | changes
    return {name: value for name, value in whole.items() if value is not ...}


def read(settings: ModelSettings = SETTINGS, **changes: Any) -> ChatReply:
    return read_chat(settings, json.dumps(reply(**changes)).encode())


def broken(raw: bytes, settings: ModelSettings = SETTINGS) -> CallError:
    with pytest.raises(CallError) as caught:
        read_chat(settings, raw)
    return caught.value


def test_tool_calls_come_in_and_can_be_sent_back() -> None:
    function = {"name": "find", "arguments": '{"q": 1}'}
    got = read(
        message={"content": None, "tool_calls": [{"id": "c1", "type": "function", "function": function}]},
        choice={},
    )
    assert got.calls == (ToolCall(call_id="c1", name="find", arguments='{"q": 1}'),)
    assert got.text == ""
    again = ChatRequest(turns=(Turn(role="assistant", text=got.text, calls=got.calls),))
    sent: Any = chat_body(SETTINGS, again)["messages"]
    assert sent[0]["tool_calls"][0]["function"] == function


def test_tool_calls_of_careless_servers_are_read_too() -> None:
    """Arguments as an object, or none at all; no id."""
    calls = [{"function": {"name": "a", "arguments": {"q": "ä"}}}, {"id": "", "function": {"name": "b"}}]
    got = read(message={"content": None, "tool_calls": calls})
    assert got.calls == (
        ToolCall(call_id="call-0", name="a", arguments='{"q": "ä"}'),
        ToolCall(call_id="call-1", name="b", arguments="{}"),
    )


def test_a_sound_reply_is_read_whole() -> None:
    got = read()
    assert (got.text, got.finish, got.model, got.usage) == ("yes", "stop", "m", Usage(input=7, output=2))


def test_fields_that_are_not_known_are_kept_as_they_came() -> None:
    got = read(system_fingerprint="fp", choice={"logprobs": {"a": 1}}, service_tier="x")
    assert got.extra == {"id": "r1", "system_fingerprint": "fp", "service_tier": "x", "choice": {"logprobs": {"a": 1}}}


@pytest.mark.parametrize("name", ["reasoning_content", "reasoning", "thinking"])
def test_what_a_model_thought_is_kept_and_is_no_part_of_its_text(name: str) -> None:
    got = read(message={name: "Let me see. The answer is no."})
    assert got.text == "yes"
    assert got.extra["message"] == {name: "Let me see. The answer is no."}


def test_text_in_parts_is_put_together_without_its_thoughts() -> None:
    parts = [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "y"}, {"type": "text", "text": "es"}]
    got = read(message={"content": parts})
    assert got.text == "yes"
    assert got.extra["message"]["content"] == parts


@pytest.mark.parametrize("reason", ["length", "max_tokens", "MAX_TOKENS"])
def test_a_reply_cut_at_its_limit_is_a_reply_even_an_empty_one(reason: str) -> None:
    assert read(choice={"finish_reason": reason}).finish == "length"
    assert read(choice={"finish_reason": reason}, message={"content": ""}).text == ""


def test_without_a_reason_the_reply_ended_by_itself() -> None:
    assert read(choice={"finish_reason": None}).finish == "stop"


def test_half_a_surrogate_does_not_get_into_a_text() -> None:
    """JSON can spell it; no file can hold it."""
    got = read_chat(SETTINGS, json.dumps(reply(message={"content": "a\ud83d b 😀"})).encode())
    assert got.text == "a\ufffd b 😀"


@pytest.mark.parametrize(
    ("usage", "wanted"),
    [
        pytest.param(
            {
                "prompt_tokens": 10,
                "completion_tokens": 5,
                "prompt_tokens_details": {"cached_tokens": 4},
                "completion_tokens_details": {"reasoning_tokens": 3},
            },
            Usage(input=10, output=5, cached=4, reasoning=3),
            id="details",
        ),
        pytest.param({"input_tokens": 10, "output_tokens": 5}, Usage(input=10, output=5), id="other-names"),
        pytest.param(
            {"prompt_tokens": 10, "completion_tokens": 5, "prompt_cache_hit_tokens": 4, "total_tokens": 15},
            Usage(input=10, output=5, cached=4),
            id="cache-hits-by-another-name",
        ),
        pytest.param(
            {
                "prompt_tokens": 10,
                "completion_tokens": 5,
                "total_tokens": 35,
                "completion_tokens_details": {"reasoning_tokens": 20},
            },
            Usage(input=10, output=25, reasoning=20),
            id="thinking-counted-beside-the-output",
        ),
        pytest.param(
            {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 35},
            Usage(input=10, output=25, reasoning=20),
            id="thinking-counted-in-the-total-only",
        ),
        pytest.param({"prompt_tokens": 10.0, "completion_tokens": None}, Usage(input=10, output=0), id="as-floats"),
    ],
)
def test_tokens_mean_the_same_whoever_counts_them(usage: dict[str, Any], wanted: Usage) -> None:
    assert read(usage=usage).usage == wanted


def test_the_tokens_of_a_reply_that_is_no_good_are_known_all_the_same() -> None:
    """They were charged."""
    raw = json.dumps(reply(model="another")).encode()
    assert broken(raw).cause == "wrong_model"
    assert usage_of(raw) == Usage(input=7, output=2)
    assert usage_of(b"<html>") is None


def test_missing_tokens_are_a_fault_only_where_they_are_required() -> None:
    raw = json.dumps(reply(usage=...)).encode()
    assert broken(raw).cause == "usage_missing"
    relaxed = ModelSettings(model="m", base_url="http://h/v1", usage="optional")
    assert read_chat(relaxed, raw).usage is None


@pytest.mark.parametrize("usage", [None, [], {}, {"prompt_tokens": -1}, {"prompt_tokens": True}, {"total_tokens": 9}])
def test_token_counts_that_cannot_be_believed_are_missing(usage: Any) -> None:
    assert broken(json.dumps(reply(usage=usage)).encode()).cause == "usage_missing"


CUT = json.dumps(reply(message={"content": 'a "quoted" ä é \\ text'}), ensure_ascii=False).encode()
ERRORS = [
    pytest.param(b"Sorry, I am a proxy.", "not_json", MalformedError, id="prose"),
    pytest.param(b"<html>{}</html>", "not_json", MalformedError, id="error-page"),
    pytest.param(b"", "not_json", MalformedError, id="nothing"),
    pytest.param(b'data: {"id": 1}', "not_json", MalformedError, id="a-stream"),
    pytest.param(b'{"a": oops, "b": [1, 2, 3, 4, 5]}', "not_json", MalformedError, id="broken-in-the-middle"),
    pytest.param(b"[" * 100_000, "not_json", MalformedError, id="endless-nesting"),
    pytest.param(b'{"a": ' + b"9" * 5000 + b"}", "not_json", MalformedError, id="endless-number"),
    pytest.param(b"[1, 2]", "wrong_schema", MalformedError, id="a-list"),
    pytest.param(b"{}", "wrong_schema", MalformedError, id="no-field"),
    pytest.param(json.dumps(reply(choices="x")).encode(), "wrong_schema", MalformedError, id="choices-no-list"),
    pytest.param(json.dumps(reply(choices=None)).encode(), "wrong_schema", MalformedError, id="choices-null"),
    pytest.param(json.dumps(reply(choices=[{}])).encode(), "wrong_schema", MalformedError, id="no-message"),
    pytest.param(
        json.dumps(reply(message={"content": 7})).encode(), "wrong_schema", MalformedError, id="content-a-number"
    ),
    pytest.param(
        json.dumps(reply(message={"content": [1]})).encode(), "wrong_schema", MalformedError, id="content-of-numbers"
    ),
    pytest.param(
        json.dumps(reply(message={"tool_calls": [{}]})).encode(), "wrong_schema", MalformedError, id="tool-nameless"
    ),
    pytest.param(json.dumps(reply(choices=[])).encode(), "empty_choice", MalformedError, id="no-choice"),
    pytest.param(
        json.dumps(reply(message={"content": " \n"})).encode(), "empty_choice", MalformedError, id="blank-text"
    ),
    pytest.param(json.dumps(reply(message={"content": None})).encode(), "empty_choice", MalformedError, id="null-text"),
    pytest.param(json.dumps(reply(model=...)).encode(), "wrong_model", MalformedError, id="nameless-model"),
    pytest.param(
        json.dumps(reply(choice={"finish_reason": "content_filter"})).encode(), "filtered", RefusedError, id="filtered"
    ),
    pytest.param(
        json.dumps(reply(message={"content": None, "refusal": "I will not."})).encode(),
        "filtered",
        RefusedError,
        id="refusal",
    ),
    pytest.param(
        json.dumps(reply(choice={"finish_reason": "error"}, usage=None)).encode(),
        "error_in_reply",
        RetryableError,
        id="broke-off",
    ),
    pytest.param(
        json.dumps(reply(choice={"error": {"message": "upstream", "code": 502}})).encode(),
        "error_in_reply",
        RetryableError,
        id="error-in-choice",
    ),
    pytest.param(b'{"error": "all is lost"}', "error_in_reply", MalformedError, id="error-as-text"),
    pytest.param(
        b'{"error": {"message": "x", "type": "server_error"}}', "error_in_reply", MalformedError, id="error-of-no-kind"
    ),
    pytest.param(b'{"error": {"message": "x", "code": 502}}', "error_in_reply", RetryableError, id="error-502"),
    pytest.param(b'{"error": {"message": "x", "code": 404}}', "error_in_reply", RefusedError, id="error-404"),
    pytest.param(b'[{"error": {"message": "x", "code": "429"}}]', "rate_limited", RetryableError, id="error-in-list"),
    pytest.param(
        b'{"error": {"message": "x", "code": "rate_limit_exceeded"}}', "rate_limited", RetryableError, id="rate-limit"
    ),
    pytest.param(
        b'{"error": {"message": "x", "type": "overloaded_error"}}', "overloaded", RetryableError, id="overloaded"
    ),
    pytest.param(
        b'{"error": {"message": "x", "code": "insufficient_quota"}}', "no_credit", RefusedError, id="no-credit"
    ),
    pytest.param(
        b'{"error": {"message": "This model\'s maximum context length is 8 tokens"}}',
        "too_long",
        RefusedError,
        id="too-long",
    ),
    pytest.param(
        b'{"object": "error", "message": "x", "code": 40001}', "error_in_reply", MalformedError, id="bare-error"
    ),
    pytest.param(
        b'{"code": "rate_limit_daily", "message": "later"}', "rate_limited", RetryableError, id="bare-rate-limit"
    ),
]


@pytest.mark.parametrize(("raw", "cause", "kind"), ERRORS)
def test_every_reply_that_is_none_has_its_cause(raw: bytes, cause: str, kind: type[CallError]) -> None:
    error = broken(raw)
    assert error.cause == cause
    assert type(error) is kind
    assert "model `m` at 127.0.0.1:1" in str(error)


@given(st.integers(1, len(CUT) - 1))
def test_a_reply_cut_anywhere_is_a_cut_reply(at: int) -> None:
    assert broken(CUT[:at]).cause == "truncated_json"


def test_a_cut_reply_is_whole_when_it_is_not_cut() -> None:
    assert read_chat(SETTINGS, CUT).text == 'a "quoted" ä é \\ text'


SAME = [
    ("gpt-x", "gpt-x"),
    ("gpt-x", "gpt-x-2024-08-06"),
    ("gpt-x", "GPT-X-0613"),
    ("gpt-x", "openai/gpt-x"),
    ("openai/gpt-x", "gpt-x-2024-08-06"),
    ("models/gemini-9", "gemini-9-001"),
    ("claude-sonnet-4", "claude-sonnet-4-20250514"),
    ("claude-sonnet-4", "claude-sonnet-4-20250514-v1:0"),
    ("mistral-large-latest", "mistral-large-2411"),
    ("deepseek-chat", "deepseek-chat-v3-0324"),
    ("llama9", "llama9:latest"),
]
OTHER = [
    ("gpt-x", "gpt-x-mini"),
    ("gpt-x", "gpt-x-mini-2024-08-06"),
    ("gpt-x-mini", "gpt-x"),
    ("gpt-4", "gpt-4-32k"),
    ("gpt-4", "gpt-4.1"),
    ("claude-sonnet-4", "claude-sonnet-4-5"),
    ("claude-sonnet-4", "claude-sonnet-4-5-20250929"),
    ("llama-9", "llama-9-70b"),
    ("a/model", "b/model"),
    ("gpt-x-2024-08-06", "gpt-x-2024-05-13"),
    ("gpt-x", ""),
]


@pytest.mark.parametrize(("asked", "told"), SAME)
def test_a_dated_version_or_a_provider_in_front_is_the_same_model(asked: str, told: str) -> None:
    assert read(ModelSettings(model=asked), model=told).model == told


@pytest.mark.parametrize(("asked", "told"), OTHER)
def test_another_model_is_another_model(asked: str, told: str) -> None:
    error = broken(json.dumps(reply(model=told)).encode(), ModelSettings(model=asked))
    assert error.cause == "wrong_model"
    assert "answers_as" in str(error)


def test_a_name_that_was_announced_is_accepted() -> None:
    settings = ModelSettings(model="my-deployment", base_url="http://h/v1", answers_as=("gpt-x-2024-08-06",))
    assert read(settings, model="gpt-x-2024-08-06").text == "yes"


def test_a_key_that_a_server_repeats_is_masked_in_the_message() -> None:
    error = broken(b'{"error": "Wrong key: sk-abcdefghijklmnop, or Bearer abc.def"}')
    assert "abcdefgh" not in str(error)
    assert "abc.def" not in str(error)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(["m", "stop"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["choices", "message", "content", "error", "code", "type", "tool_calls", "function", "name", "usage"]
            )
            | st.text(max_size=5),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


def outcome(raw: bytes) -> ChatReply | CallError:
    """Any other error goes through, and fails the test."""
    try:
        return read_chat(SETTINGS, raw)
    except CallError as error:
        return error


def holds(raw: bytes) -> None:
    """A reply that can be used, or an error with a cause; nothing else."""
    got = outcome(raw)
    if isinstance(got, CallError):
        assert got.cause
        assert str(got)
    else:
        assert kept_chat(SETTINGS, raw, got.usage) == got
        assert got.text.strip() or got.calls or got.finish == "length"
        assert got.usage is not None
        assert got.text.encode().decode() == got.text


@given(st.binary(max_size=200))
def test_any_bytes_are_a_reply_or_a_named_error(raw: bytes) -> None:
    holds(raw)


@given(VALUES)
def test_any_json_is_a_reply_or_a_named_error(value: Any) -> None:
    holds(json.dumps(value).encode())


@given(
    st.sampled_from(["choices", "model", "usage", "error"])
    | st.sampled_from(["message", "finish_reason"])
    | st.sampled_from(["content", "tool_calls", "refusal"]),
    VALUES,
)
def test_a_sound_reply_with_one_field_gone_wrong_is_a_reply_or_a_named_error(name: str, value: Any) -> None:
    whole = reply()
    choice = whole["choices"][0]
    place = whole if name in {"choices", "model", "usage", "error"} else choice
    (choice["message"] if name in {"content", "tool_calls", "refusal"} else place)[name] = value
    holds(json.dumps(whole).encode())


@given(st.text(min_size=1).filter(str.strip), st.integers(0, 10**9), st.integers(0, 10**9))
def test_any_text_and_any_counts_come_through_unchanged(text: str, sent: int, said: int) -> None:
    usage = {"prompt_tokens": sent, "completion_tokens": said, "total_tokens": sent + said}
    got = read(message={"content": text}, usage=usage)
    assert (got.text, got.usage) == (text, Usage(input=sent, output=said))
    raw = json.dumps(reply(message={"content": text}, usage=usage)).encode()
    assert kept_chat(SETTINGS, raw, got.usage) == got


def test_a_kept_reply_of_another_model_is_refused_as_a_new_one_is() -> None:
    raw = json.dumps(reply(model="other")).encode()
    announced = ModelSettings(model="m", answers_as=("other",), usage="optional")
    assert kept_chat(announced, raw, None).model == "other"
    with pytest.raises(MalformedError, match="answers_as"):
        kept_chat(SETTINGS, raw, Usage(input=1, output=1))
    with pytest.raises(MalformedError, match="no token counts"):
        kept_chat(SETTINGS, json.dumps(reply()).encode(), None)
