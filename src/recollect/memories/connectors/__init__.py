"""Your own system as a memory, described by a YAML file; and answers that were given elsewhere.

Start at `definition.kind_of`. docs/add_a_memory.md describes every field of the file; the names of its fields are
the users'.
"""
