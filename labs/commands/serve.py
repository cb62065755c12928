"""`gpulab serve`: the built site on 127.0.0.1, for reading it without a network."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from labs.commands.terminal import FINE, InputError, Terminal
from labs.commands.usage import whole_number
from labs.site_server import FIRST_PORT, HOST, LAST_PORT, NoFreePortError, SiteServer, on_free_port

FORMATS = ()  # it prints no result


def add_arguments(parser: argparse.ArgumentParser, terminal: Terminal) -> None:
    """Declares the command's arguments."""
    text = terminal.messages.text
    parser.add_argument("--site", default="site", metavar="DIR", help=text("cli.help.site"))
    parser.add_argument("--port", type=whole_number, help=text("cli.help.port", first=str(FIRST_PORT)))


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """Serves until interrupted."""
    folder = Path(options.site)
    if not (folder / "index.html").is_file():
        raise InputError(terminal.messages.text("cli.no-site", path=str(folder)))
    with open_server(folder, options.port, terminal) as server:
        address = f"http://{HOST}:{server.server_port}/"
        sys.stdout.write(terminal.messages.text("cli.serving", address=address) + "\n")
        sys.stdout.flush()
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            return FINE
    return FINE


def open_server(folder: Path, port: int | None, terminal: Terminal) -> SiteServer:
    """A server on the port, or on the first free one. Raises InputError where there is none."""
    if port is not None and not 0 <= port <= LAST_PORT:
        raise InputError(terminal.messages.text("cli.port-range", port=str(port), last=str(LAST_PORT)))
    try:
        return on_free_port(folder) if port is None else on_free_port(folder, port, tried=1)
    except NoFreePortError as error:
        raise InputError(terminal.messages.text("cli.port-taken", port=str(error.first))) from None
