"""Weighs replies against keys: by rules, offline, with a reason code for every verdict."""
