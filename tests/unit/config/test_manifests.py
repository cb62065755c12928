"""Views of manifests: what they say of GPUs, and where."""

from __future__ import annotations

import contextlib
from fractions import Fraction
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.config.documents.kinds import Document, documents
from labs.config.goyaml.tree import LimitError, read
from labs.config.manifests.fields import Field, field, quantity
from labs.config.manifests.objects.claims import device_configs
from labs.config.manifests.objects.pods import pod_templates
from labs.config.manifests.objects.settings import chart_settings, operator_settings
from labs.config.manifests.objects.views import cluster_node, named_configs, quota


def document(text: str) -> Document:
    (found,) = [one for one in documents(dedent(text)) if one.key is None]
    return found


def covered(text: str, one: Field | None) -> str | None:
    return None if one is None else text[one.place.start_offset : one.place.end_offset]


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("1", 1),
        ('"2"', 2),
        ("500m", Fraction(1, 2)),
        ("1000m", 1),
        ("4Gi", 4 * 1024**3),
        ("1k", 1000),
        ("1e3", 1000),
        ('"1E2"', 100),
        ("0.5", Fraction(1, 2)),
        (".5", Fraction(1, 2)),
        ("0x10", 16),
        ('"1 "', None),
        ("one", None),
        ("true", None),
        ("~", None),
        (".inf", None),
        ("[1]", None),
        ('"1e999"', None),
    ],
)
def test_a_quantity_is_read_as_kubernetes_reads_it(text: str, amount: Fraction | int | None) -> None:
    assert quantity(read(text)) == amount


POD = dedent("""\
    apiVersion: v1
    kind: Pod
    metadata: {name: train, namespace: lab, labels: {app: train}}
    spec:
      hostIPC: true
      runtimeClassName: nvidia
      nodeSelector: {nvidia.com/gpu.product: Tesla-T4}
      affinity:
        nodeAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
            nodeSelectorTerms:
              - matchExpressions:
                  - {key: nvidia.com/gpu.count, operator: In, values: ["4", "8"]}
      resourceClaims: [{name: gpu, resourceClaimTemplateName: shared-gpu}]
      initContainers: [{name: fetch, image: busybox}]
      containers:
        - name: main
          image: nvcr.io/nvidia/pytorch:25.01-py3
          securityContext: {privileged: true}
          env:
            - {name: NVIDIA_VISIBLE_DEVICES, value: all}
            - {name: HOST, valueFrom: {fieldRef: {fieldPath: status.hostIP}}}
          resources:
            requests: {cpu: 2, nvidia.com/mig-1g.5gb: 1}
            limits: {nvidia.com/gpu: 2, nvidia.com.gpu: 1, memory: 4Gi}
            claims: [{name: gpu}]
          volumeMounts: [{name: shm, mountPath: /dev/shm}]
      volumes:
        - {name: shm, emptyDir: {medium: Memory}}
    """)


def test_a_pod_tells_what_it_asks_for_and_where() -> None:
    (template,) = pod_templates(document(POD))
    fetch, main = template.containers

    assert (template.name, template.namespace, [one.name for one in template.labels]) == (
        "train",
        "lab",
        ["app"],
    )
    assert (fetch.role, fetch.name, main.role, main.name) == ("initContainers", "fetch", "containers", "main")
    assert [(one.name, one.whole, covered(POD, one)) for one in main.nvidia] == [
        ("nvidia.com/gpu", 2, "2"),
        ("nvidia.com/mig-1g.5gb", 1, "1"),
    ]
    assert [one.name for one in main.limits] == ["nvidia.com/gpu", "nvidia.com.gpu", "memory"]
    assert (main.privileged, fetch.privileged) == (True, False)
    assert [one.written for one in main.claims] == ["gpu"]


def test_a_pod_tells_its_environment_volumes_and_nodes() -> None:
    (template,) = pod_templates(document(POD))
    main = template.containers[1]
    visible, host = main.variable("NVIDIA_VISIBLE_DEVICES"), main.variable("HOST")
    assert visible is not None
    assert host is not None
    volume = template.volume(main.mounts[0].name)
    assert volume is not None
    assert volume.source is not None

    assert (covered(POD, visible.value), host.value, main.variable("none")) == ("all", None, None)
    assert (covered(POD, main.mounts[0].path), volume.source.name) == ("/dev/shm", "emptyDir")
    assert [(one.name, one.text) for one in template.node_selector] == [
        ("nvidia.com/gpu.product", "Tesla-T4")
    ]
    assert [[(one.operator, len(one.values)) for one in term] for term in template.affinity] == [[("In", 2)]]
    assert (template.host_ipc and template.host_ipc.boolean, template.host_pid) == (True, None)
    assert [(one.name, covered(POD, one.template), one.claim) for one in template.claims] == [
        ("gpu", "shared-gpu", None)
    ]


@pytest.mark.parametrize(
    ("kind", "spec"),
    [
        ("apiVersion: apps/v1, kind: Deployment", "template: {spec: {containers: [{name: a}]}}"),
        ("apiVersion: apps/v1, kind: StatefulSet", "template: {spec: {containers: [{name: a}]}}"),
        ("apiVersion: apps/v1, kind: DaemonSet", "template: {spec: {containers: [{name: a}]}}"),
        ("apiVersion: batch/v1, kind: Job", "template: {spec: {containers: [{name: a}]}}"),
        (
            "apiVersion: batch/v1, kind: CronJob",
            "jobTemplate: {spec: {template: {spec: {containers: [{name: a}]}}}}",
        ),
    ],
)
def test_every_workload_has_its_template(kind: str, spec: str) -> None:
    (template,) = pod_templates(document(f"{{{kind}, spec: {{{spec}}}}}"))

    assert [one.name for one in template.containers] == ["a"]


def test_a_quota_a_node_and_a_config_map_tell_theirs() -> None:
    limits = quota(
        document("{apiVersion: v1, kind: ResourceQuota, spec: {hard: {requests.nvidia.com/gpu: 4}}}")
    )
    node = cluster_node(
        document(
            "{apiVersion: v1, kind: Node, metadata: {name: n, labels: {nvidia.com/mig.config: all-1g}}, "
            "status: {allocatable: {nvidia.com/gpu: '8'}}}"
        )
    )
    configs = named_configs(
        document("{apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {a: 'version: v1', b: 5}}")
    )
    assert limits is not None
    assert node is not None
    assert configs is not None

    hard, label = limits.requested("nvidia.com/gpu"), node.label("nvidia.com/mig.config")
    assert (hard and hard.whole, limits.requested("nvidia.com/gpu.shared")) == (4, None)
    assert (label and label.text, [one.whole for one in node.allocatable]) == ("all-1g", [8])
    assert ([one.name for one in configs.data], configs.key("c")) == (["a", "b"], None)


@pytest.mark.parametrize(
    "text",
    [
        "apiVersion: nvidia.com/v1\nkind: ClusterPolicy\nspec:\n  {0}",
        "{0}",
    ],
)
def test_the_operators_settings_are_the_same_in_policy_and_values(text: str) -> None:
    settings = operator_settings(
        document(
            text.replace(
                "{0}",
                "{mig: {strategy: mixed, Strategy: single}, gfd: {enabled: false}, "
                "devicePlugin: {config: {name: plugin-configs, default: any}, env: [{name: MIG_STRATEGY, value: none}]}, "
                "migManager: {config: {default: all-1g.10gb, create: true, data: {}}}}",
            )
        )
    )
    assert settings is not None
    plugin, manager = settings.plugin_config, settings.mig_manager_config

    assert (settings.mig_strategy and settings.mig_strategy.text) == "mixed"
    assert [one.name for one in settings.mig] == ["strategy", "Strategy"]
    assert (settings.gfd_enabled and settings.gfd_enabled.boolean) is False
    assert (plugin.name and plugin.name.text, plugin.default and plugin.default.text) == (
        "plugin-configs",
        "any",
    )
    assert (plugin.data_field, manager.data, manager.data_field is None) == (None, (), False)
    assert (manager.default and manager.default.text, manager.create and manager.create.boolean) == (
        "all-1g.10gb",
        True,
    )
    assert [(one.name, one.value and one.value.text) for one in settings.plugin_env] == [
        ("MIG_STRATEGY", "none")
    ]


def test_the_plugins_chart_tells_which_flags_it_sets() -> None:
    settings = chart_settings(
        document("""\
        migStrategy: mixed
        failOnInitError: null
        config: {map: {default: "version: v1", mig: "version: v1"}, default: default}
        gfd: {enabled: true}
        mps: {root: /run/nvidia/mps}
        """)
    )
    assert settings is not None

    assert [(one.name, one.text) for one in settings.flags] == [("migStrategy", "mixed")]
    assert [one.name for one in settings.configs] == ["default", "mig"]
    assert (settings.config_default and settings.config_default.text, settings.config_name) == (
        "default",
        None,
    )


@pytest.mark.parametrize(
    ("kind", "spec"),
    [("ResourceClaim", "spec: {0}"), ("ResourceClaimTemplate", "spec: {spec: {0}}")],
)
def test_a_claim_tells_how_its_devices_are_to_be_shared(kind: str, spec: str) -> None:
    parameters = (
        "{apiVersion: resource.nvidia.com/v1beta1, kind: GpuConfig, sharing: {strategy: MPS, "
        "timeSlicingConfig: {interval: Long}, mpsConfig: {defaultActiveThreadPercentage: 50, "
        "defaultPinnedDeviceMemoryLimit: 10Gi, defaultPerDevicePinnedMemoryLimit: {0: 5Gi}}}}"
    )
    devices = (
        f"{{devices: {{config: [{{requests: [gpu], opaque: {{driver: gpu.nvidia.com, parameters: {parameters}}}}}, "
        "{opaque: {driver: other, parameters: {kind: Else}}}]}}"
    )
    text = f"{{apiVersion: resource.k8s.io/v1, kind: {kind}, {spec.replace('{0}', devices)}}}"
    (config,) = device_configs(document(text))
    sharing = config.sharing
    assert sharing is not None

    assert (covered(text, config.kind), covered(text, config.driver), config.requests) == (
        "GpuConfig",
        "gpu.nvidia.com",
        ("gpu",),
    )
    assert [covered(text, one) for one in (sharing.strategy, sharing.interval)] == ["MPS", "Long"]
    assert (sharing.active_thread_percentage and sharing.active_thread_percentage.whole) == 50
    assert [(one.name, one.written) for one in sharing.per_device_pinned_memory_limits] == [("0", "5Gi")]


def test_nothing_written_has_its_place_at_the_key() -> None:
    text = "a:\n  b:\n"
    found = field(read(text), "a", "b")

    assert (found and found.is_null, covered(text, found)) == (True, "b")


KINDS = st.sampled_from(
    ["v1, kind: Pod", "apps/v1, kind: DaemonSet", "batch/v1, kind: CronJob", "v1, kind: Node", "v1, kind: ConfigMap",
     "v1, kind: ResourceQuota", "nvidia.com/v1, kind: ClusterPolicy", "resource.k8s.io/v1, kind: ResourceClaim"]
)  # fmt: skip
KEYS = st.sampled_from(
    ["metadata", "name", "labels", "spec", "template", "containers", "resources", "limits", "env", "volumes", "nodeSelector",
     "updateStrategy", "hard", "status", "data", "devices", "config", "opaque", "parameters", "sharing", "mig", "value"]
)  # fmt: skip
VALUES = st.recursive(
    st.sampled_from(["~", "1", "x", "true", "500m", "''"]),
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda parts: f"[{', '.join(parts)}]")
        | st.lists(st.tuples(KEYS, inner), max_size=4).map(
            lambda pairs: "{" + ", ".join(f"{key}: {value}" for key, value in pairs) + "}"
        )
    ),
    max_leaves=12,
)


@given(KINDS, st.lists(st.tuples(KEYS, VALUES), max_size=4))
def test_no_manifest_is_too_odd_to_be_viewed(kind: str, members: list[tuple[str, str]]) -> None:
    text = f"{{apiVersion: {kind}" + "".join(f", {key}: {value}" for key, value in members) + "}"
    found: tuple[Document, ...] = ()
    with contextlib.suppress(LimitError):
        found = documents(text)
    views = (pod_templates, quota, cluster_node, named_configs, operator_settings, device_configs)
    seen = [sum(bool(view(one)) for view in views) for one in found]
    assert max(seen, default=0) <= 1  # a document is of one kind
