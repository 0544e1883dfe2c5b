"""Detects a memory that is silently broken, before its results look like those of a bad memory.

Start at `checks`; it runs at each Ask. No check costs a model call, and none may fault a system where nothing can
be proven.
"""
