"""Data to run on: generated, made by a model, rebuilt, fetched, checked, and handed to people to judge.

Start at `datasets`. `making` has a model make data, `sheets` lays items out for people, `fetch` gets published files.
"""
