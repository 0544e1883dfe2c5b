"""Runs from config to result: what the command line, the environment and the Python API share.

`setup` makes a run of its config: `setup.assembly` is where all registries meet, `setup.models` says who plays which
role, `setup.calls` what that may cost. `start` starts, resumes and merges; `ablation` varies a setting; `estimate` says
what a run would cost. `results` reads finished runs, `data` makes and checks what they run on, `trust` examines
memories and judges. `api` is the public face in Python.

Start at `start.start`. Errors are those of `recollect.domain.errors`; nothing here prints but `progress`.
"""
