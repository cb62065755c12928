"""Rules GL5xx at their edges: what they say, where, what they offer, and when they keep silent."""

from __future__ import annotations

import dataclasses

import pytest

from labs.config.plugin.flags import Deployer
from labs.hardware.catalog import builtin_catalog
from labs.lint.core.linter import lint, read, subject, together
from labs.lint.core.selection import Selection
from labs.lint.findings.finding import Finding
from labs.lint.findings.fixing import fixed
from labs.lint.meaning.deployment import deployment
from labs.lint.subject.settings import Settings

OPERATOR = "mig: {strategy: single}\n"
POLICY = "apiVersion: nvidia.com/v1\nkind: ClusterPolicy\nmetadata: {name: cluster-policy}\nspec:\n"


def findings(code: str, *texts: str, settings: Settings | None = None) -> list[Finding]:
    """What one rule says of files that are given together."""
    given = dataclasses.replace(settings or Settings(), catalog=builtin_catalog())
    sources = [read(f"{index}.yaml", text, given) for index, text in enumerate(texts)]
    return [one for found in lint(sources, given, Selection(select=(code,))).values() for one in found]


def told(code: str, *texts: str) -> list[tuple[str, str]]:
    """File, line and column, and the variant of each finding."""
    return [(f"{one.path[0]}:{one.span.start}", one.variant) for one in findings(code, *texts)]


def mended(code: str, *texts: str) -> str:
    """The file of the only finding with its fix."""
    (one,) = findings(code, *texts)
    return fixed(texts[int(one.path[0])], [one]).text


def plugin(env: str = "", rest: str = "", *, name: str = "plugin", pod: str = "") -> str:
    """A DaemonSet that runs the plugin: more of its container, more of its Pod's spec."""
    return (
        f"apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {{name: {name}}}\nspec:\n  template:\n    spec:\n{pod}"
        "      containers:\n      - name: ctr\n        image: nvcr.io/nvidia/k8s-device-plugin:v0.20.0\n"
        f"        env: [{env}]\n{rest}"
    )


def config_map(name: str, *keys: str) -> str:
    """A ConfigMap with empty configs of the plugin."""
    data = "".join(f"  {key}: |\n    version: v1\n" for key in keys)
    return f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}}}\ndata:\n{data}"


CASES: dict[str, tuple[str, tuple[str, ...], list[tuple[str, str]]]] = {
    "a strategy in the plugin's chart": (
        "GL501",
        ("migStrategy: mix\n",),
        [("0:1:14", "near")],
    ),
    "an empty strategy in the plugin's chart is handed on": (
        "GL501",
        ('migStrategy: ""\n',),
        [("0:1:14", "empty")],
    ),
    "an empty strategy of the operator leaves it to the file": ("GL501", ('mig: {strategy: ""}\n',), []),
    "a strategy that is no text in the plugin's chart is not handed on": (
        "GL501",
        ("migStrategy: 1\nconfig: {map: {}}\n",),
        [],
    ),
    "a false in a ClusterPolicy": ("GL501", (POLICY + "  mig: {strategy: off}\n",), [("0:5:19", "")]),
    "a false in values is not rendered": ("GL501", ("mig: {strategy: off}\n",), []),
    "an upper-case strategy key": ("GL502", (OPERATOR + "gfd: {enable: false}\n",), [("0:2:7", "")]),
    "a key that is known elsewhere": ("GL502", (OPERATOR + "devicePlugin: {priority: 1}\n",), []),
    "an unknown component of the operator": ("GL502", (OPERATOR + "dcgmExporter: {enabled: true}\n",), []),
    "a fallback of the plugin's chart": (
        "GL502",
        ("migStrategy: none\nconfig: {fallbackStrategy: [single]}\n",),
        [("0:2:10", "")],
    ),
    "a long ConfigMap name": (
        "GL503",
        (OPERATOR + f"devicePlugin: {{config: {{name: {'a' * 64}}}}}\n",),
        [("0:2:31", "long")],
    ),
    "a ConfigMap name of 63 characters": (
        "GL503",
        (OPERATOR + f"devicePlugin: {{config: {{name: {'a' * 63}}}}}\n",),
        [],
    ),
    "a ConfigMap name that is a volume already": (
        "GL503",
        (POLICY + "  devicePlugin: {config: {name: mps-root}}\n",),
        [("0:5:33", "reserved")],
    ),
    "a ConfigMap name of a plugin that is off": (
        "GL503",
        (OPERATOR + "devicePlugin: {enabled: false, config: {name: a.b}}\n",),
        [],
    ),
    "a ConfigMap name of the plugin's chart is no volume's name": (
        "GL503",
        ("migStrategy: none\nconfig: {name: a.b}\n",),
        [],
    ),
    "data of the MIG manager": (
        "GL504",
        (OPERATOR + "migManager: {config: {create: false, data: {config.yaml: x}}}\n",),
        [("0:2:38", "")],
    ),
    "empty data": ("GL504", (OPERATOR + "devicePlugin: {config: {data: {}}}\n",), []),
    "the MPS folder that is used anyway": (
        "GL505",
        (OPERATOR + "devicePlugin: {mps: {root: /run/nvidia/mps}}\n",),
        [],
    ),
    "the MPS folder in a ClusterPolicy": (
        "GL505",
        (POLICY + "  devicePlugin: {mps: {root: /x}}\n",),
        [],
    ),
    "no default of the MIG manager": ("GL506", (OPERATOR + 'migManager: {config: {default: ""}}\n',), []),
    "a default in a ClusterPolicy": (
        "GL506",
        (POLICY + "  migManager: {config: {default: all-balanced}}\n",),
        [("0:5:34", "")],
    ),
    "a config that is a map": (
        "GL507",
        ("migStrategy: none\nconfig:\n  map:\n    any: {version: v1}\n",),
        [("0:4:5", "text")],
    ),
    "a ConfigMap with a map for a text": (
        "GL507",
        ("apiVersion: v1\nkind: ConfigMap\ndata:\n  any:\n    version: v1\n  other: 'version: v1'\n",),
        [("0:4:3", "text")],
    ),
    "a ConfigMap whose config stands too far left": (
        "GL507",
        (
            "apiVersion: v1\nkind: ConfigMap\ndata:\n  any: |\n  version: v1\n  flags: {migStrategy: none}\n"
            "  sharing:\n    timeSlicing: {}\n",
        ),
        [("0:6:3", "spread")],
    ),
    "a ConfigMap with a text for a map": (
        "GL507",
        ("apiVersion: v1\nkind: ConfigMap\ndata: |\n  any: x\n",),
        [("0:3:1", "")],
    ),
    "a ConfigMap without configs": (
        "GL507",
        ("apiVersion: v1\nkind: ConfigMap\ndata:\n---\napiVersion: v1\nkind: ConfigMap\ndata: {a: b}\n",),
        [],
    ),
    "data that is a text and not used": (
        "GL507",
        (OPERATOR + "devicePlugin: {config: {data: x}}\n",),
        [],
    ),
    "a default of configs that are not made here": (
        "GL508",
        (OPERATOR + "devicePlugin: {config: {name: x, default: b, data: {a: 'version: v1'}}}\n",),
        [],
    ),
    "a default with nothing near": (
        "GL508",
        ("migStrategy: none\nconfig: {default: zzz, map: {a: 'version: v1', b: 'version: v1'}}\n",),
        [("0:2:19", "")],
    ),
    "a single config needs no default in the chart": (
        "GL509",
        ("migStrategy: none\nconfig: {map: {a: 'version: v1'}}\n",),
        [],
    ),
    "a config called default needs no default in the chart": (
        "GL509",
        ("migStrategy: none\nconfig: {map: {default: 'version: v1', b: 'version: v1'}}\n",),
        [],
    ),
    "the empty config is a fallback": (
        "GL509",
        (
            "migStrategy: none\nconfig:\n  fallbackStrategies: [empty]\n"
            "  map: {a: 'version: v1', b: 'version: v1'}\n",
        ),
        [],
    ),
    "configs that the chart does not make": (
        "GL509",
        ("migStrategy: none\nconfig: {name: x}\n", config_map("x", "a", "b")),
        [("0:2:10", "outside")],
    ),
    "configs that are not given": ("GL509", ("migStrategy: none\nconfig: {name: x}\n",), []),
    "a config called default under the operator": (
        "GL509",
        (OPERATOR + "devicePlugin: {config: {name: x}}\n", config_map("x", "default", "b")),
        [("0:2:25", "named")],
    ),
    "a single config under the operator": (
        "GL509",
        (OPERATOR + "devicePlugin: {config: {name: x}}\n", config_map("x", "a")),
        [("0:2:25", "unshared")],
    ),
    "nodes that are labelled under the operator": (
        "GL509",
        (
            OPERATOR + "devicePlugin: {config: {name: x}}\n",
            config_map("x", "a"),
            "apiVersion: v1\nkind: Node\nmetadata: {name: n, labels: {nvidia.com/device-plugin.config: a}}\n",
        ),
        [],
    ),
    "an empty map beside a name": ("GL510", ("migStrategy: none\nconfig: {name: x, map: {}}\n",), []),
    "a key of 64 characters": ("GL511", (config_map("x", "a", "b" * 64),), [("0:7:3", "long")]),
    "a key of 63 characters": ("GL511", (config_map("x", "a", "b" * 63),), []),
    "a key that is the default": (
        "GL511",
        (config_map("x", "a", "b."), OPERATOR + "devicePlugin: {config: {name: x, default: b.}}\n"),
        [],
    ),
    "a key that no ConfigMap can have": ("GL511", (config_map("x", "a", "b c"),), [("0:7:3", "key")]),
    "a key of something else": (
        "GL511",
        ("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata: {_a: b, c: d}\n",),
        [],
    ),
    "MIG rights by privilege": (
        "GL513",
        (plugin("{name: MIG_STRATEGY, value: mixed}", "        securityContext: {privileged: true}\n"),),
        [],
    ),
    "a capability without the variable": (
        "GL513",
        (
            plugin(
                "{name: MIG_STRATEGY, value: single}",
                "        securityContext: {capabilities: {add: [SYS_ADMIN]}}\n",
            ),
        ),
        [("0:10:43", "")],
    ),
    "a strategy on the command line": (
        "GL513",
        (plugin(rest="        args: [--mig-strategy=mixed]\n"),),
        [("0:8:15", "")],
    ),
    "no MIG": ("GL513", (plugin("{name: MIG_STRATEGY, value: none}"),), []),
    "a static plugin beside a ClusterPolicy": (
        "GL514",
        (plugin(), POLICY + "  devicePlugin: {}\n"),
        [("0:8:15", "settings")],
    ),
    "a plugin that the policy leaves out": (
        "GL514",
        (plugin(), POLICY + "  devicePlugin: {enabled: false}\n"),
        [],
    ),
    "two DaemonSets": ("GL514", (plugin(), plugin(name="other")), [("1:8:15", "")]),
    "one DaemonSet in two versions": ("GL514", (plugin(), plugin()), []),
    "DaemonSets for other nodes": (
        "GL514",
        (
            plugin(pod="      nodeSelector: {pool: a}\n"),
            plugin(pod="      nodeSelector: {pool: b}\n", name="other"),
        ),
        [],
    ),
    "a plugin of another vendor": (
        "GL514",
        (plugin().replace("nvcr.io/nvidia", "docker.io/rocm"), POLICY + "  devicePlugin: {}\n"),
        [],
    ),
    "a sidecar that shares no processes": (
        "GL515",
        (plugin(rest="      - {name: manager, command: [config-manager]}\n"),),
        [("0:11:16", "signal")],
    ),
    "a sidecar in the host's processes": (
        "GL515",
        (plugin(pod="      hostPID: true\n", rest="      - {name: manager, command: [config-manager]}\n"),),
        [],
    ),
    "two process namespaces": (
        "GL515",
        (plugin(pod="      hostPID: true\n      shareProcessNamespace: true\n"),),
        [("0:8:7", "both")],
    ),
    "a config where nothing is mounted": (
        "GL515",
        (plugin("{name: CONFIG_FILE, value: /config/config.yaml}"),),
        [("0:10:42", "unmounted")],
    ),
    "a config in an image of somebody's own": (
        "GL515",
        (plugin("{name: CONFIG_FILE, value: /config.yaml}").replace("nvcr.io/", "example.com/"),),
        [],
    ),
    "a config from a ConfigMap": (
        "GL515",
        (
            plugin(
                "{name: CONFIG_FILE, value: /config/config.yaml}",
                "        volumeMounts: [{name: c, mountPath: /config}]\n"
                "      volumes: [{name: c, configMap: {name: x}}]\n",
            ),
        ),
        [],
    ),
    "an empty strategy in the environment": (
        "GL517",
        (plugin('{name: MIG_STRATEGY, value: ""}'),),
        [("0:10:43", "empty")],
    ),
    "a bool without quotes": (
        "GL517",
        (plugin("{name: PASS_DEVICE_SPECS, value: true}"),),
        [("0:10:48", "quotes")],
    ),
    "a strategy that there is not": (
        "GL517",
        (OPERATOR + "devicePlugin:\n  env: [{name: DEVICE_ID_STRATEGY, value: UUID}]\n",),
        [("0:3:43", "")],
    ),
    "values that the plugin takes": (
        "GL517",
        (
            plugin(
                '{name: PASS_DEVICE_SPECS, value: "1"}, {name: OTHER, value: ""}, {name: MPS_ROOT, value: ""},'
                "{name: MIG_STRATEGY, valueFrom: {}}, {name: DEVICE_LIST_STRATEGY, value: 'cdi-cri,envvar'}"
            ),
        ),
        [],
    ),
    "a ConfigMap without a name": (
        "GL518",
        (OPERATOR + "devicePlugin: {config: {create: true, data: {a: b}}}\n",),
        [("0:2:25", "nameless")],
    ),
    "a MIG ConfigMap without data": (
        "GL518",
        (OPERATOR + "migManager: {config: {create: true, name: x}}\n",),
        [("0:2:23", "ignored")],
    ),
}


@pytest.mark.parametrize(("code", "texts", "expected"), CASES.values(), ids=CASES.keys())
def test_what_a_rule_says_and_where(
    code: str, texts: tuple[str, ...], expected: list[tuple[str, str]]
) -> None:
    assert told(code, *texts) == expected


MPS = "version: v1\nsharing: {mps: {resources: [{name: nvidia.com/gpu, replicas: 2}]}}\n"


@pytest.mark.parametrize(
    ("daemonset", "missing"),
    [
        (plugin(), ["MPS_ROOT, /mps, /dev/shm"]),
        (plugin("{name: MPS_ROOT, value: /mps}"), ["/mps, /dev/shm"]),
        (plugin(rest="        args: [--mps-root=/mps]\n"), ["/mps, /dev/shm"]),
        (
            plugin(
                "{name: MPS_ROOT, value: /mps}",
                "        volumeMounts: [{name: a, mountPath: /mps}, {name: b, mountPath: /dev/shm/}]\n",
            ),
            [],
        ),
        (plugin(rest="      volumes: [{name: c, configMap: {name: elsewhere}}]\n"), []),
    ],
)
def test_a_daemonset_is_told_which_parts_of_mps_it_lacks(daemonset: str, missing: list[str]) -> None:
    found = findings("GL512", daemonset, MPS)
    assert [dict(one.arguments)["missing"] for one in found] == missing
    assert all(one.related[0].path == "1.yaml" for one in found)


def test_time_slicing_needs_no_parts() -> None:
    assert told("GL512", plugin(), MPS.replace("mps", "timeSlicing")) == []


def test_a_note_on_reloading_is_made_only_when_it_is_asked_for() -> None:
    given = Settings()
    source = read("a.yaml", config_map("x", "a"), given)
    codes = {one.code for one in lint([source], given)["a.yaml"]}
    assert "GL516" not in codes
    assert told("GL516", config_map("x", "a")) == [("0:3:18", "")]


FIXES: dict[str, tuple[str, str, bool, str]] = {
    "case": ("GL501", "mig: {strategy: MIXED}\n", True, "mig: {strategy: mixed}\n"),
    "text": (
        "GL507",
        "kind: ConfigMap\napiVersion: v1\ndata:\n  any:  # all nodes\n    version: v1\n",
        True,
        "kind: ConfigMap\napiVersion: v1\ndata:\n  any: |  # all nodes\n    version: v1\n",
    ),
    "near": ("GL501", "mig: {strategy: singl}\n", False, "mig: {strategy: single}\n"),
    "key": (
        "GL502",
        "migManager: {}\nmig:\n  Strategy: mixed  # why\n",
        False,
        "migManager: {}\nmig:\n  strategy: mixed  # why\n",
    ),
    "create": (
        "GL504",
        OPERATOR + "devicePlugin:\n  config:\n    name: x\n    data: {a: b}\n",
        False,
        OPERATOR + "devicePlugin:\n  config:\n    create: true\n    name: x\n    data: {a: b}\n",
    ),
    "MPS folder among others": (
        "GL505",
        OPERATOR + "devicePlugin:\n  mps:\n    root: /x\n  enabled: true\n",
        True,
        OPERATOR + "devicePlugin:\n  enabled: true\n",
    ),
    "default of the MIG manager": (
        "GL506",
        OPERATOR + "migManager: {config: {default: all-1g.5gb}}\n",
        False,
        OPERATOR + "migManager: {config: {default: all-disabled}}\n",
    ),
    "bool": (
        "GL517",
        plugin('{name: PASS_DEVICE_SPECS, value: "Yes"}'),
        True,
        plugin('{name: PASS_DEVICE_SPECS, value: "true"}'),
    ),
    "quotes": (
        "GL517",
        plugin("{name: PASS_DEVICE_SPECS, value: on}"),
        True,
        plugin('{name: PASS_DEVICE_SPECS, value: "true"}'),
    ),
}


@pytest.mark.parametrize(("code", "text", "safe", "expected"), FIXES.values(), ids=FIXES.keys())
def test_what_a_fix_writes(code: str, text: str, safe: bool, expected: str) -> None:
    (one,) = findings(code, text)
    assert one.fix is not None
    assert (one.fix.safe, mended(code, text)) == (safe, expected)


@pytest.mark.parametrize(
    "config",
    [
        "  any: {version: v1}\n",
        "  any:\n    a: &x b\n    c: *x\n",
        "  any: !x\n    a: b\n",
        "  any:\n  - a\n",
    ],
    ids=["one line", "aliases", "a tag", "a list"],
)
def test_only_lines_that_are_a_text_as_they_stand_are_made_one(config: str) -> None:
    (one,) = findings("GL507", f"apiVersion: v1\nkind: ConfigMap\ndata:\n{config}")
    assert one.fix is None


def test_no_key_is_written_twice() -> None:
    (one,) = findings("GL502", "migManager: {}\nmig: {strategy: none, Strategy: mixed}\n")
    assert one.fix is None


def test_a_daemonset_tells_how_the_plugin_is_deployed() -> None:
    given = Settings()
    text = plugin("{name: MIG_STRATEGY, value: single}", "        args: [--mig-strategy=mixed]\n")
    how = deployment(subject([read("a.yaml", text, given)], given))
    assert how.deployer is Deployer.STATIC
    assert dict(how.environment) == {"MIG_STRATEGY": "mixed"}
    assert how.source is not None


def test_the_chart_hands_on_texts_and_bools_only() -> None:
    given = Settings()
    text = "migStrategy: [mixed]\nfailOnInitError: no\ndeviceIDStrategy: index\n"
    how = deployment(subject([read("a.yaml", text, given)], given))
    assert dict(how.environment) == {
        "MPS_ROOT": "/run/nvidia/mps",
        "FAIL_ON_INIT_ERROR": "false",
        "DEVICE_ID_STRATEGY": "index",
    }


SHARED_BY_MPS = (
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: sharing}\ndata:\n  any: |\n    version: v1\n"
    "    sharing: {mps: {resources: [{name: nvidia.com/gpu, replicas: 4}]}}\n"
)
NO_ROOT = "unable to validate flags: using MPS requires --mps-root to be specified"
MIXED = "unable to validate flags: using --mig-strategy=mixed is not supported with MPS"


@pytest.mark.parametrize(
    ("beside", "error"),
    [
        ("", NO_ROOT),
        (f"{POLICY}  devicePlugin: {{}}\n", None),
        (f"{POLICY}  mig: {{strategy: mixed}}\n", MIXED),
        (f"{POLICY}  mig: {{strategy: Mixed}}\n", NO_ROOT),
        ("gfd: {enabled: true}\nconfig: {name: sharing}\n", None),
        ("gfd: {enabled: true}\nmigStrategy: mixed\nconfig: {name: sharing}\n", MIXED),
        (plugin(), NO_ROOT),
        (plugin("{name: MPS_ROOT, value: /mps}"), None),
    ],
    ids=[
        "alone",
        "policy",
        "mixed",
        "refused environment",
        "chart",
        "mixed chart",
        "static",
        "static with root",
    ],
)
def test_a_config_is_judged_as_what_is_given_with_it_deploys_it(beside: str, error: str | None) -> None:
    for texts in ((SHARED_BY_MPS, beside), (beside, SHARED_BY_MPS)):
        alone = [read(f"{index}.yaml", text, Settings()) for index, text in enumerate(texts)]
        documents = [one for file in together(alone, Settings()) for one in file.documents]
        (config,) = [one for one in documents if one.plugin is not None]
        assert config.loads is (error is None)
        assert config.error == error


def test_a_deployer_that_is_said_goes_before_the_files() -> None:
    static = Settings(deployer=Deployer.STATIC)
    alone = [read("0.yaml", SHARED_BY_MPS, static), read("1.yaml", f"{POLICY}  mig: {{}}\n", static)]
    assert together(alone, static) == tuple(alone)


def test_a_config_in_the_values_of_a_chart_is_judged_as_that_chart_deploys_it() -> None:
    config = "{version: v1, sharing: {mps: {resources: [{name: gpu, replicas: 4}]}}}"
    values = f"gfd: {{enabled: true}}\nconfig: {{map: {{any: '{config}'}}}}\n"
    policy = f"{POLICY}  mig: {{strategy: mixed}}\n"
    alone = [read("0.yaml", policy, Settings()), read("1.yaml", values, Settings())]
    documents = [one for file in together(alone, Settings()) for one in file.documents]
    assert [one.loads for one in documents if one.plugin is not None] == [True]
