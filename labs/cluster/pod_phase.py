"""What Kubernetes says of a Pod: the phase in `status.phase`, and the reason that `kubectl get pods` shows.

Sources: Kubernetes documentation, "Pod Lifecycle"; for a refused admission Kubernetes v1.26 and later,
`pkg/kubelet/cm/admission/errors.go`.
"""

from __future__ import annotations

from enum import StrEnum


class Phase(StrEnum):
    """`status.phase` of a Pod."""

    PENDING = "Pending"
    RUNNING = "Running"
    SUCCEEDED = "Succeeded"
    FAILED = "Failed"


class Reason(StrEnum):
    """Why a Pod is in its phase: of its PodScheduled condition, of its status, or of its container's state."""

    UNSCHEDULABLE = "Unschedulable"
    UNEXPECTED_ADMISSION_ERROR = "UnexpectedAdmissionError"
    CRASH_LOOP_BACK_OFF = "CrashLoopBackOff"
    TERMINATING = "Terminating"  # what kubectl shows while the object is being deleted; the phase stays
    COMPLETED = "Completed"
    ERROR = "Error"
