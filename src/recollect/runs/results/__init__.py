"""Results of runs, from their records alone: tables, comparison, verification, exports; and the catalogue.

Start at `findings`. `wording` re-exports the values and texts that the terminal prints; nothing here calls a model.
"""
