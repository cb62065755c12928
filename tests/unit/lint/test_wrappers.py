"""Values of the two charts inside objects of other tools: they are read as the values themselves, in their own places."""

from __future__ import annotations

import pytest

from labs.config.documents import Reason
from labs.config.documents.checked import entries
from labs.lint.core import lint
from labs.lint.findings import fixed
from tests.report_cases import KNOWING, kinds, said, sources

CONFIG = """\
version: v1
sharing:
  timeSlicing:
    failRequestsGreaterThanOne: true
    resources:
      - name: nvidia.com/gpu
        replicas: 1
"""
FINE = CONFIG.replace("replicas: 1", "replicas: 4")


def indented(text: str, by: int) -> str:
    return "".join(f"{' ' * by}{line}" for line in text.splitlines(keepends=True))


def plugin_values(config: str = CONFIG) -> str:
    return f"config:\n  map:\n    shared: |\n{indented(config, 6)}"


def operator_values(config: str = CONFIG) -> str:
    data = f"create: true\nname: plugin-configs\ndefault: shared\ndata:\n  shared: |\n{indented(config, 4)}"
    return f"devicePlugin:\n  config:\n{indented(data, 4)}"


def values_of(chart: str, config: str = CONFIG) -> str:
    return operator_values(config) if chart == "gpu-operator" else plugin_values(config)


FLUX = """\
apiVersion: helm.toolkit.fluxcd.io/{version}
kind: HelmRelease
metadata: {{name: gpus}}
spec:
  chart:
    spec: {{chart: {chart}}}
  values:
"""
FLUX_REFERENCE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {{name: gpus}}
spec:
  chartRef: {{kind: OCIRepository, name: {chart}}}
  values:
"""
K3S = """\
apiVersion: helm.cattle.io/v1
kind: HelmChart
metadata: {{name: gpus}}
spec:
  chart: oci://registry.example/charts/{chart}
  valuesContent: |
"""
ARGO_TEXT = """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {{name: gpus}}
spec:
  source:
    chart: {chart}
    helm:
      values: |
"""
ARGO_OBJECT = """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {{name: gpus}}
spec:
  sources:
    - repoURL: https://git.example/values
      ref: values
    - chart: {chart}
      helm:
        valuesObject:
"""
ARGO_FOLDER = """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {{name: gpus}}
spec:
  source:
    repoURL: https://github.com/NVIDIA/{chart}.git
    path: deployments/{chart}
    helm:
      valuesObject:
"""
ARGO_SET = """\
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {{name: gpus}}
spec:
  template:
    metadata: {{name: '{{{{.cluster}}}}-gpus'}}
    spec:
      source:
        chart: {chart}
        helm:
          valuesObject:
"""
KUSTOMIZE = """\
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
helmCharts:
  - name: {chart}
    repo: https://charts.example
    valuesInline:
"""
HELMFILE = """\
repositories: [{{name: charts, url: https://charts.example}}]
releases:
  - name: gpus
    chart: charts/{chart}
    values:
      -
"""
FLEET = """\
defaultNamespace: gpus
helm:
  chart: {chart}
  values:
"""
CROSSPLANE = """\
apiVersion: helm.crossplane.io/v1beta1
kind: Release
metadata: {{name: gpus}}
spec:
  forProvider:
    chart: {{name: {chart}, repository: https://charts.example}}
    values:
"""
SVELTOS = """\
apiVersion: config.projectsveltos.io/v1beta1
kind: ClusterProfile
metadata: {{name: gpus}}
spec:
  helmCharts:
    - chartName: charts/{chart}
      values: |
"""
UMBRELLA = "{chart}:\n"
LISTED = """\
apiVersion: v1
kind: List
items:
  - apiVersion: helm.cattle.io/v1
    kind: HelmChart
    metadata: {{name: gpus}}
    spec:
      chart: {chart}
      valuesContent: |-
"""
WRAPPERS = {
    "flux": FLUX.replace("{version}", "v2"),
    "flux of before": FLUX.replace("{version}", "v2beta2"),
    "flux by reference": FLUX_REFERENCE,
    "k3s": K3S,
    "argo, a text": ARGO_TEXT,
    "argo, an object": ARGO_OBJECT,
    "argo, NVIDIA's folder": ARGO_FOLDER,
    "argo, a set": ARGO_SET,
    "kustomize": KUSTOMIZE,
    "helmfile": HELMFILE,
    "fleet": FLEET,
    "crossplane": CROSSPLANE,
    "sveltos": SVELTOS,
    "umbrella": UMBRELLA,
    "list": LISTED,
}
CHARTS = ("nvidia-device-plugin", "gpu-operator")


def wrapped(form: str, chart: str, config: str = CONFIG) -> str:
    head = WRAPPERS[form].format(chart=chart)
    last = head.splitlines()[-1]
    depth = len(last) - len(last.lstrip()) + 2
    return head + indented(values_of(chart, config), depth)


def after(text: str, path: str = "a.yaml") -> str:
    """The file with every fix in it, whether safe or not."""
    files = sources({path: text})
    return fixed(text, [each for each in lint(files, KNOWING)[path] if each.fix is not None]).text


@pytest.mark.parametrize("chart", CHARTS)
@pytest.mark.parametrize("form", WRAPPERS)
def test_a_config_in_values_in_a_wrapper_is_refused_where_it_stands(form: str, chart: str) -> None:
    text = wrapped(form, chart)
    line = text.splitlines().index(next(each for each in text.splitlines() if "replicas: 1" in each)) + 1
    column = text.splitlines()[line - 1].index("1") + 1
    assert said({"a.yaml": text}) == [f"a.yaml:{line}:{column} GL202"]


@pytest.mark.parametrize("chart", CHARTS)
@pytest.mark.parametrize("form", WRAPPERS)
def test_what_is_fine_in_a_wrapper_is_told_as_what_is_fine_without(form: str, chart: str) -> None:
    assert said({"a.yaml": wrapped(form, chart, FINE)}) == said({"a.yaml": values_of(chart, FINE)}) == []


@pytest.mark.parametrize("form", WRAPPERS)
def test_a_fix_changes_the_wrapper_in_the_place_of_its_values(form: str) -> None:
    text = wrapped(form, "gpu-operator", FINE).replace("default: shared", "default: sharedd")
    assert text != after(text) == wrapped(form, "gpu-operator", FINE)


@pytest.mark.parametrize("form", WRAPPERS)
def test_only_the_configs_of_a_wrapper_are_listed(form: str) -> None:
    (file,) = sources({"a.yaml": wrapped(form, "gpu-operator")})
    assert [(each["kind"], each["key"], each["loads"]) for each in entries(file.documents)] == [
        ("device-plugin", "shared", False)
    ]
    assert "unknown" not in [each.document.kind for each in file.documents]


@pytest.mark.parametrize(
    "chart", ["prometheus", "amd-gpu-operator", "intel-device-plugins-gpu", "gpu-operator-charts"]
)
def test_other_charts_are_left_alone(chart: str) -> None:
    text = FLUX.format(version="v2", chart=chart) + indented(plugin_values(), 4)
    assert kinds({"a.yaml": text}) == ["1 unknown"]
    assert said({"a.yaml": text}) == []


def test_a_chart_of_the_same_name_in_another_makers_repository_is_left_alone() -> None:
    text = K3S.format(chart="gpu-operator") + indented(operator_values(), 4)
    text = text.replace("  valuesContent", "  repo: https://rocm.github.io/gpu-operator\n  valuesContent")
    assert said({"a.yaml": text}) == []


def test_a_dependency_that_is_switched_off_is_not_deployed() -> None:
    text = "gpu-operator:\n  enabled: false\n" + indented(operator_values(), 2)
    assert said({"a.yaml": text}) == []


def test_values_of_a_chart_that_depends_on_ours_in_a_release() -> None:
    text = (
        FLUX.format(version="v2", chart="./charts/gpus")
        + "    gpu-operator:\n"
        + indented(operator_values(), 6)
    )
    assert said({"a.yaml": text}) == ["a.yaml:22:33 GL202"]


def test_an_alias_of_a_dependency_is_told_by_the_chart() -> None:
    chart = "apiVersion: v2\nname: gpus\nversion: 0.1.0\ndependencies:\n- {name: gpu-operator, alias: gpu}\n"
    values = "gpu:\n" + indented(operator_values(), 2)
    assert said({"x/Chart.yaml": chart, "x/values-prod.yaml": values}) == ["x/values-prod.yaml:15:29 GL202"]
    assert said({"x/Chart.yaml": chart, "y/values.yaml": values}) == []


class TestParameters:
    def test_a_parameter_is_a_value_at_its_place(self) -> None:
        text = ARGO_TEXT.format(chart="gpu-operator").replace("      values: |\n", "      parameters:\n")
        text += "        - {name: devicePlugin.config.name, value: my.configs}\n"
        assert said({"a.yaml": text}) == ["a.yaml:9:51 GL503"]

    def test_a_parameter_goes_over_the_values(self) -> None:
        text = ARGO_TEXT.format(chart="gpu-operator") + indented(operator_values(FINE), 8)
        parameter = "      parameters:\n        - {name: devicePlugin.config.default, value: none}\n"
        text = text.replace("      values: |\n", f"{parameter}      values: |\n")
        assert said({"a.yaml": text}) == ["a.yaml:9:54 GL508 near"]

    def test_set_of_a_helm_chart(self) -> None:
        text = K3S.format(chart="gpu-operator").replace(
            "  valuesContent: |\n", "  set:\n    devicePlugin.config.name: my.configs\n"
        )
        assert said({"a.yaml": text}) == ["a.yaml:7:31 GL503"]


class TestValuesFrom:
    RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: gpus, namespace: gpu}
spec:
  chart: {spec: {chart: gpu-operator}}
  valuesFrom:
    - kind: ConfigMap
      name: gpu-values
"""
    MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: gpu-values, namespace: gpu}\ndata:\n  values.yaml: |\n"

    def map_of(self, values: str) -> str:
        return self.MAP + indented(values, 4)

    def test_a_config_map_among_the_files_is_read(self) -> None:
        values = operator_values().replace("default: shared", "default: sharedd")
        files = {"a.yaml": self.RELEASE, "b.yaml": self.map_of(values)}
        assert said(files) == ["b.yaml:10:18 GL508 near", "b.yaml:19:31 GL202"]

    def test_in_the_same_file(self) -> None:
        files = {"a.yaml": f"{self.RELEASE}---\n{self.map_of(operator_values())}"}
        assert said(files) == ["a.yaml:28:31 GL202"]

    def test_values_of_the_release_go_over_it(self) -> None:
        own = "  values: {devicePlugin: {config: {default: other}}}\n"
        files = {"a.yaml": self.RELEASE + own, "b.yaml": self.map_of(operator_values(FINE))}
        assert said(files) == ["a.yaml:9:45 GL508 near"]

    def test_one_of_another_namespace_is_another(self) -> None:
        other = self.map_of(operator_values()).replace("namespace: gpu", "namespace: other")
        assert said({"a.yaml": self.RELEASE, "b.yaml": other}) == []

    def test_one_that_is_not_given_is_said_not_to_be_read(self) -> None:
        (file,) = sources({"a.yaml": self.RELEASE.replace("ConfigMap", "Secret")})
        assert [(note.reason, note.name, note.position.line) for note in file.unread] == [
            (Reason.SECRET, "gpu-values", 8)
        ]

    def test_a_default_alone_is_not_told_where_some_values_are_not_read(self) -> None:
        own = "  values: {devicePlugin: {config: {default: any}}}\n"
        assert said({"a.yaml": self.RELEASE + own}) == []
        assert said({"a.yaml": self.RELEASE + own, "b.yaml": self.map_of("cdi: {enabled: true}\n")}) == [
            "a.yaml:9:36 GL557"
        ]

    def test_a_key_with_a_target(self) -> None:
        release = self.RELEASE + "      valuesKey: name\n      targetPath: devicePlugin.config.name\n"
        config_map = self.MAP.replace("  values.yaml: |\n", "  name: my.configs\n")
        assert said({"a.yaml": release, "b.yaml": config_map}) == ["b.yaml:5:9 GL503"]

    def test_one_that_kustomize_makes_of_a_file(self) -> None:
        kustomization = (
            "configMapGenerator:\n- name: gpu-values\n  files: [values.yaml=gpu.yaml]\n"
            "generatorOptions: {disableNameSuffixHash: true}\n"
        )
        files = {
            "k/kustomization.yaml": kustomization,
            "k/a.yaml": self.RELEASE,
            "k/gpu.yaml": operator_values(),
        }
        assert said(files) == ["k/gpu.yaml:14:27 GL202"]

    def test_one_that_kustomize_makes_under_another_name(self) -> None:
        kustomization = "configMapGenerator:\n- name: gpu-values\n  files: [values.yaml=gpu.yaml]\n"
        files = {
            "k/kustomization.yaml": kustomization,
            "k/a.yaml": self.RELEASE,
            "k/gpu.yaml": operator_values(FINE),
        }
        assert said(files) == ["k/a.yaml:8:13 GL558 values"]


class TestKustomize:
    RELEASE = FLUX.format(version="v2", chart="gpu-operator").replace("name: gpus", "name: gpu")

    def test_a_file_of_values_of_a_chart(self) -> None:
        text = KUSTOMIZE.format(chart="gpu-operator").replace("valuesInline:\n", "valuesFile: ./gpu.yaml\n")
        assert said({"kustomization.yaml": text, "gpu.yaml": operator_values()}) == ["gpu.yaml:14:27 GL202"]

    def test_a_patch_is_laid_over_the_release(self) -> None:
        patch = """\
resources: [release.yaml]
patches:
  - patch: |
      apiVersion: helm.toolkit.fluxcd.io/v2
      kind: HelmRelease
      metadata: {name: gpu}
      spec:
        values:
          devicePlugin:
            config: {default: other}
"""
        files = {
            "over/kustomization.yaml": f"kind: Kustomization\napiVersion: kustomize.config.k8s.io/v1beta1\n{patch}",
            "base/release.yaml": self.RELEASE + indented(operator_values(FINE), 4),
        }
        assert said(files) == ["over/kustomization.yaml:12:31 GL508 near"]

    def test_a_json_patch(self) -> None:
        patch = """\
kind: Kustomization
apiVersion: kustomize.config.k8s.io/v1beta1
patches:
  - target: {kind: HelmRelease, name: gpu}
    patch: |-
      - op: replace
        path: /spec/values/devicePlugin/config/default
        value: other
"""
        files = {
            "over/kustomization.yaml": patch,
            "base/release.yaml": self.RELEASE + indented(operator_values(FINE), 4),
        }
        assert said(files) == ["over/kustomization.yaml:8:16 GL508 near"]

    def test_a_patch_in_a_file_of_its_own(self) -> None:
        patch = (
            "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: gpu}\nspec:\n"
            "  values: {devicePlugin: {config: {default: other}}}\n"
        )
        files = {"base/a.yaml": self.RELEASE + indented(operator_values(FINE), 4), "over/patch.yaml": patch}
        assert said(files) == ["over/patch.yaml:5:45 GL508 near"]

    def test_a_patched_config_map_holds_configs(self) -> None:
        patch = "kind: Kustomization\napiVersion: kustomize.config.k8s.io/v1beta1\npatches:\n  - patch: |\n"
        config_map = (
            f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: c}}\ndata:\n  a: |\n{indented(CONFIG, 4)}"
        )
        assert said({"kustomization.yaml": patch + indented(config_map, 6)}) == [
            "kustomization.yaml:16:29 GL202"
        ]

    POLICY = """\
apiVersion: nvidia.com/v1
kind: ClusterPolicy
metadata: {name: cluster-policy}
spec:
  devicePlugin:
    config: {name: slices, default: any}
"""

    def generated(self, more: str = "", key: str = "any=") -> list[str]:
        kustomization = (
            "kind: Kustomization\napiVersion: kustomize.config.k8s.io/v1beta1\n"
            f"configMapGenerator:\n  - name: slices\n    files: [{key}configs/any]\n{more}"
        )
        files = {"g/kustomization.yaml": kustomization, "g/policy.yaml": self.POLICY, "g/configs/any": FINE}
        return said(files)

    def test_a_hash_behind_the_name_is_told(self) -> None:
        assert self.generated() == ["g/policy.yaml:6:20 GL558"]

    @pytest.mark.parametrize(
        "more",
        [
            "generatorOptions: {disableNameSuffixHash: true}\n",
            "    options: {disableNameSuffixHash: true}\n",
            "configurations: [names.yaml]\n",
            "replacements: [{path: names.yaml}]\n",
        ],
    )
    def test_a_name_without_hash_or_that_is_rewritten_is_fine(self, more: str) -> None:
        assert self.generated(more) == []

    def test_the_key_is_the_files_own_name_where_none_is_given(self) -> None:
        assert self.generated(key="") == ["g/policy.yaml:6:20 GL558"]
        assert "g/policy.yaml:6:37 GL904 default" in self.generated(key="other=")

    def test_a_literal_is_a_key_with_its_config(self) -> None:
        kustomization = (
            "kind: Kustomization\napiVersion: kustomize.config.k8s.io/v1beta1\ngeneratorOptions:\n"
            "  disableNameSuffixHash: true\nconfigMapGenerator:\n  - name: slices\n    literals:\n"
            f"      - |\n        any={CONFIG.splitlines()[0]}\n{indented(''.join(CONFIG.splitlines(True)[1:]), 8)}"
        )
        files = {"g/kustomization.yaml": kustomization, "g/policy.yaml": self.POLICY}
        assert said(files) == ["g/kustomization.yaml:15:27 GL202"]


class TestHelmChartConfig:
    CONFIG = "apiVersion: helm.cattle.io/v1\nkind: HelmChartConfig\nmetadata: {name: gpus}\nspec:\n  valuesContent: |\n"

    def test_it_goes_over_the_chart_of_its_name(self) -> None:
        chart = K3S.format(chart="gpu-operator") + indented(operator_values(FINE), 4)
        config = f"{self.CONFIG}    devicePlugin:\n      config:\n        default: other\n"
        assert said({"a.yaml": chart, "b.yaml": config}) == ["b.yaml:8:18 GL508 near"]
        assert "HelmChartConfig" in kinds({"a.yaml": chart, "b.yaml": config})[3]

    def test_one_of_an_unknown_chart_is_left_alone(self) -> None:
        assert said({"b.yaml": self.CONFIG + indented(operator_values(), 4)}) == []


class TestBottlerocket:
    SETTINGS = """\
[settings.kubelet-device-plugins.nvidia]
device-sharing-strategy = "time-slicing"

[settings.kubelet-device-plugins.nvidia.time-slicing]
replicas = 1
"""

    def test_settings_in_toml_are_the_config_that_the_node_makes_of_them(self) -> None:
        assert kinds({"user-data.toml": self.SETTINGS}) == ["1 node-settings", "2 device-plugin"]
        assert said({"user-data.toml": self.SETTINGS}) == ["user-data.toml:5:12 GL202"]

    def test_user_data_in_an_object(self) -> None:
        head = "apiVersion: karpenter.k8s.aws/v1\nkind: EC2NodeClass\nmetadata: {name: gpu}\nspec:\n  userData: |\n"
        assert said({"a.yaml": head + indented(self.SETTINGS, 4)}) == ["a.yaml:10:16 GL202"]

    def test_the_nodes_own_default_is_two_replicas(self) -> None:
        (file,) = sources({"a.toml": self.SETTINGS.replace("replicas = 1", "rename-by-default = false")})
        (config,) = [each.plugin for each in file.documents if each.plugin is not None]
        assert config.setting is not None
        assert [shared.replicas for shared in config.setting.resources] == [2]

    def test_what_is_no_settings_of_a_node_is_not_read(self) -> None:
        (file,) = sources({"a.toml": "[tool.x]\na = 1\n"})
        assert [(note.reason, note.name) for note in file.unread] == [(Reason.TOML, "")]


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("a.tf", 'chart = "gpu-operator"\n', Reason.TERRAFORM),
        ("a.jsonnet", "helm.template('gpu-operator', 'charts/gpu-operator')\n", Reason.JSONNET),
        ("index.ts", 'new k8s.helm.v3.Release("gpus", {chart: "gpu-operator"});\n', Reason.PROGRAM),
    ],
)
def test_programs_that_name_a_chart_are_said_not_to_be_read(name: str, text: str, reason: Reason) -> None:
    (file,) = sources({name: text})
    assert [(note.reason, note.name) for note in file.unread] == [(reason, "gpu-operator")]


def test_values_that_are_no_yaml_are_refused_in_their_place() -> None:
    text = K3S.format(chart="gpu-operator") + "    devicePlugin:\n      config: {name: x\n    mig: {}\n"
    assert said({"a.yaml": text}) == ["a.yaml:9:8 GL101"]


def test_a_template_in_values_is_said_not_to_be_read() -> None:
    text = SVELTOS.format(chart="gpu-operator") + "        devicePlugin: {{ .Values }}\n"
    (file,) = sources({"a.yaml": text})
    assert [note.reason for note in file.unread] == [Reason.TEMPLATE]
    assert said({"a.yaml": text}) == []
