"""Records of nodes, their cards and MIG devices, and faults."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from labs.simulation.scenario import FaultKind
from labs.simulation.trace.record import Record, run_row


class Health(StrEnum):
    """What the device plugin holds of a card or MIG device; all but the first two keep new Pods away from it."""

    HEALTHY = "healthy"
    RECOVERED = "recovered"  # was unhealthy, till a plugin started and found it well
    UNHEALTHY = "unhealthy"
    LOST = "lost"  # and so for the rest of the run


@dataclass(frozen=True, slots=True)
class NodeRecord(Record):
    """Something about a node."""

    row = run_row(node="node")

    node: str


@dataclass(frozen=True, slots=True)
class NodeAdvertised(NodeRecord):
    """The node's plugin has registered a resource, `count` units of it."""

    kind = "node-advertised"
    row = run_row(node="node", reason="resource", value="count")

    resource: str
    count: int


@dataclass(frozen=True, slots=True)
class NodeRefused(NodeRecord):
    """The node's plugin does not start, or registers nothing; `error` is its own."""

    kind = "node-refused"
    row = run_row(node="node", reason="error")

    error: str


@dataclass(frozen=True, slots=True)
class CapacityChanged(NodeRecord):
    """The API server sees `count` units as the node's capacity from now on."""

    kind = "capacity"
    row = run_row(node="node", reason="resource", value="count")

    resource: str
    count: int


@dataclass(frozen=True, slots=True)
class AllocatableChanged(NodeRecord):
    """The API server sees `count` units as allocatable from now on."""

    kind = "allocatable"
    row = run_row(node="node", reason="resource", value="count")

    resource: str
    count: int


@dataclass(frozen=True, slots=True)
class NodeJoined(NodeRecord):
    """The node was not there before."""

    kind = "node-joined"


@dataclass(frozen=True, slots=True)
class NodeLeft(NodeRecord):
    """The Node object is gone."""

    kind = "node-left"


@dataclass(frozen=True, slots=True)
class NodeCordoned(NodeRecord):
    """No new Pod comes to the node."""

    kind = "node-cordoned"


@dataclass(frozen=True, slots=True)
class NodeUncordoned(NodeRecord):
    """New Pods come to the node again."""

    kind = "node-uncordoned"


@dataclass(frozen=True, slots=True)
class MigRecord(NodeRecord):
    """Something about a MIG config that mig-manager applies to the node."""


@dataclass(frozen=True, slots=True)
class MigConfigSet(MigRecord):
    """mig-manager is told of the node's MIG config of this `number` (from 1); `profiles`, or "off"."""

    kind = "mig-config"
    row = run_row(node="node", value="number", reason="profiles")

    number: int
    profiles: str


@dataclass(frozen=True, slots=True)
class MigStateChanged(MigRecord):
    """`nvidia.com/mig.config.state` of the node; where it failed, so many processes were `in_the_way`."""

    kind = "mig-state"
    row = run_row(node="node", reason="state", value="in_the_way")

    state: str
    in_the_way: int | None = None


@dataclass(frozen=True, slots=True)
class MigModeSwitched(MigRecord):
    """MIG mode is on or off from now on; `how`: "gpu-reset", "no-reset" or "reset-unknown"."""

    kind = "mig-mode"
    row = run_row(node="node", value="_mode", reason="how")

    is_on: bool
    how: str

    @property
    def _mode(self) -> int:
        """1 on, 0 off."""
        return int(self.is_on)


@dataclass(frozen=True, slots=True)
class MigLayoutChanged(MigRecord):
    """The devices of the MIG config of this `number` are there, the former are gone."""

    kind = "mig-layout"
    row = run_row(node="node", value="number")

    number: int


@dataclass(frozen=True, slots=True)
class CardRecord(Record):
    """Something about a card or MIG device, by its number on its node."""

    row = run_row(node="node", gpu="gpu")

    node: str
    gpu: int


@dataclass(frozen=True, slots=True)
class CardOffered(CardRecord):
    """The plugin offers the card in so many slots; `mechanism` names how Pods share it."""

    kind = "card-offered"
    row = run_row(node="node", gpu="gpu", value="slots", reason="mechanism")

    slots: int
    mechanism: str


@dataclass(frozen=True, slots=True)
class MigDeviceListed(CardRecord):
    """The device is a MIG device of `size_bytes`, a part of `card`."""

    kind = "mig-device"
    row = run_row(node="node", gpu="gpu", slot="card", value="size_bytes", reason="profile")

    card: int
    size_bytes: int
    profile: str


@dataclass(frozen=True, slots=True)
class CardAllocatable(CardRecord):
    """So many of the node's allocatable `units` are on this card (beside rollouts only)."""

    kind = "card-allocatable"
    row = run_row(node="node", gpu="gpu", reason="resource", value="units")

    resource: str
    units: int


@dataclass(frozen=True, slots=True)
class CardUnhealthy(CardRecord):
    """The slots of the card take no new Pod."""

    kind = "card-unhealthy"
    row = run_row(node="node", gpu="gpu", reason="health")

    health: Health


@dataclass(frozen=True, slots=True)
class CardHealthy(CardRecord):
    """A plugin has started and found the card well."""

    kind = "card-healthy"


@dataclass(frozen=True, slots=True)
class CardBusy(CardRecord):
    """A kernel is on the card for so many parts per million of the time from now on."""

    kind = "card-busy"
    row = run_row(node="node", gpu="gpu", value="busy_ppm")

    busy_ppm: int


@dataclass(frozen=True, slots=True)
class FaultStruck(Record):
    """A fault of a Pod, or of a `card` of a `node` or one MIG device (`mig`) of it; `gpu` is the first device struck."""

    kind = "fault"
    row = run_row(pod="pod", node="node", gpu="gpu", slot="card", value="mig", reason="fault")

    fault: FaultKind
    pod: str | None = None
    node: str | None = None
    gpu: int | None = None
    card: int | None = None
    mig: int | None = None


@dataclass(frozen=True, slots=True)
class RunEnded(Record):
    """The horizon."""

    kind = "end"
    row = run_row()
