"""OpenAI's protocol for chat and embeddings: what is sent, and how a reply or an error is read.

Start at `chat`. What this package exports is what `endpoints` and the gateway use; the bytes of a request are part
of the cache key and must not change.
"""

from __future__ import annotations

from recollect.models.wire.chat import chat_body, kept_chat, read_chat
from recollect.models.wire.embeddings import embed_body, read_vectors
from recollect.models.wire.usage import usage_of

__all__ = ["chat_body", "embed_body", "kept_chat", "read_chat", "read_vectors", "usage_of"]
