"""One open system under test: its driver, the validation of what it returns, and the owner of its model calls.

Start at `driver`, the one interface to memories and agents. `validation` refuses missing methods and malformed
values; `call_context` says which record a model call belongs to.
"""
