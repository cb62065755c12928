"""Strategies for rollouts: small fleets, broken Pods, people who change things; alone, and beside nodes and workloads."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

NEVER_AVAILABLE = ("never-ready", "pending", "failed", "init-stuck", "image-pull")


def names(count: int) -> list[str]:
    """node-1 to node-N."""
    return [f"node-{number}" for number in range(1, count + 1)]


@st.composite
def budgets(draw: st.DrawFn) -> dict[str, Any]:
    """An update strategy that the API server takes."""
    amount = draw(st.sampled_from([1, 2, 3, "10%", "34%", "100%"]))
    if draw(st.integers(0, 3)):
        return {"rollingUpdate": {"maxUnavailable": amount}}
    return {"rollingUpdate": {"maxUnavailable": 0, "maxSurge": amount}}


@st.composite
def fleets(draw: st.DrawFn, *, surge: bool = True) -> dict[str, Any]:
    """A healthy fleet of up to eight nodes, visited in any order."""
    strategy = draw(budgets().filter(lambda found: surge or "maxSurge" not in found["rollingUpdate"]))
    return {
        "nodes": draw(st.integers(1, 8)),
        "updateStrategy": strategy,
        "minReadySeconds": draw(st.sampled_from([0, 0, 4])),
        "startupSeconds": draw(st.sampled_from([1, 5, 1.5])),
        "terminationSeconds": draw(st.sampled_from([0, 2, 0.5])),
        "order": draw(st.one_of(st.just("name"), st.builds(lambda seed: {"seed": seed}, st.integers(0, 99)))),
    }


@st.composite
def trouble(draw: st.DrawFn, count: int) -> list[dict[str, Any]]:
    """Nodes on which Pods of r2 never become available."""
    bad = draw(st.lists(st.sampled_from(names(count)), min_size=0, max_size=3, unique=True))
    return [
        {"nodes": [name], "revisions": ["r2"], "pod": draw(st.sampled_from(NEVER_AVAILABLE))} for name in bad
    ]


@st.composite
def actions(draw: st.DrawFn, count: int) -> list[dict[str, Any]]:
    """What people do to a fleet that mends itself of it."""
    node = st.sampled_from(names(count))
    kinds = st.one_of(
        st.sampled_from(["r1", "r2", "r3"]).map(lambda template: {"template": template}),
        st.just({"undo": True}),
        node.map(lambda name: {"deletePod": name}),
        node.map(lambda name: {"cordon": name}),
        node.map(lambda name: {"notReady": [name]}),
        node.map(lambda name: {"restartKubelet": name}),
    )
    found = draw(st.lists(st.tuples(st.integers(0, 60), kinds), max_size=5))
    return [{"at": at_s, **action} for at_s, action in found]


@st.composite
def all_actions(draw: st.DrawFn, count: int) -> list[dict[str, Any]]:
    """Whatever people may do to a fleet and its nodes, sensible or not, each at a time of its own."""
    node = st.sampled_from([*names(count), "late"])
    on_node = ("deletePod", "cordon", "uncordon", "deselect", "select", "deleteNode", "repair")
    kinds = st.one_of(
        st.sampled_from(["r1", "r2", "r3"]).map(lambda template: {"template": template}),
        st.sampled_from([{"undo": True}, {"undo": 7}, {"maxUnavailable": 1}, {"maxUnavailable": 2}]),
        st.tuples(st.sampled_from(on_node), node).map(lambda told: {told[0]: told[1]}),
        st.tuples(st.sampled_from(["cordon", "select", "repair", "deselect"]), st.just("all")).map(
            lambda told: {told[0]: told[1]}
        ),
        node.map(lambda name: {"notReady": [name]}),
        node.map(lambda name: {"deletePod": name, "force": True}),
        node.map(lambda name: {"addNode": name}),
        st.tuples(node, st.sampled_from(["", "some"])).map(
            lambda told: {"label": {"nodes": [told[0]], "value": told[1]}}
        ),
    )
    times = st.integers(0, 400)
    found = draw(
        st.lists(st.tuples(times, kinds), min_size=1, max_size=6, unique_by=lambda told: str(told[0]))
    )
    found.append((401, {"addNode": "late"}))  # so that others may name it
    return [{"at": at_s, **action} for at_s, action in found]


@st.composite
def silences(draw: st.DrawFn, count: int) -> list[dict[str, Any]]:
    """Nodes that fall silent and that reboot, some of which somebody mends."""
    node, times = st.sampled_from(names(count)), st.integers(1, 900)
    kinds = st.one_of(
        node.map(lambda name: {"down": name}),
        node.map(lambda name: {"reboot": name}),
        node.map(lambda name: {"repair": name}),
        node.map(lambda name: {"deletePod": name}),
        node.map(lambda name: {"restartKubelet": name}),
        node.map(lambda name: {"deleteNode": name}),
        st.sampled_from(["r1", "r2"]).map(lambda template: {"template": template}),
    )
    return [{"at": at_s, **action} for at_s, action in draw(st.lists(st.tuples(times, kinds), max_size=7))]


def config(replicas: int, *, rename: bool) -> str:
    """A time-slicing config, or none."""
    resources = f"[{{name: nvidia.com/gpu, replicas: {replicas}}}]"
    sharing = f"{{renameByDefault: {str(rename).lower()}, resources: {resources}}}"
    return "version: v1\n" + (f"sharing: {{timeSlicing: {sharing}}}\n" if replicas > 1 else "")


@st.composite
def scenarios(draw: st.DrawFn) -> dict[str, Any]:
    """Nodes and workloads whose plugin is rolled out from one config to others.

    Anything goes wrong but a node that goes.
    """
    fleet = draw(fleets())
    count = fleet.pop("nodes")
    configs = st.builds(config, st.sampled_from([1, 2, 3, 5]), rename=st.booleans())
    crash = {"nodes": "all", "revisions": ["r3"], "pod": "crash-loop", "runSeconds": 4}
    fleet |= {
        "nodeStatusSeconds": draw(st.sampled_from([0, 3, 10])),
        "revisions": {revision: {"config": draw(configs)} for revision in ("r1", "r2", "r3")},
        "behaviour": [*draw(trouble(count)), crash],
        "events": [
            *draw(actions(count)),
            {"at": 30, "template": "r2"},
            {"at": 40, "configMap": {"config": draw(configs)}},
        ],
    }
    resource = st.sampled_from(["nvidia.com/gpu", "nvidia.com/gpu", "nvidia.com/gpu.shared"])
    works = [
        {
            "name": f"w{number}",
            "count": draw(st.integers(1, 6)),
            "arrival": draw(st.sampled_from(["0s", "33s", {"every": "7s"}])),
            "request": {draw(resource): draw(st.sampled_from([1, 1, 2]))},
            "job": {"kind": "idle"},
        }
        for number in range(draw(st.integers(1, 3)))
    ]
    cards = {"model": "a100-40gb", "count": draw(st.integers(1, 2))}
    return {
        "format": 1,
        "seed": draw(st.integers(0, 9)),
        "horizon": "8m",
        "nodes": [{"name": name, "gpus": cards} for name in names(count)],
        "workloads": works,
        "rollout": fleet,
    }
