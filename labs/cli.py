"""The edge to the terminal: `gpulab COMMAND …`. Commands live in `commands/`; this is their common frame."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import NoReturn

from labs import __version__
from labs.commands import advertise, lab, run, serve
from labs.commands.terminal import WRONG_USAGE, InputError, Terminal, preferred_language
from labs.library import LANGUAGES, builtin_library
from labs.report.messages import Messages

# command: its module, and its formats (the first is the default; none: it prints no result)
COMMANDS: dict[str, tuple[ModuleType, tuple[str, ...]]] = {
    "run": (run, run.FORMATS),
    "advertise": (advertise, ("text", "json")),
    "lab": (lab, run.FORMATS),
    "serve": (serve, ()),
}


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in the reader's language and where to look, with exit code 2."""

    messages: Messages

    def error(self, message: str) -> NoReturn:
        """Ends the program."""
        raise InputError(self.messages.text("cli.usage", message=message, command=self.prog))


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    library = builtin_library()
    terminal = Terminal(library, library.messages[_language(given)])
    try:
        options = _parser(terminal).parse_args(given)
        code: int = COMMANDS[options.command][0].run(options, terminal)
        sys.stdout.flush()
        return code
    except InputError as error:
        sys.stderr.write(f"{error}\n")
        return WRONG_USAGE
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # whoever read has had enough
        return 0
    except KeyboardInterrupt:
        return 130


def _language(arguments: Sequence[str]) -> str:
    """The language of `--lang`, wherever it stands (also for messages about the other arguments)."""
    for index, argument in enumerate(arguments):
        name, _, value = argument.partition("=")
        if name == "--lang":
            chosen = value or next(iter(arguments[index + 1 : index + 2]), "")
            if chosen in LANGUAGES:
                return chosen
    return preferred_language()


def _parser(terminal: Terminal) -> argparse.ArgumentParser:
    text = terminal.messages.text
    _Parser.messages = terminal.messages
    parser = _Parser(prog="gpulab", description=text("cli.description"))
    parser.add_argument("--lang", choices=LANGUAGES, help=text("cli.help.lang"))
    parser.add_argument("--version", action="version", version=f"gpulab {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, (module, formats) in COMMANDS.items():
        about = text(f"cli.about.{name}")
        command = commands.add_parser(name, help=about, description=about)
        module.add_arguments(command, terminal)
        command.add_argument("--lang", choices=LANGUAGES, help=text("cli.help.lang"))
        if formats:
            command.add_argument(
                "--format", choices=formats, default=formats[0], help=text("cli.help.format")
            )
    return parser


if __name__ == "__main__":
    sys.exit(main())
