"""Packages that speak more protocols than OpenAI's, for whoever wants them; cache, retries and ledger stay ours.

A request comes in OpenAI's shape, goes out by the package's call with its own cache and retries switched off, and the
reply is put into OpenAI's shape again, so that it is read, kept and counted like any other.
"""

from __future__ import annotations

from recollect.models.backends.ways import INSTALL, Ways, check

__all__ = ["INSTALL", "Ways", "check"]
