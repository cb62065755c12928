"""A Pod while the run goes on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import simpy

from labs.cluster.node import Allocation, Node
from labs.simulation.laws import Rate
from labs.simulation.scenario import RestartPolicy, Workload
from labs.simulation.world.busy_periods import BusyPeriods
from labs.simulation.world.card import Card
from labs.simulation.world.progress import Progress

EVICTED_EXIT_CODE = 143  # SIGTERM


@dataclass(slots=True)
class LivePod:
    """A Pod, where it is, and its present process.

    `ends` succeeds when the process is to end, with its exit code (None: 0); it is None while there is no process.
    `progress` is its job at work. A `broken` process is there and makes no progress for ever: a fault broke its context.
    One that is `evicted` ends, and another takes its place. One that `is_left` was evicted from a node whose kubelet is
    silent: it is Terminating, and the other is there already. One that `is_cut_off` went down with its node.
    """

    name: str
    workload: Workload
    placed: simpy.Event
    node: Node | None = None
    allocation: Allocation | None = None
    cards: tuple[Card, ...] = ()
    rate: Rate | None = field(default=None)
    ends: simpy.Event | None = None
    progress: Progress | BusyPeriods | None = None
    broken: bool = False
    message: str | None = None  # the scheduler's, where it waits
    evicted: bool = False
    is_left: bool = False
    is_cut_off: bool = False
    instead_of: str | None = (
        None  # the first Pod, in a row of Pods that each took the place of one left behind
    )
    sleeps: simpy.Process | None = None  # what waits for the next start of its container

    @property
    def on_node(self) -> str:
        """The name of the node to which it is bound."""
        assert self.node is not None
        return self.node.name

    @property
    def is_alive(self) -> bool:
        """Whether it has a process that nothing has ended."""
        return self.ends is not None and not self.ends.triggered

    def makes_way(self, exit_code: int | None = None) -> bool:
        """Whether it goes because it was evicted, not because its process, which ended so, was done."""
        return self.is_left or (
            self.evicted
            and (
                exit_code in (None, EVICTED_EXIT_CODE)
                or self.workload.restart_policy is RestartPolicy.ALWAYS
                or (self.workload.restart_policy is RestartPolicy.ON_FAILURE and exit_code != 0)
            )
        )

    def stop_working(self) -> None:
        """Its job does no more work; the other jobs on the cards go on faster."""
        if self.progress is not None:
            self.progress.stop()
            self.progress = None


def evict_all(pods: Mapping[str, LivePod], node: Node) -> None:
    """Asks every Pod on the node to go: its process ends, and its controller makes another Pod."""
    for pod in list(pods.values()):
        if pod.node is node and pod.allocation is not None:
            pod.evicted = True
            evict(pod)


def evict(pod: LivePod, exit_code: int = EVICTED_EXIT_CODE) -> None:
    """Ends the Pod's process, or its wait for the next."""
    if pod.sleeps is not None:
        pod.sleeps.interrupt()
    elif pod.ends is not None and not pod.ends.triggered:
        pod.stop_working()
        pod.ends.succeed(exit_code)
