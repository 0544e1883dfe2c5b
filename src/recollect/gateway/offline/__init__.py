"""Chats answered by rules: tools and JSON filled by their schema, facts by the rule extractor."""

from recollect.gateway.offline.chatting import OfflineChatting

__all__ = ["OfflineChatting"]
