"""May they bring each other down? What workloads do to one another on a shared GPU, what each bears, and what follows.

The rules are data. Under each way of sharing, what shares a device inflicts something on what is beside
it; two workloads may share it if each bears what the other inflicts. What counts as bearable is the user's word, or that
of the workload's kind.

Sources. Time-slicing: NVIDIA/k8s-device-plugin v0.20.0, README, Shared Access to GPUs; whoever asks last goes without: its
issue 323. MPS, faults: NVIDIA Multi-Process Service (r590), Error Containment; limits: NVIDIA/k8s-device-plugin issues 594
and 720, cmd/mps-control-daemon/mps v0.20.0; clients (48, and 16 below compute capability 7.5): device.go there. MIG: NVIDIA
MIG User Guide r580, Concepts; what its devices share: NVIDIA technical blog (PCIe, power and clocks). One config for a node:
NVIDIA/k8s-device-plugin v0.20.0, cmd/config-manager.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType


class Way(StrEnum):
    """How the GPUs of a node pool are given out."""

    EXCLUSIVE = "exclusive"
    TIME_SLICING = "time-slicing"
    MPS = "mps"
    MIG = "mig"

    @property
    def shares(self) -> bool:
        """Whether nothing stands between Pods on one device."""
        return self in (Way.TIME_SLICING, Way.MPS)


class Hit(StrEnum):
    """What a neighbour can do to a Pod."""

    SLOWNESS = "slowness"
    MEMORY = "memory"
    FAULTS = "faults"


class WorkloadKind(StrEnum):
    """What a workload is, from what must hold to what may fall."""

    PRODUCTION = "production"
    INTERNAL = "internal"
    FOREIGN = "foreign"
    DEMO = "demo"
    EXPERIMENT = "experiment"
    NOTEBOOK = "notebook"


Hits = frozenset[Hit]
NOTHING: Hits = frozenset()
EVERYTHING: Hits = frozenset(Hit)


@dataclass(frozen=True, slots=True)
class Traits:
    """What is so of a kind of workload unless somebody says otherwise.

    `fills`: it may take whatever memory it finds; `faults`: its code changes daily and faults now and then. `bears` is what
    it bears of others, `bears_own` of Pods of its own group. `prefers` are the ways in the order in which they suit it.
    """

    fills: bool
    faults: bool
    bears: Hits
    bears_own: Hits
    prefers: tuple[Way, ...]


_TRYING = (Way.TIME_SLICING, Way.MIG, Way.MPS, Way.EXCLUSIVE)

TRAITS: Mapping[WorkloadKind, Traits] = MappingProxyType(
    {
        WorkloadKind.PRODUCTION: Traits(
            fills=False,
            faults=False,
            bears=NOTHING,
            bears_own=NOTHING,
            prefers=(Way.MIG, Way.EXCLUSIVE, Way.MPS, Way.TIME_SLICING),
        ),
        WorkloadKind.INTERNAL: Traits(
            fills=False,
            faults=False,
            bears=frozenset({Hit.SLOWNESS, Hit.FAULTS}),
            bears_own=frozenset({Hit.SLOWNESS, Hit.FAULTS}),
            prefers=(Way.MPS, Way.TIME_SLICING, Way.MIG, Way.EXCLUSIVE),
        ),
        WorkloadKind.FOREIGN: Traits(
            fills=True,
            faults=True,
            bears=frozenset({Hit.SLOWNESS}),
            bears_own=EVERYTHING,
            prefers=(Way.MIG, Way.TIME_SLICING, Way.MPS, Way.EXCLUSIVE),
        ),
        WorkloadKind.DEMO: Traits(
            fills=False,
            faults=False,
            bears=EVERYTHING,
            bears_own=EVERYTHING,
            prefers=(Way.TIME_SLICING, Way.MPS, Way.MIG, Way.EXCLUSIVE),
        ),
        WorkloadKind.EXPERIMENT: Traits(
            fills=True, faults=True, bears=EVERYTHING, bears_own=EVERYTHING, prefers=_TRYING
        ),
        WorkloadKind.NOTEBOOK: Traits(
            fills=True, faults=True, bears=EVERYTHING, bears_own=EVERYTHING, prefers=_TRYING
        ),
    }
)

PRIORITY = tuple(WorkloadKind)
"""Who is served first where the cards do not do for all."""


def inflicts(kind: WorkloadKind, way: Way) -> Hits:
    """What a workload of this kind does to others on its device.

    Under time-slicing an ordinary fault ends its own process only, but NVIDIA guarantees no isolation and a fault of the
    device hits all; under MPS any fatal fault does. Memory is filled by those that take what they find: time-slicing sets no
    limit, and that of MPS holds for a process, not for a Pod.
    """
    if not way.shares:
        return NOTHING
    filled = frozenset({Hit.MEMORY}) if TRAITS[kind].fills else NOTHING
    return frozenset({Hit.SLOWNESS, Hit.FAULTS}) | filled


class Rule(StrEnum):
    """Why workloads do not share a device, beyond what either bears."""

    PRODUCTION = "production"  # never beside code that may fault or fill the memory, without a wall
    TENANT = "tenant"  # others' code shares a device with nobody else's


def forbidden(kind: WorkloadKind, other: WorkloadKind) -> Rule | None:
    """The rule that keeps two groups of these kinds from sharing a device without a wall, whatever they bear."""
    if WorkloadKind.FOREIGN in (kind, other):
        return Rule.TENANT
    for held, beside in ((kind, other), (other, kind)):
        traits = TRAITS[beside]
        if held is WorkloadKind.PRODUCTION and (traits.fills or traits.faults):
            return Rule.PRODUCTION
    return None


UNPROTECTED: Mapping[Way, tuple[str, ...]] = MappingProxyType(
    {
        Way.EXCLUSIVE: ("node",),
        Way.TIME_SLICING: ("memory", "device-fault", "speed", "node"),
        Way.MPS: ("fault", "limit", "bandwidth", "node"),
        Way.MIG: ("shared-parts", "node"),
    }
)
"""What remains without protection in a pool, by words of the messages `may-they.unprotected.<way>.<what>`."""
