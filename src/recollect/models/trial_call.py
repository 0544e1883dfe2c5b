"""One real call to every model before a run begins: a model that does not work must not cost a run."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from recollect.contracts.models import ChatRequest, Turn
from recollect.contracts.occasion import Occasion, on
from recollect.domain.errors import MalformedError
from recollect.models.endpoints import EndpointChat, EndpointEmbedder

ASKED = "This is a test of the connection. Reply with the single word: ready"
TEXTS = ("The train leaves at nine.", "Her favourite fruit is the pear.")
STAGE = "probe"


def try_all(models: Iterable[EndpointChat | EndpointEmbedder]) -> None:
    """Call each model once; a reply from the cache would prove nothing.

    Raises:
        CallError: One of them does not do what it is needed for; the message names it.
    """
    for model in models:
        with on(Occasion(stage=STAGE)):
            if isinstance(model, EndpointChat):
                _try_chat(model)
            else:
                _try_embedder(model)


def _try_chat(model: EndpointChat) -> None:
    request = ChatRequest(turns=(Turn(role="user", text=ASKED),))
    reply = model.client.call(model.job(request, kept=False))
    if not reply.text.strip():
        raise MalformedError(
            f"{model.role} `{model.settings.model}` ({model.settings.endpoint}) replied to the trial call without "
            f"text (it ended by `{reply.finish}`). Give it `thinking_tokens`, or name another model.",
            cause="empty_choice",
        )


def _try_embedder(model: EndpointEmbedder) -> None:
    first, second = model.embed(TEXTS)
    if np.allclose(first, second, atol=1e-4):
        raise MalformedError(
            f"{model.role} `{model.settings.model}` ({model.settings.endpoint}) gives two different texts the same "
            "vector. Name another model.",
            cause="bad_vector",
        )
