"""Reports of people who keep values inside the objects of other tools: each file says what is wrong in its own places."""

from __future__ import annotations

import pytest

from labs.config.documents import Reason
from tests.report_cases import case, kinds, said, sources


def without_hints(found: list[str]) -> list[str]:
    """The findings without the reminder that a request for more than one is accepted."""
    return [line for line in found if " GL214" not in line]


def test_flags_at_the_top_of_a_helm_release_are_no_key_of_the_chart() -> None:
    assert said(case("flux-helmrelease/helmrelease.yaml")) == ["helmrelease.yaml:15:5 GL556"]


def test_flags_at_the_top_of_bare_values_are_no_config() -> None:
    values = case("flux-helmrelease/values-only.yaml")
    assert kinds(values) == ["1 device-plugin-values"]
    assert said(values) == ["values-only.yaml:1:1 GL556"]


def test_a_config_in_a_helm_release_is_refused_in_its_place() -> None:
    release = case("flux-helmrelease/with-one-replica.yaml")
    assert kinds(release) == ["1 HelmRelease", "8 device-plugin-values", "12 device-plugin default", "20 Pod"]
    assert said(release) == ["with-one-replica.yaml:18:29 GL202"]


@pytest.mark.parametrize(
    ("name", "findings"),
    [
        ("argo-object.yaml", ["16:22 GL508 near", "24:35 GL202"]),
        ("argo-values.yaml", ["22:33 GL202"]),
        ("k3s.yaml", ["21:19 GL301 compute-slices"]),
        ("umbrella.yaml", ["7:16 GL508 near", "15:29 GL202"]),
    ],
)
def test_each_wrapper_says_what_its_values_say(name: str, findings: list[str]) -> None:
    assert said(case(f"other-wrappers/forms/{name}")) == [f"{name}:{each}" for each in findings]


def test_a_chart_with_fine_values_has_nothing_to_say() -> None:
    chart = case("other-wrappers/helmchart.yaml")
    assert kinds(chart) == ["1 HelmChart", "12 gpu-operator-values", "20 mig-parted config.yaml"]
    assert said(chart) == said(case("other-wrappers/values-only.yaml")) == []


def test_terraform_is_said_not_to_be_read() -> None:
    (file,) = sources(case("other-wrappers/forms/main.tf"))
    assert [(note.reason, note.name, note.position.line) for note in file.unread] == [
        (Reason.TERRAFORM, "nvidia-device-plugin", 2)
    ]
    assert said(case("other-wrappers/forms/main.tf")) == []


def test_a_generated_config_map_has_the_key_of_its_file_and_a_hash_behind_its_name() -> None:
    found = without_hints(said(case("kustomize-generator")))
    assert [line for line in found if line.startswith("helmrelease.yaml")] == [
        "helmrelease.yaml:14:15 GL558",
        "helmrelease.yaml:15:18 GL904 default",
    ]


def test_a_default_that_is_the_name_of_a_config_map() -> None:
    texts = case("default-is-a-text")
    del texts["values.yaml"]
    assert without_hints(said(texts)) == ["default-instead-of-name.yaml:3:3 GL557 map"]


def test_a_default_that_is_the_config_itself() -> None:
    assert "values.yaml:12:12 GL508" in said(case("default-is-a-text/values.yaml"))
