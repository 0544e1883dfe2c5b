"""Parses the bytes of a reply as a JSON object, and checks which model answered."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from urllib.parse import urlsplit

from recollect.domain.errors import MalformedError
from recollect.models.settings import ModelSettings

Json = dict[str, object]

_SHOWN = 160
_CUT_WITHIN = 6
"""A cut literal or escape is at most this long."""
_SECRET = re.compile(r"(?i)\bbearer\s+\S+|\b[a-z]{2,4}[-_][\w-]{12,}")


def label_of(settings: ModelSettings) -> str:
    """The model and its host, at the start of an error message."""
    if settings.via != "openai":
        return f"model `{settings.model}` through {settings.via}"
    return f"model `{settings.model}` at {urlsplit(settings.base_url).netloc}"


def shown(text: str | bytes) -> str:
    """The beginning of *text*, on one line; what looks like a key is masked."""
    known = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    line = " ".join(_SECRET.sub("***", known[: 4 * _SHOWN]).split())
    printable = "".join(sign if sign.isprintable() else "?" for sign in line)
    return f"{printable[:_SHOWN]}…" if len(printable) > _SHOWN or len(known) > 4 * _SHOWN else printable


def parse_object(place: str, raw: bytes) -> Json:
    """The reply as a JSON object.

    Raises:
        MalformedError: It is prose or an error page (`not_json`), was cut off (`truncated_json`), or is JSON of another
            kind (`wrong_schema`).
    """
    try:
        value = json.loads(raw.decode())
    except UnicodeDecodeError as error:
        cut = raw.lstrip()[:1] in {b"{", b"["} and error.end >= len(raw)
        raise _no_json(place, raw, cut=cut) from None
    except json.JSONDecodeError as error:
        text = error.doc.strip()
        at_end = error.msg.startswith("Unterminated string") or error.pos >= len(error.doc.rstrip()) - _CUT_WITHIN
        raise _no_json(place, raw, cut=text.startswith(("{", "[")) and at_end) from None
    except (ValueError, RecursionError):
        raise _no_json(place, raw, cut=False) from None
    if isinstance(value, list) and value and isinstance(value[0], dict) and "error" in value[0]:
        value = value[0]
    if not isinstance(value, dict):
        raise wrong_schema(place, f"it is a JSON {type(value).__name__}, not an object")
    return value


def wrong_schema(place: str, problem: str) -> MalformedError:
    """The error for a reply whose fields are not those of the protocol."""
    text = f"{place}: the reply does not follow the protocol: {problem}. Check that `base_url` speaks OpenAI's."
    return MalformedError(text, cause="wrong_schema")


def clean(text: str) -> str:
    """*text* without half surrogates, which JSON can spell and no file can hold."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _no_json(place: str, raw: bytes, *, cut: bool) -> MalformedError:
    if cut:
        problem = f"{place}: the reply ends in the middle of its JSON, after {len(raw)} bytes. A proxy may have cut it."
        return MalformedError(problem, cause="truncated_json")
    start = f"it begins `{shown(raw)}`" if raw.strip() else "it is empty"
    problem = f"{place}: the reply is not JSON: {start}. Check `base_url`, and what stands between."
    return MalformedError(problem, cause="not_json")


_DATE_OR_VERSION = r"(\d{4}-\d{2}(-\d{2})?|\d{3,8}|v\d+([.:]\d+)*|latest|preview)"
_SUFFIX = re.compile(rf"([-@:]{_DATE_OR_VERSION})+", re.IGNORECASE)
_FLOATING = ("-latest", ":latest")


@lru_cache(maxsize=1024)
def is_asked(asked: str, reported: str) -> bool:
    """*reported* is *asked*, or a dated or numbered version of it; a provider's prefix on one of them does not matter.

    A single digit is no version here: `m-4-5` is not `m-4`, as little as `m-mini` is `m`.
    """
    asked, reported = asked.casefold(), reported.casefold()
    for floating in _FLOATING:
        asked = asked.removesuffix(floating)
    depth = min(asked.count("/"), reported.count("/")) + 1
    cut = ("/".join(name.split("/")[-depth:]) for name in (asked, reported))
    for want, got in ((asked, reported), tuple(cut)):
        if want and got.startswith(want) and (got == want or _SUFFIX.fullmatch(got, len(want))):
            return True
    return False


def check_model(settings: ModelSettings, reported: object) -> str:
    """The name that a reply gives as its model.

    Raises:
        MalformedError: It is neither the one asked for, nor listed under `answers_as`.
    """
    name = reported if isinstance(reported, str) else ""
    if is_asked(settings.model, name) or name in settings.answers_as:
        return name
    problem = f"`{shown(name)}` answered" if name else "the reply does not say which model answered"
    advice = f"If that is the model you mean, list `{shown(name)}` under `answers_as`."
    raise MalformedError(f"{label_of(settings)}: {problem}. {advice}", cause="wrong_model")
