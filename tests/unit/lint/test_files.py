"""Rules about a file as such, GL100 to GL110: what each finds, where it points, when it stays silent, what its fix writes."""

from __future__ import annotations

from typing import Any

import pytest

from labs.config.documents.kinds import Kind
from labs.config.plugin import loader
from labs.lint.core.linter import SourceFile, lint, read
from labs.lint.core.selection import Selection
from labs.lint.findings.finding import Finding, Severity
from labs.lint.findings.fixing import fixed
from labs.lint.rules import files
from labs.lint.subject.settings import Settings
from tests.unit.config.cases import rows

ENTRY = "    resources: [{name: nvidia.com/gpu, replicas: 4}]\n"
SHARED = "version: v1\nsharing:\n  timeSlicing:\n" + ENTRY


def source(
    text: str | bytes, kind: Kind | None = Kind.DEVICE_PLUGIN, settings: Settings | None = None
) -> SourceFile:
    return read("config.yaml", text, settings or Settings(), kind=kind)


def findings(
    code: str, text: str | bytes, kind: Kind | None = Kind.DEVICE_PLUGIN, settings: Settings | None = None
) -> list[Finding]:
    found = lint(
        [source(text, kind, settings)], settings or Settings(), Selection(select=(code,)), files.RULES
    )
    return [one for each in found.values() for one in each]


def told(code: str, text: str | bytes, kind: Kind | None = Kind.DEVICE_PLUGIN) -> list[tuple[str, str, str]]:
    """Place, variant and covered text of each finding."""
    whole = source(text, kind).text
    return [
        (str(one.span.start), one.variant, whole[one.span.start_offset : one.span.end_offset])
        for one in findings(code, text, kind)
    ]


def mended(code: str, text: str, kind: Kind | None = Kind.DEVICE_PLUGIN) -> str:
    return fixed(text, findings(code, text, kind)).text


def argument(finding: Finding, name: str) -> str | int:
    return dict(finding.arguments)[name]


def config_map(config: str, key: str = "config") -> str:
    lines = "".join(f"    {line}\n" for line in config.splitlines())
    return f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: it}}\ndata:\n  {key}: |\n{lines}"


# --- GL100 refused-by-loader: the device plugin


def entry(text: str) -> str:
    return f"sharing:\n  timeSlicing:\n    resources:\n      - {text}\n"


PLUGIN_REFUSALS = [
    ("version: v2\n", "1:10", "version", "v2"),
    ("version: 1\n", "1:10", "version", "1"),
    ("version: “v1”\n", "1:10", "quotes", "“v1”"),
    ("version: [v1]\n", "1:10", "wants-text", "[v1]"),
    ("- version: v1\n", "1:1", "not-a-map", "- version: v1"),
    ("sharing: on\n", "1:10", "wants-map", "on"),
    ("sharing:\n  timeSlicing:\n", "2:3", "missing", "timeSlicing"),
    ("sharing:\n  timeSlicing: {}\n", "2:3", "missing", "timeSlicing"),
    ("sharing:\n  mps:\n    resources: []\n", "3:5", "missing", "resources"),
    ("sharing:\n  mps:\n    Resources: []\n", "3:5", "near-key", "Resources"),
    ("sharing:\n  mps:\n    resource: []\n", "3:5", "near-key", "resource"),
    (
        "sharing:\n  mps:\n    resources: {name: a, replicas: 2}\n",
        "3:16",
        "wants-list",
        "{name: a, replicas: 2}",
    ),
    (entry("nvidia.com/gpu"), "4:9", "wants-map", "nvidia.com/gpu"),
    (entry("replicas: 4"), "4:9", "missing", "replicas"),
    (entry("name: nvidia.com/gpu"), "4:9", "missing", "name"),
    (entry("{name: gpu, Replicas: 4}"), "4:21", "near-key", "Replicas"),
    (entry("{name: nvidia.com/GPU, replicas: 4}"), "4:16", "name", "nvidia.com/GPU"),
    (entry("{name: amd.com/gpu, replicas: 4}"), "4:16", "name", "amd.com/gpu"),
    (entry(f"{{name: {'a' * 60}, replicas: 4}}"), "4:16", "name-long", "a" * 60),
    (entry("{name: gpu, replicas: '4'}"), "4:31", "quoted-number", "'4'"),
    (entry("{name: gpu, replicas: 4x}"), "4:31", "wants-number", "4x"),
    (entry('{name: gpu, replicas: "${REPLICAS}"}'), "4:31", "placeholder", '"${REPLICAS}"'),
    (entry("{name: gpu, replicas: {{ .Values.n }}}"), "4:31", "template", "{{ .Values.n }}"),
    (entry("{name: gpu, replicas: 4\u3000}"), "4:31", "invisible", "4\u3000"),
    (entry("{name: gpu, replicas: ４}"), "4:31", "wide", "４"),
    (entry("{name: ｎｖｉｄｉａ.com/gpu, replicas: 4}"), "4:16", "wide", "ｎｖｉｄｉａ.com/gpu"),
    ("version: ｖ1\n", "1:10", "wide", "ｖ1"),
    ("version：v1\nsharing:\n  mps:\n", "1:1", "wide", "version：v1"),
    ("sharing：\n  mps:\n", "1:1", "wide", "sharing："),
    ("version: v1\nimex:\n  required：true  # 説明\n", "3:3", "wide", "required：true"),
    ("flags: {plugin: {deviceListStrategy: 'envvar, cdi-cri'}}\n", "1:38", "flag-list", "'envvar, cdi-cri'"),
    ("flags: {plugin: {deviceListStrategy: ['envvar,cdi-cri']}}\n", "1:39", "flag", "'envvar,cdi-cri'"),
    ("flags: {plugin: {deviceListStrategy: 'envvar,cdi'}}\n", "1:38", "flag", "'envvar,cdi'"),
    (entry("{name: gpu, replicas: 2.5}"), "4:31", "wants-number", "2.5"),
    (entry("{name: gpu, replicas: .inf}"), "4:31", "wants-number", ".inf"),
    (entry("{name: gpu, replicas: 1}"), "4:31", "", "1"),
    (entry("{name: gpu, replicas: 4, devices: some}"), "4:43", "devices", "some"),
    (entry("{name: gpu, replicas: 4, rename: a_b}"), "4:42", "name", "a_b"),
    ("flags: [a]\n", "1:8", "wants-map", "[a]"),
    ("flags: {migStrategy: off}\n", "1:22", "wants-text", "off"),
    ("flags: {migStrategy: Mixed}\n", "1:22", "flag", "Mixed"),
    ("flags: {failOnInitError: 'true'}\n", "1:26", "quoted-bool", "'true'"),
    ("flags: {gdsEnabled: enabled}\n", "1:21", "wants-bool", "enabled"),
    ("flags: {plugin: {deviceListStrategy: [envvar, cdi]}}\n", "1:47", "flag", "cdi"),
    ("flags: {plugin: {deviceListStrategy: [envvar, 1]}}\n", "1:47", "wants-text", "1"),
    ("flags: {plugin: {deviceIDStrategy: name}}\n", "1:36", "flag", "name"),
    ("flags: {plugin: {migStrategy: single}}\n", "1:18", "erased-flag", "migStrategy"),
    ("flags: {gfd: {sleepInterval: '60'}}\n", "1:30", "duration-unit", "'60'"),
    ("flags: {gfd: {sleepInterval: 1d}}\n", "1:30", "duration", "1d"),
    ("imex: {channelIDs: [1]}\n", "1:20", "imex", "[1]"),
    ("imex: {channelIDs: 0}\n", "1:20", "wants-list", "0"),
    ("imex: {required: 1}\n", "1:18", "wants-bool", "1"),
    ("resources: {gpus: [{name: a}]}\n", "1:21", "missing", "name"),
    ("? [a, b]\n: c\n", "1:3", "yaml-key", "[a, b]"),
    ("~: a\n", "1:1", "yaml-key", "~"),
    ("sharing:\n  mps: !!int x\n", "2:8", "", "!!int x"),
]


@pytest.mark.parametrize(("text", "place", "variant", "covered"), PLUGIN_REFUSALS)
def test_a_refused_plugin_config_is_told_at_the_very_value(
    text: str, place: str, variant: str, covered: str
) -> None:
    assert told("GL100", text) == [(place, variant, covered)]


def test_of_two_values_that_are_wrong_both_are_told() -> None:
    """An error of a sharing block stops the decoding and wins over type errors met before."""
    text = "flags: {failOnInitError: 1}\nsharing: {timeSlicing: {resources: [{name: gpu, replicas: 1}]}}\n"
    assert (source(text, Kind.DEVICE_PLUGIN).documents[0].error or "").endswith("must be >= 2")
    assert [place for place, _, _ in told("GL100", text)] == ["1:26", "2:59"]


def test_the_block_that_is_not_used_is_pointed_at_where_it_is_the_wrong_one() -> None:
    text = "sharing:\n  timeSlicing: {resources: []}\n  mps: {resources: [{name: gpu, replicas: 2}]}\n"
    assert told("GL100", text) == [("2:17", "missing", "resources")]


def test_a_refused_flag_that_the_file_does_not_set_is_laid_to_the_environment() -> None:
    settings = Settings(env={"MIG_STRATEGY": "half"})
    assert [one.variant for one in findings("GL100", "version: v1\n", settings=settings)] == ["environment"]


def test_the_further_mistakes_of_a_later_document_are_its_own() -> None:
    text = "version: v1\n---\nversion: v2\nflags:\n  plugin:\n    deviceListStrategy: EnvVar\n"
    assert [place for place, _, _ in told("GL100", text, None)] == ["3:10", "6:25"]


# --- GL100: YAML

YAML_REFUSALS = [
    ("sharing:\n\tmps:\n", "2:1", "yaml-tab", "\t"),
    ("sharing:\n  mps:{}\n", "2:3", "yaml-no-space", "mps:{}"),
    ("a: b: c\n", "1:5", "yaml-colon", ":"),
    ("a: 'b\n", "1:4", "yaml-quote", "'b"),
    ("a: *b\n", "1:4", "yaml-anchor", "*"),
    ("a: @b\n", "1:4", "yaml-reserved", "@"),
    ("a: [b\nc: d\n", "2:2", "yaml", ":"),
    ("{{- if x }}\nversion: v1\n", "1:3", "template", "-"),
    ("sharing:\n  a: b\n\u3000c\nd: e\n", "3:1", "invisible", "\u3000c"),
]


@pytest.mark.parametrize(("text", "place", "variant", "covered"), YAML_REFUSALS)
def test_a_text_that_is_no_yaml_is_told_where_it_stops_being_it(
    text: str, place: str, variant: str, covered: str
) -> None:
    assert told("GL100", text) == [(place, variant, covered)]


@pytest.mark.parametrize(
    ("content", "value", "line"),
    [
        ("version: v1\nx: \x01\n", "U+0001", "2"),
        (b"version: v1\n# \xff\n", "0xFF", "2"),
        ("a\u200b: \x7f\n", "U+007F", "1"),
    ],
)
def test_a_character_that_yaml_does_not_allow_is_told_with_its_line(
    content: str | bytes, value: str, line: str
) -> None:
    (found,) = findings("GL100", content)
    assert (found.variant, argument(found, "value"), argument(found, "near")) == (
        "yaml-characters",
        value,
        line,
    )


# --- GL100: mig-parted


def mig(text: str) -> str:
    return f"version: v1\nmig-configs:\n  lab:\n    - {text}\n"


WHOLE = "devices: all, mig-enabled: true, mig-devices"
MIG_REFUSALS = [
    ("mig-configs: {}\n", "1:1", "missing", "mig-configs"),
    ("apiVersion: v1\n", "1:1", "near-key", "apiVersion"),
    ("version: 1\n", "1:10", "version", "1"),
    ("version: v1\nmigConfigs: {}\n", "2:1", "near-key", "migConfigs"),
    ("version: v1\nx-base: {}\n", "2:1", "mig-field", "x-base"),
    ("version: v1\nmig-configs:\n", "2:1", "mig-empty", "mig-configs"),
    ("version: v1\nmig-configs:\n  lab: []\n", "3:3", "mig-empty", "lab"),
    ("version: v1\nmig-configs:\n  lab: all\n", "3:8", "wants-list", "all"),
    (mig("{mig-enabled: false}"), "4:8", "missing", "mig-enabled"),
    (mig("{Devices: all, mig-enabled: false}"), "4:8", "near-key", "Devices"),
    (mig("{devices: all, mig-enabled: false, comment: x}"), "4:42", "mig-field", "comment"),
    (mig("{devices: all, mig-enabled: 'true'}"), "4:35", "quoted-bool", "'true'"),
    (mig("{devices: all, mig-enabled: true}"), "4:22", "mig-needs-devices", "mig-enabled"),
    (mig("{devices: all, mig-enabled: false, mig-devices: {1g.5gb: 7}}"), "4:35", "mig-off", "false"),
    (mig("{devices: 0-3, mig-enabled: false}"), "4:17", "", "0-3"),
    (mig("{devices: ['0'], mig-enabled: false}"), "4:18", "quoted-number", "'0'"),
    (mig("{device-filter: 0x20B010DE, devices: all, mig-enabled: false}"), "4:23", "", "0x20B010DE"),
    (mig(f"{{{WHOLE}: {{1g.5gb: 0}}}}"), "4:41", "no-counts", "mig-devices"),
    (mig(f"{{{WHOLE}: {{1g.5gb: -1}}}}"), "4:63", "count", "-1"),
    (mig(f"{{{WHOLE}: {{1g.5gb: 1.5}}}}"), "4:63", "wants-number", "1.5"),
    (mig(f"{{{WHOLE}: {{2g.10gb: 1, 1g.5gb.me: 1}}}}"), "4:67", "", "1g.5gb.me"),
    (mig(f"{{{WHOLE}: [1g.5gb]}}"), "4:54", "wants-map", "[1g.5gb]"),
    ("version: v1\nmig-configs:\n  on: []\n", "3:3", "mig-empty", "on"),
    (
        mig(f"{{{WHOLE}: {{1g.5gb: 1}}}}\n    - {{devices: [0], mig-enabled: true}}"),
        "5:22",
        "mig-needs-devices",
        "mig-enabled",
    ),
]


@pytest.mark.parametrize(("text", "place", "variant", "covered"), MIG_REFUSALS)
def test_a_refused_mig_config_is_told_at_the_very_value(
    text: str, place: str, variant: str, covered: str
) -> None:
    assert told("GL100", text, Kind.MIG_PARTED) == [(place, variant, covered)]


# --- GL100: fixes

REFUSAL_FIXES = [
    ("version: V1\n", "version: v1\n", True),
    ("version: v2\n", "version: v1\n", False),
    (entry("{name: gpu, replicas: '4'}"), entry("{name: gpu, replicas: 4}"), True),
    (entry("{name: gpu, Replicas: 4}"), entry("{name: gpu, replicas: 4}"), True),
    ("flags: {migStrategy: Mixed}\n", "flags: {migStrategy: mixed}\n", True),
    ("flags: {migStrategy: off}\n", "flags: {migStrategy: none}\n", False),
    ("flags: {migStrategy: mixd}\n", "flags: {migStrategy: mixed}\n", False),
    ("flags: {gfd: {sleepInterval: '60'}}\n", "flags: {gfd: {sleepInterval: 60s}}\n", False),
    ("flags: {gdsEnabled: 'on'}\n", "flags: {gdsEnabled: true}\n", True),
    ("sharing:\n\tmps:\n", "sharing:\n  mps:\n", False),
    ("sharing:\n  mps:{}\n", "sharing:\n  mps: {}\n", False),
]


@pytest.mark.parametrize(("text", "after", "safe"), REFUSAL_FIXES)
def test_a_refusal_is_mended(text: str, after: str, safe: bool) -> None:
    (found,) = findings("GL100", text)
    assert found.fix is not None
    assert (fixed(text, [found]).text, found.fix.safe) == (after, safe)


def test_a_refused_file_is_loaded_once_and_once_more_for_each_mistake(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loaded: list[str] = []

    def load(text: str, **circumstances: Any) -> loader.Loaded:
        loaded.append(text)
        return load_plugin(text, **circumstances)

    load_plugin = loader.load
    monkeypatch.setattr(loader, "load", load)
    text = "flags: {gdsEnabled: 'on', mofedEnabled: 'on', gdrcopyEnabled: 'on'}\n"
    assert len(findings("GL100", text)) == 3
    assert len(loaded) == 4


def test_no_fix_is_offered_that_leaves_the_same_mistake_elsewhere() -> None:
    text = "version: v1\nmig-config:\nmig-config:\n"
    assert [one.fix for one in findings("GL100", text, Kind.MIG_PARTED)] == [None]


def test_a_config_in_a_config_map_is_told_and_mended_in_the_outer_file() -> None:
    text = config_map("version: v1\nflags:\n  migStrategy: Mixed")
    assert told("GL100", text, None) == [("8:20", "flag", "Mixed")]
    assert mended("GL100", text, None) == text.replace("Mixed", "mixed")


@pytest.mark.parametrize("case", rows("config.jsonl"), ids=lambda case: case["id"])
def test_every_refused_case_has_a_place_inside_it_that_is_not_empty(case: dict[str, str]) -> None:
    kind = Kind(case["kind"])
    found = findings("GL100", case["yaml"], kind)
    given = source(case["yaml"], kind)
    assert len(found) == (given.documents[0].loads is False)
    for one in found:
        start, end = one.span.start_offset, one.span.end_offset
        assert 0 <= start < end <= len(given.text) or given.text == ""


# --- GL101 not-yaml

POD = "apiVersion: v1\nkind: Pod\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (POD + "spec:\n\tx: y\n", [("4:1", "", "\t")]),
        (POD + "spec: {{ .Values.x }\n", [("3:20", "template", "}")]),
        ("a: 'b\n", [("1:4", "", "'b")]),
        ("{{- if a }}\nb\n", []),
        (POD, []),
        ("sharing:\n\tx: y\n", []),
    ],
)
def test_other_files_that_are_no_yaml(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert told("GL101", text, None) == expected


def test_a_template_is_no_error() -> None:
    (found,) = findings("GL101", POD + "spec: {{ .Values.x }\n", None)
    assert found.severity is Severity.INFO


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("version：v1\nsharing:\n  mps: {}\n", "version: v1\nsharing:\n  mps: {}\n"),
        (
            "imex:\n  channelIDs: []\n  required： true  # （説明）\n",
            "imex:\n  channelIDs: []\n  required: true  # （説明）\n",
        ),
        ("imex:\n  required：ｔｒｕｅ\n", "imex:\n  required: true\n"),
        ("sharing：\n  mps:\n    resources: []\n", "sharing:\n  mps:\n    resources: []\n"),
        (entry("{name: mig-1g.5gb+me, replicas: 4}"), entry("{name: mig-1g.5gb.me, replicas: 4}")),
        ("flags: {failOnInitError: ｆalse}\n", "flags: {failOnInitError: false}\n"),
        (
            'flags: {plugin: {deviceListStrategy: "envvar,cdi-cri"}}\n',
            "flags: {plugin: {deviceListStrategy: [envvar, cdi-cri]}}\n",
        ),
    ],
)
def test_what_was_meant_is_offered(text: str, expected: str) -> None:
    assert mended("GL100", text) == expected


def test_what_the_loader_would_report_next_is_told_at_once() -> None:
    text = (
        "version: v2\n"
        "flags: {migStrategy: Mixed, plugin: {deviceListStrategy: 'envvar,cdi-cri', deviceIDStrategy: 7}}\n"
        "sharing:\n  timeSlicing:\n    resources:\n      - {name: gpu, replicas: four}\n"
    )
    found = findings("GL100", text)
    assert [text[one.span.start_offset : one.span.end_offset] for one in found] == [
        "v2", "Mixed", "'envvar,cdi-cri'", "7", "four",
    ]  # fmt: skip
    assert mended("GL100", text).splitlines()[:2] == [
        "version: v1",
        "flags: {migStrategy: mixed, plugin: {deviceListStrategy: [envvar, cdi-cri], deviceIDStrategy: 7}}",
    ]


def test_a_mistake_behind_a_fix_that_makes_the_text_longer_keeps_its_place() -> None:
    text = "flags:\n\tplugin:\n\t  deviceIDStrategy: UUID\n  migStrategy: Mixed\n"
    assert [told for told in told("GL100", text) if told[1] != "yaml-tab"] == [
        ("3:22", "flag", "UUID"),
        ("4:16", "flag", "Mixed"),
    ]


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        (Settings(env={"MIG_STRATEGY": "single"}), "flags: {migStrategy: Mixed, failOnInitError: 'true'}\n"),
        (Settings(), "version: v2\nsharing: {mps: {resources: [{name: gpu, replicas: 4}]}}\n"),
        (Settings(env={"DEVICE_ID_STRATEGY": "name"}), "version: v2\n"),
    ],
    ids=["a flag that the environment sets", "a folder that the deployment may set", "a refused environment"],
)
def test_what_the_file_alone_does_not_decide_is_not_told_as_next(settings: Settings, text: str) -> None:
    assert len(findings("GL100", text, settings=settings)) == 1


def test_a_long_file_is_not_read_again_for_its_next_mistake() -> None:
    text = "version: v2\nflags: {migStrategy: Mixed}\n"
    assert [len(findings("GL100", text + more)) for more in ("", "#" * 6000)] == [2, 1]


# --- GL102 unknown-key

UNKNOWN = [
    ("sharing: {time-slicing: {}}\n", "1:11", "near", "time-slicing"),
    ("sharing: {time_slicing: {}}\n", "1:11", "near", "time_slicing"),
    ("sharing: {timeSlices: {}}\n", "1:11", "near", "timeSlices"),
    ("flags: {mig-strategy: none}\n", "1:9", "near", "mig-strategy"),
    (SHARED + "    renamebydefault: true\n", "5:5", "case", "renamebydefault"),
    (SHARED + "    failRequestGreaterThanOne: true\n", "5:5", "near", "failRequestGreaterThanOne"),
    ("resources: {migs: []}\n", "1:13", "near", "migs"),
    ("ｓｈａｒｉｎｇ: {}\n", "1:1", "near", "ｓｈａｒｉｎｇ"),
    ("owner: me\n", "1:1", "", "owner"),
    (entry("{name: gpu, replicas: 4, owner: me}"), "4:34", "", "owner"),
]


@pytest.mark.parametrize(("text", "place", "variant", "covered"), UNKNOWN)
def test_a_key_that_the_plugin_does_not_know(text: str, place: str, variant: str, covered: str) -> None:
    assert told("GL102", text) == [(place, variant, covered)]


@pytest.mark.parametrize(
    "text",
    [
        SHARED,
        "SHARING: {TIMESLICING: {resources: [{name: gpu, replicas: 4}]}}\n",
        "x-gpu: {name: gpu}\n_note: this is ours\n",
        "holder: &gpu {name: gpu, replicas: 4}\nsharing: {timeSlicing: {resources: [*gpu]}}\n",
        "sharing: {timeSlicing: {resources: [{<<: {name: gpu}, replicas: 4}]}}\n",
        "apiVersion: v1\nkind: ConfigMap\ndata: {}\n",
        "\u00a0\u00a0sharing: {}\n",
        "resources:\n- {name: nvidia.com/gpu, replicas: 4}\n",
        "sharing:\n  timeSlicing:\n  - {name: nvidia.com/gpu, replicas: 4}\n",
        "? \n",
        "",
    ],
)
def test_no_key_is_unknown_that_is_known_or_meant_or_told_by_another_rule(text: str) -> None:
    assert told("GL102", text) == []


def test_an_unknown_key_that_the_file_is_refused_for_is_told_once() -> None:
    text = "sharing:\n  mps:\n    resource: []\n"
    assert (len(told("GL100", text)), told("GL102", text)) == (1, [])


def test_a_misspelt_key_is_not_renamed_where_the_right_one_is_there_too() -> None:
    text = "sharing: {timeSlicing: {resources: [{name: gpu, replicas: 4}]}, time-slicing: {}}\n"
    assert [one.fix for one in findings("GL102", text)] == [None]


def test_a_thousand_unknown_keys_are_all_told() -> None:
    text = "".join(f"unknownkey{number}: 1\n" for number in range(900))
    assert len(told("GL102", text)) == 900


# --- GL103 misplaced-key

MISPLACED = [
    ("timeSlicing: {}\n", "top", "sharing.timeSlicing"),
    ("flags: {deviceListStrategy: envvar}\n", "", "flags.plugin.deviceListStrategy"),
    ("flags: {sharing: {}}\n", "to-top", "sharing"),
    ("flags: {timeSlicing: {}}\n", "", "sharing.timeSlicing"),
    ("migStrategy: mixed\n", "top", "flags.migStrategy"),
    ("mig-strategy: mixed\n", "top", "flags.migStrategy"),
    ("plugin: {passDeviceSpecs: true}\n", "top", "flags.plugin"),
    ("flags: {plugin: {failOnInitError: true}}\n", "erases", "flags.failOnInitError"),
    ("flags: {failOnInitError: true, plugin: {failOnInitError: true}}\n", "", "flags.failOnInitError"),
    ("flags: {plugin: {sleepInterval: 1s}}\n", "", "flags.gfd.sleepInterval"),
    (
        "sharing: {renameByDefault: true}\n",
        "",
        "sharing.timeSlicing.renameByDefault, sharing.mps.renameByDefault",
    ),
    ("flags: {renameByDefault: true}\n" + SHARED, "", "sharing.timeSlicing.renameByDefault"),
    (entry("{name: gpu, replicas: 4, renameByDefault: true}"), "", "sharing.timeSlicing.renameByDefault"),
]


@pytest.mark.parametrize(("text", "variant", "home"), MISPLACED)
def test_a_key_that_belongs_elsewhere(text: str, variant: str, home: str) -> None:
    assert [(one.variant, argument(one, "home")) for one in findings("GL103", text)] == [(variant, home)]
    assert told("GL102", text) == []


MOVES = [
    (
        "timeSlicing:\n  # why\n  resources:\n    - name: a\n",
        "sharing:\n  timeSlicing:\n    # why\n    resources:\n      - name: a\n",
    ),
    ("flags:\n  deviceListStrategy: envvar\n", "flags:\n  plugin:\n    deviceListStrategy: envvar\n"),
    (
        "flags:\n  deviceListStrategy: envvar # old\n  plugin:\n    passDeviceSpecs: true\n",
        "flags:\n  plugin:\n    deviceListStrategy: envvar\n    passDeviceSpecs: true\n",
    ),
    (
        "sharing:\n  renameByDefault: true\n  timeSlicing:\n    resources: [{name: gpu, replicas: 4}]\n",
        "sharing:\n  timeSlicing:\n    renameByDefault: true\n    resources: [{name: gpu, replicas: 4}]\n",
    ),
]


@pytest.mark.parametrize(("text", "after"), MOVES)
def test_a_misplaced_key_is_moved(text: str, after: str) -> None:
    assert mended("GL103", text) == after


# --- GL104 key-case


def test_a_key_in_other_letters_is_told_and_written_as_documented() -> None:
    text = "SHARING: {timeslicing: {resources: [{name: gpu, replicas: 4}]}}\nflags: {migstrategy: none}\n"
    assert [covered for _, _, covered in told("GL104", text)] == ["SHARING", "timeslicing", "migstrategy"]
    after = "sharing: {timeSlicing: {resources: [{name: gpu, replicas: 4}]}}\nflags: {migStrategy: none}\n"
    assert mended("GL104", text) == after


def test_a_key_in_two_spellings_is_left_to_the_rule_about_duplicates() -> None:
    text = "flags: {migstrategy: none, migStrategy: single}\n"
    assert told("GL104", text) == []
    assert told("GL105", text) == [("1:28", "spelling", "migStrategy")]


# --- GL105 duplicate-key

DUPLICATES = [
    ("version: v9\nversion: v1\n", Kind.DEVICE_PLUGIN, [("1:1", "", "version")], "version: v1\n"),
    ("flags: {a: 1, b: 2, a: 3}\n", Kind.DEVICE_PLUGIN, [("1:9", "", "a")], "flags: {b: 2, a: 3}\n"),
    (
        mig(f"{{{WHOLE}: {{1g.5gb: 1, 1g.5gb: 2}}}}"),
        Kind.MIG_PARTED,
        [("4:55", "", "1g.5gb")],
        mig(f"{{{WHOLE}: {{1g.5gb: 2}}}}"),
    ),
    (POD + "spec: {nodeName: a, nodeName: b}\n", None, [("3:8", "manifest", "nodeName")], None),
    ("what: 1\nwhat: 2\n", None, [], None),
    ("a: {<<: {x: 1}, <<: {y: 2}}\n", Kind.DEVICE_PLUGIN, [], None),
    ("a: &a {x: 1, x: 2}\nb: *a\n", Kind.DEVICE_PLUGIN, [("1:8", "", "x")], None),
]


@pytest.mark.parametrize(("text", "kind", "expected", "after"), DUPLICATES)
def test_a_key_that_is_written_twice(
    text: str, kind: Kind | None, expected: list[tuple[str, str, str]], after: str | None
) -> None:
    assert told("GL105", text, kind) == expected
    if after is not None:
        assert mended("GL105", text, kind) == after


def test_the_key_that_counts_is_named_with_its_line_in_the_file() -> None:
    text = config_map("version: v1\nflags: {migStrategy: none}\nflags: {}")
    (found,) = findings("GL105", text, None)
    assert (found.span.start.line, argument(found, "line")) == (7, 8)
    assert [other.span.start.line for other in found.related] == [8]


# --- GL106 more-than-one-document

OTHERS = [
    (SHARED + "---\nversion: v1\n", Kind.DEVICE_PLUGIN, [("6:1", "", "version")]),
    (SHARED + "---\nversion: v1\n", None, [("6:1", "", "version")]),
    ("---\n---\n" + SHARED, Kind.DEVICE_PLUGIN, [("3:1", "empty-first", "version")]),
    ("---\n---\n" + SHARED, None, [("3:1", "empty-first", "version")]),
    ("---\n" + SHARED, Kind.DEVICE_PLUGIN, []),
    (SHARED + "---\n", None, []),
    (SHARED + "...\n", Kind.DEVICE_PLUGIN, []),
    (SHARED + "---\n'\n", Kind.DEVICE_PLUGIN, []),
    (SHARED + "---\n" + POD, None, []),
    (POD + "---\n" + SHARED, None, []),
    (config_map("version: v1\n---\nflags: {}"), None, [("8:5", "", "flags")]),
    (
        config_map("---\n---\nversion: v1\nflags: {}") + "  b: 'version: v1'\n",
        None,
        [("8:5", "empty-first", "version")],
    ),
]


@pytest.mark.parametrize(("text", "kind", "expected"), OTHERS)
def test_a_document_that_no_loader_reads(
    text: str, kind: Kind | None, expected: list[tuple[str, str, str]]
) -> None:
    assert told("GL106", text, kind) == expected


def test_the_mark_too_many_is_taken_away() -> None:
    assert mended("GL106", "---\n---\n" + SHARED, None) == SHARED


def test_nothing_is_taken_away_with_a_comment_in_it() -> None:
    assert [one.fix for one in findings("GL106", "# ours\n---\n---\n" + SHARED, None)] == [None]


# --- GL107 invisible-characters


def test_the_first_key_with_invisible_characters_is_told_and_all_are_mended() -> None:
    text = "version: v1\nsharing:\n\u00a0\u00a0timeSlicing:\n\u3000\u3000resources:\n      - {name: gpu, replicas: 4}\n"
    (found,) = findings("GL107", text)
    assert (str(found.span.start), argument(found, "count")) == ("3:1", 2)
    assert argument(found, "character") == "U+00A0 NO-BREAK SPACE"
    assert argument(found, "key") == "<U+00A0><U+00A0>timeSlicing"
    assert fixed(text, [found]).text == (
        "version: v1\nsharing:\n  timeSlicing:\n    resources:\n      - {name: gpu, replicas: 4}\n"
    )


@pytest.mark.parametrize(
    ("text", "kind", "variants"),
    [
        (POD + "metadata: {labels: {a\u200b: b}}\n", None, ["manifest"]),
        (POD + "metadata: {annotations: {note: 'a\u3000b'}}\n", None, []),
        ("# a\u00a0b\nversion: v1\n", Kind.DEVICE_PLUGIN, []),
        ("anything\u200b: 1\nelse: 2\n", None, []),
        ("version: v1\n\u00a0mig-configs: {}\n", Kind.MIG_PARTED, []),
    ],
)
def test_where_invisible_characters_matter(text: str, kind: Kind | None, variants: list[str]) -> None:
    assert [one.variant for one in findings("GL107", text, kind)] == variants


def test_a_key_that_the_file_is_refused_for_is_told_as_that_with_the_fix_for_all() -> None:
    text = "version: v1\nmig-configs:\n\u00a0\u00a0lab: []\n"
    (found,) = findings("GL100", text, Kind.MIG_PARTED)
    assert (found.variant, argument(found, "value")) == ("invisible", "<U+00A0><U+00A0>lab")
    assert fixed(text, [found]).text == "version: v1\nmig-configs:\n  lab: []\n"


# --- GL108 manifest-as-config

WRAPPED = [
    ("apiVersion: v1\nkind: ConfigMap\ndata: {}\n", Kind.DEVICE_PLUGIN, [("2:1", "manifest", "kind")]),
    ("apiVersion: v1\nkind: ConfigMap\ndata: {}\n", Kind.MIG_PARTED, [("1:1", "manifest-mig", "apiVersion")]),
    ("apiVersion: v1\nkind: ConfigMap\ndata: {}\n", None, []),
    ("migStrategy: none\nconfig: {map: {}}\n", Kind.DEVICE_PLUGIN, [("1:1", "values", "migStrategy")]),
    ("a: {version: v1, sharing: {}}\n", None, [("1:1", "nested", "a")]),
    ("a: |\n  version: v1\n  sharing: {}\n", Kind.DEVICE_PLUGIN, [("1:1", "nested", "a")]),
    ("a: {version: v1, mig-configs: {}}\n", Kind.MIG_PARTED, [("1:1", "nested-mig", "a")]),
    ("version: v1\na: {version: v1, sharing: {}}\n", Kind.DEVICE_PLUGIN, []),
    ("a: {b: c}\n", Kind.DEVICE_PLUGIN, []),
    (SHARED, None, []),
]


@pytest.mark.parametrize(("text", "kind", "expected"), WRAPPED)
def test_a_file_that_only_holds_the_config(
    text: str, kind: Kind | None, expected: list[tuple[str, str, str]]
) -> None:
    assert told("GL108", text, kind) == expected


def test_mig_parted_refuses_a_manifest_so_that_is_an_error_and_told_once() -> None:
    text = "apiVersion: v1\nkind: ConfigMap\ndata: {}\n"
    given = source(text, Kind.MIG_PARTED)
    found = [one for each in lint([given], Settings(), None, files.RULES).values() for one in each]
    assert [(one.code, one.severity) for one in found] == [("GL108", Severity.ERROR)]


def test_a_nested_config_is_taken_to_the_top() -> None:
    text = "# ours\ndefault:\n  version: v1\n  # why\n  sharing:\n    mps:\n"
    assert mended("GL108", text) == "# ours\nversion: v1\n# why\nsharing:\n  mps:\n"


# --- GL109 number-form


@pytest.mark.parametrize(
    ("written", "variant", "number"),
    [
        ("010", "octal", "8"),
        ("08", "", "8"),
        ("0x10", "", "16"),
        ("0b101", "", "5"),
        ("1e1", "", "10"),
        ("1_000", "", "1000"),
        ("5.0", "", "5"),
        ("+5", "", "5"),
    ],
)
def test_a_number_in_another_form(written: str, variant: str, number: str) -> None:
    text = entry(f"{{name: gpu, replicas: {written}}}")
    (found,) = findings("GL109", text)
    assert (found.variant, argument(found, "number")) == (variant, number)
    assert fixed(text, [found]).text == entry(f"{{name: gpu, replicas: {number}}}")


@pytest.mark.parametrize("written", ["5", "48", "2.5", "'010'", "1e400", ".inf", "1:30", "!!int 010", "four"])
def test_a_number_in_plain_decimal_or_none_at_all(written: str) -> None:
    assert told("GL109", entry(f"{{name: gpu, replicas: {written}}}")) == []


def test_numbers_of_mig_configs() -> None:
    text = mig("{devices: [0x1], mig-enabled: true, mig-devices: {1g.5gb: 07}}")
    assert [covered for _, _, covered in told("GL109", text, Kind.MIG_PARTED)] == ["0x1", "07"]


# --- GL110 ignore-without-reason


@pytest.mark.parametrize(
    ("comment", "variants"),
    [
        ("# gpulab: ignore[GL201]", [""]),
        ("# gpulab: ignore[both-strategies]   ", [""]),
        ("# gpulab: ignore[GL201] they differ per node", []),
        ("# gpulab: ignore[both-strategies] 理由", []),
        ("# gpulab: ignore[GL999] why", ["unknown"]),
        ("# gpulab: ignore[] why", ["no-rule"]),
        ("# gpulab: ignore GL201 why", ["form"]),
        ("# gpulab: hello", []),
        ("# nothing", []),
    ],
)
def test_a_comment_that_silences_nothing(comment: str, variants: list[str]) -> None:
    assert [one.variant for one in findings("GL110", f"version: v1 {comment}\n")] == variants


def test_a_comment_in_a_config_map_is_told_once() -> None:
    text = config_map("version: v1\nflags: {} # gpulab: ignore[GL201]")
    assert [str(one.span.start) for one in findings("GL110", text, None)] == ["7:15"]
