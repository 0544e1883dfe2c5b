"""The rule-based reader: one table of answer format and kind of question, one operator for each entry.

Start at `reader`, which holds the table. `question` reads what is asked, `pages` what
the context says, `evidence` which statements are about it; `operators` make the answer. Every word the rules know
is in `lexicon`, where a test compares it with the generators' catalogues.
"""

from recollect.offline.reading.reader import RuleReader

__all__ = ["RuleReader"]
