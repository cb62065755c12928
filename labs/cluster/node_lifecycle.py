"""How long Kubernetes waits before it calls a node NotReady of whose kubelet it does not hear: `node-monitor-grace-period`.

Source: kubernetes/kubernetes#126287, in v1.32: 50 s, before that 40 s.
"""

from __future__ import annotations

import re

GRACE_SECONDS = 50
_GRACE_SECONDS_BEFORE = 40
_MINOR = 32
_VERSION = re.compile(r"v?1\.([0-9]{1,3})(?:\..*)?")


def grace_seconds(version: str) -> int:
    """The default of a version of Kubernetes, such as `v1.31.2`; of what is none that of the newest."""
    match = _VERSION.fullmatch(version)
    return _GRACE_SECONDS_BEFORE if match is not None and int(match[1]) < _MINOR else GRACE_SECONDS
