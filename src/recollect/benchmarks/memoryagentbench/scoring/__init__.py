"""Measures of one reply, by family; loaded when something is scored."""
