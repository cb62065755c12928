"""What happens in a rollout: flat frozen records in order, and their hash."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from enum import StrEnum


class RolloutHappening(StrEnum):
    """What a record tells; the comment says which fields carry a value besides the time."""

    SPEC_CHANGED = "spec-changed"  # reason = the new template, or the strategy
    SPEC_REFUSED = "spec-refused"  # reason = the API server's words
    KUBECTL_PRINTED = "kubectl-printed"  # reason = what `kubectl rollout undo` printed
    CONFIG_MAP_CHANGED = "config-map-changed"
    NODE_CHANGED = "node-changed"  # node, reason = cordon, uncordon, deselect, select, ...
    POD_CREATED = "pod-created"  # pod, node, reason = its revision
    POD_READY = "pod-ready"  # pod, node
    POD_NOT_READY = "pod-not-ready"  # pod, node
    POD_FAILED = "pod-failed"  # pod, node
    POD_TERMINATING = "pod-terminating"  # pod, node
    POD_GONE = "pod-gone"  # pod, node
    FAILED_DAEMON_POD = "failed-daemon-pod"  # pod, node: the controller's Warning event
    STATUS = "status"  # counts, where they changed
    END = "end"


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


def trace_hash(records: tuple[RolloutRecord, ...]) -> str:
    """SHA-256 of the canonical JSON (no spaces, ASCII only), 64 hexadecimal digits."""
    text = json.dumps([record.to_row() for record in records], separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()
