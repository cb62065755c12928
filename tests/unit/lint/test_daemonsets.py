"""Rules GL519 to GL533, about DaemonSets: what they say, where, what they offer, and when they keep silent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from labs.cluster.daemonset.spec import UpdateStrategy, refusals
from labs.hardware.catalog import builtin_catalog
from labs.lint.core.linter import lint, read
from labs.lint.core.selection import Selection
from labs.lint.findings.finding import Finding, Severity
from labs.lint.findings.fixing import fixed
from labs.lint.registry import RULES
from labs.lint.subject.settings import Settings

_TEXT = (Path(__file__).parents[2] / "cases" / "rollout.yaml").read_text("utf-8")
CASES: dict[str, Any] = yaml.safe_load(_TEXT[_TEXT.index("\nvalidation_cases:") :])
VALIDATIONS: list[dict[str, Any]] = CASES["validation_cases"]
PLUGIN_IMAGE, AGENT_IMAGE = "nvcr.io/nvidia/k8s-device-plugin:v0.20.0", "registry.example.com/agent:1"
OPERATOR, CHART = "mig: {strategy: single}\n", "migStrategy: none\n"
POLICY = "apiVersion: nvidia.com/v1\nkind: ClusterPolicy\nmetadata: {name: p}\nspec:\n"
READY, EVERYTHING = "  minReadySeconds: 30\n", "      tolerations: [{operator: Exists}]\n"
SURGING = "  updateStrategy: {rollingUpdate: {maxUnavailable: 0, maxSurge: 1}}\n"


def found(code: str, *texts: str) -> list[Finding]:
    """What one rule says of files that are given together."""
    settings = Settings(catalog=builtin_catalog())
    sources = [read(f"{index}.yaml", text, settings) for index, text in enumerate(texts)]
    told = lint(sources, settings, Selection(select=(code,)))
    return [one for source in sources for one in told[source.path]]


def told(code: str, *texts: str) -> list[tuple[str, str]]:
    """The text that each finding points at, and its variant."""
    lines = [text.splitlines() for text in texts]
    return [
        (
            lines[int(one.path[0])][one.span.start.line - 1][one.span.start.column - 1 :].rstrip("}"),
            one.variant,
        )
        for one in found(code, *texts)
    ]


def mended(code: str, text: str) -> str:
    """The file with the fix of the only finding."""
    (one,) = found(code, text)
    return fixed(text, [one]).text


def daemon_set(spec: str = "", pod: str = "", container: str = "", *, image: str = AGENT_IMAGE) -> str:
    """A DaemonSet: more of its spec, of its Pod's spec and of its container."""
    return (
        f"apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {{name: d}}\nspec:\n{spec}"
        "  selector: {matchLabels: {app: d}}\n"
        f"  template:\n    metadata: {{labels: {{app: d}}}}\n    spec:\n{pod}"
        f"      containers:\n      - name: c\n        image: {image}\n{container}"
    )


def plugin(spec: str = "", pod: str = "", container: str = "") -> str:
    """A DaemonSet of NVIDIA's device plugin."""
    return daemon_set(spec, pod, container, image=PLUGIN_IMAGE)


def strategy(**members: Any) -> str:
    """An update strategy as a line of a DaemonSet's spec."""
    return f"  updateStrategy: {json.dumps(members)}\n"


def rolling(**members: Any) -> str:
    """A strategy with these budgets."""
    return strategy(rollingUpdate=members)


def node(name: str, *, taints: str = "[]", gpus: int = 8, labels: str = "{}") -> str:
    """A Node."""
    return (
        f"apiVersion: v1\nkind: Node\nmetadata: {{name: {name}, labels: {labels}}}\n"
        f"spec: {{taints: {taints}}}\nstatus: {{capacity: {{nvidia.com/gpu: {gpus}}}}}\n"
    )


def reading(note: str = "", name: str = "sharing", mount: str = "{name: v, mountPath: /c}") -> str:
    """A DaemonSet of the device plugin that mounts a ConfigMap, with an annotation on its Pods."""
    text = plugin(container=f"        volumeMounts: [{mount}]\n")
    labels = "metadata: {labels: {app: d}}"
    noted = f"metadata:\n      labels: {{app: d}}\n      annotations:\n        {note}" if note else labels
    volume = f"      - name: v\n        configMap:\n          name: {name}\n"
    return text.replace(labels, noted) + f"      volumes:\n{volume}"


@pytest.mark.parametrize("case", VALIDATIONS, ids=lambda case: json.dumps(case["updateStrategy"]))
@pytest.mark.parametrize("text", [daemon_set("{}"), CHART + "{}"], ids=["manifest", "chart"])
def test_a_strategy_is_refused_exactly_where_the_api_server_refuses_it(
    case: dict[str, Any], text: str
) -> None:
    indent = "  " if "kind" in text else ""
    written = text.replace("{}", f"{indent}updateStrategy: {json.dumps(case['updateStrategy'])}\n", 1)
    assert [one.severity for one in found("GL519", written)] == [Severity.ERROR] * (not case["accepted"])


@pytest.mark.parametrize(
    ("budgets", "error"),
    [
        (
            {"maxUnavailable": 1, "maxSurge": 1},
            'spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: intstr.IntOrString{Type:0, IntVal:1, StrVal:""}: '
            "may not be set when maxUnavailable is non-zero",
        ),
        (
            {"maxUnavailable": 0},
            "spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0",
        ),
    ],
)
def test_a_refusal_is_told_in_the_words_of_the_api_server(budgets: dict[str, int], error: str) -> None:
    (one,) = found("GL519", daemon_set(rolling(**budgets)))
    assert dict(one.arguments)["error"] == error


REFUSED: dict[str, tuple[str, list[tuple[str, str]]]] = {
    "a surge alone": (rolling(maxSurge=2), [('"maxSurge": 2', "alone")]),
    "a surge beside a null": (
        "  updateStrategy: {rollingUpdate: {maxUnavailable: ~, maxSurge: 1}}\n",
        [("maxSurge: 1", "alone")],
    ),
    "a number in quotes": (rolling(maxUnavailable="3"), [('"3"', "quoted")]),
    "half a node": (rolling(maxUnavailable=1.5), [("1.5", "type")]),
    "a whole number with a point": (rolling(maxUnavailable=2.0), []),
    "a number of more than 32 bits": (rolling(maxUnavailable=2**31), [("2147483648", "type")]),
    "a bool": (rolling(maxUnavailable=True), [("true", "type")]),
    "a list under OnDelete, which is read too": (
        strategy(type="OnDelete", rollingUpdate={"maxSurge": []}),
        [("[]", "type")],
    ),
    "a budget under OnDelete, which is not judged": (
        strategy(type="OnDelete", rollingUpdate={"maxUnavailable": 0}),
        [],
    ),
    "a type in lower case": (strategy(type="rollingupdate"), [('"rollingupdate"', "strategy")]),
    "a type that is no text": (strategy(type=1), [("1", "strategy")]),
    "an empty type is the default": (strategy(type=""), []),
    "a null is the default": ("  updateStrategy: ~\n", []),
    "a percentage past what is read counts as none": (
        rolling(maxUnavailable="9" * 5000 + "%"),
        [(f'"{"9" * 5000}%"', "")],
    ),
    "seconds below 0": ("  minReadySeconds: -1\n", [("-1", "")]),
    "seconds that are text": ("  minReadySeconds: 30s\n", [("30s", "type")]),
    "a history below 0": ("  revisionHistoryLimit: -2\n", [("-2", "")]),
    "an older API version": ("", []),
}


@pytest.mark.parametrize("name", REFUSED)
def test_the_api_server_refuses(name: str) -> None:
    spec, expected = REFUSED[name]
    assert told("GL519", daemon_set(spec)) == expected


@pytest.mark.parametrize(
    "budget", ["9" * 5000 + "%", "9" * 5000, "0" * 5000 + "%", "-" + "9" * 30, "٣%", "+5%"]
)
def test_a_budget_of_any_length_is_judged(budget: str) -> None:
    assert refusals(UpdateStrategy(max_unavailable=budget))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"maxSurge": "10%"}, {"maxUnavailable": 0, "maxSurge": "10%"}),
        ({"maxUnavailable": "02"}, {"maxUnavailable": 2}),
    ],
)
def test_what_a_refused_strategy_can_only_have_meant_is_a_safe_fix(
    before: dict[str, Any], after: dict[str, Any]
) -> None:
    (one,) = found("GL519", daemon_set(rolling(**before)))
    assert one.fix is not None
    assert one.fix.safe
    again = yaml.safe_load(mended("GL519", daemon_set(rolling(**before))))
    assert again["spec"]["updateStrategy"]["rollingUpdate"] == after


def test_two_budgets_are_the_readers_to_decide() -> None:
    (one,) = found("GL519", daemon_set(rolling(maxUnavailable=1, maxSurge=1)))
    assert one.fix is None


def selecting(selector: str, labels: str, image: str = "i") -> str:
    """A DaemonSet with this selector and these labels of its Pods."""
    return (
        "apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: d}\nspec:\n"
        f"{selector}  template:\n    metadata: {{labels: {labels}}}\n"
        f"    spec: {{containers: [{{name: c{f', image: {image}' if image else ''}}}]}}\n"
    )


SELECTORS: dict[str, tuple[str, str, list[tuple[str, str]]]] = {
    "other": ("  selector: {matchLabels: {a: b}}\n", "{a: c}", [("b", "differs")]),
    "missing label": ("  selector: {matchLabels: {a: b}}\n", "{c: d}", [("a: b", "")]),
    "more labels": ("  selector: {matchLabels: {a: b}}\n", "{a: b, c: d}", []),
    "empty": ("  selector: {}\n", "{a: b}", [("selector: {", "empty")]),
    "empty parts": (
        "  selector: {matchLabels: {}, matchExpressions: []}\n",
        "{a: b}",
        [("selector: {matchLabels: {}, matchExpressions: []", "empty")],
    ),
    "none": ("", "{a: b}", [("spec:", "missing")]),
    "none in a patch of the template": ("", "{}", []),
    "in": ("  selector: {matchExpressions: [{key: a, operator: In, values: [b]}]}\n", "{a: b}", []),
    "not in": (
        "  selector: {matchExpressions: [{key: a, operator: NotIn, values: [b]}]}\n",
        "{a: b}",
        [("a, operator: NotIn, values: [b]}]", "")],
    ),
    "exists": (
        "  selector: {matchExpressions: [{key: a, operator: Exists}]}\n",
        "{c: d}",
        [("a, operator: Exists}]", "")],
    ),
    "does not exist": (
        "  selector: {matchExpressions: [{key: a, operator: DoesNotExist}]}\n",
        "{c: d}",
        [],
    ),
}


@pytest.mark.parametrize("name", SELECTORS)
def test_a_selector_fits_the_pods_or_not(name: str) -> None:
    selector, labels, expected = SELECTORS[name]
    assert told("GL520", selecting(selector, labels)) == expected


def test_a_patch_without_an_image_is_no_whole_daemon_set() -> None:
    assert told("GL520", selecting("  selector: {matchLabels: {a: b}}\n", "{c: d}", image="")) == []


SAID: dict[str, tuple[str, tuple[str, ...], list[tuple[str, str]]]] = {
    "a policy": ("GL521", (daemon_set(pod="      restartPolicy: Never\n"),), [("Never", "")]),
    "the policy that it has": ("GL521", (daemon_set(pod="      restartPolicy: Always\n"),), []),
    "a deadline": (
        "GL521",
        (daemon_set(pod="      activeDeadlineSeconds: 60\n"),),
        [("activeDeadlineSeconds: 60", "deadline")],
    ),
    "no brake": ("GL522", (plugin(),), [("c", "")]),
    "no brake, written out": ("GL522", (plugin("  minReadySeconds: 0\n"),), [("c", "")]),
    "a readiness probe": (
        "GL522",
        (plugin(container="        readinessProbe: {exec: {command: [a]}}\n"),),
        [],
    ),
    "a liveness probe is no brake": (
        "GL522",
        (plugin(container="        livenessProbe: {exec: {command: [a]}}\n"),),
        [("c", "")],
    ),
    "nothing rolls, so nothing is braked": ("GL522", (plugin(strategy(type="OnDelete")),), []),
    "another DaemonSet without a brake": ("GL522", (daemon_set(),), []),
    "one Pod at a time": (
        "GL523",
        (plugin(strategy(type="RollingUpdate")),),
        [('updateStrategy: {"type": "RollingUpdate"', "fleet")],
    ),
    "one Pod at a time, unsaid": ("GL523", (plugin(),), []),
    "a strategy that is null": ("GL523", (plugin("  updateStrategy: ~\n"),), []),
    "one agent at a time": ("GL523", (daemon_set(strategy(type="RollingUpdate")),), []),
    "one Pod at a time, by the type alone": (
        "GL523",
        (CHART + "updateStrategy: {type: RollingUpdate}\n",),
        [],
    ),
    "one Pod at a time, written out": (
        "GL523",
        (daemon_set(READY + rolling(maxUnavailable=1)),),
        [("1", "fleet")],
    ),
    "one Pod at a time, and no brake": ("GL523", (daemon_set(rolling(maxUnavailable=1)),), []),
    "one Pod at a time, in the chart": (
        "GL523",
        (CHART + "updateStrategy: {rollingUpdate: {maxUnavailable: 1}}\n",),
        [("1", "fleet")],
    ),
    "two Pods at a time": ("GL523", (plugin(rolling(maxUnavailable=2)),), []),
    "a percentage of an unknown number": (
        "GL523",
        (plugin(rolling(maxUnavailable="30%")),),
        [('"30%"', "percent")],
    ),
    "an agent's percentage of an unknown number": ("GL523", (daemon_set(rolling(maxUnavailable="10%")),), []),
    "a surge of the plugin": ("GL523", (plugin(SURGING),), []),
    "most of an unknown number": ("GL523", (plugin(rolling(maxUnavailable="60%")),), []),
    "a percentage of three nodes, rounded up to one": (
        "GL523",
        (daemon_set(READY + rolling(maxUnavailable="33%")), node("a"), node("b"), node("c")),
        [('"33%"', "")],
    ),
    "a percentage of three nodes, rounded up to two": (
        "GL523",
        (daemon_set(rolling(maxUnavailable="34%")), node("a"), node("b"), node("c")),
        [],
    ),
    "a percentage of the nodes that it is for": (
        "GL523",
        (
            plugin(rolling(maxUnavailable="10%"), "      nodeSelector: {pool: gpu}\n"),
            *(node(f"n{number}", labels="{pool: gpu}") for number in range(2)),
            *(node(f"m{number}") for number in range(23)),
        ),
        [('"10%"', "")],
    ),
    "a percentage of all nodes": (
        "GL523",
        (plugin(rolling(maxUnavailable="10%")), *(node(f"n{number}") for number in range(25))),
        [],
    ),
    "nodes of which it is for none are not its number": (
        "GL523",
        (plugin(rolling(maxUnavailable=1), "      nodeSelector: {pool: gpu}\n"), node("a"), node("b")),
        [("1", "fleet")],
    ),
    "one node alone, behind which none waits": ("GL523", (plugin(rolling(maxUnavailable=1)), node("a")), []),
    "OnDelete, which stops nowhere": ("GL523", (plugin(strategy(type="OnDelete")),), []),
    "a rollout of what is refused": (
        "GL523",
        (plugin(rolling(maxUnavailable=1) + "  minReadySeconds: -1\n"),),
        [],
    ),
    "one surge": ("GL523", (daemon_set(READY + SURGING),), [("1", "surge")]),
    "a plugin beside a plugin": ("GL524", (plugin(SURGING),), [("1", "")]),
    "the plugin's chart": (
        "GL524",
        (CHART + "updateStrategy: {rollingUpdate: {maxUnavailable: 0, maxSurge: 1}}\n",),
        [("1", "")],
    ),
    "another program in the folder of device plugins": (
        "GL524",
        (
            daemon_set(SURGING)
            + "      volumes: [{name: d, hostPath: {path: /var/lib/kubelet/device-plugins/}}]\n",
        ),
        [("1", "folder")],
    ),
    "a surge without a device plugin": ("GL524", (daemon_set(SURGING),), []),
    "a surge that is refused": ("GL524", (plugin(rolling(maxUnavailable=1, maxSurge=1)),), []),
    "a surge under OnDelete": (
        "GL524",
        (plugin(strategy(type="OnDelete", rollingUpdate={"maxUnavailable": 0, "maxSurge": 1})),),
        [],
    ),
    "a port of the node": (
        "GL525",
        (daemon_set(SURGING, container="        ports: [{containerPort: 80, hostPort: 80}]\n"),),
        [("1", "")],
    ),
    "any port in the host's network": (
        "GL525",
        (daemon_set(SURGING, "      hostNetwork: true\n", "        ports: [{containerPort: 80}]\n"),),
        [("1", "")],
    ),
    "a port of the Pod": (
        "GL525",
        (daemon_set(SURGING, container="        ports: [{containerPort: 80}]\n"),),
        [],
    ),
    "a port of the node without surge": (
        "GL525",
        (daemon_set(container="        ports: [{containerPort: 80, hostPort: 80}]\n"),),
        [],
    ),
    "a budget that nothing spends": (
        "GL526",
        (
            "apiVersion: apps/v1\nkind: DaemonSet\nspec:\n  updateStrategy:\n    type: OnDelete\n    rollingUpdate: {}\n",
        ),
        [("rollingUpdate: {", "")],
    ),
    "OnDelete for a plugin": ("GL526", (plugin(strategy(type="OnDelete")),), [('"OnDelete"', "plugin")]),
    "OnDelete for another": ("GL526", (daemon_set(strategy(type="OnDelete")),), [('"OnDelete"', "other")]),
    "no brake, and a budget": ("GL522", (daemon_set(rolling(maxUnavailable=1)),), [("c", "")]),
    "no brake, and a surge": ("GL522", (daemon_set(SURGING),), [("c", "")]),
    "no brake, and nothing on rollouts": ("GL522", (daemon_set(),), []),
    "no brake under OnDelete": ("GL522", (daemon_set(strategy(type="OnDelete")),), []),
    "a readiness probe is a brake": (
        "GL522",
        (
            daemon_set(
                rolling(maxUnavailable=1), container="        readinessProbe: {tcpSocket: {port: 1}}\n"
            ),
        ),
        [],
    ),
    "a startup probe is a brake": (
        "GL522",
        (daemon_set(rolling(maxUnavailable=1), container="        startupProbe: {tcpSocket: {port: 1}}\n"),),
        [],
    ),
    "a liveness probe is none": (
        "GL522",
        (daemon_set(rolling(maxUnavailable=1), container="        livenessProbe: {tcpSocket: {port: 1}}\n"),),
        [("c", "")],
    ),
    "requests without a priority, in another": (
        "GL530",
        (daemon_set(container="        resources: {requests: {cpu: 1}}\n"),),
        [("c", "other")],
    ),
    "requests with a priority, in another": (
        "GL530",
        (
            daemon_set(
                pod="      priorityClassName: agents\n", container="        resources: {requests: {cpu: 1}}\n"
            ),
        ),
        [],
    ),
    "requests beside a surge, in another": (
        "GL530",
        (daemon_set(SURGING, container="        resources: {requests: {cpu: 1}}\n"),),
        [],
    ),
    "no requests, in another": ("GL530", (daemon_set(),), []),
    "a surge that tolerates everything": ("GL534", (daemon_set(SURGING, EVERYTHING),), [("1", "")]),
    "a surge that tolerates pressure": (
        "GL534",
        (
            daemon_set(
                SURGING,
                "      tolerations: [{key: node.kubernetes.io/disk-pressure, operator: Exists}]\n",
            ),
        ),
        [("1", "")],
    ),
    "a surge that tolerates one taint": (
        "GL534",
        (daemon_set(SURGING, "      tolerations: [{key: gpu, operator: Exists}]\n"),),
        [],
    ),
    "a surge of critical Pods": (
        "GL534",
        (daemon_set(SURGING, EVERYTHING + "      priorityClassName: system-node-critical\n"),),
        [],
    ),
    "no surge that tolerates everything": (
        "GL534",
        (daemon_set(rolling(maxUnavailable=1), EVERYTHING),),
        [],
    ),
    "OnDelete for the operator": (
        "GL526",
        (OPERATOR + "daemonsets: {updateStrategy: OnDelete}\n",),
        [("OnDelete", "plugin")],
    ),
    "OnDelete beside the budget of the operator's own values": (
        "GL526",
        (OPERATOR + "daemonsets: {updateStrategy: OnDelete, rollingUpdate: {maxUnavailable: '1'}}\n",),
        [("OnDelete, rollingUpdate: {maxUnavailable: '1'", "plugin")],
    ),
    "a strategy that the operator does not know": (
        "GL527",
        (POLICY + "  daemonsets: {updateStrategy: Rolling}\n",),
        [("Rolling", "strategy")],
    ),
    "a number without quotes in a ClusterPolicy": (
        "GL527",
        (POLICY + "  daemonsets: {rollingUpdate: {maxUnavailable: 2}}\n",),
        [("2", "quotes")],
    ),
    "a number without quotes in values": (
        "GL527",
        (OPERATOR + "daemonsets: {rollingUpdate: {maxUnavailable: 2}}\n",),
        [],
    ),
    "no number": (
        "GL527",
        (OPERATOR + "daemonsets: {rollingUpdate: {maxUnavailable: 10%abc}}\n",),
        [("10%abc", "number")],
    ),
    "none": (
        "GL527",
        (OPERATOR + "daemonsets: {rollingUpdate: {maxUnavailable: '0'}}\n",),
        [("'0'", "")],
    ),
    "more than all": (
        "GL527",
        (OPERATOR + "daemonsets: {rollingUpdate: {maxUnavailable: 101%}}\n",),
        [("101%", "")],
    ),
    "nothing that is spent": (
        "GL527",
        (OPERATOR + "daemonsets: {updateStrategy: OnDelete, rollingUpdate: {maxUnavailable: '0'}}\n",),
        [],
    ),
    "a surge of the operator": (
        "GL527",
        (OPERATOR + "daemonsets: {rollingUpdate: {maxUnavailable: '1', maxSurge: '1'}}\n",),
        [("maxSurge: '1'", "surge")],
    ),
    **{
        f"annotation {note}": ("GL528", (reading(note),), expected)
        for note, expected in {
            "checksum/config: 9f86d081884c7d65": [],
            "checksum/config: '{{ include \"x\" . | sha256sum }}'": [],
            "example.com/config-hash: a1b2c3d4": [],
            "config-version: '7'": [],
            "configRevision: v3": [],
            "sha256: 9f86d081884c7d65": [],
            "app.kubernetes.io/version: v0.20.0": [("sharing", "")],
            "prometheus.io/hash-rate: high": [("sharing", "")],
            "example.com/hash: none": [("sharing", "")],
            "example.com/rehash: 9f86d081884c7d65": [("sharing", "")],
            "checksum/config: ''": [("sharing", "")],
            "note: a": [("sharing", "")],
        }.items()
    },
    **{
        f"name {name}": ("GL528", (reading(name=name),), expected)
        for name, expected in {
            "time-slicing-production": [("time-slicing-production", "")],
            "time-slicing-abcdefghij": [("time-slicing-abcdefghij", "")],
            "sharing-k4t2m9b7gd": [],
            "sharing-k4t2m9b7g": [("sharing-k4t2m9b7g", "")],
        }.items()
    },
    "a file by subPath": (
        "GL528",
        (reading(mount="{name: v, mountPath: /c/any.yaml, subPath: any.yaml}"),),
        [("sharing", "subpath")],
    ),
    "a file by subPathExpr": (
        "GL528",
        (reading(mount="{name: v, mountPath: /c/any.yaml, subPathExpr: $(X).yaml}"),),
        [("sharing", "subpath")],
    ),
    "a file by subPath and the whole folder": (
        "GL528",
        (reading(mount="{name: v, mountPath: /c/a, subPath: a}, {name: v, mountPath: /d}"),),
        [("sharing", "")],
    ),
    "a name with a hash": (
        "GL528",
        (
            plugin(container="        volumeMounts: [{name: v, mountPath: /c}]\n")
            + "      volumes: [{name: v, configMap: {name: sharing-k4t2m9b7gd}}]\n",
        ),
        [],
    ),
    "a ConfigMap that is not mounted": (
        "GL528",
        (plugin() + "      volumes: [{name: v, configMap: {name: sharing}}]\n",),
        [],
    ),
    "the ConfigMap of another DaemonSet": (
        "GL528",
        (
            daemon_set(container="        volumeMounts: [{name: v, mountPath: /c}]\n")
            + "      volumes: [{name: v, configMap: {name: sharing}}]\n",
        ),
        [],
    ),
    "all at once": ("GL529", (plugin(rolling(maxUnavailable="100%")),), [('"100%"', "")]),
    "all at once in the chart": (
        "GL529",
        (CHART + "updateStrategy: {rollingUpdate: {maxUnavailable: 100%}}\n",),
        [("100%", "")],
    ),
    "all at once under the operator": (
        "GL529",
        (OPERATOR + "daemonsets: {rollingUpdate: {maxUnavailable: 100%}}\n",),
        [("100%", "")],
    ),
    "as many as there are nodes": (
        "GL529",
        (plugin(rolling(maxUnavailable=2)), node("a"), node("b")),
        [("2", "nodes")],
    ),
    "as many as there are nodes that it is for": (
        "GL529",
        (
            plugin(rolling(maxUnavailable=2), "      nodeSelector: {pool: gpu}\n"),
            *(node(name, labels="{pool: gpu}") for name in "ab"),
            node("c"),
        ),
        [("2", "nodes")],
    ),
    "as many as tolerate it": (
        "GL529",
        (
            plugin(rolling(maxUnavailable=2)),
            node("a"),
            node("b"),
            node("c", taints="[{key: x, effect: NoSchedule}]"),
        ),
        [("2", "nodes")],
    ),
    "as many as the operator's nodes": (
        "GL529",
        (
            OPERATOR + 'daemonsets: {rollingUpdate: {maxUnavailable: "60%"}}\n',
            *(node(name, labels="{nvidia.com/gpu.deploy.device-plugin: 'true'}") for name in "ab"),
            node("c", gpus=0),
        ),
        [('"60%"', "nodes")],
    ),
    "fewer than there are nodes": (
        "GL529",
        (plugin(rolling(maxUnavailable=2)), node("a"), node("b"), node("c")),
        [],
    ),
    "all of one node": ("GL529", (plugin(rolling(maxUnavailable="100%")), node("a")), []),
    "all agents at once": ("GL529", (daemon_set(rolling(maxUnavailable="100%")),), []),
    "requests without priority": (
        "GL530",
        (plugin(container="        resources: {requests: {cpu: 1}}\n"),),
        [("c", "")],
    ),
    "no requests": ("GL530", (plugin(),), []),
    "a node's own taint": (
        "GL531",
        (plugin(), node("a", taints="[{key: nvidia.com/gpu, effect: NoSchedule}]")),
        [("c", "")],
    ),
    "a taint that is tolerated": (
        "GL531",
        (
            plugin(pod="      tolerations: [{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}]\n"),
            node("a", taints="[{key: nvidia.com/gpu, value: x, effect: NoSchedule}]"),
        ),
        [],
    ),
    "a toleration of another value": (
        "GL531",
        (
            plugin(pod="      tolerations: [{key: pool, value: b}]\n"),
            node("a", taints="[{key: pool, value: c, effect: NoExecute}]"),
        ),
        [("c", "execute")],
    ),
    "the taint of two that drives the Pod out": (
        "GL531",
        (
            plugin(),
            node("a", taints="[{key: pool, effect: NoSchedule}, {key: pool, effect: NoExecute}]"),
        ),
        [("c", "execute")],
    ),
    "a toleration of everything": (
        "GL531",
        (
            plugin(pod="      tolerations: [{operator: Exists}]\n"),
            node("a", taints="[{key: pool, effect: NoExecute}]"),
        ),
        [],
    ),
    "a taint that asks for less": (
        "GL531",
        (plugin(), node("a", taints="[{key: pool, effect: PreferNoSchedule}]")),
        [],
    ),
    "a taint that passes": (
        "GL531",
        (plugin(), node("a", taints="[{key: node.kubernetes.io/not-ready, effect: NoSchedule}]")),
        [],
    ),
    "a node without GPUs": (
        "GL531",
        (plugin(), node("a", gpus=0, taints="[{key: pool, effect: NoSchedule}]")),
        [],
    ),
    "a node that the selector leaves out": (
        "GL531",
        (
            plugin(pod="      nodeSelector: {pool: x}\n"),
            node("a", taints="[{key: pool, effect: NoSchedule}]"),
        ),
        [],
    ),
    "no history": ("GL532", (daemon_set("  revisionHistoryLimit: 0\n"),), [("0", "")]),
    "a Deployment's strategy": (
        "GL533",
        (daemon_set("  strategy: {type: RollingUpdate}\n"),),
        [("strategy: {type: RollingUpdate", "near")],
    ),
    "a budget one level off": (
        "GL533",
        (daemon_set(strategy(maxUnavailable=2)),),
        [('"maxUnavailable": 2', "near")],
    ),
    "a slip in the chart": (
        "GL533",
        (CHART + "updateStrategy: {rollingUpdate: {maxUnavailble: 2}}\n",),
        [("maxUnavailble: 2", "near")],
    ),
    "replicas": ("GL533", (daemon_set("  replicas: 3\n"),), [("replicas: 3", "")]),
    "a partition": (
        "GL533",
        (daemon_set(rolling(partition=1, maxUnavailable=1)),),
        [('"partition": 1, "maxUnavailable": 1', "")],
    ),
    "a key that is not like any": ("GL533", (daemon_set("  x-note: y\n"),), []),
    "the same key of another kind": (
        "GL533",
        (daemon_set("  replicas: 3\n").replace("apps/v1", "apps.kruise.io/v1alpha1"),),
        [],
    ),
}


@pytest.mark.parametrize("name", SAID)
def test_a_rule_says(name: str) -> None:
    code, texts, expected = SAID[name]
    assert told(code, *texts) == expected


@pytest.mark.parametrize(
    ("code", "text", "before", "after"),
    [
        ("GL522", plugin(), "spec:\n", "spec:\n  minReadySeconds: 30\n"),
        ("GL522", plugin("  minReadySeconds: 0\n"), "Seconds: 0", "Seconds: 30"),
        ("GL524", plugin(SURGING), "maxUnavailable: 0, maxSurge: 1", "maxUnavailable: 1, maxSurge: 0"),
        (
            "GL530",
            plugin(container="        resources: {limits: {cpu: 1}}\n"),
            "      containers:",
            "      priorityClassName: system-node-critical\n      containers:",
        ),
        ("GL532", daemon_set("  revisionHistoryLimit: 0\n"), "  revisionHistoryLimit: 0\n", ""),
        ("GL533", daemon_set("  strategy: {}\n"), "  strategy", "  updateStrategy"),
    ],
)
def test_a_fix_changes_what_is_meant_and_nothing_else(code: str, text: str, before: str, after: str) -> None:
    (one,) = found(code, text)
    assert one.fix is not None
    assert not one.fix.safe
    assert mended(code, text) == text.replace(before, after, 1)


ORDINARY = {
    "a log agent": daemon_set(
        pod=EVERYTHING + "      priorityClassName: agents\n",
        container="        resources: {requests: {cpu: 1}}\n        volumeMounts: [{name: v, mountPath: /c}]\n",
    )
    + "      volumes: [{name: v, configMap: {name: fluentd}}]\n",
    "a network agent in the host's network": daemon_set(
        READY + rolling(maxUnavailable=2),
        "      hostNetwork: true\n      restartPolicy: Always\n",
        "        ports: [{containerPort: 4244, hostPort: 4244}]\n",
    ),
    "an exporter with a surge of two": daemon_set(READY + rolling(maxUnavailable=0, maxSurge=2)),
    "GPU feature discovery": plugin(container="        command: [gpu-feature-discovery]\n"),
    "the MPS control daemon": plugin(container="        command: [mps-control-daemon]\n"),
    "the operator's own values": OPERATOR
    + 'daemonsets: {updateStrategy: RollingUpdate, rollingUpdate: {maxUnavailable: "1"}}\n',
    "the chart's own values": CHART + "updateStrategy: {type: RollingUpdate}\n",
    "a patch of a few lines": (
        "apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: d}\n"
        "spec: {template: {spec: {containers: [{name: c, env: []}]}}}\n"
    ),
    "a DaemonSet of long ago": daemon_set("  strategy: {}\n").replace("apps/v1", "extensions/v1beta1"),
    "nothing but its name": "apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: d}\n",
}


@pytest.mark.parametrize("name", ORDINARY)
def test_nothing_is_said_of_an_ordinary_daemon_set(name: str) -> None:
    settings = Settings(catalog=builtin_catalog())
    told = lint([read("d.yaml", ORDINARY[name], settings)], settings, Selection())
    assert [one.code for one in told["d.yaml"]] == []


def test_of_nvidias_manifest_two_things_are_noted_the_brake_and_what_it_does() -> None:
    manifest = plugin(
        strategy(type="RollingUpdate"),
        "      tolerations: [{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}]\n"
        "      priorityClassName: system-node-critical\n",
        "        env: [{name: FAIL_ON_INIT_ERROR, value: 'false'}]\n"
        "        volumeMounts: [{name: d, mountPath: /var/lib/kubelet/device-plugins}]\n",
    )
    volumes = "      volumes: [{name: d, hostPath: {path: /var/lib/kubelet/device-plugins}}]\n"
    settings = Settings(catalog=builtin_catalog())
    told = lint([read("d.yaml", manifest + volumes, settings)], settings, Selection())
    assert [(one.code, one.severity) for one in told["d.yaml"]] == [
        ("GL523", Severity.INFO),
        ("GL522", Severity.INFO),
    ]


def test_what_is_refused_is_an_error_and_no_other_rule_of_a_daemon_set_is() -> None:
    severe = {one.code for one in RULES if "GL519" <= one.code <= "GL533" and one.severity is Severity.ERROR}
    assert severe == {"GL519", "GL520", "GL521", "GL524", "GL525", "GL527"}
