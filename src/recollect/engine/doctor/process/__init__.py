"""Opens a memory in a process of its own and reports what it does to the machine.

`runner` starts the process and serves its model calls, `child` runs in it. `clock`, `guard` and `worker_monitor`
are also loaded by their path into Python workers, where Recollect is not installed: they must stay in one folder,
import the standard library only, and run in Python 3.9.
"""
