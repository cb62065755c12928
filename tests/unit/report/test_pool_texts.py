"""The texts that go with node pools do what the pools say: the real loaders take them, and the node then offers that."""

from __future__ import annotations

import pytest

from labs.cluster.advertise import advertise
from labs.cluster.gpu import PhysicalGpu
from labs.cluster.pools.division import divide
from labs.cluster.pools.pools import Pool
from labs.cluster.pools.rules import Way
from labs.config.documents.checked import check
from labs.config.documents.kinds import Kind
from labs.config.mig_parted.loader import load as load_mig
from labs.config.plugin.loader import load
from labs.library import builtin_library
from labs.report.plan.pool_texts import (
    config_map_text,
    label_commands,
    mig_config_name,
    mig_parted_texts,
    node_cuts,
    plugin_config,
    pod_resources,
    pods_text,
    pool_key,
)
from labs.teaching.form_lab.kind import FormLabs
from labs.teaching.form_lab.may_they import ID, PRESETS
from tests.unit.cluster.test_pools import group, nodes

ROOT = {"MPS_ROOT": "/run/nvidia/mps"}
EVERYBODY = (
    *(group("production", 7, 8), group("production", 3, 4, "small"), group("internal", 6, 3)),
    *(group("foreign", 4, 6), group("notebook", 9, 5)),
)
POOLS = divide(EVERYBODY, [nodes(count=8, cards=2), nodes("t4-16gb", 6)]).pools
every_pool = pytest.mark.parametrize("pool", POOLS, ids=lambda pool: str(pool.way))


def a_node(pool: Pool, cut: int = 0) -> list[PhysicalGpu]:
    """A node of a pool: its cards, cut as the pool's config of mig-parted says."""
    model = pool.nodes.model
    cards = node_cuts(pool)[cut][0] if pool.way is Way.MIG else ((),) * pool.nodes.cards
    memory = model.memory_mib.value
    assert memory is not None
    return [
        PhysicalGpu(model.name, memory, (8, 0), tuple(name for name, n in card for _ in range(n)) or None)
        for card in cards
    ]


def test_all_ways_are_tried_here() -> None:
    assert {pool.way for pool in POOLS} >= {Way.MIG, Way.MPS, Way.TIME_SLICING}


@every_pool
def test_a_node_offers_what_its_pods_ask_for(pool: Pool) -> None:
    loaded = load(plugin_config(pool), env=ROOT)
    assert loaded.loads, loaded.error
    offered: dict[str, int] = {}
    cuts = [count for _, count in node_cuts(pool)] or [pool.room.nodes]
    for at, count in enumerate(cuts):
        found = advertise(loaded, a_node(pool, at))
        assert found.registers
        for name, units in found.resources.items():
            offered[name] = offered.get(name, 0) + units * count
    wanted = sum(each.count for each in pool.groups)
    asked = {name for each in pool.groups for name in pod_resources(pool, each)}
    assert sum(offered[name] for name in asked) >= wanted
    assert asked <= set(offered)


def test_the_plugin_takes_every_key_of_the_config_map() -> None:
    found = [one for one in check(config_map_text(POOLS), env=ROOT) if one.plugin is not None]
    assert [one.document.key for one in found] == [pool_key(place, pool) for place, pool in enumerate(POOLS)]
    assert all(one.loads for one in found)


def test_mig_parted_takes_the_config_and_every_node_has_its_name() -> None:
    text = mig_parted_texts(POOLS)
    assert load_mig(text).loads
    assert [one.document.kind for one in check(text)] == [Kind.MIG_PARTED]
    commands = label_commands(POOLS)
    for place, pool in enumerate(POOLS):
        assert f"device-plugin.config={pool_key(place, pool)}\n" in commands
        assert sum(count for _, count in node_cuts(pool)) in (0, pool.room.nodes)
        for at, _ in enumerate(node_cuts(pool)):
            assert f"mig.config={mig_config_name(place, at)}\n" in commands
            assert f"  {mig_config_name(place, at)}:\n" in text


def test_without_mig_there_is_no_config_for_it() -> None:
    assert mig_parted_texts([pool for pool in POOLS if pool.way is not Way.MIG]) == ""


def test_every_group_has_its_lines() -> None:
    text = pods_text(POOLS)
    for place, pool in enumerate(POOLS):
        for each in pool.groups:
            assert (
                f"# {each.name}\nnodeSelector:\n  nvidia.com/device-plugin.config: {pool_key(place, pool)}\n"
                in text
            )


def test_each_part_of_a_group_has_its_lines_and_says_how_much_of_it_that_is() -> None:
    found = divide([group("notebook", 20, 5)], [nodes(count=1), nodes("t4-16gb", 9)])
    text = pods_text(found.pools)
    for place, pool in enumerate(found.pools):
        (part,) = pool.groups
        assert f"# notebook ({part.count}/20)\nnodeSelector:\n" in text
        assert f"  nvidia.com/device-plugin.config: {pool_key(place, pool)}\n" in text
    assert sum(pool.groups[0].count for pool in found.pools) == 20


@pytest.mark.parametrize("preset", PRESETS)
def test_what_the_lab_gives_along_loads(preset: str) -> None:
    library = builtin_library()
    labs = FormLabs(library)
    lab = labs.lab(ID)
    values, faults = labs.values(lab, preset)
    assert not faults
    files = {one.id: one.text for one in lab.answer(values, library.messages["en"]).files}
    assert all(one.loads is not False for one in check(files["plugin"], env=ROOT))
    assert "mig" not in files or load_mig(files["mig"]).loads
