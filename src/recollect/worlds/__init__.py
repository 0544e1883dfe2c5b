"""The kit of all generators of histories: what they share, so that a benchmark brings its rules and its texts alone.

Start at `driver`: a generator is a `Generator` of four functions (plan, tell, assemble, check), and `Draws` hands out
its randomness. `sizes` names how much is made and reads knobs; `catalogues` reads texts from the data package
`recollect-catalogues`; `patterns` and `dealing` draw wordings.

Nothing here knows a benchmark, a model or a memory. Whatever is drawn comes from a `random.Random` that is handed in,
and the order of draws is part of what a seed means: to change it changes the data of every published seed.
"""
