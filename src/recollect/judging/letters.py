"""Multiple choice: one letter, read strictly."""

from __future__ import annotations

from collections.abc import Sequence

from recollect.domain.questions import Option
from recollect.judging.findings import Finding, no, yes
from recollect.metrics.options import option_letter


def judge_letter(reply: str, gold: Sequence[str], options: Sequence[Option]) -> Finding:
    """Right where the reply commits to one letter and it is the gold one."""
    wanted = {letter.strip().strip("().").upper() for letter in gold}
    said = option_letter(reply, letters="".join(option.letter.upper() for option in options))
    if said is None:
        return no("letter_missing", f"no single letter in {reply[:40]!r}")
    return yes("letter", said) if said in wanted else no("letter_other", f"{said}, not {'/'.join(sorted(wanted))}")
