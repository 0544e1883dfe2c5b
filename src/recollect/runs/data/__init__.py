"""Data to run on: generated, made by a model, rebuilt, fetched, checked, and rated by people.

Start at `datasets`. `making` has a model make data, `sheets` draws label sheets, `fetch` downloads published files.
"""
