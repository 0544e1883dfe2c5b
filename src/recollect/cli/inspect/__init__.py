"""Verbs that only read: `list`, `show`, `cite`, `score`, `diagnose`, `report`, `compare`, `ranks`, `export`.

Start at `reports`; `headline`, `states` and `diagnosis` lay out its tables.
"""
