"""`gpulab check FILE...`: does the real loader take it, and with which setting or which error?"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from labs.commands.plugin_options import add_plugin_options, given_arguments, given_environment
from labs.commands.terminal import BAD_NEWS, FINE, InputError, Terminal, printable
from labs.config.checked import EXPLICIT_KINDS, Checked, check, entries
from labs.config.kinds import Kind
from labs.config.plugin_flags import Deployer
from labs.config.yaml_tree import LimitError

FORMATS = ("text", "json")
AUTO = "auto"
ENDINGS = (".yaml", ".yml")


def add_arguments(parser: argparse.ArgumentParser, terminal: Terminal) -> None:
    """Declares the command's arguments."""
    text = terminal.messages.text
    parser.add_argument("files", metavar="FILE", nargs="+", help=text("cli.help.check-files"))
    parser.add_argument("--kind", choices=(AUTO, *EXPLICIT_KINDS), default=AUTO, help=text("cli.help.kind"))
    add_plugin_options(parser, terminal)


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """Prints what each document of each file is and what its loader says; bad news where one is refused."""
    if options.files.count("-") > 1:
        raise InputError(terminal.messages.text("cli.stdin-twice"))
    found = [(path, _checked(path, options, terminal)) for path in _paths(options.files)]
    if options.format == "json":
        files = [{"path": path, "documents": entries(checked)} for path, checked in found]
        answer = {"files": files, "findings": []}
        sys.stdout.write(json.dumps(answer, indent=2, ensure_ascii=False) + "\n")
    else:
        lines = (line for path, all_of in found for line in _lines(path, all_of, terminal))
        sys.stdout.write(printable("".join(f"{line}\n" for line in lines)))
    refused = any(each.loads is False for _, checked in found for each in checked)
    return BAD_NEWS if refused else FINE


def _paths(given: Sequence[str]) -> Iterator[str]:
    """The files named, and the YAML files below the folders named, in order."""
    for path in given:
        if path != "-" and Path(path).is_dir():
            yield from (
                str(file)
                for file in sorted(Path(path).rglob("*"))
                if file.suffix in ENDINGS and file.is_file()
            )
        else:
            yield path


def _checked(path: str, options: argparse.Namespace, terminal: Terminal) -> tuple[Checked, ...]:
    content = terminal.read_bytes(path)
    try:
        return check(
            content,
            kind=None if options.kind == AUTO else Kind(options.kind),
            env=given_environment(options, terminal),
            args=given_arguments(options, terminal),
            deployer=Deployer(options.deployer),
        )
    except LimitError as error:
        words = terminal.messages.text("cli.config-too-large", path=path, detail=error.message)
        raise InputError(words) from None


def _lines(path: str, checked: Sequence[Checked], terminal: Terminal) -> Iterator[str]:
    """The answer in words, a line or two for each document."""
    text = terminal.messages.text
    for each in checked:
        document = each.document
        place = f"{path}:{document.line}"
        what = str(document.kind) if document.key is None else f"{document.kind} {document.key}"
        if each.loads is None:
            yield text("cli.check.skipped", place=place, kind=what)
        elif each.loads:
            shares = "" if each.plugin is None else str(each.plugin.strategy)
            key = "cli.check.loads-plugin" if each.plugin is not None else "cli.check.loads"
            yield terminal.messages.pick(key, {"place": place, "kind": what, "strategy": shares})
            warnings = () if each.plugin is None else each.plugin.warnings
            yield from (f"  {text('cli.advertise.warning', warning=warning)}" for warning in warnings)
        else:
            yield text("cli.check.refused", place=place, kind=what)
            yield f"  {each.error}"
