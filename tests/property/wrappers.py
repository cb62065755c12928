"""Files that wrap values and configs, one of each kind, for `tests.property.mutated_files`."""

from __future__ import annotations

CONFIG = """\
version: v1
sharing:
  timeSlicing:
    renameByDefault: true
    resources:
      - name: nvidia.com/gpu
        replicas: 1
"""


def _indented(text: str, by: int) -> str:
    return "".join(f"{' ' * by}{line}" for line in text.splitlines(keepends=True))


PLUGIN_VALUES = f"""\
migStrategy: none
flags: {{migStrategy: single}}
config:
  default: share
  map:
    shared: |-
{_indented(CONFIG, 6)}"""

OPERATOR_VALUES = f"""\
mig: {{strategy: mixed}}
devicePlugin:
  config:
    name: plugin-configs
    create: true
    default: sharedd
    data:
      shared: |
{_indented(CONFIG, 8)}"""

HELM_RELEASE = f"""\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {{name: gpu-plugin, namespace: kube-system}}
spec:
  chart:
    spec:
      chart: nvidia-device-plugin
  valuesFrom:
    - {{kind: ConfigMap, name: plugin-values}}
    - {{kind: Secret, name: more}}
    - {{kind: ConfigMap, name: plugin-values, valuesKey: name, targetPath: config.name}}
  values:
{_indented(PLUGIN_VALUES, 4)}"""

VALUES_MAP = f"""\
apiVersion: v1
kind: ConfigMap
metadata: {{name: plugin-values, namespace: kube-system}}
data:
  name: other
  values.yaml: |
{_indented(PLUGIN_VALUES, 4)}"""

HELM_CHART = f"""\
apiVersion: helm.cattle.io/v1
kind: HelmChart
metadata: {{name: gpu-operator, namespace: kube-system}}
spec:
  chart: gpu-operator
  repo: https://helm.example/nvidia
  set: {{devicePlugin.config.default: "shared"}}
  valuesContent: |-
{_indented(OPERATOR_VALUES, 4)}---
apiVersion: helm.cattle.io/v1
kind: HelmChartConfig
metadata: {{name: gpu-operator, namespace: kube-system}}
spec:
  valuesContent: "devicePlugin: {{config: {{default: none}}}}"
"""

APPLICATION = f"""\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {{name: gpus}}
spec:
  sources:
    - repoURL: https://helm.example/nvidia
      chart: gpu-operator
      helm:
        valueFiles: [$values/operator/values.yaml]
        parameters:
          - {{name: devicePlugin.config.name, value: my.configs}}
          - {{name: 'devicePlugin.env[0].name', value: x}}
        values: |
{_indented(OPERATOR_VALUES, 10)}"""

APPLICATION_SET = f"""\
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {{name: gpus}}
spec:
  template:
    spec:
      source:
        chart: nvidia-device-plugin
        repoURL: '{{{{.repo}}}}'
        helm:
          valuesObject:
{_indented(PLUGIN_VALUES, 12)}"""

KUSTOMIZATION = """\
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
namePrefix: a-
resources: [release.yaml]
helmCharts:
  - name: gpu-operator
    repo: https://helm.example/nvidia
    valuesFile: values.yaml
    valuesInline: {devicePlugin: {config: {name: time-slicing, default: an}}}
configMapGenerator:
  - name: time-slicing
    files: [any=config.yaml, config.yaml]
    literals: ["two=version: v1"]
patches:
  - target: {kind: HelmRelease, name: gpu-plugin}
    patch: |
      - op: replace
        path: /spec/values/config/default
        value: shared
  - patch: |-
      kind: HelmRelease
      metadata: {name: gpu-plugin}
      spec:
        values: {config: {default: other}}
"""

UMBRELLA = f"""\
gpu-operator:
  enabled: true
{_indented(OPERATOR_VALUES, 2)}"""

CHART = """\
apiVersion: v2
name: gpus
version: 0.1.0
dependencies:
  - {name: nvidia-device-plugin, alias: plugin, version: 0.17.1}
"""

ALIASED = f"plugin:\n{_indented(PLUGIN_VALUES, 2)}"

HELMFILE = """\
releases:
  - name: plugin
    chart: nvdp/nvidia-device-plugin
    values:
      - values.yaml
      - config: {default: shared}
    set: [{name: migStrategy, value: mixed}]
"""

SETTINGS = """\
[settings.kubernetes]
cluster-name = "gpus"

[settings.kubelet-device-plugins.nvidia]
device-sharing-strategy = "time-slicing"
device-list-strategy = ["envvar", "cdi-cri"]

[settings.kubelet-device-plugins.nvidia.time-slicing]
replicas = 1
rename-by-default = false
"""

NODE_CLASS = f"""\
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {{name: gpu}}
spec:
  userData: |
{_indented(SETTINGS, 4)}"""

EKSCTL = """\
apiVersion: eksctl.io/v1alpha5
kind: ClusterConfig
metadata: {name: gpus}
managedNodeGroups:
  - name: gpu
    bottlerocket:
      settings:
        kubelet-device-plugins:
          nvidia: {device-sharing-strategy: mps, time-slicing: {replicas: 4}, mps: {replicas: 49}}
"""

LIST = f"apiVersion: v1\nkind: List\nitems:\n- {_indented(HELM_RELEASE, 2).lstrip()}"

TERRAFORM = 'resource "helm_release" "gpus" {\n  chart = "gpu-operator"\n}\n'

WRAPPERS: tuple[tuple[tuple[str, str], ...], ...] = (
    (("release.yaml", HELM_RELEASE), ("map.yaml", VALUES_MAP)),
    (("both.yaml", f"{HELM_RELEASE}---\n{VALUES_MAP}"),),
    (("chart.yaml", HELM_CHART),),
    (("application.yaml", APPLICATION), ("operator/values.yaml", OPERATOR_VALUES)),
    (("set.yaml", APPLICATION_SET),),
    (
        ("kustomization.yaml", KUSTOMIZATION),
        ("config.yaml", CONFIG),
        ("values.yaml", OPERATOR_VALUES),
        ("release.yaml", HELM_RELEASE),
    ),
    (("values.yaml", UMBRELLA),),
    (("Chart.yaml", CHART), ("values.yaml", ALIASED)),
    (("helmfile.yaml", HELMFILE), ("values.yaml", PLUGIN_VALUES)),
    (("settings.toml", SETTINGS),),
    (("class.yaml", NODE_CLASS),),
    (("cluster.yaml", EKSCTL),),
    (("list.yaml", LIST),),
    (("main.tf", TERRAFORM),),
)
"""Files that are judged together, with a mistake in each that can be read."""
