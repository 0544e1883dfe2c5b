"""How facts are told in sessions.

`claims` words what is told of invented entities, `briefs` deals out threads, lengths and voices over all cases of one
person, and `writer` orders and writes each session.
"""
