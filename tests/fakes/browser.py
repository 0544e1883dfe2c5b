"""A headless browser that a test steers: it opens pages, presses keys and asks what became of them."""

from __future__ import annotations

import asyncio
import subprocess
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import aiohttp

T = TypeVar("T")

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PATIENCE = 30.0
"""Seconds until what is waited for must have come."""
KEYS = {"Enter": 13, "Escape": 27, "Tab": 9}


class Tab:
    """One page of the browser."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket, self._calls = socket, 0

    async def call(self, method: str, **told: object) -> Any:
        """What the browser says to a command of its protocol."""
        self._calls += 1
        mine = self._calls
        await self._socket.send_json({"id": mine, "method": method, "params": told})
        while True:
            said = await self._socket.receive_json(timeout=PATIENCE)
            if said.get("id") == mine:
                assert "error" not in said, said["error"]
                return said["result"]

    async def value(self, expression: str) -> Any:
        """The value of a script's expression, which the page's policy does not concern."""
        said = await self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in said, said["exceptionDetails"]
        return said["result"].get("value")

    async def until(self, expression: str) -> None:
        """Wait until *expression* holds.

        Raises:
            TimeoutError: It does not come to that.
        """
        end = time.monotonic() + PATIENCE
        while not await self.value(f"Boolean({expression})"):
            if time.monotonic() > end:
                raise TimeoutError(f"never came: {expression}")
            await asyncio.sleep(0.02)

    async def open(self, page: Path, place: str = "") -> None:
        """Load *page* anew and wait until its script has run."""
        await self.call("Page.navigate", url="about:blank")
        await self.until("location.href === 'about:blank'")
        await self.call("Page.navigate", url=page.as_uri() + place)
        await self.until("location.protocol === 'file:' && document.readyState === 'complete'")

    async def size(self, width: int, height: int = 900, *, media: str = "", scheme: str = "light") -> None:
        """Be so large, and draw for screen or print in a light or dark scheme."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        await self.call("Emulation.setDeviceMetricsOverride", **metrics)
        wanted = [{"name": "prefers-color-scheme", "value": scheme}]
        await self.call("Emulation.setEmulatedMedia", media=media, features=wanted)

    async def press(self, *keys: str) -> None:
        """One after the other: letters, and keys by their names."""
        for key in keys:
            text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
            told = {"key": key, "windowsVirtualKeyCode": KEYS.get(key, 0)}
            await self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **told)
            await self.call("Input.dispatchKeyEvent", type="keyUp", **told)


def drive(browser: str, act: Callable[[Tab], Awaitable[T]]) -> T:
    """What *act* gives, in a browser of its own."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        wanted = ["--remote-debugging-port=0", f"--user-data-dir={profile}", "about:blank"]
        quiet = subprocess.DEVNULL
        with subprocess.Popen([browser, *FLAGS, *wanted], stdout=quiet, stderr=quiet) as running:
            try:
                return asyncio.run(_steered(_port(Path(profile)), act))
            finally:
                running.terminate()


async def _steered(port: str, act: Callable[[Tab], Awaitable[T]]) -> T:
    async with aiohttp.ClientSession() as session:
        async with session.get(f"http://127.0.0.1:{port}/json") as reply:
            pages = [one for one in await reply.json() if one["type"] == "page"]
        async with session.ws_connect(pages[0]["webSocketDebuggerUrl"], max_msg_size=0) as socket:
            tab = Tab(socket)
            await tab.call("Page.enable")
            return await act(tab)


def _port(profile: Path) -> str:
    told = profile / "DevToolsActivePort"
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if told.exists() and "\n" in told.read_text():
            return told.read_text().split()[0]
        time.sleep(0.05)
    raise TimeoutError("the browser did not start")
