"""Runs trials: feed, ask, answer, judge, and resume from the records alone.

Start at `executor`. `states` brings a system to any step, `asking` puts the questions, `answering`
reads and judges. The sources of these modules are pinned to the stage numbers in `engine.keys`.
"""
