"""The values that everything else speaks of; standard library only."""
