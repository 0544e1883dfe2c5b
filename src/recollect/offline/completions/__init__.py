"""Chat completions made by rules, for the prompts of third-party systems: text, tool calls and JSON.

Start at `service`. What is answered is made from the prompt alone and of no system in particular: a result with it
measures plumbing only. Raise `VERSION` in `service` when a reply changes.
"""

from recollect.offline.completions.service import OfflineChatting

__all__ = ["OfflineChatting"]
