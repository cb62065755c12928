"""One sync of the DaemonSet controller as a pure function.

Sources: Kubernetes `pkg/controller/daemon/daemon_controller.go` (podsShouldBeOnNode, syncNodes,
NodeShouldRunDaemonPod) and `update.go` (rollingUpdate). Nodes are visited in the order
given; in life it is a new random one in every sync.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from labs.cluster.daemonset.pods import DaemonNode, DaemonPod, DaemonSetSpec, by_age
from labs.cluster.daemonset.spec import budgets
from labs.cluster.daemonset.status import NOTHING, Status
from labs.cluster.pod_phase import Phase

BURST = 250  # creates, and deletes, in one sync at most (BurstReplicas)
BACK_OFF_FIRST_US, BACK_OFF_MAX_US = 1_000_000, 900_000_000  # before a Failed Pod is deleted again


@dataclass(frozen=True, slots=True)
class BackOff:
    """The wait since a Failed Pod of a node was last deleted."""

    since_us: int
    wait_us: int

    def holds(self, now_us: int) -> bool:
        """Whether the next Failed Pod must wait."""
        return now_us - self.since_us < self.wait_us

    def next(self, now_us: int) -> BackOff:
        """Twice the wait; from the start where it was not used for long (flowcontrol.Backoff)."""
        if now_us - self.since_us > 2 * BACK_OFF_MAX_US:
            return BackOff(now_us, BACK_OFF_FIRST_US)
        return BackOff(now_us, min(2 * self.wait_us, BACK_OFF_MAX_US))


@dataclass(frozen=True, slots=True)
class Actions:
    """What a sync does: Pods to create (node names), Pods to delete (by name, with their nodes)."""

    creates: tuple[str, ...] = ()
    deletes: tuple[tuple[str, str], ...] = ()  # (node, pod)
    failed: tuple[tuple[str, str], ...] = ()  # those of `deletes` that were Failed: each is a Warning event

    def __bool__(self) -> bool:
        return bool(self.creates or self.deletes)


def sync(
    nodes: Sequence[DaemonNode],
    spec: DaemonSetSpec,
    back_offs: Mapping[str, BackOff],
    now_us: int,
    elsewhere: Status = NOTHING,
) -> Actions:
    """What one sync does: first what each node lacks or has too much; only where that is nothing, the rolling update.

    Until its own creates and deletes have been seen, the controller does not roll. `elsewhere` counts nodes left out
    because this sync can do nothing to them: each has one Pod, available or new.
    """
    managed = _manage(nodes, spec, back_offs, now_us)
    if managed or not spec.strategy.rolls:
        return managed
    desired = sum(node.should_run for node in nodes) + elsewhere.desired
    max_unavailable, max_surge = budgets(spec.strategy, desired)
    walked = [node for node in nodes if node.should_run or node.pods]
    if max_surge == 0:
        return _replace(walked, spec, max_unavailable - elsewhere.unavailable, now_us)
    return _surge(walked, spec, max_surge, desired - elsewhere.available, now_us)


# What each node lacks or has too much


def _manage(
    nodes: Sequence[DaemonNode], spec: DaemonSetSpec, back_offs: Mapping[str, BackOff], now_us: int
) -> Actions:
    creates: list[str] = []
    deletes: list[tuple[str, str]] = []
    failed: set[tuple[str, str]] = set()
    for node in nodes:
        if node.should_run and not node.pods:
            creates.append(node.name)
        elif node.may_stay:
            if len(node.pods) == 1 and node.pods[0].lives:
                continue
            excess, ended = _excess(node, spec, back_offs.get(node.name), now_us)
            deletes += [(node.name, pod.name) for pod in excess]
            failed |= {(node.name, pod.name) for pod in ended}
            if spec.strategy.allows_surge and node.should_run and not any(pod.lives for pod in node.pods):
                creates.append(node.name)
        else:
            deletes += [(node.name, pod.name) for pod in node.pods if not pod.terminating]
    return _burst(creates, deletes, failed)


def _burst(
    creates: Sequence[str], deletes: Sequence[tuple[str, str]], failed: set[tuple[str, str]] | None = None
) -> Actions:
    kept = tuple(deletes[:BURST])
    return Actions(tuple(creates[:BURST]), kept, tuple(pair for pair in kept if pair in (failed or ())))


def _excess(
    node: DaemonNode, spec: DaemonSetSpec, back_off: BackOff | None, now_us: int
) -> tuple[list[DaemonPod], list[DaemonPod]]:
    """The Pods to delete on a node that may keep its Pod, and those of them that Failed."""
    deleted: list[DaemonPod] = []
    failed: list[DaemonPod] = []
    running: list[DaemonPod] = []
    for pod in node.pods:
        if pod.terminating:
            continue
        if pod.phase is Phase.FAILED:
            # The first deletion starts the wait, so a second Failed Pod of the node waits.
            if not failed and (back_off is None or not back_off.holds(now_us)):
                failed.append(pod)
        elif pod.phase is Phase.SUCCEEDED:
            deleted.append(pod)
        else:
            running.append(pod)
    if len(running) > 1:
        aged = by_age(running)
        deleted += _beside(aged, spec, now_us) if spec.strategy.allows_surge else aged[1:]
    return failed + deleted, failed


def _beside(pods: Sequence[DaemonPod], spec: DaemonSetSpec, now_us: int) -> list[DaemonPod]:
    """With surge a node keeps two Pods only while the old one is Ready and the new one is not available."""
    news = [pod for pod in pods if pod.revision == spec.revision]
    olds = [pod for pod in pods if pod.revision != spec.revision]
    deleted = news[1:] + olds[1:]
    if news and olds and (not olds[0].ready or news[0].available(spec.min_ready_us, now_us)):
        deleted.append(olds[0])
    return deleted


# The rolling update


class Standing(StrEnum):
    """What a node is to a rolling update."""

    FINE = "fine"  # there is nothing to do
    UNAVAILABLE = "unavailable"  # there is nothing to do but wait, which takes a place of the budget
    BROKEN = "broken"  # its unavailable old Pod gets a successor whatever the budget
    OUTDATED = "outdated"  # its available old Pod gets a successor as far as the budget reaches
    REPLACED = (
        "replaced"  # with surge: its old Pod goes, since the new one is available or the node is to have none
    )
    LEAVING = "leaving"  # with surge: the same of an available old Pod, while enough others are available


def _new_and_old(node: DaemonNode, revision: str) -> tuple[DaemonPod | None, DaemonPod | None, bool]:
    """The new and the old Pod of a node, those being deleted left out; False where it has two of a kind."""
    new: DaemonPod | None = None
    old: DaemonPod | None = None
    for pod in node.pods:
        if pod.terminating:
            continue
        if pod.revision == revision:
            if new is not None:
                return None, None, False
            new = pod
        else:
            if old is not None:
                return None, None, False
            old = pod
    return new, old, True


def standing(
    node: DaemonNode, spec: DaemonSetSpec, now_us: int, *, surges: bool
) -> tuple[Standing, DaemonPod | None]:
    """What a node that should run the DaemonSet, or has a Pod of it, is to the update; and its old Pod, where it has one."""
    new, old, clear = _new_and_old(node, spec.revision)
    if not clear:
        return Standing.UNAVAILABLE, None
    has_new = new is not None and new.available(spec.min_ready_us, now_us)
    if old is None:
        return (Standing.FINE if has_new or surges else Standing.UNAVAILABLE), None
    if new is not None:
        return (Standing.REPLACED if surges and has_new else Standing.UNAVAILABLE), old
    is_available = old.available(spec.min_ready_us, now_us)
    if surges and not node.should_run:
        return (Standing.LEAVING if is_available else Standing.REPLACED), old
    return (Standing.OUTDATED if is_available else Standing.BROKEN), old


def takes_place(stand: Standing, spec: DaemonSetSpec, *, surges: bool) -> bool:
    """Whether such a node counts against the budget."""
    is_counted = stand is Standing.BROKEN and spec.counts_unavailable_old and not surges
    return stand is Standing.UNAVAILABLE or is_counted


def _replace(nodes: Sequence[DaemonNode], spec: DaemonSetSpec, budget: int, now_us: int) -> Actions:
    """Without surge: unavailable old Pods go whatever the budget, available ones as far as it reaches."""
    used = 0
    replaced: list[tuple[str, str]] = []
    candidates: list[tuple[str, str]] = []
    for node in nodes:
        stand, old = standing(node, spec, now_us, surges=False)
        if old is not None and stand is Standing.BROKEN:
            replaced.append((node.name, old.name))
        elif old is not None and stand is Standing.OUTDATED and used < budget:
            candidates.append((node.name, old.name))
        used += takes_place(stand, spec, surges=False)
    return _burst((), replaced + candidates[: max(0, budget - used)])


def _surge(
    nodes: Sequence[DaemonNode], spec: DaemonSetSpec, budget: int, desired: int, now_us: int
) -> Actions:
    """With surge: new Pods beside available old ones as far as the budget reaches, beside others at once."""
    used = available = 0
    deletes: list[tuple[str, str]] = []
    leaving: list[tuple[str, str]] = []
    allowed: list[str] = []
    candidates: list[str] = []
    for node in nodes:
        stand, old = standing(node, spec, now_us, surges=True)
        available += _is_served(node, spec, now_us)
        used += takes_place(stand, spec, surges=True)
        if stand is Standing.BROKEN:
            allowed.append(node.name)
        elif stand is Standing.OUTDATED and used < budget:
            candidates.append(node.name)
        elif old is not None and stand in (Standing.REPLACED, Standing.LEAVING):
            (deletes if stand is Standing.REPLACED else leaving).append((node.name, old.name))
    creates = allowed + candidates[: max(0, budget - used)]
    return _burst(creates, deletes + leaving[: max(0, available - desired)])


def _is_served(node: DaemonNode, spec: DaemonSetSpec, now_us: int) -> bool:
    """Whether a node's old Pod, or its new and only one, is available; never where it has two of a kind."""
    new, old, _ = _new_and_old(node, spec.revision)
    counted = new if old is None else old
    return counted is not None and counted.available(spec.min_ready_us, now_us)
