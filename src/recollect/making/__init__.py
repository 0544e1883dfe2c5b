"""Data made by models: the runner of generation steps, and label sheets for people.

Start at `steps` (what a pipeline is), then `run`. `repair` calls the model, checks the reply and requests a correction;
everything is journalled, so no call is made twice. Prompt files are locked by digest.
"""
