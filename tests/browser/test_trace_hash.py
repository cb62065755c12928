"""The page, the terminal and the golden file tell the same Trace, to the byte, in every language."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.lab_page import ARTICLE, PRESETS, ROOTS, SCENARIO, LabInPage, answer_of_python

SCENARIOS = {
    **{preset: answer_of_python("en", change={"preset": preset})["text"] for preset in PRESETS},
    "another-seed": SCENARIO.replace("seed: 1", "seed: 7"),
    "poisson-arrivals": SCENARIO.replace("arrival: 10s", "arrival: {poisson: 6/m}"),
    "deaths-and-restarts": SCENARIO.replace("onOOM: catch\n", "onOOM: exit\n", 1),
    "growing-memory": SCENARIO.replace("memory: 6GiB", "memory: [{at: 0s, set: 1GiB}, {at: 90s, set: 9GiB}]"),
    "trainings": SCENARIO.replace(
        "job: {kind: idle}",
        "job: {kind: training, soloTime: 120ms, iterations: 1000, residency: 0.9, demand: 0.6}",
    ),
    "services": SCENARIO.replace(
        "job: {kind: idle}", "job: {kind: service, soloTime: 88ms, residency: 0.97, demand: 0.44, rate: 2/s}"
    ),
}


def hash_in_terminal(scenario: str, folder: Path) -> str:
    path = folder / "scenario.yaml"
    path.write_text(scenario, encoding="utf-8")
    gpulab = shutil.which("gpulab", path=str(Path(sys.executable).parent))
    assert gpulab is not None
    command = [gpulab, "run", str(path), "--format", "json"]
    result = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert result.returncode in (0, 1), result.stderr
    return str(json.loads(result.stdout)["traceHash"])


@pytest.mark.parametrize("language", list(ROOTS))
def test_page_and_terminal_agree(page: Page, site_url: str, language: str, tmp_path: Path) -> None:
    page.goto(f"{site_url}{ROOTS[language]}{ARTICLE}")
    lab = LabInPage(page)
    lab.unfold()
    found: dict[str, str] = {}
    for name, scenario in SCENARIOS.items():
        lab.yaml.fill(scenario)
        expected = hash_in_terminal(scenario, tmp_path)
        expect(lab.hash, name).to_have_text(expected)
        found[name] = expected
    assert len(set(found.values())) == len(found)
