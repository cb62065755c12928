"""Reads `migConfigs:` of a scenario: when a node's cards are to be cut into other MIG devices."""

from __future__ import annotations

from collections.abc import Container, Sequence

from labs.config.goyaml import Node
from labs.config.goyaml import Sequence as YamlList
from labs.config.own import Fields, Values
from labs.simulation.scenario.fault_reader import MAX_AT, MAX_AT_US, named_node
from labs.simulation.scenario.mig_reader import MigReader
from labs.simulation.scenario.scenario import MigConfig, NodeSpec

KEYS = ("at", "node", "mig", "drain")
MAX_MIG_CONFIGS = 100
APART_US, APART = 60_000_000, "60s"
"""Between two of one node: while mig-manager is busy it sees but the last of several new labels, which is not imitated."""


class MigConfigReader:
    """Reads MIG configs of `nodes`.

    `broken` are the names of those that were not understood, about which nothing more is said.
    """

    def __init__(self, values: Values, nodes: Sequence[NodeSpec], broken: Container[str] = ()) -> None:
        self._values = values
        self._nodes = {node.name: node for node in nodes}
        self._broken = broken

    def read(self, node: Node | None) -> tuple[MigConfig, ...]:
        """The MIG configs in order of time."""
        configs: list[tuple[MigConfig, Node]] = []
        for item in self._values.optional_items(node, "migConfigs", MAX_MIG_CONFIGS):
            config = self._config(item)
            if config is not None:
                configs.append((config, item))
        configs.sort(key=lambda pair: pair[0].at_us)
        last: dict[str, int] = {}
        for config, item in configs:
            before = last.get(config.node)
            if before is not None and config.at_us - before < APART_US:
                self._values.problems.add("mig-configs-close", item, name=config.node, apart=APART)
            last[config.node] = config.at_us
        return tuple(config for config, _ in configs)

    def _config(self, item: Node) -> MigConfig | None:
        fields = Fields(item, self._values.problems, where="migConfigs")
        at = self._values.duration_us(fields.required("at"), "at", 0, MAX_AT_US, "0s", MAX_AT)
        node = named_node(self._values, fields.required("node"), self._nodes, self._broken)
        mig_node = fields.required("mig")
        drain = self._values.one_of(fields.optional("drain"), "drain", ("true", "false"))
        fields.finish(KEYS)
        if at is None or node is None or mig_node is None:
            return None
        if not node.model.supports_mig:
            self._values.problems.add("mig-none", mig_node, model=node.model.id)
            return None
        off = isinstance(mig_node, YamlList) and not mig_node.items
        mig = () if off else MigReader(self._values).read(mig_node, node.model)
        return MigConfig(at, node.name, mig, drain == "true") if off or mig else None
