"""A cut card as texts to copy: a config for mig-parted, commands of nvidia-smi, the `resources` of Pods."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from labs.cluster.node_labels import mig_resource_name
from labs.config.mig_parted import config_text
from labs.hardware.catalog import MigProfile
from labs.hardware.mig import GpuInstance

CONFIG_NAME = "planned"
GPU_RESOURCE = "nvidia.com/gpu"


def mig_parted_text(instances: Sequence[GpuInstance]) -> str:
    """A config that gives every card of a node these instances; mig-parted finds the order itself."""
    counts: dict[str, int] = {}
    for instance in instances:
        counts[instance.profile.name] = counts.get(instance.profile.name, 0) + 1
    return config_text(CONFIG_NAME, [(None, counts)])


def nvidia_smi_text(steps: Iterable[tuple[MigProfile, int | None]]) -> str:
    """Commands that turn MIG mode on for card 0 and create the instances in this order, at a start where one is given."""
    pairs = list(steps)
    wanted = ",".join(
        _profile_id(profile) + ("" if start is None else f":{start}") for profile, start in pairs
    )
    names = ", ".join(profile.name for profile, _ in pairs)
    return f"nvidia-smi -i 0 -mig 1\n# {names}\nnvidia-smi mig -i 0 -cgi {wanted} -C\n"


def mixed_pods_text(profiles: Iterable[str]) -> str:
    """The `resources` of a Pod for each of the profiles, under the strategy mixed."""
    return "".join(f"# {name}\n{_resources(mig_resource_name(name))}" for name in dict.fromkeys(profiles))


def single_pods_text() -> str:
    """The `resources` of a Pod under the strategy single."""
    return _resources(GPU_RESOURCE)


def _resources(name: str) -> str:
    return f"resources:\n  limits:\n    {name}: 1\n"


def _profile_id(profile: MigProfile) -> str:
    return profile.name if profile.gi_profile_id is None else str(profile.gi_profile_id)
