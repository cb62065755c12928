"""The device plugin's configs in a file, whatever holds them: the file itself, a ConfigMap, the values of a chart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from labs.config.documents.checked import Checked, check
from labs.config.documents.kinds import Kind
from labs.config.goyaml import DEFAULT_LIMITS, Limits
from labs.config.plugin import Deployer

_UNTOLD = (Kind.UNKNOWN, Kind.EMPTY)
_NO_ENV: Mapping[str, str] = MappingProxyType({})


class NoPluginConfigError(ValueError):
    """A file of other things: `kinds` are those."""

    def __init__(self, kinds: tuple[str, ...]) -> None:
        super().__init__(", ".join(kinds))
        self.kinds = kinds


def plugin_configs(
    content: str | bytes,
    *,
    env: Mapping[str, str] = _NO_ENV,
    args: Sequence[str] = (),
    deployer: Deployer | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> tuple[Checked, ...]:
    """The configs with the plugin's answers, at least one: an unknown or an empty file is what the plugin would read.

    Raises NoPluginConfigError, and LimitError for a file beyond `limits`.
    """
    checked = check(content, env=env, args=args, deployer=deployer, limits=limits)
    configs = tuple(each for each in checked if each.plugin is not None)
    if configs:
        return configs
    if any(each.document.kind not in _UNTOLD for each in checked):
        raise NoPluginConfigError(tuple(dict.fromkeys(str(each.document.kind) for each in checked)))
    return check(content, kind=Kind.DEVICE_PLUGIN, env=env, args=args, deployer=deployer, limits=limits)


def keyed(configs: Sequence[Checked], key: str | None) -> Checked | None:
    """The config of this key; for any key the only one there is."""
    if len(configs) == 1:
        return configs[0]
    return next((config for config in configs if config.document.key == key), None)
