"""The cells as Parquet, where pyarrow is there."""

from __future__ import annotations

import importlib.util
import io
from collections.abc import Sequence

from recollect.report.csv_files import Record, Value


def as_parquet(records: Sequence[Record]) -> bytes | None:
    """The table with its types; `None` where pyarrow is not installed."""
    if importlib.util.find_spec("pyarrow") is None:
        return None
    import pyarrow
    import pyarrow.parquet

    out = io.BytesIO()
    table = pyarrow.Table.from_pylist([{name: _writable(value) for name, value in one.items()} for one in records])
    pyarrow.parquet.write_table(table, out)
    return out.getvalue()


def _writable(value: Value) -> Value:
    """Text without lone surrogates, which UTF-8 cannot say."""
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value
