"""What no general rule finds in a prompt: a mark that only one system's prompts have, and the reply that it needs.

The one table of its kind. Before a line is added here, ask whether a rule could have seen it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from recollect.gateway.offline.material import Material

MARKERS: Mapping[str, Callable[[Material], str]] = {}
"""A text in a prompt -> the reply, of what the prompt wants read. For replies in prose; tools and JSON need none."""
