"""Which sharing config a plugin Pod reads: that of its revision, by its node's label.

A revision that carries a config names a ConfigMap of its own. A Pod of any other mounts none, whoever writes one, and reads
its node's own file. Where there is a ConfigMap there is config-manager, which takes the entry that the label
`nvidia.com/device-plugin.config` names, else `default`, else the only one; a label that names no entry is an error
(NVIDIA/k8s-device-plugin v0.20.0, cmd/config-manager/main.go; its README says that it is skipped).

Nobody tells a plugin that the content has changed. The mounted file follows within `refresh_us` (about a minute in life;
general knowledge, not measured), and the plugin reads it the next time that it starts.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from labs.config.plugin import DEPLOYER_ENVIRONMENT, Deployer, Loaded, load

OWN_FILE = "node"  # what a reading calls a node's own file
DEFAULT_ENTRY = "default"


@dataclass(frozen=True, slots=True)
class ConfigMap:
    """What somebody wrote: configs by name; `line` and `column` are where it stands."""

    entries: tuple[tuple[str, str], ...]
    line: int = field(default=1, compare=False)
    column: int = field(default=1, compare=False)

    def chosen(self, label: str | None) -> str | None:
        """The name that config-manager takes under this label of the node; None: it exits with an error."""
        names = tuple(name for name, _ in self.entries)
        if label:
            return label if label in names else None
        if DEFAULT_ENTRY in names:
            return DEFAULT_ENTRY
        return names[0] if len(names) == 1 else None


@dataclass(frozen=True, slots=True)
class Reading:
    """What a plugin has read: a config's name and its text (None: the node's own file).

    The name is a revision, after a slash the entry of several, after # which edit of the ConfigMap it is.
    """

    name: str
    entry: str
    text: str | None


class PluginConfigs:
    """The ConfigMaps over time, and what reading them gives."""

    def __init__(self, maps: Iterable[tuple[str, ConfigMap]], refresh_us: int) -> None:
        self._edits: dict[str, list[tuple[int, ConfigMap]]] = {
            revision: [(-(10**18), content)] for revision, content in maps
        }
        self._refresh_us = refresh_us
        self._loaded: dict[str, Loaded] = {}

    def change(self, revision: str, content: ConfigMap, now_us: int) -> bool:
        """Somebody writes the ConfigMap to which the revision refers; whether that changes it."""
        edits = self._edits[revision]
        if edits[-1][1] == content:
            return False
        edits.append((now_us, content))
        return True

    def has_manager(self, revision: str) -> bool:
        """Whether config-manager runs in the revision's Pods."""
        return revision in self._edits

    def reading(self, revision: str, label: str | None, mounted_us: int, now_us: int) -> Reading | None:
        """What the plugin of a Pod reads now that mounted its files at `mounted_us`.

        None where config-manager finds nothing to read.
        """
        if revision not in self._edits:
            return Reading(OWN_FILE, OWN_FILE, None)
        seen_us = max(mounted_us, now_us - self._refresh_us)
        edits = self._edits[revision]
        number = max(index for index, (at_us, _) in enumerate(edits) if at_us <= seen_us)
        content = edits[number][1]
        chosen = content.chosen(label)
        if chosen is None:
            return None
        entry = revision if len(content.entries) == 1 else f"{revision}/{chosen}"
        edit = f"#{number}" if number else ""
        return Reading(entry + edit, chosen, dict(content.entries)[chosen])

    def loaded(self, text: str) -> Loaded:
        """The plugin's answer to a config, as the chart runs it."""
        if text not in self._loaded:
            self._loaded[text] = load(text, env=DEPLOYER_ENVIRONMENT[Deployer.HELM])
        return self._loaded[text]
