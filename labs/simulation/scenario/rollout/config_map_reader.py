"""The sharing config that a revision or a ConfigMap carries: `config:` one text, or `configs:` several by name."""

from __future__ import annotations

import re

from labs.config.goyaml import Mapping, Node, Scalar, merged
from labs.config.own import Fields, Problems, quoted
from labs.config.plugin import DEPLOYER_ENVIRONMENT, Deployer, SharingStrategy, load
from labs.simulation.scenario.rollout.plugin_config import ConfigMap
from labs.simulation.scenario.rollout.values import RolloutValues

ONLY_ENTRY = "config"  # what the entry of `config:` is called
MAX_CONFIGS = 100
KEY = re.compile(r"[-._a-zA-Z0-9]{1,253}")  # of a ConfigMap


class ConfigMapReader:
    """`texts` are the nodes of all configs read so far, for whoever has more to ask of them."""

    def __init__(self, values: RolloutValues) -> None:
        self._values = values
        self.texts: list[Node] = []

    def read(self, fields: Fields, node: Node) -> ConfigMap | None:
        """The ConfigMap of the `fields` of `node`; None where it has none, or, with a problem, where that is wrong."""
        single, several = fields.optional("config"), fields.optional("configs")
        if single is not None and several is not None:
            self._values.problems.add("one-of-two", node, first="config", second="configs")
            return None
        if single is not None:
            text = self._text(single, "config")
            return None if text is None else ConfigMap(((ONLY_ENTRY, text),))
        return None if several is None else self._several(several)

    def _several(self, node: Node) -> ConfigMap | None:
        Fields(node, self._values.problems, where="configs")  # what is no map, and keys that stand twice
        named: list[tuple[str, str]] = []
        entries = merged(node) if isinstance(node, Mapping) else ()
        if isinstance(node, Mapping) and not 1 <= len(entries) <= MAX_CONFIGS:
            self._values.problems.add(
                "list-length", node, key="configs", found=len(entries), maximum=MAX_CONFIGS
            )
            return None
        for entry in entries:
            name = entry.name or ""
            if not KEY.fullmatch(name):
                self._values.problems.add("bad-config-name", entry.key, value=quoted(entry.key))
                continue
            text = self._text(entry.value, name)
            if text is not None:
                named.append((name, text))
        return ConfigMap(tuple(named)) if named else None

    def _text(self, node: Node, key: str) -> str | None:
        text = self._values.text(node, key)
        if text is None:
            return None
        limit = load(text).limit
        if limit is not None:
            self._values.problems.add("config-beyond-limits", node, key=key, detail=limit)
            return None
        self.texts.append(node)
        return text


def refuse_mps(config: Node, problems: Problems) -> None:
    """Notes a problem where a config shares by MPS: a rollout of it is not simulated."""
    text = config.text if isinstance(config, Scalar) else ""
    setting = load(text, env=DEPLOYER_ENVIRONMENT[Deployer.HELM]).setting
    if setting is not None and setting.strategy is SharingStrategy.MPS:
        problems.add("mps-rollout", config)
