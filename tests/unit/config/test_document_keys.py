"""Which keys show what a document without a `kind` is: each of them alone, and how far a misspelt one still does."""

from __future__ import annotations

import pytest

from labs.config.documents.kinds import Kind, documents

PLUGIN_CONFIG = ("sharing", "timeSlicing", "renameByDefault", "failRequestsGreaterThanOne")
PLUGIN_CHART = (
    "migStrategy", "failOnInitError", "deviceList", "deviceListStrategy", "deviceIDStrategy", "nvidiaDriverRoot",
    "compatWithCPUManager", "legacyDaemonsetAPI", "gdrcopyEnabled", "gdsEnabled", "mofedEnabled",
    "deviceDiscoveryStrategy", "sharedDevicesAllocationPolicy", "selectorLabelsOverride", "allowDefaultNamespace",
)  # fmt: skip
OPERATOR_CHART = (
    "migManager", "dcgm", "dcgmExporter", "toolkit", "sandboxWorkloads", "vgpuManager", "vgpuDeviceManager",
    "vfioManager", "nodeStatusExporter", "ccManager", "kataManager", "gdrcopy", "sandboxDevicePlugin",
)  # fmt: skip
FLAGS = (
    "migStrategy", "failOnInitError", "mpsRoot", "nvidiaDriverRoot", "nvidiaDevRoot", "gdrcopyEnabled", "gdsEnabled",
    "mofedEnabled", "deviceDiscoveryStrategy", "useNodeFeatureAPI", "plugin", "gfd", "deviceListStrategy",
    "deviceIDStrategy", "passDeviceSpecs",
)  # fmt: skip
BUF = ("lint", "breaking", "deps", "build", "modules", "plugins", "managed")


def kind_of(text: str) -> Kind:
    return documents(text)[0].kind


def spellings(key: str) -> list[str]:
    hyphened = "".join(f"-{char.lower()}" if char.isupper() else char for char in key)
    return [key, key.upper(), key.lower(), hyphened, hyphened.replace("-", "_")]


@pytest.mark.parametrize(
    ("keys", "kind"),
    [
        (PLUGIN_CONFIG, Kind.DEVICE_PLUGIN),
        (("migConfigs", "migConfig"), Kind.MIG_PARTED),
        (PLUGIN_CHART, Kind.DEVICE_PLUGIN_VALUES),
        (OPERATOR_CHART, Kind.GPU_OPERATOR_VALUES),
    ],
)
def test_a_key_shows_its_kind_in_any_spelling(keys: tuple[str, ...], kind: Kind) -> None:
    written = [spelling for key in keys for spelling in spellings(key)]
    assert [kind_of(f"other: 1\n{key}: x\n") for key in written] == [kind] * len(written)
    assert [kind_of(f"other: [\n{key}: x\n") for key in written] == [kind] * len(written)


@pytest.mark.parametrize("flag", FLAGS)
def test_a_flag_shows_a_plugins_config(flag: str) -> None:
    assert kind_of(f"other: 1\nflags: {{{flag}: x}}\n") is Kind.DEVICE_PLUGIN


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("mps: {resources: []}", Kind.DEVICE_PLUGIN),
        ("mps: {renameByDefault: true}", Kind.DEVICE_PLUGIN),
        ("mps: {failRequestsGreaterThanOne: true}", Kind.DEVICE_PLUGIN),
        ("mps: {root: /mps}", Kind.DEVICE_PLUGIN_VALUES),
        ("mps: {other: 1}", Kind.UNKNOWN),
        ("resources: {gpus: []}", Kind.DEVICE_PLUGIN),
        ("resources: {mig: []}", Kind.DEVICE_PLUGIN),
        ("resources: {migs: []}", Kind.DEVICE_PLUGIN),
        ("resources: {limits: {}}", Kind.UNKNOWN),
        ("resources: {gpus: {enabled: true}}", Kind.DRA_DRIVER_VALUES),
        ("resources: {computeDomains: {enabled: false}}", Kind.DRA_DRIVER_VALUES),
        ("featureGates: {TimeSlicingSettings: true}", Kind.DRA_DRIVER_VALUES),
        ("featureGates: {MPSSupport: true}\nnvidiaDriverRoot: /", Kind.DRA_DRIVER_VALUES),
        ("featureGates: {Other: true}", Kind.UNKNOWN),
        ("gpuResourcesEnabledOverride: true\nnvidiaDriverRoot: /", Kind.DRA_DRIVER_VALUES),
        ("kubeletPlugin: {}", Kind.UNKNOWN),
        ("clusterPolicy: {deployCR: false}", Kind.GPU_OPERATOR_VALUES),
        ("clusterPolicy: {other: false}", Kind.UNKNOWN),
        ("gpuCluster: {deployCR: true}", Kind.GPU_OPERATOR_VALUES),
        ("draDriver: {featureGates: {MPSSupport: true}}", Kind.GPU_OPERATOR_VALUES),
        ("any: {version: v1, sharing: {}}", Kind.DEVICE_PLUGIN),
        ("any: {version: v1, flags: {}}", Kind.DEVICE_PLUGIN),
        ("any: {sharing: {}}", Kind.UNKNOWN),
        ("any: {version: v1}", Kind.UNKNOWN),
        ("version: v1\nother: 1", Kind.DEVICE_PLUGIN),
        ("version: v2\nother: 1", Kind.UNKNOWN),
        ("version: [v1]\nother: 1", Kind.UNKNOWN),
        ("version: v2", Kind.DEVICE_PLUGIN),
        ("flags: {other: 1}", Kind.DEVICE_PLUGIN),
        ("imex: {}", Kind.DEVICE_PLUGIN),
        ("version: v2\nresources: {}", Kind.UNKNOWN),
        ("config: {map: {}}", Kind.DEVICE_PLUGIN_VALUES),
        ("config: {fallbackStrategies: []}", Kind.DEVICE_PLUGIN_VALUES),
        ("config: {name: x}", Kind.UNKNOWN),
        ("gfd: {}\nconfig: {name: x}", Kind.DEVICE_PLUGIN_VALUES),
        ("gfd: {}\nconfig: {default: x}", Kind.DEVICE_PLUGIN_VALUES),
        ("gfd: {}\nconfig: {other: x}", Kind.GPU_OPERATOR_VALUES),
        ("gfd: {}", Kind.GPU_OPERATOR_VALUES),
        ("devicePlugin: {}", Kind.GPU_OPERATOR_VALUES),
        ("mig: {strategy: single}", Kind.GPU_OPERATOR_VALUES),
        ("mig: {other: single}", Kind.UNKNOWN),
        # Where both charts have keys, the one with more; of as many, the operator's.
        ("migStrategy: x\nfailOnInitError: x\ntoolkit: x", Kind.DEVICE_PLUGIN_VALUES),
        ("migStrategy: x\ntoolkit: x", Kind.GPU_OPERATOR_VALUES),
        ("migStrategy: x\ndevicePlugin: {config: {}}", Kind.GPU_OPERATOR_VALUES),
        ("migStrategy: x\ndevicePlugin: {other: {}}", Kind.DEVICE_PLUGIN_VALUES),
        ("config: {map: {}}\nmps: {root: x}\nmig: {strategy: x}", Kind.DEVICE_PLUGIN_VALUES),
        ("config: {map: {}}\nmig: {strategy: x}", Kind.GPU_OPERATOR_VALUES),
        ("gfd: {}\nconfig: {name: x}\nmps: {root: x}\ntoolkit: x", Kind.DEVICE_PLUGIN_VALUES),
    ],
)
def test_keys_show_a_kind_together(text: str, kind: Kind) -> None:
    assert kind_of(text) is kind


@pytest.mark.parametrize("child", ["config", "env", "args", "repository", "image", "version", "mps"])
def test_a_plugin_with_this_key_is_the_operators(child: str) -> None:
    text = f"devicePlugin: {{{child}: x}}\nmig: {{strategy: x}}\nmigStrategy: x\n"
    assert kind_of(text) is Kind.GPU_OPERATOR_VALUES
    assert kind_of(f"{text}failOnInitError: x\n") is Kind.GPU_OPERATOR_VALUES
    assert kind_of(f"{text}failOnInitError: x\ngdsEnabled: x\n") is Kind.DEVICE_PLUGIN_VALUES


@pytest.mark.parametrize("key", BUF)
def test_a_version_is_not_enough_beside_a_key_of_buf(key: str) -> None:
    assert kind_of(f"version: v1\n{key}: x\n") is Kind.UNKNOWN


@pytest.mark.parametrize(
    ("key", "kind"),
    [
        ("shring", Kind.DEVICE_PLUGIN),
        ("sharin", Kind.DEVICE_PLUGIN),
        ("sharr", Kind.UNKNOWN),
        ("shar", Kind.UNKNOWN),
        ("timeSlicin", Kind.DEVICE_PLUGIN),
        ("mig-confgs", Kind.MIG_PARTED),
        ("timeSlicing" + "x" * 29, Kind.UNKNOWN),
    ],
)
def test_a_slip_of_the_pen_is_understood(key: str, kind: Kind) -> None:
    assert kind_of(f"other: 1\n{key}: x\n") is kind


def test_a_slip_of_the_pen_is_looked_for_in_a_file_of_few_keys() -> None:
    def with_others(number: int) -> str:
        return "shring: {}\n" + "".join(f"k{index}: x\n" for index in range(number))

    assert kind_of(with_others(31)) is Kind.DEVICE_PLUGIN
    assert kind_of(with_others(32)) is Kind.UNKNOWN
    assert kind_of(with_others(32) + "sharing: {}\n") is Kind.DEVICE_PLUGIN


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("version: v1\nflags: [", Kind.DEVICE_PLUGIN),
        ("version: v1\nflags: x\nother: [", Kind.DEVICE_PLUGIN),
        ("version: v1\nother: [", Kind.UNKNOWN),
        ("flags: x\nother: [", Kind.UNKNOWN),
        ("version: [", Kind.DEVICE_PLUGIN),
        ("resources: [", Kind.DEVICE_PLUGIN),
        ("flags: [", Kind.DEVICE_PLUGIN),
        ("imex: [", Kind.DEVICE_PLUGIN),
        ("'imex' : [", Kind.DEVICE_PLUGIN),
        ('"imex":\t[', Kind.DEVICE_PLUGIN),
        (" imex: [", Kind.UNKNOWN),
        ("imex:x [: [", Kind.UNKNOWN),
        ("[", Kind.UNKNOWN),
        ("migStrategy: x\ntoolkit: [", Kind.GPU_OPERATOR_VALUES),
        ("migStrategy: x\ngdsEnabled: x\ntoolkit: [", Kind.DEVICE_PLUGIN_VALUES),
    ],
)
def test_a_text_that_is_no_yaml_is_known_by_the_keys_at_the_start_of_its_lines(text: str, kind: Kind) -> None:
    assert kind_of(text) is kind


@pytest.mark.parametrize(
    ("kind", "groups"),
    [
        (Kind.CONFIG_MAP, ["v1"]),
        (Kind.CLUSTER_POLICY, ["nvidia.com/v1"]),
        (Kind.POD, ["v1"]),
        (Kind.DEPLOYMENT, ["apps/v1", "extensions/v1beta1"]),
        (Kind.STATEFUL_SET, ["apps/v1"]),
        (Kind.DAEMON_SET, ["apps/v1", "extensions/v1beta1"]),
        (Kind.JOB, ["batch/v1"]),
        (Kind.CRON_JOB, ["batch/v1"]),
        (Kind.LIST, ["v1"]),
        (Kind.RESOURCE_CLAIM, ["resource.k8s.io/v1"]),
        (Kind.RESOURCE_CLAIM_TEMPLATE, ["resource.k8s.io/v1"]),
        (Kind.NODE, ["v1"]),
        (Kind.RESOURCE_QUOTA, ["v1"]),
        (Kind.DEVICE_CLASS, ["resource.k8s.io/v1"]),
        (Kind.GPU_CLUSTER, ["nvidia.com/v1"]),
        (Kind.CLUSTER_QUEUE, ["kueue.x-k8s.io/v1beta1"]),
        (Kind.POD_DISRUPTION_BUDGET, ["policy/v1"]),
        (Kind.HORIZONTAL_POD_AUTOSCALER, ["autoscaling/v2"]),
        (Kind.SCALED_OBJECT, ["keda.sh/v1alpha1"]),
    ],
)
def test_an_object_of_kubernetes_is_one_in_its_api_groups(kind: Kind, groups: list[str]) -> None:
    assert [kind_of(f"apiVersion: {group}\nkind: {kind}") for group in groups] == [kind] * len(groups)
    others = {"v1", "apps/v1", "extensions/v1beta1", "batch/v1", "nvidia.com/v1", "other/v1"} - set(groups)
    assert {kind_of(f"apiVersion: {group}\nkind: {kind}") for group in others} == {Kind.UNKNOWN}
    assert kind_of(f"kind: {kind}") is kind
    assert kind_of(f"kind: {kind}\na: [") is kind
