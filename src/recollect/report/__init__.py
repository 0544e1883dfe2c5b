"""Shows what `diagnose` found: one HTML page, with CSV beside it. All text of a run is data."""
