"""A card's slices and where each of its MIG profiles may lie on them: the picture of the reference pages.

Tiles are compute slices, numbered boxes under them memory slices; in a profile's row every box is a place where an instance
of it may lie, with its start written in it. Variants with the same places share a row.
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.hardware.catalog import GpuModel, MigProfile, Placements
from labs.report.drawing import Anchor, Group, Path, Scene, Shape, Text
from labs.report.writing import Messages, pixels

WIDTH = 400.0
ROW = 22.0
BOX = 17.0
SIZE = 12.0
Row = tuple[MigProfile, Placements]


def starts_scene(model: GpuModel, messages: Messages) -> Scene | None:
    """The picture; None where the number of slices or every profile's place is unknown."""
    rows = _rows(model)
    slices = model.memory_slices
    if not slices or not model.compute_slices or not rows:
        return None
    compute, memory = messages.text("picture.slices.compute"), messages.text("picture.slices.memory")
    names = [compute, memory, *(profile.name for profile, _ in rows)]
    margin = max(pixels(name, SIZE) for name in names) + 10
    pitch = (WIDTH - margin - 1) / slices
    shapes = [
        *_named(compute, 0),
        Path("".join(_box(margin, pitch, index, 1, 0) for index in range(model.compute_slices)), "gl-tile"),
        *_named(memory, 1),
        Path("".join(_box(margin, pitch, index, 1, 1) for index in range(slices)), "gl-bar"),
        _numbers(margin, pitch, [(index, 1) for index in range(slices)], 1),
    ]
    for index, (profile, placements) in enumerate(rows):
        row = index + 2
        shapes += _named(profile.name, row)
        boxes = (_box(margin, pitch, start, placements.size, row) for start in placements.starts)
        shapes.append(Path("".join(boxes), "gl-tile"))
        shapes.append(_numbers(margin, pitch, [(start, placements.size) for start in placements.starts], row))
    sentences = [
        messages.text(
            "card-page.alt-row",
            profile=profile.name,
            size=placements.size,
            starts=", ".join(map(str, placements.starts)),
        )
        for profile, placements in rows
    ]
    title = messages.text("card-page.alt", gpu=model.name, memory=slices, compute=model.compute_slices)
    return Scene(WIDTH, ROW * (len(rows) + 2), tuple(shapes), title, " ".join(sentences))


def _rows(model: GpuModel) -> list[Row]:
    """One profile for each set of places: the one with the fewest extras in its name."""
    chosen: dict[tuple[int, Placements], Row] = {}
    for profile in sorted(model.mig_profiles, key=lambda profile: len(profile.attributes)):
        placements = profile.placements.value
        if placements is not None:
            chosen.setdefault((profile.compute_slices, placements), (profile, placements))
    order = {profile.name: index for index, profile in enumerate(model.mig_profiles)}
    return sorted(chosen.values(), key=lambda row: order[row[0].name])


def _named(name: str, row: int) -> Iterator[Shape]:
    yield Text(0, _baseline(row), name, SIZE, "gl-faint" if row < 2 else "gl-ink")


def _numbers(margin: float, pitch: float, spans: list[tuple[int, int]], row: int) -> Group:
    return Group(
        tuple(
            Text(
                margin + (start + size / 2) * pitch,
                _baseline(row),
                str(start),
                SIZE,
                "gl-faint" if row < 2 else "gl-ink",
                Anchor.MIDDLE,
            )
            for start, size in spans
        )
    )


def _baseline(row: int) -> float:
    return row * ROW + 14


def _box(margin: float, pitch: float, start: int, size: int, row: int) -> str:
    across = size * pitch - 3
    return f"M{margin + start * pitch + 1.5:.1f} {row * ROW + 1.5:.1f}h{across:.1f}v{BOX:g}h{-across:.1f}z"
