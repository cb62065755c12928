"""A config of the device plugin as those see it who look for mistakes in it: every key and value with its place.

Which key counts follows the loader: outside the sharing blocks without regard to case, inside them exactly; of several that
match, the one that it ends up with. The values are as written; what the plugin makes of them is `loaded`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from labs.config.documents import Document, Kind
from labs.config.gojson import fold
from labs.config.goyaml import Mapping, Node, Sequence, merged
from labs.config.manifests.fields import Field, field
from labs.config.plugin import Loaded

TIME_SLICING, MPS = "timeSlicing", "mps"
BLOCKS = (TIME_SLICING, MPS)
CONFIG_LABEL = "nvidia.com/device-plugin.config"


@dataclass(frozen=True, slots=True)
class SharedEntry:
    """An entry of a sharing block's `resources`."""

    node: Mapping
    name: Field | None
    replicas: Field | None
    devices: Field | None
    rename: Field | None


@dataclass(frozen=True, slots=True)
class SharingBlock:
    """`timeSlicing` or `mps` under `sharing`, as written; `field` is its key and value."""

    name: str
    field: Field
    rename_by_default: Field | None
    fail_requests_greater_than_one: Field | None
    resources: Field | None
    entries: tuple[SharedEntry, ...]


@dataclass(frozen=True, slots=True)
class PluginDocument:
    """A config file of the plugin. `loaded` is the loader's answer, `root` None where the file is empty."""

    loaded: Loaded
    root: Mapping | None
    version: Field | None
    flags: Field | None
    flag_fields: tuple[Field, ...]
    plugin_flag_fields: tuple[Field, ...]
    gfd_flag_fields: tuple[Field, ...]
    resources: Field | None
    imex: Field | None
    sharing: Field | None
    time_slicing: SharingBlock | None
    mps: SharingBlock | None

    @property
    def blocks(self) -> tuple[SharingBlock, ...]:
        """The sharing blocks that are written."""
        return tuple(block for block in (self.time_slicing, self.mps) if block is not None)

    @property
    def in_effect(self) -> SharingBlock | None:
        """The block that the plugin goes by: mps where it is set, else timeSlicing."""
        if self.mps is not None and not self.mps.field.is_null:
            return self.mps
        return self.time_slicing

    def flag(self, name: str) -> Field | None:
        """A flag under `flags`, `flags.plugin` or `flags.gfd` by its JSON name."""
        fields = (*self.flag_fields, *self.plugin_flag_fields, *self.gfd_flag_fields)
        return next((flag for flag in fields if fold(flag.name) == fold(name)), None)


def plugin_document(document: Document, loaded: Loaded | None) -> PluginDocument | None:
    """The view of a device plugin config; None for other kinds and for what is no YAML."""
    if document.kind is not Kind.DEVICE_PLUGIN or loaded is None or document.problem is not None:
        return None
    root = document.mapping
    flags, sharing = folded(root, "flags"), folded(root, "sharing")
    blocks = {name: _block(sharing, name) for name in BLOCKS}
    return PluginDocument(
        loaded=loaded,
        root=root,
        version=folded(root, "version"),
        flags=flags,
        flag_fields=_members(flags),
        plugin_flag_fields=_members(folded(_value(flags), "plugin")),
        gfd_flag_fields=_members(folded(_value(flags), "gfd")),
        resources=folded(root, "resources"),
        imex=folded(root, "imex"),
        sharing=sharing,
        time_slicing=blocks[TIME_SLICING],
        mps=blocks[MPS],
    )


def folded(node: Node | None, name: str) -> Field | None:
    """The member that the loader takes for a field whose key matches without regard to case: the last in byte order."""
    if not isinstance(node, Mapping):
        return None
    hits = [entry for entry in merged(node) if entry.name is not None and fold(entry.name) == fold(name)]
    if not hits:
        return None
    spelt = max(entry.name.encode("utf-8", "surrogatepass") for entry in hits if entry.name is not None)
    last = [
        entry
        for entry in hits
        if entry.name is not None and entry.name.encode("utf-8", "surrogatepass") == spelt
    ]
    return Field(last[-1].key, last[-1].value)


def _value(member: Field | None) -> Node | None:
    return None if member is None else member.value


def _members(member: Field | None) -> tuple[Field, ...]:
    """All members of a map, merged ones too; of equal keys the last."""
    node = _value(member)
    if not isinstance(node, Mapping):
        return ()
    last = {entry.name: entry for entry in merged(node)}
    return tuple(Field(entry.key, entry.value) for name, entry in last.items() if name is not None)


def _block(sharing: Field | None, name: str) -> SharingBlock | None:
    block = folded(_value(sharing), name)
    if block is None:
        return None
    node = block.value
    resources = field(node, "resources")
    return SharingBlock(
        name=name,
        field=block,
        rename_by_default=field(node, "renameByDefault"),
        fail_requests_greater_than_one=field(node, "failRequestsGreaterThanOne"),
        resources=resources,
        entries=tuple(_entries(_value(resources))),
    )


def _entries(node: Node | None) -> Iterator[SharedEntry]:
    for item in node.items if isinstance(node, Sequence) else ():
        if isinstance(item, Mapping):
            yield SharedEntry(
                item,
                field(item, "name"),
                field(item, "replicas"),
                field(item, "devices"),
                field(item, "rename"),
            )
