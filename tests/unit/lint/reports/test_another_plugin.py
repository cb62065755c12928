"""A second device plugin on the nodes of the first."""

from __future__ import annotations

import pytest

from tests.report_cases import said

IMAGE = "nvcr.io/nvidia/k8s-device-plugin:v0.20.0"


def plugin_of(name: str, image: str, spec: str = "") -> str:
    return (
        f"apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {{name: {name}}}\nspec:\n  selector: {{matchLabels: {{a: b}}}}\n"
        f"  template:\n    metadata: {{labels: {{a: b}}}}\n    spec:\n      {spec or 'hostNetwork: false'}\n"
        f"      containers: [{{name: nvidia-plugin, image: '{image}'}}]\n"
    )


NVIDIAS = plugin_of("nvidia-device-plugin", IMAGE)
OPTED_OUT = "apiVersion: v1\nkind: Node\nmetadata: {name: a, labels: {nvidia.com/gpu.deploy.device-plugin: 'false'}}\n"
POLICY = "apiVersion: nvidia.com/v1\nkind: ClusterPolicy\nmetadata: {name: policy}\nspec: {devicePlugin: {enabled: true}}\n"
RELEASE = (
    "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: nvdp}\nspec:\n"
    "  chart: {spec: {chart: nvidia-device-plugin}}\n  values: {gfd: {enabled: true}}\n"
)


def second(*texts: str) -> list[str]:
    files = {f"{number}.yaml": text for number, text in enumerate(texts)}
    return [line for line in said(files) if "GL536" in line]


HAMI = plugin_of("hami", "projecthami/hami:v2.6.1")


@pytest.mark.parametrize(
    ("texts", "line"),
    [
        ((POLICY, HAMI), "1.yaml:10:27 GL536"),
        ((HAMI, POLICY), "0.yaml:10:27 GL536"),
        ((RELEASE, HAMI), "1.yaml:10:27 GL536"),
        ((NVIDIAS, HAMI), "1.yaml:10:27 GL536"),
        ((NVIDIAS, plugin_of("gke", "gke.gcr.io/nvidia-gpu-device-plugin@sha256:0")), "1.yaml:10:27 GL536"),
        ((NVIDIAS, plugin_of("volcano", "volcanosh/volcano-vgpu-device-plugin:v1.9.4")), "1.yaml:10:27 GL536 apart"),
        ((NVIDIAS, plugin_of("hami", "projecthami/hami:v2.6.1", "nodeSelector: {a: b}")), "1.yaml:10:27 GL536"),
    ],
)  # fmt: skip
def test_a_plugin_of_others_gives_out_the_same_gpus(texts: tuple[str, ...], line: str) -> None:
    assert second(*texts) == [line]


@pytest.mark.parametrize(
    "texts",
    [
        (POLICY.replace("true", "false"), HAMI),
        (POLICY, OPTED_OUT, HAMI),
        (POLICY, plugin_of("hami", "projecthami/hami:v2.6.1", "nodeSelector: {gpu: 'on'}")),
        (
            plugin_of("a", IMAGE, "nodeSelector: {pool: a}"),
            plugin_of("b", "projecthami/hami:v2.6.1", "nodeSelector: {pool: b}"),
        ),
        (
            RELEASE.replace("gfd: {enabled: true}", "devicePlugin: {enabled: false}, gfd: {enabled: true}"),
            HAMI,
        ),
        (POLICY, plugin_of("agent", "registry.example/agent:1")),
        (HAMI,),
    ],
)
def test_plugins_that_are_apart_are_left_alone(texts: tuple[str, ...]) -> None:
    assert second(*texts) == []


def test_hamis_plugin_is_not_nvidias() -> None:
    hami = plugin_of("hami", "projecthami/hami:v2.6.1").replace(
        "image:", "command: [nvidia-device-plugin], image:"
    )
    assert not any(
        "GL5" in line for line in said({"hami.yaml": hami}) if "GL523" not in line and "GL522" not in line
    )
