"""Every call to a model: client, cache, limits, ledger, prices, back-ends.

Start at `client`: every model call of a run passes through it. `endpoints` wraps it as the chat models and
embedders of `contracts`. `secrets` is the only reader of keys. What enters a cache key (`settings`, `job`) must not
change.
"""
