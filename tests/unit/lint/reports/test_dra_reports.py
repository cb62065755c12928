"""Claims for NVIDIA's DRA driver, the operator moved to DRA, and objects beside what is shared."""

from __future__ import annotations

import pytest

from tests.report_cases import case, said

CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: mine}
spec:
  devices:
    requests:
      - {name: gpu, exactly: {deviceClassName: gpu.nvidia.com}}
    config:
      - requests: [gpu]
        opaque:
          driver: gpu.nvidia.com
          parameters:
            apiVersion: resource.nvidia.com/v1beta1
            kind: GpuConfig
            sharing: {strategy: TimeSlicing}
"""
OPEN = "resources: {gpus: {enabled: true}}\nfeatureGates: {TimeSlicingSettings: true}\n"
SHARING = (
    "version: v1\nsharing: {timeSlicing: {failRequestsGreaterThanOne: true, "
    "resources: [{name: nvidia.com/gpu, replicas: 4}]}}\n"
)
RENAMING = SHARING.replace("{failR", "{renameByDefault: true, failR")


def codes(*texts: str) -> list[str]:
    return [
        line.partition(" ")[2] for line in said({f"{number}.yaml": text for number, text in enumerate(texts)})
    ]


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("deviceclass.yaml", ["14:23 GL420 near", "15:56 GL423"]),
        ("template-with-same-error.yaml", ["14:25 GL420 near", "15:58 GL423"]),
        ("request-name-mismatch.yaml", ["10:20 GL427"]),
        ("zh-notes.yaml", ["13:25 GL426"]),
        ("ja-article.yaml", ["8:9 GL428", "14:25 GL426"]),
    ],
)
def test_parameters_of_a_claim_are_of_the_drivers_api_and_in_their_place(name: str, lines: list[str]) -> None:
    assert said({name: case("dra-wrong-group-and-place")[name]}) == [f"{name}:{line}" for line in lines]


def test_a_template_shares_nothing_between_the_pods_that_name_it() -> None:
    files = case("dra-template-each-pod-own-gpu")
    assert said(files) == ["claim.yaml:17:15 GL431"]
    gates = {"values.yaml": "resources: {gpus: {enabled: true}}\nfeatureGates: {MPSSupport: true}\n"}
    assert said({**files, **gates}) == ["claim.yaml:17:15 GL431", "claim.yaml:18:27 GL430"]
    assert said({**files, "values.yaml": OPEN}) == ["claim.yaml:17:15 GL431"]
    assert (
        said({"claim.yaml": files["claim.yaml"], "pods.yaml": files["pods.yaml"].partition("---")[0]}) == []
    )


def test_containers_of_one_pod_share_the_claim_of_a_template() -> None:
    files = case("dra-template-each-pod-own-gpu")
    container = (
        "- {name: d, image: registry.example/d:1, resources: {claims: [{name: shared}]}}\n  resourceClaims"
    )
    pods = files["pods.yaml"].replace("resourceClaims", container.replace("- {", "  - {"))
    assert said({"claim.yaml": files["claim.yaml"], "pods.yaml": pods}) == []


def test_the_operator_moved_to_dra_reads_no_config_and_offers_no_gpu_by_name() -> None:
    files = case("operator-moved-to-dra")
    assert said({name: files[name] for name in ("values.yaml", "old-pod.yaml", "claims.yaml")}) == [
        "values.yaml:7:3 GL546",
        "old-pod.yaml:6:71 GL901 moved",
        "claims.yaml:15:35 GL430",
    ]
    assert said({"both.yaml": files["both.yaml"]}) == ["both.yaml:2:24 GL547"]


def test_a_device_class_may_stand_in_for_the_name() -> None:
    files = case("operator-moved-to-dra")
    of_class = (
        "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: a}\n"
        "spec: {extendedResourceName: nvidia.com/gpu}\n"
    )
    told = said(
        {"values.yaml": files["values.yaml"], "old-pod.yaml": files["old-pod.yaml"], "class.yaml": of_class}
    )
    assert told == ["values.yaml:7:3 GL546"]


def test_a_queue_that_does_not_cover_the_new_name_admits_nothing() -> None:
    files = case("kueue-quota-of-slots")
    assert said(files) == ["queue.yaml:11:39 GL907 queue"]
    covered = files["queue.yaml"].replace(
        "memory, nvidia.com/gpu]", "memory, nvidia.com/gpu, nvidia.com/gpu.shared]"
    )
    assert said({**files, "queue.yaml": covered}) == []


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("resource.nvidia.com/v1beta1", "resource.nvidia.com/v1alpha1", ["GL426"]),
        ("kind: GpuConfig", "kind: GPUConfig", ["GL426 kind"]),
        ("kind: GpuConfig", "kind: MigDeviceConfig", []),
        ("driver: gpu.nvidia.com", "driver: gpu.other.example", []),
        ("requests: [gpu]", "requests: [gpus]", ["GL427"]),
        (
            "exactly: {deviceClassName: gpu.nvidia.com}",
            "firstAvailable: [{name: big, deviceClassName: a}]",
            [],
        ),
        ("requests: [gpu]", "requests: [gpu/big]", ["GL427"]),
        ("exactly: {deviceClassName: gpu.nvidia.com}", "deviceClassName: gpu.nvidia.com", ["GL428"]),
        ("resource.k8s.io/v1\n", "resource.k8s.io/v1beta2\n", []),
        ("resource.k8s.io/v1\n", "resource.k8s.io/v1beta1\n", ["GL428 older"]),
    ],
)
def test_what_a_claim_may_say(old: str, new: str, expected: list[str]) -> None:
    assert codes(CLAIM.replace(old, new, 1)) == expected


def test_an_alternative_of_a_request_is_named_behind_a_slash() -> None:
    claim = CLAIM.replace("exactly: {deviceClassName", "firstAvailable: [{name: big, deviceClassName")
    claim = claim.replace("gpu.nvidia.com}}", "gpu.nvidia.com}]}").replace(
        "requests: [gpu]", "requests: [gpu/big]"
    )
    assert codes(claim) == []


@pytest.mark.parametrize(
    ("claims", "own", "expected"),
    [
        ("[{name: gpu}]", "[{name: gpu, resourceClaimName: a}]", []),
        ("[{name: gpus}]", "[{name: gpu, resourceClaimName: a}]", ["GL429"]),
        ("[{name: gpu}]", "[]", ["GL429 nothing"]),
        ("[{name: gpu}]", "[{name: gpu, source: {resourceClaimName: a}}]", ["GL429 source"]),
    ],
)
def test_a_container_names_claims_of_its_pod(claims: str, own: str, expected: list[str]) -> None:
    pod = (
        "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n"
        f"  containers: [{{name: a, image: a, resources: {{claims: {claims}}}}}]\n  resourceClaims: {own}\n"
    )
    assert codes(pod) == expected


@pytest.mark.parametrize(
    ("gates", "expected"),
    [
        ("featureGates: {TimeSlicingSettings: true}", []),
        ("featureGates: {AllAlpha: true, MPSSupport: true}", []),
        ("featureGates: {MPSSupport: true}", ["GL430"]),
        ("featureGates: {TimeSlicingSettings: false}", ["GL430"]),
        ("nvidiaDriverRoot: /", []),
    ],
)
def test_given_feature_gates_decide_whether_a_strategy_is_known(gates: str, expected: list[str]) -> None:
    assert codes(f"resources: {{gpus: {{enabled: true}}}}\n{gates}\n", CLAIM) == expected


DAEMON = (
    "apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: a}\n"
    "spec:\n  minReadySeconds: 9\n  selector: {matchLabels: {a: b}}\n"
    "  template: {metadata: {labels: {a: b, c: d}}, spec: {containers: [{name: a, image: a}]}}\n"
)
BUDGET = (
    "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: a}\n"
    "spec: {maxUnavailable: 1, selector: {matchLabels: {a: b}}}\n"
)


@pytest.mark.parametrize(
    ("budget", "expected"),
    [
        (BUDGET, ["GL910"]),
        (BUDGET.replace("a: b", "a: c"), []),
        (BUDGET.replace("{name: a}", "{name: a, namespace: other}"), []),
        (BUDGET.replace("{matchLabels: {a: b}}", "{}"), []),
    ],
)
def test_a_budget_holds_back_no_rollout_of_a_daemonset(budget: str, expected: list[str]) -> None:
    assert [code for code in codes(DAEMON, budget) if code == "GL910"] == expected


def test_a_budget_that_protects_another_workload_too_is_left_alone() -> None:
    other = DAEMON.replace("DaemonSet", "Deployment").replace("  minReadySeconds: 9\n", "")
    assert [code for code in codes(DAEMON, other, BUDGET) if code == "GL910"] == []


def scaler(metric: str) -> str:
    return (
        "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: a}\nspec:\n"
        f"  metrics: [{{type: Pods, pods: {{metric: {{name: {metric}}}}}}}]\n"
    )


KEDA = (
    "apiVersion: keda.sh/v1alpha1\nkind: ScaledObject\nmetadata: {name: a}\nspec:\n"
    "  triggers: [{type: prometheus, metadata: {query: 'avg(DCGM_FI_PROF_GR_ENGINE_ACTIVE)'}}]\n"
)


@pytest.mark.parametrize(
    ("config", "scaling", "expected"),
    [
        (SHARING, scaler("DCGM_FI_DEV_GPU_UTIL"), ["GL911"]),
        (SHARING, KEDA, ["GL911"]),
        (SHARING, scaler("requests_waiting"), []),
        (SHARING, scaler("gpu_utilization"), ["GL911"]),
        (SHARING, scaler("my_worker_process_gpu_utilization"), []),
        ("version: v1\nflags: {migStrategy: none}\n", scaler("DCGM_FI_DEV_GPU_UTIL"), []),
    ],
)
def test_a_metric_of_a_shared_card_is_none_of_one_pod(config: str, scaling: str, expected: list[str]) -> None:
    assert [code for code in codes(config, scaling) if code == "GL911"] == expected


def test_a_quota_of_the_new_name_is_asked_for_of_queues_and_quotas_alike() -> None:
    quota = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: a}\nspec: {hard: {requests.nvidia.com/gpu: 4}}\n"
    assert [code for code in codes(RENAMING, quota) if code.startswith("GL907")] == ["GL907"]


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("nvidia.com/mig.config.state: failed", ["GL912 mig"]),
        ("nvidia.com/mig.config.state: pending", []),
        ("nvidia.com/gpu-driver-upgrade-state: upgrade-failed", ["GL912 upgrade"]),
        ("nvidia.com/gpu-driver-upgrade-state: upgrade-done", []),
        ("nvidia.com/gpu.deploy.device-plugin: paused-for-mig-change", ["GL912"]),
        ("nvidia.com/gpu.deploy.dcgm-exporter: 'false'", []),
    ],
)
def test_a_state_in_which_the_operator_left_a_node_is_told(label: str, expected: list[str]) -> None:
    assert codes(f"apiVersion: v1\nkind: Node\nmetadata: {{name: a, labels: {{{label}}}}}\n") == expected
