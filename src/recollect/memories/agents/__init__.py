"""Agents that remember by a buffer: the newest messages stay in the talk, older ones go into a memory of some kind."""
