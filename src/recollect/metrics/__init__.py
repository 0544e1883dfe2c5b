"""Measures of answers and of retrieval: pure functions, `None` where a measure is undefined."""
