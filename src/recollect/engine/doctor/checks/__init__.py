"""The checks, one module for each subject; `table` lists them all in the order of the card.

`findings` holds what a check returns and the questions that several checks ask. The texts of `table` are printed on
cards.
"""
