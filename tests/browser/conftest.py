"""Fixtures for tests that open the built site as a reader does.

A test takes `page` (an empty tab) or `open_tab` (to choose language, colours, size or "no script"), and
`site_url` or `site_url_under_path`. One that doesn't ask how Python starts takes `show` instead of `page`, and
waits seconds less; one that needs no Python at all takes `page_as_built`, or `open_tab` with `saves_data`.
Whatever the browser complains about during the test, in a page or in a worker, and every request that leaves the
site's origin, fails the test at its end. A test that provokes a complaint reads and clears `complaints`.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    Response,
    Route,
    ViewportSize,
    sync_playwright,
)

from labs import site_server
from tests.browser.lab_page import PATIENCE_MS
from tests.browser.warm_tab import WarmTab
from tools import site
from tools.chromium import find_chromium

SUBPATH = "/docs/gpu-sharing-labs/"
CHROMIUM_ARGUMENTS = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
    # Python starts in most tests and then does little: to compile it once more, better, costs more than it brings.
    "--js-flags=--liftoff-only",
    # No name resolves: a request that the route below did not see fails all the same.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]
LOCAL_SCHEMES = {"about", "blob", "data", "file"}  # to an http page, the browser itself refuses files

OpenTab = Callable[..., Page]
SAVES_DATA = "Object.defineProperty(navigator, 'connection', {value: {saveData: true}})"
WINDOW: ViewportSize = {"width": 1280, "height": 900}


@pytest.fixture(scope="session")
def site_dir() -> Path:
    """The built site, built now if a file that it is made from has changed since."""
    return site.ensure()


@contextmanager
def served(directory: Path, prefix: str, policy: str | None = site_server.POLICY) -> Iterator[str]:
    server = site_server.site_server(directory, port=0, prefix=prefix, policy=policy)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}{prefix}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture(scope="session")
def site_url(site_dir: Path) -> Iterator[str]:
    """The address of the site at the root of its host; it ends with a slash."""
    with served(site_dir, "/") as url:
        yield url


@pytest.fixture(scope="session")
def site_url_under_path(site_dir: Path) -> Iterator[str]:
    """The address of the same site below a path of its host; it ends with a slash."""
    with served(site_dir, SUBPATH) as url:
        yield url


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests, the one that `dev.py test` found or installed."""
    executable = find_chromium()
    if executable is None:
        pytest.fail("There is no Chromium: run the tests with python3 dev.py test, which installs one.")
    as_root = hasattr(os, "geteuid") and os.geteuid() == 0
    arguments = CHROMIUM_ARGUMENTS + (["--no-sandbox"] if as_root else [])
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=executable, args=arguments)
        yield chromium
        chromium.close()


@pytest.fixture
def complaints() -> Iterator[list[str]]:
    """What the browser complained about so far, a sentence each; what is left at the end fails the test."""
    found: list[str] = []
    yield found
    assert found == []


@pytest.fixture
def open_tab(browser: Browser, complaints: list[str]) -> Iterator[OpenTab]:
    """Opens a fresh tab without history or storage; keywords are those of Playwright's `new_context`.

    With `saves_data` it is that of a reader who saves data, for whom no lab loads Python before it is touched: for tests
    of what a page looks like, which need not wait for it.
    """
    contexts: list[BrowserContext] = []

    def open_one(*, saves_data: bool = False, **options: Any) -> Page:
        context = browser.new_context(**options)
        if saves_data:
            context.add_init_script(SAVES_DATA)
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        watch(context, complaints)
        return context.new_page()

    yield open_one
    for context in contexts:
        context.close()


@pytest.fixture
def page(open_tab: OpenTab) -> Page:
    return open_tab(viewport=WINDOW)


@pytest.fixture
def page_as_built(open_tab: OpenTab) -> Page:
    """An empty tab in which no lab loads Python before it is touched."""
    return open_tab(viewport=WINDOW, saves_data=True)


@pytest.fixture(scope="session")
def warm_tab(browser: Browser) -> Iterator[WarmTab]:
    """The tab in which Python stays, one for all tests of a process."""

    def new_page(complaints: list[str]) -> Page:
        context = browser.new_context(viewport=WINDOW, permissions=["clipboard-read", "clipboard-write"])
        context.set_default_timeout(PATIENCE_MS)
        watch(context, complaints)
        return context.new_page()

    tab = WarmTab(new_page)
    yield tab
    tab.close()


@pytest.fixture
def show(
    warm_tab: WarmTab, complaints: list[str], request: pytest.FixtureRequest
) -> Iterator[Callable[[str], Page]]:
    """Shows the page of an address as first seen, but for Python, which runs already, and for what is around `main`.

    For tests of what a lab answers. How it starts, storage, links, languages and crashes need a `page` of their own.
    """
    failures = request.session.testsfailed
    yield warm_tab.show
    if warm_tab.complaints or request.session.testsfailed != failures:
        warm_tab.close()
    complaints += warm_tab.complaints
    warm_tab.complaints.clear()


def watch(context: BrowserContext, complaints: list[str]) -> None:
    """Records errors of console, scripts and server, and stops and records what would leave 127.0.0.1."""

    def keep_on_origin(route: Route, request: Request) -> None:
        address = urlsplit(request.url)
        if address.hostname == "127.0.0.1" or address.scheme in LOCAL_SCHEMES:
            route.continue_()
        else:
            complaints.append(f"a request left the origin: {request.url}")
            route.abort("aborted")

    def keep_console_error(message: ConsoleMessage) -> None:
        # What did not load is recorded below, for workers too, of which the console says nothing.
        if message.type == "error" and not message.text.startswith("Failed to load resource"):
            complaints.append(f"console: {message.text} ({message.location.get('url', '')})")

    def keep_refusal(response: Response) -> None:
        if response.status >= 400:
            complaints.append(f"answered {response.status}: {response.url}")

    def keep_failure(request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # aborted: by us above, or since the page was left
            complaints.append(f"not answered, {request.failure}: {request.url}")

    context.route("**/*", keep_on_origin)
    context.on("console", keep_console_error)
    context.on("response", keep_refusal)
    context.on("requestfailed", keep_failure)
    context.on("weberror", lambda error: complaints.append(f"script: {error.error}"))
