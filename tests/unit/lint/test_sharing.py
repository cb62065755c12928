"""Rules about sharing: when each speaks, where it points, when it is silent, and what its fix leaves."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from labs.cluster.gpu import PhysicalGpu
from labs.cluster.sample_nodes import SAMPLE_NODES
from labs.config.documents.kinds import Kind
from labs.config.plugin import loader as device_plugin
from labs.config.plugin.flags import Deployer
from labs.hardware.catalog import builtin_catalog
from labs.lint.core.linter import lint, read
from labs.lint.core.selection import Selection
from labs.lint.findings.finding import Finding
from labs.lint.findings.fixing import fixed
from labs.lint.subject.settings import Settings
from tests.unit.config.cases import CHART_ENVIRONMENT, device_plugin_rows

BARE = Settings(catalog=builtin_catalog())
OPERATOR = Settings(deployer=Deployer.OPERATOR, catalog=builtin_catalog())
HELM = Settings(deployer=Deployer.HELM, catalog=builtin_catalog())
STATIC = Settings(deployer=Deployer.STATIC, catalog=builtin_catalog())

SLICING = "sharing:\n  timeSlicing:\n    failRequestsGreaterThanOne: true\n    resources:\n"
MPS = "sharing:\n  mps:\n    resources:\n"
GPU = "    - name: nvidia.com/gpu\n      replicas: 4\n"
MIG = "    - name: nvidia.com/mig-1g.5gb\n      replicas: 4\n"
MIXED = "flags:\n  migStrategy: mixed\n"
POLICY = "apiVersion: nvidia.com/v1\nkind: ClusterPolicy\nspec:\n"


def entry(name: str, replicas: str = "4", *more: str) -> str:
    return f"    - name: {name}\n      replicas: {replicas}\n" + "".join(f"      {line}\n" for line in more)


def on(*nodes: str, settings: Settings = BARE, version: tuple[int, int] = (0, 20)) -> Settings:
    return Settings(
        settings.deployer,
        plugin_version=version,
        nodes={name: SAMPLE_NODES[name] for name in nodes},
        catalog=settings.catalog,
    )


CHOOSES_A = (
    "apiVersion: v1\nkind: Node\nmetadata:\n  name: a100-40gb-mig-mixed\n"
    "  labels: {nvidia.com/device-plugin.config: a}\n"
)


def on_cut(*mig: str, version: tuple[int, int] = (0, 20)) -> Settings:
    """A node with one card that is cut so."""
    card = PhysicalGpu("NVIDIA A100-SXM4-40GB", 40960, (8, 0), mig=mig)
    return Settings(plugin_version=version, nodes={"cut": (card,)}, catalog=builtin_catalog())


def found(code: str, settings: Settings, *texts: str) -> list[Finding]:
    """The findings of one rule; the files are called a, b, ..."""
    sources = [read("abc"[index], text, settings) for index, text in enumerate(texts)]
    chosen = lint(sources, settings, Selection(extend=(code,)))
    return [one for findings in chosen.values() for one in findings if one.code == code]


def told(code: str, settings: Settings, *texts: str) -> list[str]:
    """Each finding as ``path line:column severity variant``."""
    return [
        " ".join(filter(None, (one.path, str(one.span.start), str(one.severity), one.variant)))
        for one in found(code, settings, *texts)
    ]


SPEAKS: list[tuple[str, str, Settings, list[str], list[str]]] = [
    (
        "MPS counts for a file that only lacks the folder",
        "GL201",
        BARE,
        [SLICING + GPU + "  mps:\n    resources:\n" + GPU],
        ["a 2:3 warning"],
    ),
    (
        "every number below two",
        "GL202",
        BARE,
        [SLICING + entry("gpu", "1") + entry("mig-1g.5gb", "0")],
        ["a 6:17 error", "a 8:17 error"],
    ),
    ("a number of another form", "GL202", BARE, [SLICING + entry("gpu", "1.0")], ["a 6:17 error"]),
    ("no number", "GL202", BARE, [SLICING + entry("gpu", "")], ["a 6:7 error empty"]),
    (
        "a block that is not used",
        "GL202",
        HELM,
        ["sharing:\n  timeSlicing:\n    resources:\n" + entry("gpu", "1") + "  mps:\n    resources:\n" + GPU],
        ["a 5:17 error"],
    ),
    (
        "strategy in the file",
        "GL203",
        BARE,
        ["flags:\n  migStrategy: single\n" + SLICING + GPU + MIG],
        ["a 9:13 warning"],
    ),
    ("strategy nowhere, deployment known", "GL203", HELM, [SLICING + MIG], ["a 5:13 warning unset"]),
    ("strategy nowhere, deployment unknown", "GL203", BARE, [SLICING + MIG], ["a 5:13 info unsaid"]),
    (
        "strategy of the operator's chart",
        "GL203",
        OPERATOR,
        [MIXED + SLICING + MIG],
        ["a 7:13 warning deployer"],
    ),
    ("MPS beside the whole GPU", "GL203", BARE, [MPS + GPU + MIG], ["a 6:13 warning mps"]),
    (
        "nodes with MIG devices",
        "GL204",
        on("a100-40gb-mig-mixed"),
        [MIXED + SLICING + GPU],
        ["a 7:13 warning"],
    ),
    ("mixed in the file, no nodes", "GL204", BARE, [MIXED + SLICING + GPU], ["a 7:13 info unsaid"]),
    (
        "a flag of the operator",
        "GL205",
        OPERATOR,
        ["flags:\n  failOnInitError: false\n" + SLICING + GPU],
        ["a 2:20 warning"],
    ),
    (
        "the list under CDI",
        "GL205",
        OPERATOR,
        ["flags:\n  plugin:\n    deviceListStrategy: envvar\n" + SLICING + GPU],
        ["a 3:25 info"],
    ),
    (
        "the command line",
        "GL205",
        Settings(args=("--mig-strategy=none",)),
        [MIXED + SLICING + GPU],
        ["a 2:16 warning args"],
    ),
    (
        "a variable that was given",
        "GL205",
        Settings(env={"MIG_STRATEGY": "none"}),
        [MIXED + SLICING + GPU],
        ["a 2:16 warning"],
    ),
    (
        "a policy beside the file",
        "GL205",
        BARE,
        [MIXED + SLICING + GPU, POLICY + "  mig: {strategy: single}\n"],
        ["a 2:16 warning"],
    ),
    (
        "values of the plugin's chart",
        "GL205",
        BARE,
        [MIXED + SLICING + GPU, "migStrategy: single\n"],
        ["a 2:16 warning"],
    ),
    ("mixed in a file without a folder for MPS", "GL206", BARE, [MIXED + MPS + GPU], ["a 2:16 error"]),
    (
        "mixed in a policy",
        "GL206",
        BARE,
        [MPS + GPU, POLICY + "  mig: {strategy: mixed}\n"],
        ["a 2:3 error deployer"],
    ),
    (
        "MIG on a given node",
        "GL207",
        on("t4-x1", "a100-40gb-mig-mixed", settings=HELM),
        [MPS + GPU],
        ["a 2:3 error"],
    ),
    (
        "MIG configs that all enable MIG",
        "GL207",
        HELM,
        [
            MPS + GPU,
            "version: v1\nmig-configs:\n  x:\n  - devices: all\n    mig-enabled: true\n    mig-devices: {1g.5gb: 7}\n",
        ],
        ["a 2:3 info would"],
    ),
    (
        "one strategy and GPUs cut in several ways",
        "GL227",
        on("t4-x1", "a100-40gb-mig-mixed"),
        ["version: v1\nflags: {migStrategy: single}\n"],
        ["a 2:22 error"],
    ),
    (
        "the strategy of the deployment",
        "GL227",
        on("a100-40gb-mig-mixed"),
        [SLICING + GPU, POLICY + "  mig: {strategy: single}\n"],
        ["a 1:1 error"],
    ),
    (
        "an empty config",
        "GL227",
        on("a100-40gb-mig-mixed", settings=OPERATOR),
        ["kind: ConfigMap\napiVersion: v1\ndata:\n  a: ''\n  b: 'version: v1'\n---\n" + CHOOSES_A],
        ["a 4:6 error"],
    ),
    (
        "parts of a GPU instance",
        "GL227",
        on_cut("1c.3g.20gb", "1c.3g.20gb"),
        [MIXED + SLICING + GPU],
        ["a 2:16 error"],
    ),
    ("no deployer", "GL208", BARE, [MPS + GPU], ["a 2:3 error unsaid"]),
    ("the static DaemonSet", "GL208", STATIC, [MPS + GPU], ["a 2:3 error static"]),
    ("an empty folder", "GL208", BARE, ["flags:\n  mpsRoot: ''\n" + MPS + GPU], ["a 2:12 error"]),
    (
        "an empty folder under the static DaemonSet",
        "GL208",
        STATIC,
        ["flags:\n  mpsRoot: ''\n" + MPS + GPU],
        ["a 2:12 error static"],
    ),
    ("a folder that is missing", "GL226", STATIC, [MPS + GPU], ["a 2:3 warning"]),
    ("mixed, which MPS is refused for", "GL226", STATIC, [MIXED + MPS + GPU], ["a 4:3 warning"]),
    ("an empty variable", "GL208", Settings(env={"MPS_ROOT": ""}), [MPS + GPU], ["a 2:3 error deployer"]),
    (
        "a policy without GFD",
        "GL209",
        BARE,
        [MPS + GPU, POLICY + "  gfd: {enabled: false}\n"],
        ["b 4:18 error"],
    ),
    (
        "values of the plugin's chart that don't say",
        "GL209",
        BARE,
        [MPS + GPU, "migStrategy: none\n"],
        ["a 2:3 warning default"],
    ),
    ("a misspelt name", "GL210", BARE, [MPS + entry("nvidia.com.gpu")], ["a 4:13 error near"]),
    ("a MIG resource", "GL210", BARE, [MPS + MIG], ["a 4:13 error"]),
    ("several others", "GL210", BARE, [MPS + MIG + entry("mig-2g.10gb")], ["a 3:5 error"]),
    ("49 clients", "GL211", BARE, [MPS + entry("gpu", "49")], ["a 5:17 error"]),
    ("17 clients on a V100", "GL211", on("v100-16gb-x1"), [MPS + entry("gpu", "17")], ["a 5:17 error node"]),
    ("22 clients on a T4", "GL212", on("t4-x1"), [MPS + entry("gpu", "22")], ["a 5:17 warning"]),
    (
        "two fields of an entry",
        "GL215",
        BARE,
        [SLICING + entry("gpu", "4", "devices: [0]", "rename: x")],
        ["a 7:7 warning devices", "a 8:7 warning rename"],
    ),
    (
        "resources of one's own",
        "GL215",
        BARE,
        ["resources:\n  gpus:\n  - {pattern: '*', name: x}\n" + SLICING + GPU],
        ["a 1:1 warning resources"],
    ),
    ("a plural", "GL216", BARE, [SLICING + entry("gpus")], ["a 5:13 warning near"]),
    ("the name that renaming makes", "GL216", BARE, [SLICING + entry("gpu.shared")], ["a 5:13 warning near"]),
    ("a profile of no card", "GL216", BARE, [MIXED + SLICING + entry("mig-1g.7gb")], ["a 7:13 warning near"]),
    ("nothing near", "GL216", BARE, [SLICING + entry("fpga-of-another-vendor")], ["a 5:13 warning"]),
    (
        "media extensions before v0.20",
        "GL216",
        on(version=(0, 19)),
        [MIXED + SLICING + entry("mig-1g.5gb.me")],
        ["a 7:13 warning older"],
    ),
    ("short and long name", "GL217", BARE, [SLICING + GPU + entry("gpu", "2")], ["a 7:13 warning"]),
    ("zero", "GL218", BARE, ["flags: {gfd: {sleepInterval: 0}}\n" + SLICING + GPU], ["a 1:30 warning"]),
    ("16385", "GL219", BARE, [SLICING + entry("gpu", "16385")], ["a 6:17 info"]),
    (
        "an empty list in flow style",
        "GL223",
        BARE,
        ["flags: {plugin: {deviceListStrategy: []}}\n"],
        ["a 1:38 warning"],
    ),
    (
        "channels that are empty",
        "GL224",
        BARE,
        ["version: v1\nimex: {required: yes, channelIDs: []}\n"],
        ["a 2:18 warning"],
    ),
    ("MPS before it came", "GL225", on(version=(0, 14)), [MPS + GPU], ["a 2:3 warning"]),
    (
        "a value that v0.18 can't read",
        "GL225",
        on(version=(0, 18)),
        ["flags: {gfd: {sleepInterval: infinite}}\n" + SLICING + GPU],
        ["a 1:30 error refused"],
    ),
]

SILENT: list[tuple[str, str, Settings, list[str]]] = [
    ("an empty mps block", "GL201", BARE, [SLICING + GPU + "  mps:\n"]),
    (
        "a file refused for something else",
        "GL202",
        BARE,
        [SLICING + entry("gpu", "1").replace("name", "Name")],
    ),
    ("a text", "GL202", BARE, [SLICING + entry("gpu", "'1'")]),
    ("mixed in the file", "GL203", BARE, [MIXED + SLICING + MIG]),
    (
        "a policy that leaves the strategy to the file",
        "GL203",
        BARE,
        [MIXED + SLICING + MIG, POLICY + "  cdi: {}\n"],
    ),
    ("mixed in the policy", "GL203", BARE, [SLICING + MIG, POLICY + "  mig: {strategy: mixed}\n"]),
    ("MIG resources under MPS alone, which another rule tells", "GL203", BARE, [MPS + MIG]),
    ("nodes without MIG", "GL204", on("t4-x1"), [MIXED + SLICING + GPU]),
    ("mixed by deployment, no nodes", "GL204", BARE, [SLICING + GPU, POLICY + "  mig: {strategy: mixed}\n"]),
    ("slices named too", "GL204", on("a100-40gb-mig-mixed"), [MIXED + SLICING + GPU + MIG]),
    ("nobody known to deploy", "GL205", BARE, [MIXED + SLICING + GPU]),
    ("the same value", "GL205", HELM, ["flags: {mpsRoot: /run/nvidia/mps}\n" + MPS + GPU]),
    ("no value", "GL205", OPERATOR, ["flags: {migStrategy: }\n" + SLICING + GPU]),
    (
        "an empty strategy in the policy",
        "GL205",
        BARE,
        [MIXED + SLICING + GPU, POLICY + "  mig: {strategy: ''}\n"],
    ),
    ("mixed that the deployment overrides", "GL206", OPERATOR, [MIXED + MPS + GPU]),
    (
        "MIG configs, one of which leaves MIG off",
        "GL207",
        HELM,
        [MPS + GPU, "version: v1\nmig-configs:\n  x:\n  - {devices: all, mig-enabled: false}\n"],
    ),
    ("time-slicing on MIG", "GL207", on("a100-40gb-mig-mixed"), [SLICING + GPU]),
    ("MIG that fits the strategy", "GL227", on("a100-40gb-mig-mixed"), [MIXED + SLICING + GPU]),
    ("no node", "GL227", OPERATOR, [SLICING + GPU]),
    ("MPS on MIG", "GL227", on("a100-40gb-mig-mixed", settings=OPERATOR), [MPS + GPU]),
    (
        "parts of a GPU instance before v0.20",
        "GL227",
        on_cut("1c.3g.20gb", "1c.3g.20gb", version=(0, 19)),
        [MIXED + SLICING + GPU],
    ),
    ("the chart", "GL208", HELM, [MPS + GPU]),
    ("a policy beside the file", "GL208", BARE, [MPS + GPU, POLICY + "  cdi: {}\n"]),
    ("GFD off, no MPS", "GL209", BARE, [SLICING + GPU, POLICY + "  gfd: {enabled: false}\n"]),
    ("GFD not named in a policy", "GL209", BARE, [MPS + GPU, POLICY + "  cdi: {}\n"]),
    ("the whole GPU among others", "GL210", BARE, [MPS + MIG + GPU]),
    ("48 clients", "GL211", on("t4-x1"), [MPS + entry("gpu", "48")]),
    ("16 clients on a V100", "GL211", on("v100-16gb-x1"), [MPS + entry("gpu", "16")]),
    ("many replicas under time-slicing", "GL211", on("v100-16gb-x1"), [SLICING + entry("gpu", "64")]),
    ("21 clients on a T4", "GL212", on("t4-x1"), [MPS + entry("gpu", "21")]),
    ("more than MPS has, which another rule tells", "GL212", on("t4-x1"), [MPS + entry("gpu", "64")]),
    ("MPS by default", "GL214", BARE, [MPS + GPU]),
    (
        "a false that is written on purpose",
        "GL214",
        BARE,
        ["sharing:\n  timeSlicing:\n    failRequestsGreaterThanOne: no\n    resources:\n" + GPU],
    ),
    (
        "a false under MPS that is written on purpose",
        "GL214",
        BARE,
        ["sharing:\n  mps:\n    failRequestsGreaterThanOne: false\n    resources:\n" + GPU],
    ),
    ("nothing shared", "GL214", BARE, ["version: v1\n"]),
    ("all devices", "GL215", BARE, [SLICING + entry("gpu", "4", "devices: all")]),
    (
        "the name that renaming makes",
        "GL215",
        BARE,
        [
            "sharing:\n  timeSlicing:\n    renameByDefault: true\n    resources:\n"
            + entry("gpu", "4", "rename: gpu.shared")
        ],
    ),
    ("empty resources", "GL215", BARE, ["resources: {gpus: [], mig: }\n" + SLICING + GPU]),
    ("a profile of another card", "GL216", BARE, [MIXED + SLICING + entry("mig-3g.71gb")]),
    ("media extensions", "GL216", BARE, [MIXED + SLICING + entry("mig-1g.5gb.me")]),
    (
        "a profile that nobody knows, without a catalog",
        "GL216",
        Settings(),
        [MIXED + SLICING + entry("mig-9g.9gb")],
    ),
    ("a MIG name without mixed, which another rule tells", "GL216", BARE, [SLICING + entry("mig-9g.9gb")]),
    ("two resources", "GL217", BARE, [MIXED + SLICING + GPU + MIG]),
    (
        "a minute in nanoseconds",
        "GL218",
        BARE,
        ["flags: {gfd: {sleepInterval: 60000000000}}\n" + SLICING + GPU],
    ),
    ("a text", "GL218", BARE, ["flags: {gfd: {sleepInterval: 60s}}\n" + SLICING + GPU]),
    ("16384", "GL219", BARE, [SLICING + entry("gpu", "16384")]),
    (
        "v0.20",
        "GL220",
        BARE,
        ["sharing:\n  mps:\n    failRequestsGreaterThanOne: false\n    resources:\n" + GPU],
    ),
    (
        "a list that the deployment overrides",
        "GL223",
        OPERATOR,
        ["flags: {plugin: {deviceListStrategy: []}}\n"],
    ),
    ("a channel", "GL224", BARE, ["version: v1\nimex: {required: true, channelIDs: [0]}\n"]),
    (
        "a channel by the environment",
        "GL224",
        Settings(env={"IMEX_CHANNEL_IDS": "0"}),
        ["version: v1\nimex: {required: true}\n"],
    ),
    ("new enough", "GL225", on(version=(0, 15)), [MPS + GPU]),
]


@pytest.mark.parametrize(
    ("code", "settings", "texts", "expected"),
    [case[1:] for case in SPEAKS],
    ids=[f"{case[1]}-{case[0]}" for case in SPEAKS],
)
def test_a_rule_speaks_at_its_place(
    code: str, settings: Settings, texts: list[str], expected: list[str]
) -> None:
    assert told(code, settings, *texts) == expected


@pytest.mark.parametrize(
    ("code", "settings", "texts"),
    [case[1:] for case in SILENT],
    ids=[f"{case[1]}-{case[0]}" for case in SILENT],
)
def test_a_rule_is_silent(code: str, settings: Settings, texts: list[str]) -> None:
    assert told(code, settings, *texts) == []


FIXES = [
    ("an entry of several", "GL202", BARE, SLICING + GPU + entry("mig-1g.5gb", "1"), SLICING + GPU, False),
    (
        "a block of two",
        "GL202",
        HELM,
        SLICING + entry("gpu", "1") + "  mps:\n    resources:\n" + GPU,
        MPS + GPU,
        False,
    ),
    (
        "the file's strategy",
        "GL203",
        BARE,
        "flags: {migStrategy: none}\n" + SLICING + MIG,
        "flags: {migStrategy: mixed}\n" + SLICING + MIG,
        False,
    ),
    (
        "no strategy",
        "GL203",
        HELM,
        "version: v1 # one\n" + SLICING + MIG,
        "version: v1 # one\n" + MIXED + SLICING + MIG,
        False,
    ),
    ("an entry under MPS", "GL203", BARE, MPS + MIG + GPU, MPS + GPU, True),
    (
        "the only flag",
        "GL205",
        OPERATOR,
        "version: v1\nflags:\n  plugin:\n    deviceIDStrategy: index\n" + SLICING + GPU,
        "version: v1\n" + SLICING + GPU,
        False,
    ),
    (
        "an empty folder",
        "GL208",
        BARE,
        "flags:\n  mpsRoot: ''\n" + MPS + GPU,
        "flags:\n  mpsRoot: /run/nvidia/mps\n" + MPS + GPU,
        False,
    ),
    (
        "no folder, other flags",
        "GL208",
        BARE,
        "flags:\n  migStrategy: none\n" + MPS + GPU,
        "flags:\n  mpsRoot: /run/nvidia/mps\n  migStrategy: none\n" + MPS + GPU,
        False,
    ),
    (
        "a rename",
        "GL215",
        BARE,
        SLICING + entry("gpu", "4", "rename: x # mine"),
        SLICING + entry("gpu"),
        True,
    ),
    ("a missing dash", "GL216", BARE, MIXED + SLICING + entry("mig1g.5gb"), MIXED + SLICING + MIG, False),
    (
        "media extensions",
        "GL216",
        on(version=(0, 19)),
        MIXED + SLICING + entry("mig-1g.5gb.me"),
        MIXED + SLICING + MIG,
        False,
    ),
    ("equal entries", "GL217", BARE, SLICING + GPU + entry("gpu"), SLICING + GPU, True),
    ("a smaller number behind", "GL217", BARE, SLICING + GPU + entry("gpu", "2"), SLICING + GPU, False),
    (
        "a new channel",
        "GL224",
        BARE,
        "imex: {required: true}\nversion: v1\n",
        "imex: {channelIDs: [0], required: true}\nversion: v1\n",
        False,
    ),
]


@pytest.mark.parametrize(
    ("code", "settings", "text", "expected", "safe"),
    [case[1:] for case in FIXES],
    ids=[f"{case[1]}-{case[0]}" for case in FIXES],
)
def test_a_fix_leaves_this(code: str, settings: Settings, text: str, expected: str, safe: bool) -> None:
    (one,) = found(code, settings, text)
    assert one.fix is not None
    assert (fixed(text, [one]).text, one.fix.safe) == (expected, safe)


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("GL202", "x: &x {name: gpu, replicas: 1}\n" + SLICING + entry("mig-1g.5gb") + "    - *x\n"),
        ("GL203", "flags: &f {migStrategy: &s single}\n" + SLICING + MIG),
        ("GL214", "x: &x\n  resources: [{name: gpu, replicas: 2}]\nsharing: {timeSlicing: *x}\n"),
        ("GL215", "x: &x {name: gpu, replicas: 2, rename: other}\n" + SLICING + "    - *x\n"),
        ("GL215", SLICING + entry("gpu", "4", "devices: [0]", "devices: [1]")),
        ("GL216", SLICING + GPU + entry("gpus")),
        ("GL217", "x: &x {name: gpu, replicas: 2}\n" + SLICING + "    - *x\n    - *x\n"),
    ],
)
def test_no_fix_where_an_edit_would_touch_more_than_it_should(code: str, text: str) -> None:
    assert [one.fix for one in found(code, BARE, text)] == [None]


IN_A_CONFIG_MAP = [
    (
        "a member is added",
        "GL214",
        ["sharing:", "  timeSlicing:", "    resources:", "    - {name: gpu, replicas: 2}"],
        [
            "sharing:",
            "  timeSlicing:",
            "    failRequestsGreaterThanOne: true",
            "    resources:",
            "    - {name: gpu, replicas: 2}",
        ],
    ),
    (
        "a map is added",
        "GL208",
        ["version: v1", "", "sharing:", "  mps:", "    resources:", "    - {name: gpu, replicas: 2}"],
        [
            "version: v1",
            "flags:",
            "  mpsRoot: /run/nvidia/mps",
            "",
            "sharing:",
            "  mps:",
            "    resources:",
            "    - {name: gpu, replicas: 2}",
        ],
    ),
    (
        "the last lines go",
        "GL202",
        ["version: v1", "sharing:", "  timeSlicing:", "    resources:", "    - {name: gpu, replicas: 1}"],
        ["version: v1"],
    ),
]


@pytest.mark.parametrize(
    ("code", "before", "after"),
    [case[1:] for case in IN_A_CONFIG_MAP],
    ids=[case[0] for case in IN_A_CONFIG_MAP],
)
@pytest.mark.parametrize("behind", ["", "  other: x\n"])
def test_a_config_in_a_config_map_is_fixed_where_it_stands(
    code: str, before: list[str], after: list[str], behind: str
) -> None:
    def config_map(lines: list[str]) -> str:
        block = "".join(f"    {line}\n" if line else "\n" for line in lines)
        return f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: a}}\ndata:\n  any: |\n{block}{behind}"

    text = config_map(before)
    (one,) = found(code, BARE, text)
    assert fixed(text, [one]).text == config_map(after)


@pytest.mark.parametrize(
    ("code", "texts", "note", "place"),
    [
        ("GL203", [SLICING + MIG, POLICY + "  mig: {strategy: single}\n"], "strategy", "b 4:19"),
        ("GL205", [MIXED + SLICING + GPU, POLICY + "  mig: {strategy: single}\n"], "set", "b 4:19"),
        ("GL206", [MPS + GPU, POLICY + "  mig: {strategy: mixed}\n"], "strategy", "b 4:19"),
        ("GL209", [MPS + GPU, POLICY + "  gfd: {enabled: false}\n"], "block", "a 2:3"),
        ("GL217", [SLICING + GPU + GPU], "first", "a 5:13"),
    ],
)
def test_a_finding_shows_the_other_place(code: str, texts: list[str], note: str, place: str) -> None:
    (one,) = found(code, BARE, *texts)
    (other,) = one.related
    assert (other.note, f"{other.path} {other.span.start}") == (note, place)


def test_a_policy_that_names_no_strategy_leaves_it_to_the_file() -> None:
    """The default ``single`` is the chart's: only values of the operator's chart that don't name it have it."""
    config = MIXED + SLICING + GPU
    assert told("GL205", BARE, config, POLICY + "  cdi: {enabled: true}\n") == []
    assert told("GL205", BARE, config, "migManager: {enabled: true}\n") == ["a 2:16 warning"]


@pytest.mark.parametrize("row", device_plugin_rows(), ids=lambda row: row["id"])
def test_fields_without_effect_are_those_that_the_plugin_warns_of(row: Mapping[str, str]) -> None:
    loaded = device_plugin.load(row["yaml"], env=CHART_ENVIRONMENT)
    source = read("a", row["yaml"], HELM, kind=Kind.DEVICE_PLUGIN)
    chosen = lint([source], HELM, Selection())["a"]
    warned = {
        name for name in ("rename", "devices", "resources") for text in loaded.warnings if f"'{name}'" in text
    }
    assert {one.variant for one in chosen if one.code == "GL215"} == warned


@pytest.mark.parametrize("row", device_plugin_rows(), ids=lambda row: row["id"])
def test_a_file_loads_after_a_fix_as_it_did_before(row: Mapping[str, str]) -> None:
    """And a safe fix leaves the running configuration as it was, up to what the plugin drops."""
    text = read("a", row["yaml"], HELM, kind=Kind.DEVICE_PLUGIN).text
    before = device_plugin.load(text, env=CHART_ENVIRONMENT)
    findings = lint([read("a", text, HELM, kind=Kind.DEVICE_PLUGIN)], HELM, Selection())["a"]
    refused, changed = [], []
    for one in findings:
        if not one.code.startswith("GL2") or one.fix is None:
            continue
        after = device_plugin.load(fixed(text, [one]).text, env=CHART_ENVIRONMENT)
        refused += [one] * (before.loads and not after.loads)
        is_kept = one.fix.safe and one.code == "GL215"
        changed += [one] * (is_kept and after.effective != before.effective)
    assert (refused, changed) == ([], [])


def test_cards_are_known_by_a_word_of_their_name() -> None:
    card = PhysicalGpu("NVIDIA T400", 4096, (7, 5))
    settings = Settings(nodes={"a": (card,)})
    assert told("GL212", settings, MPS + entry("gpu", "40")) == []


def test_of_several_configs_only_the_one_that_a_node_is_labelled_with_meets_its_cards() -> None:
    config = "".join(f"    {line}\n" for line in (MPS + entry("gpu", "20")).splitlines())
    config_map = f"apiVersion: v1\nkind: ConfigMap\ndata:\n  new: |\n{config}  old: |\n{config}"
    label = "    nvidia.com/device-plugin.config: old\n"
    node = f"apiVersion: v1\nkind: Node\nmetadata:\n  name: v100-16gb-x1\n  labels:\n{label}"
    settings = on("v100-16gb-x1")
    assert told("GL211", settings, config_map) == []
    assert told("GL211", settings, config_map, node) == ["a 15:21 error node"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "sharing:\n",
        "sharing: {timeSlicing: {resources: [[], 1, {}, null, {name: {}, replicas: []}]}}\n",
        "sharing: {mps: [1]}\nflags: [x]\nimex: 3\nresources: x\n",
        "flags: {gfd: {sleepInterval: .nan}, plugin: {deviceListStrategy: {a: b}}}\n",
        "a: &a {name: gpu, replicas: 1}\nsharing: {timeSlicing: {resources: [*a, {<<: *a}, {<<: [*a, *a]}]}}\n",
        "sharing: &s {mps: &m {resources: &r [{name: gpu, replicas: 99}]}, timeSlicing: *m}\nSHARING: *s\n",
        "sharing: {timeSlicing: {resources: [{name: gpu, replicas: 9223372036854775807}]}}\n",
        "? [a]\n: b\nsharing: {timeSlicing: {}}\n",
        "sharing:\n  timeSlicing:\n\tresources: []\n",
        "flags: {migStrategy: 1.5e300, mpsRoot: [], failOnInitError: '\u00e9'}\n",
    ],
)
@pytest.mark.parametrize("settings", [BARE, OPERATOR, STATIC, on("t4-x1", version=(0, 14))])
def test_no_rule_stumbles_over_what_a_config_should_not_hold(settings: Settings, text: str) -> None:
    source = read("a", text, settings, kind=Kind.DEVICE_PLUGIN)
    findings = lint([source], settings, Selection(extend=("GL213", "GL221", "GL222")))["a"]
    places = [(one.span.start_offset, one.span.end_offset) for one in findings]
    assert [place for place in places if not 0 <= place[0] <= place[1] <= len(text)] == []
