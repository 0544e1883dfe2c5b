"""Packages that speak more protocols than OpenAI's; cache, retries and ledger stay Recollect's.

A request in OpenAI's shape is sent by the package, with its own cache and retries off, and the reply is put into
OpenAI's shape again, so that it is parsed, cached and counted like any other. Start at `selection`; a package is
imported only when a model is opened.
"""
