"""Does the NVIDIA device plugin load this config, and what does it then run with?

`load` follows the plugin (v0.20.0) step by step: YAML to JSON to structs, version, environment and command line, defaults,
what it drops with a warning, and `validateFlags`. Errors are the plugin's own text. Source: NVIDIA/k8s-device-plugin,
`api/config/v1` and `cmd/nvidia-device-plugin/main.go`; sigs.k8s.io/yaml v1.6; encoding/json of Go 1.26.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from labs.config.gojson import GoError, Json, Mistake, read_json
from labs.config.goyaml import DEFAULT_LIMITS, LimitError, Limits, Node
from labs.config.plugin.fields import (
    ConfigFile,
    ReplicatedResources,
    decode_config,
    is_text_field,
)
from labs.config.plugin.flags import given_values
from labs.config.plugin.schema import (
    ALLOCATION_POLICIES,
    DEVICE_DISCOVERY_STRATEGIES,
    DEVICE_ID_STRATEGIES,
    DEVICE_LIST_STRATEGIES,
    FLAGS,
    MIG_STRATEGIES,
)
from labs.config.plugin.values import default_shared_rename

VERSION = "v1"
_PARSE_PREFIX = "unable to load config: unable to finalize config: unable to parse config file: error parsing config file: "
_TO_JSON_PREFIX = _PARSE_PREFIX + "unmarshal error: error converting YAML to JSON: "
_DECODE_PREFIX = _PARSE_PREFIX + "unmarshal error: error unmarshaling JSON: while decoding JSON: "
_VALIDATE_PREFIX = "unable to validate flags: "
_NO_ENV: Mapping[str, str] = MappingProxyType({})


class Stage(StrEnum):
    """Where a config is refused: when it is read, or when its flags are checked."""

    LOAD = "load"
    VALIDATE = "validate"


class SharingStrategy(StrEnum):
    """How the plugin shares GPUs under a config."""

    NONE = "none"
    TIME_SLICING = "time-slicing"
    MPS = "mps"


@dataclass(frozen=True, slots=True)
class SharedResource:
    """A resource that is offered several times: by its own name, or by `rename` where that is not None."""

    name: str
    replicas: int
    rename: str | None = None

    @property
    def advertised_name(self) -> str:
        """The name that Pods ask for."""
        return self.rename or self.name


@dataclass(frozen=True, slots=True)
class PluginSetting:
    """What a loaded config makes the plugin do, as far as the cluster sees it.

    `resources` are those of the sharing block in effect; `fail_requests_greater_than_one` is its effective value.
    """

    mig_strategy: str
    strategy: SharingStrategy
    resources: tuple[SharedResource, ...]
    rename_by_default: bool
    fail_requests_greater_than_one: bool
    allocation_policy: str
    mps_root: str


@dataclass(frozen=True, slots=True)
class Loaded:
    """The plugin's answer to a config.

    `error` is its text and `stage` where it says it, `mistake` what in the file it is about. `strategy`, `effective` (the
    configuration it prints, as JSON) and `setting` are None where the config does not load. `flags` are the effective flags,
    also of a config whose flags are refused. `limit` is set instead of a verdict where the text is beyond our own limits.
    """

    loads: bool
    stage: Stage | None
    error: str | None
    strategy: SharingStrategy | None = None
    effective: dict[str, Json] | None = None
    flags: dict[str, Json] | None = None
    warnings: tuple[str, ...] = ()
    setting: PluginSetting | None = None
    limit: str | None = None
    mistake: Mistake | None = None


def load(
    text: str | bytes,
    *,
    env: Mapping[str, str] = _NO_ENV,
    args: Sequence[str] = (),
    limits: Limits = DEFAULT_LIMITS,
    root: Node | None = None,
) -> Loaded:
    """The plugin's answer to this file under this environment and command line; raises nothing.

    `root` is the root of the file's first document, where it was read already.
    A file beyond `limits` gets `loads=False` with `limit` set: the real loader was not imitated that far.
    """
    try:
        overrides = given_values(env, args)
    except GoError as error:
        return Loaded(False, Stage.LOAD, str(error), mistake=error.mistake)
    try:
        config = _parse(text, limits, root)
    except _ParseError as error:
        return Loaded(False, Stage.LOAD, str(error), mistake=error.mistake)
    except LimitError as error:
        return Loaded(False, Stage.LOAD, error.message, limit=error.message)
    return _finish(config, overrides)


class _ParseError(ValueError):
    """An error of the plugin's with the words that it puts before; the `mistake` is without."""

    def __init__(self, prefix: str, error: GoError) -> None:
        super().__init__(f"{prefix}{error}")
        self.mistake = error.mistake


def _parse(text: str | bytes, limits: Limits, root: Node | None) -> ConfigFile:
    try:
        value = read_json(text, limits, is_text_field, root)
    except GoError as error:
        raise _ParseError(_TO_JSON_PREFIX, error) from None
    try:
        config = decode_config(value)
    except GoError as error:
        raise _ParseError(_DECODE_PREFIX, error) from None
    config.version = config.version or VERSION
    if config.version != VERSION:
        unknown = GoError(f"unknown version: {config.version}", ("version",), "version")
        raise _ParseError(_PARSE_PREFIX, unknown)
    return config


def _finish(config: ConfigFile, overrides: Mapping[str, Json]) -> Loaded:
    flags = _effective_flags(config, overrides)
    if config.mps is not None and config.mps.fail_requests_greater_than_one is None:
        config.mps.fail_requests_greater_than_one = True
    strategy = _strategy(config)
    warnings = _disable_resource_naming(config)
    mistake = _flag_mistake(config, flags, strategy)
    if mistake is not None:
        error = _VALIDATE_PREFIX + mistake.text
        return Loaded(False, Stage.VALIDATE, error, flags=flags, mistake=mistake)
    block = config.mps or config.time_slicing
    setting = PluginSetting(
        mig_strategy=flags["migStrategy"],
        strategy=strategy,
        resources=tuple(
            SharedResource(entry.name, entry.replicas, entry.rename or None) for entry in block.resources
        ),
        rename_by_default=block.rename_by_default,
        fail_requests_greater_than_one=bool(block.fail_requests_greater_than_one),
        allocation_policy=flags["plugin"]["sharedDevicesAllocationPolicy"],
        mps_root=flags["mpsRoot"],
    )
    effective = _effective(config, flags)
    return Loaded(True, None, None, strategy, effective, flags, warnings, setting)


def _strategy(config: ConfigFile) -> SharingStrategy:
    if config.mps is not None and config.mps.is_replicated:
        return SharingStrategy.MPS
    return SharingStrategy.TIME_SLICING if config.time_slicing.is_replicated else SharingStrategy.NONE


def _effective_flags(config: ConfigFile, overrides: Mapping[str, Json]) -> dict[str, Json]:
    """All flags in the order in which the plugin prints them; the config's `imex` is set on the way."""
    common: dict[str, Json] = {}
    plugin: dict[str, Json] = {}
    for flag in FLAGS:
        if flag.section == "imex":
            continue
        file, target = (config.flags, common) if flag.section == "flags" else (config.plugin, plugin)
        target[flag.key] = overrides.get(flag.name, file.get(flag.key, flag.default))
    config.imex_channel_ids = overrides.get("imex-channel-ids", config.imex_channel_ids)
    config.imex_required = overrides.get("imex-required", config.imex_required)
    common["nvidiaDevRoot"] = common["nvidiaDevRoot"] or common["nvidiaDriverRoot"]
    discovery = common.pop("deviceDiscoveryStrategy")
    common["useNodeFeatureAPI"] = config.flags.get("useNodeFeatureAPI")
    common["deviceDiscoveryStrategy"] = discovery
    common["plugin"] = plugin
    return common


def _disable_resource_naming(config: ConfigFile) -> tuple[str, ...]:
    """Drops what the config may not customize yet; the warnings that the plugin logs for it."""
    warnings: list[str] = []
    if config.has_resources:
        warnings.append("Customizing the 'resources' field is not yet supported in the config. Ignoring...")
    warnings.extend(_drop_customizing(config.time_slicing, "timeSlicing"))
    if config.mps is not None:
        warnings.extend(_drop_customizing(config.mps, "mps"))
    return tuple(f"W: {warning}" for warning in warnings)


def _drop_customizing(block: ReplicatedResources, name: str) -> list[str]:
    renames = devices = False
    for entry in block.resources:
        wanted = default_shared_rename(entry.name) if block.rename_by_default else ""
        renames = renames or entry.rename != wanted
        devices = devices or not entry.all_devices
        entry.rename = wanted
        entry.all_devices = True
    where = f"sharing.{name}.resources is not yet supported in the config. Ignoring..."
    warnings = []
    if renames:
        warnings.append(f"Setting the 'rename' field in {where}")
    if devices:
        warnings.append(f"Customizing the 'devices' field in {where}")
    return warnings


def _flag_mistake(config: ConfigFile, flags: Mapping[str, Json], strategy: SharingStrategy) -> Mistake | None:
    """`validateFlags` on a system with NVML: the first thing it refuses, or None."""
    plugin = flags["plugin"]
    for item in plugin["deviceListStrategy"] or ():
        if item not in DEVICE_LIST_STRATEGIES:
            text = f"invalid --device-list-strategy option: invalid strategy: {item}"
            return _flag(text, "plugin", "deviceListStrategy")
    if plugin["deviceIDStrategy"] not in DEVICE_ID_STRATEGIES:
        text = f"invalid --device-id-strategy option: {plugin['deviceIDStrategy']}"
        return _flag(text, "plugin", "deviceIDStrategy")
    if strategy is SharingStrategy.MPS:
        if flags["migStrategy"] == "mixed":
            text = "using --mig-strategy=mixed is not supported with MPS"
            return Mistake(text, ("sharing", "mps"), "mps")
        if flags["mpsRoot"] == "":
            return Mistake("using MPS requires --mps-root to be specified", ("sharing", "mps"), "mps")
    if flags["deviceDiscoveryStrategy"] not in DEVICE_DISCOVERY_STRATEGIES:
        text = f"invalid --device-discovery-strategy option {flags['deviceDiscoveryStrategy']}"
        return _flag(text, "deviceDiscoveryStrategy")
    if flags["migStrategy"] not in MIG_STRATEGIES:
        return _flag(f"unknown MIG strategy: {flags['migStrategy']}", "migStrategy")
    policy = plugin["sharedDevicesAllocationPolicy"]
    if policy not in ALLOCATION_POLICIES:
        text = f"invalid --shared-devices-allocation-policy option: {policy}"
        return _flag(text, "plugin", "sharedDevicesAllocationPolicy")
    ids = config.imex_channel_ids
    if ids not in ([], [0]):
        numbers = " ".join(str(number) for number in ids)
        text = (
            f"invalid IMEX channel IDs: invalid IMEX config: channelIDs must be [] or [0]; found [{numbers}]"
        )
        return Mistake(text, ("imex", "channelIDs"), "imex")
    return None


def _flag(text: str, *path: str) -> Mistake:
    return Mistake(text, ("flags", *path), "flag")


def _effective(config: ConfigFile, flags: dict[str, Json]) -> dict[str, Json]:
    """The configuration as the plugin prints it (`Running with config`), before it adds its own resources."""
    sharing: dict[str, Json] = {"timeSlicing": _block(config.time_slicing)}
    if config.mps is not None:
        sharing["mps"] = _block(config.mps)
    imex: dict[str, Json] = {}
    if config.imex_channel_ids:
        imex["channelIDs"] = list(config.imex_channel_ids)
    if config.imex_required:
        imex["required"] = True
    return {
        "version": config.version,
        "flags": flags,
        "resources": {"gpus": None},
        "sharing": sharing,
        "imex": imex,
    }


def _block(block: ReplicatedResources) -> dict[str, Json]:
    fields: dict[str, Json] = {}
    if block.rename_by_default:
        fields["renameByDefault"] = True
    if block.fail_requests_greater_than_one is not None:
        fields["failRequestsGreaterThanOne"] = block.fail_requests_greater_than_one
    if block.resources:
        fields["resources"] = [
            {
                "name": entry.name,
                **({"rename": entry.rename} if entry.rename else {}),
                "devices": "all",
                "replicas": entry.replicas,
            }
            for entry in block.resources
        ]
    return fields
