"""Data made by models: the one runner of generation steps, and label sheets for people.

Start at `steps` (what a pipeline is), then `run`. `repair` asks, checks and asks again for what is wrong;
everything is journalled, so nothing is asked twice. Prompt files are locked by digest.
"""
