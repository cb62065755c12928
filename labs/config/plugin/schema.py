"""The device plugin's config, key by key (`api/config/v1`, v0.20.0): what the decoder, the flags and `labs.lint` go by.

Keys of the outer structs match without regard to case; those of a sharing block and of its entries match exactly, since
their `UnmarshalJSON` looks them up by hand.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass

from labs.config.gojson import Json, fold

DEVICE_LIST_STRATEGIES = ("envvar", "volume-mounts", "cdi-annotations", "cdi-cri")
DEVICE_ID_STRATEGIES = ("uuid", "index")
DEVICE_DISCOVERY_STRATEGIES = ("auto", "nvml", "tegra")
ALLOCATION_POLICIES = ("distributed", "packed")
MIG_STRATEGIES = ("none", "single", "mixed")
FLAG_WORDS: Mapping[str, tuple[str, ...]] = {
    "deviceListStrategy": DEVICE_LIST_STRATEGIES,
    "deviceIDStrategy": DEVICE_ID_STRATEGIES,
    "deviceDiscoveryStrategy": DEVICE_DISCOVERY_STRATEGIES,
    "migStrategy": MIG_STRATEGIES,
    "sharedDevicesAllocationPolicy": ALLOCATION_POLICIES,
}
"""The flags that take one of a few words, or a list of them."""


@dataclass(frozen=True, slots=True)
class Flag:
    """One flag: its command line name, environment variables (the first that is set counts), place in the config."""

    name: str
    env: tuple[str, ...]
    section: str
    key: str
    default: Json
    kind: str


FLAGS: tuple[Flag, ...] = (
    Flag("mig-strategy", ("MIG_STRATEGY",), "flags", "migStrategy", "none", "string"),
    Flag("fail-on-init-error", ("FAIL_ON_INIT_ERROR",), "flags", "failOnInitError", True, "bool"),
    Flag("mps-root", ("MPS_ROOT",), "flags", "mpsRoot", "", "string"),
    Flag("nvidia-driver-root", ("NVIDIA_DRIVER_ROOT",), "flags", "nvidiaDriverRoot", "/", "string"),
    Flag("dev-root", ("NVIDIA_DEV_ROOT",), "flags", "nvidiaDevRoot", "", "string"),
    Flag("gdrcopy-enabled", ("GDRCOPY_ENABLED",), "flags", "gdrcopyEnabled", False, "bool"),
    Flag("gds-enabled", ("GDS_ENABLED",), "flags", "gdsEnabled", False, "bool"),
    Flag("mofed-enabled", ("MOFED_ENABLED",), "flags", "mofedEnabled", False, "bool"),
    Flag(
        "device-discovery-strategy",
        ("DEVICE_DISCOVERY_STRATEGY",),
        "flags",
        "deviceDiscoveryStrategy",
        "auto",
        "string",
    ),
    Flag("pass-device-specs", ("PASS_DEVICE_SPECS",), "plugin", "passDeviceSpecs", False, "bool"),
    Flag(
        "device-list-strategy", ("DEVICE_LIST_STRATEGY",), "plugin", "deviceListStrategy", ["envvar"], "list"
    ),
    Flag("device-id-strategy", ("DEVICE_ID_STRATEGY",), "plugin", "deviceIDStrategy", "uuid", "string"),
    Flag(
        "cdi-annotation-prefix",
        ("CDI_ANNOTATION_PREFIX",),
        "plugin",
        "cdiAnnotationPrefix",
        "cdi.k8s.io/",
        "string",
    ),
    Flag(
        "nvidia-cdi-hook-path",
        ("NVIDIA_CDI_HOOK_PATH", "NVIDIA_CTK_PATH"),
        "plugin",
        "nvidiaCTKPath",
        "/usr/bin/nvidia-ctk",
        "string",
    ),
    Flag(
        "driver-root-ctr-path",
        ("DRIVER_ROOT_CTR_PATH", "CONTAINER_DRIVER_ROOT"),
        "plugin",
        "containerDriverRoot",
        "/driver-root",
        "string",
    ),
    Flag(
        "shared-devices-allocation-policy",
        ("SHARED_DEVICES_ALLOCATION_POLICY",),
        "plugin",
        "sharedDevicesAllocationPolicy",
        "distributed",
        "string",
    ),
    Flag("imex-channel-ids", ("IMEX_CHANNEL_IDS",), "imex", "channelIDs", [], "ints"),
    Flag("imex-required", ("IMEX_REQUIRED",), "imex", "required", False, "bool"),
)


def _keys(section: str, kind: str) -> tuple[str, ...]:
    return tuple(flag.key for flag in FLAGS if (flag.section, flag.kind) == (section, kind))


COMMON_TEXTS = _keys("flags", "string")
COMMON_BOOLS = (*_keys("flags", "bool"), "useNodeFeatureAPI")
COMMON_FLAGS = (*COMMON_TEXTS, *COMMON_BOOLS)
PLUGIN_TEXTS = _keys("plugin", "string")
PLUGIN_BOOLS = _keys("plugin", "bool")
PLUGIN_LISTS = _keys("plugin", "list")
GFD_TEXTS = ("outputFile", "machineTypeFile")
GFD_BOOLS = ("oneshot", "noTimestamp")


@dataclass(frozen=True, eq=False)
class Struct:
    """A struct of the config: Go's name of it, and its fields, each with the struct that it holds or lists, if any."""

    go_name: str
    fields: Mapping[str, Struct | None]
    exact: bool = False
    listed: bool = False

    @functools.cached_property
    def _folded(self) -> Mapping[str, str]:
        return {fold(name): name for name in self.fields}

    def match(self, key: str) -> str | None:
        """The field that the loader takes a key for."""
        if key in self.fields:
            return key
        return None if self.exact else self._folded.get(fold(key))


def _leaves(*names: str) -> Mapping[str, Struct | None]:
    return dict.fromkeys(names)


ENTRY = Struct(
    "v1.ReplicatedResource", _leaves("name", "devices", "replicas", "rename"), exact=True, listed=True
)
BLOCK = Struct(
    "v1.ReplicatedResources",
    {**_leaves("renameByDefault", "failRequestsGreaterThanOne"), "resources": ENTRY},
    exact=True,
)
RESOURCE = Struct("v1.Resource", _leaves("pattern", "name"), exact=True, listed=True)
PLUGIN = Struct("v1.PluginCommandLineFlags", _leaves(*PLUGIN_TEXTS, *PLUGIN_BOOLS, *PLUGIN_LISTS))
GFD = Struct("v1.GFDCommandLineFlags", _leaves(*GFD_TEXTS, *GFD_BOOLS, "sleepInterval"))
FLAG_STRUCT = Struct("v1.Flags", {**_leaves(*COMMON_FLAGS), "plugin": PLUGIN, "gfd": GFD})
RESOURCES = Struct("v1.Resources", {"gpus": RESOURCE, "mig": RESOURCE})
SHARING = Struct("v1.Sharing", {"timeSlicing": BLOCK, "mps": BLOCK})
IMEX = Struct("v1.Imex", _leaves(*_keys("imex", "ints"), *_keys("imex", "bool")))
CONFIG = Struct(
    "v1.Config",
    {"version": None, "flags": FLAG_STRUCT, "resources": RESOURCES, "sharing": SHARING, "imex": IMEX},
)
