"""What a run's records say: pure functions of the run folder and the benchmark's score, never of a model.

Start at `summary.summarise`, which ties everything together. `records` reads a run into cells, `grid` groups them,
and `estimates` turns values into estimates with intervals; each other module makes one table.
"""
