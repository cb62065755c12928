"""Node pools: which workloads may share devices, on which nodes, and why."""

from labs.cluster.pools.division import MOST_GROUPS, MOST_NODE_KINDS, divide
from labs.cluster.pools.pools import Against, Bar, Division, Pool, Shortage, against
from labs.cluster.pools.room import MOST_PODS, NodeKind, NoRoom, WorkloadGroup
from labs.cluster.pools.rules import EVERYTHING, NOTHING, TRAITS, UNPROTECTED, Hit, Hits, Way, WorkloadKind

__all__ = [
    "EVERYTHING",
    "MOST_GROUPS",
    "MOST_NODE_KINDS",
    "MOST_PODS",
    "NOTHING",
    "TRAITS",
    "UNPROTECTED",
    "Against",
    "Bar",
    "Division",
    "Hit",
    "Hits",
    "NoRoom",
    "NodeKind",
    "Pool",
    "Shortage",
    "Way",
    "WorkloadGroup",
    "WorkloadKind",
    "against",
    "divide",
]
