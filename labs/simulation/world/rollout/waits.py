"""What can be due for a Pod of a DaemonSet or for its node, and how long the kubelet waits between starts."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from labs.hardware.units import SECOND_US

RESTART_WAITS_US = tuple(seconds * SECOND_US for seconds in (1, 10, 20, 40, 80, 160, 300))
CRASH_LOOP_BACK_OFF = "CrashLoopBackOff"
INIT_CRASH_LOOP = "Init:CrashLoopBackOff"


def restarts_since(failed_us: int | None, at_us: int) -> tuple[int, int | None]:
    """How often a container that failed first at a time (None: it has not) was started again until `at_us`, and when last."""
    restarts, last_us = 0, failed_us
    if last_us is None:
        return 0, None
    for wait_us in RESTART_WAITS_US[:-1]:
        if last_us + wait_us > at_us:
            return restarts, last_us if restarts else None
        restarts, last_us = restarts + 1, last_us + wait_us
    more = (at_us - last_us) // RESTART_WAITS_US[-1]
    return restarts + more, last_us + more * RESTART_WAITS_US[-1]


class Step(StrEnum):
    """What is due for a Pod."""

    START = "start"  # its container starts, and is Ready if its behaviour lets it
    AGAIN = "again"  # the same, once more after it exited because of its config
    SIDECAR = "sidecar"  # its config-manager starts again
    REGISTER = "register"  # its plugin has seen that the kubelet is a new one
    READY = "ready"  # its readiness probe succeeds
    CRASH = "crash"
    FAIL = "fail"
    GONE = "gone"
    LOOK = "look"  # nothing changes but the time: a wait of the controller is over

    @property
    def repeats(self) -> bool:
        """Whether it goes on for ever without changing anything, as long as nobody does anything."""
        return self in (Step.AGAIN, Step.SIDECAR)


class NodeStep(StrEnum):
    """What is due for a node whose kubelet is silent."""

    UNREACHABLE = "unreachable"  # the node lifecycle controller has waited long enough
    BOOTED = "booted"


@dataclass(frozen=True, slots=True)
class NodeDue:
    """A step of a node, while it is silent for the `silence`th time."""

    step: NodeStep
    node: str
    silence: int
