"""Node.js and `node_modules/`: what the browser loads and what its pages are checked with."""

from __future__ import annotations

import functools
import json
import os
import re
import shutil
from typing import NamedTuple

from tools import paths, python_env
from tools.process import Failure, install, output_of, say
from tools.stamps import digest, is_stamped

WHEEL_LOCK = paths.REQUIREMENTS / "node.txt"


class Node(NamedTuple):
    """A Node.js and its npm, by path."""

    node: str
    npm: str


def set_up() -> None:
    """Makes node_modules/ what its lock says; quick where it already is."""
    stamp = paths.NODE_MODULES / ".stamp"
    inputs = digest(paths.PACKAGE_JSON, paths.PACKAGE_LOCK)
    if is_stamped(stamp, inputs):
        return
    npm = find_node().npm
    say("Setting up the browser's packages in node_modules/ (once, and again when a lock file changes).")
    install("The browser's packages", [npm, "ci"])
    stamp.write_text(inputs, encoding="utf-8")


@functools.cache
def find_node() -> Node:
    """Node.js from PATH; else from the locked Python package that brings it, put into .venv/."""
    node = node_in(os.environ.get("PATH", "")) or node_in(str(paths.VENV_BIN))
    if node is not None:
        return node
    say(f"There is no Node.js {oldest_node()} or later with npm on PATH: getting one into .venv/.")
    python_env.install_more("Node.js", WHEEL_LOCK)
    node = node_in(str(paths.VENV_BIN))
    if node is None:
        raise Failure(
            f"Node.js does not run here: install Node.js {oldest_node()} or later with npm, "
            "then run the same command again."
        )
    return node


def node_in(path: str) -> Node | None:
    """The Node.js and npm of a search path, if both are there and new enough."""
    node, npm = shutil.which("node", path=path), shutil.which("npm", path=path)
    if node is None or npm is None:
        return None
    version = re.match(r"v(\d+)\.", output_of([node, "--version"]) or "")
    return Node(node, npm) if version and int(version[1]) >= oldest_node() else None


def oldest_node() -> int:
    """The first major version of Node.js that will do, as package.json says under `engines`."""
    engines = json.loads(paths.PACKAGE_JSON.read_text("utf-8"))["engines"]
    return int(engines["node"].removeprefix(">=").split(".")[0])
