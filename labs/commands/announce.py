"""`gpulab announce CONFIG`: the notice to users, what a request for a GPU means from today on."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from typing import Any

from labs.cluster.announcement import NothingOfferedError, announce, without_sharing
from labs.cluster.gpu import PhysicalGpu
from labs.commands.node_file import one_node
from labs.commands.plugin_options import add_plugin_options, given_arguments, given_environment
from labs.commands.terminal import BAD_NEWS, FINE, InputError, Terminal, printable
from labs.config.checked import Checked
from labs.config.device_plugin import Loaded
from labs.config.plugin_configs import NoPluginConfigError, keyed, plugin_configs
from labs.config.plugin_flags import Deployer
from labs.config.yaml_tree import LimitError
from labs.report.announce_json import notice_json, refused_json
from labs.report.announce_words import TEXT_MOST, Circumstances, is_line, nothing_text, notice

FORMATS = ("text", "json")


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
    given = [options.config, options.before or "", (options.node or "").partition("#")[0]]
    if given.count("-") > 1:
        raise InputError(terminal.messages.text("cli.stdin-twice"))
    for option, value in (("--from", options.start), ("--contact", options.contact)):
        if value is not None and not is_line(value):
            raise InputError(
                terminal.messages.text("announce.problem.text-form", option=option, most=TEXT_MOST)
            )
    gpus = None if options.node is None else one_node(options.node, terminal)
    after = _configs(options.config, options, terminal)
    before = None if options.before is None else _configs(options.before, options, terminal)
    return _Announcer(options, gpus, before, terminal).all_of(after)


class _Announcer:
    """Tells of configs under the circumstances of one call."""

    def __init__(
        self,
        options: argparse.Namespace,
        gpus: Sequence[PhysicalGpu] | None,
        before: Sequence[Checked] | None,
        terminal: Terminal,
    ) -> None:
        self._options = options
        self._gpus = gpus
        self._before = before
        self._terminal = terminal
        self._answers: list[dict[str, Any]] = []
        self._texts: list[str] = []
        self._notes: list[str] = []

    def all_of(self, configs: Sequence[Checked]) -> int:
        """Prints what is to be told of each, and returns the exit code."""
        good = [self._tell(config) for config in configs]
        if self._options.format == "json":
            sys.stdout.write(json.dumps({"notices": self._answers}, indent=2, ensure_ascii=False) + "\n")
        else:
            sys.stdout.write(printable("\n---\n\n".join(self._texts)))
        sys.stderr.write("".join(printable(note) + "\n" for note in dict.fromkeys(self._notes)))
        return FINE if all(good) else BAD_NEWS

    def _tell(self, config: Checked) -> bool:
        messages = self._terminal.messages
        loaded, key = config.plugin, config.document.key
        assert loaded is not None  # what `plugin_configs` finds
        if loaded.error is not None:
            self._refuse(key, loaded.error, messages.text("cli.advertise.error", error=loaded.error))
            return False
        before = without_sharing(loaded) if self._before is None else self._previous(key)
        if before.error is not None:
            path = self._options.before
            self._refuse(
                key, before.error, messages.text("announce.note.before", path=path, error=before.error)
            )
            return False
        try:
            found = announce(before, loaded, self._gpus)
        except NothingOfferedError as error:
            self._refuse(key, str(error), nothing_text(error, messages))
            return False
        told = Circumstances(self._options.start, self._options.contact, key)
        self._texts.append(notice(found, told, messages).markdown)
        self._answers.append(notice_json(found, told, loaded.warnings, self._terminal.library.messages))
        if found.unmatched:
            names = messages.join(list(found.unmatched))
            self._notes.append(messages.text("announce.note.unmatched", resources=names))
        self._notes += [messages.text("cli.advertise.warning", warning=each) for each in loaded.warnings]
        return True

    def _refuse(self, key: str | None, error: str, words: str) -> None:
        self._texts.append(words + "\n")
        self._answers.append(refused_json(key, error))

    def _previous(self, key: str | None) -> Loaded:
        """The config that held until now for the nodes of this one. Raises InputError."""
        configs = self._before or ()
        found = keyed(configs, key)
        if found is None or found.plugin is None:
            known = ", ".join(one.document.key or "–" for one in configs)
            text, path = self._terminal.messages.text, self._options.before
            raise InputError(text("announce.problem.before-which", path=path, key=key or "–", known=known))
        return found.plugin


def _configs(place: str, options: argparse.Namespace, terminal: Terminal) -> tuple[Checked, ...]:
    """The configs at FILE, or the one at FILE#KEY. Raises InputError."""
    text = terminal.messages.text
    whole = "#" not in place or os.path.exists(place)
    path, _, key = (place, "", "") if whole else place.rpartition("#")
    try:
        found = plugin_configs(
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
        return found
    named = tuple(one for one in found if one.document.key == key)
    if not named:
        known = ", ".join(one.document.key or "–" for one in found)
        raise InputError(text("announce.problem.key-unknown", path=path, key=key, known=known))
    return named
