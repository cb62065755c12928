"""Edits of a rollout scenario's text that are more than one scalar: what somebody does, what goes wrong and where.

Comments and layout of everything else stay. A text that is no scenario of that form stays as it is: the form then shows
that the control has no place in it.
"""

from __future__ import annotations

from dataclasses import dataclass

from labs.config.editing import (
    Edit,
    add_item,
    edited,
    remove_flow_item,
    remove_item,
    remove_member,
    set_value,
)
from labs.config.goyaml import Mapping, Node, Scalar, Sequence, YamlError, find, read

ROLLOUT, EVENTS, BEHAVIOUR, BEFORE, NODES = "rollout", "events", "behaviour", "before", "nodes"
REVISIONS = "revisions"
NO_FAILURE, NODE_DOWN, UNKNOWN_LABEL = "none", "node-down", "unknown-label"
POD_FAILURES = {
    "never-ready": "pod: never-ready",
    "init-stuck": "pod: init-stuck",
    "image-pull": "pod: image-pull",
    "pending": "pod: pending",
    "failed": "pod: failed",
    "crash-loop": "pod: crash-loop, runSeconds: 20",
    "crash-loop-probed": "pod: crash-loop, runSeconds: 20, readyAfterSeconds: 30",
    "serves-nothing": "pod: serves-nothing",
}
"""By failure the keys of a behaviour; a probe that would succeed only after the container's end never does."""
BEFORE_FAILURES = {NODE_DOWN: "state: down", UNKNOWN_LABEL: "label: trial"}
"""By failure the keys of how a node is before; the label names a config that there is not."""
FAILURES = (NO_FAILURE, *POD_FAILURES, *BEFORE_FAILURES)
USUAL_REVISIONS = "[r2]"  # of a behaviour: the template that is rolled out first
NODES_MOST = 5_000
FOURTH = 3  # which node a failure befalls where the text names none


@dataclass(frozen=True, slots=True)
class NodeFault:
    """The one thing that goes wrong: one of FAILURES, and the node (the usual one where nothing goes wrong)."""

    failure: str
    node: str


def rollout_of(text: str) -> Mapping | None:
    """The map under `rollout` of a scenario; None where the text has none."""
    try:
        node = find(read(text), (ROLLOUT,))
    except YamlError:
        return None
    return node if isinstance(node, Mapping) else None


# What somebody does


def event_nodes(text: str) -> tuple[Mapping, ...]:
    """The events as written, in the order of the text."""
    rollout = rollout_of(text)
    events = None if rollout is None else rollout.get(EVENTS)
    return (
        tuple(item for item in events.items if isinstance(item, Mapping))
        if isinstance(events, Sequence)
        else ()
    )


def with_event(text: str, event: str) -> str:
    """The text with an event, as YAML of one line, at the end of its events."""
    rollout = rollout_of(text)
    if rollout is None:
        return text
    events = rollout.get(EVENTS)
    if not isinstance(events, Sequence) or not events.items:
        return _edited(text, set_value(text, rollout, EVENTS, f"[{event}]"))
    return _edited(text, add_item(text, events, event))


def without_event(text: str, number: int) -> str:
    """The text without the event of that number (from 0, in the order of the text)."""
    rollout = rollout_of(text)
    events = None if rollout is None else rollout.get(EVENTS)
    if rollout is None or not isinstance(events, Sequence) or not 0 <= number < len(events.items):
        return text
    if len(events.items) == 1:
        return _without_key(text, rollout, EVENTS)
    if events.flow:
        return _edited(text, remove_flow_item(text, events, number))
    return _edited(text, remove_item(text, events, events.items[number]))


def with_revision(text: str, name: str, carried: str) -> str:
    """The text in which another revision carries that (YAML of one line); as it is where revisions carry nothing."""
    revisions = find(rollout_of(text), (REVISIONS,))
    if not isinstance(revisions, Mapping) or not revisions.entries or revisions.entry(name) is not None:
        return text
    return _edited(text, set_value(text, revisions, name, carried))


def has_named_configs(text: str) -> bool:
    """Whether a revision carries configs by name, so that a node's label can name one that there is not."""
    revisions = find(rollout_of(text), (REVISIONS,))
    entries = revisions.entries if isinstance(revisions, Mapping) else ()
    return any(find(entry.value, ("configs",)) is not None for entry in entries)


# What goes wrong


def fault_of(text: str) -> NodeFault | None:
    """What goes wrong in a scenario; None where that is more than one thing on one node, or the nodes are no number."""
    rollout, names = rollout_of(text), node_names_of(text)
    if rollout is None or not names:
        return None
    behaviour, before = rollout.get(BEHAVIOUR), rollout.get(BEFORE)
    entries = [
        *(("", item) for item in (behaviour.items if isinstance(behaviour, Sequence) else ())),
        *((NODE_DOWN, item) for item in (before.items if isinstance(before, Sequence) else ())),
    ]
    if not entries:
        return NodeFault(NO_FAILURE, names[min(FOURTH, len(names) - 1)])
    kind, item = entries[0]
    node = _only_name(find(item, (NODES,)))
    failure = _before(item) if kind else _failure(item)
    if len(entries) > 1 or node not in names or failure is None:
        return None
    return NodeFault(failure, node)


def with_fault(text: str, fault: NodeFault) -> str:
    """The text in which that, and nothing else, goes wrong."""
    rollout = rollout_of(text)
    if rollout is None or fault_of(text) is None:
        return text
    revisions = _revisions(text, rollout)
    behaviour = before = ""
    if fault.failure in POD_FAILURES:
        behaviour = f"[{{nodes: [{fault.node}], revisions: {revisions}, {POD_FAILURES[fault.failure]}}}]"
    elif fault.failure in BEFORE_FAILURES:
        before = f"[{{nodes: [{fault.node}], {BEFORE_FAILURES[fault.failure]}}}]"
    for key, value in ((BEHAVIOUR, behaviour), (BEFORE, before)):
        rollout = rollout_of(text)
        if rollout is not None:
            text = (
                _edited(text, set_value(text, rollout, key, value))
                if value
                else _without_key(text, rollout, key)
            )
    return text


def _only_name(node: Node | None) -> str:
    """The one node that is named; empty for none, several or all."""
    if isinstance(node, Sequence) and len(node.items) == 1:
        node = node.items[0]
    return node.text if isinstance(node, Scalar) else ""


def _before(item: Node) -> str | None:
    state = find(item, ("state",))
    if state is None:
        return UNKNOWN_LABEL if find(item, ("label",)) is not None else None
    return NODE_DOWN if isinstance(state, Scalar) and state.text == "down" else None


def _failure(item: Node) -> str | None:
    pod = find(item, ("pod",))
    name = pod.text if isinstance(pod, Scalar) else ""
    if name == "crash-loop" and find(item, ("readyAfterSeconds",)) is not None:
        name = "crash-loop-probed"
    return name if name in POD_FAILURES else None


def _revisions(text: str, rollout: Mapping) -> str:
    """The revisions of the behaviour that is there, as written."""
    node = find(rollout, (BEHAVIOUR, 0, "revisions"))
    if not isinstance(node, Sequence) or not node.flow:
        return USUAL_REVISIONS
    return text[node.span.start_offset : node.span.end_offset]


# Which nodes there are


def node_names_of(text: str) -> tuple[str, ...]:
    """The names of the nodes: those that a number stands for, or those that the scenario has beside the rollout."""
    try:
        root = read(text)
    except YamlError:
        return ()
    nodes = find(root, (NODES,))
    if isinstance(nodes, Sequence):
        names = [find(item, ("name",)) for item in nodes.items]
        return tuple(name.text for name in names if isinstance(name, Scalar))
    number = find(root, (ROLLOUT, NODES))
    if (
        not isinstance(number, Scalar)
        or not isinstance(number.value, int)
        or not 0 < number.value <= NODES_MOST
    ):
        return ()
    width = len(str(number.value))
    return tuple(f"node-{place:0{width}d}" for place in range(1, number.value + 1))


# Text


def _without_key(text: str, parent: Mapping, key: str) -> str:
    """The text without that key of a map, which has others."""
    entry = parent.entry(key)
    return text if entry is None else _edited(text, remove_member(text, parent, entry))


def _edited(text: str, edit: Edit | None) -> str:
    return text if edit is None else edited(text, [edit])
