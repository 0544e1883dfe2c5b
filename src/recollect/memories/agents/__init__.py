"""Agents with a buffer: the newest messages stay in the dialogue, older ones go into a memory of some kind.

Start at `agent`, then one of the kinds: `native`, `rag`, `awe`, `awi`. `stores` is the seam between an agent and
what it writes to. Released prompts in `prompts` are never edited.
"""
