"""Verbs for data: `generate`, `build`, `fetch`, `check-data`, `sheets`.

Start at `check_data`, which also prints what the others wrote.
"""
