"""The persons that users are made of: by rule, or from Nemotron-Personas, with the configuration."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from recollect.benchmarks.amemgym.generate.personas import draw_personas, with_text
from recollect.benchmarks.amemgym.generate.settings import GenerationSettings
from recollect.benchmarks.amemgym.items import Profile
from recollect.benchmarks.amemgym.settings import BASE, EnvConfig, read_config
from recollect.domain.errors import DataError, MissingExtraError
from recollect.making.steps import Item

ID = "uuid"
TEXTS = (
    "persona", "professional_persona", "sports_persona", "arts_persona", "travel_persona", "culinary_persona",
    "career_goals_and_ambitions", "skills_and_expertise", "hobbies_and_interests",
)  # fmt: skip
COLUMNS = (
    ID, "age", "sex", "marital_status", "education_level", "bachelors_field", "occupation",
    "hobbies_and_interests_list", "skills_and_expertise_list", *TEXTS,
)  # fmt: skip
Row = Mapping[str, Any]
CONFIG = "config.json"
HIGH, LOW, MAX_TOKENS = 1.0, 0.2, 8_192
"""Temperatures where many replies are right, and where one is; and the longest reply."""
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
    ids: dict[str, Path] = {}
    for file in files:
        with _readable(file) as parquet:
            missing = sorted(set(COLUMNS) - set(parquet.read_schema(file).names))
            if missing:
                fix = "It must be of Nemotron-Personas."
                raise DataError(f"columns are missing: {', '.join(missing)}", file, fix=fix)
            ids.update((str(name), file) for name in parquet.read_table(file, columns=[ID]).column(ID).to_pylist())
    drawn = sample(list(ids), config)
    if len(drawn) < config.num_user_profiles:
        problem = f"{config.num_user_profiles} personas are wanted, and {len(drawn)} are there"
        raise DataError(problem, files[0].parent, fix="Ask for fewer, or exclude fewer.")
    rows: dict[str, Row] = {}
    for file in files:
        wanted = [name for name in drawn if ids[name] == file]
        if wanted:
            with _readable(file) as parquet:
                table = parquet.read_table(file, columns=list(COLUMNS), filters=[(ID, "in", wanted)])
                rows.update((row[ID], row) for row in table.to_pylist())
    return [(ids[name], rows[name]) for name in drawn]


def sample(ids: Sequence[str], config: EnvConfig) -> list[str]:
    """Ids that are not excluded, drawn by the seed; more users or exclusions leave the others as they were."""
    free = set(ids) - set(config.exclude_ids)
    ranked = sorted(free, key=lambda name: (sha256(f"{config.seed}:{name}".encode()).digest(), name))
    return ranked[: config.num_user_profiles]


@contextmanager
def _readable(file: Path) -> Iterator[Any]:
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
    """One user before anything is made, with the configuration."""

    profile: Profile
    config: EnvConfig
    texts: Mapping[str, str] = field(default_factory=dict)
    """From which a model makes name and description; empty where the profile is complete."""
    source: str = "people by rule"


def items(source: Path, _: Sequence[str] = ()) -> list[Item]:
    """An item for each person, named by its id; the first ones are the same however many are drawn.

    Args:
        source: Personas as `.parquet`, a configuration in the authors' form as `.json`, or a folder with either or
            both. Without personas, people are made by rule; without configuration, it is that of the paper.

    Raises:
        DataError: There is neither, or something cannot be read or be made.
    """
    inside = sorted(source.iterdir()) if source.is_dir() else [source]
    files = [file for file in inside if file.suffix == ".parquet"]
    configs = [file for file in inside if file.name == CONFIG or (file == source and file.suffix == ".json")]
    if not files and not configs:
        raise DataError("there are neither personas nor a configuration", source, fix=_FIX)
    config = read_config(configs[0]) if configs else BASE
    return [Item(key=person.profile.uuid, data=person) for person in people(config, files)]


def people(config: EnvConfig, files: Sequence[Path] = ()) -> list[Person]:
    """As many people as *config* wants: drawn from *files* of personas, or made by rule where there are none.

    Raises:
        DataError: The files have too few, or cannot be read; or the configuration asks for other temperatures.
    """
    models = (config.llm_config_high_temp, config.llm_config_low_temp)
    if [(model.temperature, model.max_tokens) for model in models] != [(HIGH, MAX_TOKENS), (LOW, MAX_TOKENS)]:
        problem = f"steps ask at temperatures {HIGH} and {LOW} for at most {MAX_TOKENS} tokens, and at no others"
        raise DataError(problem, CONFIG, fix="Leave out temperatures and limits; `--maker` names the model.")
    if files:
        return [person_of(row, config, f"personas of {file.name}") for file, row in draw_rows(files, config)]
    wanted = GenerationSettings(num_user_profiles=config.num_user_profiles, exclude_ids=config.exclude_ids)
    profiles = draw_personas(wanted, config.seed)
    if config.lang == "en":
        return [Person(profile=profile, config=config) for profile in profiles]
    # Their words are English; a model describes them again in the other language.
    texts = [{"name": profile.name, "complementary_info": profile.complementary_info} for profile in profiles]
    return [Person(profile=one, config=config, texts=words) for one, words in zip(profiles, texts, strict=True)]


def person_of(row: Row, config: EnvConfig, source: str) -> Person:
    """The person of a row of personas; without name and description."""
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
    """*profile* with the name and description that a model made."""
    return with_text(replace(profile, name=name, complementary_info=description))


def _plain(value: object) -> str:
    return "" if value is None else " ".join(str(value).split())


def _joined(value: object) -> str:
    """Some releases have lists, others the text of a Python list."""
    import ast

    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            value = ast.literal_eval(value.strip())
        except (ValueError, SyntaxError):
            return _plain(value)
    if isinstance(value, list | tuple):
        return ", ".join(_plain(one) for one in value) or NOTHING
    return _plain(value) or NOTHING
