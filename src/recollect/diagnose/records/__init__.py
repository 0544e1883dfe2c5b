"""Reads the records of a run: every planned cell with what became of it.

Start at `join.read_run`. `plan` lists what was planned, `trials` reads the journals, `outcomes` decides between
fault, gap and wrong answer. Nothing below `diagnose` reads journals elsewhere.
"""
