"""Tokens, sentences, chunks, dates, numbers and normalisation: pure, bundled, offline; the standard library only.

Start at `normal` for matching and `tokens` for counting. Tokens, sentences and chunks are named in results
(`NAME`): a change of what they return needs a new name.
"""
