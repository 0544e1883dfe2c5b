"""What a run is made of: config, data, rows, models and folder, put together by `assembly`.

Start at `assembly.assemble`. All that can change a number is in `config.RunConfig`, which names the run; `axes` and
`values` are the settings that an ablation varies.
"""
