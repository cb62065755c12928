"""`gpulab announce CONFIG`: the notice to users, what a request for a GPU means from today on."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from typing import Any

from labs.commands.node_file import one_node
from labs.commands.plugin_options import add_plugin_options, given_arguments, given_environment
from labs.commands.terminal import BAD_NEWS, FINE, InputError, Terminal, printable
from labs.config.documents import Checked, NoPluginConfigError, keyed, plugin_configs
from labs.config.goyaml import LimitError
from labs.config.plugin import Deployer, Loaded
from labs.report.notice import (
    Circumstances,
    ConfigNotice,
    line_fault,
    notice_json,
    notice_of,
    notices_text,
    refused_json,
)

FORMATS = ("text", "json")
EXAMPLES = {"--from": "2026-12-01", "--contact": "#gpu-platform"}


def add_arguments(parser: argparse.ArgumentParser, terminal: Terminal) -> None:
    """Declares the command's arguments."""
    text = terminal.messages.text
    parser.add_argument("config", metavar="CONFIG", help=text("announce.help.config"))
    parser.add_argument("--before", metavar="CONFIG", help=text("announce.help.before"))
    parser.add_argument("--node", metavar="FILE[#NAME]", help=text("cli.help.node"))
    parser.add_argument("--from", dest="start", metavar="TEXT", help=text("announce.help.from"))
    parser.add_argument("--contact", metavar="TEXT", help=text("announce.help.contact"))
    add_plugin_options(parser, terminal, None)


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """Prints a notice for each config; bad news where one does not load, or the node offers no GPU under it."""
    paths = [options.config, options.before or "", (options.node or "").partition("#")[0]]
    if paths.count("-") > 1:
        raise InputError(terminal.messages.text("cli.stdin-twice"))
    for option, value in (("--from", options.start), ("--contact", options.contact)):
        fault = None if value is None else line_fault(value)
        if fault is not None:
            key, values = fault
            values = {"option": option, "example": EXAMPLES[option], **values}
            raise InputError(terminal.messages.pick(f"announce.problem.{key}", values))
    gpus = None if options.node is None else one_node(options.node, terminal)
    after = _configs(options.config, options, terminal)
    before = None if options.before is None else _configs(options.before, options, terminal)
    results = [
        notice_of(
            config,
            _previous(before, config.document.key, options.before, terminal),
            gpus,
            terminal.messages,
        )
        for config in after
    ]
    return _write(results, options, terminal)


def _write(results: Sequence[ConfigNotice], options: argparse.Namespace, terminal: Terminal) -> int:
    """Prints what is told of each config, and returns the exit code."""
    if options.format == "json":
        answers = [_json(result, options, terminal) for result in results]
        sys.stdout.write(json.dumps({"notices": answers}, indent=2, ensure_ascii=False) + "\n")
    else:
        sys.stdout.write(printable(notices_text(results, options.start, options.contact, terminal.messages)))
    notes = dict.fromkeys(note for result in results for note in result.notes)
    sys.stderr.write("".join(printable(note) + "\n" for note in notes))
    return BAD_NEWS if any(result.announcement is None for result in results) else FINE


def _json(result: ConfigNotice, options: argparse.Namespace, terminal: Terminal) -> dict[str, Any]:
    if result.announcement is None:
        return refused_json(result.key, result.error)
    circumstances = Circumstances(options.start, options.contact, result.key)
    return notice_json(result.announcement, circumstances, result.warnings, terminal.library.messages)


def _previous(
    configs: Sequence[Checked] | None, key: str | None, path: str, terminal: Terminal
) -> Loaded | None:
    """The config that held until now for the nodes of this one. Raises InputError."""
    if configs is None:
        return None
    config = keyed(configs, key)
    if config is None or config.plugin is None:
        known = ", ".join(other.document.key or "–" for other in configs)
        text = terminal.messages.text
        raise InputError(text("announce.problem.before-which", path=path, key=key or "–", known=known))
    return config.plugin


def _configs(place: str, options: argparse.Namespace, terminal: Terminal) -> tuple[Checked, ...]:
    """The configs at FILE, or the one at FILE#KEY. Raises InputError."""
    text = terminal.messages.text
    whole = "#" not in place or os.path.exists(place)
    path, _, key = (place, "", "") if whole else place.rpartition("#")
    try:
        configs = plugin_configs(
            terminal.read_bytes(path),
            env=given_environment(options, terminal),
            args=given_arguments(options, terminal),
            deployer=None if options.deployer is None else Deployer(options.deployer),
        )
    except LimitError as error:
        raise InputError(text("cli.config-too-large", path=path, detail=error.message)) from None
    except NoPluginConfigError as error:
        raise InputError(
            text("announce.problem.no-config", path=path, kinds=", ".join(error.kinds))
        ) from None
    if not key:
        return configs
    named = tuple(config for config in configs if config.document.key == key)
    if not named:
        known = ", ".join(config.document.key or "–" for config in configs)
        raise InputError(text("announce.problem.key-unknown", path=path, key=key, known=known))
    return named
