"""Third-party systems: an adapter, a requirement file and a kind each. None of them is ever imported here."""
