"""From an HTTP request to a reply: authentication, routes and errors."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

from aiohttp import web

from recollect.contracts.call_context import in_context
from recollect.contracts.gateway import BadRequestError, Body, CallSource, ChatService, EmbeddingService
from recollect.domain.errors import (
    CallError,
    InterruptedRunError,
    OverBudgetError,
    RefusedError,
    RetryableError,
    UsageError,
)
from recollect.gateway.chat_stream import streamed_chat
from recollect.gateway.embeddings import read_request
from recollect.gateway.responses import chat_of, response_of, streamed_response

_JSON = {"Content-Type": "application/json"}
_EVENTS = {"Content-Type": "text/event-stream", "Cache-Control": "no-cache"}
_STREAM_FIELDS = frozenset({"stream", "stream_options"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Routes:
    """The routes, and the tokens that may use them."""

    chatting: ChatService
    embedding: EmbeddingService
    works: Mapping[str, CallSource]

    async def handle(self, request: web.BaseRequest) -> web.Response:
        """The reply; every error becomes an error object."""
        try:
            scheme, _, token = request.headers.get("Authorization", "").partition(" ")
            work = self.works.get(token.strip()) if scheme.lower() == "bearer" else None
            if work is None:
                problem = "there is no such token, or its system was closed" if token else "there is no token"
                message = f"{problem}. Send `Authorization: Bearer TOKEN` with the token of this run."
                raise BadRequestError(message, status=401, code="invalid_api_key")
            return await self._routed(request, work)
        except Exception as error:  # noqa: BLE001  # the caller gets it; a run knows it from the call's context
            status, body = error_body(error)
            return web.Response(status=status, body=json.dumps(body).encode(), headers={**_JSON, **NO_RETRY})

    async def _routed(self, request: web.BaseRequest, work: CallSource) -> web.Response:
        path = request.path.rstrip("/").removeprefix("/v1")
        if path.startswith("/models"):
            return self._models(path)
        answers: Mapping[str, Callable[[Body], Awaitable[web.Response]]] = {
            "/chat/completions": self._chat,
            "/responses": self._response,
            "/embeddings": self._embed,
        }
        if path not in answers:
            known = ", ".join(f"/v1{name}" for name in (*answers, "/models"))
            raise BadRequestError(f"there is nothing at `{request.path[:80]}`. Served: {known}.", status=404)
        if request.method != "POST":
            raise BadRequestError(f"`{path}` takes POST, not {request.method}.", status=405)
        try:
            body = json.loads(await request.read())
        except (ValueError, RecursionError) as error:
            raise BadRequestError(f"the request is not JSON ({error}).") from None
        if not isinstance(body, dict):
            raise BadRequestError(f"the request is a JSON {type(body).__name__}, not an object.")
        context = work.occasion()
        with in_context(context) if context is not None else nullcontext():
            return await answers[path](body)

    async def _chat(self, body: Body) -> web.Response:
        turns = body.get("messages")
        if not isinstance(turns, list) or not turns or not all(isinstance(turn, dict) for turn in turns):
            raise BadRequestError("chat: `messages` is a list of messages, at least of one.")
        raw = await self.chatting.chat({name: value for name, value in body.items() if name not in _STREAM_FIELDS})
        if not body.get("stream"):
            return _whole(raw)
        options = body.get("stream_options")
        counted = isinstance(options, dict) and bool(options.get("include_usage"))
        return _events(streamed_chat(json.loads(raw), counted=counted))

    async def _response(self, body: Body) -> web.Response:
        chat = chat_of(body)
        response = response_of(json.loads(await self.chatting.chat(chat)), body)
        if body.get("stream"):
            return _events(streamed_response(response))
        return _whole(json.dumps(response, ensure_ascii=False).encode())

    async def _embed(self, body: Body) -> web.Response:
        texts, dimensions, packed = read_request(body)
        return _whole(await self.embedding.embed(texts, dimensions, packed=packed))

    def _models(self, path: str) -> web.Response:
        names = dict.fromkeys((self.chatting.model, self.embedding.model))
        models = [{"id": name, "object": "model", "created": 0, "owned_by": "recollect"} for name in names]
        wanted = path.removeprefix("/models").lstrip("/")
        if not wanted:
            return _whole(json.dumps({"object": "list", "data": models}).encode())
        return _whole(json.dumps({**models[0], "id": wanted}).encode())  # any name is answered by the model of the run


def _whole(raw: bytes) -> web.Response:
    return web.Response(body=raw, headers=_JSON)


def _events(events: Iterable[str]) -> web.Response:
    return web.Response(body="".join(events).encode(), headers=_EVENTS)


NO_RETRY = {"x-should-retry": "false"}
"""The call was retried already; SDKs that know the header do not retry it again."""
_TYPES: Mapping[int, str] = {400: "invalid_request_error", 401: "authentication_error", 429: "rate_limit_error"}


def status_of(error: Exception) -> tuple[int, str]:
    """The HTTP status of *error*, and a short code for it."""
    if isinstance(error, BadRequestError):
        return error.status, error.code
    if isinstance(error, OverBudgetError):
        return 402, "over_budget"
    if isinstance(error, InterruptedRunError):
        return 503, "interrupted"
    cause = error.cause if isinstance(error, CallError) else ""
    if isinstance(error, RetryableError) and cause == "rate_limited":
        return 429, cause
    if isinstance(error, RefusedError | UsageError):
        return 400, cause or "refused"
    return 500, cause or type(error).__name__


def error_body(error: Exception) -> tuple[int, Mapping[str, Any]]:
    """Status and body for *error*. Of an unknown error only the name is sent: its message may contain anything."""
    from recollect.domain.errors import RecollectError

    status, code = status_of(error)
    message = str(error) if isinstance(error, RecollectError) else f"the gateway broke: {type(error).__name__}"
    kind = _TYPES.get(status, "api_error")
    return status, {"error": {"message": message, "type": kind, "param": None, "code": code}}
