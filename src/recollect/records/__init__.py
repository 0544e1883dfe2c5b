"""Values as JSON lines: digests, codec, schema numbers and upgrades.

Start at `kinds`: one dataclass per kind of record. `digests` makes every key and `lines` every journal line; a
change to either changes what earlier runs are read as. Field names are JSON keys.
"""
