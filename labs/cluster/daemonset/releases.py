"""Which releases of Kubernetes have the DaemonSet controller of `labs.cluster.daemonset.sync`, and which an older one.

Sources: kubernetes/kubernetes#123233 (v1.31) and its cherry-picks #127776, #127775 and #127774, listed under v1.28.15,
v1.29.10 and v1.30.6 by Kubernetes' CHANGELOG-1.28.md, CHANGELOG-1.29.md and CHANGELOG-1.30.md.
"""

from __future__ import annotations

import re

OLDEST = "v1.21"  # maxSurge came
_OLDEST_MINOR = 21
_COUNTING_MINOR = 31  # the first whose every release counts an unavailable old Pod against the budget
_COUNTING_PATCHES = {28: 15, 29: 10, 30: 6}  # the first such patch release of a minor version before it
_VERSION = re.compile(r"v?1\.([0-9]{1,3})(?:\.([0-9]{1,3}))?")


def counts_unavailable_old(version: str) -> bool | None:
    """Whether the controller of a version, such as `v1.30.6`, counts an unavailable old Pod against maxUnavailable.

    A version without a patch release is its first, `.0`. None: it is no version from OLDEST on.
    """
    match = _VERSION.fullmatch(version)
    if match is None or int(match[1]) < _OLDEST_MINOR:
        return None
    minor, patch = int(match[1]), int(match[2] or 0)
    first = _COUNTING_PATCHES.get(minor)
    return minor >= _COUNTING_MINOR or (first is not None and patch >= first)
