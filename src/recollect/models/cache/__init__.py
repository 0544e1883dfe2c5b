"""Replies are stored once, so that nothing is paid for twice.

Start at `calls.CallCache`. `writer` is the only thread that writes, `exchange` and `merge` move entries between
machines. The tables in `database` and the form in `entries` are read by earlier caches: change them only with a new
schema number.
"""
