"""Tokens, sentences, chunks, dates and normalisation: pure, bundled, offline; the standard library only."""
