"""The node labels of GPU feature discovery that depend on sharing (`internal/lm` of the device plugin, v0.20.0)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from labs.cluster.gpu import PhysicalGpu
from labs.config.plugin import PluginSetting, SharedResource, SharingStrategy

GPU_RESOURCE = "nvidia.com/gpu"

_NOT_IN_LABEL = re.compile("[^A-Za-z0-9-_. ]")
_INVALID = "W: Invalid configuration detected for mig-strategy=single: "


def mig_resource_name(profile: str) -> str:
    """The resource of a MIG profile under the mixed strategy: `1g.5gb+me` is `nvidia.com/mig-1g.5gb.me`."""
    return "nvidia.com/mig-" + profile.replace("+", ".")


def node_labels(
    setting: PluginSetting, gpus: Sequence[PhysicalGpu]
) -> tuple[dict[str, str] | None, str | None, tuple[str, ...]]:
    """Labels, or the error that leaves the node without any of them, and the warnings logged on the way."""
    if not gpus:
        return {}, None, ()
    mps = setting.strategy is SharingStrategy.MPS
    if mps and any(gpu.mig_enabled for gpu in gpus):
        error = (
            "error creating sharing labeler: failed to check MPS-capable: "
            "MPS sharing is not supported for mig devices"
        )
        return None, error, ()
    labels = {**_gpu_labels(setting, gpus), "nvidia.com/mps.capable": "true" if mps else "false"}
    warnings: tuple[str, ...] = ()
    if setting.mig_strategy != "none":
        labels["nvidia.com/mig.strategy"] = setting.mig_strategy
        mig, warnings = _mig_labels(setting, gpus)
        labels.update(mig)
    return dict(sorted(labels.items())), None, warnings


@dataclass(frozen=True, slots=True)
class _Labeler:
    """Makes the labels of one resource; `sharing` is None where they say nothing of sharing."""

    resource: str
    sharing: PluginSetting | None

    @property
    def _entry(self) -> SharedResource | None:
        """The first entry of the sharing block for this resource: labels show the first, not the largest."""
        if self.sharing is None:
            return None
        return next((entry for entry in self.sharing.resources if entry.name == self.resource), None)

    def labels(self, count: int, *parts: str) -> dict[str, str]:
        entry = self._entry
        replicas = 0 if self.sharing is None else entry.replicas if entry is not None else 1
        strategy = SharingStrategy.NONE
        if self.sharing is not None and replicas > 1:
            strategy = self.sharing.strategy
        product = [*map(_sanitised, parts)]
        if entry is not None and entry.replicas > 1 and entry.rename is None:
            product.append("SHARED")
        return {
            f"{self.resource}.product": "-".join(product),
            f"{self.resource}.count": str(count),
            f"{self.resource}.replicas": str(replicas),
            f"{self.resource}.sharing-strategy": str(strategy),
        }


def _sanitised(text: str) -> str:
    return "-".join(_NOT_IN_LABEL.sub("", text).split())


def _gpu_labels(setting: PluginSetting, gpus: Sequence[PhysicalGpu]) -> dict[str, str]:
    """Labels of the cards: those with MIG on say nothing of sharing, and full cards of the same name go over them."""
    counts: dict[str, int] = {}
    for gpu in gpus:
        counts[gpu.name] = counts.get(gpu.name, 0) + 1
    labels: dict[str, str] = {}
    for mig_enabled, sharing in ((True, None), (False, setting)):
        for name in dict.fromkeys(gpu.name for gpu in gpus if gpu.mig_enabled is mig_enabled):
            labels.update(_Labeler(GPU_RESOURCE, sharing).labels(counts[name], name))
    return labels


def _mig_labels(
    setting: PluginSetting, gpus: Sequence[PhysicalGpu]
) -> tuple[Mapping[str, str], tuple[str, ...]]:
    counts: dict[str, int] = {}
    models: dict[str, str] = {}
    for gpu in gpus:
        for profile in gpu.mig or ():
            counts[profile] = counts.get(profile, 0) + 1
            models.setdefault(profile, gpu.name)
    if setting.mig_strategy == "single":
        enabled = [gpu for gpu in gpus if gpu.mig_enabled]
        if not enabled:
            return {}, ()
        reason = _single_problem(gpus, counts)
        if reason is not None:
            return _invalid_labels(enabled[0]), (_INVALID + reason,)
    labels: dict[str, str] = {}
    for profile, count in counts.items():
        resource = GPU_RESOURCE if setting.mig_strategy == "single" else mig_resource_name(profile)
        label_part = profile.replace("+", ".")
        labels.update(_Labeler(resource, setting).labels(count, models[profile], "MIG", label_part))
    return labels, ()


def _single_problem(gpus: Sequence[PhysicalGpu], counts: Mapping[str, int]) -> str | None:
    if any(gpu.mig == () for gpu in gpus):
        return "at least one MIG device is enabled but empty"
    if not all(gpu.mig_enabled for gpu in gpus):
        return "devices with MIG enabled and disable detected"
    if len(counts) != 1:
        return "more than one MIG device type present on node"
    return None


def _invalid_labels(gpu: PhysicalGpu) -> dict[str, str]:
    return {
        f"{GPU_RESOURCE}.product": f"{_sanitised(gpu.name)}-MIG-INVALID",
        f"{GPU_RESOURCE}.count": "0",
        f"{GPU_RESOURCE}.replicas": "0",
        f"{GPU_RESOURCE}.sharing-strategy": "",
    }
