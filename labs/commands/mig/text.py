"""What `gpulab mig` says in words: the table of profiles, the picture of a card's slices, why something was refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from labs.hardware.catalog import GpuModel
from labs.hardware.mig import Attempt, Layout, default_starts
from labs.hardware.planning import OtherWay, why_refused
from labs.report.cards import (
    COLUMNS,
    FIGURES,
    column_names,
    confidence_words,
    profile_row,
    reason_text,
    start_notes,
)
from labs.report.writing import WIDTH, Column, Messages, Table, table_text, visible, wrap

PICTURE_COLUMNS = 72


def profile_lines(model: GpuModel, messages: Messages) -> Iterator[str]:
    """The card's profiles as a table, with what is known how well."""
    text = messages.text
    if not model.mig_profiles:
        key = "cli.mig.profiles-unknown" if model.supports_mig else "cli.mig.no-mig"
        yield text(key, gpu=model.name)
        return
    columns = tuple(
        Column(name, column in FIGURES) for column, name in zip(COLUMNS, column_names(messages), strict=True)
    )
    rows = tuple(profile_row(profile, messages) for profile in model.mig_profiles)
    yield table_text(Table(model.name, columns, rows)).rstrip()
    yield ""
    yield from paragraph(text("cli.mig.starts-note"))
    if model.placement_order is not None:
        starts = "; ".join(
            f"{profile.name} {', '.join(map(str, default_starts(model, profile)))}"
            for profile in model.mig_profiles
            if not profile.attributes and profile.placements.known
        )
        yield from paragraph(text("cli.mig.order-note", starts=starts, **confidence_words(model, messages)))


def placement_lines(
    before: Layout, attempt: Attempt, starts: Sequence[int] | None, messages: Messages
) -> Iterator[str]:
    """What was created where, what is free, and why something was refused."""
    text = messages.text
    after = attempt.layout
    yield after.model.name
    yield from (f"  {line}" for line in picture(after))
    for name, instance in zip(attempt.names, attempt.placements, strict=True):
        if instance is not None:
            yield text("cli.mig.created", profile=name, start=instance.start, size=instance.size)
    yield from _not_created(attempt, messages)
    free = after.free()
    counts = ", ".join(f"{name} {count}" for name, count in free.items() if count)
    if free:
        yield from paragraph(text("cli.mig.free", free=counts) if counts else text("cli.mig.full"))
    reason = why_refused(before, attempt, starts)
    if reason is not None:
        yield text("cli.mig.refused", error=attempt.refusal or "")
        yield from paragraph(reason_text(reason, after.model, messages))
    elif attempt.needs_starts:
        yield from paragraph(text("cli.mig.needs-starts"))
    created = len(after.instances) > len(before.instances)
    modelled = isinstance(reason, OtherWay) or (created and starts is None and not attempt.needs_starts)
    for note in start_notes(after.model, after.instances, modelled=modelled, messages=messages):
        yield from paragraph(note)


def _not_created(attempt: Attempt, messages: Messages) -> Iterator[str]:
    """A line for each profile of which something was not created, in the order asked for."""
    missing = Counter(
        name for name, instance in zip(attempt.names, attempt.placements, strict=True) if instance is None
    )
    for name, count in missing.items():
        yield messages.count("cli.mig.not-created", count, profile=visible(name))


def paragraph(sentence: str) -> list[str]:
    """The sentence in lines of the terminal's width."""
    return wrap(sentence, WIDTH)


def picture(layout: Layout) -> Iterator[str]:
    """The memory slices with their numbers, and under them the instances that hold them."""
    slices = layout.model.memory_slices
    if not slices:
        return
    width = PICTURE_COLUMNS // slices
    yield "".join(str(index).ljust(width) for index in range(slices)).rstrip()
    cells = {instance.start: instance for instance in layout.instances}
    position = 0
    line = ""
    while position < slices:
        size = cells[position].size if position in cells else 1
        label = cells[position].profile.name if position in cells else ""
        filler = " " if position in cells else "."
        room = width * size - 2
        name = label if len(label) <= room else f"{label[: room - 1]}…"
        line += f"[{name.ljust(room, filler)}]"
        position += size
    yield line
