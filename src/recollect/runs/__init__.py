"""Runs from config to result: what the command line, the environment and the Python API share.

`setup` builds a run from its config: `setup.assembly` puts it together, `setup.models` picks the model of each role,
`setup.calls` limits and records what the models cost. `start` starts, resumes and merges; `ablation` varies a setting;
`estimate` forecasts costs. `results` reads finished runs, `data` makes and checks data, `trust` examines memories and
judges. `api` is the public Python API.

Start at `start.start`. Errors are those of `recollect.domain.errors`; only `progress` prints.
"""
