"""Rules about MIG configs: GL3xx."""

from __future__ import annotations

from labs.lint.rules.mig import (
    compute_instances_stop_plugin,
    default_mig_config_edited,
    device_filter_matches_nothing,
    devices_match_nothing,
    devices_not_a_list,
    gpu_covered_twice,
    gpu_not_covered,
    malformed_mig_profile,
    me_profile_renamed,
    mig_config_map_without_config_yaml,
    mig_config_name_not_a_label_value,
    mig_config_never_applied,
    mig_enabled_without_devices,
    mig_layout_does_not_fit,
    mig_mode_change_resets_all,
    mig_on_cards_without_it,
    mig_profiles_differ_under_single,
    unknown_mig_profile,
    unquoted_device_filter,
)
from labs.lint.subject import Rule

RULES: tuple[Rule, ...] = (
    mig_layout_does_not_fit.RULE,
    unknown_mig_profile.RULE,
    device_filter_matches_nothing.RULE,
    unquoted_device_filter.RULE,
    devices_not_a_list.RULE,
    gpu_covered_twice.RULE,
    gpu_not_covered.RULE,
    mig_config_name_not_a_label_value.RULE,
    mig_config_never_applied.RULE,
    mig_profiles_differ_under_single.RULE,
    mig_enabled_without_devices.RULE,
    default_mig_config_edited.RULE,
    mig_config_map_without_config_yaml.RULE,
    compute_instances_stop_plugin.RULE,
    me_profile_renamed.RULE,
    malformed_mig_profile.RULE,
    devices_match_nothing.RULE,
    mig_on_cards_without_it.RULE,
    mig_mode_change_resets_all.RULE,
)
