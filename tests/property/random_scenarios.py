"""A strategy for scenarios: the text of a small cluster with anything happening on it."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

from tests.unit.scenarios import config, scenario, service, training

SIZES = st.sampled_from(["0", "1GiB", "5GiB", "9GiB", "13GiB", "20GiB", "38GiB", "60GiB"])
TAKES = st.sampled_from(
    [
        {"needs": "1GiB", "takes": "90%"},
        {"needs": "5GiB", "takes": "100%"},
        {"needs": "0", "takes": "13GiB"},
        {"needs": "9GiB", "takes": "0%"},
    ]
)
SHARES = st.sampled_from([0, 0.1, 0.5, 0.857, 1])
LAYOUTS: dict[str, tuple[list[str], ...]] = {  # of cards with MIG, by model; the first is: MIG mode off
    "a100-40gb": ([], ["3g.20gb", "3g.20gb"], ["1g.5gb", "2g.10gb", "3g.20gb"], ["7g.40gb"]),
    "h100-80gb-sxm": ([], ["3g.40gb", "3g.40gb"], ["1g.10gb", "1g.10gb", "4g.40gb"], ["7g.80gb"]),
}
SOLO = st.sampled_from(["7ms", "100ms", "1s", "3s"])


@st.composite
def nodes(draw: st.DrawFn, name: str) -> dict[str, Any]:
    """A node: shared or not, now and then with a config that is refused."""
    replicas = draw(st.sampled_from([None, None, 2, 2, 3, 4, 1]))
    text = config(
        replicas,
        fail_greater_than_one=draw(st.sampled_from([None, True, False])),
        policy=draw(st.sampled_from([None, "packed"])),
    )
    model = draw(st.sampled_from(["a100-40gb", "t4-16gb", "a10-24gb"]))
    made: dict[str, Any] = {"name": name, "gpus": {"model": model, "count": draw(st.integers(1, 3))}}
    return made if text is None else made | {"config": text}


@st.composite
def cut_nodes(draw: st.DrawFn, name: str) -> dict[str, Any]:
    """A node whose cards have MIG, cut or not, under any strategy, now and then with two Pods on each device."""
    model = draw(st.sampled_from(sorted(LAYOUTS)))
    layout = draw(st.sampled_from(LAYOUTS[model]))
    plugin: dict[str, Any] = {
        "version": "v1",
        "flags": {"migStrategy": draw(st.sampled_from(["none", "single", "single", "mixed"]))},
    }
    if draw(st.booleans()):
        plugin["sharing"] = {"timeSlicing": {"resources": [{"name": "nvidia.com/gpu", "replicas": 2}]}}
    gpus = {"model": model, "count": draw(st.integers(1, 2)), **({"mig": layout} if layout else {})}
    return {"name": name, "gpus": gpus, "config": json.dumps(plugin)}


@st.composite
def mig_configs(draw: st.DrawFn, made: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A few changes of the layouts of nodes that can be cut, those of one node at least a minute apart."""
    found: list[dict[str, Any]] = []
    for node in made:
        if node["gpus"]["model"] not in LAYOUTS:
            continue
        at = draw(st.sampled_from([0, 1, 30, 60]))
        for _ in range(draw(st.integers(0, 3))):
            layout = draw(st.sampled_from(LAYOUTS[node["gpus"]["model"]]))
            change = {"at": f"{at}s", "node": node["name"], "mig": layout}
            found.append(change | ({"drain": True} if draw(st.booleans()) else {}))
            at += draw(st.sampled_from([60, 61, 100]))
    return found


@st.composite
def memory(draw: st.DrawFn) -> Any:
    """A size, what an allocator needs and takes, or steps of these."""
    if draw(st.booleans()):
        return draw(st.one_of(SIZES, TAKES))
    times = sorted(draw(st.sets(st.integers(0, 200), min_size=1, max_size=4)))
    sizes = st.one_of(SIZES.map(lambda size: {"set": size}), TAKES)
    return [{"at": f"{time}s", **draw(sizes)} for time in times]


@st.composite
def jobs(draw: st.DrawFn, *, spells: bool) -> dict[str, Any]:
    """A job of any kind; with `busy periods` idle ones compute now and then, which is drawn."""
    shares: dict[str, Any] = {"residency": draw(SHARES), "overlap": draw(st.sampled_from([0, 0.5, 1]))}
    if draw(st.integers(0, 3)) == 3:
        shares |= {"cpus": draw(st.sampled_from([1, 4])), "cpuLimit": draw(st.sampled_from(["500m", 2, 8]))}
    kind = draw(st.sampled_from(["idle", "training", "clients", "rate"]))
    if kind == "idle":
        if not (spells and draw(st.booleans())):
            return {"kind": "idle"}
        busy = draw(st.sampled_from([("2m", "20s"), ("30s", "30s"), ("20s", "1us")]))
        return {"kind": "idle", "busy": {"every": busy[0], "for": busy[1]}, **shares}
    if kind == "training":
        return training(draw(SOLO), draw(st.sampled_from([1, 17, 300])), **shares)
    if kind == "clients":
        return service(draw(SOLO), clients=draw(st.integers(1, 3)), **shares)
    return service(
        draw(SOLO), rate=draw(st.sampled_from(["1/m", "1/s", "40/s"])), residency=shares["residency"]
    )


@st.composite
def requests(draw: st.DrawFn) -> dict[str, int]:
    """Mostly GPUs, now and then the devices of the strategy mixed."""
    if draw(st.integers(0, 5)) == 5:
        return {draw(st.sampled_from(["nvidia.com/mig-3g.20gb", "nvidia.com/mig-1g.10gb"])): 1}
    return {"nvidia.com/gpu": draw(st.sampled_from([1, 1, 1, 2, 3]))}


@st.composite
def workloads(draw: st.DrawFn, name: str, *, random_arrivals: bool) -> dict[str, Any]:
    """A workload of a few Pods."""
    streams: list[Any] = ["0s", "10s", {"every": "20s"}, {"every": "0s"}]
    if random_arrivals:
        streams.append({"poisson": "4/m"})
    made: dict[str, Any] = {
        "name": name,
        "count": draw(st.integers(1, 4)),
        "arrival": draw(st.sampled_from(streams)),
        "request": draw(requests()),
        "job": draw(jobs(spells=random_arrivals)),
        "onOOM": draw(st.sampled_from(["exit", "catch"])),
        "onFault": draw(st.sampled_from(["exit", "catch"])),
    }
    if draw(st.booleans()):
        made["memory"] = draw(memory())
    if draw(st.booleans()):
        made["restartPolicy"] = draw(st.sampled_from(["Always", "OnFailure", "Never"]))
    return made


@st.composite
def faults(draw: st.DrawFn, made: list[dict[str, Any]], works: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A few faults of the Pods and cards that there are."""
    found: list[dict[str, Any]] = []
    for _ in range(draw(st.integers(0, 3))):
        when = {"at": draw(st.sampled_from(["0s", "20s", "60s", "100s"]))}
        if draw(st.booleans()):
            work = draw(st.sampled_from(works))
            kind = draw(st.sampled_from(["process", "illegal-access", "xid-reset", "card-lost"]))
            found.append(
                when | {"kind": kind, "pod": f"{work['name']}-{draw(st.integers(0, work['count'] - 1))}"}
            )
        else:
            node = draw(st.sampled_from(made))
            kind = draw(st.sampled_from(["xid-reset", "card-lost"]))
            gpu = draw(st.integers(0, node["gpus"]["count"] - 1))
            found.append(when | {"kind": kind, "node": node["name"], "gpu": gpu})
    return found


@st.composite
def scenarios(
    draw: st.DrawFn, *, random_arrivals: bool = True, seed: int = 1, cut: bool | None = None
) -> str:
    """The text of a scenario; ``cut`` says whether its nodes have MIG (None: some have)."""
    made = [
        draw(cut_nodes(name) if (draw(st.booleans()) if cut is None else cut) else nodes(name))
        for name in ("left", "right")[: draw(st.integers(1, 2))]
    ]
    works = [
        draw(workloads(name, random_arrivals=random_arrivals))
        for name in ("a", "b", "c", "d")[: draw(st.integers(1, 4))]
    ]
    broken = draw(faults(made, works))
    changes = draw(mig_configs(made))
    return scenario(
        made,
        works,
        horizon=draw(st.sampled_from(["150us", "30s", "5m", "20m"])),
        seed=seed,
        **({"faults": broken} if broken else {}),
        **({"migConfigs": changes} if changes else {}),
    )
