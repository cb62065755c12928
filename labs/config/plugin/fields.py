"""How each field of the device plugin's config file is decoded (`api/config/v1`, v0.20.0); the keys are `schema`'s.

Unknown keys are dropped in every struct. Where a file has a key twice in two spellings, the later in byte order is decoded
over the earlier, into the same struct: what it does not set stays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from labs.config.gojson import (
    DecodeContext,
    Decoding,
    GoError,
    Json,
    Path,
    dump,
    fold,
    kind,
    unmarshal_bool,
    unmarshal_fields,
    unmarshal_int,
    unmarshal_list,
    unmarshal_text,
    within,
)
from labs.config.plugin import schema
from labs.config.plugin.schema import (
    COMMON_BOOLS,
    COMMON_FLAGS,
    COMMON_TEXTS,
    GFD_BOOLS,
    GFD_TEXTS,
    PLUGIN_BOOLS,
    PLUGIN_LISTS,
    PLUGIN_TEXTS,
    Struct,
)
from labs.config.plugin.values import (
    check_devices,
    check_duration,
    default_shared_rename,
    unmarshal_resource_name,
)


@dataclass(slots=True)
class ReplicatedResource:
    """One entry of a sharing block's `resources`."""

    name: str = ""
    rename: str = ""
    all_devices: bool = False
    replicas: int = 0

    def unmarshal(self, value: Json) -> None:
        """Checks and takes one entry: name, devices, replicas, rename, in that order."""
        fields = unmarshal_fields(value)
        if "name" not in fields:
            raise GoError("no resource name specified", ("name",), "missing")
        with within("name"):
            self.name = unmarshal_resource_name(fields["name"])
        with within("devices"):
            self.all_devices = check_devices(fields.get("devices", "all")) or self.all_devices
        if "replicas" not in fields:
            raise GoError("no replicas specified", ("replicas",), "missing")
        with within("replicas"):
            replicas = unmarshal_int(fields["replicas"])
            if replicas is not None:
                self.replicas = replicas
            if self.replicas < 2:
                raise GoError("number of replicas must be >= 2", code="replicas")
        if "rename" in fields:
            with within("rename"):
                self.rename = unmarshal_resource_name(fields["rename"])


@dataclass(slots=True)
class ReplicatedResources:
    """A sharing block, `timeSlicing` or `mps`."""

    rename_by_default: bool = False
    fail_requests_greater_than_one: bool | None = None
    resources: list[ReplicatedResource] = field(default_factory=list)

    def unmarshal(self, value: Json) -> None:
        """Checks and takes a block."""
        fields = unmarshal_fields(value)
        with within("renameByDefault"):
            rename = unmarshal_bool(fields.get("renameByDefault", False))
        if rename is not None:
            self.rename_by_default = rename
        if "failRequestsGreaterThanOne" in fields:
            with within("failRequestsGreaterThanOne"):
                self.fail_requests_greater_than_one = unmarshal_bool(fields["failRequestsGreaterThanOne"])
        if "resources" not in fields:
            raise GoError("no resources specified", ("resources",), "missing")
        with within("resources"):
            items = unmarshal_list(fields["resources"], "[]v1.ReplicatedResource")
            standing = self.resources
            self.resources = []
            for index, item in enumerate(items):
                entry = standing[index] if index < len(standing) else ReplicatedResource()
                with within(index):
                    entry.unmarshal(item)
                self.resources.append(entry)
            if not self.resources:
                raise GoError("no resources specified", code="empty")
        for entry in self.resources:
            if self.rename_by_default and entry.rename == "":
                entry.rename = default_shared_rename(entry.name)

    @property
    def is_replicated(self) -> bool:
        """Whether any resource has more than one replica."""
        return any(entry.replicas > 1 for entry in self.resources)


@dataclass(slots=True)
class ConfigFile:
    """A decoded config file. `flags` and `plugin` hold only what the file sets, by JSON name."""

    version: str = ""
    flags: dict[str, Json] = field(default_factory=dict)
    plugin: dict[str, Json] = field(default_factory=dict)
    has_resources: bool = False
    time_slicing: ReplicatedResources = field(default_factory=ReplicatedResources)
    mps: ReplicatedResources | None = None
    imex_channel_ids: list[int] = field(default_factory=list)
    imex_required: bool = False


_COMMON_FIELDS = (*COMMON_FLAGS, "plugin", "gfd")
_FOLDED_COMMON_FIELDS = frozenset(map(fold, _COMMON_FIELDS))
_FOLDED_COMMON_TEXTS = frozenset(map(fold, COMMON_TEXTS))
_FOLDED_PLUGIN_TEXTS = frozenset(map(fold, PLUGIN_TEXTS))
_FOLDED_GFD_TEXTS = frozenset(map(fold, GFD_TEXTS))

_Decode = Callable[[Json, DecodeContext], None]


def is_text_field(path: Path) -> bool:
    """Whether the YAML library finds a string field at a path of keys, so that it makes a number or a bool text.

    Of the real fields that is only `version`: the library looks for those of `flags` one level too low (see
    `_allocate_misplaced`).
    """
    keys = [fold(str(key)) for key in path]
    if len(keys) == 1:
        return keys == ["version"]
    if keys[0] != "flags" or len(keys) not in (3, 4) or keys[1] not in _FOLDED_COMMON_FIELDS:
        return False
    if len(keys) == 3:
        return keys[2] in _FOLDED_COMMON_TEXTS
    texts = {"plugin": _FOLDED_PLUGIN_TEXTS, "gfd": _FOLDED_GFD_TEXTS}
    return keys[3] in texts.get(keys[2], frozenset())


def decode_config(document: Json) -> ConfigFile:
    """The config that a JSON document is; raises `GoError`. Null is a config that sets nothing."""
    config = ConfigFile()
    if document is None:
        return config
    _allocate_misplaced(config, document)
    decoder = _ConfigDecoder(config)
    decoder.config(document)
    decoder.decoding.finish()
    return config


def _allocate_misplaced(config: ConfigFile, document: Json) -> None:
    """Sets common flags that are written under `plugin` or `gfd` to nothing, as the YAML library does.

    `sigs.k8s.io/yaml` walks the struct along with the file to see which numbers are meant as text, and makes every pointer
    that it meets. It takes the fields of `flags` for the embedded struct that holds them, so one level further down it
    finds the common flags again: `flags.plugin.migStrategy: single` makes `flags.migStrategy` point to an empty string,
    which no default replaces (`convertToJSONableObject` and `indirect`, v1.6).
    """
    for flags in _members(document, ("flags",)):
        for section in _members(flags, _COMMON_FIELDS):
            for name in _matching(section, COMMON_TEXTS):
                config.flags[name] = ""
            for name in _matching(section, COMMON_BOOLS):
                config.flags[name] = False
            for plugin in _members(section, ("plugin",)):
                for name in _matching(plugin, PLUGIN_TEXTS):
                    config.plugin[name] = ""
                for name in _matching(plugin, PLUGIN_BOOLS):
                    config.plugin[name] = False
                for name in _matching(plugin, PLUGIN_LISTS):
                    config.plugin[name] = None


def _members(value: Json, names: Sequence[str]) -> list[Json]:
    """The values of an object's members whose key matches one of these fields."""
    if not isinstance(value, dict):
        return []
    folded = {fold(name) for name in names}
    return [member for key, member in value.items() if fold(key) in folded]


def _matching(value: Json, names: Sequence[str]) -> list[str]:
    """Which of these fields an object has a key for."""
    if not isinstance(value, dict):
        return []
    keys = {fold(key) for key in value}
    return [name for name in names if fold(name) in keys]


class _ConfigDecoder:
    """One decoding into one `ConfigFile`."""

    def __init__(self, config: ConfigFile) -> None:
        self._config = config
        self._resource_counts: dict[str, int] = {}
        self.decoding = Decoding()

    def _struct(
        self,
        value: Json,
        struct: Struct,
        context: DecodeContext,
        fields: Mapping[str, _Decode],
        *embedded: str,
    ) -> None:
        """Decodes an object into a struct: each member by its field, in byte order; other members are dropped."""
        if not isinstance(value, dict):
            if value is not None:
                self.decoding.mismatch(kind(value), struct.go_name, context)
            return
        for key, member in value.items():
            name = struct.match(key)
            if name is not None:
                inner = context.into(struct.go_name.removeprefix("v1."), *embedded, name, key=key)
                fields[name](member, inner)

    def config(self, document: Json) -> None:
        fields: dict[str, _Decode] = {
            "version": self._version,
            "flags": self._flags,
            "resources": self._resources,
            "sharing": self._sharing,
            "imex": self._imex,
        }
        self._struct(document, schema.CONFIG, DecodeContext(), fields)

    def _version(self, value: Json, context: DecodeContext) -> None:
        text = self.decoding.text(value, context)
        if text is not None:
            self._config.version = text

    # --- flags

    def _flags(self, value: Json, context: DecodeContext) -> None:
        flags = self._config.flags
        fields: dict[str, _Decode] = {
            **{name: self._pointer(flags, name, self.decoding.text) for name in COMMON_TEXTS},
            **{name: self._pointer(flags, name, self.decoding.boolean) for name in COMMON_BOOLS},
            "plugin": self._plugin,
            "gfd": self._gfd,
        }
        self._struct(value, schema.FLAG_STRUCT, context, fields, "CommandLineFlags")

    def _plugin(self, value: Json, context: DecodeContext) -> None:
        plugin = self._config.plugin
        if value is None:
            plugin.clear()
        fields: dict[str, _Decode] = {
            **{name: self._pointer(plugin, name, self.decoding.text) for name in PLUGIN_TEXTS},
            **{name: self._pointer(plugin, name, self.decoding.boolean) for name in PLUGIN_BOOLS},
            "deviceListStrategy": self._device_list_strategy,
        }
        self._struct(value, schema.PLUGIN, context, fields)

    def _gfd(self, value: Json, context: DecodeContext) -> None:
        unused: dict[str, Json] = {}
        fields: dict[str, _Decode] = {
            **{name: self._pointer(unused, name, self.decoding.text) for name in GFD_TEXTS},
            **{name: self._pointer(unused, name, self.decoding.boolean) for name in GFD_BOOLS},
            "sleepInterval": self._sleep_interval,
        }
        self._struct(value, schema.GFD, context, fields)

    @staticmethod
    def _pointer(
        target: dict[str, Json], name: str, decode: Callable[[Json, DecodeContext], Json]
    ) -> _Decode:
        """A field of pointer type: null unsets it, a value of the wrong type leaves it set to the zero value."""

        def assign(value: Json, context: DecodeContext) -> None:
            if value is None:
                target.pop(name, None)
                return
            decoded = decode(value, context)
            if decoded is not None:
                target[name] = decoded

        return assign

    def _device_list_strategy(self, value: Json, context: DecodeContext) -> None:
        if value is None:
            self._config.plugin.pop("deviceListStrategy", None)
        elif isinstance(value, str):
            self._config.plugin["deviceListStrategy"] = [value]
        else:
            items = value if isinstance(value, list) else []
            wrong = [place for place, item in enumerate(items) if not (item is None or isinstance(item, str))]
            if wrong or not isinstance(value, list):
                path = (*context.path, *wrong[:1])
                raise GoError(f"invalid deviceListStrategy: {dump(value)}", path, "device-list")
            self._config.plugin["deviceListStrategy"] = [item or "" for item in items]

    def _sleep_interval(self, value: Json, context: DecodeContext) -> None:
        if value is not None:
            self.decoding.custom(check_duration, value, context)

    # --- resources, sharing, imex

    def _resources(self, value: Json, context: DecodeContext) -> None:
        fields: dict[str, _Decode] = {"gpus": self._resource_list, "mig": self._resource_list}
        self._struct(value, schema.RESOURCES, context, fields)
        self._config.has_resources = any(self._resource_counts.values())

    def _resource_list(self, value: Json, context: DecodeContext) -> None:
        name = context.fields[-1]
        if value is None:
            self._resource_counts[name] = 0
        elif not isinstance(value, list):
            self.decoding.mismatch(kind(value), "[]v1.Resource", context)
        else:
            for index, item in enumerate(value):
                self.decoding.custom(_check_resource, item, context.at(index))
            self._resource_counts[name] = len(value)

    def _sharing(self, value: Json, context: DecodeContext) -> None:
        fields: dict[str, _Decode] = {"timeSlicing": self._time_slicing, "mps": self._mps}
        self._struct(value, schema.SHARING, context, fields)

    def _time_slicing(self, value: Json, context: DecodeContext) -> None:
        self.decoding.custom(self._config.time_slicing.unmarshal, value, context)

    def _mps(self, value: Json, context: DecodeContext) -> None:
        if value is None:
            self._config.mps = None
            return
        if self._config.mps is None:
            self._config.mps = ReplicatedResources()
        self.decoding.custom(self._config.mps.unmarshal, value, context)

    def _imex(self, value: Json, context: DecodeContext) -> None:
        fields: dict[str, _Decode] = {"channelIDs": self._channel_ids, "required": self._required}
        self._struct(value, schema.IMEX, context, fields)

    def _channel_ids(self, value: Json, context: DecodeContext) -> None:
        if value is None:
            self._config.imex_channel_ids = []
        elif not isinstance(value, list):
            self.decoding.mismatch(kind(value), "[]int", context)
        else:
            standing = self._config.imex_channel_ids
            ids = [self.decoding.integer(item, context.at(index)) for index, item in enumerate(value)]
            self._config.imex_channel_ids = [
                number if number is not None else standing[index] if index < len(standing) else 0
                for index, number in enumerate(ids)
            ]

    def _required(self, value: Json, context: DecodeContext) -> None:
        required = self.decoding.boolean(value, context)
        if required is not None:
            self._config.imex_required = required


def _check_resource(value: Json) -> None:
    """`Resource.UnmarshalJSON`: an entry of `resources`, which is checked although it is then ignored."""
    fields = unmarshal_fields(value)
    for name in ("pattern", "name"):
        if name not in fields:
            raise GoError(f"resources must have a '{name}' field set", (name,), "missing")
    with within("pattern"):
        unmarshal_text(fields["pattern"], "v1.ResourcePattern")
    with within("name"):
        unmarshal_resource_name(fields["name"])
