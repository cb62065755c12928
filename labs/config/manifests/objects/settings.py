"""How the plugin is deployed: a ClusterPolicy, the values of the GPU Operator's chart, the values of the plugin's chart."""

from __future__ import annotations

from dataclasses import dataclass

from labs.config.documents import Document, Kind
from labs.config.goyaml import Mapping, Node
from labs.config.manifests import Field, field, fields, mapping
from labs.config.manifests.objects.pods import EnvironmentVariable, environment
from labs.config.plugin import CHART_ENVIRONMENT

OPERATOR_KINDS = (Kind.CLUSTER_POLICY, Kind.GPU_OPERATOR_VALUES)


@dataclass(frozen=True, slots=True)
class ConfigReference:
    """Which ConfigMap holds the configs, and which of them counts where a node says nothing; all as written, if at all.

    `data` is None where nothing is written, empty where it is no mapping; `data_field` tells these apart.
    """

    node: Mapping | None
    name: Field | None
    default: Field | None
    create: Field | None
    data_field: Field | None
    data: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class OperatorSettings:
    """What a ClusterPolicy or the values of the GPU Operator's chart say about sharing.

    `node` is the mapping that holds the components: the spec, or the values themselves. `mig` are all members of its
    `mig` block, misspelt ones too.
    """

    kind: Kind
    node: Mapping
    mig: tuple[Field, ...]
    mig_strategy: Field | None
    plugin_enabled: Field | None
    plugin_config: ConfigReference
    plugin_env: tuple[EnvironmentVariable, ...]
    mps_root: Field | None
    mig_manager_config: ConfigReference
    gfd_enabled: Field | None
    cdi_enabled: Field | None


def operator_settings(document: Document) -> OperatorSettings | None:
    """The operator's settings; None for documents of other kinds and for those without any."""
    if document.kind not in OPERATOR_KINDS:
        return None
    node = mapping(document.root, "spec") if document.kind is Kind.CLUSTER_POLICY else document.mapping
    if node is None:
        return None
    return OperatorSettings(
        kind=document.kind,
        node=node,
        mig=fields(node, "mig"),
        mig_strategy=field(node, "mig", "strategy"),
        plugin_enabled=field(node, "devicePlugin", "enabled"),
        plugin_config=_config_reference(node, "devicePlugin"),
        plugin_env=environment(node, "devicePlugin", "env"),
        mps_root=field(node, "devicePlugin", "mps", "root"),
        mig_manager_config=_config_reference(node, "migManager"),
        gfd_enabled=field(node, "gfd", "enabled"),
        cdi_enabled=field(node, "cdi", "enabled"),
    )


def _config_reference(node: Node, component: str) -> ConfigReference:
    config = mapping(node, component, "config")
    return ConfigReference(
        node=config,
        name=field(config, "name"),
        default=field(config, "default"),
        create=field(config, "create"),
        data_field=field(config, "data"),
        data=fields(config, "data"),
    )


@dataclass(frozen=True, slots=True)
class ChartSettings:
    """What the values of the device plugin's chart say about sharing.

    `flags` are the plugin's flags that are set (`migStrategy`, `deviceListStrategy`, ...): the chart hands them on as
    environment, so the same keys in a config are dead.
    """

    node: Mapping
    config_name: Field | None
    config_map: Field | None
    configs: tuple[Field, ...]
    config_default: Field | None
    fallback_strategies: Field | None
    flags: tuple[Field, ...]
    mps_root: Field | None
    gfd_enabled: Field | None
    plugin_enabled: Field | None


def chart_settings(document: Document) -> ChartSettings | None:
    """The values of the device plugin's chart; None for documents of other kinds."""
    node = document.mapping
    if document.kind is not Kind.DEVICE_PLUGIN_VALUES or node is None:
        return None
    return ChartSettings(
        node=node,
        config_name=field(node, "config", "name"),
        config_map=field(node, "config", "map"),
        configs=fields(node, "config", "map"),
        config_default=field(node, "config", "default"),
        fallback_strategies=field(node, "config", "fallbackStrategies"),
        flags=tuple(value for value in fields(node) if value.name in CHART_ENVIRONMENT and not value.is_null),
        mps_root=field(node, "mps", "root"),
        gfd_enabled=field(node, "gfd", "enabled"),
        plugin_enabled=field(node, "devicePlugin", "enabled"),
    )
