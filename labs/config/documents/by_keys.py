"""Telling documents without a Kubernetes `kind` apart: the loaders' configs, the values of the two charts.

A config with a misspelt or misplaced key still counts as one, so that it can be told what is wrong with it; a file of
another tool must not. So keys are matched without regard to case, hyphens and underscores, and `version` or `flags` alone
say little.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection
from enum import StrEnum

from labs.config.goyaml import Mapping, Node, Scalar, Sequence, find, merged
from labs.config.plugin import COMMON_FLAGS


class KeyedKind(StrEnum):
    """What a mapping without a `kind` may be."""

    DEVICE_PLUGIN = "device-plugin"
    MIG_PARTED = "mig-parted"
    DEVICE_PLUGIN_VALUES = "device-plugin-values"
    GPU_OPERATOR_VALUES = "gpu-operator-values"
    DRA_DRIVER_VALUES = "dra-driver-values"
    UMBRELLA_VALUES = "umbrella-values"
    KUSTOMIZATION = "Kustomization"
    MIG_HOOKS = "mig-parted-hooks"
    MIG_CLIENTS = "mig-manager-clients"
    VGPU_CONFIG = "vgpu-device-manager"


_CONFIG_KEYS = frozenset({"sharing", "timeslicing", "renamebydefault", "failrequestsgreaterthanone"})
"""Keys that show a device plugin config, at the top or taken there by mistake."""

_FLAGS = (*COMMON_FLAGS, "plugin", "gfd", "deviceListStrategy", "deviceIDStrategy", "passDeviceSpecs")
"""Keys under `flags` in a plugin config."""

_PLAIN_KEYS = frozenset({"version", "resources", "flags", "imex"})
"""Keys of a plugin config that other programs have too."""

_OTHER_PROGRAMS_KEYS = frozenset(
    {
        "breaking", "build", "checks", "clients", "deps", "environments", "exporters", "groups", "include", "includes",
        "jobs", "lint", "managed", "modules", "pipeline", "pipelines", "plugins", "policies", "positions", "processors",
        "receivers", "release", "releases", "repos", "repositories", "rules", "scrapeconfigs", "server", "service",
        "services", "stages", "steps", "tasks", "workflows",
    }
)  # fmt: skip
"""Keys of other programs' files that say `version: v1`, and never of a plugin config."""

_OF_NVIDIA = {
    "hooks": KeyedKind.MIG_HOOKS,
    "systemdservices": KeyedKind.MIG_CLIENTS,
    "vgpuconfigs": KeyedKind.VGPU_CONFIG,
}
"""Files of NVIDIA's other programs by the key that each of them has; they say `version: v1` too."""

_MIG_KEYS = frozenset({"migconfigs", "migconfig"})

_PLUGIN_CHART_KEYS = frozenset(
    {
        "migstrategy", "failoniniterror", "devicelist", "deviceliststrategy", "deviceidstrategy", "nvidiadriverroot",
        "compatwithcpumanager", "legacydaemonsetapi", "gdrcopyenabled", "gdsenabled", "mofedenabled",
        "devicediscoverystrategy", "shareddevicesallocationpolicy", "selectorlabelsoverride", "allowdefaultnamespace",
    }
)  # fmt: skip
"""Keys that only the values of the device plugin's chart have."""

_OPERATOR_CHART_KEYS = frozenset(
    {
        "migmanager", "dcgm", "dcgmexporter", "toolkit", "sandboxworkloads", "vgpumanager", "vgpudevicemanager",
        "vfiomanager", "nodestatusexporter", "ccmanager", "katamanager", "gdrcopy", "sandboxdeviceplugin", "dradriver",
        "gpucluster",
    }
)  # fmt: skip
"""Keys that only the values of the GPU Operator's chart have."""

_DRA_DRIVER_GATES = frozenset(
    {
        "timeslicingsettings", "mpssupport", "dynamicmig", "passthroughsupport", "nvmldevicehealthcheck",
        "imexdaemonswithdnsnames", "computedomaincliques", "crashonnvlinkfabricerrors", "consumableshares",
    }
)  # fmt: skip
"""Feature gates that only NVIDIA's DRA driver has."""
_ANY_CHART_KEYS = frozenset(
    {
        "tolerations", "affinity", "nodeselector", "runtimeclassname", "securitycontext", "podsecuritycontext",
        "podannotations", "image", "imagepullsecrets", "nameoverride", "fullnameoverride", "priorityclassname",
        "updatestrategy",
    }
)  # fmt: skip
"""Keys that values of most charts have, and no config."""

_OPERATOR_PLUGIN_CHILDREN = frozenset({"config", "env", "args", "repository", "image", "version", "mps"})
"""Keys under `devicePlugin` in the values of the GPU Operator."""

_CHART_NAMES = ("gpu-operator", "nvidia-device-plugin")
_KUSTOMIZATION_KEYS = frozenset({"configmapgenerator", "helmcharts"})

_FEW_KEYS = 32
"""Up to how many keys are compared with the known ones letter by letter."""

_TOP_LEVEL_KEY = re.compile(r"^(?:\"([^\"\n]+)\"|'([^'\n]+)'|([A-Za-z][\w.-]*))\s*:(?:\s|$)", re.MULTILINE)


def by_keys(root: Mapping) -> KeyedKind | None:
    """What a mapping is by its keys; None where it is none of these."""
    members = {normal(entry.name): entry.value for entry in merged(root) if entry.name is not None}
    if _is_umbrella(root):
        return KeyedKind.UMBRELLA_VALUES
    if members.keys() & _KUSTOMIZATION_KEYS and _is_kustomization(root):
        return KeyedKind.KUSTOMIZATION
    if _near(members, _MIG_KEYS):
        return KeyedKind.MIG_PARTED
    if _has_flags(members) and _has_chart_keys(members):
        return _chart(members) or KeyedKind.DEVICE_PLUGIN_VALUES
    if "version" in members and members.keys() & _OF_NVIDIA.keys():
        return next(kind for key, kind in _OF_NVIDIA.items() if key in members)
    if _is_dra_driver(members):
        return KeyedKind.DRA_DRIVER_VALUES
    if _is_plugin_config(members):
        return KeyedKind.DEVICE_PLUGIN
    return _chart(members)


def _has_flags(members: dict[str, Node]) -> bool:
    """Whether keys of a config are at the top without its version."""
    if "version" in members:
        return False
    return "sharing" in members or _near(_children(members.get("flags")), frozenset(map(normal, _FLAGS)))


def _has_chart_keys(members: dict[str, Node]) -> bool:
    """Whether keys say how a chart's Pods run, or hold configs: these are values then, whose flags are out of place."""
    resources, configs = _children(members.get("resources")), _children(members.get("config"))
    return bool(
        members.keys() & _ANY_CHART_KEYS or resources & {"limits", "requests"} or configs & {"map", "name"}
    )


def _is_umbrella(root: Mapping) -> bool:
    """Whether values of one of the two charts stand under its name, as in the values of a chart that depends on it."""
    return any(
        entry.name is not None
        and entry.name.endswith(_CHART_NAMES)
        and isinstance(entry.value, Mapping)
        and by_keys(entry.value) is not None
        for entry in root.entries
    )


def _is_kustomization(root: Mapping) -> bool:
    """Whether a mapping is a kustomization that does not say so: one of its lists is there."""
    return any(isinstance(root.get(key), Sequence) for key in ("configMapGenerator", "helmCharts"))


def by_text(text: str) -> KeyedKind | None:
    """What a text that cannot be parsed was meant to be, by what looks like a key at the start of a line."""
    keys = {normal(next(filter(None, match.groups()))) for match in _TOP_LEVEL_KEY.finditer(text)}
    if _near(keys, _MIG_KEYS):
        return KeyedKind.MIG_PARTED
    if _near(keys, _CONFIG_KEYS) or {"version", "flags"} <= keys:
        return KeyedKind.DEVICE_PLUGIN
    operator, plugin = _OPERATOR_CHART_KEYS.intersection(keys), _PLUGIN_CHART_KEYS.intersection(keys)
    if operator or plugin:
        wins = len(operator) >= len(plugin)
        return KeyedKind.GPU_OPERATOR_VALUES if wins else KeyedKind.DEVICE_PLUGIN_VALUES
    return KeyedKind.DEVICE_PLUGIN if keys and keys <= _PLAIN_KEYS else None


def normal(name: str) -> str:
    """A key without regard to case, hyphens and underscores."""
    return name.casefold().replace("-", "").replace("_", "")


def _near(names: Collection[str], known: frozenset[str]) -> bool:
    """Whether one of the names is a known key or, in a file of few keys, a slip of the pen away from one."""
    if any(name in known for name in names):
        return True
    return len(names) <= _FEW_KEYS and any(_similar(name, known) for name in names)


def _similar(name: str, known: frozenset[str]) -> bool:
    return 4 < len(name) < 40 and bool(difflib.get_close_matches(name, known, 1, 0.84))


def _is_plugin_config(members: dict[str, Node]) -> bool:
    if _near(members, _CONFIG_KEYS):
        return True
    if _children(members.get("mps")) & {"resources", "renamebydefault", "failrequestsgreaterthanone"}:
        return True
    if _children(members.get("resources")) & {"gpus", "mig", "migs"}:
        return True
    if _near(_children(members.get("flags")), frozenset(map(normal, _FLAGS))):
        return True
    if any(_is_nested_config(_children(value)) for value in members.values()):
        return True
    version = members.get("version")
    if isinstance(version, Scalar) and version.text == "v1" and not members.keys() & _OTHER_PROGRAMS_KEYS:
        return True
    return bool(members) and members.keys() <= _PLAIN_KEYS and "resources" not in members


def _is_dra_driver(members: dict[str, Node]) -> bool:
    """Whether these are values of the chart of NVIDIA's DRA driver, whose `resources` are maps of what it manages."""
    managed = members.get("resources")
    switches = (find(managed, (key,)) for key in ("gpus", "computeDomains"))
    return (
        "gpuresourcesenabledoverride" in members
        or bool(_children(members.get("featuregates")) & _DRA_DRIVER_GATES)
        or any(isinstance(switch, Mapping) for switch in switches)
    )


def _is_nested_config(keys: set[str]) -> bool:
    """Whether these are the keys of a whole plugin config, which then stands a level too deep."""
    return "version" in keys and bool(keys & {"sharing", "flags"})


def _children(node: Node | None) -> set[str]:
    if not isinstance(node, Mapping):
        return set()
    return {normal(entry.name) for entry in merged(node) if entry.name is not None}


def _chart(members: dict[str, Node]) -> KeyedKind | None:
    """Which chart's values these keys are, by the keys that only one of them has."""
    plugin = len(_PLUGIN_CHART_KEYS.intersection(members))
    operator = len(_OPERATOR_CHART_KEYS.intersection(members))
    if _children(members.get("config")) & {"map", "fallbackstrategies"}:
        plugin += 1
    if "gfd" in members and _children(members.get("config")) & {"name", "default"}:
        # Both charts have `gfd`; only the plugin's has its config at the top.
        plugin += 1
    if "root" in _children(members.get("mps")):
        plugin += 1
    if "strategy" in _children(members.get("mig")):
        operator += 1
    if "deploycr" in _children(members.get("clusterpolicy")):
        operator += 1
    if _children(members.get("deviceplugin")) & _OPERATOR_PLUGIN_CHILDREN:
        operator += 1
    if plugin == operator == 0:
        return KeyedKind.GPU_OPERATOR_VALUES if members.keys() & {"deviceplugin", "gfd"} else None
    return KeyedKind.DEVICE_PLUGIN_VALUES if plugin > operator else KeyedKind.GPU_OPERATOR_VALUES
