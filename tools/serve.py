"""`dev.py serve`: the site on 127.0.0.1, built again whenever a file that it is made from changes."""

from __future__ import annotations

import argparse
import contextlib
import threading
import time
from pathlib import Path

from labs import site_server
from tools import paths, site
from tools.command import Command
from tools.process import Failure, say


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--port", type=int, default=8000, help="first port to try, then the next free one (8000)"
    )


def serve_on_free_port(first: int) -> site_server.SiteServer:
    """A server on the first free port from that one on; says so where it is another."""
    try:
        server = site_server.on_free_port(paths.SITE, first)
    except site_server.NoFreePortError as error:
        raise Failure(
            f"No port from {error.first} to {error.last} is free: give another with --port."
        ) from None
    if server.server_port != first:
        say(f"Port {first} is taken, so the site is on the next free one, {server.server_port}.")
    return server


def _perform(arguments: argparse.Namespace) -> int:
    site.ensure()
    server = serve_on_free_port(arguments.port)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    say(f"The site is at http://127.0.0.1:{server.server_port}/ and follows your changes; Ctrl-C ends it.")
    seen = modification_times()
    with contextlib.suppress(KeyboardInterrupt):
        while True:
            time.sleep(1)
            now = modification_times()
            if now == seen:
                continue
            seen = now
            try:
                site.build()
                say("Built again: reload the page.")
            except Failure as failure:
                say(f"dev.py: {failure} The last good site stays.")
    return 0


def modification_times() -> dict[Path, int]:
    """When each file that the site is made from was last written."""
    times = {}
    for path in site.inputs():
        with contextlib.suppress(FileNotFoundError):
            times[path] = path.stat().st_mtime_ns
    return times


COMMAND = Command(
    "serve", "build the site, serve it on 127.0.0.1, rebuild it on change", _add_arguments, _perform
)
