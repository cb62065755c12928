"""Pods inside objects of other programs, labels of nodes wherever they stand, and Pods that other programs share for."""

from __future__ import annotations

from textwrap import indent

import pytest

from labs.cluster.sample_nodes import SAMPLE_NODES
from labs.hardware.catalog import builtin_catalog
from labs.lint.subject import Settings
from tests.report_cases import KNOWING, case, said

ON_T4 = Settings(catalog=builtin_catalog(), nodes={"t4": SAMPLE_NODES["t4-x1"]})
LABEL = "nvidia.com/device-plugin.config"
JOIN = "nodeRegistration kubeletExtraArgs"
HALF = "resources: {limits: {nvidia.com/gpu: '0.5'}}"
CONTAINERS = f"containers:\n- name: main\n  image: example.com/main:1\n  {HALF}\n"
MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: sharing}\ndata:\n  any: 'version: v1'\n  a100: 'version: v1'\n"
MIG = (
    "version: v1\nmig-configs:\n  all-1g.5gb: [{devices: all, mig-enabled: true, mig-devices: {1g.5gb: 7}}]\n"
)


def made(kind: str, *path: str, body: str = CONTAINERS) -> str:
    """An object with a body below a path of keys; a key that ends in `-` holds a list."""
    text = body
    for key in reversed(path):
        text = (
            f"{key.removesuffix('-')}:\n{'- name: first' if key.endswith('-') else ''}\n{indent(text, '  ')}"
        )
    version, _, name = kind.rpartition("/")
    return f"apiVersion: {version}\nkind: {name}\nmetadata: {{name: it}}\n{text}"


def codes(*texts: str, settings: Settings = KNOWING) -> list[str]:
    return said({f"{number}.yaml": text for number, text in enumerate(texts)}, settings)


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("deployment.yaml", ["deployment.yaml:13:72 GL405", "deployment.yaml:16:48 GL401"]),
        ("inferenceservice.yaml", ["inferenceservice.yaml:10:42 GL405"]),
        ("notebook.yaml", ["notebook.yaml:11:72 GL405"]),
        ("raycluster.yaml", ["raycluster.yaml:17:52 GL401"]),
    ],
)
def test_what_holds_of_a_deployment_holds_in_every_object_with_pods(name: str, lines: list[str]) -> None:
    assert said({name: case("crd-workloads")[name]}) == lines


@pytest.mark.parametrize(
    ("kind", "path"),
    [
        ("apps/v1/ReplicaSet", "spec template spec"),
        ("v1/ReplicationController", "spec template spec"),
        ("v1/PodTemplate", "template spec"),
        ("ray.io/v1/RayJob", "spec rayClusterSpec workerGroupSpecs- template spec"),
        ("ray.io/v1/RayService", "spec rayClusterConfig headGroupSpec template spec"),
        ("kubeflow.org/v1/PyTorchJob", "spec pytorchReplicaSpecs Worker template spec"),
        ("kubeflow.org/v1/MPIJob", "spec mpiReplicaSpecs Worker template spec"),
        ("kubeflow.org/v1/Notebook", "spec template spec"),
        ("trainer.kubeflow.org/v1/TrainingRuntime", "spec template spec replicatedJobs- template spec template spec"),
        ("jobset.x-k8s.io/v1alpha2/JobSet", "spec replicatedJobs- template spec template spec"),
        ("leaderworkerset.x-k8s.io/v1/LeaderWorkerSet", "spec leaderWorkerTemplate workerTemplate spec"),
        ("argoproj.io/v1alpha1/Rollout", "spec template spec"),
        ("serving.knative.dev/v1/Service", "spec template spec"),
        ("serving.kserve.io/v1beta1/InferenceService", "spec predictor"),
        ("serving.kserve.io/v1alpha1/ServingRuntime", "spec"),
        ("batch.volcano.sh/v1alpha1/Job", "spec tasks- template spec"),
        ("machinelearning.seldon.io/v1/SeldonDeployment", "spec predictors- componentSpecs- spec"),
        ("workspace.jupyter.org/v1alpha1/Workspace", "spec podSpec"),
        ("of.nobody.example/v1/NeverHeardOf", "spec deeply nested template spec"),
    ],
)  # fmt: skip
def test_pods_are_read_wherever_they_stand_below_a_spec(kind: str, path: str) -> None:
    text = made(kind, *path.split())
    line = text[: text.index("'0.5'")].count("\n") + 1
    assert [each.split()[1] for each in codes(text)] == ["GL401"]
    assert codes(text)[0].startswith(f"0.yaml:{line}:")


@pytest.mark.parametrize(
    ("kind", "path"),
    [
        ("argoproj.io/v1alpha1/Workflow", "spec templates- container"),
        ("argoproj.io/v1alpha1/CronWorkflow", "spec workflowSpec templates- script"),
        ("serving.kserve.io/v1beta1/InferenceService", "spec predictor model"),
        ("apps.nvidia.com/v1alpha1/NIMService", "spec"),
    ],
)
def test_a_part_that_asks_for_nvidias_resources_is_a_container(kind: str, path: str) -> None:
    assert [each.split()[1] for each in codes(made(kind, *path.split(), body=f"{HALF}\n"))] == ["GL401"]


def test_a_trainer_asks_for_each_of_its_nodes() -> None:
    text = made(
        "trainer.kubeflow.org/v1alpha1/TrainJob",
        "spec",
        "trainer",
        body=HALF.replace("resources", "resourcesPerNode"),
    )
    assert [each.split()[1] for each in codes(text)] == ["GL401"]


@pytest.mark.parametrize(
    "kind",
    [
        "kyverno.io/v1/ClusterPolicy",
        "templates.gatekeeper.sh/v1/ConstraintTemplate",
        "apiextensions.k8s.io/v1/CustomResourceDefinition",
        "admissionregistration.k8s.io/v1alpha1/MutatingAdmissionPolicy",
        "template.openshift.io/v1/Template",
    ],
)
def test_patterns_and_schemas_are_no_pods(kind: str) -> None:
    assert codes(made(kind, "spec", "rules-", "validate", "pattern", "spec")) == []


@pytest.mark.parametrize(
    "text",
    [
        "spec: {containers: [{name: a, resources: {limits: {nvidia.com/gpu: '0.5'}}}]}\n",
        "kind: a b\napiVersion: v1\nspec: {containers: [{name: a, resources: {limits: {nvidia.com/gpu: '0.5'}}}]}\n",
        "kind: It\napiVersion: a/v1\nspec: {containers: {name: a, resources: {limits: {nvidia.com/cpu: '0.5'}}}}\n",
        "kind: It\napiVersion: a/v1\nstatus: {containers: [{name: a, resources: {limits: {nvidia.com/gpu: '0.5'}}}]}\n",
        "kind: It\napiVersion: a/v1\nspec: {values: {resources: {limits: {nvidia.com/gpu: '0.5'}}}}\n",
    ],
)
def test_what_is_no_object_of_kubernetes_with_pods_stays_unknown(text: str) -> None:
    assert codes(text) == []


def test_an_image_for_gpus_without_a_limit_is_no_matter_where_an_operator_completes_the_pod() -> None:
    body = "containers: [{name: main, image: 'vllm/vllm-openai:v0.9.0'}]\n"
    assert codes(made("serving.kserve.io/v1alpha1/ServingRuntime", "spec", body=body)) == []
    assert [
        each.split()[1] for each in codes(made("apps/v1/Deployment", "spec", "template", "spec", body=body))
    ] == ["GL406"]


def test_pods_that_an_alias_repeats_are_judged_once() -> None:
    text = f"kind: Twice\napiVersion: a/v1\nspec:\n  a: &a\n{indent(CONTAINERS, '    ')}  b: *a\n"
    assert len(codes(text)) == 1


def test_a_pool_labels_its_nodes_with_the_name_of_the_config_map() -> None:
    files = case("label-names-the-configmap")
    assert said({"all.yaml": files["all.yaml"]}) == ["all.yaml:21:38 GL904"]
    assert said({name: files[name] for name in ("cm.yaml", "nodepool.yaml")}) == ["nodepool.yaml:7:49 GL904"]


@pytest.mark.parametrize(
    ("kind", "path", "body"),
    [
        ("karpenter.sh/v1/NodePool", "spec template metadata labels", f"{LABEL}: {{}}"),
        ("eksctl.io/v1alpha5/ClusterConfig", "managedNodeGroups- labels", f"{LABEL}: {{}}"),
        ("machine.openshift.io/v1beta1/MachineSet", "spec template spec metadata labels", f"{LABEL}: {{}}"),
        ("cloud.google.com/v1/ComputeClass", "spec nodePoolConfig nodeLabels", f"{LABEL}: {{}}"),
        ("kops.k8s.io/v1alpha2/InstanceGroup", "spec nodeLabels", f"{LABEL}: {{}}"),
        ("of.nobody.example/v1/Pool", "spec labels", f"- key: {LABEL}\n  value: {{}}"),
        ("nfd.k8s-sigs.io/v1alpha1/NodeFeatureRule", "spec rules- labels", f"{LABEL}: {{}}"),
        ("kubeadm.k8s.io/v1beta3/JoinConfiguration", JOIN, f"node-labels: 'a=b,{LABEL}={{}}'"),
        ("kubeadm.k8s.io/v1beta4/JoinConfiguration", JOIN, f"- name: node-labels\n  value: {LABEL}={{}}"),
        ("cluster.x-k8s.io/v1/KubeadmConfigTemplate", f"spec {JOIN}", f"node-labels: {LABEL}={{}}"),
        ("node.eks.aws/v1alpha1/NodeConfig", "spec kubelet", f"flags: ['--node-labels={LABEL}={{}},a=b']"),
        (
            "karpenter.k8s.aws/v1/EC2NodeClass",
            "spec",
            f"userData: |\n  #!/bin/sh\n  it --node-labels={LABEL}={{}}",
        ),
    ],
)
def test_a_label_of_nodes_is_read_wherever_it_is_written(kind: str, path: str, body: str) -> None:
    pool = made(kind, *path.split(), body=body)
    wrong, right = pool.replace("{}", "sharing"), pool.replace("{}", "a100")
    (line,) = codes(MAP, wrong)
    at = wrong.index("sharing")
    place = f"{wrong.count(chr(10), 0, at) + 1}:{at - wrong.rfind(chr(10), 0, at)}"
    assert line == f"1.yaml:{place} GL904"
    assert codes(MAP, right) == []


def test_a_label_of_nodes_names_a_mig_config() -> None:
    pool = made(
        "karpenter.sh/v1/NodePool",
        "spec",
        "template",
        "metadata",
        "labels",
        body="nvidia.com/mig.config: {}\n",
    )
    assert [each.split()[1] for each in codes(MIG, pool.replace("{}", "all-1g.6gb"))] == ["GL908"]
    assert codes(MIG, pool.replace("{}", "all-1g.5gb")) == []


@pytest.mark.parametrize(
    "path", ["metadata labels", "spec selector matchLabels", "spec template spec nodeSelector"]
)
def test_labels_of_the_object_itself_and_of_a_selector_are_not_labels_of_nodes(path: str) -> None:
    text = made("of.nobody.example/v1/Other", *path.split(), body=f"{LABEL}: sharing\n")
    assert codes(MAP, text.replace("metadata: {name: it}\n", "", 1)) == []


def test_a_flavor_selects_nodes_by_a_product_that_sharing_changes() -> None:
    files = {name: text for name, text in case("product-label-changes").items() if name != "nodes.yaml"}
    assert [line for line in said(files, ON_T4) if "GL906" in line] == [
        "flavor.yaml:5:40 GL906",
        "pod.yaml:5:42 GL906",
    ]
    files["flavor.yaml"] = files["flavor.yaml"].replace("Tesla-T4", "Tesla-T4-SHARED")
    assert [line for line in said(files, ON_T4) if "GL906" in line] == ["pod.yaml:5:42 GL906"]


def test_a_pod_that_kai_gives_half_a_gpu_needs_no_limit() -> None:
    assert said(case("kai-gpu-fraction")) == []


@pytest.mark.parametrize(
    ("above", "spec", "limits"),
    [
        ("metadata: {annotations: {gpu-memory: '2000'}}", "", ""),
        ("metadata: {labels: {gpu-fraction: '0.5'}}", "", ""),
        ("metadata: {name: a}", "schedulerName: runai-scheduler, ", ""),
        ("metadata: {name: a}", "", "nvidia.com/gpu: 2, nvidia.com/gpumem: 3000, nvidia.com/gpucores: 30"),
        ("metadata: {name: a}", "", "volcano.sh/vgpu-number: 1, volcano.sh/vgpu-memory: 3000"),
        ("metadata: {name: a}", "schedulerName: hami-scheduler, ", "nvidia.com/gpu: 1"),
        ("metadata: {name: a}", "", "aliyun.com/gpu-mem: 3"),
    ],
)
def test_a_pod_that_another_program_shares_for_is_left_to_it(above: str, spec: str, limits: str) -> None:
    container = f"{{name: a, image: 'nvidia/cuda:13.0.2-base', resources: {{limits: {{{limits}}}}}}}"
    text = f"apiVersion: v1\nkind: Pod\n{above}\nspec: {{{spec}containers: [{container}]}}\n"
    assert codes(text) == []


def test_volcano_as_a_scheduler_alone_shares_nothing() -> None:
    text = f"apiVersion: v1\nkind: Pod\nmetadata: {{name: a}}\nspec:\n  schedulerName: volcano\n{indent(CONTAINERS, '  ')}"
    assert [each.split()[1] for each in codes(text)] == ["GL401"]
