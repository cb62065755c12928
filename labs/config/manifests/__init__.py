"""Manifests as those see them who look for mistakes in them: typed views, each value with its place."""

from labs.config.manifests.fields import (
    Field,
    boolean,
    field,
    fields,
    items,
    mapping,
    mappings,
    text,
    text_of,
)
from labs.config.manifests.plugin import (
    CONFIG_LABEL,
    MPS,
    PluginDocument,
    SharedEntry,
    SharingBlock,
    folded,
    plugin_document,
)

__all__ = [
    "CONFIG_LABEL",
    "MPS",
    "Field",
    "PluginDocument",
    "SharedEntry",
    "SharingBlock",
    "boolean",
    "field",
    "fields",
    "folded",
    "items",
    "mapping",
    "mappings",
    "plugin_document",
    "text",
    "text_of",
]
