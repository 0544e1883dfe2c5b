"""Intervals, tests and agreement: pure functions of arrays, numpy only, every formula with its source.

Arguments are the same everywhere: *history* is the id of the history of each question, shape (questions,); *level* the
coverage, a ratio; *draws* the number of resamples; *rng_seed* (0 or above) the only source of randomness.

Start at `clusters`: the mean of scores clustered by history, which every headline uses. Seeds and the order of
random draws are part of the results: `bootstrap` is the only module that draws.
"""
