"""Data made by models: the one runner of generation steps, and what they are built of."""
