"""A user's command line, run inside the process of the tests.

What a process of its own pays each time (imports, patterns, templates, the weights of the embedder) is there already.
Tests of what only a process has (signals, kills, pipes, terminals, imports) start one by themselves.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from subprocess import CompletedProcess

from recollect.cli import command_line


def typed(words: Sequence[str], cwd: Path) -> CompletedProcess[str]:
    """What the command line after `recollect` printed in *cwd*, and its exit code."""
    out, errors = io.StringIO(), io.StringIO()
    with chdir(cwd), redirect_stdout(out), redirect_stderr(errors):
        code = command_line(words)
    return CompletedProcess(["recollect", *words], code, out.getvalue(), errors.getvalue())
