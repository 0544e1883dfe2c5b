"""What a run took: tokens, money and time, by role, row, question and history.

Start at `totals`. Everything is added up from the ledger's single lines; nothing is averaged before it is added.
"""
