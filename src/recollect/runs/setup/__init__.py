"""The pieces of a run: config, data, rows, models and folder, assembled by `assembly`.

Start at `assembly.assemble`. Everything that can change a result is in `config.RunConfig`, which names the run; `axes`
and `values` are the settings that an ablation varies.
"""
