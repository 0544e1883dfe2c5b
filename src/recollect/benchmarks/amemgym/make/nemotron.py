"""Rows of Nemotron-Personas: a seeded sample without replacement, whatever the order and number of its files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from recollect.benchmarks.amemgym.settings import EnvConfig
from recollect.domain.errors import DataError, MissingExtraError

ENDING = ".parquet"
ID = "uuid"
COLUMNS = (
    ID, "age", "sex", "marital_status", "education_level", "bachelors_field", "occupation",
    "hobbies_and_interests_list", "skills_and_expertise_list", "persona", "professional_persona", "sports_persona",
    "arts_persona", "travel_persona", "culinary_persona", "career_goals_and_ambitions", "skills_and_expertise",
    "hobbies_and_interests",
)  # fmt: skip
Row = Mapping[str, Any]


def draw_rows(files: Sequence[Path], config: EnvConfig) -> list[tuple[Path, Row]]:
    """The rows of the sample in the order in which they were drawn, each with its file.

    Only ids are read of all rows, since the published personas are a million.

    Raises:
        DataError: A file cannot be read or lacks a column, or there are too few personas.
        MissingExtraError: The package that reads Parquet is not installed.
    """
    ids = {name: file for file in files for name in _ids(file)}
    drawn = sample(list(ids), config)
    if len(drawn) < config.num_user_profiles:
        problem = f"{config.num_user_profiles} personas are wanted, and {len(drawn)} are there"
        raise DataError(problem, files[0].parent, fix="Ask for fewer, or exclude fewer.")
    rows = {row[ID]: row for file in files for row in _rows(file, [name for name in drawn if ids[name] == file])}
    return [(ids[name], rows[name]) for name in drawn]


def sample(ids: Sequence[str], config: EnvConfig) -> list[str]:
    """Ids that are not excluded, drawn by the seed; more users or exclusions leave the others as they were."""
    free = set(ids) - set(config.exclude_ids)
    ranked = sorted(free, key=lambda name: (sha256(f"{config.seed}:{name}".encode()).digest(), name))
    return ranked[: config.num_user_profiles]


def _ids(file: Path) -> list[str]:
    with _readable(file) as parquet:
        missing = sorted(set(COLUMNS) - set(parquet.read_schema(file).names))
        if missing:
            raise DataError(f"columns are missing: {', '.join(missing)}", file, fix="It must be of Nemotron-Personas.")
        return [str(name) for name in parquet.read_table(file, columns=[ID]).column(ID).to_pylist()]


def _rows(file: Path, wanted: Sequence[str]) -> list[dict[str, Any]]:
    if not wanted:
        return []
    with _readable(file) as parquet:
        table = parquet.read_table(file, columns=list(COLUMNS), filters=[(ID, "in", list(wanted))])
        rows: list[dict[str, Any]] = table.to_pylist()
        return rows


@contextmanager
def _readable(file: Path) -> Iterator[Any]:
    """The module that reads Parquet; what it finds wrong is said of *file*."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise MissingExtraError(f"reading `{file}`", "pyarrow", "pip install 'recollect[parquet]'") from None
    try:
        yield parquet
    except (pyarrow.ArrowException, ValueError, OSError) as error:
        raise DataError(f"it is not a Parquet file of personas ({error})", file) from None
