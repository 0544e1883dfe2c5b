"""Values as JSON: digests, codec, schema numbers and upgrades."""
