"""The edge to the terminal: `gpulab COMMAND …`. Commands live in `commands/`; this is their common frame."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn, TextIO

from labs import __version__
from labs.commands.exit_codes import exit_codes
from labs.commands.terminal import (
    FINE,
    WRONG_USAGE,
    InputError,
    Terminal,
    preferred_language,
    printable,
)
from labs.commands.usage import usage_words
from labs.library import LANGUAGES, builtin_library
from labs.report.writing import Messages

COMMANDS = (
    "run",
    "check",
    "explain",
    "advertise",
    "lab",
    "mig",
    "rollout",
    "estimate",
    "accuracy",
    "announce",
    "serve",
)
"""Each is a module of `labs.commands`, which is loaded only when it is asked for: none waits for what another needs."""
INTERRUPTED = 130  # what shells say of a program that Ctrl+C ended


class _HelpAsWritten(argparse.HelpFormatter):
    """Help without argparse's own `%(default)s`: in our sentences a percent sign is one."""

    def _get_help_string(self, action: argparse.Action) -> str | None:
        return action.help and action.help.replace("%", "%%")


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in the reader's language and where to look, with exit code 2."""

    messages: Messages

    def __init__(self, **settings: Any) -> None:
        super().__init__(**{"formatter_class": _HelpAsWritten, **settings})

    def error(self, message: str) -> NoReturn:
        """Ends the program."""
        words = usage_words(message, self.messages)
        raise InputError(self.messages.text("cli.usage", message=words, command=self.prog))

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> object:
        """As argparse does, but an option's value `--` stays: Python 3.11 and 3.12 make it an empty list."""
        if action.option_strings and action.nargs is None and arg_strings == ["--"]:
            value: object = self._get_value(action, "--")
            self._check_value(action, value)
            return value
        values: object = super()._get_values(action, arg_strings)
        return values


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    _prepare_streams()
    library = builtin_library()
    terminal = Terminal(library, library.messages[_language(words)])
    try:
        return _run(words, terminal)
    except InputError as error:
        return _complain(str(error))
    except BrokenPipeError:
        _give_up(sys.stdout)  # whoever read has had enough
        return FINE
    except OSError as error:  # what is read is guarded where it is read
        _give_up(sys.stdout)
        return _complain(terminal.messages.text("cli.cannot-write", reason=error.strerror or str(error)))
    except KeyboardInterrupt:
        return INTERRUPTED


def _run(words: Sequence[str], terminal: Terminal) -> int:
    """The command's exit code, once what it printed has arrived."""
    try:
        options = _parser(terminal, words).parse_args(words)
        code: int = import_module(f"labs.commands.{options.command}").run(options, terminal)
    except SystemExit as ended:  # --help and --version
        code = int(ended.code or FINE)
    sys.stdout.flush()
    return code


def _prepare_streams() -> None:
    """UTF-8 wherever the locale stands; a stream that the caller closed takes what nobody wants to read."""
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _complain(message: str) -> int:
    """Says what is wrong, if anybody listens; exit code 2 either way."""
    try:
        sys.stderr.write(printable(message) + "\n")
        sys.stderr.flush()
    except OSError:
        _give_up(sys.stderr)
    return WRONG_USAGE


def _give_up(stream: TextIO) -> None:
    """What is left to write goes nowhere; without this the interpreter tries again at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _language(arguments: Sequence[str]) -> str:
    """The language of `--lang`, wherever it stands (also for messages about the other arguments)."""
    for index, argument in enumerate(arguments):
        name, _, value = argument.partition("=")
        if name == "--lang":
            chosen = value or next(iter(arguments[index + 1 : index + 2]), "")
            if chosen in LANGUAGES:
                return chosen
    return preferred_language()


def _parser(terminal: Terminal, words: Sequence[str]) -> argparse.ArgumentParser:
    """Knows all commands, and the arguments of those that are named."""
    text = terminal.messages.text
    _Parser.messages = terminal.messages
    parser = _Parser(prog="gpulab", description=text("cli.description"))
    parser.add_argument("--lang", choices=LANGUAGES, help=text("cli.help.lang"))
    parser.add_argument("--version", action="version", version=f"gpulab {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name in COMMANDS:
        about = text(f"cli.about.{name}")
        command = commands.add_parser(
            name, help=about, description=about, epilog=exit_codes(name, terminal.messages)
        )
        if name not in words:
            continue
        module = import_module(f"labs.commands.{name}")
        module.add_arguments(command, terminal)
        command.add_argument("--lang", choices=LANGUAGES, help=text("cli.help.lang"))
        if module.FORMATS:  # the first is the default; none: it prints no result
            command.add_argument(
                "--format", choices=module.FORMATS, default=module.FORMATS[0], help=text("cli.help.format")
            )
    return parser


if __name__ == "__main__":
    sys.exit(main())
