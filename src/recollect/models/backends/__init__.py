"""Packages that speak more protocols than OpenAI's; cache, retries and ledger stay Recollect's.

A request arrives in OpenAI's shape, is sent by the package with its own cache and retries switched off, and the
reply is put into OpenAI's shape again, so that it is read, kept and counted like any other. Start at `selection`;
the packages themselves are imported only when a model is opened.
"""

from __future__ import annotations

from recollect.models.backends.selection import INSTALL, Ways, check

__all__ = ["INSTALL", "Ways", "check"]
