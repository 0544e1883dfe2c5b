"""The run folder: journals, locks, snapshots. Nothing acknowledged is lost, nothing half-written is read."""
