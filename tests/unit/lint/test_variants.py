"""What a rule says depends on how something is wrong: each way is told as itself, at its place."""

from __future__ import annotations

import pytest

from labs.cluster.gpu import PhysicalGpu
from labs.config.plugin.flags import Deployer
from labs.hardware.catalog import builtin_catalog
from labs.lint.core.linter import lint, read
from labs.lint.core.selection import Selection
from labs.lint.findings.finding import Finding
from labs.lint.refusals.syntax import _forbidden
from labs.lint.refusals.value import slip
from labs.lint.subject.settings import Settings

A100 = PhysicalGpu("NVIDIA A100-SXM4-40GB", 40960, (8, 0))
L40S = PhysicalGpu("NVIDIA L40S", 46068, (8, 9))


def found(code: str, *texts: str, settings: Settings | None = None) -> list[Finding]:
    settings = settings or Settings(catalog=builtin_catalog())
    sources = [read(f"{number}.yaml", text, settings) for number, text in enumerate(texts)]
    selection = Selection(select=(code,))
    return [one for each in lint(sources, settings, selection).values() for one in each]


def mig(*lines: str) -> str:
    return "\n".join(("version: v1", "mig-configs:", "  lab:", *lines, ""))


@pytest.mark.parametrize(
    ("profile", "node", "variant"),
    [
        ("1g.21gb", None, ""),
        ("9g.500gb", None, "far"),
        ("1g.6gb", A100, "card"),
        ("9g.500gb", A100, "card-far"),
        ("1g.5gb", A100, None),
    ],
)
def test_an_unknown_profile_is_told_by_what_is_known_of_the_cards(
    profile: str, node: PhysicalGpu | None, variant: str | None
) -> None:
    text = mig("    - devices: all", "      mig-enabled: true", f"      mig-devices: {{{profile}: 1}}")
    nodes = {} if node is None else {"n1": (node,)}
    told = found("GL302", text, settings=Settings(catalog=builtin_catalog(), nodes=nodes))
    assert [one.variant for one in told] == ([] if variant is None else [variant])


@pytest.mark.parametrize("key", ["version", "flags", "sharing", "resources", "imex", "mig-configs"])
def test_a_config_spread_over_the_names_is_told_by_each_of_its_keys(key: str) -> None:
    text = f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: c}}\ndata:\n  {key}: {{a: b}}\n"
    [one] = found("GL507", text)
    assert one.span.start.line == 5


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        *((word, "true") for word in ("yes", "on", "TRUE", "true")),
        *((word, "false") for word in ("no", "off", "FALSE", "false")),
    ],
)
def test_a_bool_in_the_environment_is_put_in_quotes_as_it_was_meant(written: str, meant: str) -> None:
    lines = (
        "devicePlugin:",
        "  env:",
        "    - name: PASS_DEVICE_SPECS",
        f"      value: {written}",
        "dcgm: {}",
        "",
    )
    [one] = found("GL517", "\n".join(lines))
    assert one.fix is not None
    assert [edit.text for edit in one.fix.edits] == [f'"{meant}"']


@pytest.mark.parametrize("version", ["v1", "V1", "1", "1.0", "“v1”"])
def test_a_version_that_was_meant_as_v1_is_mended_safely(version: str) -> None:
    told = found(
        "GL100", f'version: "{version}"\nmig-configs: {{a: [{{devices: all, mig-enabled: false}}]}}\n'
    )
    told += found(
        "GL108", f'version: "{version}"\nmig-configs: {{a: [{{devices: all, mig-enabled: false}}]}}\n'
    )
    assert all(one.fix is not None and one.fix.safe for one in told)
    assert bool(told) == (version != "v1")


@pytest.mark.parametrize(
    ("text", "variant"),
    [
        ("“all”", "quotes"),
        ("“all", "quotes"),
        ("all”", "quotes"),
        ("all", ""),
        ("{{ all }}", "template"),
        ("ａｌｌ", "wide"),
        ("a\u200bll", "invisible"),
        ("", ""),
    ],
)
def test_a_spoilt_value_is_told_by_what_spoilt_it(text: str, variant: str) -> None:
    assert slip(text) == variant


def test_where_nothing_is_forbidden_neither_character_nor_line_is_named() -> None:
    assert _forbidden("all is well") == ("?", "?")


def test_mig_on_a_card_without_it_is_told_at_the_filter_or_at_the_devices() -> None:
    settings = Settings(catalog=builtin_catalog(), nodes={"n1": (L40S,)})
    asked = ("      mig-enabled: true", "      mig-devices: {1g.5gb: 1}")
    [plain] = found("GL318", mig("    - devices: [0]", *asked), settings=settings)
    assert (plain.span.start.line, plain.span.start.column) == (4, 16)


@pytest.mark.parametrize(("count", "told"), [(100, True), (101, True)])
def test_overlaps_are_looked_for_in_many_entries(count: int, told: bool) -> None:
    apart = [f"    - {{devices: [{n}], mig-enabled: false}}" for n in range(1, count)]
    assert bool(found("GL306", mig(*apart, "    - {devices: [1], mig-enabled: false}"))) is told


def test_of_very_many_pairs_of_entries_only_the_first_are_compared() -> None:
    apart = [f"    - {{devices: [{n}], mig-enabled: false}}" for n in range(1, 130)]
    assert found("GL306", mig(*apart, "    - {devices: [1], mig-enabled: false}")) == []


@pytest.mark.parametrize("value", ["single", None])
def test_a_variable_of_the_operator_counts_where_it_has_a_value(value: str | None) -> None:
    lines = [
        "devicePlugin:",
        "  config: {name: c, create: true, default: a, data: {a: 'flags: {migStrategy: mixed}'}}",
    ]
    lines += [
        "  env:",
        "    - name: MIG_STRATEGY",
        *([f"      value: {value}"] if value else []),
        "mig: {strategy: mixed}",
    ]
    told = found("GL205", "\n".join([*lines, ""]), settings=Settings(deployer=Deployer.OPERATOR))
    assert len(told) == (1 if value else 0)
