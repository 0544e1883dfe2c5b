"""Plans trials and runs them: the only package that calls memories and models. It knows steps, never benchmarks.

Start at `plan`: a trial, its stages and cells, with the keys of all their records (`keys`). `rows` holds what is
compared, `execution.trial` runs one trial, `records_writer` is the only writer of its journal, and `faults` is the
only place that turns an error of a system into a record. The number of a stage in `keys` is part of every key: when
the source of a stage changes, decide whether to bump it.
"""
