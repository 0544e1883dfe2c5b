"""Re-implementations of published ideas, as small as they can be and still teach them.

Start at `raptor`, `graph`, `ppr` or `self_rag`, one for each idea; the other modules are their parts. What imports
numpy is imported when a memory is opened. Released prompts in `prompts` are never edited.
"""
