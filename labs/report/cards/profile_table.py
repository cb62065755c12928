"""The MIG profiles of a card as rows of a table, with how well their figures are known: for a terminal and for a page."""

from __future__ import annotations

from labs.hardware.catalog import MigProfile
from labs.report.writing import NOTHING, Messages

COLUMNS = ("profile", "id", "compute", "memory", "gib", "sms", "max", "starts", "known")
FIGURES = COLUMNS[1:-2]


def column_names(messages: Messages) -> tuple[str, ...]:
    """What stands over the columns."""
    return tuple(messages.text(f"cli.mig.column.{column}") for column in COLUMNS)


def profile_row(profile: MigProfile, messages: Messages) -> tuple[str, ...]:
    """A profile's cells in the order of COLUMNS; what is not known is NOTHING."""
    placements = profile.placements.value
    return (
        profile.name,
        number_or_nothing(profile.gi_profile_id, messages),
        number_or_nothing(profile.compute_slices, messages),
        number_or_nothing(profile.memory_slices, messages),
        number_or_nothing(profile.memory_gib.value, messages),
        number_or_nothing(profile.sms.value, messages),
        number_or_nothing(profile.max_instances.value, messages),
        NOTHING if placements is None else ",".join(map(str, placements.starts)),
        known_text(profile, messages),
    )


def number_or_nothing(value: float | None, messages: Messages) -> str:
    """A figure as it is written, or NOTHING where it is not known."""
    return NOTHING if value is None else messages.number(value, 2)


def known_text(profile: MigProfile, messages: Messages) -> str:
    """How well the row's figures are supported: one word where all are alike, else a word for each group."""
    text = messages.text
    levels: dict[str, list[str]] = {}
    for name, figure in (
        ("gib", profile.memory_gib),
        ("sms", profile.sms),
        ("max", profile.max_instances),
        ("starts", profile.placements),
    ):
        level = "unknown" if figure.confidence is None else str(figure.confidence)
        levels.setdefault(level, []).append(text(f"cli.mig.column.{name}"))
    if len(levels) == 1:
        return text(f"cli.mig.confidence.{next(iter(levels))}")
    comma = text("list.comma")
    return text("cli.mig.known-join").join(
        text("cli.mig.known-group", figures=comma.join(names), confidence=text(f"cli.mig.confidence.{level}"))
        for level, names in levels.items()
    )
