"""What came of runs, from their records alone: tables, comparison, verification, exports, and what there is to run.

Start at `findings`. `wording` holds the values and words that a terminal prints; nothing here calls a model.
"""
