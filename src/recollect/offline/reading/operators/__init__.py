"""How each kind of question is answered: one operator per module, called from the table in `reader`.

An operator takes the page and the question and returns the answer, or `None` where nothing is found. Operators may
use one another but not `reader`.
"""
