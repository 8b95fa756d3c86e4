"""A real browser for tests: headless Chromium of the distribution, over its own pipe.

Nothing but the standard library: the protocol is JSON with a zero byte behind each message.
"""

from __future__ import annotations

import base64
import fcntl
import itertools
import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
_PATIENCE = 20.0


def find_browser() -> str | None:
    """Return the browser that ``$OMNI_PORT_BROWSER`` names, or the first that is installed."""
    named = os.environ.get("OMNI_PORT_BROWSER")
    return named or next(filter(None, map(shutil.which, NAMES)), None)


@dataclass
class Page:
    """A page in the browser; *errors* is what its console complains of."""

    reading: int
    writing: int
    errors: list[str] = field(default_factory=list)
    _numbers: Iterator[int] = field(default_factory=itertools.count)
    _rest: bytes = b""
    _session: str = ""
    _events: set[str] = field(default_factory=set)

    def call(self, method: str, **params: object) -> dict[str, Any]:
        """Call a method of the browser's protocol, and return its result."""
        number = next(self._numbers)
        message: dict[str, object] = {"id": number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self.writing, json.dumps(message).encode() + b"\0")
        while True:
            found = self._read()
            if found.get("id") == number:
                assert "error" not in found, found["error"]
                result: dict[str, Any] = found["result"]
                return result

    def start(self) -> None:
        """Open an empty page."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def open(self, path: Path, *, fragment: str = "") -> float:
        """Load the file *path*; return the seconds that it took. Earlier errors are forgotten."""
        # From one place of a page to another nothing would be loaded.
        self._load("about:blank")
        self.call("Runtime.evaluate", expression="1")
        self.errors.clear()
        began = time.perf_counter()
        self._load(path.as_uri() + fragment)
        return time.perf_counter() - began

    def _load(self, url: str) -> None:
        self._events.clear()
        self.call("Page.navigate", url=url)
        while "Page.loadEventFired" not in self._events:
            self._read()

    def evaluate(self, script: str) -> Any:
        """Return the value of an expression in the page."""
        found = self.call(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def press(self, key: str) -> None:
        """Press a key as a person does."""
        text = {"text": key} if len(key) == 1 else {}
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, **text)

    def size(self, width: int, height: int) -> None:
        """Let the window have this size."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.call("Emulation.setDeviceMetricsOverride", **size)

    def picture(self, path: Path) -> None:
        """Write a PNG of what is seen of the page."""
        data = self.call("Page.captureScreenshot", format="png", optimizeForSpeed=False)["data"]
        path.write_bytes(base64.b64decode(data))

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self.reading], [], [], _PATIENCE)
            assert ready, "the browser says nothing"
            more = os.read(self.reading, 1 << 16)
            assert more, "the browser went away"
            self._rest += more
        message, _, self._rest = self._rest.partition(b"\0")
        found: dict[str, Any] = json.loads(message)
        self._note(found.get("method", ""), found.get("params", {}))
        return found

    def _note(self, method: str, params: dict[str, Any]) -> None:
        self._events.add(method)
        if method == "Runtime.exceptionThrown":
            self.errors.append(str(params["exceptionDetails"]))
        elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            self.errors.append(params["entry"]["text"])
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning"):
            self.errors.append(str(params["args"]))
        elif method == "Network.requestWillBeSent":
            url = params["request"]["url"]
            if not url.startswith(("file:", "about:", "data:")):
                self.errors.append(f"asked the network for {url}")


@contextmanager
def browsing(browser: str, folder: Path) -> Iterator[Page]:
    """Start *browser* with a profile in *folder*, and give a page of it."""
    to_browser, from_browser = os.pipe(), os.pipe()
    command = [
        browser,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        "--remote-debugging-pipe",
        f"--user-data-dir={folder}",
    ]
    # The browser reads file 3 and writes file 4.
    given = (to_browser[0], from_browser[1])
    ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in given]
    script = f'exec 3<&{ends[0]} 4>&{ends[1]}; exec "$@"'
    process = subprocess.Popen(
        ["bash", "-c", script, "bash", *command],
        pass_fds=ends,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    for end in (*given, *ends):
        os.close(end)
    page = Page(from_browser[0], to_browser[1])
    try:
        page.start()
        yield page
    finally:
        os.close(to_browser[1])
        process.terminate()
        process.wait(_PATIENCE)
        os.close(from_browser[0])
