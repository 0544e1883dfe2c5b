"""Memory scores by state: what was never written, not read, or not used.

Start at `summary`. `cells` finds the cells that ask about states, `bounds` and `scores` make memory scores from
them, `losses` names the stage of each loss; `policies` and the two `*_recall` modules follow policies over periods.
"""
