"""Whom users are made of: people by rule, or of Nemotron-Personas, with the configuration that they are made by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from recollect.benchmarks.amemgym.generate.personas import draw_personas
from recollect.benchmarks.amemgym.generate.settings import GenerationSettings
from recollect.benchmarks.amemgym.items import Profile
from recollect.benchmarks.amemgym.settings import BASE, EnvConfig, read_config
from recollect.domain.errors import DataError, MissingExtraError
from recollect.making.steps import Item

ENDING = ".parquet"
ID = "uuid"
COLUMNS = (
    ID, "age", "sex", "marital_status", "education_level", "bachelors_field", "occupation",
    "hobbies_and_interests_list", "skills_and_expertise_list", "persona", "professional_persona", "sports_persona",
    "arts_persona", "travel_persona", "culinary_persona", "career_goals_and_ambitions", "skills_and_expertise",
    "hobbies_and_interests",
)  # fmt: skip
Row = Mapping[str, Any]
CONFIG = "config.json"
HIGH, LOW, MAX_TOKENS = 1.0, 0.2, 8_192
"""Temperatures where there are many right replies, and where there is one; and the longest reply."""
TEXTS = (
    "persona", "professional_persona", "sports_persona", "arts_persona", "travel_persona", "culinary_persona",
    "career_goals_and_ambitions", "skills_and_expertise", "hobbies_and_interests",
)  # fmt: skip
NOTHING = "N/A"
_NO_FIELD = frozenset({"", "no_degree", "none", "n/a"})
_FIX = f"Give a Parquet file of Nemotron-Personas, a configuration `{CONFIG}`, or a folder with either or both."


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """One user before anything was made: who it is, and how much is wanted."""

    profile: Profile
    config: EnvConfig
    texts: Mapping[str, str] = field(default_factory=dict)
    """Of which a model makes name and description; none, and the profile is whole."""
    source: str = "people by rule"


def items(source: Path, _: Sequence[str] = ()) -> list[Item]:
    """An item for each person, named by its id; the first ones are the same however many are drawn.

    Args:
        source: Personas as `.parquet`, a configuration in the authors' form as `.json`, or a folder with either or
            both. Without personas, people are made by rule; without configuration, it is that of the paper.

    Raises:
        DataError: There is neither, or something cannot be read or be made.
    """
    config, files = _found(source)
    return [Item(key=one.profile.uuid, data=one) for one in people(config, files)]


def people(config: EnvConfig, files: Sequence[Path] = ()) -> list[Person]:
    """As many people as *config* wants: drawn from *files* of personas, or made by rule where there are none.

    Raises:
        DataError: The files hold too few, or cannot be read; or the configuration asks for other temperatures.
    """
    told = (config.llm_config_high_temp, config.llm_config_low_temp)
    if [(one.temperature, one.max_tokens) for one in told] != [(HIGH, MAX_TOKENS), (LOW, MAX_TOKENS)]:
        problem = f"steps ask at temperatures {HIGH} and {LOW} for at most {MAX_TOKENS} tokens, and at no others"
        raise DataError(problem, CONFIG, fix="Leave out temperatures and limits; `--maker` names the model.")
    if files:
        return [person_of(row, config, f"personas of {file.name}") for file, row in draw_rows(files, config)]
    wanted = GenerationSettings(num_user_profiles=config.num_user_profiles, exclude_ids=config.exclude_ids)
    return [_by_rule(profile, config) for profile in draw_personas(wanted, config.seed)]


def person_of(row: Row, config: EnvConfig, source: str) -> Person:
    """The person of a row of personas; name and description are still to be made."""
    studied = _plain(row["bachelors_field"])
    level = _plain(row["education_level"])
    profile = Profile(
        uuid=str(row["uuid"]),
        name="",
        age=int(row["age"]),
        gender=_plain(row["sex"]),
        marital_status=_plain(row["marital_status"]),
        education_level=level if studied.casefold() in _NO_FIELD else f"{level} ({studied})",
        occupation=_plain(row["occupation"]) or NOTHING,
        hobbies_and_interests=_joined(row["hobbies_and_interests_list"]),
        skills_and_expertise=_joined(row["skills_and_expertise_list"]),
        complementary_info="",
        formatted_str="",
    )
    return Person(profile=profile, config=config, texts={name: _plain(row[name]) for name in TEXTS}, source=source)


def described(profile: Profile, name: str, description: str) -> Profile:
    """*profile* with what was made of its texts."""
    whole = replace(profile, name=name, complementary_info=description)
    return replace(whole, formatted_str=in_lines(whole))


def in_lines(profile: Profile) -> str:
    """What a simulated user is told: a line for each field that says something, the id left out."""
    told = {
        one.name: getattr(profile, one.name) for one in fields(profile) if one.name not in {"uuid", "formatted_str"}
    }
    return "\n".join(f"{name}: {value}" for name, value in told.items() if value)


def _by_rule(profile: Profile, config: EnvConfig) -> Person:
    """Their words are English; for another language a model describes them anew."""
    texts = {} if config.lang == "en" else {"name": profile.name, "complementary_info": profile.complementary_info}
    return Person(profile=profile, config=config, texts=texts)


def _plain(value: object) -> str:
    return "" if value is None else " ".join(str(value).split())


def _joined(value: object) -> str:
    """Some releases hold lists, others a list as Python writes it."""
    import ast

    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            value = ast.literal_eval(value.strip())
        except (ValueError, SyntaxError):
            return _plain(value)
    if isinstance(value, list | tuple):
        return ", ".join(_plain(one) for one in value) or NOTHING
    return _plain(value) or NOTHING


def _found(source: Path) -> tuple[EnvConfig, list[Path]]:
    inside = sorted(source.iterdir()) if source.is_dir() else [source]
    files = [one for one in inside if one.suffix == ENDING]
    configs = [one for one in inside if one.name == CONFIG or (one == source and one.suffix == ".json")]
    if not files and not configs:
        raise DataError("there are neither personas nor a configuration", source, fix=_FIX)
    return (read_config(configs[0]) if configs else BASE), files
