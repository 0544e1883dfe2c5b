"""The model judge: asked strictly, read strictly, calibrated on shipped probes.

Start at `model_judge`; `requests` words what it asks, `parsing` reads replies and counts votes. `check` measures
any judge on `probes/`; `claims` checks single claims. Prompts are locked by digest; the judge's rules are in
`recollect.offline.judge`.
"""
