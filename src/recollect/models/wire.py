"""OpenAI's protocol for chat and embeddings: what is sent, and what to make of what comes back."""

from __future__ import annotations

from recollect.models.wire_chat import chat_body, kept_chat, read_chat
from recollect.models.wire_usage import usage_of
from recollect.models.wire_vectors import embed_body, read_vectors

__all__ = ["chat_body", "embed_body", "kept_chat", "read_chat", "read_vectors", "usage_of"]
