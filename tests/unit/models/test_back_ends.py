"""What packages raise becomes errors with causes, and no key comes out of them; nothing here needs a package."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

import pytest

from recollect.domain.errors import MalformedError, RefusedError, RetryableError
from recollect.models.backends.errors import UNKNOWN, error_of
from recollect.models.backends.secrets import masked
from recollect.models.settings import ModelSettings

SETTINGS = ModelSettings(model="someone/m", via="litellm")


@dataclass
class Response:
    """Of an HTTP client."""

    status_code: int
    headers: dict[str, str] = field(default_factory=dict)


class StatusError(Exception):
    """As SDKs raise it: with status, response and body."""

    def __init__(self, status: int, body: object = None, **headers: str) -> None:
        super().__init__(f"status {status}")
        self.status_code, self.body = status, body
        self.response = Response(status, {name.replace("_", "-"): value for name, value in headers.items()})


def wrapper(name: str, status: int | None = None, text: str = "wrapped", module: str = "litellm.exceptions") -> type:
    """An error class of a package that wraps those of others."""

    def say(self: Exception) -> str:
        return text

    made = type(name, (Exception,), {"status_code": status, "__str__": say})
    made.__module__ = module
    return made


def raised(outer: BaseException, *inner: BaseException) -> BaseException:
    """*outer*, made of the others, the innermost last."""
    chain = [outer, *inner]
    for one, cause in zip(chain, inner, strict=False):
        one.__cause__ = cause
    return outer


def test_the_servers_own_status_and_words_count_and_not_the_wrappers() -> None:
    """A wrapper that says 500 does not hide that the server said 429, and how long to wait."""
    body = {"message": "slow down", "code": "rate_limit_exceeded"}
    error = error_of(SETTINGS, raised(wrapper("InternalServerError", 500)(), StatusError(429, body, retry_after="7")))
    assert isinstance(error, RetryableError)
    assert (error.cause, error.retry_after) == ("rate_limited", 7.0)
    assert "slow down" in str(error)


@pytest.mark.parametrize(
    ("name", "kind", "cause"),
    [
        ("ReadTimeout", RetryableError, "timeout"),
        ("ConnectError", RetryableError, "connection_refused"),
        ("ClientConnectorError", RetryableError, "connection_refused"),
        ("ConnectTimeout", RetryableError, "connection_refused"),
        ("RemoteProtocolError", RetryableError, "connection_closed"),
        ("ServerDisconnectedError", RetryableError, "connection_closed"),
        ("SomethingElse", MalformedError, UNKNOWN),
    ],
)
def test_the_kind_of_an_error_tells_where_no_server_answered(name: str, kind: type[Exception], cause: str) -> None:
    """By the name of the class: those of four HTTP clients are of no common kind."""
    error = error_of(SETTINGS, wrapper(name, module="httpx")())
    assert isinstance(error, kind)
    assert error.cause == cause


def test_a_package_that_connects_is_not_taken_for_a_closed_connection() -> None:
    """One of them calls every error that it does not know an error of the connection."""
    error = error_of(SETTINGS, raised(wrapper("APIConnectionError", 500, text="No such thing")(), KeyError("x")))
    assert isinstance(error, MalformedError)


@pytest.mark.parametrize(
    ("name", "cause"), [("ContextWindowExceededError", "too_long"), ("ContentPolicyViolationError", "filtered")]
)
def test_what_only_the_class_says_is_understood(name: str, cause: str) -> None:
    """The server's words were lost on the way."""
    error = error_of(SETTINGS, wrapper(name, 400)())
    assert isinstance(error, RefusedError)
    assert error.cause == cause


def test_a_reply_that_is_no_json_is_named() -> None:
    """Whatever status the package makes up for it."""
    inner = json.JSONDecodeError("Expecting value", "<html>", 0)
    assert error_of(SETTINGS, raised(wrapper("InternalServerError", 500)(), inner)).cause == "not_json"


def test_a_retrier_that_was_told_to_try_once_is_looked_through() -> None:
    """What it wraps is told by an attempt, and not as a cause."""

    class Attempt:
        def exception(self) -> Exception:
            return StatusError(503, {"message": "overloaded", "type": "overloaded_error"})

    outer = wrapper("RetryError", module="tenacity")()
    outer.last_attempt = Attempt()
    assert error_of(SETTINGS, outer).cause == "overloaded"


def test_no_key_is_in_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers say them back, also in the words of the package and escaped as JSON."""
    monkeypatch.setenv("SOMEONE_API_KEY", "abc/def-0123456789")
    bodies = ({"message": "bad key abc/def-0123456789"}, None)
    for body in bodies:
        error = error_of(SETTINGS, raised(StatusError(401, body), ValueError("abc/def-0123456789")))
        assert "0123456789" not in str(error)
        assert error.cause == "not_allowed"
    told = wrapper("APIError", text="Authorization: abc/def-0123456789")()
    assert "0123456789" not in str(error_of(SETTINGS, told))


def test_masking_leaves_short_words_and_paths_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable whose name sounds like a key may hold a word that a model has every right to say."""
    monkeypatch.setenv("TOKENIZERS_PARALLELISM", "false")
    monkeypatch.setenv("DEFAULT_TOKEN", "cat")
    monkeypatch.setenv("GREETING_SECRET", "good morning to you")
    monkeypatch.setenv("OTHER_API_KEY", "k-0123456789abcdef")
    said = b'{"text": "false cat, good morning to you: k-0123456789abcdef"}'
    assert masked(SETTINGS, said) == b'{"text": "false cat, good morning to you: ***"}'


def test_keys_that_the_settings_name_are_masked_whatever_they_are_called(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short ones too."""
    monkeypatch.setenv("MINE", "abcdef")
    monkeypatch.setenv("TENANT", "Bearer xyzxyz")
    named = ModelSettings(model="m", via="inspect", key_env="MINE", headers={"X-Tenant": "TENANT"})
    assert masked(named, b"abcdef and xyzxyz") == b"*** and ***"
