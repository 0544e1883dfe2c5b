"""What several memories keep their messages in: a log on disk, and dense and sparse indexes of it.

Start at `message_log`. The indexes import numpy and tantivy; import them inside the function that opens a memory.
"""
