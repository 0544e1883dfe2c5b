"""Numbered facts: looked up, related to each other, and followed from entity to entity.

Start at `pool` for one fact and `chains` for several. `relations` splits a fact into its two arguments and the
relation between them; `graph` joins facts into a graph of entities.
"""
