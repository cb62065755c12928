"""The fields of a mig-parted config and how each is decoded (`api/spec/v1`, v0.15.0).

Every struct is decoded by hand: keys match exactly and an unknown one is refused. Go walks the fields of a struct in an
order that changes from run to run, so of several errors in one struct any may be reported (`AnyOfError`); the names of
configs and their entries are decoded in order, and there the first one wins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from labs.config.gojson import (
    DecodeContext,
    Decoding,
    GoError,
    Json,
    Mistake,
    Path,
    TypeMismatchError,
    kind,
    unmarshal_bool,
    unmarshal_fields,
    unmarshal_list,
    unmarshal_text,
    within,
)
from labs.config.mig_parted.filter import DeviceId, parse_device_id
from labs.config.mig_parted.profile import parse_profile

VERSION = "v1"
ALL_DEVICES = "all"


class AnyOfError(GoError):
    """A refusal that depends on the order in which Go walks a map: `possible` holds each that it may be."""

    def __init__(self, possible: Sequence[GoError]) -> None:
        super().__init__(str(possible[0]))
        self.possible = tuple(possible)

    @property
    def mistakes(self) -> tuple[Mistake, ...]:
        """What is wrong for each, with this error's path before theirs."""
        placed = (replace(error.mistake, path=(*self.path, *error.path)) for error in self.possible)
        return tuple(placed)


@dataclass(frozen=True, slots=True)
class MigEntry:
    """One entry of a named config: the cards it is for, and what they are cut into.

    `device_filter` is as written (None where there is none); `devices` are indexes of cards, None for all;
    `mig_devices` maps profiles, as spelt, to counts, None where the file has none.
    """

    device_filter: str | tuple[str, ...] | None
    devices: tuple[int, ...] | None
    mig_enabled: bool
    mig_devices: Mapping[str, int] | None

    @property
    def filters(self) -> tuple[str, ...]:
        """The filters one by one; none means that cards of every kind match."""
        if isinstance(self.device_filter, tuple):
            return self.device_filter
        return (self.device_filter,) if self.device_filter else ()

    @property
    def filter_problems(self) -> Mapping[str, str]:
        """Filters that cannot be parsed, so that they match nothing, and why, in mig-parted's words (which it never logs)."""
        return MappingProxyType({text: why for text in self.filters if (why := _filter_problem(text))})

    def matches_kind(self, card: DeviceId) -> bool:
        """Whether the device filter lets a card through; a filter that cannot be parsed lets none."""
        return not self.filters or any(_accepts(text, card) for text in self.filters)

    def matches(self, index: int, card: DeviceId) -> bool:
        """Whether this entry is for the card with this index on its node."""
        return (self.devices is None or index in self.devices) and self.matches_kind(card)


def _filter_problem(text: str) -> str | None:
    try:
        parse_device_id(text)
    except GoError as error:
        return str(error)
    return None


def _accepts(text: str, card: DeviceId) -> bool:
    try:
        return parse_device_id(text).accepts(card)
    except GoError:
        return False


@dataclass(frozen=True, slots=True)
class MigSpec:
    """A decoded file: entries by config name, names in byte order. An empty file has neither version nor configs."""

    version: str = ""
    configs: Mapping[str, tuple[MigEntry, ...]] = field(default_factory=lambda: MappingProxyType({}))


def decode_spec(document: Json) -> MigSpec:
    """The spec that a JSON document is; null is an empty one.

    Raises `GoError`, as `AnyOfError` where its text may vary.
    """
    if document is None:
        return MigSpec()
    fields = dict(unmarshal_fields(document))
    if fields and "version" not in fields:
        raise GoError("unable to parse with missing 'version' field", ("version",), "missing")
    with within("version"):
        version = unmarshal_text(fields.pop("version", None)) or ""
        if version != VERSION:
            raise GoError(f"unknown version: {version}", code="version")
    configs: dict[str, tuple[MigEntry, ...]] = {}

    def field_of_spec(name: str, value: Json) -> None:
        if name != "mig-configs":
            raise GoError(f"unexpected field: {name}", code="unexpected")
        configs.update(_decode_configs(value))

    _each_in_any_order(fields.items(), field_of_spec)
    return MigSpec(version, MappingProxyType(configs))


def _each_in_any_order(members: Iterable[tuple[str, Json]], take: Callable[[str, Json], None]) -> None:
    """Takes every member of a map that Go walks in any order; raises `AnyOfError` with the errors of all of them."""
    possible: list[GoError] = []
    for name, value in members:
        try:
            with within(name):
                take(name, value)
        except GoError as error:
            possible.extend(_possible(error))
    if possible:
        raise AnyOfError(possible)


def _possible(error: GoError) -> Iterable[GoError]:
    """The errors that an error may be, each with the whole path."""
    if not isinstance(error, AnyOfError):
        return (error,)
    return (_placed(alternative, error.path) for alternative in error.possible)


def _placed(error: GoError, path: Path) -> GoError:
    error.path = (*path, *error.path)
    return error


def _decode_configs(value: Json) -> dict[str, tuple[MigEntry, ...]]:
    if value is not None and not isinstance(value, dict):
        raise TypeMismatchError(kind(value), "map[string]v1.MigConfigSpecSlice")
    decoding = Decoding()
    configs: dict[str, tuple[MigEntry, ...]] = {}
    for name, items in (value or {}).items():
        if items is not None and not isinstance(items, list):
            decoding.mismatch(kind(items), "v1.MigConfigSpecSlice", DecodeContext(path=(name,)))
            items = None
        with within(name):
            configs[name] = tuple(_decode_entry(index, item) for index, item in enumerate(items or ()))
    decoding.finish()
    if not configs:
        raise GoError("at least one entry in 'mig-configs' is required", code="mig-empty")
    empty = [
        GoError(f"at least one entry in '{name}' is required", (name,), "mig-empty")
        for name, entries in configs.items()
        if not entries
    ]
    if empty:
        raise AnyOfError(empty)
    return configs


@dataclass(slots=True)
class _EntryFields:
    """The fields of an entry as they come."""

    device_filter: str | tuple[str, ...] | None = None
    devices: tuple[int, ...] | None = None
    mig_enabled: bool = False
    mig_devices: dict[str, int] | None = None

    def take(self, name: str, value: Json) -> None:
        if name == "device-filter":
            self.device_filter = _decode_filter(value)
        elif name == "devices":
            self.devices = _decode_devices(value)
        elif name == "mig-enabled":
            self.mig_enabled = bool(unmarshal_bool(value))
        elif name == "mig-devices":
            self.mig_devices = _decode_counts(value)
        else:
            raise GoError(f"unexpected field: {name}", code="unexpected")


def _decode_entry(index: int, value: Json) -> MigEntry:
    with within(index):
        fields = unmarshal_fields(value)
        for required in ("devices", "mig-enabled"):
            if required not in fields:
                raise GoError(f"missing required field: {required}", (required,), "missing")
        entry = _EntryFields()
        _each_in_any_order(fields.items(), entry.take)
        if entry.mig_enabled and entry.mig_devices is None:
            text = "missing required field 'mig-devices' when 'mig-enabled' is true"
            raise GoError(text, ("mig-devices",), "mig-needs-devices")
        if not entry.mig_enabled and entry.mig_devices:
            raise GoError("MIG devices included when 'mig-enabled' is false", ("mig-enabled",), "mig-off")
    counts = None if entry.mig_devices is None else MappingProxyType(entry.mig_devices)
    return MigEntry(entry.device_filter, entry.devices, entry.mig_enabled, counts)


def _decode_filter(value: Json) -> str | tuple[str, ...]:
    try:
        return unmarshal_text(value) or ""
    except GoError as no_text:
        try:
            items = unmarshal_list(value, "[]string")
            return tuple(_text_item(index, item) for index, item in enumerate(items))
        except GoError as no_list:
            raise GoError(f"({no_text}, {no_list})", no_list.path, "device-filter") from None


def _text_item(index: int, item: Json) -> str:
    with within(index):
        return unmarshal_text(item) or ""


def _decode_devices(value: Json) -> tuple[int, ...] | None:
    try:
        text = unmarshal_text(value) or ""
    except GoError as no_text:
        try:
            return _integers(enumerate(unmarshal_list(value, "[]int")))
        except GoError as no_list:
            raise GoError(f"({no_text}, {no_list})", no_list.path, "devices") from None
    if text != ALL_DEVICES:
        raise GoError(f"invalid string input for 'devices': {text}", code="devices")
    return None


def _integers(items: Iterable[tuple[str | int, Json]]) -> tuple[int, ...]:
    decoding = Decoding()
    numbers = tuple(decoding.integer(item, DecodeContext(path=(step,))) or 0 for step, item in items)
    decoding.finish()
    return numbers


def _decode_counts(value: Json) -> dict[str, int] | None:
    if value is None:
        return None
    if not isinstance(value, dict):
        raise TypeMismatchError(kind(value), "types.MigConfig")
    counts = dict(zip(value, _integers(value.items()), strict=True))
    try:
        _each_in_any_order(counts.items(), _check_count)
        if counts and not any(counts.values()):
            raise GoError("all counts for all MigProfiles are 0", code="no-counts")
    except GoError as error:
        prefix = "error validating values in 'mig-devices' field: "
        raise AnyOfError([_inside(prefix, possibility) for possibility in _possible(error)]) from None
    return counts


def _check_count(profile: str, count: Json) -> None:
    try:
        parse_profile(profile)
    except GoError as error:
        raise GoError(f"invalid format for '{profile}': {error}", code="profile") from None
    if count < 0:
        raise GoError(f"invalid count for '{count}': <nil>", code="count")


def _inside(prefix: str, error: GoError) -> GoError:
    return GoError(f"{prefix}{error}", error.path, error.code)


def effective_spec(spec: MigSpec) -> dict[str, Json]:
    """The spec as `json.Marshal` would write it."""
    written: dict[str, Json] = {"version": spec.version}
    if spec.configs:
        written["mig-configs"] = {
            name: [_entry_json(entry) for entry in entries] for name, entries in spec.configs.items()
        }
    return written


def _entry_json(entry: MigEntry) -> dict[str, Json]:
    filters = entry.device_filter
    return {
        **(
            {}
            if filters is None
            else {"device-filter": filters if isinstance(filters, str) else list(filters)}
        ),
        "devices": ALL_DEVICES if entry.devices is None else list(entry.devices),
        "mig-enabled": entry.mig_enabled,
        "mig-devices": None if entry.mig_devices is None else dict(entry.mig_devices),
    }
