"""At which stage right answers are lost: oracle, readback and system side by side.

Start at `arms`. `failures` names the stage of each wrong answer; `evidence` says what of the evidence was shown,
and how far into a recall a reader could read.
"""
