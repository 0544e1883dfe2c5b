"""What stands in for a model without key and network: reader, chat, extractor, embedder, completions, judge.

Start at the part you need: `reading` answers questions, `chat` replies in conversations, `extractor` and `slots`
find facts, `embedder` runs MiniLM on numpy, `completions` answers the prompts of third-party systems, `judge`
grades answers. Each has a `VERSION` or a name that is part of record keys: raise it when results change. Nothing
here imports a model client.
"""
