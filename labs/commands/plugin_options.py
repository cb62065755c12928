"""The options that say how the device plugin is started: its environment, its command line, who installed it."""

from __future__ import annotations

import argparse
import shlex

from labs.commands.terminal import InputError, Terminal
from labs.config.plugin import Deployer


def add_plugin_options(
    parser: argparse.ArgumentParser, terminal: Terminal, deployer: Deployer | None = Deployer.STATIC
) -> None:
    """Declares `--env`, `--plugin-args` and `--deployer`, which is `deployer` where it is not given."""
    text = terminal.messages.text
    parser.add_argument("--env", action="append", default=[], metavar="NAME=VALUE", help=text("cli.help.env"))
    parser.add_argument(
        "--plugin-args", action="append", default=[], metavar="ARGS", help=text("cli.help.plugin-args")
    )
    parser.add_argument(
        "--deployer", choices=tuple(map(str, Deployer)), default=deployer, help=text("cli.help.deployer")
    )


def given_environment(options: argparse.Namespace, terminal: Terminal) -> dict[str, str]:
    """The variables of `--env`. Raises InputError for one that is not NAME=VALUE."""
    pairs = [pair.partition("=") for pair in options.env]
    for name, sign, value in pairs:
        if not name or not sign:
            raise InputError(terminal.messages.text("cli.env-form", value=name + sign + value))
    return {name: value for name, _, value in pairs}


def given_arguments(options: argparse.Namespace, terminal: Terminal) -> list[str]:
    """The words of `--plugin-args`, as a shell splits them. Raises InputError for an open quote."""
    return [word for text in options.plugin_args for word in _words(text, terminal)]


def _words(text: str, terminal: Terminal) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as error:
        message = terminal.messages.text("cli.plugin-args-form", value=text, reason=str(error))
        raise InputError(message) from None
