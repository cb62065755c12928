"""The page, the terminal and the golden file tell the same Trace, to the byte, in every language.

`GPULAB_UPDATE_GOLDEN=1 python3 dev.py test` writes the golden file anew.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from playwright.sync_api import expect

from labs.cli import main
from tests.browser.lab_page import (
    ARTICLE,
    PRESETS,
    ROOTS,
    SCENARIO,
    LabInPage,
    Show,
    answer_of_python,
    every_language,
)
from tests.some import some
from tools.paths import ROOT

GOLDEN = ROOT / "tests" / "golden" / "trace-hashes.json"
ROLLOUTS = {
    path.stem: path.read_text("utf-8")
    for path in sorted(GOLDEN.with_name("scenarios").glob("rollout-*.yaml"))
}
SCENARIOS = {
    **{preset: answer_of_python("en", changes=[{"preset": preset}])["text"] for preset in PRESETS},
    "poisson-arrivals": SCENARIO.replace("arrival: 10s", "arrival: {poisson: 6/m}"),
    "another-seed": SCENARIO.replace("arrival: 10s", "arrival: {poisson: 6/m}").replace("seed: 1", "seed: 7"),
    "deaths-and-restarts": SCENARIO.replace("onOOM: catch\n", "onOOM: exit\n", 1),
    "growing-memory": SCENARIO.replace("memory: 6GiB", "memory: [{at: 0s, set: 1GiB}, {at: 90s, set: 9GiB}]"),
    "trainings": SCENARIO.replace(
        "job: {kind: idle}",
        "job: {kind: training, soloTime: 120ms, iterations: 1000, residency: 0.9, demand: 0.6}",
    ),
    "services": SCENARIO.replace(
        "job: {kind: idle}", "job: {kind: service, soloTime: 88ms, residency: 0.97, demand: 0.44, rate: 2/s}"
    ),
    "requests": SCENARIO.replace(
        "job: {kind: idle}", "job: {kind: service, soloTime: 88ms, residency: 0.97, demand: 0.44, rate: 2/s}"
    ).replace("seed: 1", "seed: 1\ndetail: requests"),
    "now-and-then": SCENARIO.replace(
        "job: {kind: idle}",
        "job: {kind: idle, busy: {every: 2m, for: 20s}, residency: 0.9, demand: 0.5}",
    ),
    "takes-what-it-finds": SCENARIO.replace("memory: 6GiB", "memory: {needs: 2GiB, takes: 60%}"),
    "lost-card": SCENARIO.replace(
        "seed: 1", "seed: 1\nfaults: [{at: 2m, node: gpu-node-1, gpu: 0, kind: card-lost}]"
    ),
    "mig-reconfiguration": SCENARIO.replace(
        "seed: 1",
        "seed: 1\nmigConfigs: [{at: 1m, node: gpu-node-1, mig: [3g.20gb, 3g.20gb], drain: true}, "
        "{at: 4m, node: gpu-node-1, mig: []}]",
    ),
    **ROLLOUTS,
}


def hash_in_terminal(scenario: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    path = folder / "scenario.yaml"
    path.write_text(scenario, encoding="utf-8")
    assert main(["run", str(path), "--format", "json"]) in (0, 1)
    return str(json.loads(capsys.readouterr().out)["traceHash"])


@pytest.mark.slow
def test_terminal_and_golden_file_agree(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = {name: hash_in_terminal(scenario, tmp_path, capsys) for name, scenario in SCENARIOS.items()}
    if os.environ.get("GPULAB_UPDATE_GOLDEN"):
        GOLDEN.write_text(json.dumps(found, indent=2) + "\n", "utf-8", newline="\n")
    assert found == json.loads(GOLDEN.read_text("utf-8"))
    assert len(set(found.values())) == len(found)


@pytest.mark.slow
@every_language
def test_page_and_golden_file_agree(show: Show, site_url: str, language: str) -> None:
    lab = LabInPage(show(f"{site_url}{ROOTS[language]}{ARTICLE}"))
    lab.unfold()
    golden = json.loads(GOLDEN.read_text("utf-8"))
    # A Trace has no language: once is enough, but for one of each kind.
    names = [name for name in SCENARIOS if language == "en" or name in ("requests", "poisson-arrivals")]
    for name in some(names):
        lab.yaml.fill(SCENARIOS[name])
        expect(lab.hash, name).to_have_text(golden[name])
