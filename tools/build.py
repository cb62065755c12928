"""`dev.py build`: the site as it is published, or for opening from a folder."""

from __future__ import annotations

import argparse

from tools import site
from tools.command import Command
from tools.process import say


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--file", action="store_true", help="for opening by double click, without a server: into site-folder/"
    )


def _perform(arguments: argparse.Namespace) -> int:
    site.build(for_folder=arguments.file)
    say("Open site-folder/index.html." if arguments.file else "The site is in site/.")
    return 0


COMMAND = Command("build", "build the site into site/", _add_arguments, _perform)
