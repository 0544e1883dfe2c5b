"""Verbs that check results, memories and judges: `verify`, `why`, `doctor`, `judge check`, `factual-recall`, `cache`.

Start at `verify`.
"""
