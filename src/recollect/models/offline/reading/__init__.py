"""The rule-based reader: one operator a module, one table, every word in `lexicon`."""

from recollect.models.offline.reading.reader import RuleReader

__all__ = ["RuleReader"]
