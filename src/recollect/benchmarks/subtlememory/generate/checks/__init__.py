"""What every session, case and question must keep, whoever wrote it; each breach is named by its rule.

What the procedural generator makes and what a model writes go through the same checks.
"""
