"""Node pools as texts to take along: configs of the device plugin and of mig-parted, labels of nodes, lines for the Pods."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from labs.cluster.node_labels import GPU_RESOURCE, mig_resource_name
from labs.cluster.pools import Pool, Way, WorkloadGroup
from labs.config.manifests import CONFIG_LABEL
from labs.config.manifests.objects import MIG_CONFIG_LABEL
from labs.config.mig_parted import config_text
from labs.simulation.evidence import group_profiles

CONFIG_MAP = "device-plugin-configs"
_BLOCKS = {Way.TIME_SLICING: "timeSlicing", Way.MPS: "mps"}
_HEAD = "mig-configs:\n"

NodeCut = tuple[tuple[tuple[str, int], ...], ...]
"""A node's cards in their order, each by profile and number of devices; a card that stays whole has none."""


def pool_key(place: int, pool: Pool) -> str:
    """The key of a pool's config, which its nodes have as a label; `place` counts from 0."""
    return f"pool-{place + 1}-{pool.way}"


def plugin_config(pool: Pool) -> str:
    """The device plugin's config for a pool's nodes."""
    if pool.way is Way.MIG:
        return "version: v1\nflags:\n  migStrategy: mixed\n"
    if pool.way is Way.EXCLUSIVE:
        return "version: v1\n"
    return (
        f"version: v1\nsharing:\n  {_BLOCKS[pool.way]}:\n    failRequestsGreaterThanOne: true\n    resources:\n"
        f"      - name: {GPU_RESOURCE}\n        replicas: {pool.room.replicas}\n"
    )


def config_map_text(pools: Sequence[Pool]) -> str:
    """A ConfigMap with a config for each pool."""
    lines = ["apiVersion: v1", "kind: ConfigMap", "metadata:", f"  name: {CONFIG_MAP}", "data:"]
    for place, pool in enumerate(pools):
        lines.append(f"  {pool_key(place, pool)}: |")
        lines += [f"    {line}" for line in plugin_config(pool).splitlines()]
    return "\n".join(lines) + "\n"


def node_cuts(pool: Pool) -> tuple[tuple[NodeCut, int], ...]:
    """How a pool's nodes are cut, and how many are cut so; nothing but under MIG."""
    plan, per_node = pool.room.plan, pool.nodes.cards
    if plan is None:
        return ()
    cards = [
        tuple(sorted(Counter(device.instance.profile.name for device in card.devices).items()))
        for card in plan.cards[: pool.room.nodes * per_node]
    ]
    nodes = [tuple(cards[at : at + per_node]) for at in range(0, len(cards), per_node)]
    return tuple(Counter(nodes).items())


def mig_config_name(place: int, cut: int) -> str:
    """The name of a mig-parted config: of the pool, and of the way its node is cut."""
    return f"pool-{place + 1}-{chr(ord('a') + cut % 26)}" + (str(cut // 26) if cut >= 26 else "")


def mig_parted_texts(pools: Sequence[Pool]) -> str:
    """A config of mig-parted with a name for each way in which a node is cut; empty without MIG."""
    parts: list[str] = []
    for place, pool in enumerate(pools):
        for at, (cards, _) in enumerate(node_cuts(pool)):
            alike: dict[tuple[tuple[str, int], ...], list[int]] = {}
            for index, counts in enumerate(cards):
                alike.setdefault(counts, []).append(index)
            entries = [
                (None if len(alike) == 1 else indexes, dict(counts)) for counts, indexes in alike.items()
            ]
            parts.append(config_text(mig_config_name(place, at), entries).partition(_HEAD)[2])
    return f"version: v1\n{_HEAD}{''.join(parts)}" if parts else ""


def label_commands(pools: Sequence[Pool]) -> str:
    """Commands that give nodes their labels. Which nodes these are, the shell's variable `NODE` says."""
    lines: list[str] = []
    for place, pool in enumerate(pools):
        lines.append(f"# {pool.room.nodes} × {pool.nodes.cards} × {pool.nodes.model.name}")
        lines.append(f'kubectl label node "$NODE" {CONFIG_LABEL}={pool_key(place, pool)}')
        for at, (_, count) in enumerate(node_cuts(pool)):
            lines.append(f"# {count} × {mig_config_name(place, at)}")
            lines.append(f'kubectl label node "$NODE" {MIG_CONFIG_LABEL}={mig_config_name(place, at)}')
    return "\n".join(lines) + "\n"


def pod_resources(pool: Pool, group: WorkloadGroup) -> tuple[str, ...]:
    """The resources by which the Pods of a group get their device, most usual first."""
    if pool.way is not Way.MIG:
        return (GPU_RESOURCE,)
    return tuple(mig_resource_name(profile) for profile in group_profiles(pool, group))


def pods_text(pools: Sequence[Pool]) -> str:
    """Of each group, or part of one, the lines for its Pods. Where its devices are of several profiles, those for each."""
    return "---\n".join(part for place, pool in enumerate(pools) for part in _pods(place, pool))


def _pods(place: int, pool: Pool) -> Iterator[str]:
    for group in pool.groups:
        part = "" if group.whole is None else f" ({group.count}/{group.whole})"
        for resource in pod_resources(pool, group):
            yield (
                f"# {group.name}{part}\nnodeSelector:\n  {CONFIG_LABEL}: {pool_key(place, pool)}\n"
                f"containers:\n  - resources:\n      limits:\n        {resource}: 1\n"
            )
