"""What plays the roles of a run: rules, or models behind endpoints, all called by one client."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from recollect import registry
from recollect.contracts.systems import needs_of
from recollect.domain.errors import ConfigError, MissingExtraError, UnknownNameError, UsageError
from recollect.records.codec import read
from recollect.runs.progress import remark
from recollect.runs.setup.config import ModelChoice, RunConfig, model_choice, plainly

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
"""What a model that plays the user knows: a setting of the role, not of the model."""
BACK_ENDS = (OPENAI, "inspect", "litellm")
"""Back ends, as a choice names them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """How a model judges: settings of the role, not of the model."""

    votes: int = 1
    retries: int = 2

    def __post_init__(self) -> None:
        limits = (("votes", self.votes, 1), ("retries", self.retries, 0))
        problems = [f"`{name}` starts at {least}, got {value}" for name, value, least in limits if value < least]
        if problems:
            raise ValueError("; ".join(problems))


_JUDGING = frozenset(Asking.__dataclass_fields__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Supplies:
    """The models that systems receive, or the reason why one is missing."""

    embedder: Embedder | None = None
    missing: MissingExtraError | None = None
    model: ChatModel | None = None

    def check(self, kind: MemoryKind | AgentKind, config: Any) -> None:
        """Raise if *kind* under *config* needs a model that is missing."""
        needs = needs_of(kind, config)
        if "embedder" in needs and self.missing is not None:
            raise MissingExtraError(f"`{kind.name}`", self.missing.package, self.missing.install)
        if "embedder" in needs and self.embedder is None:
            raise UsageError(
                f"`{kind.name}` needs an embedder, and `--embedder` is `{WITHOUT}`. Leave one of them out."
            )
        if "model" in needs and self.model is None:
            raise UsageError(
                f"`{kind.name}` calls a model: name it with `--memory-model`, such as "
                "`openai:model=NAME,base_url=URL`, or `rules`."
            )


@dataclass(slots=True, kw_only=True)
class Players:
    """The players of all roles of a run."""

    reader: Reader
    judge: Judge
    user: User | None = None
    """The simulated user, if the benchmark converses."""
    supplies: Supplies
    settings: Mapping[Role, ModelSettings] = field(default_factory=dict)
    """By role, for those that a model plays."""
    client: Client | None = None
    """`None` if rules play all roles."""
    called: tuple[EndpointChat | EndpointEmbedder, ...] = ()
    """The models that get a test call."""


Models = Mapping["Role", "EndpointChat | EndpointEmbedder"]
"""The model of each role that an endpoint plays."""


def players_of(config: RunConfig, cache: Path, users: Sequence[UserKind] = ()) -> Players:
    """The players of all roles; *users* may play the simulated user.

    Raises:
        ConfigError: If settings of a model are wrong; lists all problems of that model.
        MissingExtraError: If a model needs a package that is not installed.
    """
    roles: Mapping[Role, str | ModelChoice | None] = {
        "reader": config.reader,
        "judge": config.judge,
        "memory": config.memory_model,
        "embedder": config.embedder,
        "user": config.user,
    }
    settings: dict[Role, ModelSettings] = {}
    for role, choice in roles.items():
        if isinstance(choice, ModelChoice):
            settings[role] = settings_of(role, choice)
        elif choice in BACK_ENDS:
            raise ConfigError(role, [f"`{choice}` reaches many models; name one: `{choice}:model=NAME`"])
    client = _client(settings) if settings else None
    models = {} if client is None else {role: _endpoint(client, role, one) for role, one in settings.items()}
    embedder, missing = _embedder(config.embedder, models, cache)
    own = embedder if "embedder" not in models else _embedder(BUNDLED, {}, cache)[0]  # rules keep the bundled one
    if isinstance(config.reader, str):
        reader = registry.reader(config.reader, own)
    else:
        from recollect.models.reader import ModelReader

        chat = _chat(models, "reader")
        reader = ModelReader(chat, chat.settings.window_tokens)
    own_model: ChatModel | None = None
    if config.memory_model is not None:
        named = isinstance(config.memory_model, str)
        own_model = registry.chat(str(config.memory_model)) if named else _chat(models, "memory")
    return Players(
        reader=reader,
        judge=_judge(config.judge, models, own),
        user=_user(config, users, models),
        supplies=Supplies(embedder=embedder, missing=missing, model=own_model),
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
        """When set, no further call is started."""
        return self.client.stop


def maker_of(text: str) -> tuple[Maker, ToolModel]:
    """The model that `--maker` names."""
    choice = model_choice(text)
    if isinstance(choice, str):
        raise UsageError(f"--maker {text}: name a model: `openai:model=NAME,base_url=URL`.")
    settings = settings_of("maker", ModelChoice(**choice))
    client = _client({"maker": settings})
    model = _chat({"maker": _endpoint(client, "maker", settings)}, "maker")
    return Maker(settings={"maker": settings}, client=client, called=(model,)), model


def _judge(choice: str | ModelChoice, models: Models, embedder: Embedder | None) -> Judge:
    if isinstance(choice, str):
        return registry.judge(choice, embedder)
    from recollect.judging.model_judge import ModelJudge

    how, problems = read(Asking, {name: value for name, value in choice.settings.items() if name in _JUDGING})
    model = _chat(models, "judge")
    if not problems and how.votes > 1 and not model.settings.samples:
        problems = ("at temperature 0 all `votes` are the same; set a `temperature` above 0",)
    if problems:
        raise ConfigError("judge", problems)
    return ModelJudge(model, votes=how.votes, retries=how.retries)


def settings_of(role: str, choice: ModelChoice) -> ModelSettings:
    """The settings of one model."""
    from recollect.models.settings import ModelSettings

    if choice.name not in BACK_ENDS:
        raise UnknownNameError(f"{role}: way to reach a model", choice.name, BACK_ENDS)
    theirs: frozenset[str] = {"judge": _JUDGING, "user": frozenset({KNOWS})}.get(role, frozenset())
    own = {key: value for key, value in choice.settings.items() if key not in theirs}
    made, problems = read(ModelSettings, {**own, "via": choice.name})
    if problems:
        raise ConfigError(f"model of role `{role}`", plainly(problems))
    return made


def _client(settings: Mapping[Role, ModelSettings]) -> Client:
    """The client of a run; a missing package of a back end is refused here, before anything runs."""
    from recollect.models.backends.selection import Ways, check
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
    choice = config.user
    if not users:
        if choice is not None:
            raise UsageError(f"`user`: {config.benchmark} has no dialogues. Leave it out.")
        return None
    by_model = isinstance(choice, ModelChoice)
    wanted = str(choice.settings.get(KNOWS, "")) if isinstance(choice, ModelChoice) else choice or ""
    kinds = [kind for kind in users if kind.by_model == by_model]
    found = [kind for kind in kinds if wanted in ("", kind.name)]
    if not found:
        raise UnknownNameError("simulated user", wanted, [kind.name for kind in kinds])
    return found[0].open(_chat(models, "user") if by_model else None, config.seed)


def _embedder(
    choice: str | ModelChoice, models: Models, cache: Path
) -> tuple[Embedder | None, MissingExtraError | None]:
    from recollect.models.cache.vectors import TEXTS_A_CALL, cached

    if choice == WITHOUT:
        return None, None
    if isinstance(choice, str) and choice != BUNDLED:
        raise UnknownNameError("embedder", choice, (BUNDLED, WITHOUT))
    try:
        if "embedder" in models:
            return cached(cast("EndpointEmbedder", models["embedder"]), cache / "vectors", remark, TEXTS_A_CALL), None
        from recollect.offline.embedder.model import Embedder as Bundled

        return cached(Bundled(), cache / "vectors", remark), None
    except MissingExtraError as error:
        return None, error
