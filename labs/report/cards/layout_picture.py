"""A card with its MIG instances, before any Pod is on it: the vessel with walls, and every place of a refused profile.

Each instance is a room with the number of its step. Under the floor stand the numbers of the memory slices. The last row has
the places that the card allows for the refused profile; the slices that others hold there are hatched.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from labs.hardware.catalog import MigProfile
from labs.hardware.mig import GpuInstance, Layout, span
from labs.hardware.planning import holders, wasted_compute_slices, wasted_memory_slices
from labs.report.cards.blocks import legend
from labs.report.cards.mig_words import listed
from labs.report.cards.picture_words import number_ranges
from labs.report.cards.rooms import ROW_NAME, TILE, Frame, empty_rooms, profile_lines, row_names, tiles, walls
from labs.report.drawing import Anchor, Path, Pattern, Placed, Rect, Scene, Shape, Text
from labs.report.writing import Messages, pixels, wrap_pixels
from labs.simulation.outcome.moment import MigPlace, Slices

WIDTH = 380.0
HEIGHT = 66.0
LINE = 13.0
ROW = 20.0
Steps = Mapping[GpuInstance, Sequence[int]]
"""The numbers of the steps that are in an instance."""


def layout_scene(
    layout: Layout, steps: Steps, messages: Messages, refused: MigProfile | None = None
) -> Scene:
    """The picture; the numbers of slices of the card are known."""
    slices = layout_slices(layout)
    words = [messages.text(f"picture.slices.{row}") for row in ("compute", "memory")]
    margin = max(pixels(text, ROW_NAME) for text in words) + 10
    pitch = (WIDTH - margin - 1) / slices.memory
    rim = TILE + 8
    frame = Frame(margin, pitch, 1.0, rim, rim + HEIGHT)
    places = [
        MigPlace(0, instance.start, instance.size, instance.profile.compute_slices)
        for instance in layout.instances
    ]
    shapes: list[Shape] = [
        *row_names(frame, messages),
        *tiles(places, slices, frame),
        *empty_rooms(places, slices, frame),
        *(
            shape
            for instance in layout.instances
            for shape in _room(instance, steps.get(instance, ()), frame)
        ),
        walls(places, slices, frame),
    ]
    below = _names(layout, frame)
    shapes += below.shapes
    y = frame.bottom + below.height + 6
    if refused is not None:
        row = _places(layout, refused, frame, y, messages)
        shapes += row.shapes
        y += row.height + 8
    key = legend(_legend(layout, slices, refused, messages), 0, y, WIDTH)
    shapes += key.shapes
    return Scene(
        WIDTH,
        y + key.height + 2,
        tuple(shapes),
        messages.text(
            "planner.alt.title", gpu=layout.model.name, memory=slices.memory, compute=slices.compute
        ),
        " ".join(_description(layout, slices, refused, messages)),
    )


def layout_slices(layout: Layout) -> Slices:
    """What the card is cut from, and what of it the layout wastes; memory is told in slices alone."""
    model = layout.model
    return Slices(
        model.memory_slices or 0,
        model.compute_slices or 0,
        0,
        wasted_memory_slices(layout),
        wasted_compute_slices(layout),
    )


def _room(instance: GpuInstance, numbers: Sequence[int], frame: Frame) -> Iterator[Shape]:
    left, width = frame.at(instance.start) + 2, instance.size * frame.pitch - 4
    top, height = frame.rim + 3, HEIGHT - 5
    yield Rect(left, top, width, height, "gl-block-mig", 0, Pattern.MIG)
    name = ", ".join(map(str, numbers))
    wide = pixels(name, 15, bold=True) + 8
    middle = left + width / 2
    yield Rect(middle - wide / 2, top + height / 2 - 11, wide, 22, "gl-paper", 2)
    yield Text(middle, top + height / 2 + 5.5, name, 15, anchor=Anchor.MIDDLE, bold=True)


def _names(layout: Layout, frame: Frame) -> Placed:
    """The numbers of the slices, and under them what lies on them."""
    shapes: list[Shape] = [
        Text(frame.at(index) + frame.pitch / 2, frame.bottom + 13, str(index), 10, "gl-faint", Anchor.MIDDLE)
        for index in range(layout.model.memory_slices or 0)
    ]
    most = 0
    for instance in layout.instances:
        width = instance.size * frame.pitch
        lines = profile_lines(instance.profile.name, width)
        most = max(most, len(lines))
        for index, line in enumerate(lines):
            middle = frame.at(instance.start) + width / 2
            y = frame.bottom + 27 + LINE * index
            shapes.append(Text(middle, y, line, 11, "gl-ink", Anchor.MIDDLE))
    return Placed(tuple(shapes), 16 + LINE * most)


def _places(layout: Layout, refused: MigProfile, frame: Frame, y: float, messages: Messages) -> Placed:
    """Every place of the refused profile, in a row where they do not overlap."""
    head = wrap_pixels(messages.text("planner.places", profile=refused.name), WIDTH, 12, bold=True)
    shapes: list[Shape] = [
        Text(0, y + 12 + 15 * index, line, 12, "gl-alarm-ink", bold=True) for index, line in enumerate(head)
    ]
    top = y + 15 * len(head) + 5
    size = layout.placements(refused).size
    ends: list[int] = []  # of each row, where its last place ends
    for start, held in holders(layout, refused).items():
        row = next((index for index, end in enumerate(ends) if end <= start), len(ends))
        ends[row:] = [start + size, *ends[row + 1 :]]
        at = top + ROW * row
        taken = 0
        for place in held:
            taken |= place.span & span(start, size)
        for index in range(start, start + size):
            if taken >> index & 1:
                left = frame.at(index) + 2
                shapes.append(
                    Rect(left, at, frame.pitch - 4, ROW - 4, "gl-refused", 0, Pattern.REFUSED, listed(held))
                )
        across = size * frame.pitch - 4
        box = f"M{frame.at(start) + 2:.1f} {at:.1f}h{across:.1f}v{ROW - 4:g}h{-across:.1f}z"
        shapes.append(Path(box, "gl-vessel"))
    return Placed(tuple(shapes), top + ROW * len(ends) - y)


def _has_uncut(layout: Layout, slices: Slices) -> bool:
    """Whether any slice is neither held nor wasted."""
    memory = sum(instance.size for instance in layout.instances) + len(slices.wasted_memory)
    compute = sum(instance.profile.compute_slices for instance in layout.instances) + len(
        slices.wasted_compute
    )
    return memory < slices.memory or compute < slices.compute


def _legend(
    layout: Layout, slices: Slices, refused: MigProfile | None, messages: Messages
) -> Iterator[tuple[str, str, Pattern | None]]:
    text = messages.text
    if layout.instances:
        yield text("picture.legend.tile"), "gl-tile", None
        yield text("planner.legend.room"), "gl-block-mig", Pattern.MIG
    if slices.wasted_memory or slices.wasted_compute:
        yield text("picture.legend.wasted"), "gl-wasted", None
    if _has_uncut(layout, slices):
        yield text("picture.legend.uncut"), "gl-uncut", None
    if refused is not None:
        yield text("planner.legend.held"), "gl-refused", Pattern.REFUSED


def _description(
    layout: Layout, slices: Slices, refused: MigProfile | None, messages: Messages
) -> Iterator[str]:
    """The picture in words."""
    text = messages.text
    parts = [
        text(
            "picture.alt.part",
            profile=instance.profile.name,
            slices=number_ranges(range(instance.start, instance.start + instance.size)),
            n=instance.profile.compute_slices,
        )
        for instance in layout.instances
    ]
    if parts:
        yield text("picture.alt.slices", parts=text("list.comma").join(parts))
    if slices.wasted_memory or slices.wasted_compute:
        yield wasted_text(slices, messages)
    if refused is not None:
        yield text("planner.places", profile=refused.name)
        for starts, held in grouped_holders(layout, refused).items():
            yield held_text(starts, held, messages)


def wasted_text(slices: Slices, messages: Messages) -> str:
    """How much of the card is wasted."""
    return messages.text(
        "cli.mig.plan.wasted", memory=len(slices.wasted_memory), compute=len(slices.wasted_compute)
    )


def grouped_holders(layout: Layout, profile: MigProfile) -> dict[tuple[int, ...], tuple[GpuInstance, ...]]:
    """As `holders`, with the starts together that the same instances are in the way of."""
    groups: dict[tuple[GpuInstance, ...], list[int]] = {}
    for start, held in holders(layout, profile).items():
        groups.setdefault(held, []).append(start)
    return {tuple(starts): held for held, starts in groups.items()}


def held_text(starts: Sequence[int], held: Sequence[GpuInstance], messages: Messages) -> str:
    """What is in the way of a profile that would start at one of `starts`."""
    key = "planner.held" if held else "planner.held-by-none"
    return messages.pick(key, {"starts": number_ranges(starts), "instances": listed(held)})
