"""What the files mean together: who deploys the plugin, what nodes offer, what Pods ask for."""

from labs.lint.meaning.claim_sharing import chosen_strategy, is_of_this_version, meant_strategy, sharings
from labs.lint.meaning.config_choice import (
    Choice,
    choices,
    fallbacks,
    maps_named,
    maps_with,
    of_chart,
    of_reference,
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
from labs.lint.meaning.offer_places import (
    SHARED,
    Market,
    fail_place,
    market,
    related,
    rename_place,
    sharing_place,
)
from labs.lint.meaning.offers import MIG_PREFIX, Offer, offers
from labs.lint.meaning.plugin_daemonset import (
    CONFIG_MANAGER,
    PluginDaemonSet,
    container_place,
    plugin_daemonsets,
    words,
)
from labs.lint.meaning.pod_requests import (
    INIT,
    MpsClaims,
    SharedUse,
    Sharing,
    asked,
    containers,
    renamed,
    requantified,
)
from labs.lint.meaning.stray_keys import StrayKey, erases, move, stray_keys
from labs.lint.meaning.wrapped import unwrapping, wrapped

__all__ = [
    "CONFIG_MANAGER",
    "INIT",
    "MIG_PREFIX",
    "MPS_ROOT",
    "MPS_WITH_MIXED",
    "NO_MPS_ROOT",
    "SHARED",
    "Choice",
    "DeployedConfig",
    "Market",
    "MpsClaims",
    "Offer",
    "PluginDaemonSet",
    "SharedUse",
    "Sharing",
    "StrayKey",
    "as_deployed",
    "asked",
    "choices",
    "chosen_strategy",
    "container_place",
    "containers",
    "deployed",
    "deployment",
    "erases",
    "fail_place",
    "fallbacks",
    "is_of_this_version",
    "loaded_under",
    "maps_named",
    "maps_with",
    "market",
    "meant_strategy",
    "move",
    "of_chart",
    "of_reference",
    "offers",
    "plugin_daemonsets",
    "related",
    "rename_place",
    "renamed",
    "requantified",
    "setting_of",
    "sharing_place",
    "sharings",
    "stray_keys",
    "truthy",
    "unwrapping",
    "words",
    "wrapped",
]
