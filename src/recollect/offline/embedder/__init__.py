"""The embedder that needs no key, no network and no torch: MiniLM on numpy.

Start at `model.Embedder`. `weights` finds and checks the weights, `network` is the forward pass. Vectors are part of
record keys by `RUN_TIME`: an operation in another order changes the last digits.
"""
