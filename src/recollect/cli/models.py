"""Who plays the roles of a run: rules, or models behind endpoints, all called by one client."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from recollect import registry
from recollect.cli.config import ModelChoice, RunConfig, model_choice
from recollect.cli.output import remark
from recollect.cli.wording import plainly
from recollect.contracts.systems import needs_of
from recollect.domain.errors import ConfigError, MissingExtraError, UnknownNameError, UsageError
from recollect.records.codec import read

if TYPE_CHECKING:
    from threading import Event

    from recollect.contracts.agent import User, UserKind
    from recollect.contracts.models import ChatModel, Embedder, ToolModel
    from recollect.contracts.reading import Judge, Reader
    from recollect.contracts.systems import AgentKind, MemoryKind
    from recollect.models.client import Client
    from recollect.models.endpoints import EndpointChat, EndpointEmbedder
    from recollect.models.settings import ModelSettings, Role

OPENAI = "openai"
BUNDLED = "bundled"
WITHOUT = "none"
KNOWS = "knows"
"""How a model plays the simulated user: a setting of its choice that is not the model's own."""
BACK_ENDS = (OPENAI, "inspect", "litellm")
"""Ways to reach a model, as a choice names them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """How a model is asked as a judge: settings of a choice that are not its own."""

    votes: int = 1
    retries: int = 2

    def __post_init__(self) -> None:
        given = {"votes": (self.votes, 1), "retries": (self.retries, 0)}
        problems = [f"`{name}` starts at {least}, got {said}" for name, (said, least) in given.items() if said < least]
        if problems:
            raise ValueError("; ".join(problems))


_JUDGING = frozenset(Asking.__dataclass_fields__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Supplies:
    """What systems are handed; or why there is none."""

    embedder: Embedder | None = None
    missing: MissingExtraError | None = None
    model: ChatModel | None = None

    def check(self, kind: MemoryKind | AgentKind, config: Any) -> None:
        """Raise if *kind* under *config* needs what is not there."""
        needs = needs_of(kind, config)
        if "embedder" in needs and self.missing is not None:
            raise MissingExtraError(f"`{kind.name}`", self.missing.package, self.missing.install)
        if "embedder" in needs and self.embedder is None:
            raise UsageError(f"`{kind.name}` goes by vectors, and `--embedder` is `{WITHOUT}`: leave one of them out.")
        if "model" in needs and self.model is None:
            raise UsageError(
                f"`{kind.name}` calls a model of its own: name it with `--memory-model`, such as "
                "`openai:model=NAME,base_url=URL`, or `rules`."
            )


@dataclass(slots=True, kw_only=True)
class Players:
    """Everybody who plays a role in a run."""

    reader: Reader
    judge: Judge
    user: User | None = None
    """The simulated user, where the benchmark converses."""
    supplies: Supplies
    settings: Mapping[Role, ModelSettings] = field(default_factory=dict)
    """Of the roles that a model plays."""
    client: Client | None = None
    """`None` where rules play all roles."""
    called: tuple[EndpointChat | EndpointEmbedder, ...] = ()
    """The model of each role that one plays, for a trial call."""


Models = Mapping["Role", "EndpointChat | EndpointEmbedder"]
"""The model behind an endpoint that plays a role, for the roles that one plays."""


def players_of(config: RunConfig, cache: Path, users: Sequence[UserKind] = ()) -> Players:
    """Everybody who plays a role, as the config says; *users* may play the simulated one.

    Raises:
        ConfigError: Settings of a model are not what they should be; all problems of it at once.
        MissingExtraError: A model is reached by a package that is not installed.
    """
    settings = dict(_settings(config))
    client = _client(settings) if settings else None
    models = {} if client is None else {role: _endpoint(client, role, one) for role, one in settings.items()}
    embedder, missing = _embedder(config.embedder, models, cache)
    own = embedder if "embedder" not in models else _embedder(BUNDLED, {}, cache)[0]  # rules keep the one they know
    return Players(
        reader=_reader(config, models, own),
        judge=judge_of(config.judge, models, own),
        user=_user(config, users, models),
        supplies=Supplies(embedder=embedder, missing=missing, model=_memory_model(config, models)),
        settings=settings,
        client=client,
        called=tuple(models.values()),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Maker:
    """A model that makes data, and the client that calls it."""

    settings: Mapping[Role, ModelSettings]
    client: Client
    called: tuple[EndpointChat | EndpointEmbedder, ...]

    @property
    def stop(self) -> Event:
        """Set: no call is begun any more."""
        return self.client.stop


def maker_of(text: str) -> tuple[Maker, ToolModel]:
    """The model that `--maker` names.

    Raises:
        ConfigError: Its settings are not what they should be; all problems at once.
        UsageError: It names no model.
    """
    said = model_choice(text)
    if isinstance(said, str):
        raise UsageError(f"--maker {text}: name a model: `openai:model=NAME,base_url=URL`.")
    settings = settings_of("maker", ModelChoice(**said))
    client = _client({"maker": settings})
    model = _chat({"maker": _endpoint(client, "maker", settings)}, "maker")
    return Maker(settings={"maker": settings}, client=client, called=(model,)), model


def judge_of(said: str | ModelChoice, models: Models, embedder: Embedder | None) -> Judge:
    """The judge that a choice names."""
    if isinstance(said, str):
        return registry.judge(said, embedder)
    from recollect.judging.model_judge import ModelJudge

    how, problems = _asking(said)
    model = _chat(models, "judge")
    if not problems and how.votes > 1 and not model.settings.samples:
        problems = ("several `votes` at temperature 0 are one vote asked several times; set a `temperature` above 0",)
    if problems:
        raise ConfigError("judge", problems)
    return ModelJudge(model, votes=how.votes, retries=how.retries)


def _asking(choice: ModelChoice) -> tuple[Asking, tuple[str, ...]]:
    return read(Asking, {name: value for name, value in choice.settings.items() if name in _JUDGING})


def settings_of(role: str, choice: ModelChoice) -> ModelSettings:
    """The settings of one model.

    Raises:
        ConfigError: With all problems at once.
    """
    from recollect.models.settings import ModelSettings

    if choice.name not in BACK_ENDS:
        raise UnknownNameError(f"{role}: way to reach a model", choice.name, BACK_ENDS)
    theirs: frozenset[str] = {"judge": _JUDGING, "user": frozenset({KNOWS})}.get(role, frozenset())
    said = {key: value for key, value in choice.settings.items() if key not in theirs}
    made, problems = read(ModelSettings, {**said, "via": choice.name})
    if problems:
        raise ConfigError(f"model of role `{role}`", plainly(problems))
    return made


def _settings(config: RunConfig) -> Iterator[tuple[Role, ModelSettings]]:
    roles: Mapping[Role, str | ModelChoice | None] = {
        "reader": config.reader,
        "judge": config.judge,
        "memory": config.memory_model,
        "embedder": config.embedder,
        "user": config.user,
    }
    for role, choice in roles.items():
        if isinstance(choice, ModelChoice):
            yield role, settings_of(role, choice)
        elif choice in BACK_ENDS:
            raise ConfigError(role, [f"`{choice}` reaches many models; name one: `{choice}:model=NAME`"])


def _client(settings: Mapping[Role, ModelSettings]) -> Client:
    """The client of a run; models that a package reaches are refused here if it is missing, and not in the middle."""
    from recollect.models.backends import Ways, check
    from recollect.models.client import Client
    from recollect.models.limits.health import Health

    for role, one in settings.items():
        check(role, one)
    ways = Ways()
    return Client(other_way=ways, let_go=ways.close, health=Health(say=remark))


def _endpoint(client: Client, role: Role, settings: ModelSettings) -> EndpointChat | EndpointEmbedder:
    from recollect.models.endpoints import EndpointChat, EndpointEmbedder

    return EndpointEmbedder(client, settings) if role == "embedder" else EndpointChat(client, settings, role)


def _chat(models: Models, role: Role) -> EndpointChat:
    return cast("EndpointChat", models[role])


def _user(config: RunConfig, users: Sequence[UserKind], models: Models) -> User | None:
    """The simulated user: one of the benchmark's own, or a model in the way that it names by `knows`."""
    choice = config.user
    if not users:
        if choice is not None:
            raise UsageError(f"`user`: {config.benchmark} holds no dialogues. Leave it out.")
        return None
    if isinstance(choice, ModelChoice):
        wanted = str(choice.settings.get(KNOWS, ""))
        return _kind([kind for kind in users if kind.by_model], wanted).open(_chat(models, "user"), config.seed)
    return _kind([kind for kind in users if not kind.by_model], choice or "").open(None, config.seed)


def _kind(users: Sequence[UserKind], name: str) -> UserKind:
    """The one of *name*; the first where none is named."""
    found = [kind for kind in users if name in ("", kind.name)]
    if not found:
        raise UnknownNameError("simulated user", name, [kind.name for kind in users])
    return found[0]


def _reader(config: RunConfig, models: Models, embedder: Embedder | None) -> Reader:
    if isinstance(config.reader, str):
        return registry.reader(config.reader, embedder)
    from recollect.models.reader import ModelReader

    model = _chat(models, "reader")
    return ModelReader(model, model.settings.window_tokens)


def _memory_model(config: RunConfig, models: Models) -> ChatModel | None:
    if config.memory_model is None:
        return None
    return registry.chat(config.memory_model) if isinstance(config.memory_model, str) else _chat(models, "memory")


def _embedder(said: str | ModelChoice, models: Models, cache: Path) -> tuple[Embedder | None, MissingExtraError | None]:
    from recollect.models.cache.vectors import TEXTS_A_CALL, cached

    if said == WITHOUT:
        return None, None
    if isinstance(said, str) and said != BUNDLED:
        raise UnknownNameError("embedder", said, (BUNDLED, WITHOUT))
    try:
        if "embedder" in models:
            return cached(cast("EndpointEmbedder", models["embedder"]), cache / "vectors", remark, TEXTS_A_CALL), None
        return cached(_bundled(), cache / "vectors", remark), None
    except MissingExtraError as error:
        return None, error


def _bundled() -> Embedder:
    from recollect.offline.embedder.model import Embedder as Bundled

    return Bundled()
