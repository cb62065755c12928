"""The edges of the rules about MIG configs: what they say where, and when they keep silent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from labs.cluster.gpu import PhysicalGpu
from labs.config.plugin.flags import Deployer
from labs.hardware.catalog import builtin_catalog
from labs.lint.core.linter import lint, read
from labs.lint.core.selection import Selection
from labs.lint.findings.finding import Finding, Severity
from labs.lint.findings.fixing import fixed
from labs.lint.rules.mig import RULES
from labs.lint.subject.settings import Settings

A100 = PhysicalGpu("NVIDIA A100-SXM4-40GB", 40960, (8, 0))
H100 = PhysicalGpu("NVIDIA H100 80GB HBM3", 81559, (9, 0))
L40S = PhysicalGpu("NVIDIA L40S", 46068, (8, 9))
UNKNOWN = PhysicalGpu("NVIDIA X1", 1024, (9, 9))

SINGLE: dict[str, Any] = {"env": {"MIG_STRATEGY": "single"}}
MIXED: dict[str, Any] = {"env": {"MIG_STRATEGY": "mixed"}}

PLUGIN = """\
version: v1
flags: {{migStrategy: {strategy}}}
sharing:
  timeSlicing:
    resources:
      - name: {name}
        replicas: 2
"""


def config(*entries: str, name: str = "lab") -> str:
    return f"version: v1\nmig-configs:\n  {name}:\n" + "".join(entries)


def entry(profiles: str = "{1g.5gb: 7}", *, devices: str = "all", only: str = "", on: bool = True) -> str:
    lines = [f"    - devices: {devices}"]
    lines += [f"      device-filter: {only}"] if only else []
    lines += [f"      mig-enabled: {'true' if on else 'false'}"]
    lines += [f"      mig-devices: {profiles}"] if on else []
    return "\n".join(lines) + "\n"


def node(name: str, config_name: str) -> str:
    labels = f"{{nvidia.com/mig.config: {config_name}}}"
    return f"apiVersion: v1\nkind: Node\nmetadata:\n  name: {name}\n  labels: {labels}\n"


def found(files: str | Mapping[str, str], **circumstances: Any) -> list[Finding]:
    settings = Settings(catalog=builtin_catalog(), **circumstances)
    named = {"mig.yaml": files} if isinstance(files, str) else files
    sources = [read(path, text, settings) for path, text in named.items()]
    return [one for each in lint(sources, settings, Selection(), RULES).values() for one in each]


def said(files: str | Mapping[str, str], **circumstances: Any) -> list[str]:
    """Code and variant of each finding."""
    return [f"{one.code} {one.variant}".strip() for one in found(files, **circumstances)]


def argument(finding: Finding, name: str) -> str | int:
    return dict(finding.arguments)[name]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (config(entry("{1g.5gb: 8}")), ["GL301 count"]),
        (config(entry("{1g.5gb+me: 2}")), ["GL301 count"]),
        (config(entry("{1g.5gb: 1, 7g.40gb: 1}")), ["GL301 compute-slices"]),
        (config(entry("{1g.5gb: 1, 3g.20gb: 2}")), ["GL301 memory-slices"]),
        (config(entry("{1g.5gb: 1, 1g.20gb: 1}")), ["GL301 together"]),
        (config(entry("{1g.24gb: 3, 1g.24gb+me.all: 1}")), ["GL301"]),
        (config(entry("{1c.3g.20gb: 7}")), ["GL301 compute-slices"]),
        (config(entry("{1g.10gb: 5}", only='"0x20B010DE"')), ["GL301 count"]),
        (config(entry("{1g.10gb: 7}", only='["0x20B210DE", "0x20B010DE"]')), ["GL301 count"]),
        # one card has room, so nothing is known to be wrong
        (config(entry("{1g.10gb: 5}")), []),
        (config(entry("{1g.10gb: 7}", only='"0x20B210DE"')), []),
        (config(entry("{3g.20gb: 1, 4g.20gb: 1}")), []),
        (config(entry("{1g.5gb: 6, 1g.5gb+me: 1}")), []),
        (config(entry("{1g.10gb: 9}", only='"0xFFFF10DE"')), []),
    ],
)
def test_a_layout_is_refused_where_no_card_that_it_is_for_has_room(text: str, expected: list[str]) -> None:
    assert said(text) == expected


def test_a_count_above_the_maximum_is_pointed_at_with_the_maximum() -> None:
    text = config(entry("{1g.10gb: 5}", only='"0x20B010DE"'))
    (one,) = found(text)
    assert (str(one.span.start), argument(one, "most"), argument(one, "cards")) == (
        "7:30",
        4,
        "NVIDIA A100-SXM4-40GB",
    )
    assert one.fix is not None
    assert not one.fix.safe
    assert said(fixed(text, [one]).text) == []


@pytest.mark.parametrize(
    ("text", "expected", "near"),
    [
        (config(entry("{7g.79gb: 1}")), ["GL302"], "7g.80gb"),
        (config(entry("{1g.5gb+ME: 1}")), ["GL302"], "1g.5gb+me"),
        (config(entry("{4c.3g.20gb: 1}")), ["GL302"], "3g.20gb"),
        (config(entry("{0g.0gb: 1}")), ["GL302 far"], ""),
        (config(entry("{1g.5gb: 1}", only='"0x20B210DE"')), ["GL302 card"], "1g.10gb"),
        (config(entry("{7g.80gb: 1}", only='["0x20B010DE", "0x20B210DE"]')), ["GL302 card"], "7g.40gb"),
        # the first drivers of the GB200 had other names, and which cards of other makers have +me is not known
        (config(entry("{1g.24gb: 7}", only='"0x294110DE"')), [], ""),
        (config(entry("{1g.8gb+me: 1}", only='"0x233710DE"')), [], ""),
        (config(entry("{7g.79gb: 0, 7g.80gb: 1}")), [], ""),
    ],
)
def test_a_profile_that_the_card_has_not_is_told_with_the_one_meant(
    text: str, expected: list[str], near: str
) -> None:
    assert [one for one in said(text) if one.startswith("GL302")] == expected
    assert [argument(one, "near") for one in found(text) if one.code == "GL302"] == [near] * len(expected)


@pytest.mark.parametrize(
    ("files", "nodes", "expected"),
    [
        ({"mig.yaml": config(entry("{1g.10gb: 7}"))}, {"a": (A100, A100)}, ["GL301 count"]),
        ({"mig.yaml": config(entry("{7g.80gb: 1}"))}, {"a": (A100,)}, ["GL302 card"]),
        ({"mig.yaml": config(entry("{1g.10gb: 7}"))}, {"a": (A100,), "h": (H100,)}, []),
        ({"mig.yaml": config(entry("{9g.999gb: 1}"))}, {"x": (UNKNOWN,)}, []),
        # of several configs only the one that a node is labelled with is for it
        ({"mig.yaml": config(entry("{1g.10gb: 7}"), "  b:\n", entry())}, {"a": (A100,)}, []),
        (
            {"mig.yaml": config(entry("{1g.10gb: 7}"), "  b:\n", entry()), "node.yaml": node("a", "lab")},
            {"a": (A100,), "h": (H100,)},
            ["GL301 count"],
        ),
    ],
)
def test_given_nodes_count_where_the_config_is_for_them(
    files: dict[str, str], nodes: dict[str, tuple[PhysicalGpu, ...]], expected: list[str]
) -> None:
    assert said(files, nodes=nodes) == expected


@pytest.mark.parametrize(
    ("written", "variant", "right"),
    [
        ("0x10DE20B0", "swapped", "0x20B010DE"),
        ("10de:20b0", "swapped", "0x20B010DE"),
        ("20B010DE", "bare", "0x20B010DE"),
        ("20b0:10de", "bare", "0x20B010DE"),
        (" 0x20B010DE", "spaces", "0x20B010DE"),
        ("0x20B0", "device", "0x20B010DE"),
        ("2330", "device", "0x233010DE"),
        ("0x20B010DE, 0x20B110DE", "several", "0x20B010DE, 0x20B110DE"),
        ("NVIDIA A30", "model", "0x20B710DE"),
        ("0x10DE", "", ""),
        ("*", "", ""),
    ],
)
def test_a_filter_that_matches_nothing_is_told_with_the_right_form(
    written: str, variant: str, right: str
) -> None:
    (one,) = found(config(entry("{1g.10gb: 4}", only=f'"{written}"')))
    assert (one.code, one.variant, argument(one, "right")) == ("GL303", variant, right)


@pytest.mark.parametrize(
    ("written", "fixed_to"),
    [
        ('"0x10DE20B7"', '"0x20B710DE"'),
        ("'20B710DE'", "'0x20B710DE'"),
        ("[20B710DE]", "0x20B710DE"),
        ('"0x20B010DE,0x20B110DE"', '["0x20B010DE", "0x20B110DE"]'),
        ("NVIDIA A30", None),
    ],
)
def test_a_filter_is_mended_where_it_says_nothing_but_ids(written: str, fixed_to: str | None) -> None:
    (one,) = found(config(entry(only=written, on=False)))
    assert (None if one.fix is None else one.fix.edits[0].text) == fixed_to


@pytest.mark.parametrize(
    "written", ["0x20b010de", "548409566", "0x20B010DE:0x134F10DE", "", "0xFFFF10DE", "0X20B0_10DE"]
)
def test_a_filter_of_the_right_form_is_let_be(written: str) -> None:
    assert said(config(entry("{1g.5gb: 1}", only=f'"{written}"'))) == []


@pytest.mark.parametrize(
    ("written", "places"),
    [("0x20B010DE", ["5:22"]), ('[0x20B010DE, "0x20B110DE", 0x20F110DE]', ["5:23", "5:49"])],
)
def test_unquoted_filters_are_put_in_quotes(written: str, places: list[str]) -> None:
    text = config(entry(only=written))
    findings = found(text)
    assert [(one.code, str(one.span.start)) for one in findings] == [("GL304", place) for place in places]
    assert all(one.fix is not None and one.fix.safe for one in findings)
    assert said(fixed(text, findings).text) == []


@pytest.mark.parametrize(
    ("written", "right"),
    [
        ("0", "[0]"),
        ('"0"', "[0]"),
        ('"0, 1"', "[0, 1]"),
        ('"[0,1]"', "[0, 1]"),
        ("ALL", "all"),
        ('["all"]', "all"),
        ('["0", "1"]', "[0, 1]"),
    ],
)
def test_devices_become_a_list(written: str, right: str) -> None:
    text = config(entry(devices=written))
    (one,) = found(text)
    assert (one.code, one.variant, argument(one, "right")) == ("GL305", "", right)
    assert one.fix is not None
    assert one.fix.safe
    assert f"devices: {right}\n" in fixed(text, [one]).text


@pytest.mark.parametrize("written", ["GPU-4f2b7c9e", '"0-3"', "true", "", '["GPU-4f2b7c9e", 1]'])
def test_devices_that_can_mean_many_things_get_no_fix(written: str) -> None:
    (one,) = found(config(entry(devices=written)))
    assert (one.code, one.variant, one.fix) == ("GL305", "other", None)


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ((entry(), entry(devices="[0]")), ["GL306"]),
        ((entry(devices="[0, 1]"), entry(devices="[1, 2]")), ["GL306"]),
        ((entry(devices="[0]"), entry(devices="[0]", on=False)), ["GL306 mode"]),
        ((entry(only='"0x20B010DE"'), entry(only='["0x20B110DE", "0x20B010DE"]')), ["GL306"]),
        ((entry(only='"0x20B010DE"'), entry(devices="[0]")), ["GL306"]),
        ((entry(devices="[0]"), entry(devices="[1]")), []),
        ((entry(only='"0x20B010DE"'), entry(only='"0x20B110DE"')), []),
        ((entry(only='"0x20B010DE:0x134F10DE"'), entry(only='"0x20B010DE:0x134E10DE"')), []),
    ],
)
def test_two_entries_for_one_gpu(entries: tuple[str, ...], expected: list[str]) -> None:
    assert said(config(*entries)) == expected


@pytest.mark.parametrize(
    ("entries", "nodes", "expected"),
    [
        ((entry(devices="[1]"),), {}, ["GL307"]),
        ((entry(devices="[0, 2]"),), {}, ["GL307"]),
        ((entry(devices="[0, 1]"),), {}, []),
        ((entry(devices="[0, 1]"),), {"": (A100, A100, A100)}, ["GL307 here"]),
        ((entry(devices="[0, 1]"),), {"a": (A100, A100, A100)}, ["GL307 node"]),
        ((entry(devices="[0, 1]"),), {"a": (A100, A100, L40S)}, []),
        ((entry(devices="[0, 1]"),), {"a": (A100,) * 3, "b": (A100,) * 2}, []),
        ((entry(only='"0x20B010DE"'),), {"a": (A100, H100)}, ["GL307 node"]),
        ((entry(devices="[3]", only='"0x20B010DE"'),), {}, []),
    ],
)
def test_gpus_that_no_entry_is_for(
    entries: tuple[str, ...], nodes: dict[str, tuple[PhysicalGpu, ...]], expected: list[str]
) -> None:
    assert said(config(*entries), nodes=nodes) == expected


@pytest.mark.parametrize(
    ("name", "expected", "fix"),
    [
        ("all-1g.5gb+me", "GL308", "all-1g.5gb.me"),
        ('"two slices"', "GL308", '"two-slices"'),
        ("_x", "GL308", "x"),
        ("a" * 64, "GL308 long", "a" * 63),
        ("半分", "GL308 far", None),
        ("on", "GL308 read", '"on"'),
        ("1.50", "GL308 read", '"1.50"'),
    ],
)
def test_names_that_no_label_can_have(name: str, expected: str, fix: str | None) -> None:
    (one,) = found(config(entry(), name=name))
    assert (f"{one.code} {one.variant}".strip(), None if one.fix is None else one.fix.edits[0].text) == (
        expected,
        fix,
    )


@pytest.mark.parametrize("name", ["all-1g.5gb.me", "7", "A_b.c-1", "a" * 63])
def test_names_that_a_label_can_have(name: str) -> None:
    assert said(config(entry(), name=name)) == []


@pytest.mark.parametrize(
    ("profiles", "expected", "mended"),
    [
        ("{1g.5gb: 0, 2g.10gb: 3}", "GL309 zero", "{2g.10gb: 3}"),
        ("{2g.10gb: 3, 1g.5gb: 0}", "GL309 zero", "{2g.10gb: 3}"),
        ("{3c.3g.20gb: 2}", "GL309", "{3g.20gb: 2}"),
        ('{"01g.05gb": 7}', "GL309", '{"1g.5gb": 7}'),
        ("{1c.1g.5gb+me: 1}", "GL309", "{1g.5gb+me: 1}"),
    ],
)
def test_spellings_that_never_equal_what_is_there(profiles: str, expected: str, mended: str) -> None:
    text = config(entry(profiles))
    (one,) = found(text)
    assert f"{one.code} {one.variant}".strip() == expected
    assert one.fix is not None
    assert one.fix.safe
    assert fixed(text, [one]).text == config(entry(mended))


def test_a_respelling_that_would_make_a_key_twice_is_not_offered() -> None:
    (one,) = found(config(entry("{1g.5gb: 2, 01g.05gb: 1}")))
    assert (one.code, one.fix) == ("GL309", None)


TWO = (entry(devices="[0]"), entry("{2g.10gb: 3}", devices="[1]"))


@pytest.mark.parametrize(
    ("entries", "circumstances", "expected"),
    [
        ((entry("{1g.5gb: 2, 2g.10gb: 1}"),), SINGLE, ["GL310"]),
        (TWO, SINGLE, ["GL310"]),
        (TWO, {"deployer": Deployer.OPERATOR}, ["GL310"]),
        (TWO, {"args": ("--mig-strategy=single",)}, ["GL310"]),
        ((entry(devices="[0]"), entry(devices="[1]", on=False)), SINGLE, ["GL310 mode"]),
        (TWO, MIXED, []),
        (TWO, {}, []),
        (TWO, {"deployer": Deployer.STATIC}, []),
        ((entry(devices="[0]"), entry(devices="[1]")), SINGLE, []),
        # cards of different kinds are on different nodes
        ((entry(only='"0x20B010DE"'), entry("{1g.10gb: 7}", only='"0x20B210DE"')), SINGLE, []),
    ],
)
def test_profiles_that_differ_under_single(
    entries: tuple[str, ...], circumstances: dict[str, Any], expected: list[str]
) -> None:
    assert said(config(*entries), **circumstances) == expected


def test_a_config_among_others_that_no_node_is_labelled_with_only_warns() -> None:
    files = {"mig.yaml": config(*TWO, "  other:\n", entry())}
    severities = [one.severity for one in found(files, **SINGLE)]
    labelled = [one.severity for one in found({**files, "node.yaml": node("a", "lab")}, **SINGLE)]
    assert (severities, labelled) == ([Severity.WARNING], [Severity.ERROR])


@pytest.mark.parametrize(
    ("name", "circumstances", "expected"),
    [
        ("lab", SINGLE, [("", "single", Severity.ERROR)]),
        ("lab", MIXED, [("", "", Severity.WARNING)]),
        ("lab", {}, [("", "", Severity.WARNING)]),
        ("all-enabled", {}, []),
        ("all-enabled", SINGLE, [("", "single", Severity.ERROR)]),
    ],
)
def test_mig_on_without_devices(
    name: str, circumstances: dict[str, Any], expected: list[tuple[str, ...]]
) -> None:
    findings = found(config(entry("{}"), name=name), **circumstances)
    assert [("", one.variant, one.severity) for one in findings] == expected


CONFIG_MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}}}\ndata:\n  {key}: |\n{text}"
INNER = "".join(f"    {line}\n" for line in config(entry()).splitlines())


@pytest.mark.parametrize(
    ("name", "key", "expected"),
    [
        ("custom", "config.yaml", []),
        ("default-mig-parted-config", "config.yaml", ["GL312"]),
        ("custom", "mig.yaml", ["GL313"]),
        ("custom", "config.yml", ["GL313"]),
    ],
)
def test_the_config_map_that_holds_the_configs(name: str, key: str, expected: list[str]) -> None:
    assert said(CONFIG_MAP.format(name=name, key=key, text=INNER)) == expected


def test_the_key_is_renamed_where_it_is_the_only_one() -> None:
    text = CONFIG_MAP.format(name="custom", key="mig.yaml", text=INNER)
    (one,) = found(text)
    assert fixed(text, [one]).text == text.replace("mig.yaml", "config.yaml")
    twice = text + "  more.yaml: |\n" + INNER
    assert [(one.code, one.fix) for one in found(twice)] == [("GL313", None)]


@pytest.mark.parametrize(("key", "expected"), [("mig.yaml", ["GL313"]), ("config.yaml", [])])
def test_values_of_the_operator_need_the_key_too(key: str, expected: list[str]) -> None:
    inner = INNER.replace("    ", "        ", 1).replace("\n    ", "\n        ")
    text = f"migManager:\n  config:\n    create: true\n    name: x\n    data:\n      {key}: |\n{inner}"
    assert said(text) == expected


@pytest.mark.parametrize(
    ("profile", "circumstances", "expected"),
    [
        ("1c.3g.20gb", MIXED, ["GL314"]),
        ("1c.3g.20gb", {**MIXED, "plugin_version": (0, 19)}, []),
        ("1c.3g.20gb", SINGLE, []),
        ("1c.3g.20gb", {}, []),
        ("3g.20gb", MIXED, []),
    ],
)
def test_compute_instances(profile: str, circumstances: dict[str, Any], expected: list[str]) -> None:
    assert said(config(entry(f"{{{profile}: 2}}")), **circumstances) == expected


@pytest.mark.parametrize(
    ("profiles", "name", "strategy", "version", "expected"),
    [
        ("{1g.5gb+me: 1}", "nvidia.com/mig-1g.5gb", "mixed", (0, 20), ["GL315"]),
        ("{1g.5gb+me: 1}", "mig-1g.5gb", "mixed", (0, 20), ["GL315"]),
        ("{1g.5gb+me: 1}", "nvidia.com/mig-1g.5gb.me", "mixed", (0, 20), []),
        ("{1g.5gb+me: 1, 1g.5gb: 1}", "nvidia.com/mig-1g.5gb", "mixed", (0, 20), []),
        ("{1g.5gb+me: 1}", "nvidia.com/mig-1g.5gb.me", "mixed", (0, 19), ["GL315 older"]),
        ("{1g.5gb+me: 1}", "nvidia.com/mig-1g.5gb", "mixed", (0, 19), []),
        ("{1g.5gb+me: 1}", "nvidia.com/mig-1g.5gb", "single", (0, 20), []),
    ],
)
def test_resources_of_me_profiles(
    profiles: str, name: str, strategy: str, version: tuple[int, int], expected: list[str]
) -> None:
    files = {"mig.yaml": config(entry(profiles)), "plugin.yaml": PLUGIN.format(name=name, strategy=strategy)}
    assert said(files, plugin_version=version) == expected


@pytest.mark.parametrize(
    ("written", "right"),
    [
        ("1g.5gb.me", "1g.5gb+me"),
        ("mig-1g.5gb", "1g.5gb"),
        ("nvidia.com/mig-1g.5gb.me", "1g.5gb+me"),
        ("MIG 1g.5gb", "1g.5gb"),
        ("1G.5GB", "1g.5gb"),
        ("1g5gb", "1g.5gb"),
        (" 1g.5gb", "1g.5gb"),
        ("MIG 1c.3g.20gb", "1c.3g.20gb"),
        ("1g.24gb.me.all", "1g.24gb+me.all"),
        ("19", ""),
        ("small", ""),
        ("1g.5gb+", ""),
    ],
)
def test_profiles_of_another_form(written: str, right: str) -> None:
    text = config(entry(f'{{"{written}": 1}}'))
    (one,) = found(text)
    assert (one.code, argument(one, "right")) == ("GL316", right)
    assert (one.fix is not None and one.fix.safe) == bool(right)
    if right:
        assert said(fixed(text, [one]).text) == []


@pytest.mark.parametrize(
    ("devices", "nodes", "expected"),
    [
        ("[]", {}, ["GL317 empty"]),
        ("[0, -1]", {}, ["GL317 negative"]),
        ("[0, 1, 2]", {"a": (A100, A100)}, ["GL317"]),
        ("[0, 1, 2]", {"a": (A100,) * 3, "b": (A100,) * 2}, []),
        ("[0, 1, 200]", {"b": (UNKNOWN,) * 201}, []),
    ],
)
def test_indexes_that_no_gpu_has(
    devices: str, nodes: dict[str, tuple[PhysicalGpu, ...]], expected: list[str]
) -> None:
    assert [one for one in said(config(entry(devices=devices)), nodes=nodes) if "GL317" in one] == expected


@pytest.mark.parametrize(
    ("text", "nodes", "expected"),
    [
        (config(entry(devices="[0]", only='"0x26B910DE"')), {}, [("", Severity.ERROR)]),
        (config(entry(only='"0x26B910DE"')), {}, [("skipped", Severity.WARNING)]),
        (config(entry(only='["0x26B910DE", "0x20B010DE"]')), {}, []),
        (config(entry(only='["0x26B910DE", "0xFFFF10DE"]')), {}, []),
        (config(entry(devices="[0, 1]")), {"a": (A100, L40S)}, [("", Severity.ERROR)]),
        (config(entry()), {"a": (A100, L40S)}, []),
    ],
)
def test_cards_without_mig(
    text: str, nodes: dict[str, tuple[PhysicalGpu, ...]], expected: list[tuple[str, Severity]]
) -> None:
    findings = [one for one in found(text, nodes=nodes) if one.code == "GL318"]
    assert [(one.variant, one.severity) for one in findings] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (config(entry(devices="[0]")), ["GL319"]),
        (config(entry("{1g.10gb: 7}", devices="[0]", only='"0x233010DE"')), []),
        (config(entry(devices="[0]", on=False)), []),
        (config(entry()), []),
    ],
)
def test_the_note_about_resets_is_given_when_asked_for(text: str, expected: list[str]) -> None:
    settings = Settings(catalog=builtin_catalog())
    findings = lint([read("mig.yaml", text, settings)], settings, Selection(select=("GL319",)), RULES)
    assert [one.code for one in findings["mig.yaml"]] == expected
    assert said(text) == []


def test_without_a_catalog_nothing_is_said_of_cards() -> None:
    settings = Settings()
    text = config(entry("{7g.79gb: 99}", only='"0x20B010DE"'))
    assert lint([read("mig.yaml", text, settings)], settings, Selection(), RULES) == {"mig.yaml": ()}


BALANCED = (
    (("0x2BB510DE",), "{1g.24gb: 2, 2g.48gb: 1}"),
    (("0x290110DE",), "{1g.23gb: 2, 2g.45gb: 1, 3g.90gb: 1}"),
    (("0x233510DE", "0x233B10DE"), "{1g.18gb: 2, 2g.35gb: 1, 3g.71gb: 1}"),
    (("0x20B010DE", "0x20B110DE", "0x20F110DE"), "{1g.5gb: 2, 2g.10gb: 1, 3g.20gb: 1}"),
    (("0x20B710DE",), "{1g.6gb: 2, 2g.12gb: 1}"),
    (("0x294110DE",), "{1g.24gb: 2, 2g.47gb: 1, 3g.95gb: 1}"),
)
"""As in mig-parted's deployments/systemd/config-default.yaml, some cards of `all-balanced`."""


def test_nothing_is_said_of_configs_as_nvidia_ships_them() -> None:
    cut = [entry(profiles, only=str(list(ids)).replace("'", '"')) for ids, profiles in BALANCED]
    text = (
        config(*cut, name="all-balanced")
        + "  all-enabled:\n"
        + entry("{}")
        + "  all-disabled:\n"
        + entry(on=False)
    )
    for model in builtin_catalog().models:
        for profile in model.mig_profiles:
            most = profile.max_instances.value
            if most is not None and not profile.name.startswith("1g.24gb"):
                text += f"  {model.id}-{profile.name.replace('+', '.')}:\n" + entry(
                    f"{{{profile.name}: {most}}}"
                )
    assert said(text) == []
