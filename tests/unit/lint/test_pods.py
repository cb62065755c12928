"""Rules about Pods, GL401 to GL412: what each finds, where it points, when it must stay silent, what its fix writes."""

from __future__ import annotations

import dataclasses
from textwrap import dedent, indent

import pytest

from labs.cluster.sample_nodes import SAMPLE_NODES
from labs.config.plugin.flags import Deployer
from labs.hardware.catalog import builtin_catalog
from labs.lint.core.linter import lint, read
from labs.lint.core.selection import Selection
from labs.lint.findings.finding import Finding, Severity
from labs.lint.findings.fixing import fixed
from labs.lint.keys.resources.misnomers import misnomer
from labs.lint.subject.settings import Settings

SETTINGS = Settings(catalog=builtin_catalog())
SHARED = "sharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 4}]}}\n"
MPS = (
    "flags: {mpsRoot: /run/nvidia/mps}\nsharing: {mps: {resources: [{name: nvidia.com/gpu, replicas: 4}]}}\n"
)
UNSHARED = "version: v1\nflags: {migStrategy: none}\n"


def findings(code: str, *texts: str, settings: Settings = SETTINGS) -> list[Finding]:
    sources = [read(f"{number}.yaml", text, settings) for number, text in enumerate(texts)]
    found = lint(sources, settings, Selection(select=(code,)))
    return [one for each in found.values() for one in each]


def container(body: str, name: str = "main", image: str = "example.com/main:1") -> str:
    return f"- name: {name}\n  image: {image}\n" + indent(dedent(body), "  ")


def pod(*containers: str, spec: str = "", kind: str = "Pod") -> str:
    """A Pod, or an object with a template of one."""
    body = dedent(spec) + "containers:\n" + "".join(indent(one, "  ") for one in containers)
    paths = {"Pod": ["spec"], "CronJob": ["spec", "jobTemplate", "spec", "template", "spec"]}
    for key in reversed(paths.get(kind, ["spec", "template", "spec"])):
        body = f"{key}:\n" + indent(body, "  ")
    group = {"Pod": "v1", "Job": "batch/v1", "CronJob": "batch/v1"}.get(kind, "apps/v1")
    return f"apiVersion: {group}\nkind: {kind}\nmetadata: {{name: it}}\n{body}"


def limited(limits: str) -> str:
    return pod(container(f"resources: {{limits: {limits}}}\n"))


def said(found: list[Finding]) -> list[tuple[str, str]]:
    """The variant and the quoted first argument of each."""
    return [(one.variant, str(one.arguments[0][1])) for one in found]


def mended(code: str, text: str) -> str:
    return fixed(text, findings(code, text)).text


# Kinds


@pytest.mark.parametrize("kind", ["Pod", "Deployment", "StatefulSet", "DaemonSet", "Job", "CronJob"])
def test_every_kind_with_a_pod_template_is_looked_at(kind: str) -> None:
    text = pod(container("resources: {limits: {nvidia.com/gpu: 0.5}}\n"), kind=kind)
    assert len(findings("GL401", text)) == 1


def test_the_items_of_a_list_and_init_containers_are_looked_at() -> None:
    item = indent(pod(container("resources: {limits: {nvidia.com/gpu: 0.5}}\n")), "    ").replace(
        "    ", "  - ", 1
    )
    text = "apiVersion: v1\nkind: List\nitems:\n" + item.replace("containers:", "initContainers:")
    assert len(findings("GL401", text)) == 1


def test_an_alias_to_the_same_resources_is_reported_once() -> None:
    resources = "resources:\n  limits: &gpu {nvidia.com/gpu: 0.5}\n  requests: *gpu\n"
    assert len(findings("GL401", pod(container(resources)))) == 1


# GL401 fractional-gpu


@pytest.mark.parametrize(
    ("value", "variant", "fix"),
    [
        ("0.25", "", "1"),
        ('"0.25"', "", '"1"'),
        ("1.5", "", "2"),
        ("500m", "", "1"),
        ("-1", "negative", None),
        ('"1/2"', "no-quantity", None),
        ("50%", "no-quantity", None),
        ("one", "no-quantity", None),
        ("true", "no-quantity", None),
    ],
)
def test_what_is_no_whole_number_is_found(value: str, variant: str, fix: str | None) -> None:
    text = limited(f"{{nvidia.com/gpu: {value}}}")
    (one,) = findings("GL401", text)
    assert one.variant == variant
    assert (one.fix is None) == (fix is None)
    assert fix is None or mended("GL401", text) == limited(f"{{nvidia.com/gpu: {fix}}}")


@pytest.mark.parametrize(
    "value", ["1", '"1"', "0", "1000m", "1e0", "2.0", "~", "${GPUS}", "'{{ .gpus }}'", "[1]", "{}"]
)
def test_whole_numbers_and_what_is_yet_to_be_filled_in_are_no_fractions(value: str) -> None:
    assert findings("GL401", limited(f"{{nvidia.com/gpu: {value}}}")) == []


def test_a_fraction_of_cpu_or_of_anothers_device_is_not_ours() -> None:
    assert findings("GL401", limited("{cpu: 0.5, example.com/gpu: 0.5}")) == []


def test_a_fraction_is_pointed_at_in_limits_and_in_requests() -> None:
    text = pod(container("resources:\n  limits: {nvidia.com/gpu: 0.5}\n  requests: {nvidia.com/gpu: 0.25}\n"))
    assert [(one.span.start.line, one.span.start.column) for one in findings("GL401", text)] == [
        (9, 34),
        (10, 36),
    ]


# GL402 gpu-request-without-equal-limit


@pytest.mark.parametrize(
    ("resources", "after"),
    [
        (
            "resources:\n  requests:\n    nvidia.com/gpu: 2\n",
            "resources:\n  limits:\n    nvidia.com/gpu: 2\n",
        ),
        (
            "resources:\n  requests:\n    cpu: 1\n    nvidia.com/gpu: 2\n",
            "resources:\n  limits: {nvidia.com/gpu: 2}\n  requests:\n    cpu: 1\n    nvidia.com/gpu: 2\n",
        ),
        (
            "resources:\n  limits:\n    cpu: 1\n  requests:\n    nvidia.com/gpu: 2\n",
            "resources:\n  limits:\n    nvidia.com/gpu: 2\n    cpu: 1\n  requests:\n    nvidia.com/gpu: 2\n",
        ),
        (
            'resources: {"requests": {"cpu": 1, "nvidia.com/gpu":2}}\n',
            'resources: {"limits": {"nvidia.com/gpu": 2}, "requests": {"cpu": 1, "nvidia.com/gpu":2}}\n',
        ),
    ],
)
def test_a_missing_limit_is_added_safely(resources: str, after: str) -> None:
    text = pod(container(resources))
    (one,) = findings("GL402", text)
    assert (one.variant, one.fix is not None and one.fix.safe) == ("", True)
    assert mended("GL402", text) == pod(container(after))
    assert findings("GL402", pod(container(after))) == []


def test_requests_that_an_alias_brings_are_pointed_at_there_and_left_as_they_are() -> None:
    resources = "resources:\n  requests: &r {nvidia.com/gpu: 1, cpu: 1}\n"
    other = "resources: {requests: *r}\n"
    found = findings("GL402", pod(container(resources), container(other, "b")))
    assert [(one.span.start.line, one.fix is not None) for one in found] == [(9, True), (12, False)]


def test_a_request_that_differs_is_made_equal_only_on_demand() -> None:
    text = pod(container("resources:\n  limits: {nvidia.com/gpu: 2}\n  requests: {nvidia.com/gpu: 1}\n"))
    (one,) = findings("GL402", text)
    assert (one.variant, one.fix is not None and one.fix.safe) == ("unequal", False)
    assert [other.note for other in one.related] == ["limit"]
    assert "requests: {nvidia.com/gpu: 2}" in mended("GL402", text)


@pytest.mark.parametrize(
    "resources",
    [
        "resources: {limits: {nvidia.com/gpu: 1}}\n",
        "resources: {limits: {nvidia.com/gpu: 1}, requests: {nvidia.com/gpu: '1'}}\n",
        "resources: {limits: {nvidia.com/gpu: 1000m}, requests: {nvidia.com/gpu: 1}}\n",
        "resources: {requests: {cpu: 1}}\n",
        "resources: {requests: {nvidia.com/gpu: 0.5}}\n",
        "resources: {requests: []}\n",
        "resources: x\n",
    ],
)
def test_equal_limits_and_what_other_rules_say_are_passed_over(resources: str) -> None:
    assert findings("GL402", pod(container(resources))) == []


# GL403 unqualified-resource-name and GL407 nvidia-resource-no-node-has


@pytest.mark.parametrize(
    ("name", "slip", "meant"),
    [
        ("gpu", "unqualified", "nvidia.com/gpu"),
        ("gpus", "unqualified", "nvidia.com/gpu"),
        ("nvidia.com.gpu", "unqualified", "nvidia.com/gpu"),
        ("nvidia-gpu", "unqualified", "nvidia.com/gpu"),
        ("nvidia.com.gpu.shared", "unqualified", "nvidia.com/gpu.shared"),
        ("mig-1g.5gb", "unqualified", "nvidia.com/mig-1g.5gb"),
        ("nvidia-memory", "unqualified", ""),
        ("nvidia/gpu", "other-domain", "nvidia.com/gpu"),
        ("nvdia.com/gpu", "other-domain", "nvidia.com/gpu"),
        ("NVIDIA.com/gpu", "other-domain", "nvidia.com/gpu"),
        ("alpha.kubernetes.io/nvidia-gpu", "other-domain", "nvidia.com/gpu"),
        ("nvidia.com/gpus", "no-such", "nvidia.com/gpu"),
        ("nvidia.com/GPU", "no-such", "nvidia.com/gpu"),
        ("nvidia.com/gpu-shared", "no-such", "nvidia.com/gpu.shared"),
        ("nvidia.com/mig-1g5gb", "no-such", "nvidia.com/mig-1g.5gb"),
        ("nvidia.com/mig-1g.5gb+me", "no-such", "nvidia.com/mig-1g.5gb.me"),
        ("nvidia.com/MIG-1g.5gb", "no-such", "nvidia.com/mig-1g.5gb"),
        ("nvidia.com/mig-1c.3g.20gb", "no-such", "nvidia.com/mig-3g.20gb"),
        ("nvidia.com/mig-1g.24gb+me.all", "no-such", "nvidia.com/mig-1g.24gb.me.all"),
        ("nvidia.com/mig-5gb", "no-such", ""),
    ],
)
def test_a_misspelt_name_is_told_from_what_it_was_meant_to_be(name: str, slip: str, meant: str) -> None:
    found = misnomer(name)
    assert found is not None
    assert (found.slip, found.meant) == (slip, meant)


@pytest.mark.parametrize(
    "name",
    [
        "nvidia.com/gpu",
        "nvidia.com/gpu.shared",
        "nvidia.com/mig-1g.5gb",
        "nvidia.com/mig-1g.5gb.shared",
        "nvidia.com/mig-1g.5gb.me",
        "nvidia.com/mig-1g.24gb-me",
        "nvidia.com/mig-1g.24gb.me.all",
        # Other programs' names under the same domain.
        "nvidia.com/hostdev",
        "nvidia.com/rdma_shared_device_a",
        "nvidia.com/GRID_T4-2Q",
        "nvidia.com/NVIDIA_A10-12Q",
        "nvidia.com/GP102GL_Tesla_P40",
        "nvidia.com/pgpu",
        "nvidia.com/vgpu",
        "nvidia.com/gpumem",
        "nvidia.com/gpumem-percentage",
        "nvidia.com/gpucores",
        "nvidia.com/gpu-10gb",
        "nvidia.com/dpu",
        # Others' domains and Kubernetes' own resources.
        "amd.com/gpu",
        "gpu.intel.com/i915",
        "aliyun.com/gpu-mem",
        "cpu",
        "memory",
        "ephemeral-storage",
        "hugepages-2Mi",
        "gpu-memory",
        "",
        "/",
        "x" * 10_000,
    ],
)
def test_names_that_some_node_may_have_are_left_alone(name: str) -> None:
    assert misnomer(name) is None


def test_a_name_without_domain_is_mended_in_limits_and_requests_at_once() -> None:
    text = pod(container("resources:\n  limits: {'nvidia.com.gpu': 1}\n  requests: {nvidia.com.gpu: 1}\n"))
    (one,) = findings("GL403", text)
    assert one.fix is not None
    assert one.fix.safe
    assert [other.note for other in one.related] == ["also"]
    assert mended("GL403", text) == text.replace("nvidia.com.gpu", "nvidia.com/gpu")


@pytest.mark.parametrize(
    ("name", "variant", "safe"),
    [
        ("gpu", "", False),
        ("nvidia/gpu", "other-domain", False),
        ("mig-1g.5gb", "", True),
        ("nvidia-mem", "unknown", None),
    ],
)
def test_a_name_that_may_have_meant_something_else_is_not_mended_by_itself(
    name: str, variant: str, safe: bool | None
) -> None:
    (one,) = findings("GL403", limited(f"{{{name}: 1}}"))
    assert (one.variant, None if one.fix is None else one.fix.safe) == (variant, safe)


def test_a_name_is_not_changed_to_one_that_is_there_already() -> None:
    (one,) = findings("GL407", limited("{nvidia.com/gpu: 1, nvidia.com/gpus: 1}"))
    assert one.fix is None


def test_a_resource_in_quotes_keeps_them_where_a_plain_name_would_break_the_file() -> None:
    text = '{"kind":"Pod","spec":{"containers":[{"resources":{"limits":{"nvidia.com/gpus":1}}}]}}'
    assert mended("GL407", text) == text.replace("gpus", "gpu")


def test_a_broken_mig_name_is_compared_with_the_cards_that_are_known() -> None:
    text = limited("{nvidia.com/mig-3g20: 1}")
    (one,) = findings("GL407", text)
    assert dict(one.arguments)["meant"] == "nvidia.com/mig-3g.20gb"
    assert one.fix is None
    (blind,) = findings("GL407", text, settings=Settings())
    assert (blind.variant, dict(blind.arguments)["meant"]) == ("unknown", "")


# GL404 two-nvidia-resources and GL405 several-mig-devices

TWO = "{nvidia.com/gpu: 1, nvidia.com/mig-1g.5gb: 1}"


def test_the_second_resource_is_pointed_at() -> None:
    (one,) = findings("GL404", limited(TWO))
    assert said([one]) == [("", "nvidia.com/mig-1g.5gb")]
    assert [other.note for other in one.related] == ["first"]


@pytest.mark.parametrize(
    "limits",
    [
        "{nvidia.com/gpu: 1, nvidia.com/gpumem: 3000, nvidia.com/gpucores: 30}",
        "{nvidia.com/gpu: 1, nvidia.com/hostdev: 1}",
        "{nvidia.com/gpu: 1, nvidia.com/mig-1g.5gb: 0}",
    ],
)
def test_one_gpu_resource_with_others_beside_it_is_fine(limits: str) -> None:
    assert findings("GL404", limited(limits)) == []


@pytest.mark.parametrize(
    ("strategy", "count"), [("envvar", 1), ("cdi-cri", 0), ("volume-mounts", 0), ("[envvar, cdi-cri]", 1)]
)
def test_two_resources_get_on_where_the_config_hands_devices_over_otherwise(
    strategy: str, count: int
) -> None:
    config = f"version: v1\nflags: {{plugin: {{deviceListStrategy: {strategy}}}}}\n"
    assert len(findings("GL404", config, limited(TWO))) == count


def test_two_resources_get_on_under_the_operator_which_uses_cdi() -> None:
    assert (
        findings("GL404", limited(TWO), settings=dataclasses.replace(SETTINGS, deployer=Deployer.OPERATOR))
        == []
    )


def test_several_mig_devices_become_one_on_demand() -> None:
    text = pod(
        container(
            "resources:\n  limits: {nvidia.com/mig-1g.5gb: 2}\n  requests: {nvidia.com/mig-1g.5gb: 2}\n"
        )
    )
    (one,) = findings("GL405", text)
    assert one.fix is not None
    assert not one.fix.safe
    assert mended("GL405", text) == text.replace("gb: 2", "gb: 1")


def test_several_whole_gpus_and_shared_mig_devices_are_not_this_rules() -> None:
    shared = "sharing: {timeSlicing: {resources: [{name: nvidia.com/mig-1g.5gb, replicas: 2}]}}\n"
    config = "flags: {migStrategy: mixed}\n" + shared
    assert findings("GL405", limited("{nvidia.com/gpu: 2, nvidia.com/mig-1g.5gb: 1}")) == []
    assert findings("GL405", config, limited("{nvidia.com/mig-1g.5gb: 2}")) == []


# GL406 gpu-image-without-limit

ALL = "env: [{name: NVIDIA_VISIBLE_DEVICES, value: all}]\n"


@pytest.mark.parametrize(
    ("body", "image", "spec", "expected"),
    [
        (ALL, "example.com/x:1", "", [("", Severity.WARNING)]),
        ("", "nvidia/cuda:12.6.0-base-ubuntu24.04", "", [("image", Severity.INFO)]),
        (
            "",
            "nvcr.io/nvidia/tritonserver:25.06-py3",
            "runtimeClassName: nvidia\n",
            [("image", Severity.WARNING)],
        ),
        ("", "vllm/vllm-openai@sha256:abc", "", [("image", Severity.INFO)]),
        ("", "mirror.local:5000/hub/nvidia/cuda:12.6.0-base", "", [("image", Severity.INFO)]),
        ("", "notnvidia/cuda:12.6.0", "", []),
        ("", "nvidia/cuda", "runtimeClassName: gvisor\n", []),
        ("env: [{name: NVIDIA_VISIBLE_DEVICES, value: void}]\n", "nvidia/cuda", "", []),
        ("env: [{name: NVIDIA_VISIBLE_DEVICES, valueFrom: {}}]\n", "nvidia/cuda", "", []),
        (ALL + "resources: {limits: {nvidia.com/gpu: 1}}\n", "nvidia/cuda", "", []),
        (ALL + "resources: {limits: {gpu: 1}}\n", "nvidia/cuda", "", []),
        ("resources: {limits: {aliyun.com/gpu-mem: 3}}\n", "nvidia/cuda", "", []),
        ("resources: {claims: [{name: gpu}]}\n", "nvidia/cuda", "", []),
        (ALL, "nvcr.io/nvidia/k8s/dcgm-exporter:4", "", []),
        ("", "example.com/nvidia/cuda-tools:1", "", []),
        ("", "nvidia/cuda-quantum:1", "", []),
    ],
)
def test_a_container_for_gpus_that_asks_for_none(
    body: str, image: str, spec: str, expected: list[tuple[str, Severity]]
) -> None:
    found = findings("GL406", pod(container(body, image=image), spec=spec))
    assert [(one.variant, one.severity) for one in found] == expected


def test_daemonsets_may_see_all_gpus() -> None:
    assert findings("GL406", pod(container(ALL), kind="DaemonSet")) == []


def test_an_image_is_fine_beside_a_container_that_asks_and_in_an_init_container() -> None:
    asking = container("resources: {limits: {nvidia.com/gpu: 1}}\n", "asks")
    assert findings("GL406", pod(container("", image="nvidia/cuda"), asking)) == []
    init = "initContainers: [{name: copy, image: nvidia/cuda}]\n"
    assert findings("GL406", pod(container(""), spec=init)) == []


# GL408 host-ipc-for-mps and GL409 own-dev-shm-under-mps

GPU = "resources: {limits: {nvidia.com/gpu: 1}}\n"
SHM = "volumeMounts: [{name: shm, mountPath: /dev/shm/}]\n"
CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: mps}
spec:
  spec:
    devices:
      config:
        - opaque:
            driver: gpu.nvidia.com
            parameters:
              apiVersion: resource.nvidia.com/v1beta1
              kind: GpuConfig
              sharing: {strategy: MPS}
"""
BY_CLAIM = "resourceClaims: [{name: gpu, resourceClaimTemplateName: mps}]\n"


def test_host_ipc_is_removed_on_demand_where_the_config_shares_by_mps() -> None:
    text = pod(container(GPU), spec="hostIPC: true\n")
    (one,) = findings("GL408", MPS, text)
    assert one.fix is not None
    assert not one.fix.safe
    assert fixed(text, [one]).text == pod(container(GPU))


@pytest.mark.parametrize(
    ("config", "spec"),
    [
        ("", "hostIPC: true\n"),
        (SHARED, "hostIPC: true\n"),
        (MPS, "hostIPC: false\n"),
        (MPS, ""),
    ],
)
def test_host_ipc_is_not_spoken_of_where_mps_is_not_the_plugins(config: str, spec: str) -> None:
    assert findings("GL408", config, pod(container(GPU), spec=spec)) == []


def test_one_config_without_mps_beside_it_leaves_the_question_open() -> None:
    assert findings("GL408", MPS, UNSHARED, pod(container(GPU), spec="hostIPC: true\n")) == []


def test_a_claim_that_shares_by_mps_counts_like_a_config() -> None:
    by_claim = container("resources: {claims: [{name: gpu}]}\n" + SHM)
    assert len(findings("GL408", CLAIM, pod(by_claim, spec="hostIPC: true\n" + BY_CLAIM))) == 1
    assert len(findings("GL409", CLAIM, pod(by_claim, spec=BY_CLAIM))) == 1
    assert findings("GL409", CLAIM.replace("MPS}", "TimeSlicing}"), pod(by_claim, spec=BY_CLAIM)) == []
    assert findings("GL409", CLAIM.replace("name: mps", "name: other"), pod(by_claim, spec=BY_CLAIM)) == []


def test_the_mount_is_pointed_at_and_its_volume_beside_it() -> None:
    spec = "volumes: [{name: shm, emptyDir: {medium: Memory}}]\n"
    (one,) = findings("GL409", MPS, pod(container(GPU + SHM), spec=spec))
    assert [other.note for other in one.related] == ["volume"]
    assert findings("GL409", MPS, pod(container(SHM))) == []
    assert findings("GL409", SHARED, pod(container(GPU + SHM), spec=spec)) == []
    assert findings("GL409", MPS, pod(container(GPU + SHM.replace("shm/", "shm2")))) == []


# GL410 several-containers-ask


@pytest.mark.parametrize(
    ("asking", "expected"),
    [
        (1, []),
        (2, [("", Severity.INFO)]),
        (4, [("", Severity.INFO)]),
        (5, [("more", Severity.WARNING)]),
    ],
)
def test_the_slots_of_a_pods_containers_add_up(asking: int, expected: list[tuple[str, Severity]]) -> None:
    text = pod(*(container(GPU, f"c{number}") for number in range(asking)))
    assert [(one.variant, one.severity) for one in findings("GL410", SHARED, text)] == expected


def test_init_containers_run_one_after_the_other_unless_they_are_sidecars() -> None:
    init = "initContainers: [{name: init, resources: {limits: {nvidia.com/gpu: 1}}%s}]\n"
    assert findings("GL410", SHARED, pod(container(GPU), spec=init % "")) == []
    assert len(findings("GL410", SHARED, pod(container(GPU), spec=init % ", restartPolicy: Always"))) == 1


def test_containers_that_get_whole_gpus_are_not_spoken_of() -> None:
    text = pod(container(GPU, "a"), container(GPU, "b"))
    assert findings("GL410", text) == []
    assert findings("GL410", UNSHARED, text) == []


# GL411 mps-limit-without-effect


def test_an_mps_limit_does_nothing_under_time_slicing_and_on_whole_gpus() -> None:
    text = pod(container("env: [{name: CUDA_MPS_PINNED_DEVICE_MEM_LIMIT, value: 0=4G}]\n" + GPU))
    assert said(findings("GL411", SHARED, text)) == [("", "CUDA_MPS_PINNED_DEVICE_MEM_LIMIT")]
    assert len(findings("GL411", UNSHARED, text)) == 1
    assert findings("GL411", text) == []
    assert findings("GL411", MPS, text) == []
    assert findings("GL411", MPS, SHARED, text) == []


@pytest.mark.parametrize(
    ("value", "count"), [("'25'", 0), ("'10'", 0), ("'26'", 1), ("'50'", 1), ("half", 0)]
)
def test_a_percentage_can_only_lower_the_plugins_share(value: str, count: int) -> None:
    text = pod(container(f"env: [{{name: CUDA_MPS_ACTIVE_THREAD_PERCENTAGE, value: {value}}}]\n" + GPU))
    found = findings("GL411", MPS, text)
    assert [one.variant for one in found] == ["above"] * count


def test_an_mps_daemon_of_the_pods_own_keeps_the_rule_silent() -> None:
    names = ("CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", "CUDA_MPS_PIPE_DIRECTORY")
    env = "env:\n" + "".join(f"- {{name: {name}, value: '5'}}\n" for name in names)
    assert findings("GL411", SHARED, pod(container(env + GPU))) == []


# GL412 memory-fraction-of-a-shared-card

VLLM = "vllm/vllm-openai:v0.10.0"


@pytest.mark.parametrize(
    ("words", "image", "expected"),
    [
        ("args: [--gpu-memory-utilization=0.9]\n", "x", [("", Severity.WARNING)]),
        ("args: [--gpu-memory-utilization, '0.4']\n", "x", [("", Severity.INFO)]),
        (
            "command: [sh, -c, vllm serve m --gpu-memory-utilization 0.95 --port 1]\n",
            "x",
            [("", Severity.WARNING)],
        ),
        ("args: [--gpu_memory_utilization=0.25]\n", "x", []),
        ("args: [--gpu-memory-utilization=$(SHARE)]\n", VLLM, []),
        ("args: [--gpu-memory-utilization]\n", VLLM, []),
        ("args: [--model=m]\n", VLLM, [("default", Severity.WARNING)]),
        ("args: [--config=/etc/vllm.yaml]\n", VLLM, []),
        ("command: [sh, /run.sh]\n", VLLM, []),
        ("args: [--model=m]\n", "x", []),
    ],
)
def test_a_fraction_is_of_the_whole_card(
    words: str, image: str, expected: list[tuple[str, Severity]]
) -> None:
    found = findings("GL412", SHARED, pod(container(words + GPU, image=image)))
    assert [(one.variant, one.severity) for one in found] == expected


@pytest.mark.parametrize("config", ["", UNSHARED, MPS])
def test_a_fraction_is_fine_where_the_card_is_not_known_to_be_time_sliced(config: str) -> None:
    assert findings("GL412", config, pod(container("args: [--gpu-memory-utilization=0.9]\n" + GPU))) == []


def test_nodes_that_are_given_say_which_resources_there_are() -> None:
    nodes = {"t4": SAMPLE_NODES["t4-x1"]}
    text = pod(container(GPU), spec="hostIPC: true\n")
    assert len(findings("GL408", MPS, text, settings=dataclasses.replace(SETTINGS, nodes=nodes))) == 1
