"""Verbs that ask what may be believed: `verify`, `why`, `doctor`, `judge check`, `factual-recall`, `cache`.

Start at `verify`.
"""
