"""The rule-based judge: deterministic, with a reason code for every verdict.

Start at `rule_judge`, then `cascade`: the rules in their order, the first that decides wins. `texts` prepares
question, reference and answer once; `findings` is what one rule returns. `VERSION` in `rule_judge` is part of
record keys: raise it when any verdict changes.
"""
