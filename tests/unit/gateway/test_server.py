"""The server: who may call, what is served, and what a caller is told when it cannot be."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from recollect.contracts.memory import Access
from recollect.domain.errors import UsageError
from recollect.gateway.embeddings import EmbedderEmbedding, NoEmbedding
from recollect.gateway.server import GatewayServer
from recollect.offline.completions import OfflineChatting

from tests.fakes.gateway_calls import CountedEmbedder, Doing, call, chat

TURNS = [{"role": "user", "content": "Hello"}]


@pytest.fixture
def gateway() -> Iterator[GatewayServer]:
    """Rules behind a server."""
    gateway = GatewayServer(OfflineChatting(), EmbedderEmbedding(CountedEmbedder()))
    yield gateway
    gateway.shut()


@pytest.fixture
def access(gateway: GatewayServer) -> Access:
    """A system's access to it."""
    return gateway.open(Doing())


@pytest.mark.parametrize("token", ["", "sk-of-somebody-else", "é"])
def test_without_its_token_nothing_is_answered(access: Access, token: str) -> None:
    """Neither a chat nor the list of models."""
    for path, body in (("/models", None), ("/chat/completions", {"messages": TURNS})):
        got = call(access, path, body, token=token)
        assert (got.status, got.error["code"]) == (401, "invalid_api_key")


def test_a_token_ends_when_it_is_closed_and_others_hold(gateway: GatewayServer, access: Access) -> None:
    """Each system has its own."""
    other = gateway.open(Doing())
    gateway.close(access.token)
    gateway.close(access.token)
    assert chat(access, "Hello").status == 401
    assert chat(other, "Hello").status == 200
    assert access.token != other.token
    assert access.base_url == other.base_url


def test_the_token_is_not_shown_where_an_access_is_printed(access: Access) -> None:
    """Accesses stand in rooms, and rooms in tracebacks."""
    assert access.token not in repr(access)


def test_it_listens_on_loopback_alone(access: Access) -> None:
    """Another machine finds nobody."""
    assert access.base_url.startswith("http://127.0.0.1:")
    port = int(access.base_url.split(":")[2].partition("/")[0])
    addresses = {str(one[4][0]) for one in socket.getaddrinfo(socket.gethostname(), port, socket.AF_INET)}
    for address in addresses - {"127.0.0.1"}:
        with socket.socket() as other:
            other.bind((address, port))  # taken if the server listened there


def test_it_stops_and_frees_its_port_and_can_start_again(gateway: GatewayServer, access: Access) -> None:
    """Also when it was never started."""
    gateway.shut()
    gateway.shut()
    with pytest.raises(ConnectionError):
        chat(access, "Hello")
    assert chat(gateway.open(Doing()), "Hello").status == 200


def test_a_taken_port_is_told_before_anything_is_served() -> None:
    """With the port."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        gateway = GatewayServer(OfflineChatting(), NoEmbedding("none"), port=port)
        with pytest.raises(UsageError, match=str(port)):
            gateway.open(Doing())
        gateway.shut()


@pytest.mark.parametrize(
    ("path", "body", "method", "status", "said"),
    [
        ("/completions", {"prompt": "x"}, "", 404, "/v1/chat/completions"),
        ("/chat/completions", None, "GET", 405, "POST"),
        ("/chat/completions", b"{", "", 400, "not JSON"),
        ("/chat/completions", b"[1]", "", 400, "not an object"),
        ("/chat/completions", {"model": "x"}, "", 400, "messages"),
        ("/chat/completions", {"messages": []}, "", 400, "messages"),
        ("/chat/completions", {"messages": ["hello"]}, "", 400, "messages"),
        ("/embeddings", {"input": [[1, 2]]}, "", 400, "tokens are not taken"),
        ("/embeddings", {"input": [], "dimensions": 0, "encoding_format": "hex"}, "", 400, "hex"),
        ("/responses", {"input": "x", "previous_response_id": "resp_1"}, "", 400, "previous_response_id"),
    ],
)
def test_what_cannot_be_served_is_told_with_the_reason(
    access: Access, path: str, body: object, method: str, status: int, said: str
) -> None:
    """As an error object, and with the mark that another try is no use."""
    got = call(access, path, body, method=method)
    assert (got.status, got.headers["x-should-retry"]) == (status, "false")
    assert said in got.error["message"]


def test_all_problems_of_a_request_are_told_at_once(access: Access) -> None:
    """So that one try is enough to mend them."""
    got = call(access, "/embeddings", {"input": 7, "dimensions": -1, "encoding_format": "hex"})
    assert all(word in got.error["message"] for word in ("`input`", "`dimensions`", "`encoding_format`"))


def test_models_are_listed_and_any_name_is_known(access: Access) -> None:
    """Systems look their model up before they call it."""
    listed = [model["id"] for model in call(access, "/models").body["data"]]
    assert listed == ["recollect-rules", "recollect-embedder"]
    assert call(access, "/models/gpt-5/of-tomorrow").body["id"] == "gpt-5/of-tomorrow"


def test_the_path_works_without_its_version_too(access: Access) -> None:
    """Some systems add `/v1` themselves, some leave it out."""
    bare = Access(base_url=access.base_url.removesuffix("/v1"), token=access.token)
    assert chat(bare, "Hello").status == 200


@pytest.mark.full
def test_a_prompt_of_many_megabytes_is_taken(access: Access) -> None:
    """Whole histories are."""
    assert chat(access, "word " * 1_000_000 + "Hello").status == 200


def test_a_bug_behind_it_is_told_by_its_name_alone(gateway: GatewayServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its message may hold anything."""

    async def broken(self: OfflineChatting, body: object) -> bytes:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr(OfflineChatting, "chat", broken)
    got = chat(gateway.open(Doing()), "Hello")
    assert (got.status, got.error["code"]) == (500, "ZeroDivisionError")
    assert "secret" not in got.error["message"]


def test_many_systems_call_at_once(gateway: GatewayServer) -> None:
    """Each gets the answer to its own question."""
    accesses = [gateway.open(Doing()) for _ in range(8)]

    def asked(number: int) -> str:
        text = f"Summarize this. Content: I bought {number} pears on Monday."
        return chat(accesses[number % 8], text).text

    with ThreadPoolExecutor(16) as pool:
        said = list(pool.map(asked, range(64)))
    assert all(f"{number} pears" in text for number, text in enumerate(said))
