"""`gpulab advertise CONFIG --node FILE[#NAME]`: what a node offers under a config of the device plugin."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator

from labs.cluster.advertise import Advertisement, advertise
from labs.commands.node_file import one_node
from labs.commands.plugin_options import add_plugin_options, given_arguments, given_environment
from labs.commands.terminal import BAD_NEWS, FINE, InputError, Terminal, printable
from labs.config.plugin import DEPLOYER_ENVIRONMENT, Deployer, load

FORMATS = ("text", "json")


def add_arguments(parser: argparse.ArgumentParser, terminal: Terminal) -> None:
    """Declares the command's arguments."""
    text = terminal.messages.text
    parser.add_argument("config", metavar="CONFIG", help=text("cli.help.config"))
    parser.add_argument("--node", required=True, metavar="FILE[#NAME]", help=text("cli.help.node"))
    add_plugin_options(parser, terminal)


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """Prints what the node advertises; bad news where the plugin does not start or never registers."""
    if options.config == "-" and options.node.partition("#")[0] == "-":
        raise InputError(terminal.messages.text("cli.stdin-twice"))
    gpus = one_node(options.node, terminal)
    environment = {**DEPLOYER_ENVIRONMENT[Deployer(options.deployer)], **given_environment(options, terminal)}
    arguments = given_arguments(options, terminal)
    loaded = load(terminal.read_bytes(options.config), env=environment, args=arguments)
    if loaded.limit is not None:
        path, detail = options.config, loaded.limit
        raise InputError(terminal.messages.text("cli.config-too-large", path=path, detail=detail))
    advertisement = advertise(loaded, gpus)
    if options.format == "json":
        sys.stdout.write(json.dumps(advertisement.to_json(), indent=2, ensure_ascii=False) + "\n")
    else:
        sys.stdout.write(printable("\n".join(advertisement_lines(advertisement, terminal))) + "\n")
    return BAD_NEWS if advertisement.error is not None or not advertisement.registers else FINE


def advertisement_lines(advertisement: Advertisement, terminal: Terminal) -> Iterator[str]:
    """The answer in words."""
    text = terminal.messages.text
    if advertisement.error is not None:
        yield text("cli.advertise.error", error=advertisement.error)
    if advertisement.resources:
        yield text("cli.advertise.offers")
        yield from (f"  {name}: {count}" for name, count in advertisement.resources.items())
    else:
        yield text("cli.advertise.nothing")
    if not advertisement.registers and advertisement.mps_without_daemon:
        yield text("cli.advertise.waits", resources=", ".join(advertisement.mps_without_daemon))
    for limit in advertisement.mps:
        yield text(
            "cli.advertise.mps",
            resource=limit.resource,
            memory=", ".join(f"{size} (GPU {index})" for index, size in limit.pinned_mem_limit.items()),
            threads=limit.active_thread_percentage,
        )
    if advertisement.mps_error is not None:
        yield text("cli.advertise.mps-error", error=advertisement.mps_error)
    if advertisement.labels:
        yield text("cli.advertise.labels")
        yield from (f"  {name}={value}" for name, value in advertisement.labels.items())
    if advertisement.label_error is not None:
        yield text("cli.advertise.label-error", error=advertisement.label_error)
    yield from (text("cli.advertise.warning", warning=warning) for warning in advertisement.warnings)
