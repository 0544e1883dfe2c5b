"""The kinds of simulated user: by rules, or by a model that knows more or less."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from recollect.contracts.agent import User, UserKind
from recollect.domain.errors import UsageError

if TYPE_CHECKING:
    from recollect.contracts.models import ChatModel


_Known = Literal["state", "profile"]


def _scripted(_: ChatModel | None, seed: int) -> User:
    from recollect.benchmarks.amemgym.users.scripted import ScriptedUser

    return ScriptedUser(seed=seed)


def _by_model(
    knows: Literal["state", "profile"], *, whole_talk: bool = False
) -> Callable[[ChatModel | None, int], User]:
    def open_user(model: ChatModel | None, _: int) -> User:
        from recollect.benchmarks.amemgym.users.by_model import SHOWN, ModelUser

        if model is None:
            raise UsageError(f"a simulated user that knows the {knows} is played by a model: name one with `--user`.")
        return ModelUser(model=model, knows=knows, shown=None if whole_talk else SHOWN)

    return open_user


USERS: tuple[UserKind, ...] = (
    UserKind(
        name="scripted",
        summary="follows rules that go by what the assistant said, and tells nothing",
        open=_scripted,
    ),
    UserKind(
        name="state",
        summary="a model that knows profile, date, current state and the last two messages, as the paper says",
        open=_by_model("state"),
        by_model=True,
    ),
    UserKind(
        name="profile",
        summary="a model that knows profile, date, schema and the last two messages, as the authors' code has it",
        open=_by_model("profile"),
        by_model=True,
    ),
    UserKind(
        name="state-whole-talk",
        summary="as `state`, with the whole dialogue instead of its last two messages",
        open=_by_model("state", whole_talk=True),
        by_model=True,
    ),
)
"""The first of either sort is the usual one."""
