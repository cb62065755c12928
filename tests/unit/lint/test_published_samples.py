"""Samples that were published by NVIDIA and do not do what they say: each is found, with the right reason.

They are written anew here, as small as the mistake allows. Sources: cloud-native-docs,
`openshift/time-slicing-gpus-in-openshift.rst` and `gpu-operator/gpu-sharing.rst`; gpu-operator, the chart's `values.yaml`.
"""

from __future__ import annotations

import pytest

from labs.config.plugin.flags import Deployer
from labs.hardware.catalog import builtin_catalog
from labs.lint.core.linter import SourceFile, lint, read
from labs.lint.findings.finding import Finding, Severity
from labs.lint.subject.settings import Settings

MIXED_SLICES = """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: device-plugin-config
data:
  A100-SXM4-40GB: |-
    version: v1
    sharing:
      timeSlicing:
        resources:
        - name: nvidia.com/gpu
          replicas: 8
        - name: nvidia.com/mig-1g.5gb
          replicas: 1
        - name: nvidia.com/mig-2g.10gb
          replicas: 2
"""
PATCH = """\
apiVersion: nvidia.com/v1
kind: ClusterPolicy
metadata:
  name: gpu-cluster-policy
spec:
  gfd:
    enable: true
  devicePlugin:
    config:
      name: device-plugin-config
"""
VALUES = """\
migManager:
  config:
    name: custom-mig-parted-config
    create: true
    data:
      config.yaml: |-
        version: v1
        mig-configs:
          # every card whole
          all-disabled:
          - devices: all
            mig-enabled: false
          custom:
          - devices: [0]
            mig-enabled: false
          - devices: [1]
             mig-enabled: true
             mig-devices:
               "1g.10gb": 7
"""
FINE_GRAINED = """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: time-slicing-config-fine
data:
  a100-40gb: |-
    version: v1
    flags:
      migStrategy: mixed
    sharing:
      timeSlicing:
        failRequestsGreaterThanOne: true
        resources:
        - name: nvidia.com/gpu
          replicas: 8
"""


def checked(settings: Settings | None = None, **texts: str) -> tuple[list[SourceFile], list[Finding]]:
    given = settings or Settings(catalog=builtin_catalog())
    sources = [read(f"{name}.yaml", text, given) for name, text in texts.items()]
    return sources, [one for found in lint(sources, given).values() for one in found]


def of(code: str, found: list[Finding]) -> Finding:
    (one,) = [each for each in found if each.code == code]
    return one


def test_a_replica_of_one_refuses_the_whole_config() -> None:
    (source,), found = checked(map=MIXED_SLICES)
    (config,) = [each for each in source.documents if each.plugin is not None]
    assert config.error is not None
    assert config.error.endswith("number of replicas must be >= 2")
    one = of("GL202", found)
    assert one.severity is Severity.ERROR
    assert source.text.splitlines()[one.span.start.line - 1].strip() == "replicas: 1"
    assert not any(each.code == "GL100" for each in found)


@pytest.mark.parametrize("refused", [0, 1, 2])
def test_the_one_that_is_refused_is_pointed_at_wherever_it_stands(refused: int) -> None:
    names = ("nvidia.com/gpu", "nvidia.com/mig-1g.5gb", "nvidia.com/mig-2g.10gb")
    listed = "".join(
        f"    - name: {name}\n      replicas: {1 if place == refused else 4}\n"
        for place, name in enumerate(names)
    )
    text = f"version: v1\nflags:\n  migStrategy: mixed\nsharing:\n  timeSlicing:\n    resources:\n{listed}"
    _, found = checked(config=text)
    assert [(one.code, one.span.start.line) for one in found if one.severity is Severity.ERROR] == [
        ("GL202", 8 + 2 * refused)
    ]


def test_a_field_that_the_operator_does_not_have_is_named_with_the_one_that_it_has() -> None:
    (source,), found = checked(policy=PATCH)
    one = of("GL502", found)
    assert dict(one.arguments)["near"] == "gfd.enabled"
    assert source.text[one.span.start_offset : one.span.end_offset] == "enable"
    assert one.fix is not None


def test_one_space_too_many_makes_the_mig_config_no_yaml() -> None:
    (source,), found = checked(values=VALUES)
    (refused,) = [each for each in source.documents if each.loads is False]
    assert refused.error is not None
    assert refused.error.endswith("yaml: line 10: did not find expected key")
    (one,) = [each for each in found if each.severity is Severity.ERROR]
    assert source.text.splitlines()[one.span.start.line - 1].strip() in (
        "mig-enabled: true",
        "- devices: [1]",
    )


@pytest.mark.parametrize("said", ["settings", "policy", "values"])
def test_a_strategy_in_the_file_is_dead_under_the_operators_default(said: str) -> None:
    policy = PATCH.replace("  gfd:\n    enable: true\n", "  mig:\n    strategy: single\n")
    policy = policy.replace("device-plugin-config", "time-slicing-config-fine")
    values = "mig:\n  strategy: single\ndevicePlugin:\n  config:\n    name: time-slicing-config-fine\n"
    beside = {"settings": {}, "policy": {"policy": policy}, "values": {"values": values}}[said]
    settings = Settings(deployer=Deployer.OPERATOR if said == "settings" else None, catalog=builtin_catalog())
    sources, found = checked(settings, map=FINE_GRAINED, **beside)
    one = of("GL205", found)
    assert one.path == "map.yaml"
    arguments = dict(one.arguments)
    assert (arguments["value"], arguments["actual"], arguments["source"]) == (
        "mixed",
        "single",
        "MIG_STRATEGY",
    )
    assert sources[0].text[one.span.start_offset : one.span.end_offset] in ("mixed", "migStrategy")


def test_the_samples_written_right_are_silent() -> None:
    right = MIXED_SLICES.replace("replicas: 1\n", "replicas: 2\n").replace(
        "version: v1\n    sharing", "version: v1\n    flags: {migStrategy: mixed}\n    sharing"
    )
    right = right.replace("timeSlicing:\n", "timeSlicing:\n        failRequestsGreaterThanOne: true\n")
    _, found = checked(map=right)
    assert [one for one in found if one.severity is not Severity.INFO] == []
    _, found = checked(
        values=VALUES.replace("             mig", "            mig").replace(
            '               "1g', '              "1g'
        )
    )
    assert [one.code for one in found if one.severity is Severity.ERROR] == []
