"""What wraps the values of the two charts and the configs of nodes, read as nodes with their places."""

from labs.config.wrappers.bottlerocket import MARK, NodeConfig, configs_of_toml, node_configs
from labs.config.wrappers.charts import Chart, chart_named, mentions, quoted_name
from labs.config.wrappers.kustomize import (
    GeneratedKey,
    Generator,
    Kustomization,
    Patch,
    is_kustomization,
    kustomization,
)
from labs.config.wrappers.layers import Broken, Layer, Lift, along, elsewhere, over, values_of, word
from labs.config.wrappers.releases import Part, Reference, Release, Source, Template, charts_within, releases
from labs.config.wrappers.toml import TomlError

__all__ = [
    "MARK",
    "Broken",
    "Chart",
    "GeneratedKey",
    "Generator",
    "Kustomization",
    "Layer",
    "Lift",
    "NodeConfig",
    "Part",
    "Patch",
    "Reference",
    "Release",
    "Source",
    "Template",
    "TomlError",
    "along",
    "chart_named",
    "charts_within",
    "configs_of_toml",
    "elsewhere",
    "is_kustomization",
    "kustomization",
    "mentions",
    "node_configs",
    "over",
    "quoted_name",
    "releases",
    "values_of",
    "word",
]
