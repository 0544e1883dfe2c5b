"""Token counts of a reply, in the one meaning of the ledger."""

from __future__ import annotations

from recollect.contracts.models import Usage
from recollect.domain.errors import MalformedError
from recollect.models.settings import ModelSettings
from recollect.models.wire.parsing import Json, label_of, parse_object

COUNTED = frozenset({"prompt_tokens", "completion_tokens", "total_tokens"})


def usage_of(raw: bytes) -> Usage | None:
    """The token counts of a reply, also of one that cannot be used: they were charged."""
    try:
        return usage_in(parse_object("", raw))
    except MalformedError:
        return None


def usage_in(reply: Json) -> Usage | None:
    """The token counts of a reply; `None` where it has none, or none that are plausible.

    Some providers leave thinking out of the output and count it in the total only: it was charged as output, and is
    output here.
    """
    usage = reply.get("usage")
    if not isinstance(usage, dict):
        return None
    total = _count(usage, "total_tokens") or 0
    sent = _count(usage, "prompt_tokens", "input_tokens")
    if sent is None and "data" in reply:  # an embedder that counts once
        sent = _count(usage, "total_tokens")
    if sent is None:
        return None
    visible = _count(usage, "completion_tokens", "output_tokens") or 0
    hidden = max(0, total - sent - visible)
    output = visible + hidden
    reasoning = _detail(usage, "completion_tokens_details", "output_tokens_details", name="reasoning_tokens")
    cached = _detail(usage, "prompt_tokens_details", "input_tokens_details", name="cached_tokens")
    cached = cached or _count(usage, "prompt_cache_hit_tokens") or 0
    return Usage(input=sent, output=output, cached=min(cached, sent), reasoning=min(max(reasoning, hidden), output))


def required_usage(settings: ModelSettings, usage: Usage | None) -> Usage | None:
    """The token counts of a reply.

    Raises:
        MalformedError: It has none, and the settings require them.
    """
    if usage is None and settings.usage == "required":
        problem = (
            f"{label_of(settings)}: the reply tells no token counts. Set `usage: optional` to have them estimated."
        )
        raise MalformedError(problem, cause="usage_missing")
    return usage


def _count(usage: Json, *names: str) -> int | None:
    for name in names:
        value = usage.get(name)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return value
    return None


def _detail(usage: Json, *groups: str, name: str) -> int:
    for group in groups:
        details = usage.get(group)
        if isinstance(details, dict):
            return _count(details, name) or 0
    return 0
