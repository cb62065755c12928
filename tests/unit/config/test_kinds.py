"""What a file holds, and where."""

from __future__ import annotations

from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.config.documents.kinds import Document, Kind, documents
from labs.config.goyaml.nodes import Mapping, Node, Scalar, Sequence, find
from labs.config.goyaml.positions import LineIndex
from labs.config.goyaml.tree import LimitError, Limits
from tests.unit.config.cases import rows

CONFIG = "version: v1\nsharing:\n  timeSlicing:\n    resources: [{name: nvidia.com/gpu, replicas: 4}]\n"
MIG = "version: v1\nmig-configs:\n  lab:\n    - {devices: all, mig-enabled: false}\n"


def kinds(text: str | bytes) -> list[str]:
    return [document.kind for document in documents(text)]


def configs(text: str) -> list[tuple[str | None, str, int]]:
    return [(one.key, one.kind, one.line) for one in documents(text) if one.key is not None]


@pytest.mark.parametrize(
    "text", ["", "# only a comment\n", "---\n", "~\n", "null", "\ufeff", "---\n---\n# x\n", "{}"]
)
def test_a_file_with_nothing_in_it_is_empty(text: str) -> None:
    assert kinds(text) == [Kind.EMPTY]


UNLIKE_A_CONFIG = {"dp-doc-list", "dp-doc-scalar", "mp-doc-list", "mp-doc-scalar"}


def test_every_measured_config_is_recognised_unless_nothing_in_it_says_what_it_is() -> None:
    unlike = {
        row["id"]
        for row in (*rows("config.jsonl"), *rows("config-env.jsonl"))
        if documents(row["yaml"])[0].kind not in (row.get("kind", "device-plugin"), Kind.EMPTY)
    }

    assert unlike == UNLIKE_A_CONFIG


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (CONFIG, Kind.DEVICE_PLUGIN),
        ("version: v1", Kind.DEVICE_PLUGIN),
        ("timeSlicing: {resources: []}", Kind.DEVICE_PLUGIN),
        ("time-slicing: {resources: []}", Kind.DEVICE_PLUGIN),
        ("shraing: {timeSlicing: }", Kind.DEVICE_PLUGIN),
        ("mps: {resources: [{name: gpu, replicas: 2}]}", Kind.DEVICE_PLUGIN),
        ("flags: {migStrategy: none}", Kind.DEVICE_PLUGIN),
        ("version: v1\nany: {sharing: {}}", Kind.DEVICE_PLUGIN),
        ("<<: {sharing: {}}", Kind.DEVICE_PLUGIN),
        (MIG, Kind.MIG_PARTED),
        ("version: v1\nmigConfigs: {}", Kind.MIG_PARTED),
        ("config: {map: {default: 'version: v1'}}", Kind.DEVICE_PLUGIN_VALUES),
        ("migStrategy: mixed\nfailOnInitError: false\nresources: {limits: {cpu: 1}}", Kind.DEVICE_PLUGIN_VALUES),
        ("mps: {root: /run/mps}", Kind.DEVICE_PLUGIN_VALUES),
        ("gfd: {enabled: true}\nmigStrategy: mixed", Kind.DEVICE_PLUGIN_VALUES),
        ("gfd: {enabled: true}\nconfig: {name: sharing, default: any}", Kind.DEVICE_PLUGIN_VALUES),
        ("mig: {strategy: mixed}", Kind.GPU_OPERATOR_VALUES),
        ("devicePlugin: {config: {name: x, default: any}}", Kind.GPU_OPERATOR_VALUES),
        ("driver: {enabled: false}\ntoolkit: {enabled: true}", Kind.GPU_OPERATOR_VALUES),
        ("apiVersion: nvidia.com/v1\nkind: ClusterPolicy", Kind.CLUSTER_POLICY),
        ("apiVersion: kyverno.io/v1\nkind: ClusterPolicy", Kind.UNKNOWN),
        ("apiVersion: v1\nkind: Pod", Kind.POD),
        ("kind: Pod", Kind.POD),
        ("apiVersion: apps/v1\nkind: Deployment", Kind.DEPLOYMENT),
        ("apiVersion: apps/v1\nkind: StatefulSet", Kind.STATEFUL_SET),
        ("apiVersion: apps/v1\nkind: DaemonSet", Kind.DAEMON_SET),
        ("apiVersion: batch/v1\nkind: Job", Kind.JOB),
        ("apiVersion: batch.volcano.sh/v1alpha1\nkind: Job", Kind.UNKNOWN),
        ("apiVersion: batch/v1\nkind: CronJob", Kind.CRON_JOB),
        ("apiVersion: resource.k8s.io/v1\nkind: ResourceClaim", Kind.RESOURCE_CLAIM),
        ("apiVersion: resource.k8s.io/v1beta1\nkind: ResourceClaimTemplate", Kind.RESOURCE_CLAIM_TEMPLATE),
        ("apiVersion: v1\nkind: Node", Kind.NODE),
        ("apiVersion: v1\nkind: ResourceQuota", Kind.RESOURCE_QUOTA),
        ("apiVersion: v1\nkind: Service", Kind.UNKNOWN),
        ("version: '3'\nservices: {web: {image: x}}", Kind.UNKNOWN),
        ("version: v1\nlint: {use: [DEFAULT]}\nbreaking: {}", Kind.UNKNOWN),
        ("flags: {unit: {carryforward: true}}\ncoverage: {}", Kind.UNKNOWN),
        ("image: {tag: x}\nresources: {limits: {cpu: 1}}\nnodeSelector: {}", Kind.UNKNOWN),
        ("- 1\n- 2", Kind.UNKNOWN),
        ("text", Kind.UNKNOWN),
    ],
)  # fmt: skip
def test_a_document_is_known_by_its_kind_or_by_its_keys(text: str, kind: Kind) -> None:
    assert kinds(text)[0] == kind


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("version: v1\nsharing:\n\ttimeSlicing: {}\n", Kind.DEVICE_PLUGIN),
        ("version: v1\n flags: x\n", Kind.DEVICE_PLUGIN),
        ("version: v1\nmig-configs:\n  a: [\n", Kind.MIG_PARTED),
        ("apiVersion: v1\nkind: Pod\nspec: [\n", Kind.POD),
        ("kind: Chart\nsharing: [\n", Kind.UNKNOWN),
        ("mig:\n  strategy: single\nmigManager: [\n", Kind.GPU_OPERATOR_VALUES),
        ("failOnInitError: true\nmigStrategy: [\n", Kind.DEVICE_PLUGIN_VALUES),
        ("%%%", Kind.UNKNOWN),
    ],
)
def test_a_text_that_is_no_yaml_is_what_it_seems_to_have_been_meant_for(text: str, kind: Kind) -> None:
    (found,) = documents(text)

    assert (found.kind, found.root, found.content) == (kind, None, text)
    assert found.problem is not None


def test_a_stream_is_taken_apart_at_its_marks() -> None:
    text = dedent("""\
        # the first
        version: v1
        sharing: {}
        ---
        # nothing here
        ---
        apiVersion: v1
        kind: Pod
        ...
        %YAML 1.1
        ---
        mig-configs: |
          --- not a mark
        """)
    found = documents(text)

    assert [(one.kind, one.ordinal, one.line) for one in found] == [
        (Kind.DEVICE_PLUGIN, 0, 2),
        (Kind.POD, 2, 7),
        (Kind.MIG_PARTED, 3, 12),
    ]
    assert [one.content for one in found] == [
        "# the first\nversion: v1\nsharing: {}\n",
        "---\napiVersion: v1\nkind: Pod\n...\n",
        "%YAML 1.1\n---\nmig-configs: |\n  --- not a mark\n",
    ]


def test_documents_before_a_broken_one_are_found() -> None:
    first, broken = documents("kind: Node\n---\nversion: v1\nsharing: [\n")

    assert first.kind is Kind.NODE
    assert (broken.kind, broken.line, broken.content) == (
        Kind.DEVICE_PLUGIN,
        2,
        "---\nversion: v1\nsharing: [\n",
    )


def test_a_file_of_an_explicit_kind_is_one_document_whatever_it_looks_like() -> None:
    text = "apiVersion: v1\nkind: Pod\n---\n" + MIG
    (found,) = documents(text, Kind.DEVICE_PLUGIN)

    assert (found.kind, found.key, found.content) == (Kind.DEVICE_PLUGIN, None, text)
    assert isinstance(find(found.root, ("kind",)), Scalar)
    assert [one.kind for one in documents("", Kind.MIG_PARTED)] == [Kind.MIG_PARTED]


def test_bytes_stay_bytes_for_the_loader() -> None:
    data = CONFIG.encode("utf-16")
    (found,) = documents(data)

    assert (found.kind, found.content) == (Kind.DEVICE_PLUGIN, data)
    assert [one.problem is None for one in documents(b"version: v1\nflags: \xff\n")] == [False]


CONFIG_MAP = dedent("""\
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: plugin-configs}
    data:
      any: |-
        # four each
        version: v1
        sharing:
          timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 4}]}
      none: ""
      folded: >
        version: v1

        flags: {migStrategy: "mixed"}
      quoted: "version: v1\\nsharing: {mps: {resources: []}}"
      broken: |
        version: v1
        sharing: [
      config.yaml: |
        version: v1
        mig-configs: {}
      readme.txt: |
        Not a config.
      number: 5
    """)


def test_configs_in_a_config_map_are_documents_of_their_own() -> None:
    assert documents(CONFIG_MAP)[0].kind is Kind.CONFIG_MAP
    assert configs(CONFIG_MAP) == [
        ("any", Kind.DEVICE_PLUGIN, 7),
        ("none", Kind.DEVICE_PLUGIN, 10),
        ("folded", Kind.DEVICE_PLUGIN, 12),
        ("quoted", Kind.DEVICE_PLUGIN, 15),
        ("broken", Kind.DEVICE_PLUGIN, 17),
        ("config.yaml", Kind.MIG_PARTED, 20),
    ]


@pytest.mark.parametrize(
    ("key", "path", "covers"),
    [
        ("any", ("sharing", "timeSlicing", "resources", 0, "replicas"), "4"),
        ("folded", ("flags", "migStrategy"), '"mixed"'),
        ("quoted", ("sharing", "mps", "resources"), "[]"),
        ("config.yaml", ("mig-configs",), "{}"),
    ],
)
def test_a_place_in_an_embedded_config_is_one_in_the_file(
    key: str, path: tuple[str | int, ...], covers: str
) -> None:
    document = next(one for one in documents(CONFIG_MAP) if one.key == key)
    node = find(document.root, path)
    assert node is not None
    span = document.place(node.span)

    assert CONFIG_MAP[span.start_offset : span.end_offset] == covers
    assert LineIndex(CONFIG_MAP).span(span.start_offset, span.end_offset) == span


def test_a_problem_in_an_embedded_config_has_a_place_in_the_file() -> None:
    broken = next(one for one in documents(CONFIG_MAP) if one.key == "broken")
    assert broken.problem is not None
    assert broken.problem.position is not None

    assert broken.position(broken.problem.position).line == 18


@pytest.mark.parametrize(
    ("values", "found"),
    [
        (
            "config:\n  map:\n    default: |-\n      version: v1\n    off: ''\n",
            [("default", Kind.DEVICE_PLUGIN, 4), ("off", Kind.DEVICE_PLUGIN, 5)],
        ),
        (
            "devicePlugin:\n  config:\n    data:\n      any: |-\n        version: v1\n"
            "migManager:\n  config:\n    data:\n      config.yaml: |-\n        mig-configs: {}\n",
            [("any", Kind.DEVICE_PLUGIN, 5), ("config.yaml", Kind.MIG_PARTED, 10)],
        ),
    ],
)
def test_configs_in_the_values_of_a_chart_are_documents_of_their_own(
    values: str, found: list[tuple[str, str, int]]
) -> None:
    assert configs(values) == found


def test_a_list_stands_for_its_items() -> None:
    text = dedent("""\
        apiVersion: v1
        kind: List
        items:
          - {apiVersion: v1, kind: Pod}
          - apiVersion: v1
            kind: ConfigMap
            data: {a: "sharing: {}"}
          - {apiVersion: v1, kind: PodList, items: [{metadata: {}}]}
          - text
        """)

    assert [(one.kind, one.line) for one in documents(text)] == [
        (Kind.POD, 4),
        (Kind.CONFIG_MAP, 5),
        (Kind.DEVICE_PLUGIN, 7),
        (Kind.POD, 8),
    ]
    assert kinds("apiVersion: v1\nkind: List\nitems: []\n") == [Kind.LIST]


def test_a_document_that_grows_without_end_is_named_but_not_walked() -> None:
    bomb = "apiVersion: v1\nkind: Pod\na: &a [x, x, x, x, x, x, x, x, x, x]\n"
    for previous, name in zip("abcdefg", "bcdefgh", strict=True):
        bomb += f"{name}: &{name} [{', '.join(['*' + previous] * 10)}]\n"
    loop = "sharing: &s {timeSlicing: *s}\n"

    assert [(one.kind, one.root) for one in documents(bomb)] == [(Kind.POD, None)]
    assert [(one.kind, one.root, str(one.problem)) for one in documents(loop)] == [
        (Kind.DEVICE_PLUGIN, None, "yaml: anchor 's' value contains itself")
    ]


def test_what_is_over_a_limit_is_refused_with_its_place() -> None:
    deep = "apiVersion: v1\nkind: ConfigMap\ndata:\n  a: |\n    x: [[[[[[[[[[]]]]]]]]]]\n"

    with pytest.raises(LimitError) as caught:
        documents(deep, limits=Limits(depth=8))
    assert caught.value.position is not None
    assert caught.value.position.line == 5
    with pytest.raises(LimitError):
        documents("a: 1", limits=Limits(characters=3))


def test_configs_that_aliases_repeat_count_each_time() -> None:
    text = "kind: ConfigMap\ndata:\n  a: &a 'version: v1'\n" + "".join(f"  a{i}: *a\n" for i in range(9))

    assert len(configs(text)) == 10
    with pytest.raises(LimitError):
        documents(text + "#" + " " * 200 + "\n", limits=Limits(characters=100))


PIECES = st.sampled_from(
    [
        "apiVersion: v1\n", "kind: ConfigMap\n", "kind: List\n", "items:\n", "data:\n", "  a: |\n", "  b: >-\n",
        '  c: "x\\u0041', '"\n', "    version: v1\n", "    sharing:\n", "      timeSlicing: {}\n", "version: v1\n",
        "mig-configs: {}\n", "- ", "---\n", "...\n", "%YAML 1.1\n", "&a ", "*a", "<<: ", "[", "]", "{", "}", "\n", "\r\n",
        "\u2028", "\x85", "é한日", "\ufeff", "\t", "'", " ", ": ",
    ]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=30).map("".join) | st.text(max_size=80)


def nodes(node: Node | None) -> list[Node]:
    if isinstance(node, Mapping):
        return [
            node,
            *(one for entry in node.entries for part in (entry.key, entry.value) for one in nodes(part)),
        ]
    if isinstance(node, Sequence):
        return [node, *(one for item in node.items for one in nodes(item))]
    return [] if node is None else [node]


def check_places(document: Document, text: str) -> None:
    index = LineIndex(text)
    for node in nodes(document.root):
        for span in (node.span, node.place):
            placed = document.place(span)
            assert 0 <= placed.start_offset <= placed.end_offset <= len(text)
            assert index.span(placed.start_offset, placed.end_offset) == placed
    if document.problem is not None and document.problem.position is not None:
        assert index.offset(document.position(document.problem.position)) is not None
    assert 1 <= document.line <= index.position(len(text)).line


@given(TEXTS)
def test_any_text_is_some_documents_whose_places_are_inside_it(text: str) -> None:
    try:
        found = documents(text)
    except LimitError:
        return

    assert found
    for document in found:
        check_places(document, text)


@given(TEXTS, st.sampled_from([Kind.DEVICE_PLUGIN, Kind.MIG_PARTED]))
def test_any_text_of_an_explicit_kind_is_one_document(text: str, kind: Kind) -> None:
    (found,) = documents(text, kind)

    assert (found.kind, found.content) == (kind, text)
    check_places(found, found.text)
