"""What `diagnose` makes of a run and `report` shows, as values.

Start at `summary`. These are written to `report.json`: field names are JSON keys. No table is part of a run's
journals.
"""
