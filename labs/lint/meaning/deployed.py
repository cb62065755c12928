"""The device plugin's configs as they are deployed: each with the environment it meets and what it comes to there."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from labs.cluster.gpu import PhysicalGpu
from labs.config.gojson import GoError, Json
from labs.config.manifests import CONFIG_LABEL, Field, PluginDocument, SharedEntry, SharingBlock, folded
from labs.config.plugin import (
    CHART_ENVIRONMENT,
    Deployer,
    Flag,
    Loaded,
    PluginSetting,
    SharedResource,
    SharingStrategy,
    given_values,
)
from labs.config.plugin import loader as device_plugin
from labs.lint.meaning.deployment import Deployment, deployment, loaded_under
from labs.lint.subject import LintDocument, Subject

MPS_WITH_MIXED = "using --mig-strategy=mixed is not supported with MPS"
"""How the plugin refuses MPS beside MIG devices under names of their own."""
NO_MPS_ROOT = "using MPS requires --mps-root to be specified"
"""How the plugin refuses MPS without a folder."""
MPS_ROOT = "/run/nvidia/mps"
"""The folder that the plugin's chart and the GPU Operator set."""

_OPERATOR_FIELDS = {"MIG_STRATEGY": "mig.strategy", "DEVICE_LIST_STRATEGY": "cdi.enabled"}
_CHART_FIELDS = {variable: name for name, variable in CHART_ENVIRONMENT.items()} | {"MPS_ROOT": "mps.root"}


@dataclass(frozen=True, slots=True)
class DeployedConfig:
    """A config with the plugin's answer under its deployment.

    `loaded` is its answer. `running` is what holds where it runs: the same, but for a config that lacks nothing except
    the folder of MPS, which most deployments set; so what else is wrong with it is told as well. `overrides` are the flags
    that the deployment sets over the file, `by_args` those of them that the command line sets. `nodes` are those of the
    settings that take this config: of several configs under keys only the one that a given Node's label names is known.
    """

    document: LintDocument
    config: PluginDocument
    how: Deployment
    loaded: Loaded
    running: Loaded
    overrides: Mapping[str, Json]
    by_args: frozenset[str]
    nodes: Mapping[str, tuple[PhysicalGpu, ...]]

    @property
    def setting(self) -> PluginSetting | None:
        """What the plugin does; None where it refuses the config."""
        return self.running.setting

    @property
    def strategy(self) -> SharingStrategy:
        """How GPUs are shared; not at all where the config is refused."""
        return self.running.strategy or SharingStrategy.NONE

    @property
    def block(self) -> SharingBlock | None:
        """The sharing block that the plugin goes by; None where nothing is shared."""
        if self.strategy is SharingStrategy.MPS:
            return self.config.mps
        return self.config.time_slicing if self.strategy is SharingStrategy.TIME_SLICING else None

    @property
    def shared(self) -> tuple[tuple[SharedEntry, SharedResource], ...]:
        """The entries of the block in effect with what the plugin makes of each; none where they can't be told apart."""
        if self.block is None or self.setting is None:
            return ()
        if len(self.block.entries) != len(self.setting.resources):
            return ()
        return tuple(zip(self.block.entries, self.setting.resources, strict=True))

    def refused_with(self, ending: str) -> bool:
        """Whether the plugin refuses the config with a text that ends so."""
        return not self.loaded.loads and (self.loaded.error or "").endswith(ending)

    def written(self, flag: Flag) -> Field | None:
        """The flag as the file sets it, in its right place; None where it doesn't."""
        holder = self.config.imex if flag.section == "imex" else self.config.flags
        if flag.section == "plugin" and holder is not None:
            holder = folded(holder.value, "plugin")
        member = None if holder is None else folded(holder.value, flag.key)
        return None if member is None or member.is_null else member

    def effective(self, flag: Flag) -> Json:
        """The value of a flag of the sections `flags` and `plugin` that the plugin runs with or refuses."""
        flags = self.running.flags or {}
        section = flags.get("plugin") if flag.section == "plugin" else flags
        return section.get(flag.key) if isinstance(section, dict) else None


def setting_of(deployer: Deployer | None, variable: str) -> str:
    """Where a deployer takes a variable of the plugin's environment from; the variable itself where nobody is known."""
    if deployer is Deployer.OPERATOR:
        return _OPERATOR_FIELDS.get(variable, "devicePlugin.env")
    return _CHART_FIELDS.get(variable, variable) if deployer is Deployer.HELM else variable


@functools.lru_cache(maxsize=2)
def deployed(subject: Subject) -> tuple[DeployedConfig, ...]:
    """All configs of the plugin, in order, whether they load or not; kept, since every rule about them asks."""
    how = deployment(subject)
    try:
        overrides = given_values(how.environment, subject.settings.args)
        by_args = frozenset(given_values({}, subject.settings.args))
    except GoError:
        overrides, by_args = {}, frozenset()
    siblings = Counter(id(document.document.container) for document, _ in subject.plugins)
    labels = {node.name: node.label(CONFIG_LABEL) for _, node in subject.cluster_nodes}
    configs: list[DeployedConfig] = []
    for document, config in subject.plugins:
        loaded = loaded_under(subject, document, how)
        nodes = subject.settings.nodes
        if document.document.container is not None and siblings[id(document.document.container)] > 1:
            chosen = {name for name, label in labels.items() if label and label.text == document.document.key}
            if subject.settings.config is not None:
                chosen = set(nodes) if subject.settings.config == document.document.key else set()
            nodes = {name: gpus for name, gpus in nodes.items() if name in chosen}
        running = _running(subject, document, how, loaded)
        configs.append(DeployedConfig(document, config, how, loaded, running, overrides, by_args, nodes))
    return tuple(configs)


def _running(subject: Subject, document: LintDocument, how: Deployment, loaded: Loaded) -> Loaded:
    if loaded.loads or not (loaded.error or "").endswith(NO_MPS_ROOT):
        return loaded
    environment = {**how.environment, "MPS_ROOT": MPS_ROOT}
    content, root = document.document.content, document.document.loaded_root
    return device_plugin.load(content, env=environment, args=subject.settings.args, root=root)
