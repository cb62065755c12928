"""The GPUs of a node, and the node files that name them.

A node file is `{gpus: [...]}` or a map of named nodes of that shape. A GPU is `name` (as NVML reports it), `memoryMiB`,
`computeCapability` (`"8.0"`) and, where MIG mode is on, `mig`: its MIG devices by profile, `[]` for none made.
"""

from __future__ import annotations

import re
from collections import abc
from dataclasses import dataclass
from types import MappingProxyType

from labs.config.goyaml import DEFAULT_LIMITS, Limits, Mapping, Node, Scalar, ScalarKind, Sequence, merged
from labs.config.own import Fields, Problem, Problems, ProblemsError, Values, quoted, read_document

_CAPABILITY = re.compile(r"(\d{1,3})\.(\d{1,3})", re.ASCII)
_MOST_GPUS, _MOST_MIG_DEVICES, _MOST_MIB = 1_000, 64, 2**30


@dataclass(frozen=True, slots=True)
class PhysicalGpu:
    """One card of a node: `mig` is None with MIG mode off, else the profiles of its MIG devices in order."""

    name: str
    memory_mib: int
    compute_capability: tuple[int, int]
    mig: tuple[str, ...] | None = None

    @property
    def mig_enabled(self) -> bool:
        """Whether MIG mode is on."""
        return self.mig is not None


class UnknownNodeError(LookupError):
    """The file has no node of this name, or several where none was named; `known` are those it has."""

    def __init__(self, name: str | None, known: tuple[str, ...]) -> None:
        super().__init__(name)
        self.name = name
        self.known = known


@dataclass(frozen=True, slots=True)
class NodeFile:
    """The nodes of a file by name; a file that is one node has it under `""`."""

    nodes: abc.Mapping[str, tuple[PhysicalGpu, ...]]

    def select(self, name: str | None) -> tuple[PhysicalGpu, ...]:
        """The GPUs of the node with this name; without a name, of the only node. Raises `UnknownNodeError`."""
        if name is None and len(self.nodes) == 1:
            return next(iter(self.nodes.values()))
        if name is None or name not in self.nodes:
            raise UnknownNodeError(name, tuple(node for node in self.nodes if node))
        return self.nodes[name]


def read_node_file(text: str, *, limits: Limits = DEFAULT_LIMITS) -> NodeFile:
    """The nodes that a text describes. Raises `ProblemsError` with everything that is wrong with it."""
    root = read_document(text, limits=limits)
    if root is None:
        raise ProblemsError((Problem("missing-key", 1, 1, {"key": "gpus"}),))
    problems = Problems()
    nodes = _NodeReader(problems).read(root)
    problems.raise_if_any()
    return NodeFile(MappingProxyType(nodes))


class _NodeReader:
    def __init__(self, problems: Problems) -> None:
        self._problems = problems
        self._values = Values(problems)

    def read(self, root: Node) -> dict[str, tuple[PhysicalGpu, ...]]:
        if not isinstance(root, Mapping) or root.get("gpus") is not None or not root.entries:
            return {"": self._node(root)}
        fields = Fields(root, self._problems, where="nodes")
        names = dict.fromkeys(entry.name for entry in merged(root) if entry.name is not None)
        return {name: self._node(node) for name in names if (node := fields.required(name)) is not None}

    def _node(self, node: Node) -> tuple[PhysicalGpu, ...]:
        fields = Fields(node, self._problems, where="node")
        gpus = fields.required("gpus")
        fields.finish()
        if isinstance(gpus, Sequence) and not gpus.items:
            return ()
        physical = [self._gpu(item) for item in self._values.items(gpus, "gpus", _MOST_GPUS)]
        return tuple(gpu for gpu in physical if gpu is not None)

    def _gpu(self, node: Node) -> PhysicalGpu | None:
        fields = Fields(node, self._problems, where="gpus")
        name = self._text(fields.required("name"), "name")
        memory = self._values.integer(fields.required("memoryMiB"), "memoryMiB", 1, _MOST_MIB)
        capability = self._capability(fields.required("computeCapability"))
        mig = self._mig(fields.optional("mig"))
        fields.finish()
        if name is None or memory is None or capability is None:
            return None
        return PhysicalGpu(name, memory, capability, mig)

    def _text(self, node: Node | None, key: str) -> str | None:
        """Any scalar that is not empty: names such as 4090 need no quotes."""
        if node is None:
            return None
        if isinstance(node, Scalar) and node.kind is not ScalarKind.NULL and node.text:
            return node.text
        self._problems.add("wrong-type", node, value=quoted(node), expected="string", key=key)
        return None

    def _capability(self, node: Node | None) -> tuple[int, int] | None:
        if node is None:
            return None
        match = _CAPABILITY.fullmatch(node.text) if isinstance(node, Scalar) else None
        if match is not None:
            return int(match[1]), int(match[2])
        self._problems.add("bad-compute-capability", node, value=quoted(node))
        return None

    def _mig(self, node: Node | None) -> tuple[str, ...] | None:
        if node is None or (isinstance(node, Sequence) and not node.items):
            return None if node is None else ()
        profiles = [self._text(item, "mig") for item in self._values.items(node, "mig", _MOST_MIG_DEVICES)]
        return tuple(profile for profile in profiles if profile is not None)
