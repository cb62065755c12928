"""The GPUs of a node, and the node files that name them.

A node file is ``{gpus: [...]}`` or a map of named nodes of that shape. A GPU is ``name`` (as NVML reports it), ``memoryMiB``,
``computeCapability`` (``"8.0"``) and, where MIG mode is on, ``mig``: its MIG devices by profile, ``[]`` for none made.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from types import MappingProxyType

from labs.config.positions import Position
from labs.config.yaml_tree import (
    DEFAULT_LIMITS,
    Limits,
    Mapping,
    Node,
    Scalar,
    ScalarKind,
    Sequence,
    YamlError,
    merged,
    read,
)

_GPU_KEYS = ("name", "memoryMiB", "computeCapability", "mig")
_CAPABILITY = re.compile(r"(\d+)\.(\d+)", re.ASCII)


@dataclass(frozen=True, slots=True)
class PhysicalGpu:
    """One card of a node: ``mig`` is None with MIG mode off, else the profiles of its MIG devices in order."""

    name: str
    memory_mib: int
    compute_capability: tuple[int, int]
    mig: tuple[str, ...] | None = None

    @property
    def mig_enabled(self) -> bool:
        """Whether MIG mode is on."""
        return self.mig is not None


class NodeFileError(ValueError):
    """A node file that says something else than GPUs: what is wrong, where, and what to write instead."""

    def __init__(self, message: str, position: Position | None) -> None:
        super().__init__(message if position is None else f"{position}: {message}")
        self.message = message
        self.position = position


@dataclass(frozen=True, slots=True)
class NodeFile:
    """The nodes of a file by name; a file that is one node has it under ``""``."""

    nodes: MappingProxyType[str, tuple[PhysicalGpu, ...]]

    def select(self, name: str | None) -> tuple[PhysicalGpu, ...]:
        """The GPUs of the node with this name; without a name, of the only node. Raises ``NodeFileError``."""
        if name is None:
            if len(self.nodes) == 1:
                return next(iter(self.nodes.values()))
            listed = ", ".join(self.nodes)
            raise NodeFileError(f"the file has {len(self.nodes)} nodes: choose one of {listed}", None)
        if name not in self.nodes:
            hint = _nearest(name, self.nodes)
            raise NodeFileError(
                f'there is no node "{name}"{hint}; the file has {", ".join(self.nodes)}', None
            )
        return self.nodes[name]


def read_node_file(text: str, *, limits: Limits = DEFAULT_LIMITS) -> NodeFile:
    """The nodes that a text describes; raises ``NodeFileError``."""
    try:
        root = read(text, limits=limits)
    except YamlError as error:
        raise NodeFileError(error.message, error.position) from None
    if not isinstance(root, Mapping):
        position = None if root is None else root.place.start
        raise NodeFileError("a node file is a map: gpus with a list, or named nodes with gpus each", position)
    if root.get("gpus") is not None:
        return NodeFile(MappingProxyType({"": _node(root)}))
    nodes: dict[str, tuple[PhysicalGpu, ...]] = {}
    for entry in merged(root):
        if entry.name is None:
            raise NodeFileError("a node's name is text", entry.key.place.start)
        if not isinstance(entry.value, Mapping):
            raise NodeFileError(
                f'"{entry.name}" is no node: write {entry.name}: {{gpus: [...]}}', entry.value.place.start
            )
        nodes[entry.name] = _node(entry.value)
    if not nodes:
        raise NodeFileError("the file names no node: write gpus: [...]", root.place.start)
    return NodeFile(MappingProxyType(nodes))


def _node(node: Mapping) -> tuple[PhysicalGpu, ...]:
    fields = _fields(node, ("gpus",), "node")
    gpus = fields.get("gpus")
    if gpus is None:
        raise NodeFileError("the node has no gpus: write gpus: [...]", node.place.start)
    if not isinstance(gpus, Sequence):
        raise NodeFileError("gpus is a list of GPUs", gpus.place.start)
    return tuple(_gpu(item) for item in gpus.items)


def _gpu(node: Node) -> PhysicalGpu:
    if not isinstance(node, Mapping):
        raise NodeFileError(
            'a GPU is a map: {name: Tesla T4, memoryMiB: 15360, computeCapability: "7.5"}', node.place.start
        )
    fields = _fields(node, _GPU_KEYS, "GPU")
    missing = [key for key in ("name", "memoryMiB", "computeCapability") if key not in fields]
    if missing:
        raise NodeFileError(f"the GPU has no {' and no '.join(missing)}", node.place.start)
    return PhysicalGpu(
        name=_text(fields["name"], "name"),
        memory_mib=_memory(fields["memoryMiB"]),
        compute_capability=_capability(fields["computeCapability"]),
        mig=_mig(fields.get("mig")),
    )


def _fields(node: Mapping, known: tuple[str, ...], what: str) -> dict[str, Node]:
    fields: dict[str, Node] = {}
    for entry in merged(node):
        if entry.name not in known:
            shown = entry.name if entry.name is not None else "this key"
            hint = _nearest(shown, known)
            raise NodeFileError(
                f'unknown key "{shown}" in a {what}{hint}; known keys: {", ".join(known)}',
                entry.key.place.start,
            )
        fields[entry.name] = entry.value
    return fields


def _text(node: Node, key: str) -> str:
    if isinstance(node, Scalar) and node.kind is not ScalarKind.NULL and node.text:
        return node.text
    raise NodeFileError(f"{key} is text", node.place.start)


def _memory(node: Node) -> int:
    value = node.value if isinstance(node, Scalar) and node.kind is ScalarKind.INT else None
    if isinstance(value, int) and value > 0:
        return value
    raise NodeFileError("memoryMiB is a whole number above 0, as nvidia-smi shows it", node.place.start)


def _capability(node: Node) -> tuple[int, int]:
    match = _CAPABILITY.fullmatch(node.text) if isinstance(node, Scalar) else None
    if match is None:
        raise NodeFileError(
            'computeCapability is two numbers with a point, for example "8.0"', node.place.start
        )
    return int(match[1]), int(match[2])


def _mig(node: Node | None) -> tuple[str, ...] | None:
    if node is None or (isinstance(node, Scalar) and node.kind is ScalarKind.NULL):
        return None
    if not isinstance(node, Sequence):
        raise NodeFileError(
            "mig is a list of profiles such as [3g.20gb, 1g.5gb], [] for MIG mode without devices",
            node.place.start,
        )
    return tuple(_text(item, "a MIG profile") for item in node.items)


def _nearest(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, list(known), n=1)
    return f', did you mean "{near[0]}"?' if near else ""
