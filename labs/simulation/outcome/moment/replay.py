"""Reads a Trace from its beginning and keeps the state that its records add up to.

Snapshots and outcomes are made of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from labs.simulation.laws import Exclusive
from labs.simulation.outcome.moment.snapshot import BEING_DELETED, PodState
from labs.simulation.scenario import Scenario, Workload
from labs.simulation.trace import (
    AdmissionFailed,
    AllocatableChanged,
    AllocationFailed,
    AnsweredLatency,
    BackedOff,
    BoundPodRecord,
    CapacityChanged,
    CardAllocatable,
    CardBusy,
    CardHealthy,
    CardOffered,
    CardRecord,
    CardUnhealthy,
    ContainerExited,
    ContainerStarted,
    ContextAllocated,
    CudaRefused,
    FaultHit,
    FaultStruck,
    Health,
    LatencyChanged,
    MemoryAllocated,
    MigConfigSet,
    MigLayoutChanged,
    MigModeSwitched,
    MigRecord,
    MigStateChanged,
    NodeAdvertised,
    NodeJoined,
    NodeLeft,
    NodeRecord,
    NodeRefused,
    PodCardRecord,
    PodCreated,
    PodEvicted,
    PodFailed,
    PodGone,
    PodScheduled,
    PodSucceeded,
    PodTerminating,
    PodUnschedulable,
    Record,
    RequestRateChanged,
    RequestsAnswered,
    SlotAllocated,
    SpeedChanged,
)
from labs.simulation.world import PENDING


@dataclass(slots=True)
class Meter:
    """A rate that holds between changes, and its integral over time (rate x microseconds)."""

    rate: int = 0
    since_us: int = 0
    total: int = 0
    active_us: int = 0  # while it was more than 0

    def turn_to(self, rate: int, at_us: int) -> None:
        """The rate is `rate` from `at_us` on."""
        self.total += self.rate * (at_us - self.since_us)
        self.active_us += at_us - self.since_us if self.rate else 0
        self.rate, self.since_us = rate, at_us


@dataclass(slots=True)
class PodReplay:
    """A Pod so far."""

    name: str
    workload: Workload
    state: PodState = PodState.PENDING
    message: str | None = None
    node: str | None = None
    slots: list[tuple[int, int]] = field(default_factory=list)
    gpus: tuple[int, ...] = ()  # its cards, each once, in order
    held_bytes: int = 0  # on all its cards together
    peak_bytes: int = 0
    process_us: int = 0  # since when its present process, or the last, is there
    refused_on: int | None = None  # the card that refused it memory last
    faults: int = 0  # that hit it
    cuda_error: str | None = None  # what its process got instead of a context last
    oom: int = 0
    restarts: int = 0
    started_us: int | None = None
    finished_us: int | None = None
    speed: Meter = field(default_factory=Meter)
    requests: Meter = field(default_factory=Meter)
    waiting: Meter = field(
        default_factory=Meter
    )  # requests per second x latency: its integral / requests = mean latency
    latency_us: int = 0
    answered: int | None = None  # requests, where every one is told
    answered_us: dict[type[AnsweredLatency], int] = field(default_factory=dict)  # their latencies
    unbounded: bool = False  # its queue grew without bound for a while
    left_us: int | None = None  # since when it is Terminating
    instead_of: str | None = (
        None  # the first of the Pods, each left behind for the next, whose work it is to do
    )

    def turn_to(self, state: PodState) -> None:
        """It is so from now on; of one that is being deleted nobody hears anything more but its end."""
        if self.state not in BEING_DELETED or state is PodState.GONE:
            self.state = state

    def take(self, gpu: int, slot: int) -> None:
        """The Pod holds a slot."""
        self.slots.append((gpu, slot))
        if gpu not in self.gpus:
            self.gpus = tuple(sorted((*self.gpus, gpu)))


@dataclass(slots=True)
class FaultReplay:
    """A fault that has happened: its record, and the Pods that it hit, by name."""

    record: FaultStruck
    hit: list[str] = field(default_factory=list)


@dataclass(slots=True)
class MigReplay:
    """A MIG config that mig-manager was told of: when, which of its node's (from 1), its profiles, what has come of it.

    `in_the_way` processes kept it from succeeding, `evicted` Pods made way, `mode` is how MIG mode was switched (None: not).
    """

    node: str
    number: int
    profiles: str
    at_us: int
    evicted: int = 0
    state: str = ""
    ended_us: int | None = None
    mode: str | None = None
    in_the_way: int = 0


@dataclass(slots=True)
class CardReplay:
    """A card so far.

    With how many slots it is offered and how they share it, who holds (context, data) bytes, in the order they came, and
    who was refused.

    Nobody shares a card that is not offered at all.
    """

    slots: int = 0
    mechanism: str = Exclusive.name
    mechanisms: set[str] = field(default_factory=set)  # all by which it was ever offered
    holdings: dict[str, list[int]] = field(default_factory=dict)
    refused: dict[str, int] = field(default_factory=dict)
    owners: dict[int, str] = field(default_factory=dict)  # by slot
    held: dict[tuple[int, str, bool], str] = field(
        default_factory=dict
    )  # where the plugin is rolled out: by slot, resource, and whether that was shared
    busy: Meter = field(default_factory=Meter)
    held_bytes: int = 0
    peak_bytes: int = 0
    oom: int = 0
    health: Health = Health.HEALTHY
    allocatable: dict[str, int] | None = (
        None  # by resource, as the API server has it, where the plugin is rolled out
    )
    there: Meter = field(default_factory=Meter)  # 1 while the node, and the MIG layout that has it, are there
    since_us: int | None = None  # when these first came; None: not yet
    until_us: int | None = None  # when these went
    hit: dict[str, None] = field(default_factory=dict)  # Pods on it that a fault hit, in order

    @property
    def is_unhealthy(self) -> bool:
        """Whether it takes no new Pods."""
        return self.health in (Health.UNHEALTHY, Health.LOST)

    @property
    def is_shared(self) -> bool:
        """Whether the plugin lists it several times."""
        return self.slots > 1

    def come(self, at_us: int) -> None:
        """It is there from now on."""
        self.there.turn_to(1, at_us)
        self.since_us, self.until_us = at_us if self.since_us is None else self.since_us, None

    def go(self, at_us: int) -> None:
        """It is there no more."""
        self.busy.turn_to(0, at_us)
        self.there.turn_to(0, at_us)
        self.until_us = at_us

    def hold(self, pod: str, place: int, size: int) -> int:
        """The Pod holds `size` bytes of context (place 0) or data (1) from now on; by how much that is more than before."""
        holding = self.holdings.setdefault(pod, [0, 0])
        growth = size - holding[place]
        holding[place] = size
        self.held_bytes += growth
        self.peak_bytes = max(self.peak_bytes, self.held_bytes)
        return growth

    def drop(self, pod: str) -> None:
        """The Pod's process is gone."""
        self.held_bytes -= sum(self.holdings.pop(pod, ()))


class Replay:
    """The state after the records seen so far."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.now_us = 0
        self.pods: dict[str, PodReplay] = {}
        self._layouts = {node.name: scenario.layouts(node) for node in scenario.nodes}
        self.layouts = {name: cuts[0] for name, cuts in self._layouts.items()}
        self.mig: list[MigReplay] = []
        self._evicted: dict[str, int] = {}
        self.devices = {
            (name, device.number): device
            for name, cuts in self._layouts.items()
            for cut in cuts
            for device in cut.devices
        }
        self.cards = {key: CardReplay() for key in self.devices}
        rollout = scenario.rollout
        self.present = {name for name in self._layouts if rollout is None or name not in rollout.absent}
        for name in self.present:
            self._turn_cards(name, 0, there=True)
        if rollout is not None:
            for card in self.cards.values():
                card.allocatable = {}
        self.resources: dict[str, list[tuple[str, int]]] = {node.name: [] for node in scenario.nodes}
        self.capacities: dict[str, dict[str, int]] = {}  # of nodes whose plugin is rolled out
        self.errors: dict[str, str] = {}
        self.faults: list[FaultReplay] = []
        self._workloads = {workload.name: workload for workload in scenario.workloads}

    def see_all(self, records: Iterable[Record], until_us: int | None = None) -> None:
        """Sees the records in order, those after `until_us` not."""
        for record in records:
            if until_us is not None and record.at_us > until_us:
                break
            self.see(record)

    def see(self, record: Record) -> None:
        """Adds one record to the state."""
        self.now_us = record.at_us
        match record:
            case PodCardRecord():
                self._see_card_of_pod(record, self._bound(record), self.cards[record.node, record.gpu])
            case BoundPodRecord():
                self._see_life(record, self._bound(record))
            case CardRecord():
                self._see_card(record, self.cards[record.node, record.gpu])
            case MigRecord():
                self._see_mig(record)
            case NodeRecord():
                self._see_node(record)
            case PodCreated(pod=name, instead_of=instead_of):
                workload = self._workloads[name.rpartition("-")[0]]
                self.pods[name] = PodReplay(name, workload, instead_of=instead_of)
            case PodUnschedulable(pod=name, message=message):
                self.pods[name].message = message
            case FaultStruck():
                self.faults.append(FaultReplay(record))

    def _see_card(self, record: CardRecord, card: CardReplay) -> None:
        """A record about a card alone."""
        match record:
            case CardBusy(busy_ppm=busy_ppm):
                card.busy.turn_to(busy_ppm, record.at_us)
            case CardOffered(slots=slots, mechanism=mechanism):
                if self.scenario.rollout is not None:
                    self.errors.pop(record.node, None)
                card.slots, card.mechanism = slots, mechanism
                if slots:
                    card.mechanisms.add(mechanism)
            case CardAllocatable(resource=resource, units=units):
                card.allocatable = {**(card.allocatable or {}), resource: units}
            case CardUnhealthy(health=health):
                card.health = health
            case CardHealthy():
                card.health = Health.RECOVERED

    def _see_mig(self, record: MigRecord) -> None:
        """A record about a node's MIG config: that it is set, or what has come of the last one so far."""
        node = record.node
        if isinstance(record, MigConfigSet):
            evicted = self._evicted.pop(node, 0)
            self.mig.append(MigReplay(node, record.number, record.profiles, record.at_us, evicted))
            return
        config = next(config for config in reversed(self.mig) if config.node == node)
        match record:
            case MigStateChanged(state=state, in_the_way=in_the_way):
                config.state, config.in_the_way = state, in_the_way or 0
                config.ended_us = None if state == PENDING else record.at_us
            case MigModeSwitched(how=how):
                config.mode = how
            case MigLayoutChanged(number=number):
                self._turn_cards(node, record.at_us, there=False)
                self.layouts[node] = self._layouts[node][number]
                self._turn_cards(node, record.at_us, there=True)
                if self.scenario.rollout is None:
                    self.resources[node] = []
                self.errors.pop(node, None)

    def _see_node(self, record: NodeRecord) -> None:
        """A record about a node: whether it is there, and what it offers."""
        node = record.node
        match record:
            case NodeAdvertised(resource=resource, count=count):
                self.resources[node].append((resource, count))
            case AllocatableChanged(resource=resource, count=count):
                self.resources[node] = list((dict(self.resources[node]) | {resource: count}).items())
            case CapacityChanged(resource=resource, count=count):
                self.capacities.setdefault(node, {})[resource] = count
            case NodeRefused(error=error):
                self.errors[node] = error
            case NodeJoined():
                self.present.add(node)
                self._turn_node(node, record.at_us, there=True)
            case NodeLeft():
                self.present.discard(node)
                self._turn_node(node, record.at_us, there=False)

    def _turn_node(self, node: str, at_us: int, *, there: bool) -> None:
        """A node joins or leaves."""
        self._turn_cards(node, at_us, there=there)
        self.resources[node] = []
        self.capacities.pop(node, None)
        self.errors.pop(node, None)
        for device in self.layouts[node].devices:
            self.cards[node, device.number].allocatable = {}

    def _turn_cards(self, node: str, at_us: int, *, there: bool) -> None:
        """The devices of a node's present layout come or go."""
        for device in self.layouts[node].devices:
            card = self.cards[node, device.number]
            (card.come if there else card.go)(at_us)

    def allocatable(self, node: str, card: CardReplay) -> int:
        """Slots of a card that the API server has as allocatable: none of an unhealthy one, or while the plugin is away."""
        if card.is_unhealthy:
            return 0
        if card.allocatable is not None:
            return sum(card.allocatable.values())
        return card.slots if any(units for _, units in self.resources[node]) else 0

    def held(self, pod: PodReplay, gpu: int) -> tuple[int, int]:
        """Bytes of context and of data that the Pod holds on one of its cards."""
        context, data = self.cards[pod.node or "", gpu].holdings.get(pod.name, (0, 0))
        return context, data

    def found_bytes(self, pod: PodReplay, gpu: int) -> int:
        """Bytes of data on one of its cards that the Pod does not need, and took because they were free."""
        _, data = self.held(pod, gpu)
        begun = [step for step in pod.workload.memory if pod.process_us + step.at_us <= self.now_us]
        if not data or not begun or not begun[-1].takes_what_it_finds:
            return 0
        return max(0, data - begun[-1].needs_bytes)

    def _bound(self, record: BoundPodRecord) -> PodReplay:
        """The Pod of a record, on the node that the record tells."""
        pod = self.pods[record.pod]
        pod.node = record.node
        return pod

    def _see_card_of_pod(self, record: PodCardRecord, pod: PodReplay, card: CardReplay) -> None:
        """A record about a Pod and a card: slots and memory."""
        match record:
            case ContextAllocated(size_bytes=size) | MemoryAllocated(size_bytes=size):
                place = 0 if isinstance(record, ContextAllocated) else 1
                pod.held_bytes += card.hold(pod.name, place, size)
                pod.peak_bytes = max(pod.peak_bytes, pod.held_bytes)
                card.refused.pop(pod.name, None)
            case SlotAllocated(gpu=gpu, slot=slot, resource=resource):
                pod.take(gpu, slot)
                if resource is None:
                    card.owners[slot] = pod.name
                else:
                    card.held[slot, resource, card.is_shared] = pod.name
            case AllocationFailed(gpu=gpu, asked_bytes=asked_bytes):
                pod.oom += 1
                pod.refused_on = gpu
                card.oom += 1
                card.refused[pod.name] = asked_bytes
                pod.turn_to(PodState.OUT_OF_MEMORY)
            case CudaRefused(error=error):
                pod.turn_to(PodState.FAULTED)
                pod.cuda_error = error

    def _see_life(self, record: BoundPodRecord, pod: PodReplay) -> None:
        """A record about a Pod on its node: its phase and its speed."""
        at_us = record.at_us
        match record:
            case SpeedChanged(speed_ppm=speed_ppm):
                pod.speed.turn_to(speed_ppm, at_us)
            case RequestRateChanged(requests_u=requests_u):
                pod.requests.turn_to(requests_u, at_us)
                pod.waiting.turn_to(requests_u * pod.latency_us, at_us)
            case LatencyChanged(latency_us=latency_us):
                pod.latency_us = latency_us
                pod.unbounded = pod.unbounded or latency_us == 0
                pod.waiting.turn_to(pod.requests.rate * latency_us, at_us)
            case PodScheduled():
                pod.state, pod.message = PodState.BOUND, None
            case AdmissionFailed(message=message):
                pod.state, pod.message, pod.finished_us = PodState.REFUSED, message, at_us
                self._drop_slots(pod)
            case ContainerStarted(restarts=restarts):
                pod.state, pod.restarts, pod.process_us = PodState.RUNNING, restarts, at_us
                pod.started_us = at_us if pod.started_us is None else pod.started_us
            case FaultHit():
                self._see_fault(pod)
            case ContainerExited():
                self._drop_memory(pod)
            case BackedOff():
                pod.state = PodState.BACK_OFF
            case PodSucceeded():
                self._end(pod, PodState.SUCCEEDED, at_us)
            case PodFailed():
                self._end(pod, PodState.FAILED, at_us)
            case PodEvicted(node=node):
                self._drop_slots(pod)
                self._evicted[node] = self._evicted.get(node, 0) + 1
                self.pods[pod.name] = PodReplay(pod.name, pod.workload)
            case PodTerminating():
                has_run = pod.started_us is not None
                pod.state = PodState.TERMINATING if has_run else PodState.NEVER_STARTED
                pod.left_us = at_us
            case PodGone(node=node):
                for gpu in pod.gpus:
                    self.cards[node, gpu].hit.pop(pod.name, None)
                self._end(pod, PodState.GONE, at_us)
            case RequestsAnswered(count=count):
                pod.answered = count
            case AnsweredLatency(latency_us=latency_us):
                pod.answered_us[type(record)] = latency_us

    def _end(self, pod: PodReplay, state: PodState, at_us: int) -> None:
        """The Pod has no slots any more."""
        self._drop_slots(pod)
        pod.state, pod.finished_us = state, at_us

    def pods_in_order(self) -> list[PodReplay]:
        """All Pods so far, those that are gone too: by workload, in the order of their numbers."""
        more: dict[str, list[PodReplay]] = {}
        for pod in self.pods.values():
            if pod.instead_of is not None:
                more.setdefault(pod.workload.name, []).append(pod)
        pods: list[PodReplay] = []
        for workload in self.scenario.workloads:
            pods += [self.pods[name] for name in workload.pod_names() if name in self.pods]
            pods += more.get(workload.name, ())
        return pods

    def _see_fault(self, pod: PodReplay) -> None:
        """The last fault hit a Pod's process; what that process does then, other records tell."""
        pod.turn_to(PodState.FAULTED)
        pod.faults += 1
        self.faults[-1].hit.append(pod.name)
        for gpu in pod.gpus:
            self.cards[pod.node or "", gpu].hit[pod.name] = None

    def _drop_memory(self, pod: PodReplay) -> None:
        pod.held_bytes = 0
        for gpu in pod.gpus:
            self.cards[pod.node or "", gpu].drop(pod.name)

    def _drop_slots(self, pod: PodReplay) -> None:
        for gpu, slot in pod.slots:
            card = self.cards[pod.node or "", gpu]
            if card.owners.get(slot) == pod.name:
                del card.owners[slot]
            if card.held:
                card.held = {key: holder for key, holder in card.held.items() if holder != pod.name}
            card.refused.pop(pod.name, None)
