"""Models that need no key and no network."""
