"""OpenAI's protocol for chat and embeddings: what is sent, and how a reply or an error is read.

Start at `chat`; `endpoints` and the gateway use it. The bytes of a request are part of the cache key and must not
change.
"""
