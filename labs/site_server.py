"""The built site on 127.0.0.1, as a careful host would serve it: right types, its own 404 page, the strict policy.

Standard library only: `dev.py` uses it before anything is installed.
"""

from __future__ import annotations

import functools
import http.server
import os
import sys
from pathlib import Path

HOST = "127.0.0.1"
FIRST_PORT, PORTS_TRIED = 8000, 50
LAST_PORT = 65_535
NO_PAGE = "/no-such-page"
POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; object-src 'none'; base-uri 'self'"
)
"""The Content-Security-Policy that the site works under (`docs/*/hosting/` tells how to set it elsewhere)."""


class NoFreePortError(OSError):
    """None of the ports from `first` to `last` is free."""

    def __init__(self, first: int, last: int) -> None:
        super().__init__(f"no port from {first} to {last} is free")
        self.first = first
        self.last = last


class SiteHandler(http.server.SimpleHTTPRequestHandler):
    """Serves a folder under a prefix (it starts and ends with a slash)."""

    protocol_version = "HTTP/1.1"
    prefix = "/"
    policy: str | None = POLICY
    extensions_map = {  # noqa: RUF012 (the base class's name)
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".css": "text/css",
        ".html": "text/html; charset=utf-8",
        ".js": "text/javascript",
        ".json": "application/json",
        ".mjs": "text/javascript",
        ".svg": "image/svg+xml",
        ".wasm": "application/wasm",
    }

    def translate_path(self, path: str) -> str:
        """The file behind a path; what is not under the prefix is no page."""
        within = path[len(self.prefix) - 1 :] if path.startswith(self.prefix) else NO_PAGE
        file = super().translate_path(within)
        return file if "\0" not in file else super().translate_path(NO_PAGE)  # no file has such a name

    def end_headers(self) -> None:
        """Adds what a host should send with every answer."""
        self.send_header("Cache-Control", "no-cache")
        if self.policy is not None:
            self.send_header("Content-Security-Policy", self.policy)
        super().end_headers()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answers with the site's own 404 page where a page is missing."""
        page = Path(self.directory) / "404.html"
        if code != 404 or not page.is_file():
            super().send_error(code, message, explain)
            return
        body = page.read_bytes()
        self.send_response(404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Says nothing: the page's own console tells what failed."""


class SiteServer(http.server.ThreadingHTTPServer):
    """A web server on 127.0.0.1; on Windows, address reuse would take a port that another program has."""

    allow_reuse_address = os.name != "nt"
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Passes over a browser that hangs up in the middle of an answer, as it does when a page is left."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


def site_server(
    directory: Path,
    port: int,
    prefix: str = "/",
    *,
    policy: str | None = POLICY,
    handler: type[SiteHandler] = SiteHandler,
) -> SiteServer:
    """A server of that folder under that prefix, with that policy (None: none).

    Port 0 is any free one. Raises OSError where the port is taken.
    """
    configured = type("ConfiguredSiteHandler", (handler,), {"prefix": prefix, "policy": policy})
    return SiteServer((HOST, port), functools.partial(configured, directory=str(directory)))


def on_free_port(
    directory: Path,
    first: int = FIRST_PORT,
    tried: int = PORTS_TRIED,
    handler: type[SiteHandler] = SiteHandler,
) -> SiteServer:
    """A server on the first free port of `tried` from `first` on. Raises NoFreePortError."""
    last = min(first + tried - 1, LAST_PORT)
    for candidate in range(first, last + 1):
        try:
            return site_server(directory, candidate, handler=handler)
        except (OSError, OverflowError):
            continue
    raise NoFreePortError(first, last)
