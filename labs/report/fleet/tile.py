"""A node of a rollout as a small frame.

Its name, the letter of its revision at the corner, its state by shape and word, the slots that it offers as tickets, and
the Pods on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from labs.report.drawing import Anchor, Group, Line, Path, Rect, Shape, Text
from labs.report.fleet.state import SIGNS, NodeState, Sign, kubectl_status, node_letters, state_of
from labs.report.writing import Messages, fit
from labs.simulation.outcome.moment import BEING_DELETED, PodState
from labs.simulation.outcome.rollout import FleetNodeView, NodeResource, WorkloadPodView

BADGE = 20.0
TICKET, TICKET_GAP, TICKET_HEIGHT = 9.0, 3.0, 14.0
ROWS_OF_TICKETS = 2
BAD_PODS = (
    *(PodState.REFUSED, PodState.FAILED, PodState.OUT_OF_MEMORY, PodState.FAULTED, PodState.BACK_OFF),
    *BEING_DELETED,
)
RADIUS = 5.0


@dataclass(frozen=True, slots=True)
class TileForm:
    """How tiles of one picture look: `width` by `height`, `has_detail` with kubectl's word, `resources` rows of tickets."""

    width: float
    height: float
    has_detail: bool
    resources: tuple[str, ...]
    ticket_rows: int = 1

    @property
    def resource_height(self) -> float:
        """The height of a resource: a line of numbers and its tickets."""
        return 24.0 + self.ticket_rows * (TICKET_HEIGHT + TICKET_GAP)


def tile_form(
    width: float, *, has_detail: bool, resources: tuple[str, ...] = (), most_slots: int = 0
) -> TileForm:
    """The form of tiles of that width that show those resources, of which a node has `most_slots` at most."""
    rows = min(ROWS_OF_TICKETS, max(1, -(-most_slots // _tickets_in_a_row(width))))
    form = TileForm(width, 0.0, has_detail, resources, rows)
    height = 50.0 + (17.0 if has_detail else 0.0)
    if resources:
        height += form.resource_height * len(resources) + 18.0
    return replace(form, height=height)


def _tickets_in_a_row(width: float) -> int:
    """How many tickets stand side by side in a tile."""
    return int((width - 18 + TICKET_GAP) // (TICKET + TICKET_GAP))


def tile(
    node: FleetNodeView,
    form: TileForm,
    letters: Mapping[str, str],
    messages: Messages,
    x: float,
    y: float,
    *,
    is_chosen: bool,
) -> Group:
    """The node's frame at (x, y)."""
    state = state_of(node)
    css = "gl-frame"
    if SIGNS[state] is Sign.CROSS:
        css += " gl-frame-bad"
    shapes: list[Shape] = [Rect(x, y, form.width, form.height, "gl-tile-paper", 5)]
    frame = "gl-uncut" if SIGNS[state] is Sign.EMPTY or node.down else css
    shapes.append(Rect(x, y, form.width, form.height, frame, 5))
    if is_chosen:
        shapes.append(Rect(x - 3, y - 3, form.width + 6, form.height + 6, "gl-chosen", 7))
    badges = node_letters(node, letters)
    for place, (letter, is_new) in enumerate(badges):
        at = x + form.width - BADGE * (len(badges) - place)
        shapes += _badge(letter, at, y, is_new=is_new)
    room = form.width - 18 - BADGE * len(badges)
    shapes.append(Text(x + 9, y + 19, fit(node.name, room, 12.5, bold=True), 12.5, bold=True))
    shapes += _state(state, messages, x, y + 38, form.width)
    top = y + 50
    if form.has_detail:
        shapes += _detail(node, messages, x, top + 7, form.width)
        top += 17
    if form.resources:
        shapes += _slots(node, form, messages, x, top)
    return Group(tuple(shapes), "gl-node", node.name)


def _badge(letter: str, x: float, y: float, *, is_new: bool) -> list[Shape]:
    """The letter of a revision: on ink for the present template, outlined for another."""
    rect = Rect(x, y, BADGE, BADGE, "gl-rev-new" if is_new else "gl-rev-old", 3)
    return [
        rect,
        Text(x + BADGE / 2, y + 14.5, letter, 12.5, "gl-rev-on" if is_new else "gl-ink", Anchor.MIDDLE, True),
    ]


def sign(kind: Sign, x: float, y: float) -> list[Shape]:
    """The shape of a state around (x, y)."""
    r = RADIUS
    ring = f"M{x - r:g} {y:g}a{r:g} {r:g} 0 1 0 {2 * r:g} 0a{r:g} {r:g} 0 1 0 {-2 * r:g} 0Z"
    if kind is Sign.FULL:
        return [Path(ring, "gl-sign-full")]
    if kind is Sign.HALF:
        half = f"M{x:g} {y - r:g}a{r:g} {r:g} 0 0 1 0 {2 * r:g}Z"
        return [Path(ring, "gl-sign-ring"), Path(half, "gl-sign-half")]
    if kind is Sign.CROSS:
        cross = f"M{x - 4:g} {y - 4:g}l8 8m0 -8l-8 8"
        return [Path(cross, "gl-sign-cross")]
    return [Path(ring, "gl-sign-empty")]


def _state(state: NodeState, messages: Messages, x: float, y: float, width: float) -> Iterator[Shape]:
    kind = SIGNS[state]
    css = "gl-alarm-ink" if kind is Sign.CROSS else "gl-ink" if kind is Sign.FULL else "gl-faint"
    words = fit(messages.text(f"fleet.state.{state}"), width - 32, 12, bold=kind is Sign.CROSS)
    yield from sign(kind, x + 15, y - 4)
    yield Text(x + 26, y, words, 12, css, bold=kind is Sign.CROSS)


def detail_text(node: FleetNodeView, messages: Messages) -> str:
    """The second line for a node: kubectl's word for its Pod, and what was done to the node.

    The word is left out where it is plain Running.
    """
    status = "" if node.down else kubectl_status(node)
    parts = [] if status in ("Running", "") else [status]
    if node.cordoned:
        parts.append(messages.text("fleet.cordoned"))
    if node.tainted:
        parts.append(messages.text("fleet.tainted"))
    if not node.selected:
        parts.append(messages.text("fleet.deselected"))
    if node.label:
        parts.append(messages.text("fleet.label", value=node.label))
    return messages.text("list.comma").join(parts)


def _detail(node: FleetNodeView, messages: Messages, x: float, y: float, width: float) -> Iterator[Shape]:
    words = detail_text(node, messages)
    if words:
        yield Text(x + 26, y, fit(words, width - 32, 11), 11, "gl-faint")


# Slots and Pods


def _slots(node: FleetNodeView, form: TileForm, messages: Messages, x: float, y: float) -> Iterator[Shape]:
    """For each resource a line of numbers and its tickets, and the Pods of users under a hairline."""
    offers = {offer.resource: offer for offer in node.offers}
    for place, resource in enumerate(form.resources):
        offer = offers.get(resource, NodeResource(resource, 0, 0))
        top = y + form.resource_height * place
        yield Line(x, top, x + form.width, top, "gl-hairline")
        words = offer_text(offer, messages, with_name=len(form.resources) > 1)
        yield Text(x + 9, top + 15, fit(words, form.width - 16, 11.5), 11.5)
        yield from _tickets(offer, x + 9, top + 21, form)
    words = pods_text(node.workload_pods, messages)
    bad = any(pod.state in BAD_PODS for pod in node.workload_pods)
    css = "gl-alarm-ink" if bad else "gl-faint"
    top = y + form.resource_height * len(form.resources) + 11
    yield Text(x + 9, top, fit(words, form.width - 16, 11.5), 11.5, css)


def offer_text(offer: NodeResource, messages: Messages, *, with_name: bool = False) -> str:
    """`5 slots`, or `0 of 5 slots` while the plugin is away."""
    key = "fleet.slots" if offer.allocatable == offer.capacity else "fleet.slots-of"
    values = {"capacity": offer.capacity} if key == "fleet.slots-of" else {}
    words = messages.count(key, offer.allocatable, **values)
    return (
        messages.text("fleet.named", name=offer.resource.partition("/")[2], what=words)
        if with_name
        else words
    )


def pods_text(pods: tuple[WorkloadPodView, ...], messages: Messages) -> str:
    """How many Pods are on a node, and how many of them are in trouble."""
    bad = sum(pod.state in BAD_PODS for pod in pods)
    words = messages.count("fleet.pods", len(pods))
    return messages.count("fleet.pods-bad", bad, pods=words) if bad else words


def _tickets(offer: NodeResource, x: float, y: float, form: TileForm) -> Iterator[Shape]:
    """A ticket for each unit of capacity: taken, free, or (crossed by a line) not to be had now."""
    columns = _tickets_in_a_row(form.width)
    count = min(max(offer.capacity, offer.requested), columns * form.ticket_rows)
    for place in range(count):
        row, column = divmod(place, columns)
        at_x, at_y = x + column * (TICKET + TICKET_GAP), y + row * (TICKET_HEIGHT + TICKET_GAP)
        is_taken, is_there = place < offer.requested, place < offer.allocatable
        css = "gl-slot-taken" if is_taken else "gl-slot-free" if is_there else "gl-slot-gone"
        yield Rect(at_x, at_y, TICKET, TICKET_HEIGHT, css, 2)
        if not is_there:
            yield Line(at_x, at_y + TICKET_HEIGHT, at_x + TICKET, at_y, "gl-slot-struck")
