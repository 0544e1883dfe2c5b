"""Puts the models of a run behind a server, for systems that call them over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recollect.cli.models import Supplies
    from recollect.contracts.gateway import ChatService, EmbeddingService, Gateway
    from recollect.contracts.models import ChatModel
    from recollect.gateway.server import GatewayServer


def gateway_of(supplies: Supplies, *, port: int = 0) -> GatewayServer:
    """A server for the model and the embedder of a run; it starts with the first system that opens it."""
    from recollect.gateway.server import GatewayServer

    return GatewayServer(chatting_of(supplies.model), embedding_of(supplies), port=port)


def chatting_of(model: ChatModel | None) -> ChatService:
    """Who answers chats: the model of an endpoint, else rules."""
    from recollect.models.endpoints import EndpointChat

    if isinstance(model, EndpointChat):
        from recollect.gateway.endpoint import EndpointChatting

        return EndpointChatting(model)
    from recollect.offline.completions import OfflineChatting

    return OfflineChatting()


def embedding_of(supplies: Supplies) -> EmbeddingService:
    """Who embeds; where nobody can, one who says why."""
    from recollect.gateway.embeddings import EmbedderEmbedding, NoEmbedding

    if supplies.embedder is None:
        return NoEmbedding(str(supplies.missing or "this run has no embedder"))
    return EmbedderEmbedding(supplies.embedder)


@contextmanager
def serving(gateway: Gateway | None) -> Iterator[None]:
    """Inside the block systems can call models over HTTP; then the server is stopped."""
    try:
        yield
    finally:
        if gateway is not None:
            gateway.shut()
