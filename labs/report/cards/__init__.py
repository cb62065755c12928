"""The central picture: what the scheduler counts beside what the cards have."""

from labs.report.cards.blocks import CLASSES, PATTERNS
from labs.report.cards.fault_words import fault_sentences
from labs.report.cards.layout_picture import (
    Steps,
    grouped_holders,
    held_text,
    layout_scene,
    layout_slices,
    wasted_text,
)
from labs.report.cards.mig_words import confidence_words, listed, reason_text, start_notes
from labs.report.cards.node_grid import TILES_MOST
from labs.report.cards.node_words import node_words
from labs.report.cards.picture_words import (
    busy_text,
    callouts,
    card_name,
    cards_text,
    found_text,
    number_ranges,
    pod_lists,
    several_texts,
    slices_text,
    slots_text,
    tile_text,
)
from labs.report.cards.profile_table import COLUMNS, FIGURES, column_names, number_or_nothing, profile_row
from labs.report.cards.scene import FRAMES_MOST, Width, central_scene
from labs.report.cards.several_slots import device_kind, no_more_turns, several_slots_sentences
from labs.report.cards.starts_picture import starts_scene

__all__ = [
    "CLASSES",
    "COLUMNS",
    "FIGURES",
    "FRAMES_MOST",
    "PATTERNS",
    "TILES_MOST",
    "Steps",
    "Width",
    "busy_text",
    "callouts",
    "card_name",
    "cards_text",
    "central_scene",
    "column_names",
    "confidence_words",
    "device_kind",
    "fault_sentences",
    "found_text",
    "grouped_holders",
    "held_text",
    "layout_scene",
    "layout_slices",
    "listed",
    "no_more_turns",
    "node_words",
    "number_or_nothing",
    "number_ranges",
    "pod_lists",
    "profile_row",
    "reason_text",
    "several_slots_sentences",
    "several_texts",
    "slices_text",
    "slots_text",
    "start_notes",
    "starts_scene",
    "tile_text",
    "wasted_text",
]
