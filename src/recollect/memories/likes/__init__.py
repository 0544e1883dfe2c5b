"""Re-implementations of published ideas, as small as they can be and still teach them.

Each is named after the system whose idea it follows with `-like` behind, since it is not that system: its numbers are
of this code. What differs stands in `docs/likes.md`.
"""
