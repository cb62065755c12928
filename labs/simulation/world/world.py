"""The world of one run: SimPy processes that live the Pods' lives and write down what happens.

Time is the environment's, in integer microseconds. Everything at the same instant happens in the order of
the scenario: SimPy orders simultaneous events by their creation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import suppress

import simpy

from labs.cluster.node import Node
from labs.cluster.scheduler import Scheduler
from labs.hardware.units import SECOND_US
from labs.simulation.laws import Budget, line_of
from labs.simulation.scenario import (
    Fault,
    JobKind,
    MigConfig,
    RestartPolicy,
    Workload,
)
from labs.simulation.trace import (
    AdmissionFailed,
    AllocatableChanged,
    BackedOff,
    CardUnhealthy,
    ContainerExited,
    ContainerStarted,
    Health,
    MeanLatency,
    MedianLatency,
    P99Latency,
    PodCreated,
    PodEvicted,
    PodFailed,
    PodGone,
    PodSucceeded,
    RequestsAnswered,
    SlotAllocated,
)
from labs.simulation.world.card import Card
from labs.simulation.world.faults import Faults
from labs.simulation.world.live_pod import LivePod, evict_all
from labs.simulation.world.mig_manager import Layout, MigManager, Operator
from labs.simulation.world.pod_process import PodProcesses
from labs.simulation.world.trace_writer import TraceWriter
from labs.simulation.world.unreachable import Unreachable
from labs.simulation.world.waiting_pods import WaitingPods

# The kubelet's waits before it starts a dead container again: its next sync, then 10 s doubling to 5 min
# (Kubernetes documentation, Pod lifecycle, restart policy); forgotten once a container ran for 10 min.
BACK_OFFS_US = tuple(seconds * SECOND_US for seconds in (1, 10, 20, 40, 80, 160, 300))
BACK_OFF_FORGET_US = 600 * SECOND_US


class World:
    """Nodes with their cards and the scheduler's queue; what happens is written to `trace`."""

    def __init__(
        self,
        env: simpy.Environment,
        trace: TraceWriter,
        nodes: Iterable[Node],
        cards: dict[str, tuple[Card, ...]],
        seed: int,
    ) -> None:
        self.env = env
        self.trace = trace
        self._cards = cards
        self._nodes = {node.name: node for node in nodes}
        self._scheduler = Scheduler(tuple(self._nodes.values()))
        self._waiting = WaitingPods(self._scheduler, trace)
        self._pods: dict[str, LivePod] = {}
        self._numbers: Counter[str] = Counter()  # of Pods beyond those of the scenario, by workload
        self.unreachable = Unreachable(env, self._pods, trace, self._replace)
        self._faults = Faults(self._pods, trace, self._mark)
        self._seed = seed
        self._processes = PodProcesses(env, trace, seed)

    def add(self, workload: Workload, horizon_us: int) -> None:
        """Lets those of the workload's Pods arrive in time that come before the horizon."""
        for name, arrival_us in zip(workload.pod_names(), workload.arrivals_us, strict=True):
            if arrival_us >= horizon_us:
                break  # they are in order
            self.env.process(self._live(name, workload, arrival_us))

    def add_fault(
        self, fault: Fault, aimed: Callable[[], tuple[Fault, Sequence[Card]]], horizon_us: int
    ) -> None:
        """Lets the fault happen at its time, where that comes before the horizon.

        `aimed` says what it strikes then, a Pod or a card by its place, and these cards.
        """
        if fault.at_us < horizon_us:
            alarm = self.env.timeout(fault.at_us)
            alarm.callbacks.append(lambda _: self._faults.strike(*aimed()))

    def card_of(self, pod: str) -> Card | None:
        """The first of the cards that a Pod has now; None where it has none, or is not there."""
        live = self._pods.get(pod)
        return live.cards[0] if live is not None and live.allocation is not None and live.cards else None

    def add_mig_configs(
        self,
        configs: Sequence[MigConfig],
        layouts: Sequence[Layout],
        horizon_us: int,
        operator: Operator | None = None,
    ) -> None:
        """Lets mig-manager play the node's MIG configs before the horizon; `layouts`: see `MigManager.watch`."""
        played = [config for config in configs if config.at_us < horizon_us]
        if played:
            manager = MigManager(
                self.env, self._pods, self._scheduler, self.trace, self._waiting.retry_anew, operator
            )
            self.env.process(manager.watch(played, layouts[: len(played) + 1]))

    def follow_requests(self) -> None:
        """Follows every request from now on.

        Raises TooManyRequestsError where these are more events than records are allowed.
        """
        budget = Budget(self.trace.record_limit, self.trace.record_limit)
        for cards in self._cards.values():
            for card in cards:
                stream = f"{self._seed}:requests/{card.node}/{card.number}"
                card.line = line_of(card.mechanism)(stream, lambda: int(self.env.now), budget)

    def catch_up(self) -> None:
        """Lets the requests on all cards come up to now."""
        for cards in self._cards.values():
            for card in cards:
                if card.line is not None:
                    card.line.catch_up()

    def write_answered(self) -> None:
        """Writes down what the requests of every service had to wait: on the slowest of its cards, where it has several."""
        for pod in self._pods.values():
            lines = [card.line for card in pod.cards if card.line is not None]
            if pod.workload.job.kind is not JobKind.SERVICE:
                continue
            by_card = (line.contexts[pod.name].answered() for line in lines if pod.name in line.contexts)
            known = [answered for answered in by_card if answered is not None]
            if known:
                slowest = max(known, key=lambda answered: answered.mean_us)
                place = (self.trace.now_us, pod.name, pod.on_node)
                self.trace.write(RequestsAnswered(*place, slowest.count))
                self.trace.write(MeanLatency(*place, slowest.mean_us))
                self.trace.write(MedianLatency(*place, slowest.p50_us))
                self.trace.write(P99Latency(*place, slowest.p99_us))

    # A Pod's life

    def _replace(self, pod: LivePod) -> None:
        """The controller of a Pod that is Terminating makes another, of the next number."""
        workload = pod.workload
        name = f"{workload.name}-{workload.count + self._numbers[workload.name]}"
        self._numbers[workload.name] += 1
        self.env.process(self._live(name, workload, 0, pod.instead_of or pod.name))

    def _live(
        self, name: str, workload: Workload, delay_us: int, instead_of: str | None = None
    ) -> Generator[simpy.Event, object, None]:
        yield self.env.timeout(delay_us)
        is_new = True
        while True:
            pod = LivePod(name, workload, self.env.event(), instead_of=instead_of)
            self._pods[name] = pod
            if is_new:
                self.trace.write(PodCreated(self.trace.now_us, name, instead_of))
            self._waiting.add(pod)
            yield pod.placed
            is_evicted = yield from self._admit_and_run(pod)
            if not is_evicted:
                return
            is_new = False  # its controller makes another, which is told under the same name

    def _admit_and_run(self, pod: LivePod) -> Generator[simpy.Event, object, bool]:
        """The Pod's life on its node; True where it was evicted."""
        assert pod.node is not None
        assert pod.allocation is not None
        yield from self.unreachable.wait(pod)
        if pod.makes_way():
            return self._evict(pod)
        pod.allocation = pod.node.admit(pod.allocation)
        refusal = pod.allocation.refusal or pod.node.admission_error(pod.workload.request)
        if refusal is not None:
            return self._refuse(pod, refusal)
        for resource, slots in pod.allocation.slots.items():
            name = resource if pod.allocation.units else None  # counted by name, whatever becomes of the slot
            for slot in slots:
                self.trace.write(
                    SlotAllocated(self.trace.now_us, pod.name, pod.on_node, slot.gpu, slot.slot, name)
                )
        pod.cards = tuple(self._cards[pod.node.name][gpu] for gpu in pod.allocation.gpus)
        restarts = back_offs = 0
        while True:
            started = self.env.now
            self.trace.write(ContainerStarted(self.trace.now_us, pod.name, pod.on_node, restarts))
            exit_code = yield from self._processes.run(pod)
            pod.ends = pod.progress = None
            self.trace.write(ContainerExited(self.trace.now_us, pod.name, pod.on_node, exit_code))
            yield from self.unreachable.wait(pod)
            if pod.makes_way(exit_code):
                return self._evict(pod)
            if self._was_cut_off(pod):
                refusal = pod.node.readmission_error(pod.allocation)
                if refusal is not None:
                    return self._refuse(pod, refusal)
                restarts += 1
                continue
            if not _restarts(pod.workload.restart_policy, exit_code):
                ended = PodFailed if exit_code else PodSucceeded
                self.trace.write(ended(self.trace.now_us, pod.name, pod.on_node))
                self._leave(pod)
                return False
            if self.env.now - started >= BACK_OFF_FORGET_US:
                back_offs = 0
            wait = BACK_OFFS_US[min(back_offs, len(BACK_OFFS_US) - 1)]
            self.trace.write(BackedOff(self.trace.now_us, pod.name, pod.on_node, wait))
            pod.sleeps = self.env.active_process
            with suppress(simpy.Interrupt):
                yield self.env.timeout(wait)
            pod.sleeps = None
            yield from self.unreachable.wait(pod)
            if pod.makes_way():
                return self._evict(pod)
            refusal = pod.node.readmission_error(pod.allocation) if self._was_cut_off(pod) else None
            if refusal is not None:
                return self._refuse(pod, refusal)
            restarts += 1
            back_offs += 1

    def _refuse(self, pod: LivePod, words: str) -> bool:
        """The kubelet does not admit the Pod, which is Failed and stays so."""
        self.trace.write(AdmissionFailed(self.trace.now_us, pod.name, pod.on_node, words))
        self._leave(pod)
        return False

    def _was_cut_off(self, pod: LivePod) -> bool:
        """Whether the Pod's node went down since somebody asked last."""
        was, pod.is_cut_off = pod.is_cut_off, False
        return was

    def _evict(self, pod: LivePod) -> bool:
        """The Pod is gone from its node before its end; whether another has to take its place."""
        went = PodGone if pod.is_left else PodEvicted
        self.trace.write(went(self.trace.now_us, pod.name, pod.on_node))
        for card in pod.cards:
            if card.line is not None:
                card.line.forget(pod.name)
        self._leave(pod)
        return not pod.is_left

    def _mark(self, cards: Sequence[Card], is_lost: bool) -> None:
        """The plugin, where one runs, marks the cards unhealthy: no new Pod gets one, and nobody is moved.

        Those that are lost stay so, others until a plugin starts there.
        """
        for card in cards:
            node = self._nodes[card.node]
            if card.lost or (not is_lost and (card.unhealthy or not node.has_plugin)):
                continue
            card.lost, card.unhealthy = is_lost, True
            health = Health.LOST if is_lost else Health.UNHEALTHY
            self.trace.write(CardUnhealthy(self.trace.now_us, card.node, card.number, health))
            for resource in node.mark_unhealthy(card.number, for_good=is_lost):
                pool = node.pools.get(resource)  # None: the kubelet's next node status tells of it
                if pool is not None:
                    left = 0 if node.is_paused else pool.allocatable
                    self.trace.write(AllocatableChanged(self.trace.now_us, card.node, resource, left))
            self._scheduler.mark_changed(node)

    # Nodes that come, go and change

    def look_again(self, node: Node) -> None:
        """The API server sees something else of the node: waiting Pods are tried, and told why they still wait."""
        self._scheduler.mark_changed(node)
        self._waiting.retry_anew()

    def evict_all(self, node: Node) -> None:
        """The Node object is gone, and so are the Pods on it; their controllers make others."""
        self._scheduler.mark_changed(node)
        evict_all(self._pods, node)

    def _leave(self, pod: LivePod) -> None:
        """The Pod has ended: its slots are free, and waiting Pods are tried."""
        assert pod.node is not None
        assert pod.allocation is not None
        pod.node.release(pod.allocation)
        pod.allocation = None
        self._scheduler.mark_changed(pod.node)
        self._waiting.retry()


def _restarts(policy: RestartPolicy, exit_code: int) -> bool:
    return policy is RestartPolicy.ALWAYS or (policy is RestartPolicy.ON_FAILURE and exit_code != 0)
