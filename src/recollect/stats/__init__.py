"""Intervals, tests and agreement: pure functions of arrays, numpy only, every formula with its source.

Start at `clusters`: the mean of scores clustered by history, which every headline uses. Seeds and the order of
random draws are part of the results: `bootstrap` is the only module that draws.
"""
