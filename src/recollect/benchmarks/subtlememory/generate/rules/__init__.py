"""What the texts of the catalogue must and must not do, as far as a program can tell.

`topics` and `kinds` hold one file each against its rules, `threads` the talk in it; `check` runs all of them over the
catalogue. Sentences are held against the kit's rules (`worlds.sentences`).
"""
