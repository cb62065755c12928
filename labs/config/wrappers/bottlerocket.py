"""Bottlerocket's settings of the device plugin: what they are written in, and the config that the node makes of them.

Source: bottlerocket-os/bottlerocket-core-kit, packages/nvidia-k8s-device-plugin/nvidia-k8s-device-plugin-conf.in.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass

from labs.config.goyaml import Entry, Mapping, Node, Scalar, ScalarKind, Sequence, Span, find
from labs.config.wrappers.layers import Lift, word
from labs.config.wrappers.toml import TomlError, toml_tree

SECTION = "kubelet-device-plugins"
MARK = SECTION
MOST_NODES = 100_000
MOST_CONFIGS = 50
_PLUGIN = ("nvidia",)
_SHARING = {"time-slicing": "timeSlicing", "mps": "mps"}
_FLAGS = (
    ("passDeviceSpecs", "pass-device-specs", True),
    ("deviceListStrategy", "device-list-strategy", "volume-mounts"),
    ("deviceIDStrategy", "device-id-strategy", "index"),
)
_RENAME = ("renameByDefault", "rename-by-default", True)
_FAIL = ("failRequestsGreaterThanOne", "fail-requests-greater-than-one", True)
_REPLICAS = ("replicas", "replicas", 2)


@dataclass(frozen=True, slots=True)
class NodeConfig:
    """The plugin's config that a node makes: its text, and its tree with the places of the settings."""

    text: str
    root: Mapping
    place: Span
    settings: Mapping


def configs_of_toml(text: str) -> tuple[NodeConfig, ...]:
    """The config of user data in TOML; none where it says nothing of the plugin. Raises `TomlError`."""
    root = toml_tree(text)
    nvidia = find(root, ("settings", SECTION, *_PLUGIN))
    return (_config(nvidia),) if isinstance(nvidia, Mapping) else ()


def node_configs(root: Node) -> tuple[NodeConfig, ...]:
    """The configs of the settings anywhere in an object: as YAML (eksctl), or as user data in TOML (Karpenter)."""
    return tuple(_anywhere(root))[:MOST_CONFIGS]


def _anywhere(root: Node) -> Iterator[NodeConfig]:
    todo: list[Node] = [root]
    visited = 0
    while todo and visited < MOST_NODES:
        node = todo.pop()
        visited += 1
        if isinstance(node, Sequence):
            todo.extend(reversed(node.items))
        elif isinstance(node, Mapping) and node.alias is None:
            nvidia = find(node, (SECTION, *_PLUGIN))
            if isinstance(nvidia, Mapping):
                yield _config(nvidia)
            todo.extend(entry.value for entry in reversed(node.entries))
        elif isinstance(node, Scalar) and node.alias is None and MARK in node.text and "[" in node.text:
            yield from _of_user_data(node)


def _of_user_data(host: Scalar) -> Iterator[NodeConfig]:
    try:
        inner = configs_of_toml(host.text)
    except TomlError:
        return
    lift = Lift(host)
    for config in inner:
        root, settings = lift.node(config.root), lift.node(config.settings)
        assert isinstance(root, Mapping)
        assert isinstance(settings, Mapping)
        yield dataclasses.replace(config, root=root, settings=settings, place=lift.span(config.place))


def _config(settings: Mapping) -> NodeConfig:
    place = settings.entries[0].key.place if settings.entries else settings.place
    partitioned = find(settings, ("device-partitioning-strategy",))
    mig = isinstance(partitioned, Scalar) and partitioned.text == "mig"
    strategy = "single" if mig else "none"
    shared = find(settings, ("device-sharing-strategy",))
    how = shared.text if isinstance(shared, Scalar) else ""
    flags = [
        Entry(word("migStrategy", place), word(strategy, place if partitioned is None else partitioned.place))
    ]
    if how == "mps":
        flags.append(Entry(word("mpsRoot", place), word("/run/nvidia/mps", place)))
    plugin = [_member(settings, setting, place) for setting in _FLAGS]
    flags.append(Entry(word("plugin", place), Mapping(span=place, entries=tuple(plugin))))
    members = [
        Entry(word("version", place), word("v1", place)),
        Entry(word("flags", place), Mapping(span=place, entries=tuple(flags))),
    ]
    if how in _SHARING and shared is not None:
        members.append(Entry(word("sharing", shared.place), _sharing(settings, how, shared.place)))
    root = Mapping(span=place, entries=tuple(members))
    return NodeConfig("".join(f"{line}\n" for line in _lines(root, 0)), root, place, settings)


def _sharing(settings: Mapping, how: str, place: Span) -> Mapping:
    block = find(settings, (how,))
    holder = block if isinstance(block, Mapping) else Mapping(span=place, entries=())
    key = next((entry.key.place for entry in settings.entries if entry.name == how), place)
    members = [_member(holder, _RENAME, key)]
    if how == "time-slicing":
        members.append(_member(holder, _FAIL, key))
    item = Mapping(
        span=key,
        entries=(
            Entry(word("name", key), word("nvidia.com/gpu", key)),
            _member(holder, _REPLICAS, key),
        ),
    )
    members.append(Entry(word("resources", key), Sequence(span=key, items=(item,))))
    inner = Mapping(span=key, entries=tuple(members))
    return Mapping(span=key, entries=(Entry(word(_SHARING[how], key), inner),))


def _member(settings: Mapping, setting: tuple[str, str, bool | int | str], place: Span) -> Entry:
    """A setting as a member of the config: as it is written, or the node's default."""
    name, written, default = setting
    entry = settings.entry(written)
    if entry is None:
        return Entry(word(name, place), _default(default, place))
    value = entry.value
    if isinstance(value, Scalar):
        value = dataclasses.replace(value, style="double", anchor=None, tag="", alias=None)
    return Entry(word(name, entry.key.place), value)


def _default(value: bool | int | str, place: Span) -> Scalar:
    if isinstance(value, str):
        return word(value, place)
    text = str(value).lower()
    kind = ScalarKind.BOOL if isinstance(value, bool) else ScalarKind.INT
    return Scalar(span=place, text=text, kind=kind, value=value, style="plain")


def _lines(node: Mapping, depth: int) -> Iterator[str]:
    """The config as the node writes it, for its loader."""
    for entry in node.entries:
        key, value = f"{'  ' * depth}{entry.name}:", entry.value
        if isinstance(value, Mapping) and value.entries:
            yield key
            yield from _lines(value, depth + 1)
        elif isinstance(value, Sequence) and any(isinstance(item, Mapping) for item in value.items):
            yield key
            for item in value.items:
                if isinstance(item, Mapping):
                    inner = list(_lines(item, depth + 1))
                    yield f"{'  ' * depth}- {inner[0].lstrip()}"
                    yield from inner[1:]
        else:
            yield f"{key} {_flow(value)}"


def _flow(node: Node) -> str:
    if isinstance(node, Scalar):
        if node.kind is ScalarKind.STRING:
            escaped = node.text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
            return f'"{escaped}"'
        return node.text
    if isinstance(node, Sequence):
        return f"[{', '.join(_flow(item) for item in node.items)}]"
    return "{}"
