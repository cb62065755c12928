"""Rules about files that are given together: GL9xx."""

from __future__ import annotations

from labs.lint.rules.across import (
    autoscaler_on_a_shared_cards_metric,
    config_map_name_nearly,
    disruption_budget_of_a_daemonset,
    label_names_no_config,
    mig_label_names_no_config,
    node_left_in_a_state,
    node_selector_on_changed_product,
    pod_asks_for_what_no_node_offers,
    pod_asks_more_than_one_shared,
    quota_misses_renamed_resource,
    two_slots_may_be_one_gpu,
    whole_gpu_on_nodes_cut_by_mig,
)
from labs.lint.subject import Rule

RULES: tuple[Rule, ...] = (
    pod_asks_for_what_no_node_offers.RULE,
    pod_asks_more_than_one_shared.RULE,
    two_slots_may_be_one_gpu.RULE,
    label_names_no_config.RULE,
    config_map_name_nearly.RULE,
    node_selector_on_changed_product.RULE,
    quota_misses_renamed_resource.RULE,
    mig_label_names_no_config.RULE,
    whole_gpu_on_nodes_cut_by_mig.RULE,
    disruption_budget_of_a_daemonset.RULE,
    autoscaler_on_a_shared_cards_metric.RULE,
    node_left_in_a_state.RULE,
)
