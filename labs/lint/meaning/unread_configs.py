"""Configs in ConfigMaps that the DaemonSet of the device plugin beside them does not read.

Source: NVIDIA/k8s-device-plugin v0.20.0, `cmd/nvidia-device-plugin/main.go`: a config is read from the flag `--config-file`,
or from its variable `CONFIG_FILE`, and from nowhere else.
"""

from __future__ import annotations

import functools

from labs.config.documents import Kind
from labs.config.manifests import fields, mappings, text
from labs.lint.meaning.deployment import deployment
from labs.lint.meaning.plugin_daemonset import PluginDaemonSet, plugin_daemonsets, words
from labs.lint.subject import LintDocument, Subject

VARIABLE = "CONFIG_FILE"
_ARGUMENT = "config-file"


@functools.lru_cache(maxsize=2)
def unread_configs(subject: Subject) -> tuple[PluginDaemonSet, LintDocument] | None:
    """The plugin's DaemonSet that reads no config, with a ConfigMap of configs that is surely meant for it.

    None where anything else may deploy the plugin or name the file: values of a chart, settings, another DaemonSet.
    """
    plugins = tuple(plugin_daemonsets(subject))
    settings = subject.settings
    if not plugins or not subject.plugins or subject.operators or subject.charts:
        return None
    source = deployment(subject).source
    if source is None or settings.args or VARIABLE in settings.env:
        return None
    if any(_may_read(plugin, subject) for plugin in plugins):
        return None
    held = [document.document.container for document, _ in subject.plugins]
    maps = [
        document
        for document in subject.documents
        if document.kind is Kind.CONFIG_MAP
        and any(document.document is container for container in held)
        and _is_meant(plugins[0], document)
    ]
    if not maps or any(all(container is not each.document for each in maps) for container in held):
        return None
    return plugins[0], maps[0]


def _may_read(plugin: PluginDaemonSet, subject: Subject) -> bool:
    """Whether its container names a config, or something that is not seen here may do so."""
    container = plugin.container
    if container.variable(VARIABLE) is not None or any(_ARGUMENT in word for word in words(container)):
        return True
    for source in mappings(container.node, "envFrom"):
        name = text(source, "configMapRef", "name")
        known = [each for each in subject.documents if each.kind is Kind.CONFIG_MAP and _name(each) == name]
        if name is None or not known or any(_sets(each, text(source, "prefix") or "") for each in known):
            return True
    return False


def _sets(config_map: LintDocument, prefix: str) -> bool:
    return any(prefix + member.name == VARIABLE for member in fields(config_map.document.root, "data"))


def _is_meant(plugin: PluginDaemonSet, config_map: LintDocument) -> bool:
    """Whether both are in one namespace."""
    namespace = text(config_map.document.root, "metadata", "namespace")
    return (namespace or "default") == (plugin.template.namespace or "default")


def _name(config_map: LintDocument) -> str | None:
    return text(config_map.document.root, "metadata", "name")
