"""The options of `gpulab check`, and what they come to together with the project's own choices."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from labs.cluster.gpu import PhysicalGpu
from labs.commands.check.project import Project
from labs.commands.plugin_options import add_plugin_options, given_arguments, given_environment
from labs.commands.terminal import InputError, Terminal
from labs.config.documents import EXPLICIT_KINDS
from labs.config.own import nearest
from labs.config.plugin import Deployer
from labs.lint.core import Selection
from labs.lint.subject import NEWEST_PLUGIN, Settings

AUTO = "auto"
_VERSION = re.compile(r"v?(?P<major>\d{1,3})\.(?P<minor>\d{1,3})(?:\.\d{1,3})?", re.ASCII)


def add_check_options(parser: argparse.ArgumentParser, terminal: Terminal) -> None:
    """Declares them."""
    text = terminal.messages.text
    parser.add_argument(
        "--kind", choices=(AUTO, *map(str, EXPLICIT_KINDS)), default=AUTO, help=text("cli.help.kind")
    )
    add_plugin_options(parser, terminal, deployer=None)
    parser.add_argument("--plugin-version", metavar="0.N", help=text("cli.help.plugin-version"))
    parser.add_argument("--node", metavar="FILE[#NAME]", help=text("cli.help.check-node"))
    parser.add_argument("--config", metavar="KEY", help=text("cli.help.node-config"))
    parser.add_argument("--mig-config", metavar="NAME", help=text("cli.help.node-mig-config"))
    parser.add_argument(
        "--select", metavar="CODES", action="append", default=[], help=text("cli.help.select")
    )
    parser.add_argument(
        "--extend-select", metavar="CODES", action="append", default=[], help=text("cli.help.extend-select")
    )
    parser.add_argument(
        "--ignore", metavar="CODES", action="append", default=[], help=text("cli.help.ignore")
    )
    parser.add_argument(
        "--exclude", metavar="PATTERN", action="append", default=[], help=text("cli.help.exclude")
    )
    parser.add_argument("--no-ignore", action="store_true", help=text("cli.help.no-ignore"))
    parser.add_argument("--one-cluster", action="store_true", help=text("cli.help.one-cluster"))
    parser.add_argument("--fix", action="store_true", help=text("cli.help.fix"))
    parser.add_argument("--diff", action="store_true", help=text("cli.help.diff"))


def settings(options: argparse.Namespace, project: Project, terminal: Terminal) -> Settings:
    """The circumstances. Raises InputError."""
    deployer = options.deployer or project.deployer
    version = options.plugin_version or project.plugin_version
    node = options.node or project.node
    nodes: Mapping[str, tuple[PhysicalGpu, ...]] = {} if node is None else _nodes(node, terminal)
    return Settings(
        deployer=None if deployer is None else Deployer(deployer),
        env=MappingProxyType(given_environment(options, terminal)),
        args=tuple(given_arguments(options, terminal)),
        plugin_version=NEWEST_PLUGIN if version is None else _version(version, terminal),
        nodes=MappingProxyType(dict(nodes)),
        catalog=terminal.library.catalog,
        config=options.config,
        mig_config=options.mig_config,
    )


def _nodes(place: str, terminal: Terminal) -> Mapping[str, tuple[PhysicalGpu, ...]]:
    from labs.commands.node_file import all_nodes  # what reads such files is needed with this option only

    return all_nodes(place, terminal)


def _version(text: str, terminal: Terminal) -> tuple[int, int]:
    match = _VERSION.fullmatch(text)
    if match is None:
        raise InputError(terminal.messages.text("check.version-form", value=text))
    return int(match["major"]), int(match["minor"])


def selection(options: argparse.Namespace, project: Project, terminal: Terminal) -> Selection:
    """Which rules speak; what the command line selects takes the place of what the project does. Raises InputError."""
    chosen = Selection(
        select=_names(options.select) or project.select,
        extend=(*project.extend_select, *_names(options.extend_select)),
        ignore=(*project.ignore, *_names(options.ignore)),
        severities=project.severity,
    )
    if chosen != Selection():
        _refuse_unknown(chosen, terminal)
    return chosen


def _refuse_unknown(chosen: Selection, terminal: Terminal) -> None:
    from labs.lint.registry import RULES  # all rules are loaded only to look for names among theirs

    for name in chosen.unknown(RULES):
        near = nearest(name, [known for rule in RULES for known in (rule.code, rule.slug)])
        key = "check.unknown-rule-near" if near else "check.unknown-rule"
        raise InputError(terminal.messages.pick(key, {"name": name, "near": near}))


def _names(lists: Sequence[str]) -> tuple[str, ...]:
    return tuple(name.strip() for words in lists for name in words.split(",") if name.strip())
