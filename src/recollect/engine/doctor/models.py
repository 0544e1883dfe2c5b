"""The models of an examined memory: calls are counted, answered from a cache, and failed on demand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import RLock
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

from recollect.contracts.call_context import current_context
from recollect.contracts.models import ChatModel, ChatReply, ChatRequest, ToolCall, ToolModel, Turn
from recollect.domain.errors import RetryableError
from recollect.engine.systems.call_context import EmbedderProxy
from recollect.records.codec import encode
from recollect.records.digests import digest

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

T = TypeVar("T")
FailureMode = Literal["server_error", "prose", "empty_call"]
PROSE = "I am sorry, but I would rather tell you something about the weather, which is fine today."


@dataclass
class CallTally:
    """The calls of a memory's models."""

    ill: FailureMode | None = None
    behind: CallTally | None = None
    """Another tally whose replies are known here, too."""
    asked: list[str] = field(default_factory=list)
    """Digest of each prompt, or of each text to be embedded, in order."""
    paid: int = 0
    """Number of those that were new."""
    chats: int = 0
    """Calls of a chat model, those of tallies in front of this one included."""
    struck: int = 0
    """Calls that the failure mode changed."""
    _kept: dict[str, Any] = field(default_factory=dict)
    _lock: RLock = field(default_factory=RLock)

    def answer(self, prompt: Any, make: Callable[[], T]) -> T:
        """The result of *make*, or the earlier one for a prompt that was asked before."""
        return self.answer_all([prompt], lambda _: [make()])[0]

    def answer_all(self, prompts: Sequence[Any], make: Callable[[Sequence[int]], Sequence[T]]) -> list[T]:
        """As `answer`, for several prompts at once; *make* gets the indexes of the new ones."""
        with self._lock:
            keys = [self.begin(prompt) for prompt in prompts]
            unknown = {key: index for index, key in enumerate(keys) if not self.knows(key)}
            if unknown:
                for key, reply in zip(unknown, make(list(unknown.values())), strict=True):
                    self.keep(key, reply)
            return [self.known(key) for key in keys]

    def begin(self, prompt: Any) -> str:
        """Count *prompt*; returns its key."""
        key = digest(prompt)
        self.asked.append(key)
        if self.strikes("server_error"):
            error = RetryableError("the model's server answered HTTP 500 to every try", cause="server_error")
            context = current_context()
            if context is not None:
                context.note(key, error)
            raise error
        return key

    def note_chat(self) -> None:
        """Count a call of a chat model."""
        self.chats += 1
        if self.behind is not None:
            self.behind.note_chat()

    def knows(self, key: str) -> bool:
        """Whether there is a reply, here or behind."""
        return key in self._kept or (self.behind is not None and self.behind.knows(key))

    def known(self, key: str) -> Any:
        """The known reply; one from behind counts as paid for here."""
        if key not in self._kept and self.behind is not None:
            self.keep(key, self.behind.known(key))
        return self._kept[key]

    def keep(self, key: str, reply: Any) -> None:
        """Store a reply."""
        if key not in self._kept:
            self.paid += 1
            self._kept[key] = reply
        if self.behind is not None and not self.behind.knows(key):
            self.behind.keep(key, reply)

    def strikes(self, illness: FailureMode) -> bool:
        """Whether a call fails in mode *illness*; counts it."""
        if self.ill != illness:
            return False
        self.struck += 1
        return True


@dataclass(frozen=True, slots=True)
class RecordedChat:
    """A chat model whose calls are counted."""

    model: ChatModel
    tally: CallTally

    @property
    def fingerprint(self) -> str:
        return self.model.fingerprint

    def complete(
        self, turns: Sequence[Turn], *, max_tokens: int | None = None, schema: Mapping[str, Any] | None = None
    ) -> str:
        request = ChatRequest(turns=tuple(turns), max_tokens=max_tokens, schema=schema)
        self.tally.note_chat()
        if wants_json(request) and self.tally.strikes("prose"):
            return PROSE
        return self.tally.answer(
            encode(request), lambda: self.model.complete(turns, max_tokens=max_tokens, schema=schema)
        )


@dataclass(frozen=True, slots=True)
class RecordedTools(RecordedChat):
    """A model that takes tools, too."""

    def chat(self, request: ChatRequest) -> ChatReply:
        self.tally.note_chat()
        if wants_json(request) and self.tally.strikes("prose"):
            return ChatReply(text=PROSE, model=self.model.fingerprint)
        if request.tools and self.tally.strikes("empty_call"):
            empty = ToolCall(call_id="call-1", name=request.tools[0].name, arguments="")
            return ChatReply(text="", calls=(empty,), finish="tool_calls", model=self.model.fingerprint)
        return self.tally.answer(encode(request), lambda: cast("ToolModel", self.model).chat(request))


@dataclass(frozen=True, slots=True)
class RecordedEmbedder(EmbedderProxy):
    """An embedder whose texts are counted."""

    tally: CallTally

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        if not texts:
            return self.embedder.embed(texts)
        vectors = self.tally.answer_all(
            [{"text": text} for text in texts], lambda new: list(self.embedder.embed([texts[index] for index in new]))
        )
        return np.stack(vectors)


def recorded(model: ChatModel | None, tally: CallTally) -> RecordedChat | None:
    """*model* with its calls counted; it takes tools where the model does."""
    if model is None:
        return None
    return RecordedTools(model, tally) if hasattr(model, "chat") else RecordedChat(model, tally)


def wants_json(request: ChatRequest) -> bool:
    """Whether the reply must be JSON: there is a schema, or the prompt mentions JSON. Tools are optional."""
    return request.schema is not None or any("json" in turn.text.casefold() for turn in request.turns)
