"""What the files mean together: who deploys the plugin, what nodes offer, what Pods ask for."""

from labs.lint.meaning.config_choice import (
    Choice,
    choices,
    fallbacks,
    maps_named,
    maps_with,
    of_chart,
    of_reference,
    some_run_without,
    truthy,
)
from labs.lint.meaning.deployed import (
    MPS_ROOT,
    MPS_WITH_MIXED,
    NO_MPS_ROOT,
    DeployedConfig,
    deployed,
    setting_of,
)
from labs.lint.meaning.deployment import as_deployed, deployment, loaded_under
from labs.lint.meaning.plugin_daemonset import (
    CONFIG_MANAGER,
    PluginDaemonSet,
    container_place,
    plugin_daemonsets,
    words,
)
from labs.lint.meaning.rivals import rivals
from labs.lint.meaning.stray_keys import StrayKey, erases, move, stray_keys
from labs.lint.meaning.unread_configs import unread_configs
from labs.lint.meaning.wrapped import unwrapping, wrapped

__all__ = [
    "CONFIG_MANAGER",
    "MPS_ROOT",
    "MPS_WITH_MIXED",
    "NO_MPS_ROOT",
    "Choice",
    "DeployedConfig",
    "PluginDaemonSet",
    "StrayKey",
    "as_deployed",
    "choices",
    "container_place",
    "deployed",
    "deployment",
    "erases",
    "fallbacks",
    "loaded_under",
    "maps_named",
    "maps_with",
    "move",
    "of_chart",
    "of_reference",
    "plugin_daemonsets",
    "rivals",
    "setting_of",
    "some_run_without",
    "stray_keys",
    "truthy",
    "unread_configs",
    "unwrapping",
    "words",
    "wrapped",
]
