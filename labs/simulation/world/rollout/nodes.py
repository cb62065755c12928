"""The nodes of a rollout and the DaemonSet's Pods on them, as they are at one moment."""

from __future__ import annotations

from dataclasses import dataclass, field

from labs.cluster.daemonset import DaemonPod
from labs.cluster.pod_phase import Phase
from labs.simulation.scenario.rollout import Reading


@dataclass(slots=True, eq=False)
class FleetPod:
    """A Pod while the rollout goes on; `life` tells steps that were planned before its deletion."""

    name: str
    node: FleetNode
    revision: str
    created_us: int
    number: int
    mounted_us: int  # when its kubelet mounted its files
    phase: Phase = Phase.PENDING
    ready_since_us: int | None = None
    terminating: bool = False
    scheduled: bool = True
    stuck: bool = False  # not Ready until it is replaced
    restarts: int = 0
    life: int = 0
    is_up: bool = False  # its plugin's container runs
    reading: Reading | None = None  # what its plugin read last
    serves: bool = False  # its plugin has registered
    sidecar_is_down: bool = False  # config-manager finds no config for the node's label
    init_failures: int = 0  # of the init container that chooses the config

    def view(self) -> DaemonPod:
        """The Pod as the controller sees it."""
        return DaemonPod(
            self.name,
            self.revision,
            self.created_us,
            self.number,
            self.phase,
            self.ready_since_us,
            self.terminating,
            self.scheduled,
        )


@dataclass(slots=True, eq=False)
class FleetNode:
    """A node: what is wrong with it, and the DaemonSet's Pods on it."""

    name: str
    selected: bool = True
    cordoned: bool = False
    tainted: bool = False
    down: bool = False  # NotReady, as the API server has it
    silent: bool = False  # nobody hears of its kubelet
    silences: int = 0  # so far; it is another time whenever its kubelet was heard of in between
    reboots: bool = False
    repaired: bool = False
    label: str | None = None  # nvidia.com/device-plugin.config
    orphans: list[str] = field(
        default_factory=list
    )  # Pods gone from the API whose plugin a silent kubelet still runs
    pods: list[FleetPod] = field(default_factory=list)
