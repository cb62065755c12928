"""Rules about claims for NVIDIA's DRA driver, GL420 to GL425: what each finds, where, and what its fix writes."""

from __future__ import annotations

from textwrap import indent

import pytest

from labs.lint.core.linter import lint, read
from labs.lint.core.selection import Selection
from labs.lint.findings.finding import Finding, Severity
from labs.lint.findings.fixing import fixed
from labs.lint.subject.settings import Settings

V1BETA1 = "resource.nvidia.com/v1beta1"
RULES = ("GL420", "GL421", "GL422", "GL423", "GL424")


def claim(sharing: str, *, kind: str = "GpuConfig", version: str = V1BETA1, template: bool = False) -> str:
    parameters = f"apiVersion: {version}\nkind: {kind}\n{sharing}"
    config = (
        "devices:\n  config:\n    - opaque:\n        driver: gpu.nvidia.com\n        parameters:\n"
        + indent(parameters, " " * 10)
    )
    spec = "spec:\n" + indent("spec:\n" + indent(config, "  ") if template else config, "  ")
    name = "ResourceClaimTemplate" if template else "ResourceClaim"
    return f"apiVersion: resource.k8s.io/v1\nkind: {name}\nmetadata: {{name: it}}\n{spec}"


def found(text: str, *codes: str) -> list[Finding]:
    chosen = Selection(select=codes or RULES)
    return [
        one for each in lint([read("it.yaml", text, Settings())], Settings(), chosen).values() for one in each
    ]


def told(text: str, *codes: str) -> list[tuple[str, str]]:
    return [(one.code, one.variant) for one in found(text, *codes)]


def mended(text: str) -> str:
    return fixed(text, found(text)).text


@pytest.mark.parametrize(
    "sharing",
    [
        "",
        "sharing: ~\n",
        "sharing: {strategy: TimeSlicing}\n",
        "sharing: {strategy: TimeSlicing, timeSlicingConfig: {interval: Long}}\n",
        "sharing: {strategy: TimeSlicing, timeSlicingConfig: ~, mpsConfig: ~}\n",
        "sharing: {strategy: MPS}\n",
        "sharing: {strategy: MPS, mpsConfig: {defaultActiveThreadPercentage: 0}}\n",
        "sharing: {strategy: MPS, mpsConfig: {defaultActiveThreadPercentage: 50.0, defaultPinnedDeviceMemoryLimit: 10Gi}}\n",
        "sharing: {strategy: MPS, mpsConfig: {defaultPerDevicePinnedMemoryLimit: {0: 5Gi, '1': 1Mi, GPU-6a8b: 2G}}}\n",
    ],
)
@pytest.mark.parametrize("template", [False, True])
def test_what_the_driver_takes_is_clean(sharing: str, template: bool) -> None:
    assert told(claim(sharing, template=template)) == []


@pytest.mark.parametrize(
    ("kind", "version"),
    [
        ("GpuConfig", "resource.nvidia.com/v2"),
        ("GpuConfig", "gpu.nvidia.com/v1alpha1"),
        ("ComputeDomainChannelConfig", V1BETA1),
        ("VfioDeviceConfig", V1BETA1),
    ],
)
def test_other_versions_and_kinds_are_left_alone(kind: str, version: str) -> None:
    text = claim("sharing: {strategy: nothing, mpsConfig: {x: 1}}\nother: 1\n", kind=kind, version=version)
    assert told(text) == []


@pytest.mark.parametrize(
    ("strategy", "variant", "meant"),
    [
        ("mps", "near", "MPS"),
        ("Mps", "near", "MPS"),
        ("time-slicing", "near", "TimeSlicing"),
        ("timeSlicing", "near", "TimeSlicing"),
        ("Fabric", "", ""),
        ("MIG", "", ""),
        ("3", "", ""),
    ],
)
def test_a_strategy_counts_letter_for_letter(strategy: str, variant: str, meant: str) -> None:
    text = claim(f"sharing: {{strategy: {strategy}}}\n")
    (one,) = found(text)
    assert (one.code, one.variant, dict(one.arguments)["meant"]) == ("GL420", variant, meant)
    if meant:
        assert one.fix is not None
        assert one.fix.safe
        assert mended(text) == claim(f"sharing: {{strategy: {meant}}}\n")


@pytest.mark.parametrize(
    "sharing", ["sharing: {}\n", "sharing: {strategy: ~}\n", "sharing: {mpsConfig: ~}\n"]
)
def test_a_block_without_a_strategy_is_refused(sharing: str) -> None:
    assert told(claim(sharing)) == [("GL420", "missing")]


@pytest.mark.parametrize(
    ("kind", "sharing", "variant", "severity", "safe"),
    [
        ("GpuConfig", "{strategy: TimeSlicing, mpsConfig: {}}", "", Severity.ERROR, False),
        ("GpuConfig", "{strategy: MPS, timeSlicingConfig: {interval: Long}}", "", Severity.ERROR, False),
        ("MigDeviceConfig", "{strategy: TimeSlicing, mpsConfig: {}}", "dropped", Severity.WARNING, True),
        (
            "MigDeviceConfig",
            "{strategy: TimeSlicing, timeSlicingConfig: {interval: Long}}",
            "mig",
            Severity.ERROR,
            False,
        ),
        ("MigDeviceConfig", "{strategy: MPS, timeSlicingConfig: ~}", "mig", Severity.ERROR, False),
    ],
)
def test_settings_of_another_strategy(
    kind: str, sharing: str, variant: str, severity: Severity, safe: bool
) -> None:
    text = claim(f"sharing: {sharing}\n", kind=kind)
    (one,) = found(text)
    assert (one.code, one.variant, one.severity) == ("GL421", variant, severity)
    assert one.fix is not None
    assert one.fix.safe is safe
    assert [other.note for other in one.related] == ["strategy"]
    assert told(mended(text)) == []


@pytest.mark.parametrize(
    ("interval", "expected"),
    [
        ("{interval: long}", [("GL422", "near")]),
        ("{interval: 2ms}", [("GL422", "")]),
        ("{interval: 2}", [("GL422", "")]),
        ("{}", [("GL422", "missing")]),
        ("{interval: ~}", [("GL422", "missing")]),
        ("[]", []),
    ],
)
def test_an_interval_is_one_of_four_names(interval: str, expected: list[tuple[str, str]]) -> None:
    assert told(claim(f"sharing: {{strategy: TimeSlicing, timeSlicingConfig: {interval}}}\n")) == expected


@pytest.mark.parametrize(
    ("sharing", "expected"),
    [
        ("strategy: timeSlicing, timeSlicingConfig: {interval: long}", ["GL420", "GL422"]),
        ("strategy: time-slicing, mpsConfig: {defaultActiveThreadPercentage: 50}", ["GL420", "GL421"]),
        ("strategy: mps, mpsConfig: {defaultActiveThreadPercentage: 150}", ["GL420", "GL423"]),
        ("strategy: Exclusive, timeSlicingConfig: {interval: long}", ["GL420"]),
    ],
)
def test_settings_are_judged_by_the_strategy_that_is_meant(sharing: str, expected: list[str]) -> None:
    assert [code for code, _ in told(claim(f"sharing: {{{sharing}}}\n"))] == expected


def test_an_interval_that_is_not_used_is_left_to_the_rule_that_says_so() -> None:
    assert told(claim("sharing: {strategy: MPS, timeSlicingConfig: {interval: long}}\n")) == [("GL421", "")]


@pytest.mark.parametrize(
    ("limit", "variant"),
    [
        ("defaultActiveThreadPercentage: 101", ""),
        ("defaultActiveThreadPercentage: -1", ""),
        ("defaultActiveThreadPercentage: 12.5", ""),
        ("defaultActiveThreadPercentage: '50'", ""),
        ("defaultActiveThreadPercentage: 50%", ""),
        ("defaultPinnedDeviceMemoryLimit: 4096", "memory"),
        ("defaultPinnedDeviceMemoryLimit: 512Ki", "memory"),
        ("defaultPinnedDeviceMemoryLimit: 0", "memory"),
        ("defaultPinnedDeviceMemoryLimit: 4GB", "no-quantity"),
        ("defaultPinnedDeviceMemoryLimit: 4 Gi", "no-quantity"),
        ("defaultPerDevicePinnedMemoryLimit: {gpu0: 4Gi}", "device"),
        ("defaultPerDevicePinnedMemoryLimit: {'-1': 4Gi}", "device"),
        ("defaultPerDevicePinnedMemoryLimit: {0: 512}", "memory"),
    ],
)
def test_a_limit_out_of_range(limit: str, variant: str) -> None:
    assert told(claim(f"sharing: {{strategy: MPS, mpsConfig: {{{limit}}}}}\n")) == [("GL423", variant)]


def test_a_memory_limit_without_a_unit_gets_mib_on_demand() -> None:
    text = claim(
        "sharing:\n  strategy: MPS\n  mpsConfig:\n    defaultPinnedDeviceMemoryLimit: 4096 # per client\n"
    )
    (one,) = found(text)
    assert one.fix is not None
    assert not one.fix.safe
    assert mended(text) == text.replace("4096 #", "4096Mi #")


@pytest.mark.parametrize(
    ("parameters", "variant", "after"),
    [
        ("sharing: {strategy: MPS}\nsharng: {}\n", "near", None),
        ("Sharing: {strategy: MPS}\n", "near", "sharing: {strategy: MPS}\n"),
        ("sharing: {strategy: MPS, mps: {}}\n", "", None),
        (
            "sharing: {strategy: MPS, mpsConfig: {activeThreadPercentage: 5}}\n",
            "near",
            "sharing: {strategy: MPS, mpsConfig: {defaultActiveThreadPercentage: 5}}\n",
        ),
        ("sharing: {strategy: TimeSlicing, timeSlicingConfig: {interval: Long, duration: 5}}\n", "", None),
    ],
)
def test_a_key_that_the_driver_does_not_know(parameters: str, variant: str, after: str | None) -> None:
    text = claim(parameters)
    (one,) = found(text)
    assert (one.code, one.variant) == ("GL424", variant)
    assert mended(text) == (text if after is None else claim(after))


def test_the_gates_are_named_when_asked_for() -> None:
    assert told(claim("sharing: {strategy: MPS}\n"), "GL425") == [("GL425", "")]
    assert [one.code for one in found(claim("sharing: {strategy: MPS}\n"), "GL4")] == ["GL425"]
    assert told(claim("sharing: {strategy: mps}\n"), "GL425") == []


@pytest.mark.parametrize(
    "sharing", ["[]", "x", "{strategy: [MPS], mpsConfig: x}", "{strategy: MPS, mpsConfig: []}", "{? [a] : b}"]
)
def test_values_of_other_types_raise_nothing(sharing: str) -> None:
    assert {code for code, _ in told(claim(f"sharing: {sharing}\n"))} <= set(RULES)
