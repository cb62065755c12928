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
from labs.simulation.laws import Budget, Mig, Mps, TimeSlicing, line_of
from labs.simulation.scenario import (
    Fault,
    JobKind,
    MigConfig,
    RestartPolicy,
    Workload,
)
from labs.simulation.trace import Happening, Health, Record
from labs.simulation.world.card import Card
from labs.simulation.world.faults import Faults
from labs.simulation.world.live_pod import LivePod, evict_all
from labs.simulation.world.mig_manager import Layout, MigManager, Operator
from labs.simulation.world.pod_process import PodProcesses
from labs.simulation.world.unreachable import Unreachable
from labs.simulation.world.waiting_pods import WaitingPods

# The kubelet's waits before it starts a dead container again: its next sync, then 10 s doubling to 5 min
# (Kubernetes documentation, Pod lifecycle, restart policy); forgotten once a container ran for 10 min.
BACK_OFFS_US = tuple(seconds * SECOND_US for seconds in (1, 10, 20, 40, 80, 160, 300))
# Of `queueing`: many different jobs on one card take more time to work out than to tell of.
STEPS_PER_RECORD = 20
BACK_OFF_FORGET_US = 600 * SECOND_US


class RunTooLargeError(Exception):
    """The run would write more records, or compute more for each of them, than allowed.

    `limit` records, reached at `at_us`.
    """

    def __init__(self, limit: int, at_us: int) -> None:
        super().__init__(limit, at_us)  # SimPy raises a copy made from these arguments
        self.limit = limit
        self.at_us = at_us

    def __str__(self) -> str:
        return f"more than {self.limit} records at {self.at_us} us"


class World:
    """Nodes with their cards, the scheduler's queue, and the records so far."""

    def __init__(
        self, nodes: Iterable[Node], cards: dict[str, tuple[Card, ...]], *, seed: int, record_limit: int
    ) -> None:
        self.env = simpy.Environment(initial_time=0)
        self.records: list[Record] = []
        self._cards = cards
        self._nodes = {node.name: node for node in nodes}
        self._scheduler = Scheduler(tuple(self._nodes.values()))
        self._waiting = WaitingPods(self._scheduler, self.record)
        self._pods: dict[str, LivePod] = {}
        self._numbers: Counter[str] = Counter()  # of Pods beyond those of the scenario, by workload
        self.unreachable = Unreachable(self.env, self._pods, self.record, self._replace)
        self._faults = Faults(self._pods, self.record, self._mark)
        self._seed = seed
        self._processes = PodProcesses(self.env, self.record, seed)
        self._record_limit = record_limit
        self._steps_left = record_limit * STEPS_PER_RECORD
        for mechanism in (card.mechanism for of_node in cards.values() for card in of_node):
            inner = mechanism.inner if isinstance(mechanism, Mig) else mechanism
            if isinstance(inner, TimeSlicing | Mps):
                inner.spend = self._spend

    def add(self, workload: Workload, horizon_us: int) -> None:
        """Lets those of the workload's Pods arrive in time that come before the horizon."""
        for name, arrival_us in zip(workload.pod_names(), workload.arrivals_us, strict=True):
            if arrival_us >= horizon_us:
                break  # they are in order
            self.env.process(self._live(name, workload, arrival_us))

    def add_fault(
        self, fault: Fault, aimed: Callable[[], tuple[Fault, Sequence[Card]]], horizon_us: int
    ) -> None:
        """Lets the fault happen at its time, where that comes before the horizon: `aimed` says what it strikes then, a
        Pod or a card by its place, and these cards."""
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
                self.env, self._pods, self._scheduler, self.record, self._waiting.retry_anew, operator
            )
            self.env.process(manager.watch(played, layouts[: len(played) + 1]))

    def tell_requests(self) -> None:
        """Follows every request from now on. Raises TooManyRequestsError where these are more than `record_limit` events."""
        budget = Budget(self._record_limit, self._record_limit)
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

    def tell_answered(self) -> None:
        """Writes down what the requests of every service had to wait: on the slowest of its cards, where it has several."""
        for pod in self._pods.values():
            lines = [card.line for card in pod.cards if card.line is not None]
            if pod.workload.job.kind is not JobKind.SERVICE:
                continue
            found = [line.contexts[pod.name].answered() for line in lines if pod.name in line.contexts]
            told = max(
                (each for each in found if each is not None), key=lambda each: each.mean_us, default=None
            )
            if told is not None:
                self.record(Happening.ANSWERED, pod, value=told.count)
                self.record(Happening.LATENCY_MEAN, pod, value=told.mean_us)
                self.record(Happening.LATENCY_P50, pod, value=told.p50_us)
                self.record(Happening.LATENCY_P99, pod, value=told.p99_us)

    def record(self, what: Happening, live: LivePod | None = None, **fields: int | str | None) -> None:
        """Writes down what happens now.

        Raises RunTooLargeError past the limit.
        """
        if len(self.records) >= self._record_limit:
            raise RunTooLargeError(self._record_limit, int(self.env.now))
        if live is not None:
            fields = {"pod": live.name, "node": live.node.name if live.node else None, **fields}
        self.records.append(Record(int(self.env.now), what, **fields))  # type: ignore[arg-type]

    def _spend(self, steps: int) -> None:
        """Counts what working out the speeds on a card takes. Raises RunTooLargeError where it is out of proportion."""
        self._steps_left -= steps
        if self._steps_left < 0:
            raise RunTooLargeError(len(self.records), int(self.env.now))

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
                self.record(Happening.POD_CREATED, pod, reason=instead_of)
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
                self.record(Happening.SLOT_ALLOCATED, pod, gpu=slot.gpu, slot=slot.slot, reason=name)
        pod.cards = tuple(self._cards[pod.node.name][gpu] for gpu in pod.allocation.gpus)
        restarts = back_offs = 0
        while True:
            started = self.env.now
            self.record(Happening.CONTAINER_STARTED, pod, value=restarts)
            exit_code = yield from self._processes.run(pod)
            pod.ends = pod.progress = None
            self.record(Happening.CONTAINER_EXITED, pod, value=exit_code)
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
                self.record(Happening.POD_FAILED if exit_code else Happening.POD_SUCCEEDED, pod)
                self._leave(pod)
                return False
            if self.env.now - started >= BACK_OFF_FORGET_US:
                back_offs = 0
            wait = BACK_OFFS_US[min(back_offs, len(BACK_OFFS_US) - 1)]
            self.record(Happening.BACK_OFF, pod, value=wait)
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
        self.record(Happening.ADMISSION_FAILED, pod, reason=words)
        self._leave(pod)
        return False

    def _was_cut_off(self, pod: LivePod) -> bool:
        """Whether the Pod's node went down since somebody asked last."""
        was, pod.is_cut_off = pod.is_cut_off, False
        return was

    def _evict(self, pod: LivePod) -> bool:
        """The Pod is gone from its node before its end; whether another has to take its place."""
        self.record(Happening.POD_GONE if pod.is_left else Happening.POD_EVICTED, pod)
        for card in pod.cards:
            if card.line is not None:
                card.line.forget(pod.name)
        self._leave(pod)
        return not pod.is_left

    def _mark(self, cards: Sequence[Card], is_lost: bool) -> None:
        """The plugin, where one runs, marks the cards unhealthy: no new Pod gets one, and nobody is moved. Those that are
        lost stay so, others until a plugin starts there."""
        for card in cards:
            node = self._nodes[card.node]
            if card.lost or (not is_lost and (card.unhealthy or not node.has_plugin)):
                continue
            card.lost, card.unhealthy = is_lost, True
            health = Health.LOST if is_lost else Health.UNHEALTHY
            self.record(Happening.CARD_UNHEALTHY, node=card.node, gpu=card.number, reason=str(health))
            for resource in node.mark_unhealthy(card.number, for_good=is_lost):
                pool = node.pools.get(resource)  # None: the kubelet's next node status tells of it
                if pool is not None:
                    left = 0 if node.is_paused else pool.allocatable
                    self.record(Happening.ALLOCATABLE, node=card.node, reason=resource, value=left)
            self._scheduler.touch(node)

    # Nodes that come, go and change

    def look_again(self, node: Node) -> None:
        """The API server sees something else of the node: waiting Pods are tried, and told why they still wait."""
        self._scheduler.touch(node)
        self._waiting.retry_anew()

    def evict_all(self, node: Node) -> None:
        """The Node object is gone, and so are the Pods on it; their controllers make others."""
        self._scheduler.touch(node)
        evict_all(self._pods, node)

    def _leave(self, pod: LivePod) -> None:
        """The Pod has ended: its slots are free, and waiting Pods are tried."""
        assert pod.node is not None
        assert pod.allocation is not None
        pod.node.release(pod.allocation)
        pod.allocation = None
        self._scheduler.touch(pod.node)
        self._waiting.retry()


def _restarts(policy: RestartPolicy, exit_code: int) -> bool:
    return policy is RestartPolicy.ALWAYS or (policy is RestartPolicy.ON_FAILURE and exit_code != 0)
