"""What a request means before and after: each device followed from the one config to the other."""

from __future__ import annotations

import pytest

from labs.cluster.announcement import (
    Announcement,
    Change,
    ChangeKind,
    Device,
    DeviceUnit,
    NothingOfferedError,
    announce,
    without_sharing,
)
from labs.cluster.gpu import PhysicalGpu
from labs.cluster.promises import NOT_PROMISED, Aspect
from labs.cluster.sample_nodes import SAMPLE_NODES
from labs.config.plugin import SharingStrategy
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


@pytest.mark.parametrize(
    ("before", "after", "units"),
    [
        (PLAIN, SLICED, {"nvidia.com/gpu": (4, 20)}),
        (SLICED, RENAMED, {"nvidia.com/gpu": (20, 0), "nvidia.com/gpu.shared": (0, 20)}),
        (RENAMED, PLAIN, {"nvidia.com/gpu": (0, 4), "nvidia.com/gpu.shared": (20, 0)}),
    ],
)
def test_a_resource_that_comes_or_goes_counts_from_or_to_nothing(
    before: Loaded, after: Loaded, units: dict[str, tuple[int, int]]
) -> None:
    assert told(before, after, "a100-40gb-x4").units == units


@pytest.mark.parametrize(
    ("node", "mig", "cut"),
    [
        (None, "none", [False]),
        ("a100-40gb-x4", "none", [False]),
        ("a100-40gb-mig-7x1g-x2", "none", [True]),
        ("a100-40gb-mig-mixed", "none", [False, True]),
        ("a100-40gb-mig-7x1g-x2", "mixed", [False]),
    ],
)
def test_a_card_in_mig_mode_that_is_offered_whole_is_told_from_one_that_is_not_cut(
    node: str | None, mig: str, cut: list[bool]
) -> None:
    found = told(config("timeSlicing", mig=mig), config("timeSlicing", 3, mig=mig), node)
    assert sorted({each.device.is_cut for each in found.changes}) == cut


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


# Labels


def labels(found: Announcement) -> dict[str, tuple[str | None, str | None]]:
    return {each.name.removeprefix("nvidia.com/"): (each.before, each.after) for each in found.labels}


def test_labels_that_read_otherwise_are_named_with_both_readings() -> None:
    assert labels(told(PLAIN, MPS, "t4-x1")) == {
        "gpu.product": ("Tesla-T4", "Tesla-T4-SHARED"),
        "gpu.replicas": ("1", "5"),
        "gpu.sharing-strategy": ("none", "mps"),
        "mps.capable": ("false", "true"),
    }


def test_without_a_node_labels_of_product_and_count_are_left_out() -> None:
    assert labels(told(PLAIN, SLICED)) == {
        "gpu.replicas": ("1", "5"),
        "gpu.sharing-strategy": ("none", "time-slicing"),
    }
    mixed = labels(told(config(mig="mixed"), config("timeSlicing", mig="mixed", name="mig-1g.5gb"), None))
    assert {name for name in mixed if name.endswith((".product", ".count"))} == set()


def test_a_label_that_comes_or_goes_has_no_reading_before_or_after() -> None:
    cut = labels(told(PLAIN, config(mig="mixed"), "a100-40gb-mig-mixed"))
    assert cut["mig.strategy"] == (None, "mixed")
    assert cut["mig-2g.10gb.count"] == (None, "1")
    back = labels(told(config(mig="mixed"), PLAIN, "a100-40gb-mig-mixed"))
    assert back["mig-2g.10gb.count"] == ("1", None)


def test_the_same_config_changes_no_label() -> None:
    assert told(SLICED, SLICED, "t4-x1").labels == ()


# JSON


def test_a_change_in_json() -> None:
    (change,) = told(PLAIN, MPS, "t4-x1").changes
    before = {
        "resource": "nvidia.com/gpu",
        "sharing": "none",
        "replicas": 1,
        "moreThanOne": "granted",
        "memoryLimitMiB": None,
        "threadPercent": None,
    }
    after = {
        "resource": "nvidia.com/gpu",
        "sharing": "mps",
        "replicas": 5,
        "moreThanOne": "refused",
        "memoryLimitMiB": 3072,
        "threadPercent": 20,
    }
    assert change.to_json() == {
        "change": "shared",
        "model": "Tesla T4",
        "migProfile": None,
        "devices": 1,
        "before": before,
        "after": after,
    }


def test_in_json_what_was_not_or_is_no_longer_is_null() -> None:
    found = [each.to_json() for each in told(PLAIN, config(mig="mixed"), "a100-40gb-mig-mixed").changed]
    assert {each["migProfile"]: (each["before"] is None, each["after"] is None) for each in found} == {
        None: (False, True),
        "1g.5gb": (True, False),
        "2g.10gb": (True, False),
        "3g.20gb": (True, False),
    }
    assert {each["migProfile"]: each["devices"] for each in found} == {
        None: 1,
        "1g.5gb": 2,
        "2g.10gb": 1,
        "3g.20gb": 1,
    }


@pytest.mark.parametrize(
    ("strategy", "refuses", "more"),
    [
        (SharingStrategy.NONE, False, "granted"),
        (SharingStrategy.TIME_SLICING, False, "no-more"),
        (SharingStrategy.TIME_SLICING, True, "refused"),
    ],
)
def test_what_becomes_of_a_request_for_more_than_one_unit(
    strategy: SharingStrategy, *, refuses: bool, more: str
) -> None:
    assert DeviceUnit("x", strategy, 2, refuses).to_json()["moreThanOne"] == more


# Order and counts


def test_devices_of_one_model_are_one_change_and_models_stand_in_order_of_name() -> None:
    cards = [PhysicalGpu(name, 1, (7, 5)) for name in ("T4", "A10", "T4")]
    found = announce(PLAIN, SLICED, cards)
    assert [(each.device.model, each.count) for each in found.changes] == [("A10", 1), ("T4", 2)]
    assert found.gpus == tuple(cards)


def test_cards_come_before_mig_devices_and_these_by_profile() -> None:
    found = told(config(mig="mixed"), config(mig="mixed"), "a100-40gb-mig-mixed")
    assert [each.device.profile for each in found.changes] == [None, "1g.5gb", "2g.10gb", "3g.20gb"]


def test_what_one_resource_offered_is_ordered_by_profile() -> None:
    cut = (PhysicalGpu("A", 40960, (8, 0), ("2g.10gb", "1g.5gb")),)
    found = announce(config(mig="mixed"), config(mig="mixed"), cut)
    assert [each.device.profile for each in found.changes] == ["1g.5gb", "2g.10gb"]


@pytest.mark.parametrize(
    ("name", "profile"),
    [
        ("mig-1g.5gb", "1g.5gb"),
        ("mig-1g.5gb.me", "1g.5gb+me"),
        ("mig-1g.24gb.me.all", "1g.24gb+me.all"),
        ("mig-1g.24gb-me", "1g.24gb-me"),
    ],
)
def test_without_a_node_there_is_a_device_of_each_profile_that_a_config_names(
    name: str, profile: str
) -> None:
    found = told(config(mig="mixed"), config("timeSlicing", mig="mixed", name=name))
    assert [(each.device.profile, each.kind) for each in found.changes] == [
        (None, ChangeKind.UNCHANGED),
        (profile, ChangeKind.SHARED),
    ]
    assert (found.gpus, found.unmatched) == (None, ())


# What is not promised


@pytest.mark.parametrize(
    ("after", "node", "mechanisms"),
    [
        (PLAIN, "t4-x1", ()),
        (SLICED, "t4-x1", ("time-slicing",)),
        (MPS, "t4-x1", ("mps",)),
        (config(mig="mixed"), "a100-40gb-mig-mixed", ("mig",)),
        (
            config("timeSlicing", mig="mixed", name="mig-1g.5gb"),
            "a100-40gb-mig-mixed",
            ("time-slicing", "mig"),
        ),
    ],
)
def test_the_mechanisms_of_what_is_offered_from_now_on(
    after: Loaded, node: str, mechanisms: tuple[str, ...]
) -> None:
    assert told(config(mig="mixed" if "mig" in mechanisms else "none"), after, node).mechanisms == mechanisms


def test_a_device_that_is_gone_promises_nothing() -> None:
    found = told(config(mig="mixed"), PLAIN, "a100-40gb-mig-7x1g-x2")
    assert (found.mechanisms, found.shares) == ((), False)


def test_each_aspect_that_a_mechanism_does_not_promise_has_its_source() -> None:
    """MIG has walls: of it only what its devices share remains."""
    four = [Aspect.MEMORY, Aspect.SPEED, Aspect.FAULTS, Aspect.CARD]
    assert {name: list(aspects) for name, aspects in NOT_PROMISED.items()} == {
        "time-slicing": four,
        "mps": four,
        "mig": [Aspect.REST],
    }
    assert all("NVIDIA" in source for aspects in NOT_PROMISED.values() for source in aspects.values())


# Without sharing


def test_a_config_without_its_sharing_offers_each_device_once_to_one() -> None:
    setting = without_sharing(config("mps", more="renameByDefault: true, ")).setting
    assert setting is not None
    assert (setting.resources, setting.rename_by_default, setting.fail_requests_greater_than_one) == (
        (),
        False,
        False,
    )
    assert setting.strategy is SharingStrategy.NONE


def test_a_config_that_does_not_load_stays_as_it_is_without_sharing() -> None:
    broken = load("version: v9")
    assert without_sharing(broken) is broken


def test_why_nothing_is_offered_is_told_in_the_words_of_the_programs() -> None:
    reasons = []
    for after, node in (
        (config(mig="single"), "a100-40gb-mig-mixed"),
        (config("mps", 49), "a100-40gb-x4"),
        (config("mps", name="gpus"), "t4-x1"),
    ):
        with pytest.raises(NothingOfferedError) as caught:
            told(PLAIN, after, node)
        reasons.append((str(caught.value), caught.value.reason is None, caught.value.waiting))
    assert [(text.startswith("error getting plugins"), none, waiting) for text, none, waiting in reasons] == [
        (True, False, ()),
        (False, False, ("nvidia.com/gpu",)),
        (False, True, ("nvidia.com/gpu",)),
    ]
    assert reasons[2][0] == "nvidia.com/gpu"


def test_a_device_without_a_word_about_it_is_not_cut() -> None:
    assert not Device("A", 1, None).is_cut


def test_what_has_no_offer_before_or_after_is_not_renamed() -> None:
    offer = DeviceUnit("x", SharingStrategy.NONE, 1, refuses_more=False)
    device = Device("A", 1, None)
    assert [
        Change(device, 1, *both).is_renamed for both in ((None, offer), (offer, None), (offer, offer))
    ] == [False] * 3
