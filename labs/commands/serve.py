"""`gpulab serve`: the built site on 127.0.0.1, for reading it without a network."""

from __future__ import annotations

import argparse
import functools
import http.server
import sys
from pathlib import Path

from labs.commands.terminal import FINE, InputError, Terminal

FIRST_PORT, PORTS_TRIED = 8000, 100
HOST = "127.0.0.1"


def add_arguments(parser: argparse.ArgumentParser, terminal: Terminal) -> None:
    """Declares the command's arguments."""
    text = terminal.messages.text
    parser.add_argument("--site", default="site", metavar="DIR", help=text("cli.help.site"))
    parser.add_argument("--port", type=int, help=text("cli.help.port", first=str(FIRST_PORT)))


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """Serves until interrupted."""
    folder = Path(options.site)
    if not (folder / "index.html").is_file():
        raise InputError(terminal.messages.text("cli.no-site", path=str(folder)))
    with open_server(folder, options.port, terminal) as server:
        address = f"http://{HOST}:{server.server_address[1]}/"
        sys.stdout.write(terminal.messages.text("cli.serving", address=address) + "\n")
        sys.stdout.flush()
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            return FINE
    return FINE


def open_server(folder: Path, port: int | None, terminal: Terminal) -> http.server.ThreadingHTTPServer:
    """A server on the port, or on the first free one from FIRST_PORT on.

    Raises InputError where none is free.
    """
    ports = range(FIRST_PORT, FIRST_PORT + PORTS_TRIED) if port is None else (port,)
    handler = functools.partial(_Quiet, directory=str(folder))
    for candidate in ports:
        try:
            return http.server.ThreadingHTTPServer((HOST, candidate), handler)
        except (OSError, OverflowError):
            continue
    raise InputError(terminal.messages.text("cli.port-taken", port=str(ports[0])))


class _Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files and tells nobody."""

    extensions_map = http.server.SimpleHTTPRequestHandler.extensions_map | {
        ".js": "text/javascript",
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the base class's name)
        """No line per request."""
