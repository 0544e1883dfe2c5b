"""A finished run in other formats: made from records alone, and never part of the run's identity.

Each format is a module with `write`; `material` gathers what they are made of, `folders` writes a folder whole or
not at all.
"""
