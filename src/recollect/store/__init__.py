"""The run folder: journals, locks, measures, snapshots. Nothing acknowledged is lost, nothing half-written is read.

Start at `run_folder` for the layout, then `journal`. All writing goes through `files`; the names of files and the
order of syncing are what resuming relies on.
"""
