"""The harness's reader: a chat model with the prompts of the benchmark."""

from __future__ import annotations

from dataclasses import replace
from string import Template

from recollect.contracts.models import ChatModel, Turn
from recollect.contracts.reading import Prompt
from recollect.domain.errors import ConfigError
from recollect.domain.exchange import Context, Reply
from recollect.domain.questions import Question
from recollect.metrics.parsing import visible

VERSION = 1


class ModelReader:
    """Answers from a context by the calls of a prompt, mostly one; may be used by several threads at once."""

    def __init__(self, model: ChatModel, window_tokens: int) -> None:
        self._model = model
        self._window_tokens = window_tokens

    @property
    def fingerprint(self) -> str:
        """Version of the reader, and the model."""
        return f"model-reader-{VERSION}+{self._model.fingerprint}"

    @property
    def window_tokens(self) -> int:
        """The model's context window, prompt and context together."""
        return self._window_tokens

    def read(self, context: Context, question: Question, prompt: Prompt) -> Reply:
        """The model's last reply as it came; whether it declines to answer is for the judge to say.

        Of a prompt of several calls, each but the first has the visible part of the reply before it as its context.

        Raises:
            ConfigError: The prompt asks for a value that the question does not have.
            CallError: The model failed.
        """
        text = ""
        for call in prompt.calls:
            turn = Turn(role="user", text=fill(call, context, question))
            text = self._model.complete([turn], max_tokens=question.output_tokens)
            context = replace(context, text=visible(text))
        return Reply(text=text)


def fill(prompt: Prompt, context: Context, question: Question) -> str:
    """The prompt as the model reads it; of one of several calls the last.

    Raises:
        ConfigError: Placeholders without a value; all of them are listed.
    """
    values = {
        **question.variables,
        "context": context.text,
        "question": question.text,
        "options": "\n".join(f"{option.letter}. {option.text}" for option in question.options),
        "asked_at": question.asked_at or "",
        "template": "\n".join(f"{name}: {meaning}" for name, meaning in question.template.items()),
        "items": "" if question.items is None else str(question.items),
    }
    template = Template(prompt.text)
    missing = sorted(set(template.get_identifiers()) - values.keys())
    if missing:
        raise ConfigError(f"prompt `{prompt.name}`", [f"question has no value for `${name}`" for name in missing])
    return template.safe_substitute(values)
