"""Examines a memory: does it do what its traits say, and does it leave everything else alone?"""

VERSION = 1
"""Of the checks; bump when one may say something else of the same system."""
