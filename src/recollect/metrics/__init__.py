"""Measures of answers and of retrieval: pure functions, `None` where a measure is undefined.

Start at `text_match` and `retrieval`. Each measure cites its source and is tested against the reference
implementation; `parsing` extracts the answer from a reply, strictly or leniently.
"""
