"""Verbs that start and steer runs: `run`, `ablate`, `demo`, `resume`, `status`, `merge`, `install`, `gateway`.

Start at `launch`; `closing` prints what a run ends with.
"""
