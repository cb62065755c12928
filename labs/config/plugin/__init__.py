"""The NVIDIA device plugin's config and flags: does it load, and what does the plugin run with?"""

from labs.config.plugin import loader
from labs.config.plugin.flags import (
    CHART_ENVIRONMENT,
    DEPLOYER_ENVIRONMENT,
    Deployer,
    given_values,
)
from labs.config.plugin.loader import (
    VERSION,
    Loaded,
    PluginSetting,
    SharedResource,
    SharingStrategy,
    Stage,
    load,
)
from labs.config.plugin.schema import COMMON_FLAGS, CONFIG, FLAG_WORDS, FLAGS, MIG_STRATEGIES, Flag, Struct
from labs.config.plugin.values import check_devices, default_shared_rename, resource_name

__all__ = [
    "CHART_ENVIRONMENT",
    "COMMON_FLAGS",
    "CONFIG",
    "DEPLOYER_ENVIRONMENT",
    "FLAGS",
    "FLAG_WORDS",
    "MIG_STRATEGIES",
    "VERSION",
    "Deployer",
    "Flag",
    "Loaded",
    "PluginSetting",
    "SharedResource",
    "SharingStrategy",
    "Stage",
    "Struct",
    "check_devices",
    "default_shared_rename",
    "given_values",
    "load",
    "loader",
    "resource_name",
]
