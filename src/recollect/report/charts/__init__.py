"""The charts: inline SVG without anything to load.

Start at `bars`. Every text and attribute goes through `svg`, which escapes it.
"""
