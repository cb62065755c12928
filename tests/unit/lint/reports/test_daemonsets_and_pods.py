"""What people met with DaemonSets, and with Pods that see more of a node, or less, than they ask for."""

from __future__ import annotations

from pathlib import Path

import pytest

from labs.config.plugin import Deployer
from labs.hardware.catalog import builtin_catalog
from labs.lint.core.linter import lint, read
from labs.lint.core.selection import Selection
from labs.lint.findings import Severity
from labs.lint.subject.settings import Settings

FOLDER = Path(__file__).parents[3] / "cases" / "reports"
SETTINGS = Settings(catalog=builtin_catalog())
NOTES = {"GL214", "GL217"}
"""Notes on the configs themselves, which are not what these are about."""

MPS = "version: v1\nflags: {mpsRoot: /run/nvidia/mps}\nsharing: {mps: {resources: [{name: nvidia.com/gpu, replicas: 2}]}}\n"
SLICES = "version: v1\nsharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 2}]}}\n"
ENV_FROM = "          envFrom: [{configMapRef: {name: configs}}]\n"
RENAMED = SLICES.replace("{timeSlicing: {", "{timeSlicing: {renameByDefault: true, ")


def said(*texts: str) -> list[tuple[str, str, Severity]]:
    sources = [read(f"{index}.yaml", text, SETTINGS) for index, text in enumerate(texts)]
    answer = lint(sources, SETTINGS, Selection())
    found = [one for source in sources for one in answer[source.path]]
    return [(one.code, one.variant, one.severity) for one in found if one.code not in NOTES]


def case(name: str, *files: str) -> list[tuple[str, str, Severity]]:
    return said(*((FOLDER / name / file).read_text("utf-8") for file in files))


def pod(name: str, *, spec: str = "", container: str = "", resource: str = "nvidia.com/gpu") -> str:
    return (
        f"apiVersion: v1\nkind: Pod\nmetadata: {{name: {name}}}\nspec:\n{spec}  containers:\n    - name: c\n"
        f"      image: registry.example.com/c:1\n{container}      resources: {{limits: {{{resource}: 1}}}}\n"
    )


def as_user(number: int) -> str:
    return f"  securityContext: {{runAsUser: {number}}}\n"


def config_map(namespace: str = "gpu", **more: str) -> str:
    held = "".join(f"    {line}\n" for line in RENAMED.splitlines())
    rest = "".join(f"  {key}: {value}\n" for key, value in more.items())
    return (
        f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: configs, namespace: {namespace}}}\n"
        f"data:\n{rest}  any: |\n{held}"
    )


def plugin(container: str = "", namespace: str = "gpu") -> str:
    return (
        f"apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {{name: nvidia-plugin, namespace: {namespace}}}\n"
        "spec:\n  minReadySeconds: 30\n  selector: {matchLabels: {a: b}}\n  template:\n"
        "    metadata: {labels: {a: b}}\n    spec:\n      containers:\n        - name: ctr\n"
        f"          image: nvcr.io/nvidia/k8s-device-plugin:v0.20.0\n{container}"
    )


def codes(*texts: str) -> set[str]:
    return {code for code, _, _ in said(*texts)}


def test_a_chart_upgrade_under_on_delete_is_noted() -> None:
    assert case("ondelete-helm", "daemonset.yaml") == [("GL526", "other", Severity.INFO)]


def test_an_agent_without_a_probe_has_no_brake_and_no_stop_is_promised() -> None:
    assert case("agent-without-probe", "daemonset.yaml") == [("GL522", "", Severity.INFO)]


def test_an_agent_that_asks_for_room_without_a_priority_is_noted() -> None:
    assert case("full-node-and-priority", "daemonset.yaml") == [("GL530", "other", Severity.INFO)]


def test_a_config_that_is_taken_as_environment_is_not_in_force() -> None:
    found = case("static-daemonset-envfrom", "all.yaml")
    assert ("GL535", "", Severity.WARNING) in found
    assert ("GL901", "", Severity.ERROR) in found


def test_a_privileged_container_on_a_shared_gpu_is_warned_of() -> None:
    found = case("privileged-sees-all", "config.yaml", "pod.yaml")
    assert ("GL413", "", Severity.WARNING) in found
    assert ("GL414", "", Severity.WARNING) in found
    assert ("GL406", "", Severity.WARNING) in found


def test_pods_of_two_users_on_one_mps_daemon_are_warned_of() -> None:
    texts = [(FOLDER / "mps-two-users" / name).read_text("utf-8") for name in ("config.yaml", "pods.yaml")]
    settings = Settings(catalog=builtin_catalog(), deployer=Deployer.HELM)
    sources = [read(str(index), text, settings) for index, text in enumerate(texts)]
    answer = lint(sources, settings, Selection())
    assert [(one.code, one.severity) for one in answer["1"]] == [("GL415", Severity.WARNING)]


@pytest.mark.parametrize(
    ("first", "second", "config", "warned"),
    [
        (as_user(1), as_user(2), MPS, True),
        (as_user(1), as_user(1), MPS, False),
        (as_user(1), "", MPS, False),
        (as_user(1), as_user(2), SLICES, False),
        (as_user(1) + "  nodeSelector: {a: b}\n", as_user(2) + "  nodeSelector: {a: c}\n", MPS, False),
        (as_user(1) + "  nodeSelector: {a: b}\n", as_user(2), MPS, True),
    ],
)
def test_users_matter_under_mps_where_pods_may_meet(
    first: str, second: str, config: str, *, warned: bool
) -> None:
    assert ("GL415" in codes(config, pod("a", spec=first), pod("b", spec=second))) is warned


def test_the_user_of_a_container_counts_before_that_of_its_pod() -> None:
    own = "      securityContext: {runAsUser: 1}\n"
    assert "GL415" not in codes(MPS, pod("a", spec=as_user(1)), pod("b", spec=as_user(2), container=own))


@pytest.mark.parametrize(
    ("container", "code"),
    [
        ("      securityContext: {privileged: true}\n", "GL413"),
        ("      env: [{name: NVIDIA_VISIBLE_DEVICES, value: all}]\n", "GL414"),
        ("      env: [{name: NVIDIA_VISIBLE_DEVICES, value: '0'}]\n", "GL414"),
        ("      env: [{name: NVIDIA_VISIBLE_DEVICES, value: GPU-8f1b2c3d}]\n", "GL414"),
    ],
)
def test_what_sees_more_than_it_asks_for_is_a_note_and_on_shared_gpus_a_warning(
    container: str, code: str
) -> None:
    seen = pod("a", container=container)
    assert [(one, severity) for one, _, severity in said(seen)] == [(code, Severity.INFO)]
    assert (code, Severity.WARNING) in [(one, severity) for one, _, severity in said(SLICES, seen)]
    cut = pod("a", container=container, resource="nvidia.com/mig-1g.10gb")
    assert (code, Severity.WARNING) in [(one, severity) for one, _, severity in said(cut)]


@pytest.mark.parametrize(
    "container",
    [
        "      securityContext: {privileged: false}\n",
        "      env: [{name: NVIDIA_VISIBLE_DEVICES, value: void}]\n",
        "      env: [{name: NVIDIA_VISIBLE_DEVICES, value: none}]\n",
        "      env: [{name: NVIDIA_VISIBLE_DEVICES, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]\n",
        "      env: [{name: NVIDIA_DRIVER_CAPABILITIES, value: all}]\n",
    ],
)
def test_a_container_that_sees_what_it_is_given_is_not_noted(container: str) -> None:
    assert codes(SLICES, pod("a", container=container)) & {"GL413", "GL414"} == set()


def test_a_privileged_container_that_asks_for_no_gpu_is_not_noted() -> None:
    other = pod("a", container="      securityContext: {privileged: true}\n", resource="cpu")
    assert codes(SLICES, other) & {"GL413"} == set()


@pytest.mark.parametrize(
    "container",
    [
        "",
        "          envFrom: [{configMapRef: {name: configs}}]\n",
        "          volumeMounts: [{name: c, mountPath: /config}]\n",
        "          env: [{name: MIG_STRATEGY, value: none}]\n",
    ],
)
def test_a_plugin_that_names_no_file_reads_none(container: str) -> None:
    shared = pod("a", resource="nvidia.com/gpu.shared")
    assert {"GL535", "GL901"} <= codes(config_map(), plugin(container), shared)
    assert "GL901" not in codes(config_map(), plugin(container), pod("a"))


@pytest.mark.parametrize(
    ("container", "others"),
    [
        ("          env: [{name: CONFIG_FILE, value: /config/any}]\n", ()),
        ("          env: [{name: CONFIG_FILE, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]\n", ()),
        ("          args: [--config-file=/config/any]\n", ()),
        ("          args: [--config-file, /config/any]\n", ()),
        ("          command: [nvidia-device-plugin, --config-file=/c]\n", ()),
        ("          envFrom: [{configMapRef: {name: elsewhere}}]\n", ()),
        ("          envFrom: [{secretRef: {name: configs}}]\n", ()),
        ("", ("migStrategy: none\nconfig: {name: configs}\n",)),
        ("", (plugin("          args: [--config-file=/c]\n").replace("nvidia-plugin", "nvidia-two"),)),
    ],
)
def test_a_plugin_that_may_read_a_config_is_not_warned_of(container: str, others: tuple[str, ...]) -> None:
    shared = pod("a", resource="nvidia.com/gpu.shared")
    assert codes(config_map(), plugin(container), shared, *others) & {"GL535", "GL901"} == set()


def test_a_config_map_of_another_namespace_and_a_plain_config_are_not_held_against_a_plugin() -> None:
    assert "GL535" not in codes(config_map("gpu-operator"), plugin())
    assert "GL535" not in codes(RENAMED, plugin())
    assert "GL535" not in codes(config_map(CONFIG_FILE="/config/any"), plugin(ENV_FROM))


@pytest.mark.parametrize(
    ("labels", "units", "refused"),
    [
        ("gpu-sharing-strategy: time-sharing", 2, True),
        ("gpu-sharing-strategy: time-sharing", 1, False),
        ("gpu-sharing-strategy: mps", 2, False),
        ('gpu-sharing-strategy: mps, cloud.google.com/gke-accelerator-count: "1"', 2, False),
        ('gpu-sharing-strategy: mps, cloud.google.com/gke-accelerator-count: "2"', 2, True),
        ("accelerator: nvidia-l4", 2, False),
    ],
)
def test_gke_gives_one_slot_to_a_container(labels: str, units: int, *, refused: bool) -> None:
    spec = f"  nodeSelector: {{cloud.google.com/gke-{labels}}}\n"
    asking = pod("a", spec=spec).replace("gpu: 1", f"gpu: {units}")
    assert ("GL416" in codes(asking)) is refused
