"""A server on this machine that speaks OpenAI's protocol, in front of the models of a run.

Start at `server`, then `routes`. It binds to loopback and answers only callers with a token. `responses` and
`chat_stream` word replies; `endpoint` passes calls to the models of the run, `recollect.offline.completions`
answers without one.
"""
