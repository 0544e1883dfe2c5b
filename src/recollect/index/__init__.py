"""Sparse and dense indexes, used by several memories; they know rows and scores, never messages.

Start at `sparse` or `dense`; `fusion` combines their rankings. The analyser and the number of digits of a score are
part of results: change them only under a new name.
"""
