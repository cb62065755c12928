"""Reads `faults:` of a scenario: what goes wrong, when, and with which Pod or card."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from labs.config.goyaml import Node
from labs.config.own import Fields, Values, nearest, quoted
from labs.simulation.scenario.scenario import Fault, FaultKind, NodeSpec, Workload

DAY_US = 86_400_000_000
MAX_AT_US, MAX_AT = 400 * DAY_US, "9600h"
MAX_FAULTS = 1_000
NAMES_LISTED = 10  # in a message
MAX_DIGITS = 7  # of a Pod's number

OF_A_PODS_PROCESS = ("at", "pod", "kind")
OF_A_CARD = ("at", "node", "gpu", "kind")
OF_A_MIG_DEVICE = ("at", "node", "gpu", "mig", "kind")
KEYS = {
    FaultKind.PROCESS: OF_A_PODS_PROCESS,
    FaultKind.ILLEGAL_ACCESS: OF_A_PODS_PROCESS,
    FaultKind.INSTANCE_FAULT: OF_A_MIG_DEVICE,
    FaultKind.XID_RESET: OF_A_CARD,
    FaultKind.CARD_LOST: OF_A_CARD,
}


class FaultReader:
    """Reads faults against the `nodes` and `workloads` that they name.

    `broken` are the names of those that were not understood, about which nothing more is said; `most_devices`: so many
    MIG devices a node's cards have in a later layout.
    """

    def __init__(
        self,
        values: Values,
        nodes: Sequence[NodeSpec],
        workloads: Sequence[Workload],
        broken: Container[str] = (),
        most_devices: Mapping[str, int] | None = None,
    ) -> None:
        self._values = values
        self._nodes = {node.name: node for node in nodes}
        self._workloads = {workload.name: workload for workload in workloads}
        self._broken = broken
        self._most_devices = most_devices or {}

    def read(self, node: Node | None) -> tuple[Fault, ...]:
        """The faults in order of time, those of one moment in the order of the text."""
        faults = [self._fault(item) for item in self._values.optional_items(node, "faults", MAX_FAULTS)]
        return tuple(sorted((fault for fault in faults if fault is not None), key=lambda fault: fault.at_us))

    def _fault(self, item: Node) -> Fault | None:
        fields = Fields(item, self._values.problems, where="faults")
        at = self._values.duration_us(fields.required("at"), "at", 0, MAX_AT_US, "0s", MAX_AT)
        word = self._values.one_of(fields.required("kind"), "kind", tuple(FaultKind))
        if word is None:
            return None
        kind = FaultKind(word)
        keys = KEYS[kind]
        pod_node = fields.required("pod") if "pod" in keys else fields.optional("pod")
        if "pod" in keys or pod_node is not None:
            pod = self._pod(pod_node)
            fields.finish(OF_A_PODS_PROCESS)
            return None if at is None or pod is None else Fault(at, kind, pod=pod)
        node = named_node(self._values, fields.required("node"), self._nodes, self._broken)
        gpu_node = fields.required("gpu")
        mig_node = fields.required("mig") if "mig" in keys else None
        fields.finish(keys)
        gpu = self._number(gpu_node, "gpu", node, 0 if node is None else node.count)
        mig = self._number(mig_node, "mig", node, 0 if node is None else self._devices(node))
        if at is None or node is None or gpu is None or (mig is None) is ("mig" in keys):
            return None
        return Fault(at, kind, node=node.name, gpu=gpu, mig=mig)

    def _pod(self, node: Node | None) -> str | None:
        name = self._values.text(node, "pod")
        if name is None or node is None:
            return None
        workload, _, number = name.rpartition("-")
        known = self._workloads.get(workload)
        if known is not None and _is_below(number, known.count):
            return name
        if not self._workloads or (known is None and workload in self._broken):
            return None  # what is wrong with these, or that there are none, is a problem of its own
        if known is not None:
            near = f"{workload}-0 … {workload}-{known.count - 1}" if known.count > 1 else f"{workload}-0"
        else:
            firsts = {f"{other}-0": None for other in self._workloads}
            near = nearest(name, firsts) or ", ".join(list(firsts)[:NAMES_LISTED])
        self._values.problems.add("unknown-pod", node, value=quoted(node), near=near)
        return None

    def _devices(self, node: NodeSpec) -> int:
        return max(len(node.mig), self._most_devices.get(node.name, 0))

    def _number(self, node: Node | None, key: str, spec: NodeSpec | None, count: int) -> int | None:
        """A card of the node, or a MIG device of its cards, from 0."""
        if node is None or spec is None:
            return None
        if not count:
            self._values.problems.add("no-mig-devices", node, value=spec.name)
            return None
        return self._values.integer(node, key, 0, count - 1)


def named_node(
    values: Values, node: Node | None, nodes: Mapping[str, NodeSpec], broken: Container[str]
) -> NodeSpec | None:
    """The one of `nodes` that an event names; a name among `broken` is no problem here."""
    name = values.text(node, "node")
    if name is None or node is None:
        return None
    if nodes and name not in nodes and name not in broken:
        near = nearest(name, nodes) or ", ".join(list(nodes)[:NAMES_LISTED])
        values.problems.add("unknown-gpu-node", node, value=quoted(node), near=near)
    return nodes.get(name)


def _is_below(number: str, count: int) -> bool:
    """Whether `number` is one from 0 to `count` - 1, as it is written in a Pod's name."""
    return (
        len(number) <= MAX_DIGITS
        and number.isdecimal()
        and number == str(int(number))
        and int(number) < count
    )
