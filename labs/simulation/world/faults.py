"""Faults: whom each kind hits under each way of sharing a card, and what becomes of them.

* The process of a Pod dies of itself: it alone, everywhere.
* Illegal access of a kernel: the process whose it is; the driver keeps contexts apart. Under MPS the fault is reported to
  all clients of the card (and of the cards that these share with others), and the server refuses new ones with
  CUDA_ERROR_MPS_SERVER_NOT_READY until all of them have exited (NVIDIA, Multi-Process Service, "GPU fault isolation"; seen
  on an A30, forums.developer.nvidia.com 238139).
* Fault of a MIG instance (Xid 94): all processes on it, and no others (NVIDIA MIG User Guide, "Concepts").
* Xid 95 with a reset: all processes on the card, on all its MIG devices. A reset needs the card to itself, so nobody stays;
  that the card is back before the first container starts again is an assumption.
* Card lost (Xid 79): the same, and it does not come back. A container that starts again gets the same card, and dies of it
  again.

Of each Xid but 13, 31, 43, 45, 68 and 109 the plugin marks the device unhealthy, which takes its slots from what new Pods
can get and moves nobody; it takes that back only by starting again (NVIDIA/k8s-device-plugin v0.20.0,
internal/rm/health.go; issues 519 and 1340). So it is of the last three, and not of an illegal access (Xid 31 or 13).

NVIDIA's plugin documentation promises no isolation of faults under time-slicing; that a plain illegal access stays with its
process there is what separate contexts are for, and no measured rate stands behind any of this: rules, not figures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from labs.simulation.laws import Mps
from labs.simulation.scenario import Fault, FaultKind, OnFault
from labs.simulation.trace import FaultHit, FaultStruck
from labs.simulation.world.card import Card
from labs.simulation.world.live_pod import LivePod
from labs.simulation.world.trace_writer import TraceWriter

FAULT_EXIT_CODE = 1
SERVER_NOT_READY = "CUDA_ERROR_MPS_SERVER_NOT_READY"
NO_DEVICE = "CUDA_ERROR_NO_DEVICE"
UNKNOWN_DEVICE = "nvidia-container-cli: device error: unknown device"
ENDS_EVERY_PROCESS = (FaultKind.PROCESS, FaultKind.XID_RESET)
OF_A_PROCESS = (FaultKind.PROCESS, FaultKind.ILLEGAL_ACCESS)
MAKES_UNHEALTHY = (FaultKind.INSTANCE_FAULT, FaultKind.XID_RESET, FaultKind.CARD_LOST)


class Faults:
    """Strikes `pods` (all that there are, by name), numbering its strikes.

    `mark` is told of cards that the plugin marks unhealthy and whether they are lost.
    """

    def __init__(
        self, pods: Mapping[str, LivePod], trace: TraceWriter, mark: Callable[[Sequence[Card], bool], None]
    ) -> None:
        self._pods = pods
        self._trace = trace
        self._mark = mark
        self._count = 0

    def strike(self, fault: Fault, cards: Sequence[Card]) -> None:
        """The fault happens now; `cards` are what it strikes where that is no Pod: a card, or MIG devices of one."""
        self._count += 1
        device = cards[0].number if cards else None
        struck = FaultStruck(
            self._trace.now_us, fault.kind, fault.pod, fault.node, gpu=device, card=fault.gpu, mig=fault.mig
        )
        self._trace.write(struck)
        hit = self._of_pod(fault) if fault.pod is not None else self._with_servers(_clients(cards))
        if fault.kind in MAKES_UNHEALTHY:
            self._mark(cards, fault.kind is FaultKind.CARD_LOST)
        for pod in hit:
            self._break(pod, fault.kind)

    def _of_pod(self, fault: Fault) -> list[LivePod]:
        """Whom a fault of one Pod hits; nobody where it was to strike the Pod's card, and there was none."""
        pod = self._pods.get(fault.pod or "")
        if pod is None or not pod.is_alive or fault.kind not in OF_A_PROCESS:
            return []
        if fault.kind is FaultKind.PROCESS:
            return [pod]
        if pod.broken or not any(card.has_context(pod.name) for card in pod.cards):
            return []
        return self._with_servers([pod.name])

    def _with_servers(self, names: Iterable[str]) -> list[LivePod]:
        """Those of them that a fault can still hit, and all clients of the MPS servers that they use, and so on."""
        hit: dict[str, LivePod] = {}
        waiting = list(names)
        while waiting:
            pod = self._pods[waiting.pop(0)]
            if pod.name in hit or not pod.is_alive or pod.broken:
                continue
            hit[pod.name] = pod
            waiting += _clients(card for card in pod.cards if isinstance(card.mechanism, Mps))
        return list(hit.values())

    def _break(self, pod: LivePod, kind: FaultKind) -> None:
        pod.stop_working()
        stays = pod.workload.on_fault is OnFault.CATCH and kind not in ENDS_EVERY_PROCESS
        reaction = OnFault.CATCH if stays else OnFault.EXIT
        self._trace.write(FaultHit(self._trace.now_us, pod.name, pod.on_node, self._count, reaction))
        if kind is not FaultKind.PROCESS:
            for card in pod.cards:
                if isinstance(card.mechanism, Mps):
                    card.wait_for_exit(pod.name)
        if stays:
            pod.broken = True
        elif pod.ends is not None:
            pod.ends.succeed(FAULT_EXIT_CODE)


def refusal(card: Card) -> str | None:
    """The error for a process that wants a context on the card, whatever memory is free there.

    For a device that a change of the MIG layout took away it is the container toolkit's, which does not start the container;
    that it gets as far as its context here makes no difference for the Pod.
    """
    if card.gone:
        return UNKNOWN_DEVICE
    if card.lost:
        return NO_DEVICE
    return SERVER_NOT_READY if card.waits_for_exits else None


def _clients(cards: Iterable[Card]) -> list[str]:
    """The processes with a context on the cards, in the order in which they made it."""
    return [name for card in cards for name in card.processes]
