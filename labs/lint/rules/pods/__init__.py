"""Rules about Pods and resource claims: GL4xx."""

from __future__ import annotations

from labs.lint.rules.pods import (
    dra_mps_limit_out_of_range,
    dra_settings_of_another_strategy,
    dra_strategy_behind_a_gate,
    dra_unknown_interval,
    dra_unknown_key,
    dra_unknown_strategy,
    fractional_gpu,
    gpu_image_without_limit,
    gpu_request_without_equal_limit,
    host_ipc_for_mps,
    memory_fraction_of_a_shared_card,
    mps_limit_without_effect,
    mps_of_two_users,
    nvidia_resource_no_node_has,
    own_dev_shm_under_mps,
    privileged_sees_every_gpu,
    several_containers_ask,
    several_mig_devices,
    two_nvidia_resources,
    two_slots_on_gke,
    unqualified_resource_name,
    visible_devices_beside_limit,
)
from labs.lint.subject import Rule

RULES: tuple[Rule, ...] = (
    fractional_gpu.RULE,
    gpu_request_without_equal_limit.RULE,
    unqualified_resource_name.RULE,
    two_nvidia_resources.RULE,
    several_mig_devices.RULE,
    gpu_image_without_limit.RULE,
    nvidia_resource_no_node_has.RULE,
    host_ipc_for_mps.RULE,
    own_dev_shm_under_mps.RULE,
    several_containers_ask.RULE,
    mps_limit_without_effect.RULE,
    memory_fraction_of_a_shared_card.RULE,
    privileged_sees_every_gpu.RULE,
    visible_devices_beside_limit.RULE,
    mps_of_two_users.RULE,
    two_slots_on_gke.RULE,
    dra_unknown_strategy.RULE,
    dra_settings_of_another_strategy.RULE,
    dra_unknown_interval.RULE,
    dra_mps_limit_out_of_range.RULE,
    dra_unknown_key.RULE,
    dra_strategy_behind_a_gate.RULE,
)
