"""What holds for every test: no socket leaves loopback, and the same seeds everywhere."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("all", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("all")


@pytest.fixture(autouse=True)
def _loopback_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test that reaches for the network fails."""
    real = socket.socket.connect

    def connect(self: socket.socket, address: Any) -> None:
        host = address[0] if isinstance(address, tuple) else "unix"
        if host not in {"127.0.0.1", "localhost", "::1", "unix"}:
            raise AssertionError(f"a test reached for the network: {address!r}")
        real(self, address)

    monkeypatch.setattr(socket.socket, "connect", connect)


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real source data."""
    folder = os.environ.get("RECOLLECT_DATA")
    if not folder:
        pytest.skip("RECOLLECT_DATA is not set")
    return Path(folder).resolve()
