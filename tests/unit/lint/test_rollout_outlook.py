"""What a rollout comes to when one node fails: a finding has the simulator's numbers, its link opens that rollout."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from labs.browser import respond
from labs.cli import main
from labs.cluster.daemonset.spec import UpdateStrategy
from labs.hardware.catalog import builtin_catalog
from labs.library import builtin_library
from labs.lint.core.linter import lint, read
from labs.lint.core.selection import Selection
from labs.lint.findings.finding import Finding
from labs.lint.meaning.daemonset.outlook import one_node_fails
from labs.lint.subject.settings import Settings
from labs.report.findings.html import CheckWords
from labs.simulation.outcome.rollout.halt import is_halted
from labs.simulation.outcome.rollout.moments import fleet_snapshot
from labs.simulation.outcome.rollout.snapshot import FleetSnapshot
from labs.simulation.scenario.rollout.reader import read_rollout
from labs.simulation.world.rollout.world import run_rollout
from labs.teaching.check_lab.finding_link import lab_fragment
from labs.teaching.rollout_lab.link import state_of_link

PLUGIN = {
    "apiVersion": "apps/v1",
    "kind": "DaemonSet",
    "metadata": {"name": "nvidia-device-plugin-daemonset"},
    "spec": {
        "selector": {"matchLabels": {"app": "d"}},
        "template": {
            "metadata": {"labels": {"app": "d"}},
            "spec": {"containers": [{"name": "c", "image": "nvcr.io/nvidia/k8s-device-plugin:v0.20.0"}]},
        },
    },
}


def plugin(rolling: dict[str, Any] | None = None, **spec: Any) -> str:
    given = {"updateStrategy": {"rollingUpdate": rolling}} if rolling is not None else {}
    return json.dumps({**PLUGIN, "spec": {**PLUGIN["spec"], **given, **spec}})  # type: ignore[dict-item]


def node(name: str) -> str:
    return json.dumps({"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}})


def found(code: str, *texts: str) -> list[Finding]:
    settings = Settings(catalog=builtin_catalog())
    sources = [read(f"{index}.yaml", text, settings) for index, text in enumerate(texts)]
    told = lint(sources, settings, Selection(select=(code,)))
    return [one for source in sources for one in told[source.path]]


def end(scenario: str) -> tuple[FleetSnapshot, bool]:
    """The end of a scenario, and whether the rollout has stopped there."""
    rollout = read_rollout(scenario)
    fleet = fleet_snapshot(rollout, run_rollout(rollout).trace, rollout.until_us)
    return fleet, is_halted(rollout, fleet)


@pytest.mark.parametrize(
    ("rolling", "given", "nodes"),
    [
        ({}, 0, 10),
        ({"maxUnavailable": 1}, 4, 4),
        ({"maxUnavailable": "20%"}, 0, 5),
        ({"maxUnavailable": "3%"}, 33, 33),
    ],
)
def test_the_numbers_of_a_finding_are_those_of_the_simulator(
    rolling: dict[str, Any], given: int, nodes: int
) -> None:
    (one,) = found(
        "GL523", plugin(rolling, minReadySeconds=7), *(node(f"n{number}") for number in range(given))
    )
    told = dict(one.arguments)
    fleet, stopped = end(one.scenario)
    assert stopped
    assert (told["nodes"], len(fleet.nodes)) == (nodes, nodes)
    untouched = [each for each in fleet.nodes if [pod.is_new for pod in each.pods] == [False]]
    assert told["left"] == len(untouched)


@pytest.mark.parametrize("nodes", [1, 2, 3, 9, 10, 11, 40])
@pytest.mark.parametrize(
    "strategy",
    [
        *(UpdateStrategy(max_unavailable=budget) for budget in (1, 2, 10, "1%", "10%", "34%", "100%")),
        *(UpdateStrategy(max_unavailable=0, max_surge=budget) for budget in (1, 2, "10%", "50%")),
    ],
    ids=str,
)
def test_a_rollout_passes_the_node_or_stops_there_as_the_simulator_has_it(
    strategy: UpdateStrategy, nodes: int
) -> None:
    rolling = {"maxUnavailable": strategy.max_unavailable, "maxSurge": strategy.max_surge}
    first = f"node-{1:0{len(str(nodes))}d}"
    bad = {"nodes": [first], "revisions": ["r2"], "pod": "never-ready"}
    given = {"nodes": nodes, "updateStrategy": {"rollingUpdate": rolling}, "behaviour": [bad]}
    fleet, _ = end(json.dumps({"rollout": {**given, "events": [{"at": 0, "template": "r2"}]}}))
    outlook = one_node_fails(strategy, nodes)
    touched = sum(any(pod.is_new for pod in each.pods) for each in fleet.nodes)
    if outlook is None:
        assert touched == nodes > 1
    else:
        assert (outlook.nodes, touched) == (nodes, 1)
        assert (outlook.updated, outlook.available) == (fleet.status.updated, fleet.status.available)


def test_the_scenario_has_the_settings_of_the_daemonset() -> None:
    everything = {**PLUGIN["spec"]["template"]["spec"], "tolerations": [{"operator": "Exists"}]}  # type: ignore[index]
    template = {**PLUGIN["spec"]["template"], "spec": everything}  # type: ignore[index]
    (one,) = found("GL523", plugin({"maxUnavailable": "10%"}, minReadySeconds=30, template=template))
    rollout = read_rollout(one.scenario)
    assert rollout.name == "nvidia-device-plugin-daemonset"
    assert (rollout.strategy.max_unavailable, rollout.min_ready_seconds) == ("10%", 30)
    assert rollout.tolerate_all


@pytest.mark.parametrize("name", ["true", "1234", "a'b", "x" * 70, "Ä", ""])
def test_a_name_of_any_kind_leaves_the_scenario_one(name: str) -> None:
    text = plugin({}).replace('"nvidia-device-plugin-daemonset"', json.dumps(name))
    (one,) = found("GL523", text)
    read_rollout(one.scenario)


@pytest.mark.parametrize(("surge", "given", "nodes"), [(1, 0, 10), ("10%", 7, 7)])
def test_the_numbers_of_a_surge_are_those_of_the_simulator(surge: int | str, given: int, nodes: int) -> None:
    agent = plugin({"maxUnavailable": 0, "maxSurge": surge}, minReadySeconds=30).replace(
        "nvcr.io/nvidia/k8s-device-plugin", "agent"
    )
    (one,) = found("GL523", agent, *(node(f"n{number}") for number in range(given)))
    fleet, stopped = end(one.scenario)
    assert stopped
    touched = [each for each in fleet.nodes if any(pod.is_new for pod in each.pods)]
    assert (dict(one.arguments)["left"], len(fleet.nodes)) == (nodes - len(touched), nodes)


def test_a_crash_loop_that_slips_is_shown_as_one() -> None:
    (one,) = found("GL522", plugin())
    fleet, stopped = end(one.scenario)
    assert not stopped
    assert fleet.status.updated == fleet.status.desired == 10


def test_each_form_of_the_answer_carries_the_link(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "plugin.yaml"
    file.write_text(plugin({"maxUnavailable": 1}, minReadySeconds=30), "utf-8")
    links = set()
    for form in ("text", "json", "sarif", "github"):
        assert main(["check", str(file), "--format", form, "--lang", "en"]) == 0
        out = capsys.readouterr().out.replace("%25", "%").replace("%3A", ":")
        links.add(out[out.index("labs/rollout/#lab=") :].split("\n")[0].split('"')[0])
    (link,) = links
    (one,) = found("GL523", plugin({"maxUnavailable": 1}, minReadySeconds=30))
    address, _, fragment = link.partition("#")
    lab = builtin_library().rollouts["stops-on-one-node"]
    assert (address, state_of_link(lab, fragment)) == ("labs/rollout/", (one.scenario, None))


def test_in_a_page_the_link_goes_from_where_the_rules_are() -> None:
    (one,) = found("GL523", plugin({"maxUnavailable": 1}))
    messages = builtin_library().messages["en"]
    for pages, lab in (
        ("../../rules/{code}/", "../../labs/rollout/"),
        ("../rules/{code}.html", "../labs/rollout.html"),
    ):
        words = CheckWords(messages, messages, "x", pages, lab_fragment)
        assert words.lab(one).partition("#")[0] == lab
    assert CheckWords(messages, messages, "x", "{code}", lab_fragment).lab(one) == ""


def test_the_check_lab_offers_the_link() -> None:
    asked = {"kind": "check", "lab": "check-x", "lang": "en", "text": plugin({"maxUnavailable": 1})}
    answer = json.loads(respond(json.dumps({**asked, "rules": "../rules/{code}/"})))
    assert 'href="../labs/rollout/#lab=stops-on-one-node' in answer["regions"]["findings"]


def test_the_page_has_the_lab_that_a_link_names() -> None:
    for language in ("ja", "ko", "en"):
        page = Path(__file__).parents[3] / "docs" / language / "labs" / "rollout.md"
        assert "```rollout\nrollout: stops-on-one-node\n```" in page.read_text("utf-8")
