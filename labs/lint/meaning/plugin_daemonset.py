"""DaemonSets that run NVIDIA's device plugin: which container it is, and what that container is given."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from labs.config.documents import Kind
from labs.config.goyaml import Span
from labs.config.manifests import Field, field, items, text, text_of
from labs.config.plugin import FLAGS
from labs.lint.subject import LintDocument, Subject

if TYPE_CHECKING:
    from labs.config.manifests.objects import Container, PodTemplate, VolumeMount

PROGRAM = "nvidia-device-plugin"
CONFIG_MANAGER = "config-manager"
IMAGE = "k8s-device-plugin"
OTHER_IMAGES = re.compile(
    r"(?:.*/)?(?:hami|k8s-vgpu|k8s-vdevice|volcano-vgpu-device-plugin|volcano-device-plugin|nvidia-gpu-device-plugin"
    r"|k8s-gpushare-plugin|gpushare-device-plugin|gpu-manager|elastic-gpu-agent)(?:[:@].*)?"
)
"""Images of device plugins of others for the same GPUs: of HAMi, Volcano, GKE, Alibaba Cloud, Tencent Cloud."""

_ADMIN = ("SYS_ADMIN", "CAP_SYS_ADMIN", "ALL")
_ARGUMENT = re.compile(r"--(?P<name>[a-z-]+)=(?P<value>.*)", re.DOTALL)
_VARIABLES = frozenset(variable for flag in FLAGS for variable in flag.env)


@dataclass(frozen=True, slots=True)
class PluginDaemonSet:
    """A DaemonSet with the container in it that is the plugin."""

    document: LintDocument
    template: PodTemplate
    container: Container

    @property
    def place(self) -> Span:
        """Where to point at: the plugin's container."""
        return container_place(self.container)

    def environment(self) -> Mapping[str, Field]:
        """The values of the plugin's own variables, as far as they are written."""
        return {
            variable.name: variable.value
            for variable in self.container.env
            if variable.name in _VARIABLES and variable.value is not None
        }

    def settings(self) -> Mapping[str, str]:
        """What environment and command line set, by the variable's name; the command line wins."""
        values = {name: value.written for name, value in self.environment().items()}
        for word in words(self.container):
            argument = _ARGUMENT.fullmatch(word)
            flag = None
            if argument is not None:
                flag = next((candidate for candidate in FLAGS if candidate.name == argument["name"]), None)
            if argument is not None and flag is not None:
                values[flag.env[0]] = argument["value"]
        return values

    def mount(self, path: str) -> VolumeMount | None:
        """What is mounted at a path, or at a folder that it is in."""
        holding = [
            (len(place), mount)
            for mount in self.container.mounts
            if mount.path is not None
            and (place := (mount.path.text or "").rstrip("/"))
            and _inside(path, place)
        ]
        return max(holding, key=lambda pair: pair[0])[1] if holding else None

    @property
    def admin(self) -> bool:
        """Whether the container is privileged or has the capability SYS_ADMIN."""
        added = items(self.container.node, "securityContext", "capabilities", "add")
        return self.container.privileged or any(text_of(capability) in _ADMIN for capability in added)

    def config_maps(self) -> frozenset[str]:
        """The names of the ConfigMaps among the Pod's volumes."""
        sources = [volume.source for volume in self.template.volumes if volume.source is not None]
        names = (text(source.value, "name") for source in sources if source.name == "configMap")
        return frozenset(name for name in names if name is not None)


def plugin_daemonsets(subject: Subject) -> Iterator[PluginDaemonSet]:
    """The DaemonSets that run the plugin, in order."""
    for document, template in subject.pods:
        if template.kind is Kind.DAEMON_SET:
            container = next(
                (
                    candidate
                    for candidate in template.containers
                    if _is_plugin(candidate, template.name or "")
                ),
                None,
            )
            if container is not None:
                yield PluginDaemonSet(document, template, container)


def container_place(container: Container) -> Span:
    """Where to point at for a container: its name, or what it begins with."""
    named = field(container.node, "name")
    if named is not None:
        return named.place
    entries = container.node.entries
    return entries[0].key.place if entries else container.node.place


def words(container: Container) -> tuple[str, ...]:
    """The strings of a container's command and arguments."""
    parts = (*items(container.node, "command"), *items(container.node, "args"))
    return tuple(word for part in parts if (word := text_of(part)) is not None)


def program(container: Container) -> str:
    """The program that a container's command names, without its folder; empty where it has no command."""
    command = items(container.node, "command")
    named = text_of(command[0]) if command else None
    return (named or "").rpartition("/")[2]


def _inside(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder + "/")


def _is_plugin(container: Container, name: str) -> bool:
    image = "" if container.image is None else container.image.text or ""
    if container.role != "containers" or OTHER_IMAGES.fullmatch(image) is not None:
        return False
    if program(container):
        return program(container) == PROGRAM
    base = re.split("[:@]", image.rpartition("/")[2])[0]
    return base == IMAGE and any("nvidia" in word for word in (image, container.name or "", name))
