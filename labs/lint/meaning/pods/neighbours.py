"""Whether other GPUs, or other Pods on the same GPU, are beside what a container is given."""

from __future__ import annotations

import re
from collections.abc import Iterable

from labs.config.manifests.objects import Container
from labs.config.plugin import SharingStrategy
from labs.lint.keys.resources import is_gpu_resource
from labs.lint.meaning.market import MIG_PREFIX
from labs.lint.meaning.pods.pod_requests import Asked, Sharing, asked
from labs.lint.subject import Subject

_NVIDIAS_OWN = re.compile(
    r"device-plugin|dcgm|gpu-feature-discovery|gpu-operator|mig-manager|toolkit|validator|mps-control|driver|exporter"
)


def is_nvidias_own(container: Container) -> bool:
    """Whether the image is one of NVIDIA's own programs for nodes, which are meant to see every GPU."""
    image = None if container.image is None else container.image.text
    return image is not None and _NVIDIAS_OWN.search(image) is not None


class Neighbours:
    """What the files given together say of the GPUs that a container may see beside its own."""

    def __init__(self, subject: Subject) -> None:
        self._sharing = Sharing(subject)
        self._several = any(len(cards) > 1 for cards in subject.settings.nodes.values())

    @staticmethod
    def gpus(container: Container) -> tuple[Asked, ...]:
        """The GPUs and MIG devices that a container asks for."""
        return tuple(each for each in asked(container) if is_gpu_resource(each.name) and each.units != 0)

    def of(self, container: Container) -> bool:
        """Whether there surely are some: a shared GPU, a node of several, MIG devices."""
        strategies = (SharingStrategy.MPS, SharingStrategy.TIME_SLICING)
        names: Iterable[str] = (each.name for each in self.gpus(container))
        return (
            self._several
            or any(name.startswith(MIG_PREFIX) for name in names)
            or any(self._sharing.uses(container, *strategies))
        )
