"""The built-in memories: one file each, with one module-level `KIND`, named in `registry`.

`bm25` is the shortest one to read. `storage` holds what several of them keep messages in, `agents` and `published`
agents and memories after published ideas, `vendors` third-party systems, `connectors` your own system by a YAML
file, `worker` the process that both run in. A KIND's version and config are part of every key.
"""
