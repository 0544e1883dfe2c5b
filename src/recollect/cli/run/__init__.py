"""Verbs that start and control runs: `run`, `ablate`, `demo`, `resume`, `status`, `merge`, `install`, `gateway`.

Start at `launch`; `closing` prints the end of a run.
"""
