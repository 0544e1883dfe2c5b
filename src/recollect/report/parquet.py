"""The cells as Parquet, where pyarrow is there."""

from __future__ import annotations

import importlib.util
import io
from collections.abc import Sequence

from recollect.report.csv_files import Record


def as_parquet(records: Sequence[Record]) -> bytes | None:
    """The table with its types; `None` where pyarrow is not installed."""
    if importlib.util.find_spec("pyarrow") is None:
        return None
    import pyarrow
    import pyarrow.parquet

    out = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist([dict(record) for record in records]), out)
    return out.getvalue()
