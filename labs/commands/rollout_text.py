"""A rollout in the terminal: what `kubectl` would have printed, in English, and what it means, in the reader's
language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from labs.cluster.daemonset_spec import budgets
from labs.cluster.pod_phase import Phase, Reason
from labs.report.messages import Messages
from labs.simulation.rollout import SECOND_US, Rollout
from labs.simulation.rollout_fleet import LONG_AGO_US, FleetNode, FleetPod
from labs.simulation.rollout_world import RolloutEnd

ROWS, LINES, NAMES = 60, 40, 5  # of a table, of `kubectl rollout status`, of nodes in a sentence
DAEMONSET_COLUMNS = ("NAME", "DESIRED", "CURRENT", "READY", "UP-TO-DATE", "AVAILABLE", "NODE SELECTOR", "AGE")
POD_COLUMNS = ("NAME", "READY", "STATUS", "RESTARTS", "AGE", "NODE", "CONTROLLER-REVISION-HASH")


def rollout_text(rollout: Rollout, end: RolloutEnd, messages: Messages) -> str:
    """The whole answer."""
    blocks = [
        [f"$ kubectl rollout status daemonset/{rollout.name}", *_status_lines(end, messages)],
        [f"$ kubectl get daemonset {rollout.name}", *_table(DAEMONSET_COLUMNS, [_daemonset(rollout, end)])],
        [
            "$ kubectl get pods -o wide -L controller-revision-hash",
            *_cut_table(POD_COLUMNS, list(_pods(end)), messages),
        ],
        [
            "$ kubectl get nodes",
            *_cut_table(
                ("NAME", "STATUS"), [(node.name, _node_status(node)) for node in end.fleet], messages
            ),
        ],
        list(_sentences(rollout, end, messages)),
    ]
    if end.printed:
        said = [f"{_clock(at_us)}  {words}" for at_us, words in end.printed[:LINES]]
        blocks.insert(1, [*said, *_more(len(end.printed) - LINES, messages)])
    return "\n\n".join("\n".join(block) for block in blocks)


def _status_lines(end: RolloutEnd, messages: Messages) -> Iterator[str]:
    """The lines in time; of many the first and the last."""
    lines = end.lines
    skipped = len(lines) - LINES
    for number, (at_us, line) in enumerate(lines):
        if skipped > 0 and number == LINES // 2:
            yield from _more(skipped, messages)
        if skipped <= 0 or not LINES // 2 <= number < LINES // 2 + skipped:
            yield f"{_clock(at_us)}  {line}"


def _more(count: int, messages: Messages) -> tuple[str, ...]:
    return (messages.count("cli.rollout.more", count),) if count > 0 else ()


def _clock(at_us: int) -> str:
    """The simulated time in seconds, right-aligned."""
    whole, rest = divmod(at_us, SECOND_US)
    fraction = f".{rest:06d}".rstrip("0") if rest else ""
    return f"{f'{whole}{fraction}s':>7}"


def _daemonset(rollout: Rollout, end: RolloutEnd) -> tuple[str, ...]:
    found = end.status
    numbers = (found.desired, found.current, found.ready, found.updated, found.available)
    age = _age(end.at_us + 2 * LONG_AGO_US)
    return (rollout.name, *map(str, numbers), "<none>", age)


def _pods(end: RolloutEnd) -> Iterator[tuple[str, ...]]:
    for node in end.fleet:
        for pod in node.pods:
            ready = "0/1" if pod.ready_since_us is None else "1/1"
            where = node.name if pod.scheduled else "<none>"
            age = _age(end.at_us - pod.created_us)
            yield pod.name, ready, _pod_status(pod), str(pod.restarts), age, where, pod.revision


def _pod_status(pod: FleetPod) -> str:
    """The column STATUS of `kubectl get pods`."""
    if pod.terminating:
        return "Terminating"
    if pod.phase is Phase.FAILED:
        return Reason.UNEXPECTED_ADMISSION_ERROR
    if pod.phase is Phase.RUNNING and pod.restarts and pod.ready_since_us is None:
        return Reason.CRASH_LOOP_BACK_OFF
    return pod.phase


def _node_status(node: FleetNode) -> str:
    """The column STATUS of `kubectl get nodes`."""
    return ("NotReady" if node.down else "Ready") + (",SchedulingDisabled" if node.cordoned else "")


def _age(span_us: int) -> str:
    """A span as kubectl shows ages (`duration.HumanDuration`)."""
    seconds = span_us // SECOND_US
    if seconds < 120:
        return f"{seconds}s"
    minutes, seconds = divmod(seconds, 60)
    if minutes < 10:
        return f"{minutes}m{seconds}s" if seconds else f"{minutes}m"
    if minutes < 180:
        return f"{minutes}m"
    hours, minutes = divmod(minutes, 60)
    if hours < 8:
        return f"{hours}h{minutes}m" if minutes else f"{hours}h"
    days, hours = divmod(hours, 24)
    if days < 2:
        return f"{days * 24 + hours}h"
    return f"{days}d{hours}h" if days < 8 and hours else f"{days}d"


def _cut_table(columns: Sequence[str], rows: Sequence[Sequence[str]], messages: Messages) -> Iterator[str]:
    yield from _table(columns, rows[:ROWS])
    yield from _more(len(rows) - ROWS, messages)


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Columns three spaces apart, as kubectl sets them."""
    lines = [columns, *rows]
    widths = [max(len(line[index]) for line in lines) for index in range(len(columns))]
    for line in lines:
        yield "   ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()


def _sentences(rollout: Rollout, end: RolloutEnd, messages: Messages) -> Iterator[str]:
    """What it means."""
    text, found = messages.text, end.status
    counts = {"updated": found.updated, "desired": found.desired}
    if not end.spec.strategy.rolls:
        yield text("cli.rollout.on-delete", **counts)
    elif end.line.endswith("successfully rolled out"):
        yield text("cli.rollout.done", revision=end.spec.revision, desired=found.desired)
    elif end.settled:
        budget = "{} + {}".format(*budgets(end.spec.strategy, found.desired))
        yield text("cli.rollout.halted", budget=budget, nodes=_waited_for(end) or "-", **counts)
    else:
        yield text("cli.rollout.going-on", seconds=str(_clock(end.at_us)).strip(), **counts)
    if found.misscheduled:
        yield messages.count("cli.rollout.misscheduled", found.misscheduled)
    unfinished = end.spec.strategy.rolls and found.updated < found.desired
    if unfinished and rollout.order_seed is None and len(rollout.nodes) > 1:
        yield text("cli.rollout.order")


def _waited_for(end: RolloutEnd) -> str:
    """The nodes whose Pod is not available or does not go away."""
    found = [
        node.name
        for node in end.nodes
        if any(pod.terminating or not pod.available(end.spec.min_ready_us, end.at_us) for pod in node.pods)
    ]
    return ", ".join(found[:NAMES]) + (", \u2026" if len(found) > NAMES else "")
