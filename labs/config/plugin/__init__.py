"""The NVIDIA device plugin's config and flags: does it load, and what does the plugin run with?"""

from labs.config.plugin import loader
from labs.config.plugin.fields import (
    COMMON_BOOLS,
    COMMON_TEXTS,
    GFD_BOOLS,
    GFD_TEXTS,
    PLUGIN_BOOLS,
    PLUGIN_TEXTS,
)
from labs.config.plugin.flags import (
    CHART_ENVIRONMENT,
    DEPLOYER_ENVIRONMENT,
    FLAGS,
    Deployer,
    Flag,
    given_values,
)
from labs.config.plugin.loader import (
    ALLOCATION_POLICIES,
    DEVICE_DISCOVERY_STRATEGIES,
    DEVICE_ID_STRATEGIES,
    DEVICE_LIST_STRATEGIES,
    MIG_STRATEGIES,
    VERSION,
    Loaded,
    PluginSetting,
    SharedResource,
    SharingStrategy,
    Stage,
    load,
)
from labs.config.plugin.values import check_devices, check_duration, default_shared_rename, resource_name

__all__ = [
    "ALLOCATION_POLICIES",
    "CHART_ENVIRONMENT",
    "COMMON_BOOLS",
    "COMMON_TEXTS",
    "DEPLOYER_ENVIRONMENT",
    "DEVICE_DISCOVERY_STRATEGIES",
    "DEVICE_ID_STRATEGIES",
    "DEVICE_LIST_STRATEGIES",
    "FLAGS",
    "GFD_BOOLS",
    "GFD_TEXTS",
    "MIG_STRATEGIES",
    "PLUGIN_BOOLS",
    "PLUGIN_TEXTS",
    "VERSION",
    "Deployer",
    "Flag",
    "Loaded",
    "PluginSetting",
    "SharedResource",
    "SharingStrategy",
    "Stage",
    "check_devices",
    "check_duration",
    "default_shared_rename",
    "given_values",
    "load",
    "loader",
    "resource_name",
]
