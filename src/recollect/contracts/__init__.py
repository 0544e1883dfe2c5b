"""The seams: what a memory, an agent, a reader, a judge, a user and a benchmark must offer. Read these first."""
