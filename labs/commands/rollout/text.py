"""A rollout in the terminal: what `kubectl` would have printed, and what it means.

`kubectl` speaks English, the rest is in the reader's language.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from labs.cluster.daemonset import budgets
from labs.cluster.pod_phase import Reason
from labs.hardware.units import SECOND_US
from labs.report.fleet import NONE, columns_command, fleet_text, kubectl_blocks, table
from labs.report.notes import note_text
from labs.report.writing import Messages
from labs.simulation.outcome.moment import PHASES
from labs.simulation.outcome.rollout import FleetSnapshot, budget_use, is_halted, rollout_notes
from labs.simulation.scenario.rollout import Rollout
from labs.simulation.trace import Answer, RolloutLineChanged, Trace

ROWS, LINES, NAMES = 60, 40, 5  # of a table, of `kubectl rollout status`, of nodes in a sentence
WORKLOAD_COLUMNS = {
    "NAME": ".metadata.name",
    "PHASE": ".status.phase",
    "REASON": ".status.reason",
    "NODE": ".spec.nodeName",
}
REASONS_OF_PODS = (
    Reason.UNEXPECTED_ADMISSION_ERROR,
)  # in `.status.reason`; others are of a container or a condition


def rollout_text(rollout: Rollout, trace: Trace, fleet: FleetSnapshot, messages: Messages) -> str:
    """The whole answer; `fleet` is the end."""
    changed = (record for record in trace.rollout if isinstance(record, RolloutLineChanged))
    lines = [(record.at_us, record.line) for record in changed][1:]
    answers = (record for record in trace.rollout if isinstance(record, Answer))
    printed = [(record.at_us, record.words) for record in answers]
    (status, _), *others = kubectl_blocks(rollout, fleet)
    blocks = [[f"$ {status}", *_in_time(lines, messages)]]
    if printed:
        blocks.append(list(_in_time(printed, messages)))
    blocks += [[f"$ {command}", output] for command, output in others]
    pods = list(_workload_pods(fleet))
    if pods:
        command = columns_command("pods", WORKLOAD_COLUMNS)
        blocks.append([f"$ {command}", *table(tuple(WORKLOAD_COLUMNS), pods[:ROWS])])
        blocks[-1] += _more(len(pods) - ROWS, messages)
    blocks.append([fleet_text(rollout, fleet, messages)])
    blocks.append(list(_sentences(rollout, fleet, messages)))
    notes = rollout_notes(rollout, trace.rollout)
    if notes:
        blocks.append([note_text(note, messages) for note in notes])
    return "\n\n".join("\n".join(block) for block in blocks)


def _in_time(lines: Sequence[tuple[int, str]], messages: Messages) -> Iterator[str]:
    """Lines of output with their times (µs); of many the first and the last."""
    skipped = len(lines) - LINES
    for number, (at_us, line) in enumerate(lines):
        if skipped > 0 and number == LINES // 2:
            yield from _more(skipped, messages)
        if skipped <= 0 or not LINES // 2 <= number < LINES // 2 + skipped:
            yield f"{clock(at_us)}  {line}"


def _more(count: int, messages: Messages) -> tuple[str, ...]:
    return (messages.count("cli.rollout.more", count),) if count > 0 else ()


def clock(at_us: int) -> str:
    """The simulated time in seconds, right-aligned."""
    whole, rest = divmod(at_us, SECOND_US)
    fraction = f".{rest:06d}".rstrip("0") if rest else ""
    return f"{f'{whole}{fraction}s':>7}"


def _workload_pods(fleet: FleetSnapshot) -> Iterator[tuple[str, str, str, str]]:
    """The Pods of workloads; kubectl lists them by name."""
    placed = [pod for node in fleet.nodes for pod in node.workload_pods]
    for pod in sorted((*placed, *fleet.waiting_pods), key=lambda pod: pod.name):
        phase, reason = PHASES[pod.state]
        words = str(reason) if reason in REASONS_OF_PODS else NONE
        yield pod.name, str(phase), words, pod.node or NONE


def _sentences(rollout: Rollout, fleet: FleetSnapshot, messages: Messages) -> Iterator[str]:
    """What it means."""
    text, status = messages.text, fleet.status
    counts = {"updated": status.updated, "desired": status.desired}
    if not fleet.strategy.rolls:
        yield text("cli.rollout.on-delete", **counts)
    elif fleet.is_done and not status.desired:
        yield text("fleet.sentence.empty")
    elif fleet.is_done and not rollout.has_begun(fleet.at_us):
        yield messages.pick(
            "fleet.sentence.not-begun", {**counts, "available": status.available, "revision": fleet.revision}
        )
    elif fleet.is_done:
        yield text("cli.rollout.done", revision=fleet.revision, desired=status.desired)
    elif is_halted(rollout, fleet):
        budget = "{} + {}".format(*budgets(fleet.strategy, status.desired))
        nodes = _waited_for(rollout, fleet) or "-"
        yield text("cli.rollout.halted", budget=budget, nodes=nodes, **counts)
    else:
        yield text("cli.rollout.going-on", seconds=clock(fleet.at_us).strip(), **counts)
    if status.misscheduled:
        yield messages.count("cli.rollout.misscheduled", status.misscheduled)
    unfinished = fleet.strategy.rolls and status.updated < status.desired
    if unfinished and rollout.order_seed is None and len(rollout.nodes) > 1:
        yield text("cli.rollout.order")


def _waited_for(rollout: Rollout, fleet: FleetSnapshot) -> str:
    """The nodes that use up the budget."""
    names = [node.name for node in budget_use(rollout, fleet).used_by]
    return ", ".join(names[:NAMES]) + (", \u2026" if len(names) > NAMES else "")
