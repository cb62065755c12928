"""Rules GL9xx at their edges: what files say of each other, and when it can't be known."""

from __future__ import annotations

import dataclasses

import pytest

from labs.cluster.sample_nodes import SAMPLE_NODES
from labs.config.plugin.flags import Deployer
from labs.hardware.catalog import builtin_catalog
from labs.lint.core.linter import lint, read
from labs.lint.core.selection import Selection
from labs.lint.findings.finding import Finding
from labs.lint.findings.fixing import fixed
from labs.lint.subject.settings import Settings

GPU, SHARED = "nvidia.com/gpu", "nvidia.com/gpu.shared"


def findings(code: str, *texts: str, settings: Settings | None = None) -> list[Finding]:
    """What one rule says of files that are given together."""
    given = dataclasses.replace(settings or Settings(), catalog=builtin_catalog())
    sources = [read(f"{index}.yaml", text, given) for index, text in enumerate(texts)]
    found = lint(sources, given, Selection(select=(code,)))
    return [one for each in found.values() for one in each]


def told(code: str, *texts: str, settings: Settings | None = None) -> list[tuple[str, str]]:
    """File, line and column, and the variant of each finding."""
    found = findings(code, *texts, settings=settings)
    return [(f"{one.path[0]}:{one.span.start}", one.variant) for one in found]


def mended(code: str, *texts: str) -> str:
    """The file of the only finding with its fix."""
    (one,) = findings(code, *texts)
    return fixed(texts[int(one.path[0])], [one]).text


def sliced(*, rename: bool = False, fail: bool = True, resource: str = GPU, mig: str = "") -> str:
    """A config with time-slicing."""
    flags = f"flags: {{migStrategy: {mig}}}\n" if mig else ""
    switches = f"renameByDefault: {str(rename).lower()}, failRequestsGreaterThanOne: {str(fail).lower()}"
    resources = f"[{{name: {resource}, replicas: 4}}]"
    return f"version: v1\n{flags}sharing: {{timeSlicing: {{{switches}, resources: {resources}}}}}\n"


def pod(resource: str, units: object = 1, spec: str = "") -> str:
    """A Pod whose only container asks for so many of a resource."""
    return (
        "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n"
        f"  containers: [{{name: c, image: i, resources: {{limits: {{{resource}: {units}}}}}}}]\n{spec}"
    )


def config_map(name: str, **configs: str) -> str:
    """A ConfigMap of configs."""
    data = "".join(
        f"  {key}: |\n" + "".join(f"    {line}\n" for line in text.splitlines())
        for key, text in configs.items()
    )
    return f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}}}\ndata:\n{data}"


def node(**labels: str) -> str:
    """A Node with labels of NVIDIA's: ``mig_config`` is ``nvidia.com/mig.config``."""
    named = {"mig_config": "nvidia.com/mig.config", "config": "nvidia.com/device-plugin.config"}
    shown = ", ".join(f"{named[key]}: {value}" for key, value in labels.items())
    return f"apiVersion: v1\nkind: Node\nmetadata: {{name: n, labels: {{{shown}}}}}\n"


POLICY = "apiVersion: nvidia.com/v1\nkind: ClusterPolicy\nmetadata: {name: p}\nspec:\n"
ASKED = "0:5:57"
PLAIN = "version: v1\n"


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ((pod(GPU), sliced(rename=True)), [(ASKED, "")]),
        ((pod(SHARED), sliced()), [(ASKED, "")]),
        ((pod(SHARED), PLAIN), [(ASKED, "")]),
        ((pod(GPU), sliced()), []),
        ((pod(SHARED), sliced(rename=True)), []),
        ((pod(GPU, 0), sliced(rename=True)), []),
        ((pod(GPU),), []),
        # One of several configs offers it.
        ((pod(GPU), sliced(rename=True), sliced()), []),
        # A config that does not load may offer it once it is mended.
        ((pod(GPU), sliced(rename=True), sliced().replace("4", "1")), []),
        # Under the operator nodes without a label run without a config, unless there is a default.
        (
            (
                pod(GPU),
                config_map("c", a=sliced(rename=True)),
                POLICY + "  devicePlugin: {config: {name: c}}\n",
            ),
            [],
        ),
        (
            (
                pod(GPU),
                config_map("c", a=sliced(rename=True)),
                POLICY + "  devicePlugin: {config: {name: c, default: a}}\n",
            ),
            [(ASKED, "")],
        ),
        # The strategy may come from the deployment.
        ((pod("nvidia.com/mig-1g.5gb"), PLAIN), []),
        ((pod("nvidia.com/mig-1g.5gb"), PLAIN, POLICY + "  mig: {strategy: single}\n"), [(ASKED, "")]),
        ((pod("nvidia.com/mig-1g.5gb"), PLAIN, POLICY + "  mig: {strategy: mixed}\n"), []),
        ((pod("nvidia.com/mig-1g.5gb"), PLAIN + "flags: {migStrategy: none}\n"), [(ASKED, "nothing")]),
        (
            (pod("nvidia.com/mig-1g.5gb"), sliced(rename=True, resource="nvidia.com/mig-1g.5gb")),
            [(ASKED, "")],
        ),
        ((pod("nvidia.com/mig-1g.5gb.shared"), sliced(rename=True, resource="nvidia.com/mig-1g.5gb")), []),
        # Other programs have resources of their own.
        ((pod("nvidia.com/gpumem"), sliced(rename=True)), []),
        ((pod("cpu"), sliced(rename=True)), []),
    ],
)
def test_what_no_node_offers(texts: tuple[str, ...], expected: list[tuple[str, str]]) -> None:
    assert told("GL901", *texts) == expected


def test_the_offered_name_is_written_into_limits_and_requests() -> None:
    both = pod(GPU).replace("limits: {", "requests: {nvidia.com/gpu: 1}, limits: {")
    text = mended("GL901", both, sliced(rename=True))
    assert text == both.replace(GPU, SHARED)


def test_under_single_a_mig_device_is_asked_for_as_a_gpu() -> None:
    text = pod("nvidia.com/mig-1g.5gb")
    assert mended("GL901", text, sliced(mig="single")) == text.replace("nvidia.com/mig-1g.5gb", GPU)


def test_given_nodes_decide_what_is_offered() -> None:
    settings = Settings(nodes={"n": SAMPLE_NODES["t4-x1"]})
    mixed = sliced(mig="mixed")
    asked = pod("nvidia.com/mig-1g.5gb")
    assert told("GL901", asked, mixed) == []
    assert told("GL901", asked, mixed, settings=settings) == [(ASKED, "nothing")]


def test_a_finding_across_files_names_the_other_place() -> None:
    (one,) = findings("GL901", pod(GPU), sliced(rename=True))
    assert [(other.path, str(other.span.start)) for other in one.related] == [("1.yaml", "2:25")]


MPS = "version: v1\nflags: {mpsRoot: /m}\nsharing: {mps: {FAIL resources: [{name: nvidia.com/gpu, replicas: 4}]}}\n"
MPS_TAKES = MPS.replace("FAIL", "failRequestsGreaterThanOne: false,")
MPS_REFUSES = MPS.replace("FAIL", "")


@pytest.mark.parametrize(
    ("texts", "refused", "doubtful"),
    [
        ((pod(GPU, 2), sliced()), 1, 0),
        ((pod(GPU, '"3"'), sliced()), 1, 0),
        ((pod(GPU, 1), sliced()), 0, 0),
        ((pod(SHARED, 2), sliced(rename=True)), 1, 0),
        ((pod(GPU, 2), sliced(fail=False)), 0, 1),
        ((pod(GPU, 2), MPS_REFUSES), 1, 0),
        ((pod(GPU, 2), MPS_TAKES), 0, 1),
        # Some nodes refuse it, some put both slots on one card.
        ((pod(GPU, 2), sliced(), sliced(fail=False)), 0, 1),
        # Some nodes do not share.
        ((pod(GPU, 2), sliced(), PLAIN), 0, 0),
        ((pod(GPU, 2), sliced(fail=False), PLAIN), 0, 0),
        ((pod(GPU, 2), config_map("c", a=sliced()), POLICY + "  devicePlugin: {config: {name: c}}\n"), 0, 0),
        ((pod(GPU, "500m"), sliced()), 0, 0),
    ],
)
def test_more_than_one_of_a_shared_resource(texts: tuple[str, ...], refused: int, doubtful: int) -> None:
    assert (len(told("GL902", *texts)), len(told("GL903", *texts))) == (refused, doubtful)


def test_mps_refuses_whatever_the_config_says_before_version_0_20() -> None:
    settings = Settings(plugin_version=(0, 19))
    assert len(told("GL902", pod(GPU, 2), MPS_TAKES, settings=settings)) == 1
    assert told("GL903", pod(GPU, 2), MPS_TAKES, settings=settings) == []


def test_one_is_asked_for_instead() -> None:
    assert mended("GL902", pod(GPU, '"2"'), sliced()) == pod(GPU, '"1"')
    assert mended("GL903", pod(GPU, 2), sliced(fail=False)) == pod(GPU, 1)


KEYS = config_map("c", **{"tesla-t4": PLAIN, "a100": PLAIN})


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ((node(config="tesla-t4"), KEYS), []),
        ((node(config="t4"), KEYS), [("0:3:63", "")]),
        ((node(config="tesla_t4"), KEYS), [("0:3:63", "near")]),
        ((node(config='""'), KEYS), []),
        ((node(), KEYS), []),
        ((node(config="t4"),), []),
        # The ConfigMap in use is another, and not given.
        ((node(config="t4"), KEYS, POLICY + "  devicePlugin: {config: {name: other}}\n"), []),
        ((node(config="b"), KEYS, POLICY + "  devicePlugin: {config: {name: c}}\n"), [("0:3:63", "")]),
        ((node(config="b"), "migStrategy: none\nconfig: {map: {b: 'version: v1'}}\n"), []),
        (
            (POLICY + "  devicePlugin: {config: {name: c, default: a10}}\n", KEYS),
            [("0:5:45", "default-near")],
        ),
        ((POLICY + "  devicePlugin: {config: {name: c, default: a100}}\n", KEYS), []),
        (("migStrategy: none\nconfig: {name: c, default: zz}\n", KEYS), [("0:2:28", "default")]),
        (("migStrategy: none\nconfig: {name: d, default: zz}\n", KEYS), []),
    ],
)
def test_labels_and_defaults_that_name_no_config(
    texts: tuple[str, ...], expected: list[tuple[str, str]]
) -> None:
    assert told("GL904", *texts) == expected


@pytest.mark.parametrize(
    ("named", "given", "expected"),
    [
        ("timeslicing", "time-slicing", 1),
        ("time-slicing-config", "time-slicing-configs", 1),
        ("time-slicing", "time-slicing", 0),
        ("sharing-a100", "sharing-h100", 0),
        ("sharing-v1", "sharing-v2", 0),
        ("time-slicing-config-all", "time-slicing-config-fine", 0),
        ("mps", "time-slicing", 0),
    ],
)
def test_a_config_map_of_nearly_the_name(named: str, given: str, expected: int) -> None:
    policy = POLICY + f"  devicePlugin: {{config: {{name: {named}}}}}\n"
    assert len(told("GL905", policy, config_map(given, a=PLAIN))) == expected


def test_a_config_map_of_something_else_is_not_meant() -> None:
    other = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: time-slicing}\ndata: {a: b}\n"
    assert told("GL905", POLICY + "  devicePlugin: {config: {name: timeslicing}}\n", other) == []


def product(*values: str) -> str:
    """A required node affinity for products, one term for each."""
    terms = ", ".join(
        f"{{matchExpressions: [{{key: nvidia.com/gpu.product, operator: In, values: [{value}]}}]}}"
        for value in values
    )
    required = f"requiredDuringSchedulingIgnoredDuringExecution: {{nodeSelectorTerms: [{terms}]}}"
    return f"  affinity: {{nodeAffinity: {{{required}}}}}\n"


def selects(value: str) -> str:
    return f"  nodeSelector: {{nvidia.com/gpu.product: {value}}}\n"


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ((pod(GPU, 1, selects("Tesla-T4")), sliced()), [""]),
        ((pod(GPU, 1, selects("Tesla-T4-SHARED")), sliced()), []),
        ((pod(GPU, 1, selects("Tesla-T4-SHARED")), PLAIN), ["plain"]),
        ((pod(SHARED, 1, selects("Tesla-T4-SHARED")), sliced(rename=True)), ["plain"]),
        ((pod(SHARED, 1, selects("Tesla-T4")), sliced(rename=True)), []),
        ((pod(GPU, 1, selects("Tesla-T4")), sliced(), PLAIN), []),
        ((pod(GPU, 1, product("Tesla-T4")), sliced()), [""]),
        ((pod(GPU, 1, product("Tesla-T4, Tesla-T4-SHARED")), sliced()), []),
        ((pod(GPU, 1, product("Tesla-T4", "Tesla-T4-SHARED")), sliced()), []),
        ((pod(GPU, 1, product("Tesla-T4", "NVIDIA-L4")), sliced()), ["", ""]),
        ((pod(GPU, 1, product("Tesla-T4").replace("In,", "NotIn,")), sliced()), []),
        # MIG devices of a card have a product label of their own.
        ((pod("nvidia.com/mig-1g.5gb", 1, selects("Tesla-T4")), sliced(mig="mixed")), []),
    ],
)
def test_products_that_no_node_has(texts: tuple[str, ...], expected: list[str]) -> None:
    assert [variant for _, variant in told("GL906", *texts)] == expected


def test_the_suffix_is_added_and_dropped() -> None:
    text = pod(GPU, 1, selects('"Tesla-T4"'))
    assert mended("GL906", text, sliced()) == text.replace("T4", "T4-SHARED")
    text = pod(GPU, 1, selects("Tesla-T4-SHARED"))
    assert mended("GL906", text, PLAIN) == text.replace("-SHARED", "")


def quota(*limits: str) -> str:
    return f"apiVersion: v1\nkind: ResourceQuota\nmetadata: {{name: q}}\nspec: {{hard: {{{', '.join(limits)}}}}}\n"


@pytest.mark.parametrize(
    ("limits", "config", "expected"),
    [
        (["requests.nvidia.com/gpu: 4"], sliced(rename=True), 1),
        (["requests.nvidia.com/gpu: 4"], sliced(), 0),
        (["requests.nvidia.com/gpu: 4", "requests.nvidia.com/gpu.shared: 0"], sliced(rename=True), 0),
        (["requests.cpu: 4", "nvidia.com/gpu: 4"], sliced(rename=True), 0),
    ],
)
def test_a_quota_that_misses_the_new_name(limits: list[str], config: str, expected: int) -> None:
    assert len(told("GL907", quota(*limits), config)) == expected


def test_the_new_name_gets_the_same_limit() -> None:
    text = mended("GL907", quota("requests.nvidia.com/gpu: 4"), sliced(rename=True))
    assert text == quota('requests.nvidia.com/gpu.shared: "4"', "requests.nvidia.com/gpu: 4")


def mig(*names: str, devices: str = "all", enabled: bool = True) -> str:
    """A config of mig-parted with configs of these names."""
    cut = "mig-enabled: true, mig-devices: {1g.5gb: 7}" if enabled else "mig-enabled: false"
    body = "".join(f"  {name}: [{{devices: {devices}, {cut}}}]\n" for name in names)
    return f"version: v1\nmig-configs:\n{body}"


NAMES_MIG = POLICY + "  mig: {strategy: mixed}\n  migManager: {config: {name: m}}\n"


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ((node(mig_config="all-1g"), mig("all-1g")), []),
        ((node(mig_config="all-1gb"), mig("all-1g")), ["near"]),
        ((node(mig_config="xyz"), mig("all-1g")), [""]),
        ((node(mig_config="xyz"), mig("all-1g").replace("devices:", "device:")), []),
        # The MIG manager makes its own configs where no ConfigMap is named.
        ((node(mig_config="xyz"), mig("all-1g"), POLICY + "  mig: {strategy: mixed}\n"), []),
        ((node(mig_config="xyz"), config_map("m", **{"config.yaml": mig("all-1g")}), NAMES_MIG), [""]),
        ((node(mig_config="xyz"), config_map("n", **{"config.yaml": mig("all-1g")}), NAMES_MIG), []),
    ],
)
def test_labels_that_name_no_mig_config(texts: tuple[str, ...], expected: list[str]) -> None:
    assert [variant for _, variant in told("GL908", *texts)] == expected


def cut(**kind: object) -> str:
    return config_map("m", **{"config.yaml": mig("all-1g", **kind)})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ((pod(GPU), node(mig_config="all-1g"), cut(), NAMES_MIG), 1),
        ((pod("nvidia.com/mig-1g.5gb"), node(mig_config="all-1g"), cut(), NAMES_MIG), 0),
        ((pod(GPU), node(mig_config="all-1g"), cut(devices="[0]"), NAMES_MIG), 0),
        ((pod(GPU), node(mig_config="all-1g"), cut(enabled=False), NAMES_MIG), 0),
        ((pod(GPU), node(mig_config="all-1g"), node(), cut(), NAMES_MIG), 0),
        ((pod(GPU), cut(), NAMES_MIG), 0),
        ((pod(GPU), node(mig_config="all-1g"), cut(), NAMES_MIG.replace("mixed", "single")), 0),
        ((pod(GPU), node(mig_config="all-1g"), mig("all-1g")), 0),
    ],
)
def test_whole_gpus_on_nodes_that_are_cut(texts: tuple[str, ...], expected: int) -> None:
    assert len(told("GL909", *texts)) == expected


def test_the_strategy_may_be_given_beside_the_files() -> None:
    settings = Settings(deployer=Deployer.HELM, env={"MIG_STRATEGY": "mixed"})
    texts = (pod(GPU), node(mig_config="all-1g"), mig("all-1g"))
    assert len(told("GL909", *texts, settings=settings)) == 1
