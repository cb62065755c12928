"""What a request means before and after: each device followed from the one config to the other."""

from __future__ import annotations

import pytest

from labs.cluster.announcement import (
    Announcement,
    ChangeKind,
    NothingOfferedError,
    announce,
    without_sharing,
)
from labs.cluster.sample_nodes import SAMPLE_NODES
from labs.config.plugin.loader import Loaded, load

ROOT = {"MPS_ROOT": "/run/nvidia/mps"}


def config(
    strategy: str = "", replicas: int = 5, *, mig: str = "none", more: str = "", name: str = "gpu"
) -> Loaded:
    """A config that loads: `more` are further keys of its sharing block."""
    text = f"version: v1\nflags: {{migStrategy: {mig}}}\n"
    if strategy:
        text += f"sharing: {{{strategy}: {{{more}resources: [{{name: nvidia.com/{name}, replicas: {replicas}}}]}}}}\n"
    found = load(text, env=ROOT)
    assert found.loads, found.error
    return found


def told(before: Loaded, after: Loaded, node: str | None = None) -> Announcement:
    return announce(before, after, None if node is None else SAMPLE_NODES[node])


PLAIN = config()
SLICED = config("timeSlicing")
MPS = config("mps")
RENAMED = config("timeSlicing", more="renameByDefault: true, ")
STRICT = config("timeSlicing", more="failRequestsGreaterThanOne: true, ")


@pytest.mark.parametrize("node", [None, "a100-40gb-x4"])
@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        (PLAIN, SLICED, ChangeKind.SHARED),
        (PLAIN, RENAMED, ChangeKind.SHARED),
        (SLICED, config("timeSlicing", 8), ChangeKind.REPLICAS),
        (SLICED, MPS, ChangeKind.STRATEGY),
        (MPS, SLICED, ChangeKind.STRATEGY),
        (SLICED, RENAMED, ChangeKind.RENAMED),
        (SLICED, STRICT, ChangeKind.REQUESTS),
        (SLICED, PLAIN, ChangeKind.UNSHARED),
        (SLICED, SLICED, ChangeKind.UNCHANGED),
        (PLAIN, PLAIN, ChangeKind.UNCHANGED),
    ],
)
def test_what_happens_to_a_card(before: Loaded, after: Loaded, kind: ChangeKind, node: str | None) -> None:
    assert [each.kind for each in told(before, after, node).changes] == [kind]


def test_yesterday_is_what_the_previous_config_said() -> None:
    (change,) = told(SLICED, config("mps", 8), "a100-40gb-x4").changes
    assert change.before is not None
    assert change.after is not None
    assert (str(change.before.strategy), change.before.replicas, change.before.refuses_more) == (
        "time-slicing",
        5,
        False,
    )
    assert (str(change.after.strategy), change.after.replicas, change.after.refuses_more) == ("mps", 8, True)
    assert (change.after.memory_limit_mib, change.after.thread_percent) == (5120, 12)
    assert change.count == 4


def test_without_a_node_no_number_and_no_size_is_known() -> None:
    found = told(PLAIN, MPS)
    (change,) = found.changes
    assert change.after is not None
    assert (change.count, change.device.model, change.device.memory_mib) == (None, None, None)
    assert (change.after.memory_limit_mib, change.after.thread_percent) == (None, 20)
    assert found.units == {}
    assert not any(label.name.endswith((".product", ".count")) for label in found.labels)


def test_the_same_config_without_sharing_keeps_the_mig_strategy() -> None:
    after = config("timeSlicing", 2, mig="mixed", name="mig-1g.5gb")
    found = told(without_sharing(after), after, "a100-40gb-mig-mixed")
    kinds = {each.device.profile: each.kind for each in found.changes}
    unchanged = ChangeKind.UNCHANGED
    assert kinds == {None: unchanged, "3g.20gb": unchanged, "2g.10gb": unchanged, "1g.5gb": ChangeKind.SHARED}


def test_a_card_cut_by_mig_is_gone_and_its_devices_are_new() -> None:
    found = told(PLAIN, config(mig="mixed"), "a100-40gb-mig-mixed")
    kinds = [(each.device.profile, each.device.is_cut, each.kind) for each in found.changed]
    assert kinds[0] == (None, True, ChangeKind.GONE)
    assert {kind for _, _, kind in kinds[1:]} == {ChangeKind.NEW}
    assert dict(found.units)["nvidia.com/gpu"] == (2, 1)


def test_single_makes_one_resource_of_cards_and_mig_devices() -> None:
    assert told(config(mig="single"), config("timeSlicing", mig="single")).is_single
    assert not told(PLAIN, SLICED).is_single


@pytest.mark.parametrize("node", [None, "t4-x1"])
def test_a_resource_that_no_device_has_is_named(node: str | None) -> None:
    found = told(PLAIN, config("timeSlicing", name="gpus"), node)
    assert found.unmatched == ("nvidia.com/gpus",)
    assert not found.shares


@pytest.mark.parametrize(
    ("before", "after", "node", "is_before"),
    [
        (PLAIN, config("mps", 49), "a100-40gb-x4", False),
        (config("mps", 49), PLAIN, "a100-40gb-x4", True),
        (PLAIN, config("mps", name="gpus"), None, False),
        (PLAIN, MPS, "a100-40gb-mig-7x1g-x2", False),
        (PLAIN, config(mig="single"), "a100-40gb-mig-mixed", False),
    ],
)
def test_nothing_is_announced_of_a_node_that_offers_nothing(
    before: Loaded, after: Loaded, node: str | None, *, is_before: bool
) -> None:
    with pytest.raises(NothingOfferedError) as caught:
        told(before, after, node)
    assert caught.value.is_before is is_before
    assert str(caught.value)
