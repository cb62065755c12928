"""A rollout scenario: a fleet, a DaemonSet, what is wrong with nodes and revisions, and what people do when.

Times are integer microseconds from the start. See design.md, "A rollout scenario".
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum

from labs.cluster.daemonset import IntOrPercent, UpdateStrategy
from labs.cluster.node_lifecycle import GRACE_SECONDS
from labs.hardware.units import SECOND_US
from labs.simulation.scenario.rollout.plugin_config import ConfigMap

FIRST_REVISION = "r1"
DEFAULT_REFRESH_US = 60 * SECOND_US  # the kubelet's sync period and its cache (general knowledge)
DEFAULT_STATUS_PERIOD_US = 10 * SECOND_US  # nodeStatusUpdateFrequency
DEFAULT_GRACE_US = GRACE_SECONDS * SECOND_US
DEFAULT_REBOOT_US = 120 * SECOND_US


class Before(StrEnum):
    """How a node, or the old Pod on it, is before the first event."""

    BROKEN = "broken"  # its old Pod is not Ready and stays so
    DOWN = "down"  # its kubelet is silent: unreachable:NoSchedule and NoExecute
    CORDONED = "cordoned"
    TAINTED = "tainted"  # a NoSchedule taint that the Pods don't tolerate, and that came after its Pod


class PodBehaviour(StrEnum):
    """What becomes of a Pod of some revisions on some nodes."""

    HEALTHY = "healthy"  # Ready `startup` after its creation
    NEVER_READY = "never-ready"
    PENDING = "pending"  # never scheduled
    FAILED = "failed"  # phase Failed 1 s after creation
    CRASH_LOOP = "crash-loop"  # Ready from 1 s after creation for a while, then restarted with growing waits
    INIT_STUCK = "init-stuck"  # an init container waits without end: phase Pending, never Ready
    IMAGE_PULL = "image-pull"  # its image can't be pulled: phase Pending, never Ready
    SERVES_NOTHING = "serves-nothing"  # Ready as a healthy one, with a plugin that registers no device


NEVER_STARTS = (PodBehaviour.INIT_STUCK, PodBehaviour.IMAGE_PULL)


@dataclass(frozen=True, slots=True)
class Behaviour:
    """How Pods of `revisions` on `nodes` (None: on all) behave.

    `run_us` is the life of a crashing container, `probe_us` how long after its start it would be Ready (as a readiness
    probe has it).
    """

    nodes: frozenset[str] | None
    revisions: frozenset[str]
    pod: PodBehaviour
    run_us: int = 0
    probe_us: int = 0
    line: int = field(default=1, compare=False)  # where it stands
    column: int = field(default=1, compare=False)


@dataclass(frozen=True, slots=True)
class NodeLabel:
    """What `nvidia.com/device-plugin.config` of `nodes` (None: of all) is before the start, and where that stands."""

    value: str
    nodes: frozenset[str] | None
    line: int = field(default=1, compare=False)
    column: int = field(default=1, compare=False)


class Action(StrEnum):
    """What somebody does to the cluster."""

    TEMPLATE = "template"
    UNDO = "undo"
    PATCH = "patch"  # maxUnavailable, maxSurge
    CONFIG_MAP = "configMap"  # the content changes, the template does not
    NOT_READY = "notReady"
    DELETE_POD = "deletePod"
    CORDON = "cordon"
    UNCORDON = "uncordon"
    DESELECT = "deselect"
    SELECT = "select"
    ADD_NODE = "addNode"
    DELETE_NODE = "deleteNode"
    REPAIR = "repair"
    LABEL = "label"  # nvidia.com/device-plugin.config
    RESTART_KUBELET = "restartKubelet"
    DOWN = "down"  # its kubelet falls silent
    REBOOT = "reboot"


CHANGES_TEMPLATE = (Action.TEMPLATE, Action.UNDO)
"""The actions that begin a rollout."""


class NoEffect(StrEnum):
    """Why nothing comes of an action."""

    LATE = "late"  # it comes after the end
    NODE_ABSENT = "node-absent"  # the node has gone, or has not joined yet
    NODE_PRESENT = "node-present"  # a node that joins is there already
    NODE_SILENT = "node-silent"  # nobody reaches its kubelet
    NODE_BOOTING = "node-booting"  # it reboots
    NO_POD = "no-pod"  # the node has no Pod of the DaemonSet
    TERMINATING = "terminating"  # its Pod is being deleted already
    UNCHANGED = "unchanged"  # it is so already
    REFUSED = "refused"  # the API server, or kubectl, says no
    UNREAD = "unread"  # the present template names no ConfigMap
    NO_MANAGER = "no-manager"  # no template names one, so that nothing reads a node's label
    NO_REVISION = "no-revision"  # no template of that name is ever applied
    RAN_BEFORE = "ran-before"  # the only Pods of the template are those from before the start
    WELL = "well"  # nothing is wrong with the node itself
    CONFIG_REFUSED = "config-refused"  # the plugin exits, as its loader does not take it


@dataclass(frozen=True, slots=True)
class RolloutEvent:
    """One action at a time; the fields that do not apply keep their defaults.

    `number` counts a scenario's events by time, from 0; `line` and `column` are where it stands.
    """

    at_us: int
    action: Action
    template: str = ""
    to_revision: int = 0  # of UNDO; 0: the one before
    max_unavailable: IntOrPercent | None = None
    max_surge: IntOrPercent | None = None
    nodes: tuple[str, ...] = ()
    all_nodes: bool = False
    force: bool = False
    config_map: ConfigMap | None = None  # of CONFIG_MAP; None: nobody knows what changed
    label: str | None = None  # of LABEL; None: it is taken away
    number: int | None = None  # None: of no scenario's
    line: int = 1
    column: int = 1

    def patched(self, strategy: UpdateStrategy) -> UpdateStrategy:
        """The strategy with the budgets that a PATCH gives."""
        unavailable, surge = self.max_unavailable, self.max_surge
        return replace(
            strategy,
            max_unavailable=strategy.max_unavailable if unavailable is None else unavailable,
            max_surge=strategy.max_surge if surge is None else surge,
        )


@dataclass(frozen=True, slots=True)
class Rollout:
    """The scenario. `order_seed` None visits nodes in order of their names, as far as they have one."""

    name: str
    nodes: tuple[str, ...]
    strategy: UpdateStrategy
    min_ready_seconds: int
    tolerate_all: bool
    startup_us: int
    termination_us: int
    counts_unavailable_old: bool
    order_seed: int | None
    until_us: int
    before: tuple[tuple[Before, frozenset[str] | None], ...]
    behaviours: tuple[Behaviour, ...]
    events: tuple[RolloutEvent, ...]  # ascending by time
    config_maps: tuple[tuple[str, ConfigMap], ...] = ()  # by the revision that carries it
    labels: tuple[NodeLabel, ...] = ()  # of several of a node the last
    refresh_us: int = DEFAULT_REFRESH_US  # until a mounted ConfigMap has its new content
    status_period_us: int = DEFAULT_STATUS_PERIOD_US  # between two node statuses of a kubelet
    grace_us: int = DEFAULT_GRACE_US  # until a node whose kubelet is silent is NotReady
    reboot_us: int = DEFAULT_REBOOT_US
    line: int = 1  # of the scenario's text on which it begins
    absent: frozenset[str] = frozenset()  # nodes that are not there before somebody adds them
    last_event_us: int = 2**62  # later ones are after the end that the scenario gives itself

    def has_begun(self, at_us: int) -> bool:
        """Whether somebody has changed the template by then: without, `kubectl` still speaks of the rollout before."""
        return any(event.action in CHANGES_TEMPLATE and event.at_us <= at_us for event in self.events)

    @property
    def has_configs(self) -> bool:
        """Whether a revision carries a sharing config."""
        return bool(self.config_maps)
