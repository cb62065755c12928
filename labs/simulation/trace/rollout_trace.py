"""What happens in a rollout: flat frozen records in order, a part of a Trace."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

SETTLED = "settled"


class RolloutHappening(StrEnum):
    """What a record tells; the comment says which fields carry a value besides the time."""

    TEMPLATE_CHANGED = "template-changed"  # reason = the new template
    STRATEGY_CHANGED = "strategy-changed"  # reason = the budgets now, counts = (the number of its event,)
    SPEC_REFUSED = "spec-refused"  # reason = the API server's words
    KUBECTL_PRINTED = "kubectl-printed"  # reason = what `kubectl rollout undo` printed
    IN_VAIN = "in-vain"  # node, reason = why nothing came of a deed, counts = (the number of its event,)
    CONFIG_MAP_CHANGED = "config-map-changed"  # reason = the revision that is current
    NODE_BEFORE = "node-before"  # node, reason = what was so before the start: down, cordoned, tainted
    NODE_CHANGED = "node-changed"  # node, reason = cordon, uncordon, deselect, select, ...
    NODE_UNREACHABLE = "node-unreachable"  # node: NotReady and tainted from now on
    NODE_BOOTED = "node-booted"  # node: its kubelet has started anew, after a reboot
    NODE_LABELLED = "node-labelled"  # node, reason = nvidia.com/device-plugin.config ("": not any more)
    POD_BEFORE = "pod-before"  # pod, node, reason = its revision: it ran before the start, and was Ready
    POD_CREATED = "pod-created"  # pod, node, reason = its revision
    POD_UNSCHEDULABLE = "pod-unschedulable"  # pod, node: the one that it is meant for
    POD_SCHEDULED = "pod-scheduled"  # pod, node; only of one that was unschedulable
    POD_WAITING = "pod-waiting"  # pod, node, reason = what kubectl shows while its containers can't start
    CONFIG_READ = "config-read"  # pod, node, reason = the config that its plugin has read (`Reading.name`)
    POD_STARTED = "pod-started"  # pod, node: its container runs
    POD_READY = "pod-ready"  # pod, node
    POD_NOT_READY = "pod-not-ready"  # pod, node
    POD_CRASHED = "pod-crashed"  # pod, node, reason = what kubectl shows until its next start
    SIDECAR_CRASHED = "sidecar-crashed"  # the same of its config-manager alone: its plugin runs on
    POD_STOPPED = "pod-stopped"  # pod, node: a reboot has ended its containers, which start again
    POD_FAILED = "pod-failed"  # pod, node
    POD_DELETED = "pod-deleted"  # pod, node, reason = who asked for its end
    POD_TERMINATING = "pod-terminating"  # pod, node
    POD_GONE = "pod-gone"  # pod, node
    FAILED_DAEMON_POD = "failed-daemon-pod"  # pod, node: the controller's Warning event
    STATUS = "status"  # counts, where they changed: those of `Status.to_json`
    ROLLOUT_STATUS = "rollout-status"  # reason = the line of `kubectl rollout status`, where it changed
    END = "end"  # reason = SETTLED where nothing more will happen by itself


@dataclass(frozen=True, slots=True)
class RolloutRecord:
    """One thing that happened, `at_us` microseconds after the start. Fields that do not apply are None."""

    at_us: int
    what: RolloutHappening
    node: str | None = None
    pod: str | None = None
    reason: str | None = None
    counts: tuple[int, ...] | None = None

    def to_row(self) -> list[int | str | list[int] | None]:
        """The record as a row of JSON, in the order of the fields."""
        counts = None if self.counts is None else list(self.counts)
        return [self.at_us, str(self.what), self.node, self.pod, self.reason, counts]
