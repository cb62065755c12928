"""What a reader says beside the files: who deploys the plugin, which version, which nodes there are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from labs.cluster.gpu import PhysicalGpu
from labs.config.plugin import Deployer
from labs.hardware.catalog import Catalog

NEWEST_PLUGIN = (0, 20)
"""The version of the device plugin that the loaders here follow."""

_NOTHING: Mapping[str, str] = MappingProxyType({})
_NO_NODES: Mapping[str, tuple[PhysicalGpu, ...]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Settings:
    """The circumstances in which files are judged.

    `deployer` None: not said (the files may tell; a loader is then asked as under the static DaemonSet). `env` and
    `args` are the plugin's environment and command line. `nodes` are cards by the node's name; `config` and `mig_config`
    are the names of the configs that these nodes take, where that is said. `catalog` None: rules that need to know cards
    stay silent about them.
    """

    deployer: Deployer | None = None
    env: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    args: tuple[str, ...] = ()
    plugin_version: tuple[int, int] = NEWEST_PLUGIN
    nodes: Mapping[str, tuple[PhysicalGpu, ...]] = field(default_factory=lambda: _NO_NODES)
    catalog: Catalog | None = None
    config: str | None = None
    mig_config: str | None = None
