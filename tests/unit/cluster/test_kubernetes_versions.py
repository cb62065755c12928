"""What the versions of Kubernetes do otherwise: facts of its release notes, version by version."""

from __future__ import annotations

import pytest

from labs.cluster.daemonset.releases import OLDEST, counts_unavailable_old
from labs.cluster.node_lifecycle import GRACE_SECONDS, grace_seconds


@pytest.mark.parametrize(
    ("version", "seconds"),
    [
        ("v1.9", 40),
        ("v1.21.0", 40),
        ("v1.31", 40),
        ("v1.31.14", 40),
        ("1.31.2", 40),
        ("v1.31.2-gke.100", 40),
        ("v1.32", 50),
        ("v1.32.0", 50),
        ("1.32", 50),
        ("v1.33.1", 50),
        ("v1.100.0", 50),
        ("v2.0", 50),
        ("newest", 50),
        ("", 50),
        ("v1.31x", 50),
    ],
)
def test_a_silent_node_is_called_not_ready_after_40_seconds_and_since_1_32_after_50(
    version: str, seconds: int
) -> None:
    """kubernetes/kubernetes#126287."""
    assert grace_seconds(version) == seconds


def test_the_newest_kubernetes_waits_50_seconds() -> None:
    assert GRACE_SECONDS == 50


@pytest.mark.parametrize(
    ("version", "counts"),
    [
        ("v1.20", None),
        ("v1.20.15", None),
        ("v1.21", False),
        ("v1.21.0", False),
        ("v1.27.16", False),
        ("v1.28", False),
        ("v1.28.14", False),
        ("v1.28.15", True),
        ("v1.28.16", True),
        ("v1.29", False),
        ("v1.29.9", False),
        ("v1.29.10", True),
        ("v1.29.11", True),
        ("v1.30", False),
        ("v1.30.5", False),
        ("v1.30.6", True),
        ("1.30.6", True),
        ("v1.30.7", True),
        ("v1.31", True),
        ("v1.31.0", True),
        ("v1.32.3", True),
        ("v1.100", True),
        ("v2.0", None),
        ("v1.31.x", None),
        ("newest", None),
    ],
)
def test_which_releases_count_an_unavailable_old_pod_against_max_unavailable(
    version: str, *, counts: bool | None
) -> None:
    """kubernetes/kubernetes#123233 in v1.31, and its cherry-picks in v1.28.15, v1.29.10 and v1.30.6."""
    assert counts_unavailable_old(version) is counts


def test_the_oldest_version_is_the_one_that_max_surge_came_with() -> None:
    assert OLDEST == "v1.21"
