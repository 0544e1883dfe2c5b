"""Examines a memory: does it do what its traits say, and does it leave everything else alone?

Start at `checks.table`, the list of all checks; `examination.examine` runs them on a `bench.Bench` and makes the
card. `cards` stores cards. Everything below `process` runs in, or starts, a process of its own. Bump `VERSION` when
a check may give another result for the same system.
"""

VERSION = 1
"""Of the checks; bump when one may say something else of the same system."""
