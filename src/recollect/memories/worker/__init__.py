"""Memories in a process of their own, in another environment, or behind HTTP.

Start at `memory`; docs/worker_protocol.md describes what travels. `child/recollect_worker.py` and
`child/installed_versions.py` are run by their path in the worker's own Python: standard library only, Python 3.9,
no package file beside them.
"""
