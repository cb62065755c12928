"""One sync of the DaemonSet controller in any state: as the tables of its rules say, and the same with quiet nodes left out.

The reference below goes node by node through Kubernetes' `podsShouldBeOnNode` and `rollingUpdate`; it shares no code with
`labs.cluster.daemonset.sync` but the values.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import example, given, settings
from hypothesis import strategies as st

from labs.cluster.daemonset.pods import DaemonNode, DaemonPod, DaemonSetSpec, by_age
from labs.cluster.daemonset.spec import ON_DELETE, UpdateStrategy, budgets
from labs.cluster.daemonset.status import status
from labs.cluster.daemonset.sync import BURST, BackOff, sync
from labs.cluster.pod_phase import Phase
from labs.simulation.world.rollout.quiet import QuietNodes

NOW_US, NEW = 100_000_000, "r2"
PHASES = (*[Phase.RUNNING] * 6, Phase.PENDING, Phase.FAILED, Phase.SUCCEEDED)
STRATEGIES = (
    UpdateStrategy(),
    UpdateStrategy(max_unavailable=2),
    UpdateStrategy(max_unavailable="34%"),
    UpdateStrategy(max_unavailable=0, max_surge=1),
    UpdateStrategy(max_unavailable=0, max_surge=2),
    UpdateStrategy(max_unavailable=0, max_surge="50%"),
    UpdateStrategy(ON_DELETE),
)


@dataclass
class Todo:
    """What a sync does: nodes that get a Pod, and (node, Pod) to delete."""

    creates: list[str] = field(default_factory=list)
    deletes: list[tuple[str, str]] = field(default_factory=list)

    def told(self) -> tuple[list[str], list[tuple[str, str]]]:
        return sorted(self.creates[:BURST]), sorted(self.deletes[:BURST])


@dataclass(frozen=True)
class State:
    """What a sync sees."""

    nodes: tuple[DaemonNode, ...]
    spec: DaemonSetSpec
    back_offs: dict[str, BackOff]

    def available(self, pod: DaemonPod) -> bool:
        return pod.ready_since_us is not None and pod.ready_since_us + self.spec.min_ready_us <= NOW_US


def rules(state: State) -> tuple[list[str], list[tuple[str, str]]]:
    """What the rules say, one node after the other."""
    managed = Todo()
    for node in state.nodes:
        lacking_or_excess(state, node, managed)
    if managed.creates or managed.deletes or state.spec.strategy.type == ON_DELETE:
        return managed.told()
    unavailable, surge = budgets(state.spec.strategy, sum(node.should_run for node in state.nodes))
    return (with_surge(state, surge) if surge else without_surge(state, unavailable)).told()


def lacking_or_excess(state: State, node: DaemonNode, todo: Todo) -> None:
    """podsShouldBeOnNode."""
    if not node.pods:
        todo.creates += [node.name] if node.should_run else []
        return
    staying = [pod for pod in node.pods if not pod.terminating]
    if not node.may_stay and not node.should_run:
        todo.deletes += [(node.name, pod.name) for pod in staying]
        return
    failed = [pod for pod in staying if pod.phase is Phase.FAILED]
    wait = state.back_offs.get(node.name)
    if wait is None or NOW_US - wait.since_us >= wait.wait_us:
        todo.deletes += [(node.name, pod.name) for pod in failed[:1]]
    todo.deletes += [(node.name, pod.name) for pod in staying if pod.phase is Phase.SUCCEEDED]
    alive = by_age([pod for pod in staying if pod.phase in (Phase.RUNNING, Phase.PENDING)])
    if state.spec.strategy.max_surge == 0 or state.spec.strategy.type == ON_DELETE:
        todo.deletes += [(node.name, pod.name) for pod in alive[1:]]
    elif not alive:
        todo.creates += [node.name] if node.should_run else []
    else:
        news = [pod for pod in alive if pod.revision == NEW]
        olds = [pod for pod in alive if pod.revision != NEW]
        todo.deletes += [(node.name, pod.name) for pod in (*news[1:], *olds[1:])]
        if news and olds and (olds[0].ready_since_us is None or state.available(news[0])):
            todo.deletes.append((node.name, olds[0].name))


def pair(node: DaemonNode) -> tuple[DaemonPod | None, DaemonPod | None] | None:
    """The new and the old Pod of a node, without those being deleted; None where it has two of a kind."""
    staying = [pod for pod in node.pods if not pod.terminating]
    news = [pod for pod in staying if pod.revision == NEW]
    olds = [pod for pod in staying if pod.revision != NEW]
    if len(news) > 1 or len(olds) > 1:
        return None
    return (news[0] if news else None), (olds[0] if olds else None)


def without_surge(state: State, budget: int) -> Todo:
    """The table of rollingUpdate for maxSurge 0."""
    used, replaced, candidates = 0, [], []
    for node in state.nodes:
        match pair(node):
            case _ if not node.should_run and not node.pods:
                pass
            case (None, DaemonPod() as old) if not state.available(old):
                replaced.append((node.name, old.name))
                used += state.spec.counts_unavailable_old
            case (None, DaemonPod() as old):
                candidates += [(node.name, old.name)] if used < budget else []
            case (DaemonPod() as new, None) if state.available(new):
                pass
            case _:
                used += 1
    return Todo(deletes=[*replaced, *candidates[: max(0, budget - used)]])


def with_surge(state: State, budget: int) -> Todo:
    """That of rollingUpdate for maxSurge above 0."""
    used = available = 0
    allowed: list[str] = []
    candidates: list[str] = []
    done: list[tuple[str, str]] = []
    leaving: list[tuple[str, str]] = []
    for node in state.nodes:
        if not node.should_run and not node.pods:
            continue
        both = pair(node)
        if both is None:
            used += 1
            continue
        new, old = both
        counted = old or new
        available += counted is not None and state.available(counted)
        if old is None:
            continue
        if new is not None:
            done += [(node.name, old.name)] if state.available(new) else []
            used += not state.available(new)
        elif not node.should_run:
            (leaving if state.available(old) else done).append((node.name, old.name))
        elif not state.available(old):
            allowed.append(node.name)
        elif used < budget:
            candidates.append(node.name)
    spare = max(0, available - sum(node.should_run for node in state.nodes))
    return Todo([*allowed, *candidates[: max(0, budget - used)]], [*done, *leaving[:spare]])


@st.composite
def states(draw: st.DrawFn) -> State:
    """Any nodes with any Pods."""
    nodes, number = [], 0
    for place in range(draw(st.integers(1, 6))):
        pods = []
        for _ in range(draw(st.sampled_from([0, 1, 1, 1, 1, 2, 2, 3]))):
            number += 1
            phase = draw(st.sampled_from(PHASES))
            ready = draw(st.sampled_from([None, 0, 95_000_000])) if phase is Phase.RUNNING else None
            revision = draw(st.sampled_from(["r1", NEW, NEW, "r3"]))
            flags = (draw(st.integers(0, 4)) == 0, draw(st.integers(0, 9)) > 0)
            pods.append(
                DaemonPod(f"p{number}", revision, draw(st.integers(0, 50)), number, phase, ready, *flags)
            )
        kept = draw(st.sampled_from([(True, True)] * 8 + [(False, True), (False, False)]))
        nodes.append(DaemonNode(f"n{place}", *kept, by_age(pods)))
    spec = DaemonSetSpec(
        draw(st.sampled_from(STRATEGIES)), NEW, draw(st.sampled_from([0, 10_000_000])), draw(st.booleans())
    )
    waits = st.sampled_from([None, None, 1_000_000, 4_000_000])
    given_waits = {node.name: draw(waits) for node in nodes}
    back_offs = {name: BackOff(99_000_000, wait) for name, wait in given_waits.items() if wait is not None}
    return State(tuple(nodes), spec, back_offs)


def surged(pod: DaemonPod, **back_offs: BackOff) -> State:
    node = DaemonNode("n0", should_run=True, may_stay=True, pods=(pod,))
    return State((node,), DaemonSetSpec(STRATEGIES[3], NEW), back_offs)


ENDING = DaemonPod("p", "r1", 0, 0, Phase.RUNNING, 0, terminating=True, scheduled=True)
FAILED = DaemonPod("p", NEW, 0, 0, Phase.FAILED, None, terminating=False, scheduled=True)
HELD = BackOff(99_000_000, 4_000_000)


@settings(max_examples=600)
@example(surged(ENDING))
@example(surged(FAILED, n0=HELD))
@given(states())
def test_a_sync_does_what_the_rules_say(state: State) -> None:
    actions = sync(state.nodes, state.spec, state.back_offs, NOW_US)
    assert (sorted(actions.creates), sorted(actions.deletes)) == rules(state)


@settings(max_examples=600)
@example(surged(FAILED, n0=HELD))
@given(states())
def test_quiet_nodes_left_out_a_sync_does_the_same_and_the_status_is_the_same(state: State) -> None:
    quiet = QuietNodes()
    loud = [
        node
        for node in state.nodes
        if not quiet.settle(node, state.spec, state.back_offs.get(node.name), NOW_US)
    ]
    desired = sum(node.should_run for node in state.nodes)
    chosen = quiet.next_to_replace(max(budgets(state.spec.strategy, desired)), None)
    walked = [node for node in state.nodes if node in loud or node.name in chosen]
    found = sync(walked, state.spec, state.back_offs, NOW_US, quiet.status(without=len(chosen)))
    assert found == sync(state.nodes, state.spec, state.back_offs, NOW_US)
    every = status(state.nodes, state.spec, NOW_US)
    assert status(loud, state.spec, NOW_US).plus(quiet.status()) == every


@given(states())
def test_a_node_that_waits_for_a_failed_pods_deletion_is_woken_when_the_wait_is_over(state: State) -> None:
    quiet = QuietNodes()
    held = {
        node.name: state.back_offs[node.name]
        for node in state.nodes
        if quiet.settle(node, state.spec, state.back_offs.get(node.name), NOW_US)
        and node.pods[0].phase is Phase.FAILED
    }
    assert quiet.woken(NOW_US) == set()
    ends = {name: wait.since_us + wait.wait_us for name, wait in held.items()}
    for end_us in sorted(set(ends.values())):
        assert quiet.woken(end_us - 1) == set()
        assert quiet.woken(end_us) == {name for name, each_us in ends.items() if each_us == end_us}
