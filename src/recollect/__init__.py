"""Recollect measures what an agent's memory keeps, finds and uses."""

__version__ = "0.1.0"
