"""What slows a call down or stops it: concurrency, retries, the budget, dead endpoints.

Start at `gate`, which learns from refusals how many calls an endpoint takes. `retry` decides whether and when to
try again.
"""
