"""The values that everything else is made of; standard library only.

Start at `messages`, `histories` and `questions`. The names of fields are JSON keys and parts of digests: do not
rename them. `errors` holds every error as one tree; the names of its classes are stored in fault records.
"""
