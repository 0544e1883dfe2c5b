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


class LiteLLMModel:
    """One model behind litellm."""

    def __init__(self, settings: ModelSettings) -> None:
        for name, value in _ENVIRONMENT.items():
            os.environ.setdefault(name, value)
        import litellm

        litellm.telemetry = False
        litellm.suppress_debug_info = True
        litellm.cache = None
        for hooks in ("callbacks", "input_callback", "success_callback", "failure_callback"):
            setattr(litellm, hooks, [])
        self._settings, self._litellm = settings, litellm

    async def ask(self, body: bytes) -> bytes:
        """The reply, in OpenAI's shape as litellm writes it, without made-up token counts."""
        request = json.loads(body)
        request.pop("stream", None)
        if "input" in request:
            response = await self._litellm.aembedding(**(request | self._options()))
        else:
            response = await self._litellm.acompletion(**(request | self._options() | _NO_MCP))
        reply = response.model_dump(mode="json", warnings=False)
        usage = reply.get("usage")
        if isinstance(usage, dict) and not usage.get("prompt_tokens") and not usage.get("total_tokens"):
            del reply["usage"]  # litellm writes zeros where the provider reports no counts
        return json.dumps(reply).encode()

    async def close(self) -> None:
        """Close its connections."""
        await self._litellm.close_litellm_async_clients()
        self._litellm.in_memory_llm_clients_cache.flush_cache()

    def _options(self) -> dict[str, Any]:
        settings = self._settings
        options: dict[str, Any] = {
            "timeout": settings.timeout_s,
            "max_retries": 0,
            "num_retries": 0,
            "caching": False,
            "drop_params": False,
            "api_base": None if settings.base_url == OPENAI else settings.base_url,
            "api_key": given_key(settings),
            "extra_headers": given_headers(settings) or None,
        }
        return {name: value for name, value in options.items() if value is not None}
