"""A finished run in the formats of others: made from records alone, free, and never part of what a run is."""
