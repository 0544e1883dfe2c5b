"""Third-party systems: a requirements file and an adapter each, and `kinds`, which says how each is fed and started.

No adapter is ever imported here: each runs in its system's own Python, where `shared/adapter_support.py` is its
only help. A change in an adapter's files changes the keys of its records.
"""
