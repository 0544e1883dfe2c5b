"""Intervals, tests and agreement: pure functions of arrays, numpy only, every formula with its source."""
