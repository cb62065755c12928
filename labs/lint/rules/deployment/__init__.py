"""Rules about the operator, the charts and the DaemonSet: GL5xx."""

from __future__ import annotations

from labs.lint.rule import Rule
from labs.lint.rules.deployment import (
    chart_name_and_map,
    config_create_incomplete,
    config_data_not_a_map,
    config_data_unused,
    config_key_not_a_label_value,
    config_manager_missing,
    config_name_not_a_volume_name,
    config_not_reloaded,
    daemonset_without_mig_rights,
    daemonset_without_mps_parts,
    default_names_no_key,
    mig_manager_default,
    misspelt_deployment_key,
    mps_root_not_rendered,
    no_config_for_unlabelled_nodes,
    refused_environment,
    two_device_plugins,
    unknown_mig_strategy,
)

RULES: tuple[Rule, ...] = (
    unknown_mig_strategy.RULE,
    misspelt_deployment_key.RULE,
    config_name_not_a_volume_name.RULE,
    config_data_unused.RULE,
    mps_root_not_rendered.RULE,
    mig_manager_default.RULE,
    config_data_not_a_map.RULE,
    default_names_no_key.RULE,
    no_config_for_unlabelled_nodes.RULE,
    chart_name_and_map.RULE,
    config_key_not_a_label_value.RULE,
    daemonset_without_mps_parts.RULE,
    daemonset_without_mig_rights.RULE,
    two_device_plugins.RULE,
    config_manager_missing.RULE,
    config_not_reloaded.RULE,
    refused_environment.RULE,
    config_create_incomplete.RULE,
)
