"""Models by way of litellm, which reaches many providers; its retries, caches, callbacks and telemetry are off."""

from __future__ import annotations

import json
import os
from typing import Any

from recollect.models.backends.secrets import given_headers, given_key
from recollect.models.settings import OPENAI, ModelSettings

_ENVIRONMENT = {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_MODE": "PRODUCTION"}
"""Set before it is imported, where the user has not: no price list is fetched, and no `.env` file is read."""
_NO_MCP = {"_skip_mcp_handler": True}
"""Up to 1.107 it looks for tools of its own gateway in every call with tools, and fails where `mcp` is missing."""
_NOT_PASSED = frozenset({"stream"})


class LiteLLMModel:
    """One model behind litellm."""

    def __init__(self, settings: ModelSettings) -> None:
        self._settings = settings
        self._litellm = _imported()

    async def ask(self, body: bytes) -> bytes:
        """The reply, in OpenAI's shape as litellm writes it; token counts that it made up are left out."""
        asked = {name: value for name, value in json.loads(body).items() if name not in _NOT_PASSED}
        if "input" in asked:
            reply = await self._litellm.aembedding(**(asked | self._how()))
        else:
            reply = await self._litellm.acompletion(**(asked | self._how() | _NO_MCP))
        return json.dumps(_told(reply.model_dump(mode="json", warnings=False))).encode()

    async def close(self) -> None:
        """Let go of its connections, and of those that are closed."""
        await self._litellm.close_litellm_async_clients()
        self._litellm.in_memory_llm_clients_cache.flush_cache()

    def _how(self) -> dict[str, Any]:
        settings = self._settings
        how: dict[str, Any] = {
            "timeout": settings.timeout_s,
            "max_retries": 0,
            "num_retries": 0,
            "caching": False,
            "drop_params": False,
        }
        given = {
            "api_base": None if settings.base_url == OPENAI else settings.base_url,
            "api_key": given_key(settings),
            "extra_headers": given_headers(settings) or None,
        }
        return how | {name: value for name, value in given.items() if value is not None}


def _imported() -> Any:
    for name, value in _ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    import litellm

    litellm.telemetry = False
    litellm.suppress_debug_info = True
    litellm.cache = None
    for hooks in ("callbacks", "input_callback", "success_callback", "failure_callback"):
        setattr(litellm, hooks, [])
    return litellm


def _told(reply: dict[str, Any]) -> dict[str, Any]:
    """Where the provider tells no counts, litellm writes zeros: no prompt has no token."""
    usage = reply.get("usage")
    if isinstance(usage, dict) and not usage.get("prompt_tokens") and not usage.get("total_tokens"):
        return {name: value for name, value in reply.items() if name != "usage"}
    return reply
