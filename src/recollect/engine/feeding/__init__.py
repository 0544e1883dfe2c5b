"""How messages reach a system: grouped into writes, worded, and tracked by id.

Start at `feeder`. `wording` words messages and contexts for every system and for the oracle alike; changing it
changes every answer. `visibility` knows which messages of the history stand in what a system has seen.
"""
