"""The world of a rollout: people change things, kubelets follow, and the controller syncs once a second.

The first sync is at 1 s, so that what is done at 0 s comes before it. A second in which nothing has changed since
a sync that did nothing needs no sync, and gets none.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from labs.cluster.daemonset import (
    BACK_OFF_FIRST_US,
    BURST,
    REVISION_HISTORY_LIMIT,
    Actions,
    BackOff,
    DaemonNode,
    DaemonSetSpec,
    History,
    Status,
    budgets,
    rollout_status,
    status,
    sync,
)
from labs.config.own import Problem
from labs.hardware.units import SECOND_US
from labs.simulation.scenario.rollout import FIRST_REVISION, Action, Before, Rollout, RolloutEvent
from labs.simulation.trace import (
    FailedDaemonPodFound,
    NodeBefore,
    RolloutEnded,
    RolloutLineChanged,
    StatusChanged,
    Trace,
)
from labs.simulation.world.rollout.actions import Admin, KeptDaemonSet, labels_before
from labs.simulation.world.rollout.fleet import CONTROLLER, Fleet
from labs.simulation.world.rollout.nodes import FleetNode
from labs.simulation.world.rollout.plugin import Cards
from labs.simulation.world.rollout.quiet import QuietNodes
from labs.simulation.world.rollout.waits import Step

VISIT_LIMIT = 2_000_000  # nodes visited in all syncs, Pods beyond two on them, and records, together
VISITS_A_RECORD = 4  # what a record costs: as long as so many visits


class RolloutTooLargeError(ValueError):
    """The rollout would need more work than allowed; it came as far as `at_us`."""

    def __init__(self, limit: int, at_us: int) -> None:
        super().__init__(limit, at_us)  # SimPy raises a copy made from these arguments
        self.limit = limit
        self.at_us = at_us


def too_large(error: RolloutTooLargeError) -> Problem:
    """The problem of a scenario whose rollout needs more work than allowed."""
    values: dict[str, str | int] = {"limit": error.limit, "seconds": error.at_us // SECOND_US}
    return Problem("rollout-too-large", 1, 1, values)


@dataclass(frozen=True, slots=True)
class RolloutEnd:
    """Where a rollout stands at its end; `lines` are those of `kubectl rollout status` with their times."""

    at_us: int
    trace: Trace
    status: Status
    line: str
    lines: tuple[tuple[int, str], ...]
    printed: tuple[tuple[int, str], ...]  # what kubectl said to an action, and refusals of the API server
    error: str | None  # the first refusal of a changed spec
    settled: bool  # nothing more will happen by itself
    spec: DaemonSetSpec
    history: History
    nodes: tuple[DaemonNode, ...]
    fleet: tuple[FleetNode, ...]


def run_rollout(rollout: Rollout, *, visit_limit: int = VISIT_LIMIT) -> RolloutEnd:
    """Runs a scenario, whose spec the API server accepts, to its end. Raises RolloutTooLargeError."""
    world = RolloutWorld(rollout, visit_limit=visit_limit)
    for _ in world.play():
        pass
    return world.end()


class RolloutWorld:
    """A DaemonSet, its controller and its nodes; `cards` are what its plugins offer."""

    def __init__(
        self,
        rollout: Rollout,
        cards: Cards | None = None,
        *,
        visit_limit: int = VISIT_LIMIT,
    ) -> None:
        self._rollout = rollout
        self._visits_left = self._visit_limit = visit_limit
        self.fleet = Fleet(rollout, cards)
        self._kept = KeptDaemonSet(rollout.strategy, History.created(FIRST_REVISION))
        self._labels = labels_before(rollout)
        self._admin = Admin(rollout, self.fleet, self._kept, self._labels)
        self._observed = 1  # the generation of the last sync
        self._back_offs: dict[str, BackOff] = {}  # by node, of the generation observed
        self._order = None if rollout.order_seed is None else random.Random(f"{rollout.order_seed}:order")
        self._lines: list[tuple[int, str]] = []
        self._settled = False
        self._tick_us, self._changed = 0, True  # the last sync, and whether the next second needs one
        self._quiet, self._quiet_for = QuietNodes(), (self._spec(), 0)
        self._busy: set[str] = set()  # the other nodes
        self._prepare()
        self._status = status(self.fleet.views(), self._spec(), 0)
        self._record_status()
        self.fleet.write(RolloutLineChanged(self.fleet.now_us, self._line()))

    def _prepare(self) -> None:
        states: dict[Before, frozenset[str]] = {state: frozenset() for state in Before}
        for state, nodes in self._rollout.before:
            states[state] |= frozenset(self._rollout.nodes) if nodes is None else nodes
        for node in self.fleet.nodes.values():
            if node.name in self._labels:
                self.fleet.plugins.label(node, self._labels[node.name])
            self.fleet.create_before(node, FIRST_REVISION, broken=node.name in states[Before.BROKEN])
            node.cordoned = node.name in states[Before.CORDONED]
            node.tainted = node.name in states[Before.TAINTED]
            for state in (Before.DOWN, Before.CORDONED, Before.TAINTED):
                if node.name in states[state]:
                    self.fleet.write(NodeBefore(self.fleet.now_us, node.name, state))
            if node.name in states[Before.DOWN]:
                self.fleet.mark_down(node)
            self.fleet.plugins.follow(node)
        for event in self._rollout.events:
            self.fleet.plan_action(event)

    def _spec(self) -> DaemonSetSpec:
        min_ready_us = self._rollout.min_ready_seconds * SECOND_US
        kept, counting = self._kept, self._rollout.counts_unavailable_old
        return DaemonSetSpec(kept.strategy, kept.history.current, min_ready_us, counting)

    def play(self) -> Iterator[int]:
        """To the end: yields each time at which something happens, and lets it happen when it is asked for the next one."""
        while (at_us := self.next_us()) is not None:
            yield at_us
            self.step(at_us)
        self._advance(self._rollout.until_us)
        self.finish()

    def next_us(self) -> int | None:
        """When the next thing happens; None: nothing does before the end, unless somebody changes something."""
        due_us, tick_us = self.fleet.next_due_us, self._next_tick_us()
        times = [
            at_us for at_us in (due_us, tick_us) if at_us is not None and at_us <= self._rollout.until_us
        ]
        return min(times, default=None)

    def _next_tick_us(self) -> int | None:
        """The next whole second after something has changed, or at which or before which something is due."""
        due_us = self.fleet.next_due_us
        if self._changed:
            return max(self._tick_us, self.fleet.now_us // SECOND_US * SECOND_US) + SECOND_US
        return None if due_us is None else max(self._tick_us + SECOND_US, -(-due_us // SECOND_US) * SECOND_US)

    def step(self, at_us: int) -> None:
        """Lets happen what happens then."""
        is_tick = at_us == self._next_tick_us()
        self._advance(at_us)
        if is_tick:
            self._tick_us = at_us
            self._changed = self._sync()
        else:
            self._changed = True

    def finish(self) -> None:
        """The end."""
        self.fleet.now_us = self._rollout.until_us
        self._settled = not self._changed and self.fleet.is_idle
        self._tell_line()
        self.fleet.write(RolloutEnded(self.fleet.now_us, self._settled))

    def do_now(self, node: str, action: Action, now_us: int) -> None:
        """Something in another world changes a node: the controller looks at the next second."""
        self.fleet.now_us = now_us
        self._changed = True
        there = self.fleet.nodes.get(node)
        if there is not None:
            self._admin.do_to_node(RolloutEvent(now_us, action, nodes=(node,)), there)

    def _advance(self, until_us: int) -> None:
        for event in self.fleet.advance(until_us):
            self._check_size()
            generation = self._kept.generation
            self._visits_left -= self._admin.do(event)
            if self._kept.generation != generation:
                self._tell_line()

    # The controller

    def _sync(self) -> bool:
        """One sync; whether it did anything, be it to observe a new generation, from which back-offs count anew."""
        fleet, now_us = self.fleet, self.fleet.now_us
        self._clean_history()
        self._notice()
        most = min(BURST, max(budgets(self._kept.strategy, len(fleet.nodes))))
        chosen = self._quiet.next_to_replace(most, self._order)
        views = [fleet.view(name) for name in sorted({*self._busy, *chosen})]
        self._visits_left -= sum(max(1, len(view.pods) - 1) for view in views)
        self._check_size()
        if self._order is not None:
            self._order.shuffle(views)
        elsewhere = self._quiet.status(without=len(chosen))
        actions = sync(views, self._spec(), self._back_offs, now_us, elsewhere)
        self._act(actions)
        is_new, self._observed = self._observed != self._kept.generation, self._kept.generation
        if is_new:
            self._back_offs.clear()
        self._write_status()
        return bool(actions) or is_new

    def _check_size(self) -> None:
        """Raises RolloutTooLargeError where the visits of nodes and the records are too many together."""
        if self._visits_left < VISITS_A_RECORD * len(self.fleet.records):
            raise RolloutTooLargeError(self._visit_limit, self.fleet.now_us)

    def _clean_history(self) -> None:
        if len(self._kept.history.numbers) > REVISION_HISTORY_LIMIT + 1:
            live = {pod.revision for node in self.fleet.nodes.values() for pod in node.pods}
            self._kept.history = self._kept.history.cleaned(live)

    def _notice(self) -> None:
        """Brings up to date which nodes are quiet; with another spec or generation all are looked at again."""
        fleet, spec = self.fleet, self._spec()
        changed = fleet.changed | self._quiet.woken(fleet.now_us)
        if self._quiet_for != (spec, self._observed):
            self._quiet, self._quiet_for = QuietNodes(), (spec, self._observed)
            changed |= set(fleet.nodes)
        self._quiet.forget(changed)
        self._busy -= changed
        fleet.changed.clear()
        for name in changed & fleet.nodes.keys():
            back_off = self._back_offs.get(name)
            if not self._quiet.settle(fleet.view(name), spec, back_off, fleet.now_us):
                self._busy.add(name)

    def _act(self, actions: Actions) -> None:
        fleet, now_us = self.fleet, self.fleet.now_us
        for name in actions.creates:
            fleet.create(fleet.nodes[name], self._kept.history.current)
        failed = frozenset(actions.failed)
        for name, pod_name in actions.deletes:
            pod = next(pod for pod in fleet.nodes[name].pods if pod.name == pod_name)
            if (name, pod_name) in failed:
                fleet.write(FailedDaemonPodFound(*fleet.moment_of(pod)))
                known = self._back_offs.get(name)
                wait = known.next(now_us) if known else BackOff(now_us, BACK_OFF_FIRST_US)
                self._back_offs[name] = wait
                fleet.plan(now_us + wait.wait_us, Step.LOOK)
            fleet.delete(pod, CONTROLLER)

    def _write_status(self) -> None:
        self._notice()
        busy = [self.fleet.view(name) for name in self._busy]
        counts = status(busy, self._spec(), self.fleet.now_us).plus(self._quiet.status())
        if counts != self._status:
            self._status = counts
            self._record_status()
        self._tell_line()

    def _record_status(self) -> None:
        self.fleet.write(StatusChanged(self.fleet.now_us, self._status))

    def _line(self) -> str:
        line, _ = rollout_status(
            self._rollout.name, self._kept.strategy, self._status, self._kept.generation, self._observed
        )
        return line

    def _tell_line(self) -> None:
        line = self._line()
        if not self._lines or self._lines[-1][1] != line:
            self._lines.append((self.fleet.now_us, line))
            self.fleet.write(RolloutLineChanged(self.fleet.now_us, line))

    def end(self) -> RolloutEnd:
        """Where it stands now."""
        fleet = self.fleet
        views = tuple(fleet.views())
        return RolloutEnd(
            at_us=fleet.now_us,
            trace=Trace((), tuple(fleet.records)),
            status=self._status,
            line=self._line(),
            lines=tuple(self._lines),
            printed=tuple(self._admin.printed),
            error=self._admin.error,
            settled=self._settled,
            spec=self._spec(),
            history=self._kept.history,
            nodes=views,
            fleet=tuple(fleet.nodes[view.name] for view in views),
        )
