"""What a run will call, read, write and cost, before it starts; no model is asked.

Start at `run.estimate_run`. `contexts` bounds the length of the contexts that readers will get.
"""
