"""The seams: what a memory, an agent, a reader, a judge, a user and a benchmark must offer. Read these first.

Start at `memory`, `agent`, `reading` and `benchmark`. Everything here is public: plug-ins import it, so a change is
announced in the changelog. `call_context` says what a model call is made for, `verdicts` names the parts that a
judge reports.
"""
