"""Dates in English text, and calendar arithmetic; no clock is read.

Start at `mentions.find_dates`. `calendars` has dates as values, `absolute`, `relative` and `phrases` recognise the
ways in which a date is written.
"""
