"""A family of rules is loaded for the kinds of documents it looks at, and nothing that a rule would find is lost by that."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from pathlib import Path

import pytest

from labs.hardware.catalog import builtin_catalog
from labs.lint.core.explanation import explanation
from labs.lint.core.families import FAMILIES
from labs.lint.core.linter import lint, read
from labs.lint.core.selection import ALL, Selection
from labs.lint.registry import RULES
from labs.lint.subject.rule import Rule

ROOT = Path(__file__).parents[3]
LOADED = """
import sys
from labs.lint.core.linter import lint, read
from labs.lint.subject.settings import Settings
lint([read("a.yaml", sys.argv[1], Settings())], Settings())
print(*sorted(name.split(".")[3] for name in sys.modules if name.startswith("labs.lint.rules.") and name.count(".") == 3))
"""


def test_the_families_together_are_all_rules() -> None:
    assert tuple(rule for family in FAMILIES for rule in family.rules) == RULES


@pytest.mark.parametrize("rule", RULES, ids=[rule.code for rule in RULES])
def test_the_families_that_a_file_loads_find_what_all_rules_find(rule: Rule) -> None:
    settings = dataclasses.replace(rule.example_settings, catalog=builtin_catalog())
    everything = Selection(select=(ALL,))
    for files in (explanation(rule).bad, explanation(rule).good):
        sources = [read(file.path, file.text, settings) for file in files]
        assert lint(sources, settings, everything) == lint(sources, settings, everything, RULES)


@pytest.mark.parametrize(
    ("text", "families"),
    [
        ("version: v1\nsharing: {}\n", "files sharing"),
        ("version: v1\nmig-configs: {}\n", "files mig"),
        ("apiVersion: v1\nkind: Pod\nspec: {containers: []}\n", "across files pods"),
        ("", "files"),
    ],
)
def test_a_file_loads_the_families_about_it_only(text: str, families: str) -> None:
    command = [sys.executable, "-c", LOADED, text]
    assert (
        subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout.split() == families.split()
    )


def test_a_check_of_a_small_file_loads_nothing_that_only_others_need(tmp_path: Path) -> None:
    """The command starts before every commit; what it needs is measured by `dev.py bench check`."""
    file = tmp_path / "a.yaml"
    file.write_text(
        "version: v1\nsharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 2}]}}\n", "utf-8"
    )
    program = "import sys; from labs.cli import main; main(sys.argv[1:]); print(*sys.modules)"
    command = [sys.executable, "-c", program, "check", str(file)]
    loaded = subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout.splitlines()[-1].split()
    others = (
        "simpy",
        "labs.simulation.world.run",
        "labs.config.manifests.objects",
        "labs.config.mig_parted",
        "labs.hardware.catalog.reader",
        "labs.hardware.mig",
        "labs.lint.keys.resources",
        "labs.lint.meaning.daemonset",
        "labs.lint.meaning.market",
        "labs.lint.meaning.mig",
        "labs.lint.meaning.pods",
        "labs.lint.refusals.further",
        "labs.lint.refusals.located",
        "labs.lint.registry",
        "labs.report.findings.github",
        "labs.report.findings.html",
        "labs.report.findings.json",
        "labs.report.findings.sarif",
    )
    assert "labs.lint.core.linter" in loaded
    assert [name for name in others if name in loaded] == []
