"""`--node FILE[#NAME]`: the nodes that a command is told of; the name of a sample node stands for it where no file has it."""

from __future__ import annotations

import os
from collections.abc import Mapping

from labs.cluster.gpu import NodeFile, PhysicalGpu, UnknownNodeError, read_node_file
from labs.cluster.sample_nodes import SAMPLE_NODES
from labs.commands.terminal import InputError, Terminal
from labs.config.own import ProblemsError


def one_node(place: str, terminal: Terminal) -> tuple[PhysicalGpu, ...]:
    """The GPUs of the node at FILE or FILE#NAME. Raises InputError, also for a file of several where none is named."""
    path, name = _parts(place)
    return _selected(_read(path, terminal), path, name or None, terminal)


def all_nodes(place: str, terminal: Terminal) -> Mapping[str, tuple[PhysicalGpu, ...]]:
    """The nodes at FILE by name, or the one at FILE#NAME; a node without a name has the file's. Raises InputError."""
    path, name = _parts(place)
    file = _read(path, terminal)
    if name:
        return {name: _selected(file, path, name, terminal)}
    return {node or path: gpus for node, gpus in file.nodes.items()}


def _parts(place: str) -> tuple[str, str]:
    whole = "#" not in place or os.path.exists(place)
    path, _, name = (place, "", "") if whole else place.rpartition("#")
    return path, name


def _read(path: str, terminal: Terminal) -> NodeFile:
    if path in SAMPLE_NODES and not os.path.exists(path):
        return NodeFile({path: SAMPLE_NODES[path]})
    text = terminal.read_text(path)
    try:
        return read_node_file(text)
    except ProblemsError as error:
        raise terminal.problems(error, text, path) from None


def _selected(file: NodeFile, path: str, name: str | None, terminal: Terminal) -> tuple[PhysicalGpu, ...]:
    words = terminal.messages.text
    try:
        return file.select(name)
    except UnknownNodeError as error:
        known = ", ".join(error.known)
        if not known:
            raise InputError(words("cli.node-unnamed", path=path, node=name or "")) from None
        if not name:
            raise InputError(words("cli.node-name", path=path, known=known)) from None
        raise InputError(words("cli.node-unknown", path=path, node=name, known=known)) from None
